// Reasons: why a position, or a column in it, is worth what it is, in words, as marks on the board, and as a plan that
// one can try to beat.
import { askReason } from './api.js';
import { createAsker } from './ask.js';
import { COLOURS } from './colours.js';
import { MOVE_SIGNS, columnName, moverOf, openColumns, positionAfter, requestOf } from './game.js';
import { button, byId, keep, node, recall, sign } from './page.js';

// What the marks on the board mean, in the order in which they are listed.
const MEANINGS = [
  ['threat now', 'A whole ring: a disc here makes four at once.'],
  ['threat', 'A broken ring: a disc here will make four, once the cells below it are filled.'],
  ['needed', 'A dotted ring: a cell that the four still needs.'],
  ['avoid', '!: nobody wants to play here, because the cell above it decides the game.'],
  ['key', '\u2605: the cell that the right move would have taken first.'],
  ['line', 'Numbers: the order in which the discs are played.'],
  ['pair', 'The same number in two white cells: if the other side takes one of them, the plan takes the other.'],
];

export const colourOf = (player) => COLOURS[player - 1];

// The server's words: players have their discs before the colour, and cells light up while the pointer is on their names.
// Each part is text, {text, player} or {text, cells}.
export function reasonNodes(parts, light) {
  return [parts].flat().map((part) => {
    if (typeof part === 'string') return part;
    const { text, player, cells } = part;
    if (player) return node('span', { class: 'side-name' }, sign(player), text);
    const name = node('span', { class: 'cell-name', text });
    name.addEventListener('pointerenter', () => light(cells));
    name.addEventListener('pointerleave', () => light([]));
    return name;
  });
}

// The marks of a reason on the board after `ply` moves: only those on cells that are still empty there.
export function boardMarks(answer, game, ply) {
  const { cells } = positionAfter(game, ply);
  const threats = new Map(answer.reasons.flatMap((reason) => reason.threats.map((cell) => [String(cell), reason.player])));
  return answer.marks.filter(({ column, row }) => row >= cells[column].length).map((mark) => ({
    ...mark,
    threat: mark.meaning === 'threat' ? mark.player : threats.get(String([mark.column, mark.row])) ?? null,
    isNow: mark.row === cells[mark.column].length,
  }));
}

// "Why Red wins", "Why column 3 draws", "Why column 3 is a mistake"; before the answer, only what is asked.
function titleOf(game, ply, column, answer) {
  const subject = column === null ? '' : columnName(column);
  if (!answer?.result) return `Why${subject && ` ${subject}`}?`;
  const { result, mistake } = answer;
  if (mistake) return `Why ${subject} is a mistake`;
  if (column !== null) return `Why ${subject} ${{ win: 'wins', draw: 'draws', loss: 'loses' }[result]}`;
  const mover = moverOf(game, ply);
  return result === 'draw' ? 'Why nobody can force a win' : `Why ${colourOf(result === 'win' ? mover : 3 - mover)} wins`;
}

// `changed()` is called when there is something new to show, `light(cells)` lights cells of the board, and
// `tryPlan(columns, reason)` starts a game against a plan in the position after these columns.
export function createWhy({ changed, light, tryPlan }) {
  const host = byId('why');
  const asker = createAsker(([request, column], signal) => askReason(request, column, signal), changed);
  let isOn = recall('why', false) === true;
  let chosen = { key: '', column: null }; // the column to explain, at one position
  let drawn = ''; // what the panel shows

  function choose(key, column) {
    chosen = { key, column };
    asker.stop();
    changed();
  }

  // A button for the position and one for each column, to choose what is explained.
  function drawChoice(game, ply, key, column) {
    const chip = (wanted, text, name) => button({
      class: 'chip', 'aria-pressed': String(wanted === column), 'aria-label': name, text,
    }, () => choose(key, wanted));
    const hadFocus = byId('why-choice').contains(document.activeElement);
    byId('why-choice').replaceChildren(chip(null, 'Position', 'Position'),
      ...openColumns(game, ply).map((each) => chip(each, MOVE_SIGNS[each], columnName(each).replace('c', 'C'))));
    if (hadFocus) byId('why-choice').querySelector('[aria-pressed="true"]').focus();
  }

  function drawAnswer(game, subject, answer, marks) {
    byId('why-summary').replaceChildren(...reasonNodes(answer.summary, light));
    byId('why-text').replaceChildren(...reasonNodes(answer.text, light));
    const used = new Set(marks.flatMap(({ meaning, threat, isNow }) => [
      ...(meaning === 'threat' ? [] : [meaning]), ...(threat ? [isNow ? 'threat now' : 'threat'] : []),
    ]));
    const words = [...MEANINGS.filter(([meaning]) => used.has(meaning)).map(([, text]) => text), ...answer.legend];
    byId('why-legend').replaceChildren(...words.map((text) => node('li', { text })));
    byId('why-more').hidden = false;
    const { reasons } = answer;
    const planned = reasons.find(({ plan, player }) => plan && player !== subject.viewer) ?? reasons.find(({ plan }) => plan);
    const host = byId('try-plan');
    host.hidden = !planned;
    if (!planned) return;
    host.textContent = `Try to beat ${colourOf(planned.player)}\u2019s plan`;
    host.onclick = () => tryPlan([...game.columns.slice(0, subject.ply), ...planned.lead], planned);
  }

  function drawWait(text) {
    byId('why-summary').textContent = text;
    byId('why-more').hidden = byId('try-plan').hidden = true;
  }

  return {
    get isOn() { return isOn; },
    turn(on) {
      isOn = on;
      keep('why', on);
      asker.stop();
    },
    // Explains what is shown after `ply` moves and returns the marks for the board. `subject` is {ply, column, viewer}:
    // a mistake, or the position (the column is then undefined, and may be chosen); null shows nothing.
    // `isWanted` is false while nothing should be asked for.
    show(game, ply, subject, isWanted) {
      host.hidden = subject === null;
      if (subject === null) {
        asker.stop();
        light([]);
        drawn = '';
        return [];
      }
      const request = requestOf(game, subject.ply);
      const place = JSON.stringify(request);
      if (chosen.key !== place) chosen = { key: place, column: null };
      const isMistake = subject.column !== undefined;
      const column = isMistake ? subject.column : chosen.column;
      const key = JSON.stringify([request, column]);
      const { answer, error } = asker.of([request, column], isWanted);
      const state = answer ? 'known' : !isWanted ? 'later' : error ? 'failed' : 'asking';
      const marks = answer ? boardMarks(answer, game, ply) : [];
      if (drawn !== `${key} ${ply} ${state}`) {
        drawn = `${key} ${ply} ${state}`;
        light([]);
        byId('why-title').textContent = titleOf(game, subject.ply, column, answer);
        byId('why-choice').hidden = isMistake;
        if (!isMistake) drawChoice(game, ply, place, column);
        if (answer) drawAnswer(game, subject, answer, marks);
        else drawWait({ later: 'A reason comes when it is your turn.', failed: error?.message, asking: 'Looking for a reason\u2026' }[state]);
      }
      return marks;
    },
  };
}
