// The row of column buttons under the board: they drop discs, and show the result of each column with perfect play.
import { MOVE_SIGNS, openColumns, positionAfter } from './game.js';
import { node, unseen } from './page.js';

const SHAPES = { win: '\u25b2', draw: '\u25a0', loss: '\u25bc' };

// A column's hint: what its button shows, and what screen readers say.
function hintOf(answer, column) {
  const score = answer.scores[column];
  const isLiked = answer.best.includes(column);
  // If not everything is proven, a column may still be better than the best one found.
  const isBest = isLiked && (answer.exact !== false || answer.score !== null);
  if (score === null) return isLiked ? { kind: 'guess', word: 'guess', spoken: ' not certain' } : null;
  const [kind, count] = [answer.results[column], answer.moves_to_end[column]];
  return {
    kind, isBest, word: kind, when: count === null ? '' : `in ${count}`, shape: SHAPES[kind],
    score: score > 0 ? `+${score}` : `${score}`.replace('-', '\u2212'), spoken: isBest ? ' best' : '',
  };
}

// "2 discs, yours on top", "full, red on top": what is in a column, for people who do not see it.
function contentWords(discs, height, owners) {
  if (!discs.length) return 'empty';
  const count = discs.length === height ? 'full' : `${discs.length} disc${discs.length > 1 ? 's' : ''}`;
  const owner = owners[discs.at(-1) - 1];
  return `${count}, ${owner}${discs.length > 1 ? ' on top' : ''}`;
}

// Words first, the number last. Text for screen readers is placed among the visible parts, so that together they name
// the button.
function fill(button, column, hint, { waiting, content }) {
  const hidden = { 'aria-hidden': 'true' };
  const star = hint?.isBest ? [node('span', { text: '\u2009\u2605', ...hidden })] : [];
  const parts = [node('span', { class: 'number' }, unseen('Column '), MOVE_SIGNS[column], unseen(` ${content}${hint ? ';' : ''}`), ...star)];
  if (hint) {
    const shape = hint.shape ? [node('span', { class: 'shape', text: hint.shape, ...hidden })] : [];
    parts.push(' ', node('span', { class: 'word' }, ...shape, hint.word));
    if (hint.when) parts.push(' ', node('span', { class: 'when', text: hint.when }));
    parts.push(unseen(hint.spoken));
    if (hint.score) parts.push(node('span', { class: 'score', text: hint.score, ...hidden }));
  } else if (waiting) parts.push(node('span', { class: 'word waiting', text: '\u2026', ...hidden }));
  button.replaceChildren(...parts);
}

// `play(column)` is called for a press, `point(column)` for the column under the mouse or with the focus, or null.
export function createColumns(host, { play, point }) {
  let buttons = [];
  let filled = []; // what each button shows: a press is lost if its parts are replaced in the middle of it
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
    filled = [];
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
    // `hints` is {state, answer}; `canDrop` says whether a disc can be dropped now; `owners` are the players' discs in words,
    // such as yours and Hard's.
    show(game, ply, hints, canDrop, owners = ['red', 'yellow']) {
      if (buttons.length !== game.width) make(game.width);
      const open = openColumns(game, ply);
      const { cells } = positionAfter(game, ply);
      host.classList.toggle('with-hints', hints.state !== 'off');
      buttons.forEach((each, column) => {
        const isOpen = open.includes(column);
        const hint = hints.answer && isOpen ? hintOf(hints.answer, column) : null;
        const shown = { waiting: hints.state === 'waiting' && isOpen, content: contentWords(cells[column], game.height, owners) };
        const key = JSON.stringify([hint, shown]);
        if (filled[column] !== key) fill(each, column, hint, shown);
        filled[column] = key;
        const classes = ['column', hint ? `is-${hint.kind}` : '', hint?.isBest ? 'is-best' : ''];
        each.className = classes.filter(Boolean).join(' ');
        each.setAttribute('aria-disabled', String(!canDrop || !isOpen));
      });
    },
  };
}
