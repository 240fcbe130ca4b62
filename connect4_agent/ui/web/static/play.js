// The page on which people play: it holds the game and keeps the board, hints, players and address up to date.
import './board.js';
import { PERSON, analysisAddress, defaults, readAddress, writeAddress } from './address.js';
import { askPlayers } from './api.js';
import { createBar } from './bar.js';
import { createColumns } from './columns.js';
import { columnName, moverOf, openColumns, positionAfter, resultAfter } from './game.js';
import { createGuard } from './guard.js';
import { createHints } from './hints.js';
import { listenToKeys, listenToPointer, listenToSteps } from './input.js';
import { nextLevel } from './ladder.js';
import { lessonAt, mistakeAt, notesOf } from './lesson.js';
import { placeOf, play, promote, remove } from './lines.js';
import { MAX_MOMENTS, createMoments } from './moments.js';
import { createMoves } from './moves.js';
import { keepMyGame } from './my_games.js';
import { createNudge } from './nudge.js';
import { announce, byId, canHover, createCopyLink, fitBoard, keep, node, recall, showMessage, sign } from './page.js';
import { showActions, showStanding, showStatus } from './panel.js';
import { fallMs } from './playout.js';
import { createReview } from './review.js';
import {
  aboutOf, isPerson, namesOf, ownersOf, peopleCount, planOf, planSeat, redoPly, titleOf, undoPly, unknownSeat,
} from './seats.js';
import { createSetup } from './setup.js';
import { createSheet } from './sheet.js';
import { sound } from './sound.js';
import { createTabs } from './tabs.js';
import { createThinking } from './thinking.js';
import { createTravel } from './travel.js';
import { colourOf, createWhy, reasonNodes } from './why.js';
import { lastMoveWords, turnWords } from './words.js';

const WATCH_PACE_MS = 700; // between the moves of two players that somebody is watching
const NOTHING_JUDGED = { moves: [], mistakes: [], players: [] };

let setup = defaults();
let first = 1;
let lines = [[]]; // the main line and its variations: lines.js
let place = { line: 0, ply: 0 }; // the position shown
let goesOn = true; // whether players move without being asked
let wasReview = false; // when it was last drawn
let isReviewed = false; // somebody asked for the review of an unfinished game
let judged = NOTHING_JUDGED; // of the line shown
let notice = ''; // why a disc was refused, until something happens
let questioned = []; // where the disc would land that a question is about
let gameName = ''; // tells the games in the browser's history apart
let edits = 0; // how often this game's moves were deleted or reordered
let isMine = false; // played in this browser; a game behind a link may be somebody else's
let offered = null; // the level to play next: ladder.js

const board = globalThis.Connect4Board.create(byId('board'), { labels: false, peeks: canHover, landed: endGame });
const bar = createBar(byId('bar'));
const hints = createHints(() => render());
const why = createWhy({ changed: () => render(), light: (cells) => board.light(cells), tryPlan });
const columns = createColumns(byId('columns'), { play: drop, point });
const guard = createGuard();
const nudge = createNudge(() => { render(); sayNudge(); });
const moments = createMoments({
  show: showMoment, light: (cells) => board.light(cells), leave: () => travel.back(), again: () => { leaveMoments(); playAgain(); },
});
const moves = createMoves({ jump });
const review = createReview({
  jump: (ply) => jump({ ...place, ply }), open: openMistake, onJudged: (found) => { judged = found; keepMistakes(); render(); },
});
const reviewOffer = byId('offer-review');
const tabs = createTabs(byId('tabs'), offerReview);
const sheet = createSheet();
const form = createSetup({ start: () => begin({ ...setup, ...form.read(), start: null }, { isNew: true }) });
const thinking = createThinking({ played: playMove, failed: tellFailure, waits: () => render(), unreachable: tellSilence });
const travel = createTravel({ arrive });

const names = () => namesOf(setup);
const game = () => ({ width: setup.width, height: setup.height, start: setup.start, first, columns: lines[place.line] });
const mover = () => moverOf({ first }, place.ply);
const isLive = () => place.ply === lines[place.line].length;
const isWatched = () => peopleCount(setup) === 0;
const isOver = () => resultAfter(game(), place.ply).over;
const isEnding = () => isOver() && board.isFalling; // nothing is said about the end until its disc has landed
const isFinished = () => resultAfter(game(), lines[place.line].length).over;
const isReview = () => isFinished() || isReviewed;
const isPlayersTurn = () => !isOver() && !isPerson(setup, mover());
const planNow = () => planOf(setup.seats[0]) ?? planOf(setup.seats[1]);
const lastMove = () => lastMoveWords(setup, game(), place.ply);
const mistakeShown = () => mistakeAt(judged.mistakes, place.ply);
const lessonNow = () => lessonAt(judged.mistakes, place.ply);

function statusNow() {
  const state = thinking.isWaiting ? 'queues' : thinking.isOn ? 'thinks' : !goesOn && isLive() ? 'waits' : '';
  return turnWords(setup, game(), place.ply, state);
}

function tell(text) {
  announce(`${text} ${statusNow().text}`);
}

// Why a person cannot drop a disc now; empty if they can.
function whyNot() {
  if (moments.isOn) return moments.whyNot();
  if (isOver()) return 'The game is over.';
  return isPlayersTurn() ? `It is ${names()[mover() - 1]}’s turn.` : '';
}

function point(column) {
  const isShown = moments.isOn ? moments.isAsking : whyNot() === '';
  board.point(column !== null && isShown ? column : null);
}

// The curve and the bar take the view of the person who plays, or else of player 1.
function viewer() {
  return isPerson(setup, 2) && !isPerson(setup, 1) ? 2 : 1;
}

function render({ dropped = false } = {}) {
  if (moments.isOn) return;
  const now = game();
  fitBoard(now);
  if (dropped) board.show(now, place.ply, { drop: true });
  if (dropped) board.reveal();
  if (isEnding()) return;
  renderReview(now);
  const lesson = lessonNow();
  const over = isOver();
  const isWanted = !over && (!isPlayersTurn() || isWatched() || !goesOn || !isLive());
  const found = hints.of(now, place.ply, isWanted);
  board.show(now, place.ply);
  const cells = why.show(now, place.ply, whySubject(), isWanted || over);
  const said = whyNot() ? null : nudge.of(now, place.ply);
  const stars = (said?.column ?? null) === null ? {} : { better: [said.column] };
  board.show(now, place.ply, { marks: { ...lesson?.marks, ...stars, cells } });
  board.light(notice ? questioned : said?.cells ?? []);
  columns.show(now, place.ply, over && found.state !== 'off' ? { state: 'over' } : found, whyNot(), ownersOf(setup));
  point(columns.focused());
  renderPanel(now, found, lesson, said);
  byId('guard').checked = guard.isOn(setup.seats);
  byId('hints').checked = hints.isOn;
  byId('score-key').hidden = !hints.isOn;
  byId('line-tools').hidden = place.line === 0;
  moves.show(first, lines, place, names(), notesOf(judged.mistakes, place.line));
}

function renderPanel(now, found, lesson, said) {
  const isEmpty = !place.ply && isLive() && !isPlayersTurn();
  const shown = {
    setup, game: now, ply: place.ply, names: names(), viewer: viewer(), status: statusNow(), isOver: isOver(), isReview: isReview(),
    judged, mistake: mistakeShown(), found, isHinted: hints.isOn, isWhy: why.isOn,
    detail: notice || (said && reasonNodes(said.words, (lit) => board.light(lit)))
      || lesson?.text || (isEmpty ? emptyWords() : isOver() && offerWords() || `${lastMove()}${consolation()}`),
    isRefused: notice !== '',
    isWaiting: isPlayersTurn() && !thinking.isOn && !(goesOn && isLive()), isRunning: thinking.isOn && goesOn,
    isPlan: planNow() !== null, mover: names()[mover() - 1], offered, isStuck: whyNot() !== '',
    canUndo: undoPly(setup, now, place.ply) !== null || canUndoNewGame(),
  };
  showStatus(shown);
  showStanding(bar, shown);
  showActions(shown);
}

// What to do with an empty board.
function emptyWords() {
  return byId('welcome').hidden ? 'Click a column, or press its number.' : `Choose a card, or just begin: then ${names()[1]} is your opponent.`;
}

// For a person who lost to a player: until when the game was open; empty until the moves are judged.
function consolation() {
  const isLost = isOver() && peopleCount(setup) === 1 && ![null, viewer()].includes(resultAfter(game(), place.ply).winner);
  const last = isLost ? judged.mistakes.findLast((each) => each.player === viewer() && each.changesResult) : undefined;
  return last ? ` You were in it until move ${last.ply + 1}.` : '';
}

// What to explain: a mistake under review, or the position if somebody has asked why; null for nothing.
function whySubject() {
  const mistake = mistakeShown();
  if (mistake) return { ply: mistake.ply, column: mistake.column, viewer: viewer() };
  const isShown = why.isOn && (hints.isOn || isReview()) && !isOver();
  return isShown ? { ply: place.ply, column: undefined, viewer: viewer() } : null;
}

function hearBoard() {
  const [shown, ply] = moments.isOn ? [moments.position, moments.position.columns.length] : [game(), place.ply];
  announce(`${globalThis.Connect4Board.describeDiscs(shown, ply)} ${moments.isOn ? moments.heading : `${statusNow().text}.`}`);
}

function showKeys() {
  byId('keys-dialog').showModal();
}

function toggleWhy() {
  if (!hints.isOn && !isReview()) {
    hints.turn(true);
    why.turn(true);
  } else why.turn(!why.isOn);
  render();
}

// A game against the plan of a reason, from the position after some columns on; it is no game of this person's own.
function tryPlan(given, { player, plan }) {
  stopThinking();
  const seats = player === 1 ? [planSeat(plan, given.length), PERSON] : [PERSON, planSeat(plan, given.length)];
  setup = { ...setup, seats, names: ['', ''] };
  [gameName, edits, isMine] = [newName(), 0, false];
  open({ first, lines: [given], place: { line: 0, ply: given.length }, goesOn: true }, 'act');
  const [me, it] = [colourOf(3 - player), colourOf(player)];
  showMessage(`You are ${me} now. ${it} follows its plan, whatever you do. Can you beat it?`, {
    label: 'Back', run: () => travel.back(),
  }, true);
  columns.focus();
  tell(`You are ${me} now. ${it} follows its plan.`);
}

function renderReview(now) {
  if (isReview()) review.show(now, place.ply, { names: names(), viewer: viewer() });
  else {
    review.hide();
    judged = NOTHING_JUDGED;
  }
  if (isReview() && tabs.shown === 'tab-moves' && !wasReview) tabs.show('tab-curve');
  else if (!isReview() && wasReview) tabs.show('tab-moves');
  wasReview = isReview();
  offerReview();
}

// An unfinished game is reviewed if somebody asks for it, in the tabs that are empty until then.
function offerReview() {
  const tab = tabs.shown;
  reviewOffer.hidden = isReview() || tab === 'tab-moves' || !lines[place.line].length;
  const host = byId(byId(tab).getAttribute('aria-controls'));
  if (tab !== 'tab-moves' && !isReview() && host.firstChild !== reviewOffer) host.replaceChildren(reviewOffer);
}

// Puts what is shown into the address. After a reload, a game from this page continues by itself; a link from
// elsewhere shows its position first.
function remember(kind) {
  const address = writeAddress(setup, first, lines, place);
  byId('analyse').href = analysisAddress(setup, first, lines, place);
  travel.remember(address, { goesOn, first, gameName, edits, isMine }, kind);
  if (isMine) keep('game', address);
}

// A player's reply leaves a mild message where it is.
function stopThinking({ isReply = false } = {}) {
  thinking.stop();
  byId('welcome').hidden = true;
  notice = '';
  if (!isReply || !byId('message').classList.contains('mild')) showMessage(null);
}

// The last disc is heard when it first touches the one below it.
const soundLanding = (now, ply) => sound.land(fallMs(now, ply) * 0.7);

function playMove(column) {
  const isReply = isPlayersTurn();
  stopThinking({ isReply });
  const before = game().columns;
  ({ lines, place } = play(lines, place, column));
  if (game().columns !== before) leaveReview();
  // A player's move shares the history entry of the move that it answers.
  remember(isReply ? 'same' : 'act');
  soundLanding(game(), place.ply);
  proceed({ dropped: true });
  if (!isOver()) tell(lastMove());
  else if (!isEnding()) endGame();
}

// The last disc has landed.
function endGame() {
  if (moments.isOn || !isOver()) return;
  offerLevel();
  render();
  sound.finish();
  tell(`${lastMove()} ${offerWords()}`);
}

// After two wins the next opponent is a level stronger; after three losses a weaker one is offered.
function offerLevel() {
  if (!isMine || peopleCount(setup) !== 1) return;
  const { winner } = resultAfter(game(), place.ply);
  const me = viewer();
  offered = nextLevel(setup.seats[2 - me], gameName, winner === me ? 'win' : winner ? 'loss' : 'draw');
}

function offerWords() {
  if (!offered) return '';
  const [was, next] = [setup.seats[2 - viewer()], offered.seat].map(titleOf);
  return offered.isUp ? `Two wins in a row! Your next opponent is ${next}.` : `${was} is a hard nut. Would you like to try ${next}?`;
}

function playLevel(seat) {
  const seats = viewer() === 1 ? [PERSON, seat] : [seat, PERSON];
  begin({ ...setup, seats }, { isNew: true });
}

// A game like the last one, against the same opponent or the next level; a plan is tried again from where it began.
function playAgain() {
  if (planNow()) jump({ ...place, ply: Math.min(planNow().from, place.ply) });
  else if (offered?.isUp) playLevel(offered.seat);
  else begin(setup, { isNew: true });
}

// The three cards for a first visitor, until one is chosen or a game is played.
function welcome() {
  byId('welcome').hidden = false;
  render();
  for (const card of byId('welcome').querySelectorAll('button')) {
    card.addEventListener('click', () => begin({ ...defaults(), seats: [PERSON, card.dataset.seat], begins: '1' }, { isNew: true }));
  }
}

// A finished game from the empty board in which the only person made mistakes gives that person puzzles.
function keepMistakes() {
  const player = viewer();
  const hasPuzzles = !setup.start && peopleCount(setup) === 1 && judged.mistakes.some((each) => each.player === player && each.changesResult);
  if (isMine && isFinished() && hasPuzzles) keepMyGame({ ...game(), player });
}

function leaveReview() {
  isReviewed = false;
  judged = NOTHING_JUDGED;
}

// A person's disc.
function drop(column) {
  if (moments.isOn) {
    moments.drop(column);
    return;
  }
  if (isEnding()) return;
  const why = whyNot() || (openColumns(game(), place.ply).includes(column) ? '' : `C${columnName(column).slice(1)} is full.`);
  if (why) {
    [notice, questioned] = [why, []];
    render();
    announce(notice);
    return;
  }
  const question = guard.isOn(setup.seats) ? guard.question(game(), place.ply, column, names()[2 - mover()]) : '';
  if (question) {
    notice = question;
    questioned = [[column, positionAfter(game(), place.ply).cells[column].length]];
    render();
    announce(notice);
    return;
  }
  goesOn = true;
  isMine = true;
  playMove(column);
}

// Lets a player move if it is its turn, and shows the game.
function proceed(options) {
  if (goesOn && isLive() && isPlayersTurn()) think();
  render(options);
}

function think({ atOnce = false } = {}) {
  const pause = atOnce ? 0 : isWatched() ? WATCH_PACE_MS : fallMs(game(), place.ply);
  thinking.ask(game(), place.ply, { player: setup.seats[mover() - 1], seed: setup.seed }, pause);
}

// Lets the players move, or stops two who are watched.
function goOrPause() {
  const running = thinking.isOn;
  stopThinking();
  goesOn = !(isWatched() && running);
  if (goesOn) think({ atOnce: true });
  remember('same');
  render();
}

// One move of two players who are watched.
function stepPlayers() {
  stopThinking();
  goesOn = false;
  think({ atOnce: true });
  render();
}

function tellFailure(message) {
  const wasGoingOn = goesOn;
  goesOn = false;
  render();
  showMessage(message, {
    label: 'Try again', run: () => { showMessage(null); goesOn = wasGoingOn; think({ atOnce: true }); render(); },
  });
}

// The server is out of reach; the request repeats itself.
function tellSilence(message) {
  const again = () => { showMessage(null); thinking.stop(); think({ atOnce: true }); render(); };
  showMessage(`${message} Trying again by itself\u2026`, { label: 'Try again now', run: again });
}

function jump(wanted) {
  if (moments.isOn) return;
  stopThinking();
  sheet.lower();
  if (wanted.line !== place.line) leaveReview();
  place = wanted;
  if (isWatched() || !isLive()) goesOn = !isWatched();
  remember('walk');
  proceed();
  tell(lessonNow()?.text ?? lastMove());
}

function canUndoNewGame() {
  return lines[0].length === 0 && travel.canGoBack;
}

function undo() {
  const ply = undoPly(setup, game(), place.ply);
  if (ply !== null) jump({ ...place, ply });
  else if (canUndoNewGame()) travel.back();
}

function redo() {
  const ply = redoPly(setup, game(), place.ply);
  if (ply !== null) jump({ ...place, ply });
}

// The position after a mistake, with what would have been better.
function openMistake(mistake) {
  if (!mistake) return;
  jump({ ...place, ply: mistake.ply + 1 });
  byId('board').scrollIntoView({ block: 'nearest' });
}

// The person's mistake that is shown, or else the moments of the whole game. Back leads out of them.
function look() {
  const mistake = mistakeShown();
  const player = mistake && isPerson(setup, mistake.player) && mistake.isGrave ? mistake.player : viewer();
  const grades = judged.players[player - 1];
  const shown = grades.moments.filter(({ ply }) => ply === mistake?.ply && player === mistake.player);
  travel.remember(writeAddress(setup, first, lines, place), { goesOn, first, gameName, edits, isMine }, 'act');
  showMessage(null);
  document.body.classList.add('is-moments');
  moments.start({
    game: game(), names: names(), player, grades, moments: shown.length ? shown : grades.moments.slice(0, MAX_MOMENTS),
  });
  columns.focus();
}

// A position of the moments; nothing about it goes into the address.
function showMoment(now, ply, { drop: isDropped, marks }) {
  board.show(now, ply, { drop: isDropped, marks });
  if (isDropped) soundLanding(now, ply);
  columns.show(moments.position, moments.position.columns.length, { state: hints.isOn ? 'over' : 'off' }, whyNot(), ownersOf(setup));
  byId('bar').hidden = true;
  byId('turn').replaceChildren(sign(moments.player), moments.heading);
}

function leaveMoments() {
  moments.stop();
  document.body.classList.remove('is-moments');
}

// The next step of a hint.
function hint() {
  if (moments.isOn || whyNot()) return;
  notice = '';
  showMessage(null); // the hint takes its place
  nudge.press(game(), place.ply, names());
  render();
  sayNudge();
}

function sayNudge() {
  const said = nudge.of(game(), place.ply);
  if (said) announce(byId('detail').textContent);
}

// A new order of lines, or fewer of them.
function edit(changed, said) {
  stopThinking();
  edits += 1;
  leaveReview();
  ({ lines, place } = changed);
  remember('act');
  proceed();
  tell(said);
}

const newName = () => crypto.getRandomValues(new Uint32Array(2)).join('-');

// `isOwn` is false for a game that nobody has chosen to play yet.
function begin(wanted, { isNew, isOwn = true }) {
  leaveMoments();
  stopThinking();
  sheet.lower();
  const hadMoves = lines[0].length > 0;
  setup = wanted;
  gameName = newName();
  edits = 0;
  isMine = isOwn;
  const beginner = setup.begins === 'random' ? 1 + Math.floor(Math.random() * 2) : Number(setup.begins);
  // Two players start when somebody presses Play, not because a link was opened.
  open({ first: beginner, goesOn: isNew || !isWatched() }, isNew ? 'act' : 'same');
  tell('New game.');
  if (isNew) columns.focus();
  if (isNew && hadMoves) showMessage('Your previous game is kept.', { label: 'Back to it', run: () => travel.back() }, true);
}

function showPlayers() {
  form.write(setup);
  byId('players').replaceChildren(...[1, 2].map((player) => {
    const about = aboutOf(setup.seats[player - 1]);
    const words = about && !isWatched() ? [node('span', { class: 'about', text: `: ${about}` })] : [];
    return node('span', {}, sign(player), names()[player - 1], ...words);
  }));
}

// Shows a game as it is.
function open(wanted, kind) {
  stopThinking();
  leaveReview();
  offered = null;
  ({ first, lines = [[]], place = { line: 0, ply: 0 }, goesOn } = wanted);
  showPlayers();
  if (kind !== 'none') remember(kind);
  proceed();
}

function isFinishedIn({ setup: { width, height, start }, first: beginner, lines: asked, place: { line } }) {
  return resultAfter({ width, height, start, first: beginner, columns: asked[line] }, asked[line].length).over;
}

// The game that the address describes, or an empty board and what is wrong with the address. The address / alone
// continues the last game played in this browser, or starts another one like it.
function load() {
  const last = location.search || history.state?.gameName ? '' : recall('game', '');
  const state = last ? { isMine: true } : history.state ?? {};
  try {
    const asked = readAddress(last || location.search);
    const isStart = asked.lines === null || (last && isFinishedIn(asked));
    const isFirstVisit = isStart && !state.gameName && !location.search && recall('game', '') === '';
    if (isFirstVisit) {
      begin({ ...asked.setup, begins: '1' }, { isNew: false, isOwn: false });
      welcome();
    } else if (isStart && !state.gameName) begin(asked.setup, { isNew: false });
    else {
      setup = asked.setup;
      const wanted = asked.lines ?? [[]];
      [gameName, edits, isMine] = [state.gameName ?? newName(), state.edits ?? 0, state.isMine === true];
      const isFresh = !wanted[0].length || last !== '';
      open({
        first: wanted[0].length ? asked.first : state.first ?? asked.first,
        lines: wanted,
        place: asked.place ?? undefined,
        goesOn: (isFresh && !isWatched()) || state.goesOn === true,
      }, 'same');
    }
  } catch (error) {
    setup = defaults();
    gameName = '';
    isMine = false;
    open({ first: 1, goesOn: false }, 'none');
    showMessage(`This link cannot be opened: ${error.message}.`, {
      label: 'Start a new game', run: () => begin(defaults(), { isNew: true }),
    });
  }
}

// Back or Forward was pressed. Within a game this loses no move; it only shows another position.
function arrive(state) {
  leaveMoments();
  if (!state || state.gameName !== gameName || state.edits !== edits) {
    load();
    return;
  }
  const asked = readAddress(location.search);
  const columnsThen = (asked.lines ?? [[]])[asked.place?.line ?? 0].slice(0, asked.place?.ply ?? 0);
  const wanted = placeOf(lines, columnsThen, asked.place?.line);
  if (!wanted) { // the page was reloaded in between, from an entry with fewer moves
    load();
    return;
  }
  stopThinking();
  if (wanted.line !== place.line) leaveReview();
  place = wanted;
  goesOn = isLive() && state.goesOn;
  remember('same');
  proceed();
  tell(lastMove());
}

listenToKeys({
  width: () => setup.width,
  drop,
  undo,
  redo,
  others: {
    a: () => moments.isOn || byId('hints').click(), b: hearBoard, h: hint, w: () => (moments.isOn ? moments.press('watch') : toggleWhy()), '?': showKeys,
    r: () => moments.press('retry'), s: () => moments.press('answer'), n: () => moments.press('next'),
    escape: () => moments.isOn && travel.back(),
  },
});
listenToSteps((key) => {
  if (moments.isOn) return columns.key(key);
  // With the focus on a column, arrows choose a column until the game is over; elsewhere they step.
  if ((columns.focused() !== null || !lines[0].length) && !isOver()) return columns.key(key);
  const isStep = moves.key(key);
  if (isStep && columns.focused() !== null) byId('steps').focus({ preventScroll: true }); // so that the next key steps as well
  return isStep;
});
listenToPointer(board, { drop, point, rest: () => point(columns.focused()) });

// What the buttons do.
const PRESSED = {
  undo,
  'new-game': () => form.open(),
  'play-again': playAgain,
  'play-level': () => playLevel(offered.seat),
  'why-button': toggleWhy,
  keys: showKeys,
  'hint-retry': () => { hints.retry(); render(); },
  judge: () => { isReviewed = true; render(); },
  look,
  hint,
  promote: () => edit({ lines: promote(lines, place.line), place: { line: 0, ply: place.ply } }, 'This is now the main line.'),
  delete: () => edit(remove(lines, place.line), 'Variation deleted; Back restores it.'),
  go: goOrPause,
  step: stepPlayers,
};
for (const [id, run] of Object.entries(PRESSED)) byId(id).addEventListener('click', run);
byId('hints').addEventListener('change', () => { hints.turn(byId('hints').checked); render(); });
byId('share').append(createCopyLink((text) => { byId('share-said').textContent = text; }));
byId('guard').addEventListener('change', () => guard.turn(byId('guard').checked));
byId('sound').checked = sound.isOn;
byId('sound').addEventListener('change', () => sound.turn(byId('sound').checked));

async function askWhoPlays() {
  try {
    const listing = await askPlayers();
    form.fill(listing);
    showPlayers();
    byId('run-link').hidden = !listing.has_run;
    const unknown = unknownSeat(setup, listing);
    if (unknown) {
      showMessage(`This server has no player “${unknown}”.`, { label: 'New game', run: () => form.open() });
    }
    render();
  } catch (error) {
    showMessage(error.message, { label: 'Try again', run: () => { showMessage(null); askWhoPlays(); } });
  }
}

load();
askWhoPlays();
