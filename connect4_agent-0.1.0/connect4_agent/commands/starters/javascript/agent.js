// Talks to the manager: a request in each line, a move in each answer. The thinking is in strategy.js.
'use strict';
const readline = require('node:readline');
const { choose } = require('./strategy.js');

// Who is to move: as the request says, or else the command line, or else the discs on the board.
function playerOf(request) {
  if (request.player !== undefined) return request.player;
  // --player 1 --width 7 --height 6, or 1 1 7 7 6 6
  const word = process.argv.slice(2).find((each) => each === '1' || each === '2');
  if (word !== undefined) return Number(word);
  const count = (player) => request.grid.flat().filter((cell) => cell === player).length;
  return count(2) < count(1) ? 2 : 1;
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const text = line.trim(); // also removes a byte order mark
  if (text === '') return;
  let reply;
  try {
    const request = JSON.parse(text);
    reply = { move: choose(request.grid, playerOf(request)) };
  } catch (error) { // a bad request, or a mistake in the strategy, should cost one answer, not the game
    console.error(error);
    reply = { error: String(error) };
  }
  // Only answers go to standard output; print anything else with console.error.
  process.stdout.write(`${JSON.stringify(reply)}\n`);
});
