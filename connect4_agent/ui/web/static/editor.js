// Setting up a position: a button over every cell of the board, and whose turn it is.
import { MOVE_SIGNS } from './game.js';
import { byId, node, whenPressed } from './page.js';
import { brushed, flawOf, forcedMover } from './position.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const CONTENTS = ['empty', 'red', 'yellow'];

// `changed(setup, first, words)` is called for every change, with what to say about it, `done(setup, first)` at the end, and `left()` if nothing is to change.
export function createEditor({ changed, done, left }) {
  const host = byId('cells');
  /** @type {any[]} */
  const turns = [...document.querySelectorAll('input[name="turn"]')];
  let setup = null; // {width, height, start} while a position is being set up
  let first = 1; // the player to move
  let chosen = 1; // who moves if the discs leave the choice
  let cursor = [0, 0]; // column and row
  let buttons = []; // by column and row

  const nameOf = (column, row) => `Column ${MOVE_SIGNS[column]}, row ${row + 1}: ${CONTENTS[setup.start[column][row] ?? 0]}`;

  function show() {
    const forced = forcedMover(setup.start);
    first = forced ?? chosen;
    for (const turn of turns) {
      turn.checked = Number(turn.value) === first;
      turn.disabled = forced !== null && Number(turn.value) !== forced;
    }
    buttons.forEach((each, column) => each.forEach((cell, row) => {
      cell.setAttribute('aria-label', nameOf(column, row));
      cell.tabIndex = cursor[0] === column && cursor[1] === row ? 0 : -1;
    }));
    const flaw = flawOf(setup, first);
    byId('done').disabled = flaw !== '';
    changed(setup, first, flaw, `${nameOf(...cursor)}.`);
  }

  function move(column, row) {
    cursor = [Math.max(0, Math.min(setup.width - 1, column)), Math.max(0, Math.min(setup.height - 1, row))];
    show();
    buttons[cursor[0]][cursor[1]].focus({ preventScroll: true });
  }

  function press(column, row) {
    const brush = Number(/** @type {HTMLInputElement} */ (document.querySelector('input[name="brush"]:checked')).value);
    const after = brushed(setup.start, column, row, brush);
    setup = { ...setup, start: after.cells };
    cursor = [column, Math.min(after.row, setup.height - 1)];
    show();
    buttons[cursor[0]][cursor[1]].focus({ preventScroll: true });
  }

  function make() {
    const cell = (column, row) => {
      const made = node('button', { type: 'button' });
      made.addEventListener('click', () => press(column, row));
      return made;
    };
    buttons = Array.from({ length: setup.width }, (_, column) => Array.from({ length: setup.height }, (__, row) => cell(column, row)));
    const rows = Array.from({ length: setup.height }, (_, index) => setup.height - 1 - index);
    host.replaceChildren(...rows.flatMap((row) => buttons.map((column) => column[row])));
  }

  function close() {
    setup = null;
    host.hidden = byId('editing').hidden = true;
    byId('analysis').hidden = false;
    document.body.classList.remove('is-editing');
  }

  host.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (event.key === 'Escape') byId('cancel').click();
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(cursor[0] + step[0], cursor[1] + step[1]);
  });
  for (const turn of turns) turn.addEventListener('change', () => { chosen = Number(turn.value); show(); });
  whenPressed({
    clear() { setup = { ...setup, start: setup.start.map(() => []) }; show(); },
    cancel() { close(); left(); },
    done() {
      const [wanted, mover] = [setup, first];
      close();
      done(wanted, mover);
    },
  });

  return {
    get isOpen() { return setup !== null; },
    open(wanted, mover) {
      [setup, chosen] = [wanted, forcedMover(wanted.start) ? 1 : mover];
      cursor = [Math.floor((setup.width - 1) / 2), 0];
      make();
      host.hidden = byId('editing').hidden = false;
      byId('analysis').hidden = true;
      document.body.classList.add('is-editing');
      move(...cursor);
    },
    close,
  };
}
