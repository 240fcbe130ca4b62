// The page of a run: the crosstable, the list of games, and a replay of the chosen one.
import './board.js';
import { PERSON, defaults, writeAddress } from './address.js';
import { askGames, askJudgedGame, askRun } from './api.js';
import { createBar } from './bar.js';
import { drawCrosstable } from './crosstable.js';
import { createHints } from './hints.js';
import { listenToSteps } from './input.js';
import { lastMistake, lessonAt, nextMistake, notesOf } from './lesson.js';
import { createMoves } from './moves.js';
import { announce, button, byId, fitBoard, node, showMessage, sign } from './page.js';
import { createReview } from './review.js';
import { judgedStanding, standingWords } from './standing.js';

const LIST_PAGE = 10;
const SLICE = 500; // games asked for at a time
const NOTHING_JUDGED = { moves: [], mistakes: [] };

let games = null; // until they are loaded
let listed = [];
let page = 0;
let game = null; // the one being replayed
let ply = 0;
let judged = NOTHING_JUDGED;

const board = globalThis.Connect4Board.create(byId('board'));
const bar = createBar(byId('bar'));
const analyses = createHints(() => { if (game) show(); });
const moves = createMoves({ jump: (place) => jump(place.ply) });
const review = createReview({ jump, open: openMistake, onJudged: (found) => { judged = found; show(); } });

const winnerName = (each) => (each.winner ? each.agents[each.winner - 1] : 'nobody');

const seatWords = (each, player) => `${each.agents[player - 1]}${player === each.first ? ' (began)' : ''}`;

// Whether a game passes the three filters.
function isAsked(each) {
  const [agent, against, result] = ['agent', 'against', 'result'].map((name) => byId(`filter-${name}`).value);
  if (agent && !each.agents.includes(agent)) return false;
  if (against && !each.agents.includes(against)) return false;
  if (result === 'fault') return each.fault !== null;
  if (result === 'drawn') return each.ending === 'draw';
  if (result === 'won') return each.winner !== null && (!agent || winnerName(each) === agent);
  if (result === 'lost') return each.winner !== null && (!agent || winnerName(each) !== agent);
  return true;
}

function listGames() {
  const rows = listed.slice(page * LIST_PAGE, (page + 1) * LIST_PAGE).map((each) => {
    const label = { text: String(each.game), 'aria-label': `Replay game ${each.game}` };
    const row = node('tr', { 'data-game': each.game },
      node('td', {}, button(label, () => visit(each))),
      node('td', { class: 'won', text: winnerName(each) }),
      ...[1, 2].map((player) => node('td', {}, sign(player), seatWords(each, player))),
      node('td', each.fault ? { text: each.ending, class: 'fault' } : { text: each.ending }),
      node('td', { text: String(each.columns.length) }));
    if (each === game) row.setAttribute('aria-current', 'true');
    return row;
  });
  byId('game-list').tBodies[0].replaceChildren(...rows);
  const from = listed.length ? page * LIST_PAGE + 1 : 0;
  byId('list-place').textContent = `${from} to ${Math.min((page + 1) * LIST_PAGE, listed.length)} of ${listed.length}`;
  byId('list-back').disabled = page === 0;
  byId('list-on').disabled = (page + 1) * LIST_PAGE >= listed.length;
  const place = listed.indexOf(game);
  byId('game-back').disabled = place < 1;
  byId('game-on').disabled = place + 1 >= listed.length;
}

// Opens the game `by` places further down the list.
function turn(by) {
  const place = listed.indexOf(game) + by;
  page = Math.floor(place / LIST_PAGE);
  visit(listed[place]);
}

// Until the games are loaded, the filters only keep what is chosen.
function filterGames() {
  if (!games) return;
  listed = games.filter(isAsked);
  page = 0;
  listGames();
}

// What an agent did wrong, as it was recorded.
function evidenceOf({ fault, agents }) {
  if (!fault) return [];
  const parts = [node('p', { text: `${agents[fault.player - 1]} (player ${fault.player}): ${fault.detail}` })];
  if (fault.reply !== null) parts.push(node('div', { text: 'Its reply' }), node('pre', { text: fault.reply }));
  if (fault.stderr_tail) {
    parts.push(node('div', { text: 'The end of its standard error' }), node('pre', { text: fault.stderr_tail }));
  }
  return [node('details', { open: '' }, node('summary', { text: 'What went wrong' }), ...parts)];
}

// Shows a game that somebody chose. Moving on to other games adds no history entries: Back leads to the list.
function visit(each) {
  history[game ? 'replaceState' : 'pushState'](null, '', `?game=${each.game}`);
  open(each);
  byId('play').focus({ preventScroll: true });
  byId('play').scrollIntoView({ block: 'start' });
}

function open(each) {
  game = each;
  judged = NOTHING_JUDGED;
  review.hide();
  byId('play').hidden = false;
  const result = game.winner ? `${winnerName(game)} wins` : 'no winner';
  byId('replay-title').textContent = `Game ${game.game}: ${result}, ${game.ending}`;
  byId('players').replaceChildren(...[1, 2].map((player) => node('span', {}, sign(player), seatWords(game, player))));
  byId('evidence').replaceChildren(...evidenceOf(game));
  ply = game.columns.length;
  listGames();
  show();
}

function close() {
  const last = game;
  game = null; // there may have been none
  review.hide();
  byId('play').hidden = true;
  listGames();
  document.querySelector(`[data-game="${last?.game}"] button`)?.focus();
}

function show() {
  const shown = { width: game.width, height: game.height, first: game.first, columns: game.columns };
  fitBoard(shown);
  const lesson = lessonAt(judged.mistakes, shown, ply, analyses.quietly);
  board.show(shown, ply, { marks: lesson?.marks ?? null });
  byId('detail').textContent = lesson?.text ?? globalThis.Connect4Board.describe(game, ply, game.agents);
  moves.show(game.first, [game.columns], { line: 0, ply }, game.agents, notesOf(judged.mistakes, 0, game.opening.length));
  const standing = judgedStanding(shown, ply, judged.moves);
  const words = standing ? standingWords(standing, game.agents) : '';
  bar.show(standing, 1, words || byId('replay-title').textContent);
  byId('verdict').textContent = words && `With best play, ${words.replace(/^You /, 'you ')}.`;
  byId('mistake-back').disabled = !lastMistake(judged.mistakes, ply);
  byId('mistake-on').disabled = !nextMistake(judged.mistakes, ply);
  const view = { names: game.agents, viewer: 1, opening: game.opening.length };
  const { game: number, judged: isJudged } = game;
  const askJudge = isJudged ? (signal) => askJudgedGame(number, signal) : undefined; // not judged a second time
  if (game.columns.length) review.show(shown, ply, view, askJudge);
  byId('play-on').href = writeAddress(
    { ...defaults(), width: game.width, height: game.height, seats: [PERSON, PERSON], begins: String(game.first) },
    game.first, [game.columns.slice(0, ply)], { line: 0, ply },
  ).replace(/^\?/, '/?');
}

function jump(wanted) {
  ply = Math.max(0, Math.min(wanted, game.columns.length));
  show();
  announce(byId('detail').textContent);
}

function openMistake(mistake) {
  if (!mistake) return;
  jump(mistake.ply + 1);
  byId('board').scrollIntoView({ block: 'nearest' });
}

const toNextMistake = () => openMistake(nextMistake(judged.mistakes, ply));
const toLastMistake = () => openMistake(lastMistake(judged.mistakes, ply));

listenToSteps((key) => {
  if (!game) return false;
  if (key === '.') toNextMistake();
  else if (key === ',') toLastMistake();
  else return moves.key(key);
  return true;
});
byId('mistake-on').addEventListener('click', toNextMistake);
byId('mistake-back').addEventListener('click', toLastMistake);
byId('to-list').addEventListener('click', () => {
  history.pushState(null, '', '/run');
  close();
});
window.addEventListener('popstate', follow);
byId('game-back').addEventListener('click', () => turn(-1));
byId('game-on').addEventListener('click', () => turn(1));
byId('filters').addEventListener('change', filterGames);
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('list-back').addEventListener('click', () => { page -= 1; listGames(); });
byId('list-on').addEventListener('click', () => { page += 1; listGames(); });

function fillFilters(names) {
  for (const id of ['filter-agent', 'filter-against']) {
    const options = names.map((name) => node('option', { value: name, text: name }));
    byId(id).replaceChildren(node('option', { value: '', text: 'all' }), ...options);
  }
}

// Lists the games of two agents, chosen in the crosstable.
function choosePairing(agent, against) {
  byId('filter-agent').value = agent;
  byId('filter-against').value = against;
  byId('filter-result').value = '';
  filterGames();
  byId('games').scrollIntoView({ block: 'start' });
  byId('filter-agent').focus({ preventScroll: true });
}

async function allGames() {
  const found = [];
  for (;;) {
    const { total, games: slice } = await askGames({ offset: found.length, limit: SLICE });
    found.push(...slice.map(({ key, ...rest }) => ({ ...key, first: key.begins, ...rest })));
    if (found.length >= total || !slice.length) return found;
  }
}

async function load() {
  showMessage(null);
  try {
    const report = await askRun();
    byId('run-title').textContent = `Run ${report.run}`;
    document.title = `Run ${report.run} \u00b7 Connect Four`;
    byId('run-notes').replaceChildren(...report.notes.map((text) => node('li', { text })));
    byId('run-notes').hidden = !report.notes.length;
    fillFilters(report.agents.map((agent) => agent.name).sort());
    drawCrosstable(byId('crosstable'), report, choosePairing);
    byId('games').hidden = false;
    // Beside a game the list comes first, and would push the table down when it appears.
    byId('table').hidden = !byId('play').hidden;
    games = await allGames();
    byId('table').hidden = byId('keys').hidden = false;
  } catch (error) {
    byId('games').hidden = true;
    showMessage(error.message, { label: 'Try again', run: load });
    return;
  }
  filterGames(); // by what has been chosen in the meantime
  follow();
}

// Shows what the address asks for: a game, or the list alone.
function follow() {
  if (!games) return;
  const asked = new URLSearchParams(location.search).get('game');
  const wanted = games.find((each) => String(each.game) === asked);
  if (asked !== null && !wanted) showMessage(`There is no game “${asked}” in this run.`);
  if (wanted) open(wanted);
  else close();
}

// A requested game gets its space at once, so that nothing moves when it is loaded.
if (new URLSearchParams(location.search).has('game')) {
  board.show({ width: 7, height: 6, first: 1, columns: [] }, 0);
  byId('play').hidden = false;
}
load();
