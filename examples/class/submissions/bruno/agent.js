// Plays the open column with the fewest discs.
'use strict';

const lines = require('node:readline').createInterface({ input: process.stdin });

lines.on('line', (line) => {
  const empty = JSON.parse(line).grid.map((cells) => cells.filter((cell) => cell === 0).length);
  console.log(JSON.stringify({ move: empty.indexOf(Math.max(...empty)) }));
});
