// What the page says of a game: whose turn it is or how it ended, the last move, and what is known of the columns.
import { moverOf, resultAfter } from './game.js';
import { isPerson, namesOf, says, turnOf } from './seats.js';

// {text, player}: the player's sign stands beside the text. `state` says what a player does: thinks, waits, or nothing.
export function turnWords(setup, game, ply, state) {
  const { over, winner } = resultAfter(game, ply);
  const player = winner ?? moverOf(game, ply);
  const name = namesOf(setup)[player - 1];
  if (winner) return { text: says(name, 'win'), player };
  if (over) return { text: 'A draw', player: null };
  if (state === 'thinks') return { text: `${name} is thinking\u2026`, player };
  if (state === 'waits' && !isPerson(setup, player)) return { text: `${name} is to move`, player };
  return { text: turnOf(name), player };
}

export function lastMoveWords(setup, game, ply) {
  if (!ply) return 'Empty board.';
  const name = namesOf(setup)[moverOf(game, ply - 1) - 1];
  const place = ply === game.columns.length ? `Move ${ply}` : `Move ${ply} of ${game.columns.length}`;
  const { over, winner } = resultAfter(game, ply);
  const end = winner ? ': four in a row' : over ? ': the board is full' : '';
  return `${place}: ${says(name, 'play')} column ${game.columns[ply - 1] + 1}${end}.`;
}

export function hintWords({ state, message }) {
  const texts = {
    waiting: 'Working out exact scores\u2026',
    guess: 'Best effort: not all scores could be proven in time. A best guess is what a search likes best.',
    failed: message,
  };
  return texts[state] ?? '';
}

// "column 4", "column 3 or 4", "column 1, 3 or 4": 0-based columns in a sentence.
export function columnWords(columns) {
  const numbers = columns.map((column) => column + 1).sort((one, two) => one - two);
  const last = numbers.pop();
  return `column ${numbers.length ? `${numbers.join(', ')} or ${last}` : last}`;
}
