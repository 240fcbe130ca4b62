// What stands around the board: whose turn it is, the last move or a lesson, who wins with best play, and the buttons
// that fit the moment.
import { momentsWords } from './moments.js';
import { byId, sign } from './page.js';
import { isPerson, peopleCount, titleOf } from './seats.js';
import { analysedStanding, judgedStanding, standingWords } from './standing.js';
import { hintWords } from './words.js';

// `status` is {text, player}, `detail` the sentence below it, in words or nodes.
export function showStatus({ status, isReview, detail, isRefused }) {
  byId('turn').replaceChildren(...(status.player ? [sign(status.player)] : []), status.text);
  document.title = `${status.text} \u00b7 Connect Four`;
  byId('detail').replaceChildren(...[detail].flat());
  byId('detail').classList.toggle('refused', isRefused);
  byId('play').classList.toggle('is-review', isReview);
}

// The row of buttons that fit the moment. It is never empty, and as high in every state: nothing below it moves.
export function showActions({
  setup, viewer, isOver, isReview, judged, mistake, isRunning, isWaiting, isPlan, mover, offered, isStuck, canUndo,
}) {
  const people = peopleCount(setup);
  const isOwn = mistake !== undefined && mistake.isGrave && isPerson(setup, mistake.player);
  const moments = judged.players[viewer - 1]?.moments;
  const shown = {
    look: isReview && (isOwn || people === 1),
    go: !isOver && (!people || isWaiting),
    step: !isOver && !people,
    'play-level': isOver && offered !== null && !offered.isUp,
    'play-again': isOver,
    undo: !isOver && !isReview && people > 0,
    hint: !isOver && people > 0 && !isWaiting,
  };
  for (const [id, isShown] of Object.entries(shown)) byId(id).hidden = !isShown;
  byId('look').disabled = !(isOwn || moments?.length);
  byId('look').textContent = isOwn ? 'Can you find better?' : !moments ? 'Looking at your moves\u2026'
    : moments.length ? momentsWords(moments) : 'You overlooked nothing';
  byId('go').textContent = people ? `Let ${mover} move` : isRunning ? 'Pause' : 'Continue';
  const nextLevel = offered ? `Play ${titleOf(offered.seat)}` : 'Play again';
  byId('play-level').textContent = nextLevel;
  byId('play-again').textContent = isPlan ? 'Try again' : offered?.isUp ? nextLevel : 'Play again';
  byId('play-again').classList.toggle('strong', byId('look').hidden || byId('look').disabled); // one strong button is enough
  byId('undo').disabled = !canUndo;
  byId('hint').disabled = isStuck;
}

// The evaluation, if hints are on or the game is under review: playing without hints gives nothing away.
export function showStanding(bar, { game, ply, names, viewer, status, isOver, isReview, judged, found, isHinted, isWhy, mistake }) {
  const standing = (judged.moves.length ? judgedStanding(game, ply, judged.moves) : null)
    ?? (found.answer ? analysedStanding(game, ply, found.answer) : null)
    ?? (isHinted ? analysedStanding(game, ply, null) : null);
  const words = standing ? standingWords(standing, names) : '';
  byId('bar').hidden = !isHinted && !isReview;
  bar.show(standing, viewer, words || status.text);
  byId('verdict').textContent = words && `${words} if both play perfectly.`;
  byId('hint-note').textContent = isOver ? '' : hintWords(found);
  byId('hint-retry').hidden = found.state !== 'failed';
  byId('hint-line').hidden = !isHinted && (!isReview || isOver);
  byId('why-button').setAttribute('aria-pressed', String(isWhy));
  byId('why-button').hidden = isOver || mistake !== undefined;
}
