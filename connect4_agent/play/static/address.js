// The game in the page's address: what is not said there is the default.
//
//     ?moves=4453&at=2&width=8&height=7&one=person&two=hard&first=2&name1=Ada&name2=Bob&seed=1
import { MOVE_SIGNS, USUAL, movesText, newGame, readMoves } from './game.js';

export const PERSON = 'person';
export const LARGEST_SIDE = MOVE_SIGNS.length;
const LONGEST_NAME = 24;
const LONGEST_SPEC = 200;

export function defaults() {
  return { seats: [PERSON, 'hard'], names: ['', ''], begins: 'random', seed: '', ...USUAL };
}

function wholeNumber(query, name, fallback, lowest, highest) {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(value >= lowest && value <= highest)) {
    throw new Error(`${name} is “${text}”; allowed are ${lowest} to ${highest}`);
  }
  return value;
}

function cleanText(query, name, longest) {
  return (query.get(name) ?? '').trim().slice(0, longest);
}

// {setup, game, ply}; `game` is null where the address has no game yet.
// Throws an Error that says what is wrong.
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const usual = defaults();
  const setup = {
    width: wholeNumber(query, 'width', usual.width, 1, LARGEST_SIDE),
    height: wholeNumber(query, 'height', usual.height, 1, LARGEST_SIDE),
    seats: ['one', 'two'].map((name, index) => cleanText(query, name, LONGEST_SPEC) || usual.seats[index]),
    names: [cleanText(query, 'name1', LONGEST_NAME), cleanText(query, 'name2', LONGEST_NAME)],
    begins: query.has('moves') || !query.has('first') ? usual.begins : String(query.get('first')),
    seed: query.get('seed') === null ? '' : String(wholeNumber(query, 'seed', 0, 0, 9999)),
  };
  if (!query.has('moves') && !query.has('first')) return { setup, game: null, ply: 0 };
  const first = wholeNumber(query, 'first', 1, 1, 2);
  const game = newGame(setup.width, setup.height, first);
  game.columns = readMoves(query.get('moves') ?? '', setup.width, setup.height, first);
  return { setup, game, ply: wholeNumber(query, 'at', game.columns.length, 0, game.columns.length) };
}

export function writeAddress(setup, game, ply) {
  const usual = defaults();
  const query = new URLSearchParams();
  const put = (name, value, usualValue) => {
    if (value !== usualValue) query.set(name, value);
  };
  put('moves', movesText(game.columns), '');
  put('at', String(ply), String(game.columns.length));
  put('width', String(setup.width), String(usual.width));
  put('height', String(setup.height), String(usual.height));
  put('one', setup.seats[0], usual.seats[0]);
  put('two', setup.seats[1], usual.seats[1]);
  // Nobody has begun on an empty board: the wish is kept, not who it happens to be.
  if (game.columns.length) put('first', String(game.first), '1');
  else put('first', setup.begins, usual.begins);
  put('name1', setup.names[0], '');
  put('name2', setup.names[1], '');
  put('seed', setup.seed, '');
  const text = query.toString();
  return text ? `?${text}` : '/';
}
