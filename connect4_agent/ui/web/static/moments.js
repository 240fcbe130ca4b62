// Moments to look at: one's own mistakes, one at a time. A person tries to find better; a right try gets its reason, a
// wrong one is refuted on the board. The game itself stays as it is.
import { analysisAddress } from './address.js';
import { askAnalysis } from './api.js';
import { createTask } from './ask.js';
import { columnName, openColumns, requestOf, withMove } from './game.js';
import { announce, button, byId, node } from './page.js';
import { createPlayout, exploreTry } from './playout.js';
import { boardMarks, reasonNodes } from './why.js';
import { columnWords } from './words.js';

export const MAX_MOMENTS = 3;

const HEADING = 'Can you find better?';
const FAR = 'Only a look far ahead shows why.';

const GIVEN_AWAY = {
  'win to draw': 'That gives the win away.', 'win to loss': 'That gives the win away, and loses.', 'draw to loss': 'That loses.',
};

// "3 moments to look at"; `moments` are those of /api/judge.
export function momentsWords(moments) {
  const count = Math.min(moments.length, MAX_MOMENTS);
  return count === 1 ? '1 moment to look at' : `${count} moments to look at`;
}

// What is wrong with a try, in a sentence.
function wrongWords(oversight, { mistake, result }, opponent) {
  if (oversight === 'missed four') return mistake ? 'You can make four in a row.' : 'Good enough, but you can make four in a row.';
  if (oversight === 'unblocked four') return `${opponent} can make four in a row.`;
  if (oversight === 'gave the cell above') return `${opponent} can make four right above.`;
  if (oversight === 'allowed double threat') return `${opponent} can make two fours at once.`;
  return GIVEN_AWAY[mistake] ?? (result === 'loss' ? 'That still loses.' : 'Not quite.');
}

// "You saw 5 of the 7 things that there were to see."
function accuracyWords({ seen, to_see: toSee, mistakes }) {
  const things = toSee ? `You saw ${seen} of the ${toSee} thing${toSee === 1 ? '' : 's'} there ${toSee === 1 ? 'was' : 'were'} to see` : '';
  const deep = mistakes ? `Only a look far ahead shows ${mistakes} mistake${mistakes === 1 ? '' : 's'}` : '';
  return [things, deep].filter(Boolean).map((each) => `${each}.`).join(' ');
}

// `show(game, ply, {drop, marks})` draws a position on the page's board, and `leave()` returns to the game; `again()` starts
// another one.
export function createMoments({ show, light, leave, again }) {
  const host = byId('moments');
  const [title, question, verdict] = [node('h2', { id: 'moments-title' }), node('p'), node('p', { class: 'moments-verdict' })];
  const buttons = {
    retry: button({ text: 'Retry' }, () => ask({ isAgain: true })),
    answer: button({ text: 'Show' }, showAnswer),
    next: button({ text: 'Next', class: 'strong' }, next),
    again: button({ text: 'Play again', class: 'strong' }, again),
    analyse: node('a', { class: 'button', text: 'Analyse' }),
    leave: button({ text: 'Back to the game', class: 'home' }, leave),
    watch: button({ text: 'Watch best play', class: 'wide' }, watch),
  };
  host.append(title, question, verdict, node('div', { class: 'actions' }, ...Object.values(buttons)));

  const playout = createPlayout((game, ply) => draw(game, ply, { drop: true }));
  let line = []; // best play from the moment on, if nothing shorter explains the last try
  let drawn = null; // what the board shows: [game, ply, marks]
  let asked = null; // {game, names, moments, player, grades}
  let index = 0;
  let phase = 'ask'; // then 'checking', and 'right', 'wrong', 'shown' or 'failed'; 'end' after the last one
  const found = new Set(); // the moments in which the person found better
  const told = new Set(); // those in which the answer was shown before
  const task = createTask();

  const moment = () => asked.moments[index];
  const opponent = () => asked.names[2 - asked.player];
  const columnPlayed = () => asked.game.columns[moment().ply];
  const before = () => ({ ...asked.game, columns: asked.game.columns.slice(0, moment().ply) });

  // Why no disc can be dropped now; empty if one can.
  function whyNot() {
    if (['ask', 'wrong', 'failed'].includes(phase)) return '';
    return phase === 'checking' ? 'A try is being looked at.' : 'This moment is over.';
  }

  function draw(game, ply, { drop: isDropped = false, ...marks } = {}) {
    drawn = [game, ply, marks];
    show(game, ply, { drop: isDropped, marks });
  }

  function stop() {
    task.stop();
    playout.stop();
    light([]);
  }

  function enter(wanted, words) {
    phase = wanted;
    const isEnd = phase === 'end';
    const isDone = phase === 'right' || phase === 'shown';
    verdict.className = `moments-verdict is-${phase}`;
    verdict.replaceChildren(...words);
    buttons.retry.hidden = buttons.answer.hidden = buttons.next.hidden = isEnd;
    buttons.again.hidden = !isEnd;
    if (phase === 'ask' || phase === 'checking') line = [];
    buttons.watch.hidden = !line.length || isEnd;
    buttons.analyse.href = analysisAddress(asked.game, asked.game.first, [asked.game.columns], {
      line: 0, ply: isEnd ? asked.game.columns.length : moment().ply,
    });
    title.classList.toggle('unseen', isEnd); // it is the page's heading then
    buttons.retry.disabled = phase === 'ask' || phase === 'checking';
    buttons.answer.disabled = isDone || phase === 'checking';
    buttons.next.textContent = index + 1 < asked.moments.length ? 'Next' : 'Finish';
    buttons.next.classList.toggle('strong', isDone);
    buttons.retry.classList.toggle('strong', phase === 'wrong' || phase === 'failed');
    if (drawn) draw(...drawn); // the columns say whether a disc can be dropped
  }

  // Says a verdict, and takes the focus to what follows it if that is where keys lead.
  function settle(wanted, words) {
    enter(wanted, words);
    announce(verdict.textContent);
    const wanders = document.activeElement === document.body || document.activeElement.disabled || host.contains(document.activeElement);
    if (wanders) (wanted === 'wrong' || wanted === 'failed' ? buttons.retry : buttons.next).focus({ preventScroll: true });
  }

  function ask({ isAgain = false } = {}) {
    stop();
    const { ply } = moment();
    title.textContent = asked.moments.length > 1 ? `Moment ${index + 1} of ${asked.moments.length}` : 'A moment to look at';
    question.textContent = `Move ${ply + 1}: you played ${columnName(columnPlayed())}.`;
    enter('ask', ['Drop a disc.']);
    draw(before(), ply);
    announce(isAgain ? HEADING : `${title.textContent}. ${question.textContent} ${HEADING}`);
  }

  // Asks the server about a column; null if it was stopped or failed.
  async function explore(choose) {
    try {
      return await task.run(async (signal) => {
        const column = await choose(signal);
        return { column, ...await exploreTry(before(), moment().ply, column, signal) };
      });
    } catch (error) {
      settle('failed', [error.message]);
      return null;
    }
  }

  // A verdict and its reason. A deep one has none that is short: its best play can be watched instead.
  function wordsOf(lead, reason) {
    const isDeep = reason.kind === 'none';
    line = isDeep ? reason.line : [];
    if (!isDeep) return [`${lead} `, ...reasonNodes(reason.summary, light)];
    return [`${lead} ${line.length ? `There is no short reason: with best play, the game lasts ${line.length} more discs.` : FAR}`];
  }

  function watch() {
    stop();
    playout.play({ ...before(), columns: [...before().columns, ...line] }, moment().ply + 1, { afterPause: true });
  }

  async function drop(column) {
    if (whyNot()) return;
    const { ply } = moment();
    if (!openColumns(before(), ply).includes(column)) {
      settle(phase, [`C${columnName(column).slice(1)} is full.`]);
      return;
    }
    stop();
    enter('checking', ['Let\u2019s see\u2026']);
    const tried = withMove(before(), ply, column);
    const landed = playout.play(tried, ply);
    const explored = await explore(async () => column);
    if (!explored || !await landed) return;
    const { reason, moves } = explored;
    const oversight = moment().oversights[column];
    if (oversight === null && !reason.mistake) {
      if (!told.has(index)) found.add(index);
      draw(tried, ply + 1, { badge: { sign: '\u2713', kind: 'best' }, cells: boardMarks(reason, tried, ply + 1) });
      settle('right', wordsOf(reason.result === 'loss' ? 'Yes, though the game is lost.' : 'Yes!', reason));
      return;
    }
    const isRefuted = oversight !== 'missed four'; // its four is all that matters
    const refuted = { ...tried, columns: [...before().columns, ...moves] };
    const lead = wrongWords(oversight, reason, opponent());
    settle('wrong', isRefuted ? wordsOf(lead, reason) : [lead]);
    if (isRefuted && await playout.play(refuted, ply + 1, { afterPause: true })) {
      draw(refuted, refuted.columns.length, { cells: boardMarks(reason, refuted, refuted.columns.length) });
    }
  }

  // The answer: the best column, which is one that overlooks nothing.
  async function showAnswer() {
    stop();
    enter('checking', ['Let\u2019s see\u2026']);
    const { ply, oversights } = moment();
    let best = [];
    const explored = await explore(async (signal) => {
      best = (await askAnalysis(requestOf(before(), ply), signal)).best.filter((each) => oversights[each] === null);
      return best[0] ?? openColumns(before(), ply).find((each) => oversights[each] === null);
    });
    if (!explored) return;
    const { reason, column } = explored;
    const shown = withMove(before(), ply, column);
    if (!await playout.play(shown, ply)) return;
    if (!found.has(index)) told.add(index);
    draw(shown, ply + 1, { badge: { sign: '\u2605', kind: 'best' }, cells: boardMarks(reason, shown, ply + 1) });
    const words = columnWords(best.length ? best : [column]);
    settle('shown', wordsOf(`${words[0].toUpperCase()}${words.slice(1)}.`, reason));
  }

  function next() {
    stop();
    if (index + 1 < asked.moments.length) {
      index += 1;
      ask();
      return;
    }
    const count = asked.moments.length;
    title.textContent = found.size === count ? (count > 1 ? 'You found them all!' : 'You found it!') : `You found ${found.size} of ${count}`;
    const { accuracy } = asked.grades;
    question.textContent = accuracy === null ? '' : `Your accuracy in this game: ${Math.round(accuracy)}\u00a0%`;
    enter('end', [accuracyWords(asked.grades)]);
    draw(asked.game, asked.game.columns.length);
    announce(`${title.textContent}. ${question.textContent}. ${verdict.textContent}`);
    buttons.again.focus({ preventScroll: true });
  }

  return {
    get isOn() { return asked !== null; },
    get heading() { return phase === 'end' ? title.textContent : HEADING; },
    // The position in which a disc is dropped, and whether the board shows it.
    get position() { return phase === 'end' ? asked.game : before(); },
    get isAsking() { return phase === 'ask'; },
    get player() { return asked.player; },
    whyNot,
    drop,
    // For keys: presses a button, unless it is hidden.
    press(name) { if (asked && !buttons[name].hidden) buttons[name].click(); },
    // `wanted` is {game, names, moments, player, grades}: a judged game, the moments to look at, whose they are, and the
    // counts of that player.
    start(wanted) {
      asked = wanted;
      [index, drawn] = [0, null];
      found.clear();
      told.clear();
      host.hidden = false;
      ask();
    },
    stop() {
      if (!asked) return;
      stop();
      asked = null;
      host.hidden = true;
    },
  };
}
