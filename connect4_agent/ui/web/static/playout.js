// Moves that play themselves on the board, one after the other, and what a try of a person leads to.
//
//     const playout = createPlayout((game, ply) => board.show(game, ply, { drop: true }));
//     const { reason, moves } = await exploreTry(game, ply, column);
//     await playout.play({ ...game, columns: [...game.columns.slice(0, ply), ...moves] }, ply);
import { askReason } from './api.js';
import { positionAfter, requestOf } from './game.js';

const PAUSE_MS = 380; // between a disc that has landed and the next one

// How long the last disc of a position falls.
export function fallMs(game, ply) {
  const { last } = positionAfter(game, ply);
  return last ? globalThis.Connect4Board.fallMs(game.height - last.row) : 0;
}

// `show(game, ply)` is called for every position; there the last disc should fall.
export function createPlayout(show, pauseMs = PAUSE_MS) {
  let running = null; // {end}: the play in progress

  // Whether the play is still wanted after that time.
  async function wait(ms, mine) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      mine.end = () => { clearTimeout(timer); resolve(null); };
    });
    return running === mine;
  }

  function stop() {
    const ended = running;
    running = null;
    ended?.end();
  }

  return {
    stop,
    // Shows the moves of a game after its first `ply` ones. The first comes at once, as a person's own disc does, unless
    // `afterPause`. Resolves when the last disc has landed: to true, or to false if the play was stopped or replaced.
    async play(game, ply, { afterPause = false } = {}) {
      stop();
      const mine = { end: () => {} };
      running = mine;
      for (let at = ply + 1; at <= game.columns.length; at += 1) {
        if ((at > ply + 1 || afterPause) && !await wait(pauseMs, mine)) return false;
        show(game, at); // which may stop it
        if (running !== mine || !await wait(fallMs(game, at), mine)) return false;
      }
      running = null;
      return true;
    },
  };
}

// The moves that show a reason: a forced sequence up to its four; of a plan, the moves that lead to it; of best play
// without a reason, the first reply. A mistake is followed by a reply at least.
export function movesToShow({ line, reasons: [reason] }) {
  if (!reason) return line.slice(0, 2);
  return reason.plan ? line.slice(0, Math.max(reason.lead.length, 2)) : line;
}

// What a column leads to after `ply` moves: {reason, moves}, the answer of /api/explain and the moves to show, the first
// of which is the column itself.
export async function exploreTry(game, ply, column, signal) {
  const reason = await askReason(requestOf(game, ply), column, signal);
  const moves = movesToShow(reason);
  return { reason, moves: moves.length ? moves : [column] };
}
