// The list of a game's moves with its variations, each move a button that shows the position after it, and the
// buttons to step through them.
import { MOVE_SIGNS, moverOf } from './game.js';
import { moveTree, sharedPly } from './lines.js';
import { button, byId, node, sign, unseen } from './page.js';

const STEPS = {
  'step-start': () => 0,
  'step-back': (ply) => ply - 1,
  'step-on': (ply) => ply + 1,
  'step-end': (_, count) => count,
};

const KEYS = { Home: 'step-start', ArrowLeft: 'step-back', ArrowRight: 'step-on', End: 'step-end' };

// `jump({line, ply})` shows a position.
export function createMoves({ jump }) {
  const list = byId('moves');
  let shown = null; // {key, lines}
  let place = { line: 0, ply: 0 };

  function step(id) {
    const count = shown.lines[place.line].length;
    const ply = Math.max(0, Math.min(count, STEPS[id](place.ply, count)));
    if (ply !== place.ply) jump({ line: place.line, ply });
  }

  for (const id of Object.keys(STEPS)) {
    byId(id).addEventListener('click', () => {
      step(id);
      // A button that becomes disabled would lose the focus, and with it the keys.
      if (byId(id).disabled) byId(id === 'step-start' || id === 'step-back' ? 'step-on' : 'step-back').focus();
    });
  }

  function item(first, names, move, note) {
    const player = moverOf({ first }, move.ply - 1);
    const marks = note?.mark ? [node('span', { class: 'note', text: note.mark, 'aria-hidden': 'true' })] : [];
    const classes = [note?.kind, move.ply % 2 ? '' : 'second'].filter(Boolean).join(' ');
    return node('li', { class: classes }, button(
      { 'data-line': move.line, 'data-ply': move.ply },
      () => jump({ line: move.line, ply: move.ply }),
      unseen('move '), node('span', { class: 'number', text: `${move.ply}` }),
      unseen(` ${names[player - 1]}, column `), sign(player), node('span', { text: MOVE_SIGNS[move.column] }),
      ...marks, ...(note ? [unseen(` ${note.words}`)] : []),
    ));
  }

  // The items of a line, with the variations of a move below it.
  function items(first, names, notes, tree) {
    const isNoted = ({ line, ply }) => sharedPly(shown.lines[line], shown.lines[notes.line]) >= ply;
    return tree.flatMap((move) => [
      item(first, names, move, isNoted(move) ? notes.of[move.ply - 1] : undefined),
      ...move.others.map((other) => node('li', { class: 'variation' }, node(
        'ol', { class: 'moves', 'aria-label': `Variation at move ${move.ply}` }, ...items(first, names, notes, other),
      ))),
    ]);
  }

  function markCurrent() {
    const columns = shown.lines[place.line].slice(0, place.ply);
    const isCurrent = ({ dataset: { line, ply } }) => Number(ply) === place.ply
      && shown.lines[Number(line)].slice(0, place.ply).join() === columns.join();
    list.querySelectorAll('button').forEach((each) => {
      if (isCurrent(each)) each.setAttribute('aria-current', 'step');
      else each.removeAttribute('aria-current');
    });
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
      if (!(name in KEYS) || !shown || !shown.lines[place.line].length) return false;
      step(KEYS[name]);
      return true;
    },
    // `notes.of[index]` is {mark, words, kind} of a move of the line `notes.line`.
    show(first, lines, at, names, notes = { line: 0, of: [] }) {
      place = at;
      const key = JSON.stringify([first, lines, names, notes]);
      if (shown?.key !== key) {
        shown = { key, lines };
        list.replaceChildren(...items(first, names, notes, moveTree(lines)));
      }
      byId('no-moves').hidden = lines[0].length > 0;
      byId('step-start').disabled = byId('step-back').disabled = place.ply === 0;
      byId('step-on').disabled = byId('step-end').disabled = place.ply === lines[place.line].length;
      markCurrent();
    },
  };
}
