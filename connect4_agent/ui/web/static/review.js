// The solver's review of a game's moves: a curve, grades and an accuracy for each player, and every mistake in words.
import { askJudgement } from './api.js';
import { createAsker } from './ask.js';
import { drawCurve } from './curve.js';
import { columnName, moverOf } from './game.js';
import { button, byId, node, sign, unseen } from './page.js';

const COUNTS = ['best', 'inaccuracies', 'mistakes', 'blunders'];
const COUNT_SIGNS = ['best', '?!', '?', '??'];

// The moves of a judged game that were not best, in order; `ply` is the index of the move.
function mistakesOf(game, judged, names) {
  return judged.flatMap((move, ply) => {
    if (!move.mark) return [];
    const player = moverOf(game, ply);
    const who = names[player - 1];
    const what = move.words;
    const detail = move.mistake ? `best play ${move.verdict_before}, this ${move.verdict}` : 'not every score is known';
    const words = `Move ${ply + 1}, ${who}, ${columnName(game.columns[ply])}: ${what}`;
    return [{
      ply, player, who, column: game.columns[ply], grade: move.grade, mark: move.mark, better: move.better, what, detail, words,
      isGrave: move.grade !== 'inaccuracy', changesResult: move.changes_result,
    }];
  });
}

// The text if no known move went wrong.
function noneWords(exact) {
  if (!exact) return 'Nothing, as far as the scores are known.';
  return 'Nothing: nobody overlooked anything, or let a win or a draw slip.';
}

// The table of grades: a row for each player.
function gradesOf(players, names) {
  const row = (each) => node('tr', {},
    node('th', { scope: 'row' }, sign(each.player), names[each.player - 1]),
    node('td', { class: 'accuracy', text: each.accuracy === null ? '\u2013' : `${Math.round(each.accuracy)} %` }),
    ...COUNTS.map((key) => node('td', { text: String(each[key]) })));
  const heads = ['Player', 'Accuracy'].map((text) => node('th', { scope: 'col', text }));
  const counts = COUNTS.map((key, index) => node('th', { scope: 'col', title: key },
    COUNT_SIGNS[index], ...(index ? [unseen(` ${key}`)] : [])));
  return node('table', { class: 'grades' },
    node('thead', {}, node('tr', {}, ...heads, ...counts)),
    node('tbody', {}, ...players.map(row)));
}

// `jump(ply)` shows a position, `open(mistake)` the one after a mistake; `onJudged({moves, mistakes, players})` gets the result.
export function createReview({ jump, open, onJudged }) {
  const [curveHost, gradesHost] = [byId('curve-panel'), byId('grades-panel')];
  const asker = createAsker(askJudgement, render);
  let shown = null; // {key, game, view, curve, ply}

  function say(text, action) {
    for (const host of [curveHost, gradesHost]) {
      host.replaceChildren(node('p', { class: 'quiet', text }));
      if (action) host.append(button({ text: action.label, class: 'strong' }, action.run));
    }
  }

  function listOf(mistakes) {
    const items = mistakes.map((mistake) => node('li', {}, button(
      { class: `mistake ${mistake.grade}`, 'data-ply': mistake.ply }, () => open(mistake),
      node('span', { class: 'shape', text: mistake.mark, 'aria-hidden': 'true' }),
      node('span', { class: 'where' },
        `Move ${mistake.ply + 1} `, sign(mistake.player), ` ${mistake.who}, ${columnName(mistake.column)}`),
      node('span', { class: 'what', text: mistake.what }),
      node('span', { class: 'detail', text: mistake.detail }),
    )));
    return node('ul', { class: 'mistakes' }, ...items);
  }

  function draw(game, { moves: judged, players, exact }, { names, viewer }) {
    const mistakes = mistakesOf(game, judged, names);
    const curve = drawCurve(game, judged, { names, viewer, mistakes, jump, open });
    const grave = mistakes.filter((each) => each.isGrave);
    const slight = mistakes.filter((each) => !each.isGrave);
    curveHost.replaceChildren(node('div', { class: 'curve-frame' }, curve.svg));
    gradesHost.replaceChildren();
    if (!exact) {
      const first = judged.findIndex((move) => move.score !== null);
      curveHost.append(node('p', { class: 'quiet', text: first < 0
        ? 'This board is too big to work out exactly in time.'
        : `The first ${first} moves take too long to work out; the curve starts after them.` }));
    }
    if (players.some((each) => each.moves)) {
      const scroll = { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Grades', 'data-own-arrows': '' };
      gradesHost.append(node('div', scroll, gradesOf(players, names)));
      gradesHost.append(node('p', {
        class: 'quiet', text: '?? overlooked \u00b7 ? changed the result \u00b7 ?! slower win or quicker loss',
      }));
    }
    gradesHost.append(node('h2', { text: 'What went wrong' }));
    const none = node('p', { class: 'quiet', text: noneWords(exact) });
    gradesHost.append(grave.length ? listOf(grave) : none);
    if (slight.length) {
      gradesHost.append(node('details', {}, node('summary', {
        text: `${slight.length} smaller slip${slight.length === 1 ? '' : 's'}: a slower win or a quicker loss`,
      }), listOf(slight)));
    }
    shown.curve = curve;
    onJudged({ moves: judged, mistakes, players });
  }

  function render() {
    if (!shown) return;
    const { game, view } = shown;
    const { answer, error } = asker.of(game);
    if (answer) {
      draw(game, answer, view);
      shown.curve.at(shown.ply);
    } else if (error) {
      say(`The review did not work. ${error.message}`, { label: 'Try again', run: () => { asker.stop(); render(); } });
    } else say('Working out how good every move was\u2026');
  }

  return {
    // Shows the review of a game, requesting it only once; `view` is {names, viewer}: whose view the curve takes.
    show(game, ply, view) {
      const key = JSON.stringify([game, view]);
      if (shown?.key !== key) {
        asker.stop();
        shown = { key, game, view, curve: null, ply };
        render();
      }
      shown.ply = ply;
      shown.curve?.at(ply);
    },
    hide() {
      if (!shown) return;
      asker.stop();
      shown = null;
      curveHost.replaceChildren();
      gradesHost.replaceChildren();
    },
  };
}
