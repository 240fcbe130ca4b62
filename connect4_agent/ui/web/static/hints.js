// Analyses of positions, requested once and kept, for hints under the board.
import { askAnalysis, isAbort } from './api.js';
import { requestOf } from './game.js';
import { keep, recall } from './page.js';

const MAX_KEPT = 500;

// `changed()` is called when there is something new to show; `isAlways` leaves no choice whether to show hints.
export function createHints(changed, { isAlways = false } = {}) {
  const known = new Map(); // request as text -> answer
  let isOn = isAlways || recall('hints', false) === true;
  let asking = null; // {key, controller}: the position shown
  let failed = null; // {key, message}

  function stop() {
    asking?.controller.abort();
    asking = null;
  }

  async function ask(key) {
    const mine = { key, controller: new AbortController() };
    asking = mine;
    try {
      const answer = await askAnalysis(JSON.parse(key), mine.controller.signal);
      if (known.size >= MAX_KEPT) known.delete(known.keys().next().value);
      known.set(key, answer);
    } catch (error) {
      if (isAbort(error)) return;
      if (asking === mine) failed = { key, message: error.message };
    }
    if (asking !== mine) return;
    asking = null;
    changed();
  }

  return {
    get isOn() { return isOn; },
    turn(on) {
      isOn = on;
      keep('hints', on);
      failed = null;
      if (!on) stop();
    },
    retry() { failed = null; },
    // {state, answer, message} of a position; asks if nothing is known. `wanted` is false if nobody will look.
    of(game, ply, wanted) {
      if (!isOn) return { state: 'off' };
      const key = JSON.stringify(requestOf(game, ply));
      if (asking && (asking.key !== key || !wanted)) stop();
      if (known.has(key)) return { state: known.get(key).exact === false ? 'guess' : 'exact', answer: known.get(key) };
      if (!wanted) return { state: 'none' };
      if (failed?.key === key) return { state: 'failed', message: failed.message };
      if (!asking) ask(key);
      return { state: 'waiting' };
    },
  };
}
