// An SVG curve of who was winning after each move, from one player's point of view, with the mistakes marked.
import { moverOf, resultAfter } from './game.js';
import { says } from './seats.js';

const SVG = 'http://www.w3.org/2000/svg';
const [WIDE, HIGH] = [400, 190];
const [SIDE, TOP, BOTTOM] = [6, 5, 22];
const LEAST = 0.3; // the height of even the most distant win
const GUTTER = 54; // on the right, for the word beside the middle
const EDGE = (TOP + HIGH - BOTTOM) / 2;

function element(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

// How high the curve is after `ply` moves, from -1 to 1, where the viewer has won; null if it is not known. The sooner a win
// comes, the higher it is.
function heightAt(game, judged, ply, viewer) {
  const { over, winner } = resultAfter(game, ply);
  const { score_before: score, moves_to_end_before: left } = judged[ply] ?? {};
  if (over) return winner === null ? 0 : winner === viewer ? 1 : -1;
  if (score === null || score === undefined) return null;
  const most = Math.ceil((game.width * game.height) / 2);
  const height = score === 0 ? 0 : LEAST + (1 - LEAST) * (1 - Math.min(left, most) / most);
  return (score > 0) === (moverOf(game, ply) === viewer) ? height : -height;
}

function scale(count) {
  const half = EDGE - TOP;
  return {
    x: (ply) => SIDE + (ply / Math.max(count, 1)) * (WIDE - GUTTER - SIDE),
    y: (height) => EDGE - height * half,
  };
}

function drawBands(svg, { x }, viewer, count) {
  const band = (player, y) => element('rect', {
    class: `band player-${player}`, x: 0, y, width: WIDE - GUTTER + SIDE, height: EDGE - TOP,
  }, svg);
  band(viewer, TOP);
  band(3 - viewer, EDGE);
  element('line', { class: 'zero', x1: 0, x2: WIDE - GUTTER + SIDE, y1: EDGE, y2: EDGE }, svg);
  const step = count > 24 ? 10 : 5;
  for (let ply = 0; ply <= count; ply += step) {
    const text = element('text', { class: 'figure', x: x(ply), y: HIGH - 6 }, svg, ply ? String(ply) : 'start');
    if (!ply) text.classList.add('start');
  }
}

function drawWords(svg, names, viewer) {
  element('text', { class: 'label', x: 8, y: TOP + 17 }, svg, says(names[viewer - 1], 'win'));
  element('text', { class: 'label end', x: WIDE - 4, y: EDGE + 4 }, svg, 'draw');
  element('text', { class: 'label', x: 8, y: HIGH - BOTTOM - 8 }, svg, says(names[2 - viewer], 'win'));
}

// Pieces of the line between plies whose standing is known, and the area between it and the middle.
function drawLine(svg, { x, y }, heights) {
  let path = '';
  let area = '';
  heights.forEach((height, ply) => {
    if (height === null) return;
    const isStart = !ply || heights[ply - 1] === null;
    const point = `${x(ply).toFixed(1)} ${y(height).toFixed(1)}`;
    path += `${isStart ? 'M' : 'L'}${point}`;
    area += isStart ? `M${x(ply).toFixed(1)} ${EDGE}L${point}` : `L${point}`;
    if (ply + 1 === heights.length || heights[ply + 1] === null) area += `L${x(ply).toFixed(1)} ${EDGE}Z`;
  });
  element('path', { class: 'area', d: area }, svg);
  element('path', { class: 'line', d: path }, svg);
}

// A mistake is a round mark with the sign of its grade.
function drawMistake(svg, { x, y }, { ply, mark, words }, height, jump) {
  const centre = Math.min(Math.max(y(height), TOP + 9), HIGH - BOTTOM - 9);
  const made = element('g', {
    class: 'mistake', role: 'button', tabindex: '0', 'aria-label': words, transform: `translate(${x(ply + 1).toFixed(1)} ${centre.toFixed(1)})`,
  }, svg);
  element('circle', { class: 'spot', r: 10 }, made);
  element('text', { y: 4 }, made, mark);
  made.addEventListener('click', (event) => { event.stopPropagation(); jump(ply + 1); });
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    jump(ply + 1);
  });
}

// A drawing of the curve. `jump(ply)` is called for a click on it, or on one of the mistakes.
export function drawCurve(game, judged, { names, viewer, mistakes, jump }) {
  const count = game.columns.length;
  const heights = Array.from({ length: count + 1 }, (_, ply) => heightAt(game, judged, ply, viewer));
  const places = scale(count);
  const svg = element('svg', { class: 'curve', viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'group' }, null);
  svg.setAttribute('aria-label', `How the game stood after each of ${count} moves, seen from ${names[viewer - 1]}`);
  drawBands(svg, places, viewer, count);
  drawLine(svg, places, heights);
  const cursor = element('line', { class: 'cursor', y1: TOP, y2: HIGH - BOTTOM }, svg);
  drawWords(svg, names, viewer);
  for (const mistake of mistakes) drawMistake(svg, places, mistake, heights[mistake.ply + 1], jump);
  svg.addEventListener('click', (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const at = ((event.clientX - left) / width) * WIDE;
    jump(Math.max(0, Math.min(count, Math.round(((at - SIDE) / (WIDE - GUTTER - SIDE)) * count))));
  });
  return {
    svg,
    at(ply) {
      cursor.setAttribute('x1', places.x(ply));
      cursor.setAttribute('x2', places.x(ply));
    },
  };
}
