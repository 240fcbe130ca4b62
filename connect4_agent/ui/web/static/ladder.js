// The ladder of levels: who a newcomer plays first, and when the opponent becomes stronger or weaker.
import { keep, recall } from './page.js';

const HIGHEST = 10;
const WINS_UP = 2;
const LOSSES_DOWN = 3;
const NOTHING = { seat: '', wins: 0, losses: 0, game: '' };

const levelOf = (seat) => Number(/^level:(\d+)$/.exec(seat)?.[1] ?? 0);

// Counts a finished game once, by its name: `result` is 'win', 'draw' or 'loss' of the person. Returns the level to
// play next, {seat, isUp}, or null to stay; games against anybody else do not count.
export function nextLevel(seat, game, result) {
  const level = levelOf(seat);
  if (!level) return null;
  const known = recall('ladder', NOTHING);
  const before = known?.seat === seat ? known : NOTHING;
  if (before.game === game) return null;
  const wins = result === 'win' ? before.wins + 1 : 0;
  const losses = result === 'loss' ? before.losses + 1 : 0;
  const isUp = wins >= WINS_UP && level < HIGHEST;
  const isDown = losses >= LOSSES_DOWN && level > 1;
  keep('ladder', isUp || isDown ? { ...NOTHING, seat, game } : { seat, wins, losses, game });
  return isUp || isDown ? { seat: `level:${level + (isUp ? 1 : -1)}`, isUp } : null;
}
