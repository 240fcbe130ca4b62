// Best play from a position, or after one of its columns: found once, kept, and drawn as numbered discs.
import { askLine } from './api.js';
import { createAsker } from './ask.js';
import { moverOf, openColumns, positionAfter, requestOf, withMove } from './game.js';

const MAX_DRAWN = 9; // more would hide the position

// The cells of a line as marks for the board, numbered from 1.
export function lineMarks(game, ply, line) {
  const heights = positionAfter(game, ply).cells.map((discs) => discs.length);
  return line.slice(0, MAX_DRAWN).map((column, index) => {
    const row = heights[column];
    heights[column] += 1;
    return {
      column, row, player: moverOf(game, ply + index), meaning: 'best', number: index + 1, threat: null, isNow: false, cell: '',
    };
  });
}

// `changed()` is called when a line has been found.
export function createBestLines(changed) {
  const asker = createAsker(askLine, changed);

  function lineOf(game, ply) {
    const { answer, error } = asker.of(requestOf(game, ply));
    return answer?.line ?? (error ? [] : null); // the scores say what is wrong
  }

  return {
    // Best play after `ply` moves, or if this column is played there; null until it is found.
    of(game, ply, column = null) {
      if (column === null) return lineOf(game, ply);
      if (!openColumns(game, ply).includes(column)) return [];
      const next = withMove(game, ply, column);
      if (!openColumns(next, ply + 1).length) return [column];
      const rest = lineOf(next, ply + 1);
      return rest && [column, ...rest];
    },
  };
}
