// The board of a game as an SVG drawing, after any number of its moves; one component for every page.
//
// A game is {width, height, first, columns}: 0-based columns, moves alternating from player `first`.
//     const board = Connect4Board.create(element);
//     board.show(game, ply);                   // the position after `ply` moves
//     board.show(game, ply, { drop: true });   // the last disc falls into its place; `isFalling` until it has landed
//     board.show(game, ply, { marks });        // {badge, better}: a badge on the last disc, and better columns
//     board.point(column);                     // marks where a disc would land; null for nowhere
//     Connect4Board.describe(game, ply, names) // the same in words
// board.css has the styles. Player 1 has discs with a cross, player 2 discs with a ring, so that
// nobody needs to tell colours apart. This is a classic script, since a single-file page cannot load modules.
'use strict';

globalThis.Connect4Board = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const CELL = 20;
  const LABELS = 12;
  const EDGE = 3;
  const HOLE = 8.3;
  const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];
  const FALL_MS = 190; // over one row; the time grows with the square root of the rows, as for anything that falls

  // What the columns are called, on the board and in move strings.
  const COLUMN_NAMES = '123456789abcdefghijklmnopqrstuvwxyz';

  function moverOf(game, ply) {
    return ply % 2 === 0 ? game.first : 3 - game.first;
  }

  // The discs after `ply` moves: cells[column][row] from the bottom, 0 for none; the last disc; its finished lines.
  function positionAfter(game, ply) {
    const cells = Array.from({ length: game.width }, () => []);
    let last = null;
    game.columns.slice(0, ply).forEach((column, index) => {
      cells[column].push(moverOf(game, index));
      last = { column, row: cells[column].length - 1, player: moverOf(game, index) };
    });
    return { cells, last, lines: last ? finishedLines(cells, last) : [] };
  }

  function finishedLines(cells, { column, row, player }) {
    const lines = [];
    for (const [stepColumn, stepRow] of DIRECTIONS) {
      const reach = (sign) => {
        const found = [];
        for (let far = 1; cells[column + sign * far * stepColumn]?.[row + sign * far * stepRow] === player; far += 1) {
          found.push([column + sign * far * stepColumn, row + sign * far * stepRow]);
        }
        return found;
      };
      const line = [...reach(-1).reverse(), [column, row], ...reach(1)];
      if (line.length >= 4) lines.push(line);
    }
    return lines;
  }

  function nameOf(names, player) {
    return names ? `${names[player - 1]} (player ${player})` : `player ${player}`;
  }

  // The last move in words, for a status line.
  function describe(game, ply, names) {
    const { last, lines } = positionAfter(game, ply);
    if (!last) return `Empty board. ${nameOf(names, game.first)} begins.`;
    const won = lines.length ? ' Four in a row.' : '';
    return `Move ${ply} of ${game.columns.length}: ${nameOf(names, last.player)} plays column ${COLUMN_NAMES[last.column]}.${won}`;
  }

  // Every disc in words, for people who do not see the drawing.
  function describeDiscs(game, ply) {
    const { cells } = positionAfter(game, ply);
    const columns = cells
      .map((discs, column) => (discs.length ? `column ${COLUMN_NAMES[column]} from the bottom: ${discs.join(' ')}` : ''))
      .filter(Boolean);
    return `Board of ${game.width} columns and ${game.height} rows. ${columns.length
      ? `Discs by player number, ${columns.join('; ')}.` : 'No discs.'}`;
  }

  function element(name, attributes, parent) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent?.append(node);
    return node;
  }

  // The middle of a cell in the drawing's own units.
  function centreOf(game, column, row) {
    return [(column + 0.5) * CELL, (game.height - row - 0.5) * CELL];
  }

  function isStill() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  function drawMark(player, parent) {
    if (player === 1) element('path', { class: 'mark', d: 'M-2.8 -2.8L2.8 2.8M2.8 -2.8L-2.8 2.8' }, parent);
    else element('circle', { class: 'mark', r: 3.1 }, parent);
  }

  // A disc with an inner group for animations: their transform would replace the one that positions the disc.
  function drawDisc(parent, x, y, player, classes = []) {
    const disc = element('g', {
      class: ['disc', `player-${player}`, ...classes].join(' '), transform: `translate(${x} ${y})`,
    }, parent);
    const moving = element('g', {}, disc);
    element('circle', { class: 'body', r: 8.7 }, moving);
    element('circle', { class: 'rim', r: 6.3 }, moving);
    drawMark(player, moving);
    return moving;
  }

  // The front of the board: one shape with a hole for every cell, so that discs are seen through it.
  function frontShape(game) {
    const [wide, high] = [game.width * CELL, game.height * CELL];
    const corner = 5;
    let path = `M${-EDGE + corner} ${-EDGE}H${wide + EDGE - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}`
      + `V${high + EDGE - corner}a${corner} ${corner} 0 0 1 ${-corner} ${corner}H${-EDGE + corner}`
      + `a${corner} ${corner} 0 0 1 ${-corner} ${-corner}V${-EDGE + corner}a${corner} ${corner} 0 0 1 ${corner} ${-corner}Z`;
    for (let column = 0; column < game.width; column += 1) {
      for (let row = 0; row < game.height; row += 1) {
        const [x, y] = centreOf(game, column, row);
        path += `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0Z`;
      }
    }
    return path;
  }

  // The parts that depend on the size alone: the back, the front and the rims of the holes. The layers between and
  // above them are refilled for every position.
  function drawFrame(svg, game, labels) {
    const [wide, high] = [game.width * CELL, game.height * CELL];
    svg.replaceChildren();
    svg.setAttribute('viewBox', `${-EDGE} ${-EDGE} ${wide + 2 * EDGE} ${high + (labels ? LABELS : 0) + 2 * EDGE}`);
    element('rect', { class: 'back', x: 0, y: 0, width: wide, height: high }, svg);
    const discs = element('g', { class: 'discs' }, svg);
    element('path', { class: 'front', 'fill-rule': 'evenodd', d: frontShape(game) }, svg);
    const lanes = element('g', {}, svg);
    const rims = element('g', {}, svg);
    for (let column = 0; column < game.width; column += 1) {
      for (let row = 0; row < game.height; row += 1) {
        const [cx, cy] = centreOf(game, column, row);
        element('circle', { class: 'hole', cx, cy, r: HOLE }, rims);
      }
    }
    const texts = element('g', {}, svg);
    for (let column = 0; labels && column < game.width; column += 1) {
      const label = element('text', { class: 'label', x: (column + 0.5) * CELL, y: high + LABELS + 1 }, texts);
      label.textContent = COLUMN_NAMES[column];
    }
    return { discs, lanes, rims, texts, above: element('g', {}, svg), pointer: element('g', {}, svg) };
  }

  // The discs. Returns the animation of the last one if it falls, or null.
  function drawDiscs(layers, game, ply, drop) {
    const { cells, last, lines } = positionAfter(game, ply);
    const inLine = new Set(lines.flat().map(([column, row]) => `${column} ${row}`));
    let falling = null;
    layers.discs.replaceChildren();
    cells.forEach((discs, column) => discs.forEach((player, row) => {
      const isLast = last.column === column && last.row === row;
      const classes = [isLast ? 'last' : '', inLine.has(`${column} ${row}`) ? 'in-line' : ''].filter(Boolean);
      const disc = drawDisc(layers.discs, ...centreOf(game, column, row), player, classes);
      if (drop && isLast && !isStill()) falling = fall(disc, game.height - row);
    }));
    [...layers.texts.children].forEach((label, column) => {
      label.setAttribute('class', last?.column === column ? 'label last' : 'label');
    });
    return falling;
  }

  // What is said about the discs: the last one, the finished lines, and marks.
  function drawAbove(layers, game, ply, marks) {
    const { cells, last, lines } = positionAfter(game, ply);
    layers.above.replaceChildren();
    if (last) {
      const [cx, cy] = centreOf(game, last.column, last.row);
      element('circle', { class: 'halo', cx, cy, r: HOLE + 0.5 }, layers.above);
    }
    for (const line of lines) {
      const [[x1, y1], [x2, y2]] = [centreOf(game, ...line[0]), centreOf(game, ...line[line.length - 1])];
      element('line', { class: 'four-edge', x1, y1, x2, y2 }, layers.above);
      element('line', { class: 'four', x1, y1, x2, y2 }, layers.above);
    }
    if (marks) drawMarks(layers.above, game, cells, last, marks);
  }

  // `marks.badge` is {sign, kind} for the last disc; `marks.better` are the columns that would have been better.
  function drawMarks(parent, game, cells, last, { badge = null, better = [] }) {
    for (const column of better) {
      const row = cells[column].length - (last?.column === column ? 1 : 0);
      if (row >= game.height) continue;
      const [x, y] = centreOf(game, column, row);
      const mark = element('g', { class: 'better', transform: `translate(${x} ${y})` }, parent);
      element('circle', { r: HOLE - 1.2 }, mark);
      element('path', { d: 'M0 -4.6L1.3 -1.5L4.6 -1.3L2 0.8L2.9 4L0 2.2L-2.9 4L-2 0.8L-4.6 -1.3L-1.3 -1.5Z' }, mark);
    }
    if (!badge || !last) return;
    const [x, y] = centreOf(game, last.column, last.row);
    const mark = element('g', { class: `badge ${badge.kind}`, transform: `translate(${x + 5.8} ${y - 5.8})` }, parent);
    element('circle', { r: 4.6 }, mark);
    element('text', { y: 2.1 }, mark).textContent = badge.sign;
  }

  // The disc falls behind the front and settles, once and briefly.
  function fall(disc, rows) {
    return disc.animate([
      { transform: `translate(0, ${-rows * CELL - EDGE}px)`, easing: 'cubic-bezier(0.45, 0, 0.9, 0.55)' },
      { transform: 'none', offset: 0.7, easing: 'ease-out' },
      { transform: 'translate(0, -2.4px)', offset: 0.84, easing: 'ease-in' },
      { transform: 'none' },
    ], { duration: fallMs(rows) });
  }

  function fallMs(rows) {
    return FALL_MS * Math.sqrt(rows) + 60;
  }

  // The discs of a finished line swell one after the other, once.
  function cheer(discs) {
    discs.forEach((disc, index) => disc.animate(
      [{ transform: 'none' }, { transform: 'scale(0.86)' }, { transform: 'none' }],
      { duration: 320, delay: index * 70, easing: 'ease-in-out' },
    ));
  }

  // Marks a column, and the cell where the player to move would land.
  function drawPointer(layers, game, ply, column) {
    layers.lanes.replaceChildren();
    layers.pointer.replaceChildren();
    if (column === null) return;
    element('rect', {
      class: 'lane', x: column * CELL + 0.4, y: -EDGE, width: CELL - 0.8, height: game.height * CELL + 2 * EDGE,
    }, layers.lanes);
    const row = positionAfter(game, ply).cells[column].length;
    if (row >= game.height) return;
    const [x, y] = centreOf(game, column, row);
    const player = moverOf(game, ply);
    const ghost = element('g', { class: `ghost player-${player}`, transform: `translate(${x} ${y})` }, layers.pointer);
    element('circle', { class: 'body', r: HOLE - 1.1 }, ghost);
    drawMark(player, ghost);
  }

  // Puts an empty drawing into the host element; `show` fills it. Without labels, the page numbers the columns itself.
  // `landed()` is called when a falling disc has landed, unless another position is shown by then.
  function create(host, { labels = true, landed = () => {} } = {}) {
    const svg = element('svg', { class: 'connect4-board', role: 'img', focusable: 'false' }, null);
    host.append(svg);
    let shown = null; // {game, ply, size, key, marks}
    let layers = null;
    let falling = null; // the animation of a disc

    function land(disc) {
      if (falling !== disc) return;
      falling = null;
      drawAbove(layers, shown.game, shown.ply, shown.marks);
      cheer(layers.discs.querySelectorAll('.in-line > g'));
      landed();
    }

    return {
      svg,
      get isFalling() { return falling !== null; },
      // `drop` lets the last disc fall into its place. Showing the same position again leaves the drawing and a falling
      // disc alone.
      show(game, ply, { drop = false, marks = null } = {}) {
        const size = `${game.width} ${game.height}`;
        const key = JSON.stringify([size, game.first, game.columns.slice(0, ply)]);
        if (shown?.size !== size) layers = drawFrame(svg, game, labels);
        if (shown?.key !== key) {
          svg.setAttribute('aria-label', describeDiscs(game, ply));
          const disc = drawDiscs(layers, game, ply, drop);
          falling = disc;
          disc?.finished.then(() => land(disc));
          drawPointer(layers, game, ply, null);
        }
        shown = { game, ply, size, key, marks };
        if (falling) layers.above.replaceChildren();
        else drawAbove(layers, game, ply, marks);
      },
      // Scrolls to the cell of the last disc if a board larger than the window hides it.
      reveal() {
        const { last } = positionAfter(shown.game, shown.ply);
        if (!last) return;
        const hole = layers.rims.children[last.column * shown.game.height + last.row];
        const { left, top, right, bottom } = hole.getBoundingClientRect();
        const isSeen = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        if (!isSeen) hole.scrollIntoView({ block: 'center', inline: 'center' });
      },
      point(column) {
        drawPointer(layers, shown.game, shown.ply, column);
      },
      // The column under a mouse or finger, in the window's coordinates; null outside the board.
      columnAt(clientX) {
        const { left, width } = svg.getBoundingClientRect();
        const unit = (shown.game.width * CELL + 2 * EDGE) / width;
        const column = Math.floor(((clientX - left) * unit - EDGE) / CELL);
        return column >= 0 && column < shown.game.width ? column : null;
      },
    };
  }

  // A player's disc as a small sign beside its name.
  function sign(player) {
    const svg = element('svg', {
      class: 'connect4-board sign', viewBox: '-10 -10 20 20', focusable: 'false', 'aria-hidden': 'true',
    }, null);
    drawDisc(svg, 0, 0, player);
    return svg;
  }

  return { COLUMN_NAMES, create, describe, describeDiscs, fallMs, moverOf, positionAfter, sign };
})();
