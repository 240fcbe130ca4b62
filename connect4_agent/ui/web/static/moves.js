// The list of a game's moves with its variations, each move a button that shows the position after it, and the buttons to
// step through them.
import { MOVE_SIGNS, moverOf } from './game.js';
import { moveTree, sharedPly } from './lines.js';
import { button, node, sign, unseen } from './page.js';

// By key: the sign and the name of a button, and where it leads.
const STEPS = {
  Home: ['|\u25c0', 'To the start', () => 0],
  ArrowLeft: ['\u25c0', 'One move back', (ply) => ply - 1],
  ArrowRight: ['\u25b6', 'One move forward', (ply) => ply + 1],
  End: ['\u25b6|', 'To the last move', (_, count) => count],
};

// `steps` and `host` are where the buttons and the list go; `jump({line, ply})` shows a position.
export function createMoves({ steps, host, jump }) {
  const list = node('ol', { class: 'moves', 'aria-label': 'Moves' });
  let shown = { key: '', lines: [[]] };
  let place = { line: 0, ply: 0 };

  function step(key) {
    const count = shown.lines[place.line].length;
    const ply = Math.max(0, Math.min(count, STEPS[key][2](place.ply, count)));
    if (ply !== place.ply) jump({ line: place.line, ply });
  }

  const buttons = Object.entries(STEPS).map(([key, [text, label]]) => button(
    { 'aria-label': label }, () => step(key), node('span', { 'aria-hidden': 'true', text }),
  ));
  steps.append(node('div', { class: 'actions steps', role: 'group', 'aria-label': 'Step through the moves' }, ...buttons));
  host.append(list);

  function item(first, names, move, note) {
    const player = moverOf({ first }, move.ply - 1);
    return node('li', { class: [note ? 'noted' : '', move.ply % 2 ? '' : 'second'].join(' ') }, button(
      { 'data-line': move.line, 'data-ply': move.ply },
      () => jump({ line: move.line, ply: move.ply }),
      unseen('move '), node('span', { class: 'number', text: `${move.ply}` }),
      unseen(` ${names[player - 1]}, column `), sign(player), node('span', { text: MOVE_SIGNS[move.column] }),
      ...(note ? [node('span', { class: 'note', text: note.mark, 'aria-hidden': 'true' }), unseen(` ${note.words}`)] : []),
    ));
  }

  // The items of a line, with the variations of a move below it.
  function items(first, names, notes, tree) {
    return tree.flatMap((move) => [
      item(first, names, move, move.line === 0 ? notes[move.ply - 1] : undefined),
      ...move.others.map((other) => node('li', { class: 'variation' }, node(
        'ol', { class: 'moves', 'aria-label': `Variation at move ${move.ply}` }, ...items(first, names, notes, other),
      ))),
    ]);
  }

  function markCurrent() {
    const columns = shown.lines[place.line].slice(0, place.ply);
    for (const each of list.querySelectorAll('button')) {
      const { line, ply } = each.dataset;
      const isCurrent = Number(ply) === place.ply && sharedPly(shown.lines[Number(line)], columns) === place.ply;
      if (isCurrent) each.setAttribute('aria-current', 'step');
      else each.removeAttribute('aria-current');
    }
    const current = list.querySelector('[aria-current]');
    // Scrolls the list alone: scrollIntoView would move the page as well.
    if (!current) list.scrollTop = 0;
    else {
      const { top, height } = current.getBoundingClientRect();
      list.scrollTop += top - list.getBoundingClientRect().top - (list.clientHeight - height) / 2;
    }
  }

  return {
    // Arrow keys, Home and End step; returns whether the key was one of them.
    key(name) {
      if (!(name in STEPS) || !shown.lines[place.line].length) return false;
      step(name);
      return true;
    },
    // `notes[index]` is {mark, words} of a move of the main line that went wrong.
    show(first, lines, at, names, notes = []) {
      place = at;
      const key = JSON.stringify([first, lines, names, notes]);
      if (shown.key !== key) {
        shown = { key, lines };
        list.replaceChildren(...items(first, names, notes, moveTree(lines)));
      }
      const count = lines[place.line].length;
      // A button that is out of use keeps the focus, and with it the keys.
      buttons.forEach((each, index) => each.setAttribute('aria-disabled', String(place.ply === (index < 2 ? 0 : count))));
      markCurrent();
    },
  };
}
