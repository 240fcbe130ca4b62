// The page on which people play: it holds the game and lets board, hints, players and address follow it.
import './board.js';
import { defaults, readAddress, writeAddress } from './address.js';
import { askAnalysis, askMove, askPlayers, isAbort } from './api.js';
import { createColumns } from './columns.js';
import { moverOf, newGame, openColumns, requestOf, resultAfter, withMove } from './game.js';
import { createHints } from './hints.js';
import { listenToKeys, listenToPointer } from './input.js';
import { createMoves } from './moves.js';
import { announce, byId, createCopyLink, showMessage, sign } from './page.js';
import { createReview } from './review.js';
import { isPerson, namesOf, peopleCount, redoPly, undoPly } from './seats.js';
import { createSetup } from './setup.js';
import { columnWords, hintWords, lastMoveWords, turnWords } from './words.js';

const WATCH_PACE_MS = 700; // between the moves of two players that somebody watches
const LANDING_MS = 330; // a disc has come down before the answer to it appears

let setup = defaults();
let game = newGame(setup.width, setup.height, 1);
let ply = 0; // the position shown: after so many of the game's moves
let goesOn = true; // whether players move without being asked
let thinking = null; // the AbortController of the question for a move
let mistakeShown = null; // the mistake whose position is shown, with what was better
let mistakes = [];
let reviewWanted = false; // somebody asked for the curve of an unfinished game

const board = globalThis.Connect4Board.create(byId('board'), { labels: false });
const hints = createHints(() => render());
const columns = createColumns(byId('columns'), { play: drop, point });
const moves = createMoves({ jump });
const review = createReview({ jump, open: openMistake, onJudged: (found) => { mistakes = found; render(); } });
const form = createSetup({ start: startNewGame });

const names = () => namesOf(setup);
const mover = () => moverOf(game, ply);
const isLive = () => ply === game.columns.length;
const isWatched = () => peopleCount(setup) === 0;
const isOver = () => resultAfter(game, ply).over;
const isPlayersTurn = () => !isOver() && !isPerson(setup, mover());
const lessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function statusNow() {
  return turnWords(setup, game, ply, thinking ? 'thinks' : !goesOn && isLive() ? 'waits' : '');
}

const lastMove = () => lastMoveWords(setup, game, ply);

function detailNow() {
  if (mistakeShown) return mistakeShown.text;
  if (ply || !isLive() || isPlayersTurn()) return lastMove();
  return 'Click a column, or press its number.';
}

function tell(text) {
  announce(`${text} ${statusNow().text}`);
}

// Why no disc can be dropped by a person now; empty where one can.
function whyNot() {
  if (isOver()) return 'the game is over';
  return isPlayersTurn() ? `it is ${names()[mover() - 1]}’s turn` : '';
}

function point(column) {
  board.point(column !== null && whyNot() === '' ? column : null);
}

function render({ dropped = false } = {}) {
  const status = statusNow();
  board.show(game, ply, { drop: dropped });
  const over = isOver();
  const found = hints.of(game, ply, !over && (!isPlayersTurn() || isWatched() || !goesOn || !isLive()));
  columns.show(game, ply, over && found.state !== 'off' ? { state: 'over' } : found, whyNot());
  point(columns.focused());
  byId('turn').replaceChildren(...(status.player ? [sign(status.player)] : []), status.text);
  byId('detail').textContent = detailNow();
  byId('hint-note').textContent = over ? '' : hintWords(found);
  byId('hint-retry').hidden = found.state !== 'failed';
  byId('hints').checked = hints.isOn;
  byId('score-key').hidden = !hints.isOn;
  byId('undo').disabled = undoPly(setup, game, ply) === null;
  byId('redo').disabled = redoPly(setup, game, ply) === null;
  renderGoOn();
  const notes = [];
  for (const mistake of mistakes) if (mistake.isGrave) notes[mistake.ply] = { mark: '?', words: mistake.what };
  moves.show(game, ply, names(), notes);
  renderReview();
  document.title = `${status.text} \u00b7 Connect Four`;
}

// The buttons for players that wait: step and pause while watching, otherwise a word to go on.
function renderGoOn() {
  const waits = isPlayersTurn() && !thinking && !(goesOn && isLive());
  byId('go').hidden = isOver() || !(isWatched() || waits);
  byId('step').hidden = !isWatched() || isOver();
  const running = thinking !== null && goesOn;
  byId('go').textContent = isWatched() ? (running ? 'Pause' : 'Play') : `Let ${names()[mover() - 1]} move`;
  byId('watching').hidden = byId('go').hidden && byId('step').hidden;
}

function renderReview() {
  const finished = resultAfter(game, game.columns.length).over;
  byId('judge').hidden = finished || reviewWanted || !game.columns.length;
  if (finished || reviewWanted) review.show(game, ply, { names: names(), viewer: viewer() });
  else {
    review.hide();
    mistakes = [];
  }
}

// The curve is seen from the person who plays, else from player 1.
function viewer() {
  return isPerson(setup, 2) && !isPerson(setup, 1) ? 2 : 1;
}

function remember({ isNew = false } = {}) {
  const address = writeAddress(setup, game, ply);
  // What was made here goes on by itself after a reload; a link from elsewhere shows its position first.
  history[isNew ? 'pushState' : 'replaceState']({ goesOn }, '', address);
}

function stopThinking() {
  thinking?.abort();
  thinking = null;
  showMessage(null);
}

function playMove(column) {
  stopThinking();
  game = withMove(game, ply, column);
  ply += 1;
  mistakeShown = null;
  reviewWanted = false;
  review.hide();
  mistakes = [];
  remember();
  proceed({ dropped: true });
  tell(lastMove());
}

// A person's disc.
function drop(column) {
  const why = whyNot() || (openColumns(game, ply).includes(column) ? '' : `column ${column + 1} is full`);
  if (why) {
    announce(`No disc was dropped: ${why}.`);
    return;
  }
  goesOn = true;
  playMove(column);
}

// Lets a player move if it is its turn, and shows where the game stands.
function proceed(options) {
  if (goesOn && isLive() && isPlayersTurn()) think();
  render(options);
}

async function think({ atOnce = false } = {}) {
  const controller = new AbortController();
  thinking = controller;
  const player = setup.seats[mover() - 1];
  const pause = isWatched() ? WATCH_PACE_MS : lessMotion() || !ply ? 0 : LANDING_MS;
  const landed = new Promise((resolve) => { setTimeout(resolve, atOnce ? 0 : pause); });
  try {
    const answer = await askMove(requestOf(game, ply), { player, seed: setup.seed }, controller.signal);
    await landed;
    if (thinking !== controller) return;
    if (!openColumns(game, ply).includes(answer.move)) {
      throw new Error(`${player} answered ${JSON.stringify(answer.move)}, which is no open column.`);
    }
    playMove(answer.move);
  } catch (error) {
    if (isAbort(error) || thinking !== controller) return;
    thinking = null;
    const wasGoingOn = goesOn;
    goesOn = false;
    render();
    showMessage(`${player} could not move. ${error.message}`, {
      label: 'Try again', run: () => { showMessage(null); goesOn = wasGoingOn; think({ atOnce }); render(); },
    });
  }
}

function jump(wanted) {
  stopThinking();
  mistakeShown = null;
  ply = wanted;
  if (isWatched() || !isLive()) goesOn = !isWatched();
  remember();
  proceed();
  tell(lastMove());
}

function jumpIf(to) {
  if (to !== null) jump(to);
}

const undo = () => jumpIf(undoPly(setup, game, ply));
const redo = () => jumpIf(redoPly(setup, game, ply));

// The position in which a mistake was made, and what would have been better.
async function openMistake(mistake) {
  jump(mistake.ply);
  const shown = { text: `${mistake.words}.` };
  mistakeShown = shown;
  render();
  announce(shown.text);
  byId('play').scrollIntoView({ block: 'start' });
  try {
    const { best, exact } = await askAnalysis(requestOf(game, ply));
    if (mistakeShown !== shown || !exact) return;
    shown.text += ` Better: ${columnWords(best)}.`;
    render();
    announce(shown.text);
  } catch {
    // The words above stand for themselves.
  }
}

function startNewGame() {
  if (!form.isValid()) return;
  begin({ ...setup, ...form.read() }, { isNew: true });
  columns.focus();
  byId('play').scrollIntoView({ block: 'start' });
}

function begin(wanted, { isNew }) {
  stopThinking();
  setup = wanted;
  const first = setup.begins === 'random' ? 1 + Math.floor(Math.random() * 2) : Number(setup.begins);
  // Two players begin when somebody says so, not because a link was opened.
  open(newGame(setup.width, setup.height, first), 0, isNew || !isWatched());
  remember({ isNew });
  tell('New game.');
}

// Shows a game as it is.
function open(wanted, at, moving) {
  stopThinking();
  [game, ply, goesOn, mistakeShown, reviewWanted] = [wanted, at, moving, null, false];
  form.write(setup);
  byId('players').replaceChildren(...[1, 2].map((player) => {
    const line = document.createElement('span');
    line.append(sign(player), names()[player - 1]);
    return line;
  }));
  proceed();
}

// The game that the address describes, or an empty board and what is wrong with it.
function load() {
  try {
    const asked = readAddress(location.search);
    if (asked.game === null) begin(asked.setup, { isNew: false });
    else {
      setup = asked.setup;
      const fresh = !asked.game.columns.length && peopleCount(setup) > 0;
      open(asked.game, asked.ply, fresh || history.state?.goesOn === true);
      remember();
    }
  } catch (error) {
    setup = defaults();
    goesOn = false;
    open(newGame(setup.width, setup.height, 1), 0, false);
    showMessage(`This address cannot be shown: ${error.message}.`, {
      label: 'Start a new game', run: () => begin(defaults(), { isNew: true }),
    });
  }
}

listenToKeys({ width: () => game.width, drop, arrow: columns.key, undo, redo });
listenToPointer(board, { drop, point, rest: () => point(columns.focused()) });
byId('undo').addEventListener('click', undo);
byId('redo').addEventListener('click', redo);
byId('new-game').addEventListener('click', startNewGame);
byId('hints').addEventListener('change', () => { hints.turn(byId('hints').checked); render(); });
byId('hint-retry').addEventListener('click', () => { hints.retry(); render(); });
byId('judge').addEventListener('click', () => { reviewWanted = true; render(); });
byId('go').addEventListener('click', () => {
  const running = thinking !== null;
  stopThinking();
  goesOn = !(isWatched() && running);
  if (goesOn) think({ atOnce: true });
  remember();
  render();
});
byId('step').addEventListener('click', () => {
  stopThinking();
  goesOn = false;
  think({ atOnce: true });
  render();
});
byId('share').append(createCopyLink((text) => { byId('share-said').textContent = text; }));
window.addEventListener('popstate', load);

async function askWhoPlays() {
  try {
    const listing = await askPlayers();
    form.fill(listing);
    form.write(setup);
    byId('pages').hidden = !listing.has_run;
  } catch (error) {
    showMessage(error.message, { label: 'Try again', run: () => { showMessage(null); askWhoPlays(); } });
  }
}

load();
askWhoPlays();
