// The page of puzzles: a position of which the whole line is played; of the day, of a theme, or from one's own games.
import { PERSON, analysisAddress, defaults, writeAddress } from './address.js';
import { askAnalysis, askPlayers, askPuzzle, askPuzzleOfTheDay, askPuzzlesOf } from './api.js';
import { COLOURS } from './colours.js';
import { columnName, openColumns, requestOf, resultAfter } from './game.js';
import { listenToSteps } from './input.js';
import { myGames } from './my_games.js';
import { announce, byId, copy, keep, plainText, recall, showMessage } from './page.js';
import { exploreTry, movesToShow } from './playout.js';
import { again, dayFromToday, streak } from './streak.js';
import { createTable } from './table.js';

const GOOD = ['\u{1f534}', '\u{1f7e1}'];
const BAD = '\u274c';
const HOW_TO = 'Play the whole line: the other side answers at once.';

// What a link may ask for, and how that is said.
const ASKABLE = {
  seed: [/^[1-9]\d{0,8}$/, 'whole numbers from 1 to 999999999'],
  theme: [/^(double|above|forced|zugzwang|hold|trap)$/, 'double, above, forced, zugzwang, hold and trap'],
  level: [/^(easy|medium|hard)$/, 'easy, medium and hard'],
  date: [/^\d{4}-\d\d-\d\d$/, 'days such as 2027-01-31'],
};

let puzzle = null;
let query = ''; // the puzzle's own address; empty for one of a game
let line = []; // the moves since the puzzle's position
let left = 0; // the moves in which it has to be solved
let analysis = null; // of the position to move in
let tries = []; // whether each try was right
let isTold = false; // whether the answer was shown
let round = null; // the addresses of missed puzzles that are still to come

const table = createTable({ drop, retry, tell, next, player: () => puzzle?.player, hintsAt, changed });
const { attempt, enter, playout, say, show } = table;

const start = () => puzzle.columns.length;
const gameWith = (moves) => ({
  width: puzzle.width, height: puzzle.height, first: puzzle.first, columns: [...puzzle.columns, ...moves],
});
const nameOf = ({ columns: moves, first }) => `${first}-${moves.join('')}`;
const movesText = (count) => `${count} move${count === 1 ? '' : 's'}`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);

// What every column leads to, when the puzzle is over and its own position is on the board.
function hintsAt(game, ply) {
  if (table.phase !== 'done' || ply !== start()) return null;
  return { ...puzzle, best: puzzle.kind === 'loss' ? [] : [puzzle.answer] };
}

function changed() {
  const { phase, shown: { game, ply } } = table;
  const isDone = phase === 'done';
  byId('line-start').disabled = byId('line-back').disabled = !isDone || ply === start();
  byId('line-on').disabled = !isDone || ply === game.columns.length;
  byId('share').disabled = !isDone;
  const { row, best, days } = streak.now;
  byId('streak').textContent = row;
  byId('streak-best').textContent = best;
  byId('streak-days').textContent = days;
  byId('flame').classList.toggle('lit', days > 0);
  const missed = again.list.length;
  byId('again').disabled = !missed;
  byId('again').textContent = `Again (${missed})`;
}

function ask(text, kind) {
  enter('ask');
  show(gameWith(line), start() + line.length);
  say(text, kind);
}

function finish(text, kind) {
  streak.count(nameOf(puzzle), !isTold, puzzle.date);
  if (query && !isTold && tries.every(Boolean)) again.solve(query);
  enter('done');
  show(gameWith(line), start() + line.length, puzzle.reason);
  say(text, kind, puzzle.reason);
}

const solved = () => finish(puzzle.kind === 'loss' ? `That is the trap. ${puzzle.explanation}` : `Solved. ${puzzle.explanation}`, 'right');

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
  tries.push(true);
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

// The disc falls, the reason is said, and the other side refutes it, unless somebody tries again before that.
async function dropWrong(column) {
  tries.push(false);
  if (query) again.miss(query);
  enter('busy');
  const ply = start() + line.length;
  const words = `${capital(columnName(column))} ${analysis.verdicts[column]}.`;
  const falling = playout.play(gameWith([...line, column]), ply);
  await attempt(async (signal) => {
    const { reason, moves } = await exploreTry(gameWith(line), ply, column, signal);
    if (!await falling) return;
    const game = gameWith([...line, ...moves]);
    enter('wrong');
    say(words, 'wrong', reason);
    if (await playout.play(game, ply + 1, { afterPause: true })) show(game, game.columns.length, reason);
  });
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
    tries.push(false);
    if (query) again.miss(query);
    enter('ask');
    say(`${capital(columnName(column))} is safe: it ${analysis.verdicts[column]}. Try again.`, 'wrong');
  }
}

async function tell() {
  isTold = true;
  if (query) again.miss(query);
  enter('busy');
  line = [puzzle.answer, ...(puzzle.kind === 'loss' ? movesToShow(puzzle.reason).slice(1) : puzzle.line)];
  if (puzzle.kind === 'draw') line = line.slice(0, 2 * puzzle.depth - 1);
  say('Watch.', 'shown');
  show(gameWith(line), start());
  if (await playout.play(gameWith(line), start(), { afterPause: true })) finish(puzzle.explanation, 'shown');
}

function open(found, address) {
  playout.stop();
  [puzzle, query, line, tries, isTold] = [found, address, [], [], false];
  [left, analysis] = [puzzle.depth, puzzle];
  byId('origin').textContent = puzzle.date === dayFromToday(0) ? `Puzzle of the day: ${puzzle.name}`
    : puzzle.date ? `${puzzle.name} \u00b7 ${puzzle.date}` : query ? puzzle.name : `From your own game: ${puzzle.name.toLowerCase()}`;
  byId('question').textContent = puzzle.question;
  byId('detail').replaceChildren('You play ', globalThis.Connect4Board.sign(puzzle.player), `${COLOURS[puzzle.player - 1]}.`);
  const setup = { ...defaults(), width: puzzle.width, height: puzzle.height };
  setup.seats = puzzle.player === 1 ? [PERSON, setup.seats[1]] : [setup.seats[1], PERSON];
  byId('play-on').href = writeAddress(setup, puzzle.first, [puzzle.columns], { line: 0, ply: start() }).replace(/^\?/, './?');
  byId('analyse').href = analysisAddress(setup, puzzle.first, [puzzle.columns], { line: 0, ply: start() });
  ask(puzzle.kind === 'loss' ? 'One column walks into a trap.' : HOW_TO);
  announce(`${puzzle.question} ${globalThis.Connect4Board.describeDiscs(gameWith([]), start())}`);
}

// An empty board, and what to do about it.
function close(title, text, action) {
  [puzzle, query] = [null, ''];
  table.clear();
  byId('question').textContent = title;
  byId('origin').textContent = byId('detail').textContent = '';
  say(`${title}.`);
  showMessage(text, action);
}

const visitToday = () => visit(`date=${dayFromToday(0)}`);

function refuse(flaw) {
  close('There is no such puzzle', `This link cannot be opened: ${flaw}.`, { label: 'Puzzle of the day', run: visitToday });
}

// The first unsolved puzzle in one's own mistakes; null, with a message, if there is none.
async function findMine(signal) {
  for (const { player, ...game } of myGames()) {
    const { puzzles } = await askPuzzlesOf(game, signal);
    const unsolved = puzzles.find((each) => each.player === player && !streak.isSolved(nameOf(each)));
    if (unsolved) return unsolved;
  }
  close('Nothing to solve yet', 'Play a game against the computer to its end. Its turning points become your puzzles.', {
    label: 'Play a game', run: () => location.assign('./'),
  });
  return null;
}

// Shows the puzzle that the address asks for, or else today's.
function follow() {
  playout.stop();
  if (puzzle) enter('busy'); // a disc for the one that is still on the board would end the search
  const wanted = new URLSearchParams(location.search);
  wanted.delete('again');
  const [bad] = Object.keys(ASKABLE).filter((name) => wanted.has(name) && !ASKABLE[name][0].test(wanted.get(name)));
  byId('origin').textContent = 'Looking for a puzzle\u2026';
  attempt(async (signal) => {
    try {
      if (bad) refuse(`${bad} is \u201c${plainText(wanted.get(bad)).slice(0, 40)}\u201d; allowed are ${ASKABLE[bad][1]}`);
      else if (wanted.has('mine')) {
        const found = await findMine(signal);
        if (found) open(found, '');
      } else if (wanted.has('seed')) {
        const [seed, theme, level] = ['seed', 'theme', 'level'].map((name) => wanted.get(name));
        open(await askPuzzle({ seed, theme, level }, signal), wanted.toString());
      } else {
        const date = wanted.get('date') ?? dayFromToday(0);
        open(await askPuzzleOfTheDay(date, signal), `date=${date}`);
      }
    } catch (error) {
      if (!['bad_query', 'not_found'].includes(error.code)) throw error;
      refuse(error.said);
    }
  });
}

function visit(address) {
  history.pushState(null, '', `puzzles?${address}`);
  follow();
}

// The next number of a theme, which this browser has not had yet.
function visitNext(theme) {
  const numbers = recall('puzzle-numbers', {});
  const number = (Number.isInteger(numbers?.[theme]) ? numbers[theme] : 0) + 1;
  keep('puzzle-numbers', { ...numbers, [theme]: number });
  visit([theme, `seed=${number}`].filter(Boolean).join('&'));
}

function next() {
  const wanted = new URLSearchParams(location.search);
  if (wanted.has('mine') && puzzle) follow();
  else if (wanted.has('again') && puzzle) visitNextAgain();
  else if (wanted.get('theme') === 'trap') visitNext('theme=trap');
  else visitNext(byId('theme').value);
}

// A round through the missed puzzles; the one on the board comes last.
function visitAgain() {
  const missed = again.list.map((each) => each.query);
  round = [...missed.filter((each) => each !== query), ...missed.filter((each) => each === query)];
  visitNextAgain();
}

function visitNextAgain() {
  const [address, ...others] = round ?? again.list.map((each) => each.query).filter((each) => each !== query);
  round = others;
  if (address) visit(`${address}&again=`);
  else {
    const missed = again.list.length;
    close('That was the last one', missed ? `${missed} of them will come again: each has to be solved twice at the first try.`
      : 'You have solved every puzzle that you had missed.', { label: 'Puzzle of the day', run: visitToday });
  }
}

function step(by) {
  if (table.phase !== 'done') return;
  const { game, ply } = table.shown;
  const stepped = Math.max(start(), Math.min(game.columns.length, by === 0 ? 0 : ply + by));
  show(game, stepped, puzzle.reason);
  announce(globalThis.Connect4Board.describe(game, stepped));
}

// "Connect Four #321 · 🔴❌🔴 · 2 tries": a disc for each right move, a cross for each wrong one.
function shareText() {
  const wrong = tries.filter((isRight) => !isRight).length;
  const name = puzzle.date ? puzzle.name.replace(/^.*(?=#)/, '') : `\u00b7 ${puzzle.name}`;
  const signs = tries.map((isRight) => (isRight ? GOOD[puzzle.player - 1] : BAD)).join('');
  const end = isTold ? 'not solved' : wrong ? `${wrong + 1} tries` : 'first try';
  return ['Connect Four ' + name, signs, end].filter(Boolean).join(' \u00b7 ');
}

async function share() {
  const text = shareText();
  const said = await copy(text) ? `Copied: ${text}` : text;
  say(said);
}

listenToSteps((key) => {
  if (table.phase !== 'done') return puzzle !== null && table.columns.key(key);
  if (key === 'ArrowLeft') step(-1);
  else if (key === 'ArrowRight') step(1);
  else if (key === 'Home') step(0);
  else return false;
  return true;
});
for (const [id, run] of Object.entries({
  'line-start': () => step(0), 'line-back': () => step(-1), 'line-on': () => step(1), share,
  today: visitToday, again: visitAgain, mine: () => visit('mine='), trap: () => visitNext('theme=trap'),
})) byId(id).addEventListener('click', run);
byId('theme').addEventListener('change', () => visitNext(byId('theme').value));
window.addEventListener('popstate', follow);

table.clear();
follow();
askPlayers().then(({ has_run: hasRun }) => { byId('run-link').hidden = !hasRun; }, () => {});
