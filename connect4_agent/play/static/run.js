// The page of a run: who scored what against whom, the games to choose from, and a replay of the chosen one.
import { PERSON, defaults, writeAddress } from './address.js';
import { askGames, askRun } from './api.js';
import { drawCrosstable } from './crosstable.js';
import { createMoves } from './moves.js';
import { announce, button, byId, node, showMessage, sign } from './page.js';
import { createReview } from './review.js';

const LIST_PAGE = 10;
const SLICE = 500; // games asked for at a time

let games = null; // until they are there
let listed = [];
let page = 0;
let game = null;
let ply = 0;
let mistakes = [];

const board = globalThis.Connect4Board.create(byId('board'));
const moves = createMoves({ jump });
const review = createReview({ jump, open: openMistake, onJudged: (found) => { mistakes = found; show(); } });

const winnerName = (each) => (each.winner ? each.agents[each.winner - 1] : 'nobody');

const seatWords = (each, player) => `${each.agents[player - 1]}${player === each.first ? ' (began)' : ''}`;

// Whether a game is one of those that the three filters ask for.
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
      node('td', {}, button(label, () => open(each, true))),
      ...[1, 2].map((player) => node('td', {}, sign(player), seatWords(each, player))),
      node('td', { text: winnerName(each) }),
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

// Opens the game that stands so many places further in the list.
function turn(by) {
  const place = listed.indexOf(game) + by;
  page = Math.floor(place / LIST_PAGE);
  open(listed[place], true);
}

// Before the games are there, the filters keep what is chosen until they are.
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

// Moves that the run's own judge has scored, in the review's form; null where the run was not judged.
function judgedMoves({ judged }) {
  return judged?.length && judged.every((move) => 'score_before' in move && 'score' in move) ? judged : null;
}

function open(each, focus) {
  game = each;
  mistakes = [];
  review.hide();
  byId('play').hidden = false;
  const result = game.winner ? `${winnerName(game)} wins` : 'no winner';
  byId('replay-title').textContent = `Game ${game.game}: ${result}, ${game.ending}`;
  byId('players').replaceChildren(...[1, 2].map((player) => node('span', {}, sign(player), seatWords(game, player))));
  byId('evidence').replaceChildren(...evidenceOf(game));
  ply = game.columns.length;
  listGames();
  show();
  if (!focus) return;
  history.replaceState(null, '', `?game=${game.game}`);
  byId('play').focus({ preventScroll: true });
  byId('play').scrollIntoView({ block: 'start' });
}

function show() {
  board.show(game, ply);
  byId('detail').textContent = globalThis.Connect4Board.describe(game, ply, game.agents);
  const notes = game.opening.map(() => ({ mark: '', words: 'opening' }));
  for (const mistake of mistakes) if (mistake.isGrave) notes[mistake.ply] = { mark: '?', words: mistake.what };
  moves.show(game, ply, game.agents, notes);
  const shown = { width: game.width, height: game.height, first: game.first, columns: game.columns };
  const view = { names: game.agents, viewer: 1, opening: game.opening.length };
  if (game.columns.length) review.show(shown, ply, view, judgedMoves(game));
  const { width, height } = game;
  byId('play-on').href = writeAddress(
    { ...defaults(), width, height, seats: [PERSON, PERSON], begins: String(game.first) },
    { ...shown, columns: game.columns.slice(0, ply) }, ply,
  ).replace(/^\?/, '/?');
}

function jump(wanted) {
  ply = Math.max(0, Math.min(wanted, game.columns.length));
  show();
  announce(byId('detail').textContent);
}

function openMistake(mistake) {
  jump(mistake.ply);
  byId('detail').textContent = `${mistake.words}.`;
  announce(`${mistake.words}.`);
  byId('play').scrollIntoView({ block: 'start' });
}

const KEYS = { Home: () => 0, ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, End: () => game.columns.length };
byId('play').addEventListener('keydown', (event) => {
  if (!game || !(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  jump(KEYS[event.key]());
  if (document.activeElement?.disabled || document.activeElement === document.body) byId('play').focus();
});
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

// The games of two agents, out of the crosstable.
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
    found.push(...slice);
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
    byId('table').hidden = false;
    byId('games').hidden = false;
    games = await allGames();
  } catch (error) {
    byId('games').hidden = true;
    showMessage(error.message, { label: 'Try again', run: load });
    return;
  }
  filterGames(); // by what may have been chosen in the meantime
  const asked = new URLSearchParams(location.search).get('game');
  const wanted = games.find((each) => String(each.game) === asked);
  if (asked !== null && !wanted) showMessage(`There is no game “${asked}” in this run.`);
  if (wanted) open(wanted, false);
}

load();
