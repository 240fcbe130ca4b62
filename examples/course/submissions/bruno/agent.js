// Plays random games after every move that it could make, and takes the one after which it won most often.
const readline = require("node:readline");

const GAMES = 60;
const LINES = [[1, 0], [0, 1], [1, 1], [1, -1]];

function openColumns(grid) {
  return grid.map((_, column) => column).filter((column) => grid[column][0] === 0);
}

// Drops a disc into the grid itself, and says whether that made four in a row.
function drop(grid, column, player) {
  const row = grid[column].lastIndexOf(0);
  grid[column][row] = player;
  return LINES.some(([right, down]) => {
    let length = 1;
    for (const sign of [1, -1]) {
      let c = column + sign * right;
      let r = row + sign * down;
      while (grid[c] !== undefined && grid[c][r] === player) {
        length += 1;
        c += sign * right;
        r += sign * down;
      }
    }
    return length >= 4;
  });
}

// 1 if the player wins after this move, -1 if the opponent does, 0 for a draw; everybody plays at random.
function playOut(grid, column, player) {
  const board = grid.map((cells) => [...cells]);
  let mover = player;
  while (!drop(board, column, mover)) {
    const columns = openColumns(board);
    if (columns.length === 0) return 0;
    column = columns[Math.floor(Math.random() * columns.length)];
    mover = 3 - mover;
  }
  return mover === player ? 1 : -1;
}

function choose(grid, player) {
  let best = -1;
  let bestSum = -Infinity;
  for (const column of openColumns(grid)) {
    let sum = 0;
    for (let game = 0; game < GAMES; game += 1) sum += playOut(grid, column, player);
    if (sum > bestSum) [best, bestSum] = [column, sum];
  }
  return best;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() === "") return;
  const { grid, player } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ move: choose(grid, player) })}\n`);
});
