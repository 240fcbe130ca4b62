// A game as plain values: whose turn it is, how it ended, its move string and the request for a move.
//
// A game is what board.js draws: {width, height, first, columns}, 0-based columns.
import './board.js';

const { COLUMN_NAMES: MOVE_SIGNS, moverOf, positionAfter } = globalThis.Connect4Board;

export const USUAL = { width: 7, height: 6 };
export { MOVE_SIGNS, moverOf, positionAfter };

export function newGame(width, height, first) {
  return { width, height, first, columns: [] };
}

// The columns that are not full after `ply` moves; none once somebody has won.
export function openColumns(game, ply) {
  const { cells, lines } = positionAfter(game, ply);
  if (lines.length) return [];
  return cells.flatMap((discs, column) => (discs.length < game.height ? [column] : []));
}

// {over, winner}: the winner is null for a draw and in an unfinished game.
export function resultAfter(game, ply) {
  const { last, lines } = positionAfter(game, ply);
  if (lines.length) return { over: true, winner: last.player };
  return { over: !openColumns(game, ply).length, winner: null };
}

// The game cut after its first `ply` moves, with one move added.
export function withMove(game, ply, column) {
  return { ...game, columns: [...game.columns.slice(0, ply), column] };
}

export function movesText(columns) {
  return columns.map((column) => MOVE_SIGNS[column]).join('');
}

// The columns of a move string such as 4453, played from the empty board or from `start`. Throws an Error that says
// what cannot be played.
export function readMoves(text, width, height, first, start = null) {
  let game = { ...newGame(width, height, first), start };
  [...text].forEach((sign, index) => {
    const column = MOVE_SIGNS.indexOf(sign.toLowerCase());
    const place = `move ${index + 1} of “${text.length > 80 ? `${text.slice(0, 80)}…` : text}”`;
    if (column < 0 || column >= width) {
      throw new Error(`${place} is “${sign}”; the columns are 1 to ${MOVE_SIGNS[width - 1]}`);
    }
    if (resultAfter(game, index).over) throw new Error(`the game was over before ${place}`);
    if (!openColumns(game, index).includes(column)) throw new Error(`${place}: column ${sign} is full`);
    game = withMove(game, index, column);
  });
  return game.columns;
}

// The line protocol's request for the position after `ply` moves: columns from left to right, cells from the top.
export function requestOf(game, ply) {
  const { cells } = positionAfter(game, ply);
  const grid = cells.map((discs) => [...Array(game.height - discs.length).fill(0), ...[...discs].reverse()]);
  return { grid, height: game.height, width: game.width, player: moverOf(game, ply) };
}

// "column 4", "column c": what people call a 0-based column.
export const columnName = (column) => `column ${MOVE_SIGNS[column]}`;
