// The table at which tries are made, on puzzles and cards: the board, a sentence about the last try, and what follows it.
import { createTask } from './ask.js';
import { USUAL, newGame, withMove } from './game.js';
import { createPlayout, exploreTry } from './playout.js';
import { say } from './say.js';
import { columns, draw } from './stage.js';
import { isShown } from './views.js';
import { boardMarks, reasonNodes } from './why.js';

const EMPTY = newGame(USUAL.width, USUAL.height, 1);

// `view()` is the view that the table belongs to, `drop(column)` what a disc does, `retry()` takes back a refutation;
// `player()` is the person's number, `title()` the heading; `hintsAt(game, ply)` is the analysis below the board, or null;
// `changed()` is called when the board or the phase has changed.
export function createTable({ view, drop, retry, player, title, hintsAt = undefined, changed = () => {} }) {
  let phase = 'none'; // none, ask, busy, wrong (a refutation is on the board), done
  let shown = { game: EMPTY, ply: 0, reason: null };
  let said = { words: [], kind: '', buttons: [] };
  const task = createTask();
  const playout = createPlayout((game, ply) => show(game, ply, null, true));

  // Puts a position on the board, with the marks of a reason.
  function show(game, ply, reason = null, isDropped = false) {
    shown = { game, ply, reason };
    render(isDropped);
  }

  function render(isDropped = false) {
    if (!isShown(view())) return;
    const { game, ply, reason } = shown;
    const answer = phase === 'none' ? null : hintsAt?.(game, ply);
    draw(game, ply, {
      drop: isDropped,
      marks: reason && { cells: boardMarks(reason, game, ply) },
      hints: answer ? { state: 'exact', answer } : { state: 'off' },
      owners: player() === 1 ? ['yours', 'theirs'] : ['theirs', 'yours'],
    });
    say({ title: title(), ...said });
    changed();
  }

  function enter(entered) {
    phase = entered;
    changed();
  }

  // Does `step(signal)`, which may wait for the server and can be tried again; it ends the one before.
  async function attempt(step) {
    try {
      await task.run(step);
    } catch (error) {
      tell(error.message, 'warning', null, [{ label: 'Try again', isStrong: true, run: () => attempt(step) }]);
    }
  }

  // A sentence about the last try, and why it is so.
  function tell(text, kind = '', reason = null, buttons = []) {
    const why = reason && reason.kind !== 'none' ? [' ', ...reasonNodes(reason.summary)] : [];
    said = { words: [...[text].flat(), ...why], kind: kind === 'wrong' ? 'warning' : kind, buttons };
    render();
  }

  // The disc falls; `wordsOf(reason)` says what is wrong with it, and the other side refutes it, unless somebody tries again
  // before that. Without words it is right: `praise(column, reason)`.
  async function refute(game, ply, column, wordsOf, praise = undefined) {
    enter('busy');
    const falling = playout.play(withMove(game, ply, column), ply);
    await attempt(async (signal) => {
      const { reason, moves } = await exploreTry(game, ply, column, signal);
      if (!await falling) return;
      const words = wordsOf(reason);
      if (!words) {
        praise(column, reason);
        return;
      }
      const refuted = { ...game, columns: [...game.columns.slice(0, ply), ...moves] };
      enter('wrong');
      tell(words, 'wrong', reason);
      if (await playout.play(refuted, ply + 1, { afterPause: true })) show(refuted, refuted.columns.length, reason);
    });
  }

  return {
    playout,
    attempt,
    enter,
    show,
    render,
    refute,
    tell,
    get phase() { return phase; },
    get shown() { return shown; },
    // A disc on the board: a try, or the end of a refutation.
    drop(column) {
      if (phase === 'wrong') retry();
      else if (phase === 'ask') drop(column);
    },
    canDrop: () => phase === 'ask',
    focus: () => columns.focus(),
    stop() {
      task.stop();
      playout.stop();
    },
    // An empty board, while there is nothing to try.
    clear() {
      playout.stop();
      enter('none');
      show(EMPTY, 0);
    },
  };
}
