// Asking a player for its move: one request at a time, which can be cancelled, and is repeated while the server is
// busy or out of reach.
import { askMove, askPlan, isAbort } from './api.js';
import { openColumns, requestOf } from './game.js';
import { planOf, titleOf } from './seats.js';

const REPEAT_MS = 2000; // while the server is out of reach

// `played(column)` gets the move, `failed(message)` the reason if there is none. `waits()` is called when the request
// is repeated because the server is busy; `unreachable(message)` when the server does not answer: the request is then
// repeated until it does.
export function createThinking({ played, failed, waits, unreachable }) {
  let current = null; // {controller, isWaiting, isCutOff}

  function askOnce(game, ply, { player, seed }, signal) {
    const plan = planOf(player)?.plan;
    if (plan) return askPlan({ ...game, columns: game.columns.slice(0, ply) }, plan, signal);
    return askMove(requestOf(game, ply), { player, seed }, signal);
  }

  async function askPatiently(game, ply, whom, mine) {
    for (;;) {
      try {
        return await askOnce(game, ply, whom, mine.controller.signal);
      } catch (error) {
        if (current !== mine) throw error;
        if (error.isUnreachable) {
          if (!mine.isCutOff) unreachable(error.message);
          mine.isCutOff = true;
        } else if (error.retrySeconds !== undefined) {
          mine.isWaiting = true;
          waits();
        } else throw error;
        const pauseMs = error.isUnreachable ? REPEAT_MS : error.retrySeconds * 1000;
        await new Promise((resolve) => { setTimeout(resolve, pauseMs); });
        if (current !== mine) throw error;
      }
    }
  }

  return {
    get isOn() { return current !== null; },
    get isWaiting() { return current?.isWaiting === true; },
    stop() {
      current?.controller.abort();
      current = null;
    },
    // The move is played after `pauseMs` at the earliest.
    async ask(game, ply, { player, seed }, pauseMs) {
      const mine = { controller: new AbortController(), isWaiting: false };
      current = mine;
      const pause = new Promise((resolve) => { setTimeout(resolve, pauseMs); });
      try {
        const answer = await askPatiently(game, ply, { player, seed }, mine);
        await pause;
        if (current !== mine) return;
        if (!openColumns(game, ply).includes(answer.move)) {
          throw new Error(`${titleOf(player)} answered ${JSON.stringify(answer.move)}, which is not an open column.`);
        }
        current = null;
        played(answer.move);
      } catch (error) {
        if (isAbort(error) || current !== mine) return;
        current = null;
        failed(`${titleOf(player)} could not move. ${error.message}`);
      }
    },
  };
}
