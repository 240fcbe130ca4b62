// The row of column buttons under the board: they take discs, and show what perfect play makes of each column.
import { MOVE_SIGNS, emptyCount, movesToEnd, openColumns, signed } from './game.js';
import { node } from './page.js';

const SHAPES = { win: '\u25b2', draw: '\u25a0', loss: '\u25bc' };

export function kindOf(score) {
  if (score === 0) return 'draw';
  return score > 0 ? 'win' : 'loss';
}

// "wins in 3 moves", "draws", "loses in 5 moves": a score of a position in words.
export function verdict(score, empty) {
  const count = movesToEnd(score, empty);
  if (count === null) return 'draws';
  return `${score > 0 ? 'wins' : 'loses'} in ${count} move${count > 1 ? 's' : ''}`;
}

// A column's hint: what is shown on its button, and what is said of it.
function hintOf(answer, column, empty) {
  const score = answer.scores[column];
  const isLiked = answer.best.includes(column);
  // Where not everything is proven, only a win is known to be the best.
  const isBest = isLiked && (answer.exact !== false || score > 0);
  if (score === null) return isLiked ? { kind: 'guess', word: 'best guess', spoken: 'best guess, not proven' } : null;
  const kind = kindOf(score);
  const count = movesToEnd(score, empty);
  return {
    kind, isBest, score: signed(score), word: kind, when: count === null ? '' : `in ${count}`, shape: SHAPES[kind],
    spoken: `${verdict(score, empty)}, score ${signed(score)}${isBest ? ', best' : ''}`,
  };
}

function fill(button, column, hint, waiting) {
  const sign = MOVE_SIGNS[column];
  const parts = [node('span', { class: 'number', text: hint?.isBest ? `\u2605\u2009${sign}` : sign })];
  if (hint) {
    if (hint.score) parts.push(node('span', { class: 'score', text: hint.score }));
    if (hint.shape) parts.push(node('span', { class: 'shape', text: hint.shape, 'aria-hidden': 'true' }));
    parts.push(node('span', { class: 'word', text: hint.word }));
    if (hint.when) parts.push(node('span', { class: 'when', text: hint.when }));
  } else if (waiting) parts.push(node('span', { class: 'score waiting', text: '\u2026', 'aria-hidden': 'true' }));
  button.replaceChildren(...parts);
}

// `play(column)` is called for a press, `point(column)` where the mouse or the focus is; null for nowhere.
export function createColumns(host, { play, point }) {
  let buttons = [];
  let cursor = 0;

  function moveCursor(column, focus) {
    cursor = Math.max(0, Math.min(column, buttons.length - 1));
    buttons.forEach((each, index) => each.setAttribute('tabindex', index === cursor ? '0' : '-1'));
    if (focus) buttons[cursor].focus();
  }

  function make(width) {
    buttons = Array.from({ length: width }, (_, column) => {
      const made = node('button', { type: 'button' });
      made.addEventListener('click', () => { moveCursor(column, false); play(column); });
      made.addEventListener('focus', () => point(column));
      made.addEventListener('blur', () => point(null));
      made.addEventListener('pointerenter', (event) => { if (event.pointerType === 'mouse') point(column); });
      made.addEventListener('pointerleave', () => point(focused()));
      return made;
    });
    host.replaceChildren(...buttons);
    host.parentElement.style.setProperty('--columns', width);
    moveCursor(Math.floor((width - 1) / 2), false);
  }

  // The column whose button has the focus, or null.
  function focused() {
    const index = buttons.indexOf(document.activeElement);
    return index < 0 ? null : index;
  }

  const steps = {
    ArrowLeft: () => cursor - 1,
    ArrowRight: () => cursor + 1,
    Home: () => 0,
    End: () => buttons.length - 1,
  };

  return {
    focused,
    // Arrow keys choose a column; the button itself answers Enter and Space.
    key(name) {
      if (!(name in steps)) return false;
      // The first arrow only shows where the cursor is.
      const isStep = name === 'Home' || name === 'End' || focused() !== null;
      moveCursor(isStep ? steps[name]() : cursor, true);
      return true;
    },
    // Takes the keyboard to the columns.
    focus() {
      moveCursor(cursor, true);
    },
    // `hints` is {state, answer}; `why` says why no disc can be dropped now, or is empty.
    show(game, ply, hints, why) {
      if (buttons.length !== game.width) make(game.width);
      const open = openColumns(game, ply);
      host.classList.toggle('with-hints', hints.state !== 'off');
      buttons.forEach((each, column) => {
        const isOpen = open.includes(column);
        const hint = hints.answer && isOpen ? hintOf(hints.answer, column, emptyCount(game, ply)) : null;
        fill(each, column, hint, hints.state === 'waiting' && isOpen);
        const classes = ['column', hint ? `is-${hint.kind}` : '', hint?.isBest ? 'is-best' : ''];
        each.className = classes.filter(Boolean).join(' ');
        const reason = isOpen ? why : why || 'full';
        each.setAttribute('aria-disabled', String(Boolean(reason)));
        const words = [`Column ${column + 1}`, hint?.spoken, isOpen ? '' : 'full'];
        each.setAttribute('aria-label', words.filter(Boolean).join(', '));
      });
    },
  };
}
