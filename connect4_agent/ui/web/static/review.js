// The solver's review of a finished game: a curve, how it was played in words, and the person's grave mistakes.
import './curve.js';
import { askJudgement } from './api.js';
import { createAsker } from './ask.js';
import { moverOf } from './game.js';
import { button, byId, node } from './page.js';
import { says } from './seats.js';

export const NOTHING_JUDGED = { moves: [], players: [] };

// The grave mistakes of some players: {ply, mark, words}.
export function graveMistakes(game, { moves }, players) {
  return moves.flatMap(({ mark, remark }, ply) => (remark && players.includes(moverOf(game, ply)) ? [{ ply, mark, words: remark }] : []));
}

// "Accuracy 71 %. You saw 5 of the 7 things there were to see."
function accuracyWords({ accuracy, seen, to_see: toSee }) {
  const share = accuracy === null ? '' : `Accuracy ${Math.round(accuracy)}\u00a0%. `;
  if (!toSee) return share;
  return `${share}Saw ${seen} of ${toSee} thing${toSee === 1 ? '' : 's'} to see.`;
}

// `jump(ply)` shows a position; `changed()` is called when a game has been judged.
export function createReview({ jump, changed }) {
  const asker = createAsker(askJudgement, () => { render(); changed(); });
  let shown = null; // {key, game, view, curve, ply}

  function say(text, action = null) {
    byId('curve').replaceChildren(node('p', { class: 'quiet', text }));
    if (action) byId('curve').append(button({ text: 'Try again' }, action));
    byId('mistakes').replaceChildren();
  }

  function draw(game, judged, { names, players, viewer }) {
    const mistakes = graveMistakes(game, judged, players);
    const curve = globalThis.Connect4Curve.draw(game, judged.moves.map((each) => each.score_before), {
      viewer, jump,
      label: `How the game stood after each of ${game.columns.length} moves, seen from ${names[viewer - 1]}`,
      words: [viewer, 3 - viewer].map((player) => says(names[player - 1], 'win')),
      mistakes: mistakes.map(({ ply, mark }) => ({ ply: ply + 1, mark })),
    });
    byId('curve').replaceChildren(curve.svg);
    if (!judged.exact) byId('curve').append(node('p', { class: 'quiet', text: 'The first moves take too long to work out.' }));
    const counts = players.map((player) => judged.players[player - 1]);
    byId('mistakes').replaceChildren(
      ...counts.map((each) => node('p', { class: 'quiet', text: `${players.length > 1 ? `${names[each.player - 1]}: ` : ''}${accuracyWords(each)}` })),
      ...(mistakes.length ? [node('ol', { class: 'rows', 'aria-label': 'Mistakes' }, ...mistakes.map(
        ({ ply, words }) => node('li', {}, button({ text: words }, () => jump(ply + 1))),
      ))] : []),
    );
    shown.curve = curve;
  }

  function render() {
    if (!shown) return;
    const { answer, error } = asker.of(shown.game);
    if (answer) {
      draw(shown.game, answer, shown.view);
      shown.curve.at(shown.ply);
    } else if (error) say(`The review did not work. ${error.message}`, () => { asker.stop(); render(); });
    else say('Working out how good every move was\u2026');
  }

  return {
    // Shows the review of a game, requested only once; `view` is {names, viewer, players}: whose view the curve takes, and
    // whose mistakes are listed. Returns what is known: NOTHING_JUDGED at first.
    show(game, ply, view) {
      const key = JSON.stringify([game, view]);
      if (shown?.key !== key) {
        asker.stop();
        shown = { key, game, view, curve: null, ply };
        render();
      }
      shown.ply = ply;
      shown.curve?.at(ply);
      return asker.of(game).answer ?? NOTHING_JUDGED;
    },
  };
}
