// Who sits where: people and players by name, and sentences about them.
import { PERSON } from './address.js';
import { moverOf } from './game.js';

export function isPerson(setup, player) {
  return setup.seats[player - 1] === PERSON;
}

export function peopleCount(setup) {
  return setup.seats.filter((seat) => seat === PERSON).length;
}

// The names of player 1 and player 2. A person alone is "You".
export function namesOf(setup) {
  const [one, two] = setup.seats;
  return setup.seats.map((seat, index) => {
    if (setup.names[index]) return setup.names[index];
    if (seat === PERSON) return one === two ? `Player ${index + 1}` : 'You';
    return one === two ? `${seat} (${index + 1})` : seat;
  });
}

// "You win", "hard wins".
export function says(name, verb) {
  return name === 'You' ? `You ${verb}` : `${name} ${verb}s`;
}

export function turnOf(name) {
  return name === 'You' ? 'Your turn' : `${name}’s turn`;
}

// Where taking back leads from a position: to a person's own turn, else one move back; null for nowhere.
export function undoPly(setup, game, ply) {
  if (!peopleCount(setup)) return ply > 0 ? ply - 1 : null;
  for (let at = ply - 1; at >= 0; at -= 1) if (isPerson(setup, moverOf(game, at))) return at;
  return null;
}

// The way back from there.
export function redoPly(setup, game, ply) {
  const count = game.columns.length;
  if (ply >= count) return null;
  for (let at = ply + 1; at < count; at += 1) {
    if (!peopleCount(setup) || isPerson(setup, moverOf(game, at))) return at;
  }
  return count;
}
