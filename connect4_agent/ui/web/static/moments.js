// Moments to learn from: one's own oversights, one at a time. A person tries to find better; a right try gets its reason, a
// wrong one is refuted on the board. The game itself stays as it is.
import { columnName, openColumns, withMove } from './game.js';
import { byId, showParts, whenPressed } from './page.js';
import { createTable } from './table.js';
import { reasonNodes } from './why.js';
import { fullWords } from './words.js';

// `view()` is the view of the board; `leave()` returns to the game.
export function createMoments({ view, leave }) {
  let asked = null; // {game, player, moments}
  let index = 0;

  const moment = () => asked.moments[index];
  const before = () => ({ ...asked.game, columns: asked.game.columns.slice(0, moment().ply) });
  const table = createTable({ view, drop, retry: ask, player: () => asked.player, title, changed });
  const { enter, playout, tell, show } = table;

  function title() {
    return asked.moments.length > 1 ? `${index + 1} of ${asked.moments.length}: find better` : 'Can you find better?';
  }

  function changed() {
    if (!asked) return;
    showParts({ moments: true, actions: false, ended: false, welcome: false, rows: false, review: false, 'moment-show': table.phase !== 'done' });
    byId('moment-show').disabled = table.phase === 'busy';
    byId('moment-next').textContent = index + 1 < asked.moments.length ? 'Next' : 'Finish';
    byId('moment-next').classList.toggle('strong', table.phase === 'done');
  }

  function ask() {
    playout.stop();
    enter('ask');
    show(before(), moment().ply);
    tell(`Move ${moment().ply + 1}: you played ${columnName(asked.game.columns[moment().ply])}. Drop a disc.`);
  }

  function drop(column) {
    const { ply, risks } = moment();
    if (!openColumns(before(), ply).includes(column)) tell(fullWords(column));
    else if (risks[column]) table.refute(before(), ply, column, () => reasonNodes(risks[column].words));
    else table.refute(before(), ply, column, ({ mistake, result }) => (mistake && (result === 'loss' ? 'That loses.' : 'That gives the win away.')), praise);
  }

  function praise(column, reason) {
    enter('done');
    show(withMove(before(), moment().ply, column), moment().ply + 1, reason);
    tell(reason.result === 'loss' ? 'Yes, though the game is lost.' : 'Yes!', 'right', reason);
  }

  function showAnswer() {
    const [column] = moment().better;
    table.refute(before(), moment().ply, column, () => '', praise);
  }

  function stop() {
    if (asked) table.stop();
    asked = null;
  }

  function next() {
    table.stop();
    index += 1;
    if (index < asked.moments.length) ask();
    else {
      stop();
      leave();
    }
  }

  whenPressed({ 'moment-show': showAnswer, 'moment-next': next, 'moment-leave': () => { stop(); leave(); } });

  return {
    get isOn() { return asked !== null; },
    canDrop: table.canDrop,
    drop: table.drop,
    render: table.render,
    // For keys: presses a button, unless it is out of use.
    press(name) { if (asked && !byId(`moment-${name}`).hidden) byId(`moment-${name}`).click(); },
    start(wanted) {
      [asked, index] = [wanted, 0];
      ask();
    },
    stop,
  };
}
