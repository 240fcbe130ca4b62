// The board that all views share, with its columns and its keys. What is pressed goes to the view that is shown:
//
//     drop(column)      a disc; canDrop() says whether one can be dropped now
//     keys              what other keys do, by their names
//     arrow(key)        arrow keys, Home and End; returns whether it was handled (otherwise they choose a column)
//     undo(), redo()    Ctrl+Z and Ctrl+Y
//     landed()          a disc has landed
//     pointed(column)   the mouse or the focus is on a column, or on none
//     isEditing()       keys belong to something else
import './board.js';
import { createColumns } from './columns.js';
import { MOVE_SIGNS } from './game.js';
import { byId } from './page.js';

let view = null;
let width = 7;

export const board = globalThis.Connect4Board.create(byId('board'), { labels: false, landed: () => view.landed?.() });
export const columns = createColumns(byId('columns'), { play: (column) => view.drop(column), point });

export function useView(wanted) {
  view = wanted;
}

function point(column) {
  board.point(column !== null && view.canDrop() ? column : null);
  view.pointed?.(column);
}

// Tells the style sheet how many columns and rows the board has to fit, and whether scores are below it.
export function fitBoard(game, hasScores = false) {
  width = game.width;
  const { style, classList } = document.body;
  style.setProperty('--columns', String(game.width));
  style.setProperty('--rows', String(game.height));
  classList.toggle('has-scores', hasScores);
}

/**
 * Draws a position. `hints` are the scores below it, as in hints.js; `owners` are the players' discs in words.
 * @type {(game: any, ply: number, shown?: Record<string, any>) => void}
 */
export function draw(game, ply, { drop = false, marks = null, lit = [], hints = { state: 'off' }, owners = undefined } = {}) {
  fitBoard(game, hints.state !== 'off');
  board.show(game, ply, { drop, marks });
  if (drop) board.reveal();
  board.light(lit);
  columns.show(game, ply, hints, view.canDrop(), owners);
  board.point(columns.focused() !== null && view.canDrop() ? columns.focused() : null);
}

function isTyping(target) {
  return target.closest('input:not([type="checkbox"], [type="radio"]), select, textarea, dialog') !== null;
}

function isHandled(event) {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'z' && key !== 'y') return false;
    if (key === 'y' || event.shiftKey) view.redo?.();
    else view.undo?.();
    return true;
  }
  if (['arrowleft', 'arrowright', 'home', 'end'].includes(key)) {
    if (event.target.closest('[data-own-arrows]') || event.target.type === 'radio') return false;
    return view.arrow?.(event.key) ?? columns.key(event.key);
  }
  const column = key.length === 1 ? MOVE_SIGNS.indexOf(key) : -1;
  if (column >= 0 && column < width) view.drop(column);
  else if (Object.hasOwn(view.keys, key)) view.keys[key]();
  else return false;
  return true;
}

document.addEventListener('keydown', (event) => {
  if (event.altKey || isTyping(event.target) || view.isEditing?.()) return;
  if (isHandled(event)) event.preventDefault();
});

const host = byId('board');
host.addEventListener('pointermove', (event) => {
  if (event.pointerType === 'mouse') point(board.columnAt(event.clientX));
});
host.addEventListener('pointerleave', () => point(columns.focused()));
host.addEventListener('click', (event) => {
  const column = board.columnAt(event.clientX);
  if (column !== null && !view.isEditing?.()) view.drop(column);
});
