// Moments to learn from: one's own oversights, one at a time. A person tries to find better; a right try gets its reason, a
// wrong one is refuted on the board. The game itself stays as it is.
import { askAnalysis } from './api.js';
import { createTask } from './ask.js';
import { columnName, openColumns, requestOf, withMove } from './game.js';
import { byId, showParts, whenPressed } from './page.js';
import { createPlayout, exploreTry } from './playout.js';
import { say } from './say.js';
import { draw, light } from './stage.js';
import { boardMarks, reasonNodes } from './why.js';
import { capital, columnWords, fullWords } from './words.js';

const GIVEN_AWAY = {
  'win to draw': 'That gives the win away.', 'win to loss': 'That gives the win away, and loses.', 'draw to loss': 'That loses.',
};

const OVERLOOKED = {
  'missed four': () => 'You can make four in a row.',
  'unblocked four': (opponent) => `${opponent} can make four in a row.`,
  'gave the cell above': (opponent) => `${opponent} can make four right above.`,
  'allowed double threat': (opponent) => `${opponent} can make two fours at once.`,
};

// `leave()` returns to the game.
export function createMoments({ leave }) {
  const playout = createPlayout((game, ply) => put(game, ply, {}, true));
  const task = createTask();
  let asked = null; // {game, names, player, counts, moments}
  let index = 0;
  let phase = 'ask'; // then 'busy', and 'right', 'wrong' or 'shown'; 'end' after the last one
  let words = [];
  let drawn = null; // what the board shows: [game, ply, marks]
  let found = new Set(); // the moments in which the person found better
  let told = new Set(); // those in which the answer was shown before

  const moment = () => asked.moments[index];
  const before = () => ({ ...asked.game, columns: asked.game.columns.slice(0, moment().ply) });
  const canDrop = () => phase === 'ask' || phase === 'wrong';

  function put(game, ply, marks, drop = false) {
    drawn = [game, ply, marks];
    draw(game, ply, { drop, marks });
  }

  function enter(wanted, said) {
    phase = wanted;
    words = said;
    render();
  }

  function titleNow() {
    if (phase !== 'end') return asked.moments.length > 1 ? `${index + 1} of ${asked.moments.length}: find better` : 'Can you find better?';
    const count = asked.moments.length;
    return found.size < count ? `You found ${found.size} of ${count}` : count > 1 ? 'You found them all!' : 'You found it!';
  }

  // Draws what is known; the columns say whether a disc can be dropped.
  function render() {
    const isEnd = phase === 'end';
    showParts({ moments: true, actions: isEnd, welcome: false, rows: false, review: false });
    byId('moment-show').hidden = byId('moment-next').hidden = isEnd;
    byId('moment-show').disabled = phase === 'busy' || phase === 'right' || phase === 'shown';
    byId('moment-next').textContent = index + 1 < asked.moments.length ? 'Next' : 'Finish';
    byId('moment-next').classList.toggle('strong', phase === 'right' || phase === 'shown');
    draw(drawn[0], drawn[1], { marks: drawn[2] });
    const kind = { right: 'right', shown: 'right', wrong: 'warning' }[phase] ?? '';
    say({ title: titleNow(), player: phase === 'end' ? null : asked.player, words, kind });
  }

  function stop() {
    task.stop();
    playout.stop();
    light([]);
  }

  function ask() {
    stop();
    const { ply } = moment();
    drawn = [before(), ply, {}];
    enter('ask', [`Move ${ply + 1}: you played ${columnName(asked.game.columns[ply])}. Drop a disc.`]);
  }

  // Asks what a column leads to; null if it was stopped or failed.
  async function explore(choose) {
    try {
      return await task.run(async (signal) => {
        const column = await choose(signal);
        return { column, ...await exploreTry(before(), moment().ply, column, signal) };
      });
    } catch (error) {
      enter('wrong', [error.message]);
      return null;
    }
  }

  const wordsOf = (lead, reason) => (reason.kind === 'none' ? [lead] : [`${lead} `, ...reasonNodes(reason.summary)]);

  // What is wrong with a try, in a sentence.
  function wrongWords(oversight, { mistake, result }) {
    if (oversight) return OVERLOOKED[oversight](asked.names[2 - asked.player]);
    return GIVEN_AWAY[mistake] ?? (result === 'loss' ? 'That still loses.' : 'Not quite.');
  }

  async function drop(column) {
    if (!canDrop()) return;
    const { ply, oversights } = moment();
    if (!openColumns(before(), ply).includes(column)) {
      enter(phase, [fullWords(column)]);
      return;
    }
    stop();
    enter('busy', ['Let\u2019s see\u2026']);
    const tried = withMove(before(), ply, column);
    const landed = playout.play(tried, ply);
    const explored = await explore(async () => column);
    if (!explored || !await landed) return;
    const { reason, moves } = explored;
    if (oversights[column] === null && !reason.mistake) {
      if (!told.has(index)) found.add(index);
      drawn = [tried, ply + 1, { badge: { sign: '\u2713', kind: 'best' }, cells: boardMarks(reason, tried, ply + 1) }];
      enter('right', wordsOf(reason.result === 'loss' ? 'Yes, though the game is lost.' : 'Yes!', reason));
      return;
    }
    const isRefuted = oversights[column] !== 'missed four'; // its four is all that matters
    const refuted = { ...tried, columns: [...before().columns, ...moves] };
    const lead = wrongWords(oversights[column], reason);
    enter('wrong', isRefuted ? wordsOf(lead, reason) : [lead]);
    if (isRefuted && await playout.play(refuted, ply + 1, { afterPause: true })) {
      put(refuted, refuted.columns.length, { cells: boardMarks(reason, refuted, refuted.columns.length) });
    }
  }

  // The answer: the best column, which is one that overlooks nothing.
  async function showAnswer() {
    stop();
    enter('busy', ['Let\u2019s see\u2026']);
    const { ply, oversights, better } = moment();
    let best = better;
    const explored = await explore(async (signal) => {
      const exact = (await askAnalysis(requestOf(before(), ply), signal)).best.filter((each) => oversights[each] === null);
      if (exact.length) best = exact;
      return best[0];
    });
    if (!explored) return;
    const shown = withMove(before(), ply, explored.column);
    if (!await playout.play(shown, ply)) return;
    if (!found.has(index)) told.add(index);
    drawn = [shown, ply + 1, { badge: { sign: '\u2605', kind: 'best' }, cells: boardMarks(explored.reason, shown, ply + 1) }];
    enter('shown', wordsOf(`${capital(columnWords(best))}.`, explored.reason));
  }

  function next() {
    stop();
    if (index + 1 < asked.moments.length) {
      index += 1;
      ask();
      return;
    }
    const { accuracy, seen, to_see: toSee } = asked.counts;
    drawn = [asked.game, asked.game.columns.length, {}];
    enter('end', [`You saw ${seen} of the ${toSee} thing${toSee === 1 ? '' : 's'} to see${accuracy === null ? '' : `; accuracy ${Math.round(accuracy)}\u00a0%`}.`]);
    byId('play-again').focus({ preventScroll: true });
  }

  function end() {
    if (asked) stop();
    asked = null;
  }

  whenPressed({ 'moment-show': showAnswer, 'moment-next': next, 'moment-leave': () => { end(); leave(); } });

  return {
    get isOn() { return asked !== null; },
    canDrop,
    drop,
    render,
    // For keys: presses a button, unless it is out of use.
    press(name) { if (asked && !byId(`moment-${name}`).hidden) byId(`moment-${name}`).click(); },
    start(wanted) {
      [asked, index, found, told] = [wanted, 0, new Set(), new Set()];
      ask();
    },
    stop: end,
  };
}
