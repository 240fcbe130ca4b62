// The page of puzzles: a position, a question, one right column; the daily puzzle, one from a seed, or from one's own games.
import './board.js';
import { PERSON, defaults, writeAddress } from './address.js';
import { askAnalysis, askPlayers, askPuzzle, askPuzzleOfTheDay, askPuzzlesOf, isAbort } from './api.js';
import { createColumns } from './columns.js';
import { columnName, openColumns, requestOf } from './game.js';
import { listenToKeys, listenToPointer, listenToSteps } from './input.js';
import { myGames } from './my_games.js';
import { announce, byId, canHover, fitBoard, showMessage } from './page.js';
import { dayFromToday, streak } from './streak.js';

const HIGHEST_SEED = 2 ** 31;
const EMPTY = { width: 7, height: 6, first: 1, columns: [] };

let puzzle = null;
let wrong = []; // columns that were tried
let answered = false; // found or shown
let shownPly = 0; // of the best play, once it is known
let analysis = null; // of the position, once it is answered
let asking = null;

const board = globalThis.Connect4Board.create(byId('board'), { labels: false, peeks: canHover });
const columns = createColumns(byId('columns'), { play: answer, point });

const start = () => puzzle.columns.length;
const bestPlay = () => ({ ...gameOf(puzzle), columns: [...puzzle.columns, puzzle.answer, ...puzzle.line] });
const nameOf = ({ columns: moves, first }) => `${first}-${moves.join('')}`;

function gameOf({ width, height, first, columns: moves }) {
  return { width, height, first, columns: moves };
}

// Why no column can be chosen now; empty if one can.
function whyNot() {
  if (!puzzle) return 'there is no puzzle yet';
  return answered ? 'the puzzle has been answered' : '';
}

function point(column) {
  board.point(column !== null && whyNot() === '' ? column : null);
}

function render({ drop = false } = {}) {
  const game = puzzle ? (answered ? bestPlay() : gameOf(puzzle)) : EMPTY;
  const ply = puzzle ? start() + shownPly : 0;
  fitBoard(game);
  board.show(game, ply, { drop });
  const isStart = shownPly === 0;
  const hints = answered && isStart && analysis ? { state: 'exact', answer: analysis } : { state: 'off' };
  columns.show(game, ply, hints, whyNot());
  point(columns.focused());
  byId('solve').disabled = !puzzle || answered;
  byId('replay').hidden = !answered;
  byId('line-start').disabled = byId('line-back').disabled = isStart;
  byId('line-on').disabled = !puzzle || ply >= game.columns.length;
  const { row, best, days } = streak.now;
  byId('streak').textContent = row;
  byId('streak-best').textContent = best;
  byId('streak-days').textContent = days;
}

function originWords({ date, seed, level, depth }) {
  const from = date ? (date === dayFromToday(0) ? 'Puzzle of the day' : `Puzzle of ${date}`)
    : seed === null ? 'From your own game' : `Puzzle ${seed}`;
  return `${from} \u00b7 ${level}, ${depth} move${depth === 1 ? '' : 's'} deep`;
}

function say(text, kind) {
  byId('result').hidden = text === '';
  byId('result').className = `result ${kind}`;
  byId('result').textContent = text;
  if (text) announce(text);
}

// Shows the answer, with what every column would have led to.
async function reveal(text, kind) {
  answered = true;
  shownPly = 1;
  say(text, kind);
  render({ drop: true });
  const mine = puzzle;
  try {
    const found = await askAnalysis(requestOf(gameOf(puzzle), start()));
    if (puzzle !== mine) return;
    analysis = found;
    render();
  } catch {
    // The explanation is enough.
  }
}

function answer(column) {
  const why = whyNot() || (openColumns(gameOf(puzzle), start()).includes(column) ? '' : `${columnName(column)} is full`);
  if (why) {
    byId('detail').textContent = `Not counted: ${why}.`;
    announce(byId('detail').textContent);
    return;
  }
  const isRight = column === puzzle.answer;
  if (!wrong.length) streak.count(nameOf(puzzle), isRight, puzzle.date);
  if (isRight) {
    reveal(`Right. ${puzzle.explanation}`, 'right');
    return;
  }
  if (!wrong.includes(column)) wrong.push(column);
  say(`Column ${column + 1} ${puzzle.verdicts[column]}. Try again.`, 'wrong');
  render();
}

function open(found) {
  puzzle = found;
  [wrong, answered, shownPly, analysis] = [[], false, 0, null];
  byId('origin').textContent = originWords(puzzle);
  byId('question').textContent = puzzle.question;
  const who = puzzle.player === 1 ? 'cross' : 'ring';
  byId('detail').replaceChildren('You play the discs with a ', globalThis.Connect4Board.sign(puzzle.player), `${who}.`);
  const setup = { ...defaults(), width: puzzle.width, height: puzzle.height };
  setup.seats = puzzle.player === 1 ? [PERSON, setup.seats[1]] : [setup.seats[1], PERSON];
  byId('play-on').href = writeAddress(setup, puzzle.first, [puzzle.columns], { line: 0, ply: start() }).replace(/^\?/, '/?');
  say('', '');
  render();
  announce(`${puzzle.question} ${globalThis.Connect4Board.describeDiscs(gameOf(puzzle), start())}`);
}

// An empty board, and what to do about it.
function close(title, text) {
  [puzzle, wrong, answered, shownPly, analysis] = [null, [], false, 0, null];
  byId('origin').textContent = 'From your own games';
  byId('question').textContent = title;
  byId('detail').textContent = text;
  say('', '');
  render();
  announce(`${title}. ${text}`);
}

// Asks for a puzzle, and shows it unless another one has been requested in the meantime.
async function load(ask) {
  asking?.abort();
  const controller = new AbortController();
  asking = controller;
  showMessage(null);
  byId('origin').textContent = 'Looking for a puzzle\u2026';
  try {
    const found = await ask(controller.signal);
    if (asking === controller && found) open(found);
  } catch (error) {
    if (isAbort(error) || asking !== controller) return;
    byId('origin').textContent = '';
    showMessage(error.message, { label: 'Try again', run: () => load(ask) });
  }
}

// The first unsolved puzzle in one's own mistakes; null, with a message, if there is none.
async function findMine(signal) {
  for (const { player, ...game } of myGames()) {
    const { puzzles } = await askPuzzlesOf(game, signal);
    const left = puzzles.find((each) => each.player === player && !streak.isSolved(nameOf(each)));
    if (left) return left;
  }
  close('Nothing to solve yet', 'Play a game against the computer to its end. Its turning points become your puzzles.');
  return null;
}

function visit(query) {
  history.pushState(null, '', `/puzzles?${query}`);
  follow();
}

// Shows the puzzle that the address asks for, or else today's.
function follow() {
  const query = new URLSearchParams(location.search);
  if (query.has('mine')) load(findMine);
  else if (query.has('seed')) {
    for (const id of ['kind', 'level']) byId(id).value = query.get(id) ?? '';
    load((signal) => askPuzzle({ seed: query.get('seed'), kind: query.get('kind'), level: query.get('level') }, signal));
  } else load((signal) => askPuzzleOfTheDay(query.get('date') ?? dayFromToday(0), signal));
}

function drawAnother() {
  const query = new URLSearchParams({ seed: String(Math.floor(Math.random() * HIGHEST_SEED)) });
  for (const id of ['kind', 'level']) if (byId(id).value) query.set(id, byId(id).value);
  visit(query);
}

function step(by) {
  const ply = Math.max(0, Math.min(bestPlay().columns.length - start(), by === 0 ? 0 : shownPly + by));
  shownPly = ply;
  render();
  announce(globalThis.Connect4Board.describe(bestPlay(), start() + ply));
}

listenToKeys({ width: () => puzzle?.width ?? 0, drop: answer, undo: () => {}, redo: () => {} });
listenToSteps((key) => {
  if (!answered) return puzzle !== null && columns.key(key);
  if (key === 'ArrowLeft') step(-1);
  else if (key === 'ArrowRight') step(1);
  else if (key === 'Home') step(0);
  else return false;
  return true;
});
listenToPointer(board, { drop: answer, point, rest: () => point(columns.focused()) });
byId('line-start').addEventListener('click', () => step(0));
byId('line-back').addEventListener('click', () => step(-1));
byId('line-on').addEventListener('click', () => step(1));
byId('solve').addEventListener('click', () => {
  if (!wrong.length) streak.count(nameOf(puzzle), false, null);
  reveal(puzzle.explanation, 'shown');
});
byId('next').addEventListener('click', () => {
  if (puzzle && new URLSearchParams(location.search).has('mine')) follow();
  else drawAnother();
});
byId('today').addEventListener('click', () => visit(`date=${dayFromToday(0)}`));
byId('mine').addEventListener('click', () => visit('mine='));
for (const id of ['kind', 'level']) byId(id).addEventListener('change', drawAnother);
window.addEventListener('popstate', follow);

render();
follow();
askPlayers().then(({ has_run: hasRun }) => { byId('run-link').hidden = !hasRun; }, () => {});
