// Keys, mouse and fingers on the board.
import { MOVE_SIGNS } from './game.js';
import { byId } from './page.js';

function isTyping(target) {
  return target.closest('input:not([type="checkbox"], [type="radio"]), select, textarea, dialog') !== null;
}

// The keys of a page that steps through games: `arrow(key)` returns whether it handled the key.
export function listenToSteps(arrow) {
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target) || event.target.type === 'radio') return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('[data-own-arrows]')) return;
    if (arrow(event.key)) event.preventDefault();
  });
}

// `drop(column)`, `undo()` and `redo()` handle the keys; `width()` is the number of columns. `others` are more keys, which
// columns of the same name go before.
export function listenToKeys({ width, drop, undo, redo, others = {} }) {
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) redo();
      else undo();
      return;
    }
    const column = key.length === 1 ? MOVE_SIGNS.indexOf(key) : -1;
    const isColumn = column >= 0 && column < width();
    if (!isColumn && !Object.hasOwn(others, key)) return;
    event.preventDefault();
    if (isColumn) drop(column);
    else others[key]();
  });
}

// `point(column)` follows the mouse; `rest()` is called when it leaves.
export function listenToPointer(board, { drop, point, rest }) {
  const host = byId('board');
  host.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'mouse') point(board.columnAt(event.clientX));
  });
  host.addEventListener('pointerleave', rest);
  host.addEventListener('click', (event) => {
    const column = board.columnAt(event.clientX);
    if (column !== null) drop(column);
  });
}
