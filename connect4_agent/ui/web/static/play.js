// Play: a game against a level, another player, or between two people. It holds the game; play_panel.js says what is shown.
import { PERSON, analysisQuery, defaults, readAddress, writeAddress } from './address.js';
import { askPlayers } from './api.js';
import { moverOf, openColumns, resultAfter } from './game.js';
import { createGuard } from './guard.js';
import { createHint } from './hint.js';
import { createHints } from './hints.js';
import { mySeat, nextLevel, playedAgainst } from './ladder.js';
import { createMoments } from './moments.js';
import { createMoves } from './moves.js';
import { createNewGame } from './new_game.js';
import { announce, byId, createCopyLink, keep, recall, wait, whenPressed } from './page.js';
import { showButtons, showPlayers, showSentence } from './play_panel.js';
import { fallMs } from './playout.js';
import { NOTHING_JUDGED, createReview, graveMistakes } from './review.js';
import { isPerson, namesOf, ownersOf, peopleCount, planOf, planQuery, undoPly, unknownSeat } from './seats.js';
import { board, columns, draw } from './stage.js';
import { createThinking } from './thinking.js';
import { addressOf, go, isShown, remember } from './views.js';
import { createWhy } from './why.js';
import { fullWords, lastMoveWords, turnWords } from './words.js';

const WATCH_PACE_MS = 700; // between the moves of two players that somebody is watching
const GUARD_MS = 400; // how long a disc waits for its risks
const MAX_GAMES = 20; // kept for puzzles

let setup = defaults();
let game = { width: 7, height: 6, start: null, first: 1, columns: [] };
let ply = 0; // the position shown
let goesOn = true; // whether players move without being asked
let judged = NOTHING_JUDGED;
let notice = null; // {words, cells, buttons, kind}: a question or an error, until something happens
let gameName = ''; // tells games apart
let isMine = false; // played in this browser; a game behind a link may be somebody else's
let isWelcome = false; // nobody has chosen anything yet
let isEnded = false; // the end of the game has been counted
let offered = null; // the level to play next: ladder.js

const hints = createHints(() => render());
const hint = createHint(() => render());
const why = createWhy(() => render());
const guard = createGuard();
const thinking = createThinking({ played: playMove, failed: tellFailure, waits: () => render(), unreachable: tellSilence });
const moves = createMoves({ steps: byId('play-steps'), host: byId('play-moves'), jump: (place) => jump(place.ply) });
const review = createReview({ jump, changed: () => { keepMistakes(); render(); } });
const moments = createMoments({ view: () => playView, leave: () => { render(); columns.focus(); } });
const newGame = createNewGame({ start: () => begin({ ...setup, ...newGame.read(), start: null }) });

const names = () => namesOf(setup);
const mover = () => moverOf(game, ply);
const isLive = () => ply === game.columns.length;
const isWatched = () => peopleCount(setup) === 0;
const isOver = () => resultAfter(game, ply).over;
const isFinished = () => resultAfter(game, game.columns.length).over;
const isPlayersTurn = () => !isOver() && !isPerson(setup, mover());
const isFalling = () => isOver() && board.isFalling; // nothing is said about the end until its disc has landed
const plan = () => planOf(setup.seats[0]) ?? planOf(setup.seats[1]);
// The curve takes the view of the person who plays, or else of player 1.
const viewer = () => (isPerson(setup, 2) && !isPerson(setup, 1) ? 2 : 1);
const withPeople = () => [1, 2].filter((player) => isWatched() || isPerson(setup, player));

function canDrop() {
  return moments.isOn ? moments.canDrop() : !isOver() && !isPlayersTurn();
}

function render({ drop = false, spoken = '' } = {}) {
  if (!isShown(playView)) return;
  if (moments.isOn) {
    moments.render();
    return;
  }
  if (drop) draw(game, ply, { drop: true, hints: hints.isOn ? { state: 'none' } : { state: 'off' }, owners: ownersOf(setup) });
  if (isFalling()) return;
  const over = isOver();
  const isReview = isFinished();
  judged = isReview ? review.show(game, ply, { names: names(), players: withPeople(), viewer: viewer() }) : NOTHING_JUDGED;
  const isWanted = !over && (!isPlayersTurn() || isWatched() || !goesOn || !isLive());
  const found = over && hints.isOn ? { state: 'over' } : hints.of(game, ply, isWanted);
  if (guard.isOn(setup.seats) && canDrop()) guard.prepare(game, ply);
  const lesson = judged.moves[ply - 1]?.mark ? judged.moves[ply - 1] : null;
  const subject = why.isOn && !over && (hints.isOn || isReview) ? { game, ply, column: null, viewer: viewer() } : null;
  const reason = why.show(subject, isWanted);
  const advice = canDrop() ? hint.of(game, ply) : null;
  const badge = lesson && { sign: lesson.mark, kind: lesson.grade };
  const marks = { badge, better: advice?.better.length ? advice.better : lesson?.better, cells: reason.marks };
  draw(game, ply, { marks, lit: notice?.cells ?? advice?.cells ?? [], hints: found, owners: ownersOf(setup) });
  moves.show(game.first, [game.columns], { line: 0, ply }, names(), judged.moves.map(({ mark, remark }) => remark && { mark, words: remark }));
  const state = thinking.isWaiting ? 'queues' : thinking.isOn ? 'thinks' : !goesOn && isLive() ? 'waits' : '';
  const shown = {
    setup, game, ply, names: names(), viewer: viewer(), turn: turnWords(setup, game, ply, state), over, isReview, judged, found, lesson,
    advice, notice, reason, offered, isWelcome, isMine, plan: plan(), isHinted: hints.isOn, isLive: isLive(), canDrop: canDrop(),
    moments: momentsNow(), people: peopleCount(setup),
    isWaiting: isPlayersTurn() && !thinking.isOn && !(goesOn && isLive()), isRunning: thinking.isOn && goesOn,
    canUndo: undoPly(setup, game, ply) !== null, spoken: spoken || (ply ? lastMoveWords(names(), game, ply) : ''),
    toggleWhy, tryPlan, retry: () => { hints.retry(); render(); },
  };
  showPlayers(shown);
  showSentence(shown);
  showButtons(shown);
  byId('guard').checked = guard.isOn(setup.seats);
  byId('hints').checked = hints.isOn;
}

// The person's moments of a judged game; those of the moves that led to a plan are somebody else's.
function momentsNow() {
  if (peopleCount(setup) !== 1) return [];
  return (judged.players[viewer() - 1]?.moments ?? []).filter((each) => each.ply >= (plan()?.from ?? 0));
}

// After a reload, a game from this page continues by itself; a link from elsewhere shows its position first.
function keepAddress(isNew = false) {
  const address = writeAddress(setup, game.first, [game.columns], { line: 0, ply });
  byId('analyse-link').href = addressOf('analyse', analysisQuery(game, game.first, [game.columns], { line: 0, ply }));
  remember(playView, isWelcome ? '' : address, { goesOn, first: game.first, gameName, isMine }, isNew);
  if (isMine && !isWelcome) keep('game', address);
}

function stopThinking() {
  thinking.stop();
  notice = null;
}

function playMove(column) {
  stopThinking();
  game = { ...game, columns: [...game.columns.slice(0, ply), column] };
  ply += 1;
  [isWelcome, isEnded] = [false, false];
  keepAddress();
  proceed({ drop: true });
  if (isOver() && !isFalling()) endGame();
}

// The last disc has landed. After two wins the next opponent is a level stronger; after three losses a weaker one is offered.
function endGame() {
  if (moments.isOn || !isOver() || isEnded) return;
  isEnded = true;
  const { winner } = resultAfter(game, ply);
  if (isMine && peopleCount(setup) === 1 && !plan()) {
    offered = nextLevel(setup.seats[2 - viewer()], gameName, winner === viewer() ? 'win' : winner ? 'loss' : 'draw');
    if (offered?.isUp) playedAgainst(offered.seat);
  }
  render();
}

// A finished game from the empty board in which the only person made mistakes gives that person puzzles.
function keepMistakes() {
  if (!isMine || setup.start || peopleCount(setup) !== 1 || !graveMistakes(game, judged, [viewer()]).length) return;
  const text = JSON.stringify({ ...game, player: viewer() });
  const others = [recall('games', [])].flat().filter((each) => JSON.stringify(each) !== text);
  keep('games', [JSON.parse(text), ...others].slice(0, MAX_GAMES));
}

function refuse(words) {
  notice = { words, kind: 'warning' };
  render();
}

// A person's disc.
async function drop(column) {
  if (moments.isOn) {
    moments.drop(column);
    return;
  }
  if (isFalling()) return;
  if (isOver()) refuse('The game is over.');
  else if (isPlayersTurn()) refuse(`It is ${names()[mover() - 1]}\u2019s turn.`);
  else if (!openColumns(game, ply).includes(column)) refuse(fullWords(column));
  else if (!guard.isOn(setup.seats)) dropAtOnce(column);
  else {
    const [columnsThen, plyThen] = [game.columns, ply];
    await guard.ready(game, ply, wait(GUARD_MS));
    if (game.columns !== columnsThen || ply !== plyThen || !canDrop()) return;
    const found = guard.question(game, ply, column);
    if (!found) dropAtOnce(column);
    else {
      const buttons = [
        { label: 'Go back', isStrong: true, run: () => { notice = null; render(); columns.focus(); } },
        { label: 'Play it', run: () => dropAtOnce(column) },
      ];
      notice = { ...found, kind: 'warning', buttons };
      render();
    }
  }
}

function dropAtOnce(column) {
  [goesOn, isMine] = [true, true];
  if (!game.columns.length) playedAgainst(setup.seats[2 - viewer()]);
  playMove(column);
}

// Lets a player move if it is its turn, and shows the game.
function proceed(options = {}) {
  if (goesOn && isLive() && isPlayersTurn()) think();
  render(options);
}

function think({ atOnce = false } = {}) {
  const pause = atOnce ? 0 : isWatched() ? WATCH_PACE_MS : fallMs(game, ply);
  thinking.ask(game, ply, { player: setup.seats[mover() - 1], seed: setup.seed }, pause);
}

// Lets the players move, or stops two who are watched.
function goOrPause() {
  const isRunning = thinking.isOn;
  stopThinking();
  goesOn = !(isWatched() && isRunning);
  if (goesOn) think({ atOnce: true });
  keepAddress();
  render();
}

// Says what is wrong, and offers one thing to do.
function warn(words, label, run) {
  notice = { words, kind: 'warning', buttons: [{ label, isStrong: true, run }] };
  render();
}

function thinkAgain(goesOnThen = goesOn) {
  stopThinking();
  goesOn = goesOnThen;
  think({ atOnce: true });
  render();
}

function tellFailure(words) {
  const wasGoingOn = goesOn;
  goesOn = false;
  warn(words, 'Try again', () => thinkAgain(wasGoingOn));
}

// The server is out of reach; the request repeats itself.
function tellSilence(message) {
  warn(`${message} Trying again by itself\u2026`, 'Try again now', () => thinkAgain());
}

function jump(wanted) {
  if (moments.isOn) return;
  stopThinking();
  ply = wanted;
  if (isWatched() || !isLive()) goesOn = !isWatched();
  keepAddress();
  proceed();
}

function undo() {
  const to = undoPly(setup, game, ply);
  if (to !== null) jump(to);
}

function pressHint() {
  if (moments.isOn || !canDrop()) return;
  notice = null;
  hint.press(game, ply);
  render();
}

function turnHints(on) {
  if (moments.isOn) return;
  hints.turn(on);
  render();
}

function toggleWhy() {
  if (moments.isOn || isOver()) return;
  if (!hints.isOn && !isFinished()) {
    hints.turn(true);
    why.turn(true);
  } else why.turn(!why.isOn);
  render();
}

function tryPlan(reason) {
  go(addressOf('play', planQuery(setup, game.first, [...game.columns.slice(0, ply), ...reason.lead], reason)));
}

function look() {
  if (!momentsNow().length) {
    go(byId('analyse-link').href);
    return;
  }
  notice = null;
  moments.start({ game, player: viewer(), moments: momentsNow() });
  columns.focus();
}

function hearBoard() {
  announce(`${globalThis.Connect4Board.describeDiscs(game, ply)} ${turnWords(setup, game, ply, '').title}.`);
}

// A new game; the one before stays in the history.
function begin(wanted, isNew = true) {
  moments.stop();
  stopThinking();
  setup = wanted;
  gameName = crypto.getRandomValues(new Uint32Array(2)).join('-');
  isMine = true;
  const first = setup.begins === 'random' ? 1 + Math.floor(Math.random() * 2) : Number(setup.begins);
  // Two players start when somebody presses Play, not because a link was opened.
  show({ first, goesOn: isNew || !isWatched() });
  keepAddress(isNew);
  proceed({ spoken: isNew ? 'New game.' : '' });
  if (isNew) columns.focus();
}

function beginWith(seat, { begins = setup.begins } = {}) {
  isWelcome = false;
  playedAgainst(seat);
  const seats = viewer() === 1 ? [PERSON, seat] : [seat, PERSON];
  begin({ ...setup, start: null, seats: seat === PERSON ? [PERSON, PERSON] : seats, begins });
}

// A game like the last one, against the same opponent or the next level; a plan is tried again from where it began.
function playAgain() {
  moments.stop();
  if (plan()) {
    game = { ...game, columns: game.columns.slice(0, plan().from) };
    jump(game.columns.length);
  } else if (offered?.isUp) beginWith(offered.seat);
  else begin({ ...setup });
}

// Puts a game into place.
function show({ first, moves: columnsPlayed = [], at = columnsPlayed.length, goesOn: isGoing }) {
  [offered, notice, isEnded] = [null, null, true];
  game = { width: setup.width, height: setup.height, start: setup.start, first, columns: columnsPlayed };
  [ply, goesOn] = [at, isGoing];
}

function isFinishedIn({ setup: { width, height, start }, first, lines, place: { line } }) {
  return resultAfter({ width, height, start, first, columns: lines[line] }, lines[line].length).over;
}

// Shows the game that an address describes. Without one, the last game in this browser continues, or another one like it
// begins; the first time, somebody is asked who to play.
function open(query, state) {
  moments.stop();
  stopThinking();
  const last = query || state.gameName ? '' : recall('game', '');
  try {
    const asked = readAddress(last || query);
    if (!query && !last) asked.setup.seats[1] = mySeat();
    isWelcome = !query && recall('game', '') === '';
    if (isWelcome || ((asked.lines === null || (last && isFinishedIn(asked))) && !state.gameName)) {
      begin({ ...asked.setup, begins: isWelcome ? '1' : asked.setup.begins }, false);
      return;
    }
    setup = asked.setup;
    gameName = state.gameName ?? crypto.getRandomValues(new Uint32Array(2)).join('-');
    isMine = state.isMine === true || Boolean(last);
    const line = asked.lines?.[asked.place.line] ?? [];
    const isFresh = !line.length || Boolean(last) || plan()?.from === line.length;
    show({
      first: line.length ? asked.first : state.first ?? asked.first ?? 1, moves: line, at: asked.place?.ply,
      goesOn: (isFresh && !isWatched()) || state.goesOn === true,
    });
    keepAddress();
    proceed();
  } catch (error) {
    [setup, gameName, isMine] = [defaults(), '', false];
    show({ first: 1, goesOn: false });
    warn(`This link cannot be opened: ${error.message}.`, 'Start a new game', () => begin({ ...defaults(), seats: [PERSON, mySeat()] }));
  }
}

function openDialog(id) {
  byId('share-said').textContent = '';
  byId(id).showModal();
}

whenPressed({
  undo,
  'undo-end': undo,
  hint: pressHint,
  more: () => openDialog('more-dialog'),
  'more-end': () => openDialog('more-dialog'),
  go: goOrPause,
  look,
  keys: () => { byId('more-dialog').close(); openDialog('keys-dialog'); },
  'new-game': () => { byId('more-dialog').close(); newGame.open(setup); },
  'play-again': playAgain,
  'play-level': () => beginWith(offered.seat),
  'two-people': () => beginWith(PERSON),
});
for (const each of byId('welcome').querySelectorAll('[data-level]')) {
  each.addEventListener('click', () => beginWith(`level:${each.dataset.level}`, { begins: '1' }));
}
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); }); // beside it
}
byId('hints').addEventListener('change', () => turnHints(byId('hints').checked));
byId('guard').addEventListener('change', () => guard.turn(byId('guard').checked));
byId('share-game').append(createCopyLink((text) => { byId('share-said').textContent = text; }));

async function askWhoPlays() {
  try {
    const listing = await askPlayers();
    newGame.fill(listing);
    byId('run-link').hidden = !listing.has_run;
    const unknown = unknownSeat(setup, listing);
    if (!unknown) return;
    stopThinking();
    goesOn = false;
    warn(`This server has no player \u201c${unknown}\u201d.`, 'New game', () => newGame.open(setup));
  } catch (error) {
    warn(error.message, 'Try again', () => { notice = null; askWhoPlays(); });
  }
}

export const playView = {
  name: 'play',
  open,
  show: () => proceed(),
  hide() { moments.stop(); stopThinking(); },
  drop,
  canDrop,
  undo,
  landed: endGame,
  // After the game, arrow keys step through its moves.
  arrow: (key) => (isFinished() && !moments.isOn ? moves.key(key) : columns.key(key)),
  keys: {
    a: () => turnHints(!hints.isOn),
    b: hearBoard,
    h: pressHint,
    w: toggleWhy,
    s: () => moments.press('show'),
    n: () => moments.press('next'),
    escape: () => moments.press('leave'),
    '?': () => openDialog('keys-dialog'),
  },
};

askWhoPlays();
