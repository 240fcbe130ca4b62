// What the solver says of a game's moves: a curve, and every mistake in words; each leads to its position.
import { askJudgement, isAbort } from './api.js';
import { verdict } from './columns.js';
import { drawCurve } from './curve.js';
import { emptyCount, moverOf } from './game.js';
import { button, byId, node, sign } from './page.js';

const GRAVE = {
  'win to draw': 'gives a win away: now a draw',
  'win to loss': 'turns a win into a loss',
  'draw to loss': 'turns a draw into a loss',
};
const SLIGHT = { 'slower win': 'wins more slowly', 'sooner loss': 'loses sooner' };

// The mistakes of a judged game in the order of their moves; `ply` is the index of the move.
// Those of the opening, if a referee played one, are nobody's.
export function mistakesOf(game, judged, names, opening = 0) {
  return judged.flatMap((move, ply) => {
    if (!move.mistake || ply < opening) return [];
    const player = moverOf(game, ply);
    const empty = emptyCount(game, ply);
    const what = GRAVE[move.mistake] ?? SLIGHT[move.mistake] ?? move.mistake;
    const from = verdict(move.score_before, empty);
    const detail = `best play ${from}, this ${verdict(move.score, empty)}`;
    const words = `Move ${ply + 1}, ${names[player - 1]}, column ${game.columns[ply] + 1}: ${what}`;
    const who = names[player - 1];
    const isGrave = move.mistake in GRAVE;
    return [{ ply, player, who, column: game.columns[ply], what, detail, words: `${words} (${detail})`, isGrave }];
  });
}

// What is said where no known move changed the result.
function noneWords(exact, opening) {
  if (!exact) return 'None among the moves whose scores are known.';
  return `No move${opening ? ' after the opening' : ''} did: both sides kept what they had.`;
}

// `jump(ply)` shows a position, `open(mistake)` the one in which a mistake was made; `judged(mistakes)` tells of them.
export function createReview({ jump, open, onJudged }) {
  const host = byId('review');
  const body = byId('review-body');
  let shown = null; // {key, curve}
  let asking = null;

  function say(text, action) {
    body.replaceChildren(node('p', { class: 'quiet', text }));
    if (action) body.append(button({ text: action.label, class: 'strong' }, action.run));
  }

  function listOf(mistakes) {
    const items = mistakes.map((mistake) => node('li', {}, button(
      { class: mistake.isGrave ? 'mistake grave' : 'mistake slight', 'data-ply': mistake.ply }, () => open(mistake),
      node('span', { class: 'shape', text: mistake.isGrave ? '\u25c6' : '\u25c7', 'aria-hidden': 'true' }),
      node('span', { class: 'where' },
        `Move ${mistake.ply + 1} `, sign(mistake.player), ` ${mistake.who}, column ${mistake.column + 1}`),
      node('span', { class: 'what', text: mistake.what }),
      node('span', { class: 'detail', text: mistake.detail }),
    )));
    return node('ul', { class: 'mistakes' }, ...items);
  }

  function draw(game, judged, exact, { names, viewer, opening }) {
    const mistakes = mistakesOf(game, judged, names, opening);
    const curve = drawCurve(game, judged, { names, viewer, mistakes, jump, open });
    const grave = mistakes.filter((each) => each.isGrave);
    const slight = mistakes.filter((each) => !each.isGrave);
    body.replaceChildren(node('div', { class: 'curve-frame' }, curve.svg));
    if (!exact) {
      const known = judged.findIndex((move) => move.score !== null);
      body.append(node('p', { class: 'quiet', text: known < 0
        ? 'There was not enough time for exact scores on this board.'
        : `There was not enough time for the first ${known} moves: the curve begins where exact scores are known.` }));
    }
    body.append(node('h3', { text: 'What changed the result' }));
    const none = node('p', { class: 'quiet', text: noneWords(exact, opening) });
    body.append(grave.length ? listOf(grave) : none);
    if (slight.length) {
      body.append(node('details', {}, node('summary', {
        text: `${slight.length} more that only made a win slower or a loss sooner`,
      }), listOf(slight)));
    }
    body.append(node('p', { class: 'legend quiet' },
      '\u25c6 another result, \u25c7 the same result later or sooner; ',
      sign(1), `${names[0]}, `, sign(2), `${names[1]}. `,
      'A click on the curve shows that position.'));
    shown.curve = curve;
    onJudged?.(mistakes);
  }

  async function ask(game, view) {
    const controller = new AbortController();
    asking = controller;
    say('Working out the exact score of every move\u2026');
    try {
      const { moves, exact } = await askJudgement(game, controller.signal);
      if (asking !== controller) return;
      draw(game, moves, exact, view);
      shown.curve.at(shown.ply);
    } catch (error) {
      if (isAbort(error) || asking !== controller) return;
      say(`The moves could not be judged. ${error.message}`, { label: 'Try again', run: () => ask(game, view) });
    }
  }

  return {
    // Shows the review of a game, asking for it only once; `judged` are its moves where they are known already.
    // `view` is {names, viewer, opening}: whose view the curve takes, and how many moves were given to both.
    show(game, ply, view, judged = null) {
      const key = JSON.stringify([game, view]);
      host.hidden = false;
      if (shown?.key !== key) {
        asking?.abort();
        shown = { key, curve: null, ply };
        if (judged) draw(game, judged, judged.every((move) => Number.isInteger(move.score)), view);
        else ask(game, view);
      }
      shown.ply = ply;
      shown.curve?.at(ply);
    },
    hide() {
      asking?.abort();
      asking = null;
      shown = null;
      host.hidden = true;
      body.replaceChildren();
    },
  };
}
