// Asking a player for its move: one request at a time, which can be cancelled, and is repeated while the server is
// busy or out of reach.
import { askMove, askPlan } from './api.js';
import { createTask } from './ask.js';
import { openColumns, requestOf } from './game.js';
import { wait } from './page.js';
import { planOf, titleOf } from './seats.js';

const REPEAT_MS = 2000; // while the server is out of reach

// `played(column)` gets the move, `failed(message)` the reason if there is none. `waits()` is called when the request
// is repeated because the server is busy; `unreachable(message)` when the server does not answer: the request is then
// repeated until it does.
export function createThinking({ played, failed, waits, unreachable }) {
  const task = createTask();
  let isWaiting = false;

  async function askPatiently(game, ply, { player, seed }, signal) {
    const plan = planOf(player)?.plan;
    for (let isCutOff = false; ;) {
      try {
        if (plan) return await askPlan({ ...game, columns: game.columns.slice(0, ply) }, plan, signal);
        return await askMove(requestOf(game, ply), { player, seed }, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        if (error.isUnreachable) {
          if (!isCutOff) unreachable(error.message);
          isCutOff = true;
        } else if (error.retrySeconds !== undefined) {
          isWaiting = true;
          waits();
        } else throw error;
        await wait(error.isUnreachable ? REPEAT_MS : error.retrySeconds * 1000);
        if (signal.aborted) throw error;
      }
    }
  }

  return {
    get isOn() { return task.isOn; },
    get isWaiting() { return task.isOn && isWaiting; },
    stop: task.stop,
    // The move is played after `pauseMs` at the earliest.
    async ask(game, ply, { player, seed }, pauseMs) {
      isWaiting = false;
      const pause = wait(pauseMs);
      let answer = null;
      try {
        answer = await task.run(async (signal) => {
          const found = await askPatiently(game, ply, { player, seed }, signal);
          await pause;
          if (openColumns(game, ply).includes(found.move)) return found;
          throw new Error(`${titleOf(player)} answered ${JSON.stringify(found.move)}, which is not an open column.`);
        });
      } catch (error) {
        failed(`${titleOf(player)} could not move. ${error.message}`);
      }
      if (answer) played(answer.move);
    },
  };
}
