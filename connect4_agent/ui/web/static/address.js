// The game in an address; everything left out has its default.
//
//     moves=4453&also=2-21,3-7&line=1&at=3&width=8&height=7&one=person&two=level:3&first=2&name1=Ada&name2=Bob&seed=1
//
// With `start`, the game begins with a position that was set up: its rows from the top, as in
// start=......./......./......./......./...O.../..XXO.. with X for player 1, O for player 2 and . for an empty cell;
// `first` is then the player to move. `moves` is the main line. `also` holds its variations: 2-21 is its first 2 moves, followed by 2 and 1.
import { MOVE_SIGNS, USUAL, movesText, readMoves } from './game.js';
import { sharedPly, withLine } from './lines.js';
import { flawOf } from './position.js';
import { plainText } from './transport.js';

export const PERSON = 'person';
export const LARGEST_SIDE = MOVE_SIGNS.length;
const LONGEST_NAME = 24;
const LONGEST_SPEC = 2000; // a plan is long
const MAX_VARIATIONS = 200;

export function defaults() {
  return { seats: [PERSON, 'level:1'], names: ['', ''], begins: 'random', seed: '', start: null, ...USUAL };
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
  return [...plainText(query.get(name) ?? '').trim()].slice(0, longest).join('');
}

// The main line and its variations. Throws an Error that says what is wrong.
function readLines(query, { width, height, start }, first) {
  const main = query.get('moves') ?? '';
  let lines = [readMoves(main, width, height, first, start)];
  const texts = (query.get('also') ?? '').split(',').filter(Boolean);
  if (texts.length > MAX_VARIATIONS) {
    throw new Error(`also has ${texts.length} variations; at most ${MAX_VARIATIONS} are allowed`);
  }
  for (const text of texts) {
    const [, ply, moves] = /^(\d{1,4})-(.+)$/.exec(text) ?? [];
    if (ply === undefined || Number(ply) > lines[0].length) {
      throw new Error(`also has “${text}”; a variation is a ply of the game, - and moves, such as 0-4`);
    }
    lines = withLine(lines, readMoves(main.slice(0, Number(ply)) + moves, width, height, first, start));
  }
  return lines;
}

const SIGNS = '.XO';

// {start, width, height} of a position that was set up; nothing without one. Throws an Error that says what is wrong.
function readStart(query) {
  const text = query.get('start');
  if (text === null) return {};
  const rows = text.toUpperCase().split('/').map((row) => [...row]);
  const [width, height] = [rows[0].length, rows.length];
  if (!width || width > LARGEST_SIDE || height > LARGEST_SIDE || rows.some((row) => row.length !== width)) {
    const lengths = [...new Set(rows.map((row) => row.length))].join(' and ');
    throw new Error(`start has rows of ${lengths} cells; all must have the same number, 1 to ${LARGEST_SIDE}`);
  }
  const start = rows[0].map((_, column) => rows.map((row) => SIGNS.indexOf(row[column])).reverse());
  if (start.flat().includes(-1)) throw new Error('start may have only X, O, dots and slashes');
  const floating = start.findIndex((discs) => discs.some((disc, row) => disc && row && !discs[row - 1]));
  if (floating >= 0) throw new Error(`in start, a disc of column ${MOVE_SIGNS[floating]} has an empty cell below it`);
  return { start: start.map((discs) => discs.filter(Boolean)), width, height };
}

function startText({ start, width, height }) {
  const row = (at) => Array.from({ length: width }, (_, column) => SIGNS[start[column][at] ?? 0]).join('');
  return Array.from({ length: height }, (_, index) => row(height - 1 - index)).join('/');
}

// {setup, first, lines, place}; `lines` is null if the address has no game yet.
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
    start: null,
    ...readStart(query),
  };
  if (setup.start) {
    const flaw = flawOf(setup, wholeNumber(query, 'first', 1, 1, 2));
    if (flaw) throw new Error(flaw.replace(/\.$/, ''));
  }
  if (!query.has('moves') && !query.has('first')) return { setup, first: null, lines: null, place: null };
  const first = wholeNumber(query, 'first', 1, 1, 2);
  const lines = readLines(query, setup, first);
  const line = wholeNumber(query, 'line', 0, 0, lines.length - 1);
  const count = lines[line].length;
  return { setup, first, lines, place: { line, ply: wholeNumber(query, 'at', count, 0, count) } };
}

// What the analysis board's address says of the same moves.
export function analysisQuery({ width, height, start }, first, lines, place) {
  return writeAddress({ ...defaults(), width, height, start, begins: String(first) }, first, lines, place);
}

export function writeAddress(setup, first, lines, { line, ply }) {
  const usual = defaults();
  const query = new URLSearchParams();
  const put = (name, value, usualValue) => {
    if (value !== usualValue) query.set(name, value);
  };
  const [main, ...others] = lines;
  put('moves', movesText(main), '');
  put('also', others.map((each) => {
    const ply = sharedPly(main, each);
    return `${ply}-${movesText(each.slice(ply))}`;
  }).join(','), '');
  put('line', String(line), '0');
  put('at', String(ply), String(lines[line].length));
  if (setup.start) put('start', startText(setup), '');
  else {
    put('width', String(setup.width), String(usual.width));
    put('height', String(setup.height), String(usual.height));
  }
  put('one', setup.seats[0], usual.seats[0]);
  put('two', setup.seats[1], usual.seats[1]);
  // On an empty board nobody has moved yet: keep the setting, not the player that it happened to pick.
  if (main.length) put('first', String(first), '1');
  else put('first', setup.begins, usual.begins);
  put('name1', setup.names[0], '');
  put('name2', setup.names[1], '');
  put('seed', setup.seed, '');
  return query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
}
