// Tests of the strategy. A board is drawn as rows: . is empty, 1 and 2 are discs.
'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { choose } = require('./strategy.js');

// The grid that a drawing shows: rows become columns.
function gridOf(drawing) {
  const rows = drawing.replaceAll('.', '0').split(' ');
  return [...rows[0]].map((_, column) => rows.map((row) => Number(row[column])));
}

const EMPTY = '....... ....... ....... ....... ....... .......';
const TWO_WANTS_COLUMN_0 = '....... ....... ....... 2...... 2..1... 2..11..';
const BOTH_WANT_THE_SIDES = '....... ....... 1.....2 1.....2 1.....2 2.....1';

test('it begins in the centre', () => {
  assert.strictEqual(choose(gridOf(EMPTY), 1), 3);
});

test('it blocks the opponent', () => {
  assert.strictEqual(choose(gridOf(TWO_WANTS_COLUMN_0), 1), 0);
});

test('it wins rather than blocks', () => {
  assert.strictEqual(choose(gridOf(BOTH_WANT_THE_SIDES), 1), 0);
  assert.strictEqual(choose(gridOf(BOTH_WANT_THE_SIDES), 2), 6);
});

test('it plays the last open column', () => {
  assert.strictEqual(choose(gridOf('121212. 2121212 1212121'), 1), 6);
});
