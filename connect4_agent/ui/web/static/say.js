// The one sentence beside the board: whose turn it is, a hint, a question, a reason or an error, always in the same place.
import { announce, button, byId, sign } from './page.js';

let said = []; // what was said last: the move, the title and the sentence
let drawn = '';

const textOf = (parts) => parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');

// `title` is the heading, `player` the disc beside it, `words` the sentence: text, or nodes. `kind` is '', right, wrong or
// warning. `buttons` are {label, run, isStrong}. `spoken` comes first for screen readers, who hear everything new.
export function say({ title, player = null, words = [], kind = '', buttons = [], spoken = '', isBig = false }) {
  const parts = [words].flat();
  byId('turn').replaceChildren(...(player ? [sign(player)] : []), title);
  byId('detail').replaceChildren(...parts);
  byId('say').className = ['say', kind && `is-${kind}`, isBig && 'is-big'].filter(Boolean).join(' ');
  const shown = JSON.stringify(buttons.map(({ label }) => label));
  // The same buttons stay: a press is lost if its button is replaced in the middle of it.
  if (drawn !== shown) {
    byId('say-buttons').replaceChildren(...buttons.map(({ label, isStrong }, index) => button(
      { text: label, ...(isStrong ? { class: 'strong' } : {}) }, () => byId('say-buttons').runs[index](),
    )));
  }
  drawn = shown;
  byId('say-buttons').runs = buttons.map(({ run }) => run);
  byId('say-buttons').hidden = !buttons.length;
  document.title = `${title} \u00b7 Connect Four`;
  const all = [spoken, `${title}.`.replace(/([.!?])\./, '$1'), textOf(parts)];
  const fresh = all.filter((each, index) => each.trim() && each !== said[index]);
  if (fresh.length) announce(fresh.join(' '));
  said = all;
}
