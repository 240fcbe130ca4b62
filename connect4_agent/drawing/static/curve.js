// A curve of who was winning after each move, as an SVG drawing; one component for every page.
//
//     const curve = Connect4Curve.draw(game, scores, { viewer, label, words, mistakes, jump });
//     curve.at(ply);                           // puts the cursor there
//
// A game is what board.js draws. `scores[ply]` is the exact score for the side to move after `ply` moves; null if nobody knows.
// The upper half is the viewer's, the sooner a win comes, the farther from the middle; `words` say so above and below.
// `mistakes` are {ply, mark}, and `jump(ply)` is called for a click.
'use strict';

globalThis.Connect4Curve = (() => {
  const { element, moverOf, positionAfter } = globalThis.Connect4Board;
  const [WIDE, HIGH, SIDE] = [400, 150, 12];
  const MIDDLE = HIGH / 2;
  const REACH = MIDDLE - 12; // how far from the middle a finished game is
  const LEAST = 0.3; // and the most distant win, as a share of that

  // From -1 to 1, where the viewer has won; null if it is not known.
  function heightAt(game, score, ply, viewer) {
    const { cells, last, lines } = positionAfter(game, ply);
    const size = game.width * game.height;
    if (lines.length) return last.player === viewer ? 1 : -1;
    if (cells.flat().length === size) return 0;
    if (!score) return score;
    const height = LEAST + (1 - LEAST) * (2 * Math.abs(score) / size);
    return (score > 0) === (moverOf(game, ply) === viewer) ? height : -height;
  }

  function draw(game, scores, { viewer = 1, label, words, mistakes = [], jump }) {
    const count = game.columns.length;
    const heights = Array.from({ length: count + 1 }, (_, ply) => heightAt(game, scores[ply] ?? null, ply, viewer));
    const x = (ply) => SIDE + (ply / Math.max(count, 1)) * (WIDE - 2 * SIDE);
    const y = (ply) => MIDDLE - REACH * heights[ply];
    const svg = element('svg', { class: 'connect4-curve', viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': label }, null);
    element('rect', { class: `player-${viewer}`, width: WIDE, height: MIDDLE }, svg);
    element('rect', { class: `player-${3 - viewer}`, y: MIDDLE, width: WIDE, height: MIDDLE }, svg);
    element('path', { class: 'zero', d: `M0 ${MIDDLE}H${WIDE}` }, svg);
    const cursor = element('path', { class: 'cursor', d: `M0 0V${HIGH}` }, svg);
    const points = heights.flatMap((height, ply) => (height === null ? [] : [`${x(ply).toFixed(1)},${y(ply).toFixed(1)}`]));
    element('polyline', { points: points.join(' ') }, svg);
    element('text', { class: 'side', x: 8, y: 18 }, svg).textContent = words[0];
    element('text', { class: 'side', x: 8, y: HIGH - 9 }, svg).textContent = words[1];
    for (const { ply, mark } of mistakes.filter((each) => heights[each.ply] !== null)) {
      const spot = element('g', { class: 'mistake', transform: `translate(${x(ply)} ${y(ply)})` }, svg);
      element('circle', { r: 10 }, spot);
      element('text', { y: 4 }, spot).textContent = mark;
    }
    svg.addEventListener('click', (event) => {
      const { left, width } = svg.getBoundingClientRect();
      const at = ((event.clientX - left) / width) * WIDE;
      jump(Math.max(0, Math.min(count, Math.round(((at - SIDE) / (WIDE - 2 * SIDE)) * count))));
    });
    return { svg, at: (ply) => cursor.setAttribute('transform', `translate(${x(ply)} 0)`) };
  }

  return { draw };
})();
