// The page to learn on: cards, each a position with one disc to drop, and what that disc leads to.
import { analysisAddress, defaults } from './address.js';
import { askAnalysis, askPlayers } from './api.js';
import { createBar } from './bar.js';
import { COLOURS } from './colours.js';
import { MOVE_SIGNS, columnName, moverOf, newGame, openColumns, readMoves, requestOf } from './game.js';
import { listenToSteps } from './input.js';
import { announce, byId, keep, node, recall, unseen } from './page.js';
import { exploreTry } from './playout.js';
import { analysedStanding } from './standing.js';
import { createTable } from './table.js';
import lessons from './lessons.json' with { type: 'json' };

const FIRST_PLAN = 8; // the first card about more than fours and blocks

const cards = lessons.map((each) => ({ ...each, game: { ...newGame(7, 6, 1), columns: readMoves(each.moves, 7, 6, 1) } }));
let number = 0; // of the card, from 0
let analysis = null; // of a card with hints

const bar = createBar(byId('bar'));
const table = createTable({
  drop, retry: ask, tell, next, player, hintsAt: (_, ply) => (ply === start() ? analysis : null),
});
const { attempt, enter, playout, say, show } = table;

const card = () => cards[number];
const start = () => card().game.columns.length;
const done = () => [recall('learn', [])].flat().filter(Number.isInteger);
const gameWith = (moves) => ({ ...card().game, columns: [...card().game.columns, ...moves] });

function player() {
  return moverOf(card().game, start());
}

function ask() {
  enter('ask');
  show(card().game, start());
  say(card().task, '', { summary: card().idea });
}

// Whether the reason why a column is wrong says something to people who have come as far as this card.
function isFit({ kind, result }) {
  return result !== 'win' && kind !== 'none' && (number + 1 >= FIRST_PLAN || !['zugzwang', 'hold', 'no line'].includes(kind));
}

// The disc falls; what follows is shown on the board, and said.
async function explore(column, isRight, isOwn = true) {
  enter('busy');
  const falling = playout.play(gameWith([column]), start());
  await attempt(async (signal) => {
    const { hint, says, shows } = card();
    const { reason, moves } = await exploreTry(card().game, start(), column, signal);
    const isTold = isRight ? shows !== 'disc' : isFit(reason);
    const told = shows === 'whole' && isRight ? reason.line : moves;
    const line = isTold ? told : told.slice(0, isRight || reason.result === 'win' ? 1 : 2);
    if (!await falling || !await playout.play(gameWith(line), start() + 1, { afterPause: true })) return;
    if (isRight && isOwn) keep('learn', [...new Set([...done(), number + 1])]);
    enter(isRight ? 'done' : 'wrong');
    show(gameWith(line), start() + line.length, isTold ? reason : null);
    const result = { draw: 'only draws', loss: 'loses' }[reason.result] ?? 'is not it';
    say(isRight ? says : `Column ${MOVE_SIGNS[column]} ${result}. ${hint}`, isRight ? 'right' : 'wrong', isTold ? reason : null);
    if (isRight) list();
  });
}

function drop(column) {
  if (!openColumns(card().game, start()).includes(column)) say(`Not counted: ${columnName(column)} is full.`);
  else explore(column, card().right.includes(MOVE_SIGNS[column]));
}

function tell() {
  explore(MOVE_SIGNS.indexOf(card().right[0]), true, false);
}

function list() {
  const solved = done();
  byId('cards').replaceChildren(...cards.map(({ title }, index) => node('li', {}, node('a', {
    href: `#${index + 1}`, ...(index === number ? { 'aria-current': 'step' } : {}),
  }, node('span', { class: 'number', text: `${index + 1}` }), title,
  ...(solved.includes(index + 1) ? [node('span', { class: 'done', text: '\u2713', 'aria-hidden': 'true' }), unseen(' (solved)')]
    : [node('span', { class: 'open' })])))));
}

async function open() {
  playout.stop();
  number = Math.min(cards.length, Math.max(1, Number.parseInt(location.hash.slice(1), 10) || 1)) - 1;
  analysis = null;
  byId('origin').replaceChildren(node('span', {}, `Card ${number + 1} of ${cards.length} \u00b7 You play `,
    globalThis.Connect4Board.sign(player()), COLOURS[player() - 1]));
  byId('question').textContent = card().title;
  byId('next').textContent = number + 1 < cards.length ? 'Next' : 'Play a game';
  byId('analyse').href = analysisAddress(defaults(), 1, [card().game.columns], { line: 0, ply: start() });
  byId('bar').hidden = true;
  list();
  ask();
  announce(`${card().title}. ${card().idea} ${card().task} ${globalThis.Connect4Board.describeDiscs(card().game, start())}`);
  await attempt(async (signal) => { // which also ends what the card before was waiting for
    if (!card().hints) return;
    analysis = await askAnalysis(requestOf(card().game, start()), signal);
    byId('bar').hidden = false;
    bar.show(analysedStanding(card().game, start(), analysis), player(), analysis.verdict);
    show(card().game, start());
  });
}

function next() {
  if (number + 1 < cards.length) location.hash = `#${number + 2}`;
  else location.assign('./?first=1&two=level:1');
}

listenToSteps((key) => table.columns.key(key));
window.addEventListener('hashchange', open);

open();
askPlayers().then(({ has_run: hasRun }) => { byId('run-link').hidden = !hasRun; }, () => {});
