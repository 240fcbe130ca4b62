// The analysis board: both sides' moves with their variations, any position set up by hand, exact scores of all columns,
// and best play as numbered discs. The address is the position.
import './board.js';
import { PERSON, analysisAddress, defaults, pageAddress, readAddress, writeAddress } from './address.js';
import { askPlayers } from './api.js';
import { createBar } from './bar.js';
import { createBestLines, lineMarks } from './best_line.js';
import { COLOURS } from './colours.js';
import { createColumns } from './columns.js';
import { createEditor } from './editor.js';
import { MOVE_SIGNS, columnName, moverOf, openColumns, positionAfter, resultAfter } from './game.js';
import { createHints } from './hints.js';
import { listenToKeys, listenToPointer, listenToSteps } from './input.js';
import { play, promote, remove } from './lines.js';
import { createMoves } from './moves.js';
import { announce, byId, canHover, createCopyLink, fitBoard, node, showMessage, sign } from './page.js';
import { planSeat } from './seats.js';
import { createSheet } from './sheet.js';
import { analysedStanding, standingWords } from './standing.js';
import { createTravel } from './travel.js';
import { createWhy } from './why.js';
import { hintWords, lastMoveWords } from './words.js';

let setup = defaults();
let first = 1;
let lines = [[]]; // the main line and its variations: lines.js
let place = { line: 0, ply: 0 }; // the position shown
let notice = ''; // why a disc was refused
let pointed = null; // the column whose line is shown

const board = globalThis.Connect4Board.create(byId('board'), { labels: false, peeks: canHover });
const bar = createBar(byId('bar'));
const hints = createHints(() => render(), { isAlways: true });
const bestLines = createBestLines(() => render());
const why = createWhy({ changed: () => render(), light: (cells) => board.light(cells), tryPlan });
const columns = createColumns(byId('columns'), { play: drop, point });
const moves = createMoves({ jump });
const sheet = createSheet();
const travel = createTravel({ arrive: load });
const editor = createEditor({
  changed: (wanted, mover) => { fitBoard(wanted); board.show({ ...wanted, first: mover, columns: [] }, 0); showTurn(mover); },
  done: setUp,
  left: () => { render(); byId('edit').focus(); },
});

const game = () => ({ width: setup.width, height: setup.height, start: setup.start, first, columns: lines[place.line] });
const mover = () => moverOf({ first }, place.ply);
const isOver = () => resultAfter(game(), place.ply).over;
const lastMove = () => lastMoveWords({ ...setup, names: COLOURS }, game(), place.ply);

function showTurn(player) {
  byId('turn').replaceChildren(sign(player), `${COLOURS[player - 1]} to move`);
}

function showEnd() {
  const { winner } = resultAfter(game(), place.ply);
  byId('turn').replaceChildren(...(winner ? [sign(winner), `${COLOURS[winner - 1]} wins`] : ['It\u2019s a draw']));
}

// The line to show: that of the column under the pointer or with the focus, or best play.
function lineShown() {
  if (isOver()) return [];
  return bestLines.of(game(), place.ply, pointed);
}

function showLine(line) {
  byId('best').hidden = !byId('why').hidden;
  byId('best-title').textContent = pointed === null ? 'Best play' : `Best play after ${columnName(pointed)}`;
  byId('best-line').replaceChildren(...(line ?? []).map((column, index) => node('span', {},
    sign(moverOf(game(), place.ply + index)), MOVE_SIGNS[column])));
  if (!line || isOver()) byId('best-line').textContent = line ? 'The game is over.' : 'Looking\u2026';
  byId('follow').disabled = !line?.length;
}

function render({ dropped = false } = {}) {
  if (editor.isOpen) return;
  const [now, over] = [game(), isOver()];
  fitBoard(now);
  board.show(now, place.ply, { drop: dropped });
  if (dropped) board.reveal();
  const found = over ? { state: 'over' } : hints.of(now, place.ply, true);
  const subject = why.isOn && !over ? { ply: place.ply, column: undefined, viewer: mover() } : null;
  const reason = why.show(now, place.ply, subject, !over);
  // The scores come first: until they are there, no line is asked for.
  const line = over || found.answer || found.state === 'failed' ? lineShown() : null;
  board.show(now, place.ply, { marks: { cells: why.isOn && pointed === null ? reason : lineMarks(now, place.ply, line ?? []) } });
  columns.show(now, place.ply, found, over ? 'The game is over.' : '');
  if (over) showEnd();
  else showTurn(mover());
  showLine(line);
  const standing = analysedStanding(now, place.ply, found.answer ?? null);
  const words = standing ? standingWords(standing, COLOURS) : '';
  bar.show(standing, 1, words || byId('turn').textContent);
  byId('verdict').textContent = words ? `${words} if both play perfectly.` : over ? '' : hintWords(found);
  byId('hint-retry').hidden = found.state !== 'failed';
  byId('why-button').disabled = over;
  byId('why-button').setAttribute('aria-pressed', String(why.isOn));
  byId('detail').textContent = notice || lastMove();
  byId('detail').classList.toggle('refused', notice !== '');
  byId('line-tools').hidden = place.line === 0;
  byId('play-on').hidden = over;
  byId('play-on').href = playAddress();
  moves.show(first, lines, place, COLOURS);
}

// The position as a game against a player, for the side to move.
function playAddress() {
  const usual = defaults();
  const seats = mover() === 1 ? usual.seats : [...usual.seats].reverse();
  const shown = lines[place.line].slice(0, place.ply);
  return pageAddress(writeAddress({ ...usual, ...setup, seats, begins: String(first) }, first, [shown], { line: 0, ply: place.ply }));
}

function point(column) {
  board.point(column !== null && !isOver() ? column : null);
  const wanted = column !== null && openColumns(game(), place.ply).includes(column) ? column : null;
  if (wanted === pointed) return;
  pointed = wanted;
  render();
  board.point(wanted);
}

function remember(kind) {
  travel.remember(analysisAddress(setup, first, lines, place), {}, kind);
}

function tell(text) {
  announce(`${text} ${byId('turn').textContent}.`);
}

function jump(wanted, kind = 'walk') {
  sheet.lower();
  [notice, place, pointed] = ['', wanted, columns.focused()];
  remember(kind);
  render();
  tell(lastMove());
}

function drop(column) {
  const isFull = !openColumns(game(), place.ply).includes(column);
  if (isFull) {
    notice = isOver() ? 'The game is over.' : `C${columnName(column).slice(1)} is full.`;
    render();
    announce(notice);
    return;
  }
  notice = '';
  ({ lines, place } = play(lines, place, column));
  pointed = null;
  remember('act');
  render({ dropped: true });
  tell(lastMove());
}

// Adds the line shown to the moves; the arrows then step through it.
function follow() {
  const line = lineShown();
  const back = place;
  let to = place;
  for (const column of line ?? []) ({ lines, place: to } = play(lines, to, column));
  place = { line: to.line, ply: back.ply };
  pointed = null;
  remember('act');
  render();
  byId('step-on').focus();
  announce('The line is among the moves. Step through it with the arrow keys.');
}

function edit(changed, said) {
  ({ lines, place } = changed);
  remember('act');
  render();
  tell(said);
}

// Starts over from a position. One with a single disc or none is a game from the empty board.
function setUp(wanted, player) {
  const isSame = player === mover() && JSON.stringify(positionAfter(game(), place.ply).cells) === JSON.stringify(wanted.start);
  if (!isSame) {
    const isEmpty = !wanted.start.flat().length;
    setup = { ...defaults(), ...wanted, start: isEmpty ? null : wanted.start };
    [first, lines, place] = [player, [[]], { line: 0, ply: 0 }];
    remember('act');
  }
  [notice, pointed] = ['', null];
  render();
  columns.focus();
  tell('Position set up.');
}

function openEditor() {
  const { cells } = positionAfter(game(), place.ply);
  sheet.lower();
  board.point(null);
  editor.open({ width: setup.width, height: setup.height, start: cells }, mover());
}

// A plan is played against on the page for games.
function tryPlan(given, { player, plan }) {
  const seats = player === 1 ? [planSeat(plan, given.length), PERSON] : [PERSON, planSeat(plan, given.length)];
  location.href = pageAddress(writeAddress({ ...setup, seats, begins: String(first) }, first, [given], { line: 0, ply: given.length }));
}

function load() {
  if (editor.isOpen) editor.close();
  showMessage(null);
  [notice, pointed] = ['', null];
  try {
    const asked = readAddress(location.search);
    setup = { ...defaults(), width: asked.setup.width, height: asked.setup.height, start: asked.setup.start };
    first = asked.first ?? 1;
    lines = asked.lines ?? [[]];
    place = asked.place ?? { line: 0, ply: 0 };
  } catch (error) {
    [setup, first, lines, place] = [defaults(), 1, [[]], { line: 0, ply: 0 }];
    showMessage(`This link cannot be opened: ${error.message}.`, {
      label: 'Empty board', run: () => { showMessage(null); remember('act'); render(); },
    });
  }
  render();
}

const undo = () => { if (place.ply) jump({ ...place, ply: place.ply - 1 }); };
const redo = () => { if (place.ply < lines[place.line].length) jump({ ...place, ply: place.ply + 1 }); };
const toggleWhy = () => { why.turn(!why.isOn); render(); };
const hearBoard = () => announce(`${globalThis.Connect4Board.describeDiscs(game(), place.ply)} ${byId('turn').textContent}.`);
const whileAnalysing = (run) => (...values) => (editor.isOpen ? undefined : run(...values));

listenToKeys({
  width: () => (editor.isOpen ? 0 : setup.width), drop, undo: whileAnalysing(undo), redo: whileAnalysing(redo),
  others: { w: whileAnalysing(toggleWhy), b: whileAnalysing(hearBoard), e: whileAnalysing(openEditor) },
});
listenToSteps((key) => {
  if (editor.isOpen) return false;
  if (columns.focused() !== null && !isOver()) return columns.key(key);
  return lines[0].length ? moves.key(key) : columns.key(key);
});
listenToPointer(board, {
  drop: whileAnalysing(drop), point: whileAnalysing(point), rest: whileAnalysing(() => point(columns.focused())),
});

const PRESSED = {
  edit: openEditor,
  'why-button': toggleWhy,
  'hint-retry': () => { hints.retry(); render(); },
  follow,
  promote: () => edit({ lines: promote(lines, place.line), place: { line: 0, ply: place.ply } }, 'This is now the main line.'),
  delete: () => edit(remove(lines, place.line), 'Variation deleted; Back restores it.'),
  empty: () => { [setup, first, lines] = [defaults(), 1, [[]]]; jump({ line: 0, ply: 0 }, 'act'); },
};
for (const [id, run] of Object.entries(PRESSED)) byId(id).addEventListener('click', run);
byId('share').append(createCopyLink((text) => { byId('detail').textContent = text; announce(text); }));

load();
askPlayers().then(({ has_run: hasRun }) => { byId('run-link').hidden = !hasRun; }, () => {});
