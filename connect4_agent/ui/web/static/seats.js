// The seats: people and players by name, and sentences about them.
import { PERSON, defaults, writeAddress } from './address.js';
import { moverOf } from './game.js';
import { COLOURS } from './page.js';

export function isPerson(setup, player) {
  return setup.seats[player - 1] === PERSON;
}

export function peopleCount(setup) {
  return setup.seats.filter((seat) => seat === PERSON).length;
}

// The plan of a seat such as plan:14/{"kept":[[1,1]],"answers":[],"spare":null}: {from, plan}, played from ply 14 on; null
// for every other seat.
export function planOf(seat) {
  const [, from, text] = /^plan:(\d{1,4})\/(\{.*\})$/.exec(seat) ?? [];
  try {
    return text ? { from: Number(from), plan: JSON.parse(text) } : null;
  } catch {
    return null;
  }
}

// The address of a game against the plan of a reason, after some columns.
export function planQuery(setup, first, given, { player, plan }) {
  const seats = [PERSON, PERSON];
  const { kept, answers, spare } = plan;
  seats[player - 1] = `plan:${given.length}/${JSON.stringify({ kept, answers, spare })}`;
  return writeAddress({ ...defaults(), ...setup, seats, begins: String(first) }, first, [given], { line: 0, ply: given.length });
}

const NAMED = /^(?:easy|medium|hard|perfect|level:\d+)$/;

// The display name of a player: Hard, Level 3.
export function titleOf(seat) {
  if (NAMED.test(seat)) return (seat[0].toUpperCase() + seat.slice(1)).replace(':', ' ');
  return planOf(seat) ? 'The plan' : seat;
}

// The names of player 1 and player 2. The only person is "You", two are Red and Yellow, as in reasons.
export function namesOf(setup) {
  const [one, two] = setup.seats;
  return setup.seats.map((seat, index) => {
    if (setup.names[index]) return setup.names[index];
    if (seat === PERSON) return one === two ? COLOURS[index] : 'You';
    return one === two ? `${titleOf(seat)} (${index + 1})` : titleOf(seat);
  });
}

// "You win", "hard wins".
export function says(name, verb) {
  return name === 'You' ? `You ${verb}` : `${name} ${verb}s`;
}

// Whose discs they are: "yours" and "Hard's".
export const ownersOf = (setup) => namesOf(setup).map((name) => (name === 'You' ? 'yours' : `${name}’s`));

// The ply that undo leads to: a person's own turn, or else one move back; null if there is none.
export function undoPly(setup, game, ply) {
  if (!peopleCount(setup)) return ply > 0 ? ply - 1 : null;
  for (let at = ply - 1; at >= 0; at -= 1) if (isPerson(setup, moverOf(game, at))) return at;
  return null;
}

// The first seat whose player the server does not have; undefined if it has both.
export function unknownSeat(setup, { players, agents }) {
  const known = new Set([PERSON, ...agents, ...players.map((each) => each.name)]);
  return setup.seats.find((seat) => !known.has(seat) && !known.has(seat.split(':')[0]) && !planOf(seat));
}
