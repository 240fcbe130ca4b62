// Analyses of positions, requested once and kept, for hints under the board.
import { askAnalysis } from './api.js';
import { createAsker } from './ask.js';
import { requestOf } from './game.js';
import { keep, recall } from './page.js';

// `changed()` is called when there is something new to show; `isAlways` leaves no choice whether to show hints.
export function createHints(changed, { isAlways = false } = {}) {
  const asker = createAsker(askAnalysis, changed);
  let isOn = isAlways || recall('hints', false) === true;

  return {
    get isOn() { return isOn; },
    turn(on) {
      isOn = on;
      keep('hints', on);
      asker.stop();
    },
    retry() { asker.stop(); },
    // {state, answer, message} of a position; asks if nothing is known. `wanted` is false if nobody will look.
    of(game, ply, wanted) {
      if (!isOn) return { state: 'off' };
      const { answer, error } = asker.of(requestOf(game, ply), wanted);
      if (answer) return { state: answer.exact === false ? 'guess' : 'exact', answer };
      if (!wanted) return { state: 'none' };
      return error ? { state: 'failed', message: error.message } : { state: 'waiting' };
    },
  };
}
