// Sentences about a game: whose turn it is or how it ended, the last move, and the state of the scores.
import { columnName, moverOf, resultAfter } from './game.js';
import { isPerson, namesOf, says } from './seats.js';

const DOES = { thinks: 'is thinking\u2026', queues: 'is in the queue\u2026', waits: 'is to move' };

// {title, player}: the player's disc is shown beside the text. `state` is what a player is doing: a key of DOES, or empty.
export function turnWords(setup, game, ply, state) {
  const { over, winner } = resultAfter(game, ply);
  const player = winner ?? moverOf(game, ply);
  const name = namesOf(setup)[player - 1];
  if (winner) return { title: name === 'You' ? 'You win!' : says(name, 'win'), player };
  if (over) return { title: 'It\u2019s a draw', player: null };
  if (state && !isPerson(setup, player)) return { title: `${name} ${DOES[state]}`, player };
  return { title: name === 'You' ? 'Your turn' : `${name}\u2019s turn`, player };
}

export function lastMoveWords(names, game, ply) {
  if (!ply) return game.start ? 'The position that was set up.' : 'Empty board.';
  return `${says(names[moverOf(game, ply - 1) - 1], 'play')} ${columnName(game.columns[ply - 1])}.`;
}

// "You win in 12 moves", "Hard loses in 1 move": the server's verdict as a sentence; empty if there is none.
export function verdictWords(verdict, name) {
  return verdict ? `${name} ${name === 'You' ? verdict.replace(/s( |$)/, '$1') : verdict}` : '';
}

// What is said if there are no scores.
export function hintWords({ state, message = undefined }) {
  const texts = {
    waiting: 'Working out exact scores\u2026',
    guess: 'This board is too big to work out in time. \u201cGuess\u201d marks the column that looks best.',
    failed: message,
  };
  return texts[state] ?? '';
}

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export const fullWords = (column) => `${capital(columnName(column))} is full.`;
