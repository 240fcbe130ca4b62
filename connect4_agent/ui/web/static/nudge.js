// Nudges: a hint in three steps. First a sentence, then lit cells, then the column itself.
import { askAnalysis, askReason } from './api.js';
import { createAsker } from './ask.js';
import { columnName, foursOf, moverOf, positionAfter, requestOf } from './game.js';
import { boardMarks } from './why.js';

const LAST_STEP = 3;
const SHOWN = ['threat', 'needed', 'avoid', 'key', 'pair'];

// What a reason is about, without the answer: of a side that wins or holds.
const CLUES = {
  four: 'somebody can make four in a row',
  'double threat': 'two fours at once are possible',
  'threat above a threat': 'a four with another four right above it is possible',
  forced: 'a threat that has to be answered starts something',
  zugzwang: 'somebody will run out of good moves',
  hold: 'there is a way to hold the other side',
  'no line': 'one side has no open line left',
};

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// A third of the board, by name, and its columns.
function part(width, column) {
  const third = Math.min(2, Math.floor((3 * (column + 0.5)) / width));
  const [name, from] = [['left', 'middle', 'right'][third], Math.round((third * width) / 3)];
  return { name, columns: Array.from({ length: Math.round(((third + 1) * width) / 3) - from }, (_, index) => from + index) };
}

// {text, cells, column}: a four to make or to block needs no server.
function atOnce(game, ply, names) {
  const me = moverOf(game, ply);
  const [[own], [other]] = [foursOf(game, ply, me), foursOf(game, ply, 3 - me)];
  const four = own ?? other;
  if (!four) return null;
  const text = own ? 'Look closely: you can make four in a row.' : `Watch out: ${names[2 - me]} is about to make four in a row.`;
  return {
    text, column: four.column, cells: four.line.filter(([column, row]) => column !== four.column || row !== four.row),
    after: own ? 'It makes four in a row.' : `It stops ${names[2 - me]}\u2019s four.`,
  };
}

// The same for a column and its reason.
function fromReason(game, ply, column, isExact, reason) {
  const lands = positionAfter(game, ply).cells[column].length;
  const cells = boardMarks(reason, game, ply)
    .filter((mark) => SHOWN.includes(mark.meaning) && !(mark.column === column && mark.row === lands))
    .map((mark) => [mark.column, mark.row]);
  const where = cells.find(([each]) => each !== column)?.[0];
  const clue = CLUES[reason.kind];
  const region = part(game.width, column);
  const text = where !== undefined ? `Something is about to happen in ${columnName(where)}${clue ? `: ${clue}` : ''}.`
    : clue ? `${capital(clue)}.` : `No simple reason here. Look at the ${region.name} of the board.`;
  const { cells: discs } = positionAfter(game, ply);
  const fallback = region.columns.filter((each) => discs[each].length < game.height).map((each) => [each, discs[each].length]);
  return { text, column, cells: cells.length ? cells : fallback, after: isExact ? reason.summary : 'This is a guess: it is not proven.' };
}

// `changed()` is called when there is something new to show.
export function createNudge(changed) {
  const asker = createAsker(async (request, signal) => {
    const { best, exact } = await askAnalysis(request, signal);
    return { column: best[0], isExact: exact !== false, reason: await askReason(request, best[0], signal) };
  }, changed);
  let now = null; // {key, step, found}

  const keyOf = (game, ply) => JSON.stringify(requestOf(game, ply));

  // What is known of a hint for the position of `now`, asked for if nothing is.
  function find(game, ply) {
    if (now.found) return now.found;
    const { answer, error } = asker.of(requestOf(game, ply));
    if (error) return { text: error.message, cells: [], column: null, isFailure: true };
    now.found = answer && fromReason(game, ply, answer.column, answer.isExact, answer.reason);
    return now.found;
  }

  return {
    // The next step of the hint for a position.
    press(game, ply, names) {
      const key = keyOf(game, ply);
      if (now?.key === key) {
        const found = find(game, ply);
        if (!found?.isFailure) {
          if (found) now.step = Math.min(LAST_STEP, now.step + 1);
          return;
        }
      }
      asker.stop();
      now = { key, step: 1, found: atOnce(game, ply, names) };
      find(game, ply);
    },
    // {words, cells, column} of the position shown, as far as it has been asked for; null for nothing.
    of(game, ply) {
      if (now?.key !== keyOf(game, ply)) return null;
      const [{ step }, found] = [now, find(game, ply)];
      if (!found) return { words: ['Thinking about a hint\u2026'], cells: [], column: null };
      const isLast = step === LAST_STEP && !found.isFailure;
      const words = isLast ? [`${capital(columnName(found.column))}. `, found.after].flat() : [found.text];
      return { words, cells: step === 2 ? found.cells : [], column: step === LAST_STEP ? found.column : null };
    },
  };
}
