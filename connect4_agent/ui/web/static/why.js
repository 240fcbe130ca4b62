// Reasons: why a position, or a column in it, is worth what it is, in words and as marks on the board.
import { askReason } from './api.js';
import { createAsker } from './ask.js';
import { columnName, moverOf, positionAfter, requestOf } from './game.js';
import { COLOURS, keep, node, recall, sign } from './page.js';
import { board } from './stage.js';

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

// The server's words: players have their discs before the colour, and cells light up while the pointer is on their names.
// Each part is text, {text, player} or {text, cells}.
export function reasonNodes(parts) {
  return [parts].flat().map((part) => {
    if (typeof part === 'string') return part;
    const { text, player, cells } = part;
    if (player) return node('span', { class: 'side-name' }, sign(player), text);
    const name = node('span', { class: 'cell-name', text });
    name.addEventListener('pointerenter', () => board.light(cells));
    name.addEventListener('pointerleave', () => board.light([]));
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

// "Why Red wins", "Why column 3 draws", "Why column 3 is a mistake".
function titleOf({ game, ply, column }, { result, mistake }) {
  if (column !== null) return `Why ${columnName(column)} ${mistake ? 'is a mistake' : { win: 'wins', draw: 'draws', loss: 'loses' }[result]}`;
  if (result === 'draw') return 'Why nobody can force a win';
  return `Why ${COLOURS[(result === 'win' ? moverOf(game, ply) : 3 - moverOf(game, ply)) - 1]} wins`;
}

// What the marks of a reason mean, and its terms.
function legendOf({ legend }, marks) {
  const used = new Set(marks.flatMap(({ meaning, threat, isNow }) => [
    ...(meaning === 'threat' ? [] : [meaning]), ...(threat ? [isNow ? 'threat now' : 'threat'] : []),
  ]));
  return [...MEANINGS.filter(([meaning]) => used.has(meaning)).map(([, text]) => text), ...legend];
}

const NOTHING = { marks: [], words: null, plan: null, title: 'Why?', text: [], legend: [] };

// `changed()` is called when there is something new to show.
export function createWhy(changed) {
  const asker = createAsker(([request, column], signal) => askReason(request, column, signal), changed);
  let isOn = recall('why', false) === true;

  return {
    get isOn() { return isOn; },
    turn(on) {
      isOn = on;
      keep('why', on);
      asker.stop();
    },
    // Explains {game, ply, column, viewer}: a column, or the position if that is null. Returns the marks for the board, the
    // reason in words, and the plan to beat, of another side than the viewer's if there is one. `isWanted` is false while
    // nothing should be asked for; without a subject there is nothing to explain.
    show(subject, isWanted) {
      if (subject === null) {
        asker.stop();
        return NOTHING;
      }
      const { game, ply, column, viewer } = subject;
      const { answer, error } = asker.of([requestOf(game, ply), column], isWanted);
      if (!answer) {
        return { ...NOTHING, words: error?.message ?? (isWanted ? 'Looking for a reason\u2026' : 'A reason comes when it is your turn.') };
      }
      const marks = boardMarks(answer, game, ply);
      const plans = answer.reasons.filter(({ plan }) => plan);
      return {
        marks,
        words: reasonNodes(answer.summary),
        plan: plans.find(({ player }) => player !== viewer) ?? plans[0] ?? null,
        title: titleOf(subject, answer),
        text: reasonNodes(answer.text),
        legend: legendOf(answer, marks),
      };
    },
  };
}
