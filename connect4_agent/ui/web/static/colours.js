// What the players' discs are called: red has a cross, yellow a ring.
export const COLOURS = ['Red', 'Yellow'];
