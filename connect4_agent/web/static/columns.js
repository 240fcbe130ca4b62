// The row of column buttons under the board: they drop discs, and show the result of each column with perfect play.
import { MOVE_SIGNS, openColumns, signed } from './game.js';
import { node, unseen } from './page.js';

const SHAPES = { win: '\u25b2', draw: '\u25a0', loss: '\u25bc' };

// A column's hint: what its button shows, and what screen readers say.
function hintOf(answer, column) {
  const score = answer.scores[column];
  const isLiked = answer.best.includes(column);
  // If not everything is proven, a column may still be better than the best one found.
  const isBest = isLiked && (answer.exact !== false || answer.score !== null);
  if (score === null) return isLiked ? { kind: 'guess', word: 'guess', spoken: ' (best guess, not proven)' } : null;
  const [kind, count] = [answer.results[column], answer.moves_to_end[column]];
  return {
    kind, isBest, score: signed(score), word: kind, when: count === null ? '' : `in ${count}`, shape: SHAPES[kind],
    spoken: ` (${answer.verdicts[column]}${isBest ? ', best' : ''})`,
  };
}

// Words first, the number last. Text for screen readers is placed among the visible parts, so that together they name
// the button.
function fill(button, column, hint, { waiting, isFull }) {
  const hidden = { 'aria-hidden': 'true' };
  const parts = [node('span', { class: 'number' },
    unseen('Column '), MOVE_SIGNS[column], ...(hint?.isBest ? [node('span', { text: '\u2009\u2605', ...hidden })] : []))];
  if (isFull) parts.push(unseen(' full'));
  if (hint) {
    const shape = hint.shape ? [node('span', { class: 'shape', text: hint.shape, ...hidden })] : [];
    parts.push(' ', node('span', { class: 'word' }, ...shape, hint.word));
    if (hint.when) parts.push(' ', node('span', { class: 'when', text: hint.when }));
    parts.push(unseen(hint.spoken));
    if (hint.score) parts.push(unseen(' score '), node('span', { class: 'score', text: hint.score }));
  } else if (waiting) parts.push(node('span', { class: 'word waiting', text: '\u2026', ...hidden }));
  button.replaceChildren(...parts);
}

// `play(column)` is called for a press, `point(column)` for the column under the mouse or with the focus, or null.
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
    // Moves the keyboard focus to the columns.
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
        const hint = hints.answer && isOpen ? hintOf(hints.answer, column) : null;
        const isFull = !isOpen && why === '';
        fill(each, column, hint, { waiting: hints.state === 'waiting' && isOpen, isFull });
        const classes = ['column', hint ? `is-${hint.kind}` : '', hint?.isBest ? 'is-best' : ''];
        each.className = classes.filter(Boolean).join(' ');
        each.setAttribute('aria-disabled', String(why !== '' || !isOpen));
      });
    },
  };
}
