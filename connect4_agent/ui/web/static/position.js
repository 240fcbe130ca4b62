// A position that somebody sets up, cell by cell: discs obey gravity, and what cannot have come about is explained.
//
// It is a list of columns, each the players of its discs from the bottom.
import './board.js';
import { COLOURS } from './page.js';

const countOf = (cells, player) => cells.flat().filter((disc) => disc === player).length;

// The player who has to move, if the numbers of discs leave no choice; null if both may.
export function forcedMover(cells) {
  const more = countOf(cells, 1) - countOf(cells, 2);
  return more === 1 ? 2 : more === -1 ? 1 : null;
}

function hasFour(cells, player) {
  return cells.some((discs, column) => discs.some((disc, row) => disc === player
    && globalThis.Connect4Board.finishedLines(cells, { column, row, player }).length > 0));
}

// Why nothing can be played from here, as a sentence; empty if somebody can play.
export function flawOf({ start, width, height }, first) {
  const counts = [1, 2].map((player) => countOf(start, player));
  const most = counts[0] > counts[1] ? 1 : 2;
  const more = Math.abs(counts[0] - counts[1]);
  if (more > 1) {
    return `${COLOURS[most - 1]} has ${more} discs more than ${COLOURS[2 - most]}; 1 is allowed.`;
  }
  const winners = [1, 2].filter((player) => hasFour(start, player));
  if (winners.length === 2) return 'Both have four in a row, but the game ends with the first four.';
  if (winners.length) return `${COLOURS[winners[0] - 1]} already has four in a row, so the game is over.`;
  if (counts[0] + counts[1] === width * height) return 'The board is full, so the game is over.';
  const mover = forcedMover(start);
  if (mover && mover !== first) return `${COLOURS[2 - mover]} has one disc more, so it is ${COLOURS[mover - 1]}\u2019s turn.`;
  return '';
}

// The position after one press on a cell, {cells, row}: a disc of the brush falls onto the column, or replaces the one that
// is there; the same disc again, or brush 0, takes it away, and those above it fall down.
export function brushed(cells, column, row, brush) {
  const discs = [...cells[column]];
  const at = Math.min(row, discs.length);
  if (at === discs.length) {
    if (brush) discs.push(brush);
  } else if (brush && discs[at] !== brush) discs[at] = brush;
  else discs.splice(at, 1);
  return { cells: cells.map((each, index) => (index === column ? discs : each)), row: at };
}
