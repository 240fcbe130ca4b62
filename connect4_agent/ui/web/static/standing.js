// The standing of a position: who wins with best play and how soon, as a number to draw and in words.
import { moverOf, resultAfter } from './game.js';
import { says } from './seats.js';

const LEAST = 0.3; // how far from the middle even the most distant win is drawn

// From -1 (player 2 has won) to 1 (player 1 has won); `left` is the number of discs that the winner still plays.
function advantageOf(game, winner, left) {
  if (winner === null) return 0;
  const most = Math.ceil((game.width * game.height) / 2);
  const size = LEAST + (1 - LEAST) * (1 - Math.min(left, most) / most);
  return winner === 1 ? size : -size;
}

function finished(game, ply) {
  const { over, winner } = resultAfter(game, ply);
  return over ? { advantage: advantageOf(game, winner, 0), mover: winner, verb: '', left: 0 } : null;
}

function standing(game, mover, score, left) {
  const winner = score === 0 ? null : score > 0 ? mover : 3 - mover;
  return { advantage: advantageOf(game, winner, left), mover, verb: score > 0 ? 'win' : score < 0 ? 'lose' : 'draw', left };
}

// The standing after `ply` moves, from the judged moves; null if it is not known.
export function judgedStanding(game, ply, judged) {
  const over = finished(game, ply);
  if (over) return over;
  const next = judged[ply];
  if (next) {
    if (next.score_before === null) return null;
    return standing(game, moverOf(game, ply), next.score_before, next.moves_to_end_before);
  }
  const last = judged[ply - 1];
  if (!last || last.score === null) return null;
  // The count is for the position before the move, so it includes the move's own disc.
  const left = last.score > 0 ? last.moves_to_end - 1 : last.moves_to_end;
  return { ...standing(game, moverOf(game, ply - 1), last.score, left), verb: '' };
}

// The standing of a position, from its analysis; null if that was not finished.
export function analysedStanding(game, ply, answer) {
  const over = finished(game, ply);
  if (over) return over;
  if (!answer || answer.score === null) return null;
  return standing(game, moverOf(game, ply), answer.score, answer.moves_to_end[answer.best[0]]);
}

// "You win in 12 moves", "Hard loses in 1 move": a standing as a sentence; empty after the last move.
export function standingWords({ mover, verb, left }, names) {
  if (!verb) return '';
  const when = verb === 'draw' ? '' : ` in ${left} move${left === 1 ? '' : 's'}`;
  return `${says(names[mover - 1], verb)}${when}`;
}
