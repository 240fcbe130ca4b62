// What stands around the board: whose turn it is, the last move or a lesson, who wins with best play, and the buttons
// that fit the moment.
import { momentsWords } from './moments.js';
import { byId, sign } from './page.js';
import { isPerson, peopleCount } from './seats.js';
import { analysedStanding, judgedStanding, standingWords } from './standing.js';
import { hintWords } from './words.js';

// `status` is {text, player}, `detail` the sentence below it, in words or nodes.
export function showStatus({ status, isOver, isReview, detail, isRefused }) {
  byId('turn').replaceChildren(...(status.player ? [sign(status.player)] : []), status.text);
  byId('turn').classList.toggle('is-over', isOver);
  document.title = `${status.text} \u00b7 Connect Four`;
  byId('detail').replaceChildren(...[detail].flat());
  byId('detail').classList.toggle('refused', isRefused);
  byId('play').classList.toggle('is-review', isReview);
}

// The button to the moments of a game against a player, or to the person's mistake that is shown.
export function showLook({ setup, viewer, isReview, judged, mistake }) {
  const isOwn = mistake !== undefined && mistake.isGrave && isPerson(setup, mistake.player);
  const moments = judged.players[viewer - 1]?.moments;
  byId('lesson').hidden = !isReview || !(isOwn || peopleCount(setup) === 1);
  byId('look').disabled = !(isOwn || moments?.length);
  byId('look').textContent = isOwn ? 'Can you find better?' : !moments ? 'Looking at your moves\u2026'
    : moments.length ? momentsWords(moments) : 'You overlooked nothing';
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
