// How many puzzles were solved in a row, and on how many consecutive days; kept in this browser only.
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
  const found = recall('streak', NONE);
  const isGood = found !== null && Array.isArray(found.solved) && [found.row, found.best, found.days].every(Number.isInteger);
  return isGood ? found : NONE;
}

export const streak = {
  // {row, best, days}: a day without a solved puzzle ends the run of days.
  get now() {
    const { row, best, days, lastDay } = recalled();
    return { row, best, days: [dayFromToday(0), dayFromToday(-1)].includes(lastDay) ? days : 0 };
  },
  isSolved: (name) => recalled().solved.includes(name),
  // Counts a puzzle once; `date` is the day whose puzzle it is, or null.
  count(name, isRight, date) {
    const before = recalled();
    if (before.solved.includes(name)) return;
    const row = isRight ? before.row + 1 : 0;
    const after = { ...before, row, best: Math.max(before.best, row), solved: [...before.solved, name].slice(-MAX_KEPT) };
    if (date === dayFromToday(0) && isRight && before.lastDay !== date) {
      after.days = before.lastDay === dayFromToday(-1) ? before.days + 1 : 1;
      after.lastDay = date;
    }
    keep('streak', after);
  },
};
