// Who sits where: people and players by name, and sentences about them.
import { PERSON } from './address.js';

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

// "You win", "hard wins"; irregular forms are given.
export function says(name, verb, you = verb) {
  return name === 'You' ? `You ${you}` : `${name} ${verb === 'have' ? 'has' : `${verb}s`}`;
}

export function turnOf(name) {
  return name === 'You' ? 'Your turn' : `${name}’s turn`;
}
