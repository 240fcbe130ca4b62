// The most urgent hint for a position, in three steps: a thought, where to look, and the column.
import { askHint } from './api.js';
import { createAsker } from './ask.js';
import { requestOf } from './game.js';

const STEPS = 3;

// `changed()` is called when there is something new to show.
export function createHint(changed) {
  const asker = createAsker(askHint, changed);
  let now = { key: '', step: 0 };

  const keyOf = (game, ply) => JSON.stringify(requestOf(game, ply));

  return {
    // The next step of the hint for a position.
    press(game, ply) {
      const key = keyOf(game, ply);
      if (now.key !== key) now = { key, step: 1 };
      else if (asker.of(requestOf(game, ply)).error) asker.stop();
      else if (asker.of(requestOf(game, ply)).answer) now.step = Math.min(STEPS, now.step + 1);
    },
    // {words, cells, better, step} of the position shown, as far as it has been asked for; null for nothing.
    of(game, ply) {
      if (now.key !== keyOf(game, ply)) return null;
      const { answer, error } = asker.of(requestOf(game, ply));
      if (!answer) return { words: error?.message ?? 'Thinking about a hint\u2026', cells: [], better: [], step: 1 };
      const { step } = now;
      return { words: answer.steps[step - 1], cells: step === 2 ? answer.cells : [], better: step === STEPS ? [answer.column] : [], step };
    },
  };
}
