// Answers each Connect Four request on stdin with a random open column.
//
// Usage: node random-agent.js [--seed N]
// Other arguments are ignored, since some managers add their own.
'use strict';
const { parseArgs } = require('node:util');

const { seed } = parseArgs({ options: { seed: { type: 'string' } }, strict: false }).values;
if (seed !== undefined && !/^\d{1,9}$/.test(seed)) {
  console.error(`random-agent.js: --seed is ${JSON.stringify(seed)}; allowed: 0 to 999999999`);
  process.exit(2);
}
const random = seed === undefined ? Math.random : seededRandom(Number(seed));

// Linear congruential generator with the constants of Numerical Recipes. The first
// multiplication spreads small seeds, which would otherwise begin with the same column.
function seededRandom(number) {
  let state = Math.imul(number, 0x9e3779b9);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// Cells run from top to bottom, so a disc above an empty cell would float.
function isColumn(cells, height) {
  return Array.isArray(cells) && cells.length === height && height > 0
    && cells.every((cell) => cell === 0 || cell === 1 || cell === 2)
    && cells.lastIndexOf(0) < cells.concat(1).findIndex((cell) => cell !== 0);
}

function answer(text) {
  let request;
  try {
    request = JSON.parse(text);
  } catch (problem) {
    return { error: `not JSON: ${problem.message}`, code: 'bad_json' };
  }
  const grid = request?.grid;
  const readable = Array.isArray(grid) && grid.length > 0
    && grid.every((cells) => isColumn(cells, grid[0]?.length));
  if (!readable) {
    const error = '"grid" must be a list of equally long columns of 0, 1 and 2 without gaps';
    return { error, code: 'bad_grid' };
  }
  const open = [...grid.keys()].filter((column) => grid[column][0] === 0);
  if (open.length === 0) return { error: 'no column is open', code: 'board_full' };
  return { move: open[Math.floor(random() * open.length)] };
}

function reply(line) {
  const text = line.trim(); // also takes away a carriage return and a byte order mark
  if (text !== '') process.stdout.write(`${JSON.stringify(answer(text))}\n`);
}

let pending = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop();
  lines.forEach(reply);
});
process.stdin.on('end', () => reply(pending));
process.stdout.on('error', () => process.exit(0)); // the reader has gone
