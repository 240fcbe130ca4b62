// "Are you sure?": a question before a disc that overlooks something, if another one does not.
import { askRisks } from './api.js';
import { createAsker } from './ask.js';
import { openColumns, requestOf } from './game.js';
import { keep, recall } from './page.js';
import { reasonNodes } from './why.js';

const LEVELS = ['level:1', 'level:2']; // against whom it is on until somebody chooses
const REPEAT_MS = 600; // a second press within this time is no answer
const HARD_TO_SEE = 'allowed double threat'; // which nobody asks about

export function createGuard() {
  let tell = () => {};
  const asker = createAsker(askRisks, () => tell());
  let asked = { key: '', since: 0 }; // the position and column of the last question
  let chosen = recall('guard', null);

  return {
    isOn: (seats) => chosen ?? seats.some((seat) => LEVELS.includes(seat)),
    turn(on) {
      chosen = on;
      keep('guard', on);
    },
    // Asks for the risks of a position before somebody presses.
    prepare: (game, ply) => asker.of(requestOf(game, ply)),
    // Resolves when the risks are known, or when `patience` is at an end.
    ready(game, ply, patience) {
      if (asker.of(requestOf(game, ply)).answer) return null;
      return Promise.race([patience, new Promise((resolve) => { tell = () => resolve(null); })]);
    },
    // {words, cells} of the question before a disc; null if there is none, or if the same disc has answered it.
    question(game, ply, column) {
      const { answer } = asker.of(requestOf(game, ply));
      const risk = answer?.columns[column];
      const isOnlyWay = !openColumns(game, ply).some((each) => answer && !answer.columns[each]);
      if (!risk || risk.oversight === HARD_TO_SEE || isOnlyWay) return null;
      const key = JSON.stringify([game.columns.slice(0, ply), column]);
      const isAgain = asked.key === key;
      if (isAgain && Date.now() - asked.since >= REPEAT_MS) return null;
      if (!isAgain) asked = { key, since: Date.now() };
      return { words: ['Are you sure? ', ...reasonNodes(risk.words)], cells: risk.cells };
    },
  };
}
