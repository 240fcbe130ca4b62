// The table at which tries are made, on puzzles and cards: a board with its columns, a sentence about the last try, and
// the buttons Retry, Show and Next. A page has these parts by their ids.
import './board.js';
import { createTask } from './ask.js';
import { createColumns } from './columns.js';
import { newGame, USUAL } from './game.js';
import { listenToKeys, listenToPointer } from './input.js';
import { announce, byId, canHover, fitBoard, node, showMessage } from './page.js';
import { createPlayout } from './playout.js';
import { boardMarks, reasonNodes } from './why.js';

const EMPTY = newGame(USUAL.width, USUAL.height, 1);

// `drop(column)`, `retry()`, `tell()` and `next()` are what the person does; retry is also what a column does while a
// refutation is on the board, and drop comes only when a try is asked for. `hintsAt(game, ply)` is the analysis to show
// under the columns, or null; `player()` is the person's number; `changed()` is called when the board or the phase has changed.
export function createTable({ drop, retry, tell, next, player, hintsAt, changed = () => {} }) {
  let phase = 'none'; // none, ask, busy, wrong (a refutation is on the board), done
  let shown = { game: EMPTY, ply: 0 };
  const task = createTask();

  const board = globalThis.Connect4Board.create(byId('board'), { labels: false, peeks: canHover });
  const columns = createColumns(byId('columns'), { play, point });
  const playout = createPlayout((game, ply) => show(game, ply, null, true));

  const owners = () => (player() === 1 ? ['yours', 'theirs'] : ['theirs', 'yours']);

  function point(column) {
    board.point(column !== null && phase === 'ask' ? column : null);
  }

  function play(column) {
    if (phase === 'wrong') retry();
    else if (phase === 'ask') drop(column);
  }

  // Puts a position on the board, with the marks of a reason.
  function show(game, ply, reason = null, isDropped = false) {
    shown = { game, ply };
    fitBoard(game);
    board.show(game, ply, { drop: isDropped, marks: reason && { cells: boardMarks(reason, game, ply) } });
    board.light([]);
    const answer = phase === 'none' ? null : hintsAt(game, ply);
    columns.show(game, ply, answer ? { state: 'exact', answer } : { state: 'off' }, phase === 'ask' ? '' : 'not now', owners());
    point(columns.focused());
    changed();
  }

  function enter(entered) {
    phase = entered;
    const isWrong = phase === 'wrong';
    byId('retry').disabled = !isWrong;
    byId('solve').disabled = !isWrong && phase !== 'ask';
    byId('retry').classList.toggle('strong', isWrong);
    byId('next').classList.toggle('strong', !isWrong);
    changed();
  }

  // Does `step(signal)`, which may wait for the server and can be tried again; it ends the one before.
  async function attempt(step) {
    showMessage(null);
    try {
      await task.run(step);
    } catch (error) {
      showMessage(error.message, { label: 'Try again', run: () => attempt(step) });
    }
  }

  const ifWrong = () => { if (phase === 'wrong') retry(); };
  listenToKeys({
    width: () => (phase === 'none' ? 0 : shown.game.width), drop: play, undo: () => {}, redo: () => {}, others: { r: ifWrong, n: next },
  });
  listenToPointer(board, { drop: play, point, rest: () => point(columns.focused()) });
  for (const [id, run] of Object.entries({ retry: ifWrong, solve: tell, next })) byId(id).addEventListener('click', run);

  return {
    columns,
    playout,
    attempt,
    enter,
    show,
    get phase() { return phase; },
    get shown() { return shown; },
    // An empty board, while there is nothing to try.
    clear() {
      playout.stop();
      enter('none');
      show(EMPTY, 0);
    },
    // A sentence about the last try, and why it is so.
    say(text, kind = '', reason = null) {
      byId('result').className = `result ${kind}`;
      byId('result-text').textContent = text;
      byId('reason').replaceChildren(...(reason ? [node('p', {}, ...reasonNodes(reason.summary, (cells) => board.light(cells)))] : []));
      announce([text, byId('reason').textContent].filter(Boolean).join(' '));
    },
  };
}
