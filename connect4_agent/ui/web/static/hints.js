// Analyses of positions, requested once and kept: for hints under the board, and for the better moves in a review.
import { askAnalysis, isAbort } from './api.js';
import { requestOf } from './game.js';
import { keep, recall } from './page.js';

const MAX_KEPT = 500;

// `changed()` is called when there is something new to show; `isAlways` leaves no choice whether to show hints.
export function createHints(changed, { isAlways = false } = {}) {
  const known = new Map(); // request as text -> answer
  let isOn = isAlways || recall('hints', false) === true;
  let asking = null; // {key, controller}: the position shown
  let quiet = null; // likewise: a position requested in the background
  let failed = null; // {key, message}

  function stop() {
    asking?.controller.abort();
    asking = null;
  }

  // Asks, and keeps the answer; null if it was stopped, an Error if it failed.
  async function answerTo(key, signal) {
    try {
      const answer = await askAnalysis(JSON.parse(key), signal);
      if (known.size >= MAX_KEPT) known.delete(known.keys().next().value);
      known.set(key, answer);
      return answer;
    } catch (error) {
      return isAbort(error) ? null : error;
    }
  }

  async function ask(key) {
    const mine = { key, controller: new AbortController() };
    asking = mine;
    const found = await answerTo(key, mine.controller.signal);
    if (asking !== mine) return;
    asking = null;
    if (found instanceof Error) failed = { key, message: found.message };
    changed();
  }

  async function askQuietly(key) {
    quiet?.controller.abort();
    const mine = { key, controller: new AbortController() };
    quiet = mine;
    const found = await answerTo(key, mine.controller.signal);
    // A failed request is not repeated until another position has been requested: nobody is waiting for it.
    if (quiet === mine && found !== null && !(found instanceof Error)) changed();
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
    // The analysis of a position, whether hints are on or not; null until it arrives.
    quietly(game, ply) {
      const key = JSON.stringify(requestOf(game, ply));
      if (!known.has(key) && quiet?.key !== key) askQuietly(key);
      return known.get(key) ?? null;
    },
  };
}
