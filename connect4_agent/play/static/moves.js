// The list of a game's moves, each a button that shows the position after it, and four buttons to step through them.
import { moverOf } from './game.js';
import { button, byId, node, sign } from './page.js';

const STEPS = {
  'step-start': () => 0,
  'step-back': (ply) => ply - 1,
  'step-on': (ply) => ply + 1,
  'step-end': (_, count) => count,
};

export function createMoves({ jump }) {
  const list = byId('moves');
  let shown = null;
  let ply = 0;

  for (const [id, step] of Object.entries(STEPS)) {
    byId(id).addEventListener('click', () => {
      const wanted = step(ply, shown.game.columns.length);
      jump(wanted);
      // A button that has become useless would lose the focus, and with it the keys.
      if (byId(id).disabled) byId(id === 'step-start' || id === 'step-back' ? 'step-on' : 'step-back').focus();
    });
  }

  function item(game, names, notes, column, index) {
    const player = moverOf(game, index);
    const note = notes[index];
    const said = [`move ${index + 1}`, names[player - 1], `column ${column + 1}`, note?.words];
    const words = said.filter(Boolean).join(', ');
    return node('li', note ? { class: note.mark ? 'noted' : 'given' } : {}, button(
      { 'aria-label': words, title: words }, () => jump(index + 1),
      node('span', { class: 'number', text: `${index + 1}` }), sign(player), node('span', { text: `${column + 1}` }),
      ...(note?.mark ? [node('span', { class: 'note', text: note.mark })] : []),
    ));
  }

  return {
    // `notes[index]` is {mark, words}: what is to be said of a move, and a sign for it.
    show(game, at, names, notes = []) {
      const key = JSON.stringify([game, names, notes]);
      if (shown?.key !== key) {
        shown = { key, game };
        list.replaceChildren(...game.columns.map((column, index) => item(game, names, notes, column, index)));
      }
      ply = at;
      byId('no-moves').hidden = game.columns.length > 0;
      byId('step-start').disabled = byId('step-back').disabled = ply === 0;
      byId('step-on').disabled = byId('step-end').disabled = ply === game.columns.length;
      list.querySelectorAll('button').forEach((each, index) => {
        if (index + 1 === ply) each.setAttribute('aria-current', 'step');
        else each.removeAttribute('aria-current');
      });
      const current = list.querySelector('[aria-current]');
      // Scrolls the list alone: scrollIntoView would move the page as well.
      const middle = (list.clientHeight - (current?.clientHeight ?? 0)) / 2;
      if (current) list.scrollTop = current.offsetTop - list.offsetTop - middle;
    },
  };
}
