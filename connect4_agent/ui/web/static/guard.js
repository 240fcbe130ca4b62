// "Are you sure?": a question before a disc that loses at once, or that misses four in a row.
import { columnName, foursOf, moverOf, openColumns, withMove } from './game.js';
import { keep, recall } from './page.js';

const LEVELS = ['level:1', 'level:2']; // against whom it is on until somebody chooses

// What a column overlooks, if another one does not: 'missed', 'four', or empty. It needs no server.
export function overlooked(game, ply, column) {
  const me = moverOf(game, ply);
  const own = foursOf(game, ply, me);
  if (own.length) return own.some((each) => each.column === column) ? '' : 'missed';
  const isSafe = (each) => !foursOf(withMove(game, ply, each), ply + 1, 3 - me).length;
  return !isSafe(column) && openColumns(game, ply).some(isSafe) ? 'four' : '';
}

export function createGuard() {
  let asked = ''; // the position and column of the last question
  let chosen = recall('guard', null);

  return {
    isOn: (seats) => chosen ?? seats.some((seat) => LEVELS.includes(seat)),
    turn(on) {
      chosen = on;
      keep('guard', on);
    },
    // The question before a disc; empty if there is none, or if it has just been asked: the same disc again is the answer.
    question(game, ply, column, opponent) {
      const key = JSON.stringify([game.columns.slice(0, ply), column]);
      const found = asked === key ? '' : overlooked(game, ply, column);
      asked = found ? key : '';
      if (!found) return '';
      const danger = found === 'missed' ? 'You can make four in a row now.' : `${opponent} could make four in a row then.`;
      return `Are you sure? ${danger} To play it anyway, drop it again in ${columnName(column)}.`;
    },
  };
}
