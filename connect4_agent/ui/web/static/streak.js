// Solved puzzles in a row and on consecutive days; kept in this browser only.
import { keep, recall } from './page.js';

const NONE = { row: 0, best: 0, days: 0, lastDay: '', solved: [] };
const MAX_KEPT = 400;

// The day a number of days from today, such as 2027-01-31, in local time.
export function dayFromToday(days) {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const two = (number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function recalled() {
  const found = { ...NONE, ...recall('streak', NONE) };
  const isGood = Array.isArray(found.solved) && [found.row, found.best, found.days].every(Number.isInteger);
  return isGood ? found : NONE;
}

// Whether the days are still in a row today.
const goesOn = ({ lastDay }) => lastDay === dayFromToday(0) || lastDay === dayFromToday(-1);

export const streak = {
  // {row, best, days, isSolvedToday}
  get now() {
    const [known, today] = [recalled(), dayFromToday(0)];
    return { row: known.row, best: known.best, days: goesOn(known) ? known.days : 0, isSolvedToday: known.lastDay === today };
  },
  isSolved: (name) => recalled().solved.includes(name),
  // Counts a puzzle once: for the row only at the first try. `date` is the day whose puzzle it is, or null.
  count(name, { isSolved, isFirstTry, date }) {
    const before = recalled();
    if (before.solved.includes(name)) return;
    const row = isFirstTry ? before.row + 1 : 0;
    const after = { ...before, row, best: Math.max(before.best, row), solved: isSolved ? [...before.solved, name].slice(-MAX_KEPT) : before.solved };
    if (date === dayFromToday(0) && isSolved && before.lastDay !== date) {
      after.days = goesOn(before) ? before.days + 1 : 1;
      after.lastDay = date;
    }
    keep('streak', after);
  },
};
