// What is beside the board on Play: who plays, the one sentence, and the buttons that fit the moment.
import { moverOf } from './game.js';
import { dotsOf, levelOf } from './ladder.js';
import { COLOURS, button, byId, node, showParts, sign, unseen } from './page.js';
import { say } from './say.js';
import { isPerson, titleOf } from './seats.js';
import { streak } from './streak.js';
import { reasonNodes } from './why.js';
import { hintWords, verdictWords } from './words.js';

// "You, yellow. Level 4 of 10", with the dots of the level.
export function showPlayers({ setup, names, offered }) {
  const order = isPerson(setup, 2) && !isPerson(setup, 1) ? [2, 1] : [1, 2];
  byId('players').replaceChildren(...order.map((player) => {
    const level = levelOf(setup.seats[player - 1]);
    const dots = level ? [dotsOf(level + (offered?.isUp ? 1 : 0))] : [];
    return node('span', {}, sign(player), names[player - 1], unseen(` plays ${COLOURS[player - 1].toLowerCase()}.`), ...dots);
  }));
}

// The result with perfect play, while it may be known: with the analysis on, or in a finished game.
function verdictNow({ game, ply, names, judged, found, isHinted, isReview }) {
  const known = judged.moves.length ? judged.moves[ply]?.verdict_before : isHinted || isReview ? found.answer?.verdict : '';
  return verdictWords(known, names[moverOf(game, ply) - 1]);
}

// What a finished game leaves to be said: the next level, why it was lost, or praise.
function endWords({ viewer, judged, offered, people, isMine, names }) {
  if (people !== 1) return [];
  const offer = !offered ? '' : offered.isUp ? `Two in a row: ${titleOf(offered.seat)} is yours.`
    : `${names[2 - viewer]} is a hard nut. Would you like to try ${titleOf(offered.seat)}?`;
  const lesson = isMine ? judged.players[viewer - 1]?.summary ?? [] : [];
  return [...reasonNodes(lesson), ' ', offer];
}

function emptyWords({ isWelcome, plan, viewer }) {
  if (isWelcome) return 'Drop discs. Across, up or slanted.';
  if (!plan) return 'Get four in a row: across, up or slanted.';
  return `You are ${COLOURS[viewer - 1]}. ${COLOURS[2 - viewer]} follows its plan, whatever you do. Can you beat it?`;
}

// The sentence, and a button for why it is so.
function wordsNow(shown) {
  const { game, ply, found, lesson, advice, reason, over, isHinted, plan } = shown;
  if (advice) return [reasonNodes(advice.words)];
  const beat = reason.plan ? [{ label: `Try to beat ${COLOURS[reason.plan.player - 1]}\u2019s plan`, run: () => shown.tryPlan(reason.plan) }] : [];
  if (reason.words) return [reason.words, beat];
  if (lesson) return [lesson.words];
  if (over) return [endWords(shown)];
  const verdict = verdictNow(shown);
  if (isHinted || shown.isReview) return [verdict ? `${verdict} with best play.` : hintWords(found)];
  return [!ply || plan?.from === ply || (!game.columns.length) ? emptyWords(shown) : ''];
}

export function showSentence(shown) {
  const { turn, ply, notice, over, isHinted, isReview, found, isWelcome, game } = shown;
  const [words, buttons = []] = notice ? [notice.words, notice.buttons ?? []] : wordsNow(shown);
  const canAsk = !notice && !over && (isHinted || isReview) && (found.answer || isReview);
  const title = isWelcome ? 'Get four in a row' : isReview && ply < game.columns.length ? `Move ${ply} of ${game.columns.length}` : turn.title;
  const isPersons = turn.player !== null && isPerson(shown.setup, turn.player);
  say({
    title, player: isWelcome || (isReview && ply < game.columns.length) ? null : turn.player, words: [words].flat().concat(canAsk && !shown.reason.words
      ? [' ', button({ class: 'link', text: 'Why?', id: 'why-link' }, shown.toggleWhy)] : []),
    kind: notice?.kind ?? (over && isPersons ? 'right' : ''), spoken: shown.spoken, isBig: over || isWelcome,
    buttons: [...buttons, ...(!notice && found.state === 'failed' ? [{ label: 'Try again', run: shown.retry }] : [])],
  });
}

// One button is blue: the next game. Steps, moves, the curve and mistakes come when the game is over.
export function showButtons({
  game, over, isReview, isWelcome, people, isWaiting, isRunning, plan, offered, canDrop, canUndo, advice, moments, isLive, notice,
}) {
  const isEnd = over || isReview;
  showParts({
    welcome: isWelcome,
    actions: !isWelcome && !isEnd && !notice?.buttons,
    ended: isEnd && !notice?.buttons,
    moments: false,
    rows: true,
    'play-level': offered !== null && !offered.isUp,
    go: !people || isWaiting,
    undo: people > 0,
    'undo-end': people > 0 && isLive,
    hint: people > 0 && !isWaiting,
    look: isEnd,
    'to-learn': isWelcome,
    'to-puzzle': isWelcome || isEnd || !game.columns.length,
    review: isReview || !isLive,
    curve: isReview,
    mistakes: isReview,
  });
  const nextLevel = offered ? `Play ${titleOf(offered.seat)}` : 'Play again';
  byId('play-level').textContent = nextLevel;
  byId('play-again').textContent = plan ? 'Try again' : offered?.isUp ? nextLevel : 'Play again';
  byId('go').textContent = isRunning ? 'Pause' : 'Continue';
  byId('undo').disabled = !canUndo;
  byId('hint').disabled = !canDrop;
  byId('hint').textContent = advice ? `Hint\u00a0${advice.step}/3` : 'Hint';
  const count = moments.length;
  byId('look').textContent = count ? `${count} thing${count === 1 ? '' : 's'} to learn` : 'Analyse this game';
  const { days, isSolvedToday } = streak.now;
  const streakWords = days ? `${days} day${days === 1 ? '' : 's'} \u00b7 today` : 'Today';
  byId('to-puzzle').textContent = `${streakWords}\u2019s puzzle${isSolvedToday ? ' is solved' : ''}`;
}
