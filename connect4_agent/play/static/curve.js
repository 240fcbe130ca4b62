// The exact score of a game over its plies as an SVG curve, seen from one player, with the mistakes marked.
import { moverOf } from './game.js';
import { says } from './seats.js';

const SVG = 'http://www.w3.org/2000/svg';
const HIGH = 260;
const [FULL, NARROW] = [720, 380]; // as wide as the window allows: letters keep their size
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 12, 12, 30];
const ROOM = 26; // for the words at the top and bottom, which the curve stays clear of
const FONT = '15px system-ui, sans-serif'; // as in page.css
const DRAW_BAND = 0.22; // of half the height: even the latest win stands clear of the draw

function element(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

// The score after each ply, index 0 for the empty board, from the view of `viewer`; null where it is not known.
export function scoresSeenBy(viewer, game, judged) {
  const seen = (score, ply) => {
    if (score === null || score === undefined) return null;
    return moverOf(game, ply) === viewer ? score : 0 - score;
  };
  return [seen(judged[0]?.score_before, 0), ...judged.map((move, ply) => seen(move.score, ply))];
}

function scale(game, count, wide) {
  const largest = Math.ceil((game.width * game.height) / 2);
  const [middle, half] = [(TOP + HIGH - BOTTOM) / 2, (HIGH - TOP - BOTTOM) / 2 - ROOM];
  return {
    middle,
    wide,
    x: (ply) => LEFT + (ply / Math.max(count, 1)) * (wide - LEFT - RIGHT),
    y(score) {
      if (score === 0) return middle;
      const height = DRAW_BAND + (1 - DRAW_BAND) * (Math.abs(score) / largest);
      return middle - Math.sign(score) * half * height;
    },
  };
}

// Who wins there, the name cut where the words would be wider than their room.
function bandWords(name, where, room) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = FONT;
  const signs = [...name];
  const words = (shown) => `${says(shown, 'win')} (${where}: sooner)`;
  let text = words(name);
  while (signs.length > 1 && pen.measureText(text).width > room) {
    signs.pop();
    text = words(`${signs.join('').trimEnd()}\u2026`);
  }
  return text;
}

function drawBands(svg, { middle, wide, x, y }, names, viewer, count) {
  const inner = wide - LEFT - RIGHT;
  const [above, below] = [y(1) + 8, y(-1) - 8];
  element('rect', { class: 'band better', x: LEFT, y: TOP, width: inner, height: above - TOP }, svg);
  element('rect', { class: 'band even', x: LEFT, y: above, width: inner, height: below - above }, svg);
  element('rect', { class: 'band worse', x: LEFT, y: below, width: inner, height: HIGH - BOTTOM - below }, svg);
  element('line', { class: 'zero', x1: LEFT, x2: wide - RIGHT, y1: middle, y2: middle }, svg);
  const step = count > 24 ? 10 : 5;
  for (let ply = 0; ply <= count; ply += step) {
    element('line', { class: 'tick', x1: x(ply), x2: x(ply), y1: HIGH - BOTTOM, y2: HIGH - BOTTOM + 5 }, svg);
    const text = element('text', { class: 'figure', x: x(ply), y: HIGH - 8 }, svg, ply ? String(ply) : 'start');
    if (!ply) text.classList.add('start');
  }
  const label = (player, where) => bandWords(names[player - 1], where, inner - 16);
  element('text', { class: 'label', x: LEFT + 8, y: TOP + 19 }, svg, label(viewer, 'higher'));
  element('text', { class: 'side', x: LEFT - 6, y: middle + 5 }, svg, 'draw');
  element('text', { class: 'label', x: LEFT + 8, y: HIGH - BOTTOM - 10 }, svg, label(3 - viewer, 'lower'));
}

// Pieces of the line between plies whose scores are known.
function drawLine(svg, { x, y }, scores) {
  let path = '';
  scores.forEach((score, ply) => {
    if (score === null) return;
    path += `${ply && scores[ply - 1] !== null ? 'L' : 'M'}${x(ply).toFixed(1)} ${y(score).toFixed(1)}`;
  });
  element('path', { class: 'line', d: path }, svg);
  if (scores.length <= 60) {
    scores.forEach((score, ply) => {
      if (score !== null) element('circle', { class: 'dot', cx: x(ply), cy: y(score), r: 2.6 }, svg);
    });
  }
}

// A mistake is a diamond, hollow where the result stayed the same, with the sign of who made it.
function drawMistake(svg, { x, y }, mistake, score, jump) {
  const mark = element('g', {
    class: `mistake ${mistake.isGrave ? 'grave' : 'slight'}`, role: 'button', tabindex: '0',
    transform: `translate(${x(mistake.ply + 1).toFixed(1)} ${y(score).toFixed(1)})`, 'aria-label': mistake.words,
    'data-ply': mistake.ply,
  }, svg);
  element('title', {}, mark, mistake.words);
  element('circle', { class: 'reach', r: 15 }, mark);
  element('path', { class: 'diamond', d: 'M0 -10L10 0L0 10L-10 0Z' }, mark);
  if (mistake.player === 1) element('path', { class: 'who', d: 'M-3 -3L3 3M3 -3L-3 3' }, mark);
  else element('circle', { class: 'who', r: 3.4 }, mark);
  mark.addEventListener('click', (event) => { event.stopPropagation(); jump(mistake); });
  mark.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    jump(mistake);
  });
}

// A drawing of the curve. `jump(ply)` is called for a click on it, `open(mistake)` for one on a mistake.
export function drawCurve(game, judged, { names, viewer, mistakes, jump, open }) {
  const scores = scoresSeenBy(viewer, game, judged);
  const count = game.columns.length;
  const wide = matchMedia('(max-width: 34rem)').matches ? NARROW : FULL;
  const places = scale(game, count, wide);
  const svg = element('svg', { class: 'curve', viewBox: `0 0 ${wide} ${HIGH}`, role: 'group' }, null);
  svg.setAttribute('aria-label', `Exact score after each of ${count} moves, seen from ${names[viewer - 1]}`);
  drawBands(svg, places, names, viewer, count);
  const cursor = element('line', { class: 'cursor', y1: TOP, y2: HIGH - BOTTOM }, svg);
  drawLine(svg, places, scores);
  // Slight ones first, so that a grave one is never hidden below.
  for (const mistake of [...mistakes].sort((one, two) => one.isGrave - two.isGrave)) {
    drawMistake(svg, places, mistake, scores[mistake.ply + 1], open);
  }
  svg.addEventListener('click', (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const at = ((event.clientX - left) / width) * wide;
    const ply = Math.round(((at - LEFT) / (wide - LEFT - RIGHT)) * count);
    jump(Math.max(0, Math.min(count, ply)));
  });
  return {
    svg,
    at(ply) {
      cursor.setAttribute('x1', places.x(ply));
      cursor.setAttribute('x2', places.x(ply));
    },
  };
}
