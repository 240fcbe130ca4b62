// What stands around the board: whose turn it is, the last move or a lesson, who wins with best play, and the buttons
// that fit the moment.
import { lastMistake, nextMistake } from './lesson.js';
import { byId, sign } from './page.js';
import { isPerson } from './seats.js';
import { analysedStanding, judgedStanding, standingWords } from './standing.js';
import { hintWords } from './words.js';

// `status` is {text, player}, `detail` the sentence below it, and `mistake` the one that is shown, if any.
export function showStatus({ setup, ply, status, isOver, isReview, detail, isRefused, mistakes, mistake }) {
  byId('turn').replaceChildren(...(status.player ? [sign(status.player)] : []), status.text);
  byId('turn').classList.toggle('is-over', isOver);
  document.title = `${status.text} \u00b7 Connect Four`;
  byId('detail').textContent = detail;
  byId('detail').classList.toggle('refused', isRefused);
  byId('lesson').hidden = !isReview;
  byId('play').classList.toggle('is-review', isReview);
  byId('mistake-back').disabled = !lastMistake(mistakes, ply);
  byId('mistake-on').disabled = !nextMistake(mistakes, ply);
  byId('try-again').disabled = !mistake || !isPerson(setup, mistake.player);
}

// The one sentence of the classroom: why a disc was refused, what a mistake was, or whose turn it is.
export function sentenceParts({ status, detail, isRefused }, lesson) {
  if (isRefused || lesson) return [detail];
  return [...(status.player ? [sign(status.player)] : []), status.text];
}

// The evaluation, if hints are on or the game is under review: playing without hints gives nothing away.
export function showStanding(bar, { game, ply, names, viewer, status, isOver, isReview, judged, found, isHinted, isWhy, mistake }) {
  const isShown = isHinted || isReview;
  const standing = (judged.moves.length ? judgedStanding(game, ply, judged.moves) : null)
    ?? (found.answer ? analysedStanding(game, ply, found.answer) : null)
    ?? (isHinted ? analysedStanding(game, ply, null) : null);
  const words = standing ? standingWords(standing, names) : '';
  byId('bar').hidden = !isShown;
  bar.show(standing, viewer, words || status.text);
  byId('verdict').textContent = words && `If both play perfectly, ${words.replace(/^You /, 'you ')}.`;
  byId('hint-note').textContent = isOver ? '' : hintWords(found);
  byId('hint-retry').hidden = found.state !== 'failed';
  byId('hint-line').hidden = !isShown;
  byId('why-button').setAttribute('aria-pressed', String(isWhy));
  byId('why-button').hidden = isOver || mistake !== undefined;
}

// The buttons for waiting players: step and pause while watching, otherwise one that lets them move. `mover` is the name
// of the player to move, `isRunning` whether two watched players are moving by themselves.
export function showGoOn({ isWatched, isOver, isRunning, isWaiting, isPlan, mover }) {
  byId('go').hidden = isOver || !(isWatched || isWaiting);
  byId('step').hidden = !isWatched || isOver;
  byId('go').textContent = isWatched ? (isRunning ? 'Pause' : 'Continue') : `Let ${mover} move`;
  byId('watching').hidden = byId('go').hidden && byId('step').hidden;
  byId('again').hidden = !isOver;
  byId('play-again').textContent = isPlan ? 'Try again' : 'Play again';
}
