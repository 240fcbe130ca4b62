// The scale of ten levels: the one that somebody plays, and when a stronger or a weaker one is offered.
import { keep, node, recall } from './page.js';

const HIGHEST = 10;
const WINS_UP = 2;
const LOSSES_DOWN = 3;
const NOTHING = { seat: '', wins: 0, losses: 0, game: '' };

// The level of a seat; 0 for everybody else.
export const levelOf = (seat) => Number(/^level:(\d+)$/.exec(seat)?.[1] ?? 0);

// The seat of the level played last, or of the first one.
export function mySeat() {
  const level = recall('level', 1);
  return `level:${Number.isInteger(level) && level >= 1 && level <= HIGHEST ? level : 1}`;
}

export function playedAgainst(seat) {
  if (levelOf(seat)) keep('level', levelOf(seat));
}

// Ten dots, as many of them filled as the level says.
export function dotsOf(level) {
  const dots = Array.from({ length: HIGHEST }, (_, index) => node('i', index < level ? { class: 'on' } : {}));
  return node('span', { class: 'dots', 'aria-hidden': 'true' }, ...dots);
}

// Counts a finished game once, by its name: `result` is 'win', 'draw' or 'loss' of the person. Returns the level to play
// next, {seat, isUp}, or null to stay. Against anybody else than a level, it is one beside the level played last.
export function nextLevel(seat, game, result) {
  const known = recall('ladder', NOTHING);
  const before = known?.seat === seat ? known : NOTHING;
  if (before.game === game) return null;
  const level = levelOf(seat) || levelOf(mySeat());
  const wins = result === 'win' ? before.wins + 1 : 0;
  const losses = result === 'loss' ? before.losses + 1 : 0;
  const isUp = wins >= WINS_UP && level < HIGHEST;
  const isDown = losses >= LOSSES_DOWN && (level > 1 || !levelOf(seat));
  keep('ladder', isUp || isDown ? { ...NOTHING, seat, game } : { seat, wins, losses, game });
  if (!isUp && !isDown) return null;
  return { seat: `level:${isUp ? level + 1 : Math.max(1, level - 1)}`, isUp };
}
