// Analyse: both sides' moves with their variations, any position set up by hand, exact scores of all columns, and best play
// as numbered discs. The address is the position.
import { PERSON, analysisQuery, defaults, readAddress, writeAddress } from './address.js';
import { createBestLines, lineMarks } from './best_line.js';
import { createEditor } from './editor.js';
import { MOVE_SIGNS, columnName, moverOf, openColumns, positionAfter, resultAfter } from './game.js';
import { createHints } from './hints.js';
import { mySeat } from './ladder.js';
import { play } from './lines.js';
import { createMoves } from './moves.js';
import { COLOURS, announce, byId, createCopyLink, node, sign, whenPressed } from './page.js';
import { say } from './say.js';
import { planQuery } from './seats.js';
import { board, columns, draw, fitBoard } from './stage.js';
import { addressOf, go, isShown, remember } from './views.js';
import { createWhy } from './why.js';
import { fullWords, hintWords, lastMoveWords, verdictWords } from './words.js';

let setup = defaults();
let first = 1;
let lines = [[]]; // the main line and its variations: lines.js
let place = { line: 0, ply: 0 }; // the position shown
let notice = null; // {words, kind, buttons}: why a disc was refused, or what is wrong with the address
let pointed = null; // the column whose line is shown
let planShown = null; // the plan that can be tried

const hints = createHints(() => render(), { isAlways: true });
const bestLines = createBestLines(() => render());
const why = createWhy(() => render());
const moves = createMoves({ steps: byId('analyse-steps'), host: byId('analyse-moves'), jump: (wanted) => arrive(wanted) });
const editor = createEditor({
  changed: (wanted, mover, flaw, spoken) => {
    fitBoard(wanted, true);
    board.show({ ...wanted, first: mover, columns: [] }, 0);
    const words = flaw || 'Press a cell to put a disc there; it falls down.';
    say({ title: `${COLOURS[mover - 1]} to move`, player: mover, words, kind: flaw ? 'warning' : '', spoken });
  },
  done: setUp,
  left: () => { render(); byId('edit').focus(); },
});

const game = () => ({ width: setup.width, height: setup.height, start: setup.start, first, columns: lines[place.line] });
const mover = () => moverOf({ first }, place.ply);
const isOver = () => resultAfter(game(), place.ply).over;

function titleNow() {
  if (!isOver()) return { title: `${COLOURS[mover() - 1]} to move`, player: mover() };
  const { winner } = resultAfter(game(), place.ply);
  return winner ? { title: `${COLOURS[winner - 1]} wins`, player: winner } : { title: 'It\u2019s a draw', player: null };
}

function showLine(line) {
  byId('best-title').textContent = pointed === null ? 'Best play' : `Best play after ${columnName(pointed)}`;
  byId('best-line').replaceChildren(...(line ?? []).map((column, index) => node('span', {}, sign(moverOf(game(), place.ply + index)), MOVE_SIGNS[column])));
  if (!line || isOver()) byId('best-line').textContent = line ? 'The game is over.' : 'Looking\u2026';
  byId('follow').disabled = !line?.length;
}

function showReason(reason) {
  byId('why').hidden = !reason.text.length;
  byId('why-title').textContent = reason.title;
  byId('why-text').replaceChildren(...reason.text);
  byId('why-legend').replaceChildren(...reason.legend.map((text) => node('li', { text })));
  planShown = reason.plan;
  byId('try-plan').hidden = !planShown;
  if (planShown) byId('try-plan').textContent = `Try to beat ${COLOURS[planShown.player - 1]}\u2019s plan`;
}

function render({ drop = false, spoken = '' } = {}) {
  if (editor.isOpen || !isShown(analyseView)) return;
  const [now, over] = [game(), isOver()];
  const found = over ? { state: 'over' } : hints.of(now, place.ply, true);
  // With the reasons on, the column under the pointer or with the focus is explained.
  const subject = why.isOn && !over ? { game: now, ply: place.ply, column: pointed, viewer: mover() } : null;
  const reason = why.show(subject, !over);
  // The scores come first: until they are there, no line is asked for.
  const line = over ? [] : found.answer || found.state === 'failed' ? bestLines.of(now, place.ply, pointed) : null;
  draw(now, place.ply, { drop, marks: { cells: why.isOn ? reason.marks : lineMarks(now, place.ply, line ?? []) }, hints: found });
  showLine(line);
  showReason(reason);
  const words = verdictWords(found.answer?.verdict, COLOURS[mover() - 1]);
  const retry = { label: 'Try again', run: () => { hints.retry(); render(); } };
  say({
    ...titleNow(), spoken, kind: notice?.kind ?? '', buttons: notice?.buttons ?? (found.state === 'failed' ? [retry] : []),
    words: notice?.words ?? reason.words ?? (words ? `${words} with best play.` : over ? '' : hintWords(found)),
  });
  byId('why-button').disabled = over;
  byId('why-button').setAttribute('aria-pressed', String(why.isOn));
  byId('play-on').style.visibility = over ? 'hidden' : 'visible'; // its place stays
  byId('play-on').href = playAddress();
  moves.show(first, lines, place, COLOURS);
}

// The position as a game against the level played last, for the side to move.
function playAddress() {
  const seats = mover() === 1 ? [PERSON, mySeat()] : [mySeat(), PERSON];
  const shown = lines[place.line].slice(0, place.ply);
  return addressOf('play', writeAddress({ ...defaults(), ...setup, seats, begins: String(first) }, first, [shown], { line: 0, ply: place.ply }));
}

function pointAt(column) {
  const wanted = column !== null && openColumns(game(), place.ply).includes(column) ? column : null;
  if (wanted === pointed || editor.isOpen) return;
  pointed = wanted;
  render();
  board.point(wanted);
}

function keepAddress(isNew = false) {
  remember(analyseView, analysisQuery(setup, first, lines, place), null, isNew);
}

// Shows another place of the lines. A change that loses something can be undone with Back.
function arrive(wanted, { isNew = false, drop = false, spoken = lastMoveWords(COLOURS, { ...game(), columns: lines[wanted.line] }, wanted.ply) } = {}) {
  [notice, place, pointed] = [null, wanted, drop ? null : columns.focused()];
  keepAddress(isNew);
  render({ drop, spoken });
}

function drop(column) {
  if (editor.isOpen) return;
  if (!openColumns(game(), place.ply).includes(column)) {
    notice = { words: isOver() ? 'The game is over.' : fullWords(column), kind: 'warning' };
    render();
    return;
  }
  const after = play(lines, place, column);
  ({ lines } = after);
  arrive(after.place, { drop: true });
}

// Adds the line shown to the moves; the arrows then step through it.
function follow() {
  let to = place;
  for (const column of bestLines.of(game(), place.ply, pointed) ?? []) ({ lines, place: to } = play(lines, to, column));
  arrive({ line: to.line, ply: place.ply }, { spoken: 'The line is among the moves. Step through it with the arrow keys.' });
  /** @type {HTMLElement} */ (byId('analyse-steps').querySelector('[aria-label="One move forward"]')).focus();
}

// Starts over from a position. One with a single disc or none is a game from the empty board.
function setUp(wanted, player) {
  const isSame = player === mover() && JSON.stringify(positionAfter(game(), place.ply).cells) === JSON.stringify(wanted.start);
  if (!isSame) {
    setup = { ...defaults(), ...wanted, start: wanted.start.flat().length ? wanted.start : null };
    [first, lines] = [player, [[]]];
    arrive({ line: 0, ply: 0 }, { isNew: true, spoken: 'Position set up.' });
  } else render();
  columns.focus();
}

function openEditor() {
  board.point(null);
  board.light([]);
  editor.open({ width: setup.width, height: setup.height, start: positionAfter(game(), place.ply).cells }, mover());
}

function tryPlan() {
  go(addressOf('play', planQuery(setup, first, [...lines[place.line].slice(0, place.ply), ...planShown.lead], planShown)));
}

function open(query) {
  if (editor.isOpen) editor.close();
  [notice, pointed] = [null, null];
  try {
    const asked = readAddress(query);
    setup = { ...defaults(), width: asked.setup.width, height: asked.setup.height, start: asked.setup.start };
    first = asked.first ?? 1;
    lines = asked.lines ?? [[]];
    place = asked.place ?? { line: 0, ply: 0 };
    keepAddress();
  } catch (error) {
    [setup, first, lines, place] = [defaults(), 1, [[]], { line: 0, ply: 0 }];
    const run = () => arrive({ line: 0, ply: 0 });
    notice = { words: `This link cannot be opened: ${error.message}.`, kind: 'warning', buttons: [{ label: 'Empty board', isStrong: true, run }] };
  }
  showHead();
}

function showHead() {
  byId('players').replaceChildren('You move for both sides');
  render();
}

const toggleWhy = () => { why.turn(!why.isOn); render(); };

function arrow(key) {
  if (columns.focused() !== null && !isOver()) return columns.key(key);
  return lines[0].length ? moves.key(key) : columns.key(key);
}

whenPressed({
  edit: openEditor,
  'why-button': toggleWhy,
  'try-plan': tryPlan,
  follow,
  empty() {
    [setup, first, lines] = [defaults(), 1, [[]]];
    arrive({ line: 0, ply: 0 }, { isNew: true });
  },
});
byId('share-analysis').append(createCopyLink((words) => { notice = { words, kind: '' }; render(); }));

export const analyseView = {
  name: 'analyse',
  open,
  show: showHead,
  hide() { if (editor.isOpen) editor.close(); },
  drop,
  canDrop: () => !isOver() && !editor.isOpen,
  pointed: pointAt,
  undo: () => moves.key('ArrowLeft'),
  redo: () => moves.key('ArrowRight'),
  arrow,
  isEditing: () => editor.isOpen,
  keys: { w: toggleWhy, b: () => announce(globalThis.Connect4Board.describeDiscs(game(), place.ply)), e: openEditor },
};
