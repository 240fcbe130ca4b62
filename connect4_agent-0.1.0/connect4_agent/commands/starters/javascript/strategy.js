// Chooses a column. This is the file to improve.
//
// A grid is a list of columns from left to right, each a list of cells from top to bottom: 0 is empty, 1 and 2 are
// discs.
'use strict';

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

// Win if possible, otherwise stop the opponent from winning, otherwise play near the centre.
function choose(grid, player) {
  const columns = openColumns(grid);
  if (columns.length === 0) throw new Error('no column is open');
  for (const who of [player, 3 - player]) {
    for (const column of columns) {
      if (hasFour(drop(grid, column, who), who)) return column;
    }
  }
  return columns[0];
}

// The columns that are not full, counted from 0, the nearest to the centre first.
function openColumns(grid) {
  const centre = (grid.length - 1) / 2;
  const columns = [...grid.keys()].filter((column) => grid[column][0] === 0);
  return columns.sort((a, b) => Math.abs(a - centre) - Math.abs(b - centre));
}

// The grid with one more disc in this column, which must not be full.
function drop(grid, column, player) {
  const after = grid.map((cells) => [...cells]);
  after[column][grid[column].lastIndexOf(0)] = player;
  return after;
}

// Whether this player has four in a row.
function hasFour(grid, player) {
  const isOwn = (x, y) => grid[x]?.[y] === player;
  return grid.some((cells, x) => cells.some((_, y) => DIRECTIONS.some(
    ([dx, dy]) => [0, 1, 2, 3].every((step) => isOwn(x + step * dx, y + step * dy)),
  )));
}

module.exports = { choose, openColumns, drop, hasFour };
