// Learn: cards, each a position with one disc to drop, and what that disc leads to.
import { analysisQuery } from './address.js';
import { askAnalysis } from './api.js';
import { MOVE_SIGNS, columnName, moverOf, newGame, openColumns, readMoves, requestOf } from './game.js';
import { COLOURS, byId, keep, node, recall, sign, unseen, whenPressed } from './page.js';
import { exploreTry } from './playout.js';
import { createTable } from './table.js';
import { addressOf, go, remember } from './views.js';
import lessons from './lessons.json' with { type: 'json' };

const FIRST_PLAN = 8; // the first card about more than fours and blocks

const cards = lessons.map((each) => ({ ...each, game: { ...newGame(7, 6, 1), columns: readMoves(each.moves, 7, 6, 1) } }));
let number = 0; // of the card, from 0
let analysis = null; // of a card with hints

const card = () => cards[number];
const start = () => card().game.columns.length;
const done = () => [recall('learn', [])].flat().filter(Number.isInteger);
const gameWith = (moves) => ({ ...card().game, columns: [...card().game.columns, ...moves] });
const player = () => moverOf(card().game, start());

const table = createTable({
  view: () => learnView, drop, retry: ask, player, title: () => card().title, changed,
  hintsAt: (_, ply) => (ply === start() ? analysis : null),
});
const { attempt, enter, playout, tell, show } = table;

function changed() {
  const isDone = table.phase === 'done';
  byId('learn-show').disabled = table.phase !== 'ask' && table.phase !== 'wrong';
  byId('learn-show').hidden = isDone;
  byId('learn-next').classList.toggle('strong', isDone);
}

function ask() {
  playout.stop();
  enter('ask');
  show(card().game, start());
  tell(`${card().idea} ${card().task}`);
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
    const result = { draw: 'only draws', loss: isTold ? 'loses' : 'loses against perfect play' }[reason.result] ?? 'is not it';
    tell(isRight ? says : `Column ${MOVE_SIGNS[column]} ${result}. ${hint}`, isRight ? 'right' : 'wrong', isTold ? reason : null);
    if (isRight) list();
  });
}

function drop(column) {
  if (!openColumns(card().game, start()).includes(column)) tell(`Not counted: ${columnName(column)} is full.`);
  else explore(column, card().right.includes(MOVE_SIGNS[column]));
}

function list() {
  const solved = done();
  byId('cards').replaceChildren(...cards.map(({ title }, index) => node('li', {}, node('a', {
    href: addressOf('learn', `card=${index + 1}`), ...(index === number ? { 'aria-current': 'step' } : {}),
  }, node('span', { class: 'number', text: `${index + 1}` }), title,
  ...(solved.includes(index + 1) ? [node('span', { class: 'done', text: '\u2713', 'aria-hidden': 'true' }), unseen(' (solved)')] : [])))));
}

function open(query) {
  table.stop();
  const wanted = Number.parseInt(new URLSearchParams(query).get('card') ?? '', 10) || done().length + 1;
  number = Math.min(cards.length, Math.max(1, wanted)) - 1;
  analysis = null;
  remember(learnView, `card=${number + 1}`, null);
  showCard();
  attempt(async (signal) => { // which also ends what the card before was waiting for
    if (!card().hints) return;
    analysis = await askAnalysis(requestOf(card().game, start()), signal);
    table.render();
  });
}

function showCard() {
  byId('players').replaceChildren(`Card ${number + 1} of ${cards.length}`, node('span', {}, 'You play ', sign(player()), COLOURS[player() - 1]));
  byId('learn-next').textContent = number + 1 < cards.length ? 'Next' : 'Play a game';
  byId('learn-analyse').href = addressOf('analyse', analysisQuery({ ...card().game, start: null }, 1, [card().game.columns], { line: 0, ply: start() }));
  list();
  ask();
}

function next() {
  go(number + 1 < cards.length ? addressOf('learn', `card=${number + 2}`) : './');
}

const showAnswer = () => explore(MOVE_SIGNS.indexOf(card().right[0]), true, false);

whenPressed({ 'learn-show': showAnswer, 'learn-next': next });

export const learnView = {
  name: 'learn', open, show: showCard, hide: table.stop, drop: table.drop, canDrop: table.canDrop, keys: { n: next, s: showAnswer },
};
