// The page's sentences about a game: whose turn it is or how it ended, the last move, and the state of the hints.
import { MOVE_SIGNS, columnName, moverOf, resultAfter } from './game.js';
import { isPerson, namesOf, says, turnOf } from './seats.js';

const DOES = { thinks: 'is thinking\u2026', queues: 'is in the queue\u2026', waits: 'is to move' };

// {text, player}: the player's disc is shown beside the text. `state` is what a player is doing: a key of DOES, or empty.
export function turnWords(setup, game, ply, state) {
  const { over, winner } = resultAfter(game, ply);
  const player = winner ?? moverOf(game, ply);
  const name = namesOf(setup)[player - 1];
  if (winner) return { text: says(name, 'win'), player };
  if (over) return { text: 'It\u2019s a draw', player: null };
  if (state && !isPerson(setup, player)) return { text: `${name} ${DOES[state]}`, player };
  return { text: turnOf(name), player };
}

export function lastMoveWords(setup, game, ply) {
  if (!ply) return game.start ? 'The position that was set up.' : 'Empty board.';
  const name = namesOf(setup)[moverOf(game, ply - 1) - 1];
  const place = ply === game.columns.length ? `Move ${ply}` : `Move ${ply} of ${game.columns.length}`;
  const { over, winner } = resultAfter(game, ply);
  const end = winner ? ': four in a row' : over ? ': the board is full' : '';
  return `${place}: ${says(name, 'play')} ${columnName(game.columns[ply - 1])}${end}.`;
}

export function hintWords({ state, message }) {
  const texts = {
    waiting: 'Working out exact scores\u2026',
    guess: 'This board is too big to work out in time. \u201cGuess\u201d marks the column that looks best.',
    failed: message,
  };
  return texts[state] ?? '';
}

// "column 4", "column 3 or 4", "column 1, 3 or 4": 0-based columns in a sentence.
export function columnWords(columns) {
  const names = [...columns].sort((one, two) => one - two).map((column) => MOVE_SIGNS[column]);
  const last = names.pop();
  return `column ${names.length ? `${names.join(', ')} or ${last}` : last}`;
}
