// Hints: the exact score of every column of the position shown, asked for once and kept.
import { askAnalysis, isAbort } from './api.js';
import { requestOf } from './game.js';
import { keep, recall } from './page.js';

const MOST_KEPT = 500;

// `changed()` is called when there is something new to show.
export function createHints(changed) {
  const known = new Map(); // request as text -> answer
  let isOn = recall('hints', false) === true;
  let asking = null; // {key, controller}
  let failed = null; // {key, message}

  function stop() {
    asking?.controller.abort();
    asking = null;
  }

  async function ask(key) {
    const controller = new AbortController();
    asking = { key, controller };
    try {
      const answer = await askAnalysis(JSON.parse(key), controller.signal);
      if (known.size >= MOST_KEPT) known.delete(known.keys().next().value);
      known.set(key, answer);
    } catch (error) {
      if (isAbort(error)) return;
      failed = { key, message: error.message };
    }
    if (asking?.key !== key) return;
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
    stop,
    // {state, answer, message} of a position; asks where nothing is known. `wanted` is false where nobody will look.
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
