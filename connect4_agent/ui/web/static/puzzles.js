// Puzzles: a position of which the whole line is played; of the day, of a theme, or from one's own games.
import { PERSON, analysisQuery, defaults, writeAddress } from './address.js';
import { askAnalysis, askPuzzle, askPuzzleOfTheDay, askPuzzlesOf } from './api.js';
import { columnName, openColumns, requestOf, resultAfter } from './game.js';
import { mySeat } from './ladder.js';
import { COLOURS, byId, keep, node, recall, showParts, sign, whenPressed } from './page.js';
import { movesToShow } from './playout.js';
import { dayFromToday, streak } from './streak.js';
import { createTable } from './table.js';
import { addressOf, go, remember } from './views.js';
import { capital } from './words.js';

const DEEPEST = 4; // moves, of puzzles from one's own mistakes
const HOW_TO = 'Play the whole line: the other side answers at once.';

let puzzle = null;
let query = ''; // the puzzle's own address; empty for one of a game
let line = []; // the moves since the puzzle's position
let left = 0; // the moves in which it has to be solved
let analysis = null; // of the position to move in
let isFirstTry = true; // no try was wrong yet
let isTold = false; // whether the answer was shown
let skipped = []; // the names of own puzzles that were left unsolved
let asked = ''; // what the address asks for
let title = 'Puzzle';

const table = createTable({ view: () => puzzlesView, drop, retry, player: () => puzzle?.player, title: () => title, changed });
const { attempt, enter, playout, tell: say, show: put } = table;

const start = () => puzzle.columns.length;
const gameWith = (moves) => ({
  width: puzzle.width, height: puzzle.height, first: puzzle.first, columns: [...puzzle.columns, ...moves],
});
const nameOf = ({ columns: moves, first }) => `${first}-${moves.join('')}`;
const movesText = (count) => `${count} move${count === 1 ? '' : 's'}`;
function changed() {
  const { phase } = table;
  const isDone = phase === 'done';
  byId('puzzle-show').disabled = phase !== 'ask' && phase !== 'wrong';
  byId('puzzle-show').hidden = isDone;
  byId('puzzle-next').classList.toggle('strong', isDone);
  showParts({ 'puzzle-done': isDone });
  const { row, best, days } = streak.now;
  byId('streak').textContent = row;
  byId('streak-best').textContent = best;
  byId('streak-days').textContent = days;
}

function ask(text, kind) {
  enter('ask');
  put(gameWith(line), start() + line.length);
  say(text, kind);
}

function finish(text, kind) {
  streak.count(nameOf(puzzle), { isSolved: !isTold, isFirstTry: !isTold && isFirstTry, date: puzzle.date });
  const { days } = streak.now;
  showEnd(puzzle.date && !isTold && days > 1 ? `${text} That is ${days} days in a row.` : text, kind);
}

function showEnd(text, kind) {
  enter('done');
  put(gameWith(line), start() + line.length, puzzle.reason);
  say(text, kind, puzzle.reason);
}

// The answer and what follows it.
function wholeLine() {
  const all = [puzzle.answer, ...(puzzle.kind === 'loss' ? movesToShow(puzzle.reason).slice(1) : puzzle.line)];
  return puzzle.kind === 'draw' ? all.slice(0, 2 * puzzle.depth - 1) : all;
}

const solved = () => finish(`${puzzle.kind === 'loss' ? 'That is the trap.' : 'Solved!'} ${puzzle.explanation}`, 'right');

// Whether a column keeps what was asked for: 'right', 'slow' for a win that comes too late, or 'wrong'.
function judge(column) {
  if (puzzle.kind === 'loss') return column === puzzle.answer ? 'right' : 'wrong';
  const result = analysis.results[column];
  if (puzzle.kind === 'draw') return result === 'loss' ? 'wrong' : 'right';
  if (result !== 'win') return 'wrong';
  return analysis.moves_to_end[column] <= left ? 'right' : 'slow';
}

// The answer to the line so far: that of the best play, if it is still followed and nothing is better.
function replyTo(best) {
  const whole = [puzzle.answer, ...puzzle.line];
  const expected = line.every((column, index) => whole[index] === column) ? whole[line.length] : null;
  return best.includes(expected) ? expected : best[0];
}

// The other side answers, and the position after that is looked at, unless the puzzle is solved.
async function answer(signal) {
  const isTheirs = line.length % 2 === 1; // not if the server was silent after their disc
  const ply = start() + line.length;
  if (isTheirs) {
    const { best, exact } = await askAnalysis(requestOf(gameWith(line), ply), signal);
    if (!exact) {
      solved(); // a board so large that the rest cannot be checked
      return;
    }
    line.push(replyTo(best));
    if (!await playout.play(gameWith(line), ply, { afterPause: true })) return;
  }
  const game = gameWith(line);
  if (resultAfter(game, game.columns.length).over) {
    solved();
    return;
  }
  analysis = await askAnalysis(requestOf(game, game.columns.length), signal);
  ask(`Right. ${movesText(left)} to go.`, 'right');
}

async function dropRight(column) {
  enter('busy');
  const ply = start() + line.length;
  line.push(column);
  left -= 1;
  if (puzzle.kind === 'loss') line.push(...movesToShow(puzzle.reason).slice(1));
  if (!await playout.play(gameWith(line), ply)) return;
  const isOver = puzzle.kind === 'loss' || resultAfter(gameWith(line), ply + 1).over;
  if (isOver || (puzzle.kind === 'draw' && left === 0)) solved();
  else attempt(answer);
}

function dropWrong(column) {
  isFirstTry = false;
  const words = `${capital(columnName(column))} ${analysis.verdicts[column]}.`;
  table.refute(gameWith(line), start() + line.length, column, () => words);
}

function retry() {
  playout.stop();
  ask(`Try again: ${movesText(left)} to go.`);
}

function drop(column) {
  if (!openColumns(gameWith(line), start() + line.length).includes(column)) {
    say(`Not counted: ${columnName(column)} is full.`);
    return;
  }
  const verdict = judge(column);
  if (verdict === 'right') dropRight(column);
  else if (verdict === 'slow') say(`${capital(columnName(column))} still wins, but not in ${movesText(left)}. Find the faster way.`);
  else if (puzzle.kind !== 'loss') dropWrong(column);
  else {
    isFirstTry = false;
    enter('ask');
    say(`${capital(columnName(column))} is safe: it ${analysis.verdicts[column]}. Try again.`, 'wrong');
  }
}

async function showAnswer() {
  isTold = true;
  enter('busy');
  line = wholeLine();
  say('Watch.', 'shown');
  put(gameWith(line), start());
  if (await playout.play(gameWith(line), start(), { afterPause: true })) finish(puzzle.explanation, 'shown');
}

function set(found, address) {
  playout.stop();
  [puzzle, query, line, isFirstTry, isTold] = [found, address, [], true, false];
  [left, analysis] = [puzzle.depth, puzzle];
  showOrigin();
  if (!streak.isSolved(nameOf(puzzle))) ask(puzzle.kind === 'loss' ? 'One column walks into a trap.' : HOW_TO);
  else {
    line = wholeLine();
    showEnd(`Solved! ${puzzle.explanation}`, 'right');
  }
}

function showOrigin() {
  const origin = !puzzle ? 'Looking for a puzzle\u2026' : puzzle.date === dayFromToday(0) ? `Puzzle of the day: ${puzzle.name}`
    : puzzle.date ? `${puzzle.name} \u00b7 ${puzzle.date}` : query ? puzzle.name : `From your own game: ${puzzle.name.toLowerCase()}`;
  byId('players').replaceChildren(origin, ...(puzzle ? [node('span', {}, 'You play ', sign(puzzle.player), COLOURS[puzzle.player - 1])] : []));
  if (!puzzle) return;
  title = puzzle.question;
  const setup = { ...defaults(), width: puzzle.width, height: puzzle.height };
  setup.seats = puzzle.player === 1 ? [PERSON, mySeat()] : [mySeat(), PERSON];
  const place = [puzzle.first, [puzzle.columns], { line: 0, ply: start() }];
  byId('puzzle-play').href = addressOf('play', writeAddress(setup, ...place));
  byId('puzzle-analyse').href = addressOf('analyse', analysisQuery(setup, ...place));
}

// An empty board, and what to do about it.
function close(heading, text, action) {
  [puzzle, query, title] = [null, '', heading];
  table.clear();
  byId('players').replaceChildren();
  say(text, '', null, [{ ...action, isStrong: true }]);
}

const visitToday = () => visit(`date=${dayFromToday(0)}`);

function refuse(flaw) {
  close('There is no such puzzle', `This link cannot be opened: ${flaw}.`, { label: 'Puzzle of the day', run: visitToday });
}

// The next unsolved puzzle in one's own mistakes, those that were skipped last; null, with a message, if there is none.
async function findMine(signal) {
  const unsolved = [];
  for (const { player, ...game } of [recall('games', [])].flat().filter((each) => Array.isArray(each?.columns))) {
    const { puzzles } = await askPuzzlesOf(game, signal);
    unsolved.push(...puzzles.filter((each) => each.player === player && each.depth <= DEEPEST && !streak.isSolved(nameOf(each))));
    const found = unsolved.find((each) => !skipped.includes(nameOf(each)));
    if (found) return found;
  }
  skipped = [];
  if (unsolved.length) return unsolved[0];
  close('Nothing to solve yet', 'Play a game against the computer to its end. Its turning points become your puzzles.', {
    label: 'Play a game', run: () => go('./'),
  });
  return null;
}

// Shows the puzzle that the address asks for, or else today's.
function open(wantedQuery) {
  table.stop();
  asked = wantedQuery;
  remember(puzzlesView, asked, null);
  [puzzle, title] = [null, 'Puzzle'];
  table.clear();
  say('');
  showOrigin();
  const wanted = new URLSearchParams(asked);
  byId('theme').value = ['theme', 'level'].filter((name) => wanted.has(name)).map((name) => `${name}=${wanted.get(name)}`)[0] ?? '';
  attempt(async (signal) => {
    try {
      if (wanted.has('mine')) {
        const found = await findMine(signal);
        if (found) set(found, '');
      } else if (wanted.has('seed')) {
        const [seed, theme, level] = ['seed', 'theme', 'level'].map((name) => wanted.get(name));
        set(await askPuzzle({ seed, theme, level }, signal), wanted.toString());
      } else {
        const date = wanted.get('date') ?? dayFromToday(0);
        set(await askPuzzleOfTheDay(date, signal), `date=${date}`);
      }
    } catch (error) {
      if (!['bad_query', 'not_found'].includes(error.code)) throw error;
      refuse(error.said);
    }
  });
}

function visit(address) {
  go(addressOf('puzzles', address));
}

// The next number of a theme, which this browser has not had yet.
function visitNext(theme) {
  const numbers = recall('puzzle-numbers', {});
  const number = (Number.isInteger(numbers?.[theme]) ? numbers[theme] : 0) + 1;
  keep('puzzle-numbers', { ...numbers, [theme]: number });
  visit([theme, `seed=${number}`].filter(Boolean).join('&'));
}

function next() {
  const wanted = new URLSearchParams(asked);
  if (wanted.has('mine') && puzzle) {
    skipped.push(nameOf(puzzle));
    open(asked);
  } else visitNext(byId('theme').value);
}

const retryIfWrong = () => { if (table.phase === 'wrong') retry(); };
const answerIfOpen = () => { if (!byId('puzzle-show').disabled) showAnswer(); };

whenPressed({ today: visitToday, mine: () => visit('mine='), 'puzzle-show': showAnswer, 'puzzle-next': next });
byId('theme').addEventListener('change', () => visitNext(byId('theme').value));

// Shows again what was left; what was going on then has ended.
function show() {
  if (!puzzle) open(asked);
  else {
    showOrigin();
    if (table.phase === 'busy') retry();
    else table.render();
  }
}

export const puzzlesView = {
  name: 'puzzles', open, show, hide: table.stop, drop: table.drop, canDrop: table.canDrop,
  keys: { n: next, r: retryIfWrong, s: answerIfOpen },
};
