// Finished games with mistakes of the person, kept in this browser to make puzzles of them.
import { keep, recall } from './page.js';

const NAME = 'games';
const MAX_KEPT = 20;

// A game is {width, height, first, columns, player}: `player` is the person.
export function myGames() {
  const found = recall(NAME, []);
  return Array.isArray(found) ? found.filter((each) => Array.isArray(each?.columns)) : [];
}

export function keepMyGame(game) {
  const text = JSON.stringify(game);
  const others = myGames().filter((each) => JSON.stringify(each) !== text);
  keep(NAME, [game, ...others].slice(0, MAX_KEPT));
}
