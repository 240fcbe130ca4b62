// Keys, mouse and fingers on the board.
import { MOVE_SIGNS } from './game.js';
import { byId } from './page.js';

export function isTyping(target) {
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

// `drop(column)`, `undo()` and `redo()` handle the keys; `width()` is the number of columns.
export function listenToKeys({ width, drop, undo, redo }) {
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
    if (column < 0 || column >= width()) return;
    event.preventDefault();
    drop(column);
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
