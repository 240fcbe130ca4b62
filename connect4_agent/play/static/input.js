// Keys, mouse and fingers on the board.
import { MOVE_SIGNS } from './game.js';
import { byId } from './page.js';

function isTyping(target) {
  return target.closest('input:not([type="checkbox"], [type="radio"]), select, textarea') !== null;
}

// Arrow keys belong to the board only there: on buttons, choices and links elsewhere they mean what they always do.
function isAtBoard(target) {
  return target === document.body || (target.closest('.stage') !== null && target.closest('.review') === null);
}

// `drop(column)`, `undo()` and `redo()` do something, `arrow(key)` says whether it was one; `width()` are the columns.
export function listenToKeys({ width, drop, arrow, undo, redo }) {
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
    if (column >= 0 && column < width()) drop(column);
    else if (!isAtBoard(event.target) || !arrow(event.key)) return;
    event.preventDefault();
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
