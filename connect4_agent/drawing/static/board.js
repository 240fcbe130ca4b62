// The board of a game as an SVG drawing, after any number of its moves; one component for every page.
//
// A game is {width, height, first, columns}: 0-based columns, moves alternating from player `first`. With `start`, it
// begins with discs on the board: the players in each column, from the bottom.
//     const board = Connect4Board.create(element);
//     board.show(game, ply);                   // the position after `ply` moves
//     board.show(game, ply, { drop: true });   // the last disc falls into its place; `isFalling` until it has landed
//     board.show(game, ply, { marks });        // {badge, better, cells}: a badge on the last disc, better columns, marked cells
//     board.light(cells);                      // puts rings around [column, row] cells
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
    const cells = Array.from({ length: game.width }, (_, column) => [...(game.start?.[column] ?? [])]);
    let last = null;
    game.columns.slice(0, ply).forEach((column, index) => {
      cells[column].push(moverOf(game, index));
      last = { column, row: cells[column].length - 1, player: moverOf(game, index) };
    });
    return { cells, last, lines: last ? finishedLines(cells, last) : [] };
  }

  // The lines of four or more through a disc, whether it is there yet or not.
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

  // The last move in words, for a status line.
  function describe(game, ply, names = ['Red', 'Yellow']) {
    const { last, lines } = positionAfter(game, ply);
    if (!last) return `Empty board. ${names[game.first - 1]} begins.`;
    const won = lines.length ? ' Four in a row.' : '';
    return `Move ${ply} of ${game.columns.length}: ${names[last.player - 1]} plays column ${COLUMN_NAMES[last.column]}.${won}`;
  }

  // Every disc in words, for people who do not see the drawing.
  function describeDiscs(game, ply) {
    const { cells } = positionAfter(game, ply);
    const colours = (discs) => discs.map((player) => (player === 1 ? 'red' : 'yellow')).join(', ');
    const columns = cells
      .map((discs, column) => (discs.length ? `column ${COLUMN_NAMES[column]}: ${colours(discs)}` : ''))
      .filter(Boolean);
    return `Board of ${game.width} columns and ${game.height} rows. ${columns.length
      ? `From the bottom, ${columns.join('; ')}.` : 'No discs.'}`;
  }

  // An element of a page; `text` is its text, other keys are attributes. Everything from outside is set as text.
  function node(name, { text = undefined, ...attributes } = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
  }

  // An element of a drawing.
  function element(name, attributes, parent) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent?.append(made);
    return made;
  }

  // The middle of a cell in the drawing's own units.
  function centreOf(game, column, row) {
    return [(column + 0.5) * CELL, (game.height - row - 0.5) * CELL];
  }

  // What a drawing needs to look solid: light on the front and on the discs, shade in the holes. Every drawing has its
  // own, since a hidden drawing cannot lend them.
  let drawings = 0;

  function drawShades(svg) {
    drawings += 1;
    const names = { front: `front-shade-${drawings}`, hole: `hole-shade-${drawings}`, disc: `disc-shade-${drawings}` };
    const defs = element('defs', {}, svg);
    const stops = (kind, attributes, ...colours) => {
      const shade = element(kind, attributes, defs);
      for (const [offset, colour, opacity] of colours) {
        element('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }, shade);
      }
    };
    stops('linearGradient', { id: names.front, x1: 0, y1: 0, x2: 0, y2: 1 },
      [0, '#ffffff', 0.16], [0.5, '#ffffff', 0], [1, '#000000', 0.16]);
    stops('radialGradient', { id: names.hole, cx: 0.5, cy: 0.58, r: 0.52 },
      [0.78, '#000000', 0], [1, '#000000', 0.34]);
    stops('radialGradient', { id: names.disc, cx: 0.38, cy: 0.3, r: 0.75 },
      [0, '#ffffff', 0.3], [0.5, '#ffffff', 0], [1, '#000000', 0.16]);
    return names;
  }

  function isStill() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  function drawMark(player, parent) {
    if (player === 1) element('path', { class: 'mark', d: 'M-2.8 -2.8L2.8 2.8M2.8 -2.8L-2.8 2.8' }, parent);
    else element('circle', { class: 'mark', r: 3.1 }, parent);
  }

  // A disc with an inner group for animations: their transform would replace the one that positions the disc.
  function drawDisc(parent, x, y, player, classes = [], shades = null) {
    const disc = element('g', {
      class: ['disc', `player-${player}`, ...classes].join(' '), transform: `translate(${x} ${y})`,
    }, parent);
    const moving = element('g', {}, disc);
    element('circle', { class: 'body', r: 8.7 }, moving);
    element('circle', { class: 'rim', r: 6.3 }, moving);
    if (shades) element('circle', { class: 'shade', r: 8.7, fill: `url(#${shades.disc})` }, moving);
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
    const shades = drawShades(svg);
    element('rect', { class: 'back', x: 0, y: 0, width: wide, height: high }, svg);
    const discs = element('g', { class: 'discs' }, svg);
    element('path', { class: 'front', 'fill-rule': 'evenodd', d: frontShape(game) }, svg);
    element('path', { class: 'shade', 'fill-rule': 'evenodd', d: frontShape(game), fill: `url(#${shades.front})` }, svg);
    const lanes = element('g', {}, svg);
    const depths = element('g', {}, svg);
    const rims = element('g', {}, svg);
    for (let column = 0; column < game.width; column += 1) {
      for (let row = 0; row < game.height; row += 1) {
        const [cx, cy] = centreOf(game, column, row);
        element('circle', { class: 'shade', cx, cy, r: HOLE, fill: `url(#${shades.hole})` }, depths);
        element('circle', { class: 'hole', cx, cy, r: HOLE }, rims);
      }
    }
    const texts = element('g', {}, svg);
    for (let column = 0; labels && column < game.width; column += 1) {
      const label = element('text', { class: 'label', x: (column + 0.5) * CELL, y: high + LABELS + 1 }, texts);
      label.textContent = COLUMN_NAMES[column];
    }
    const [above, pointer, lights] = [0, 1, 2].map(() => element('g', {}, svg));
    return { discs, lanes, rims, shades, texts, above, pointer, lights };
  }

  // The discs. Returns the animation of the last one if it falls, or null.
  function drawDiscs(layers, game, ply, drop) {
    const { cells, last, lines } = positionAfter(game, ply);
    const inLine = new Set(lines.flat().map(([column, row]) => `${column} ${row}`));
    let falling = null;
    layers.discs.replaceChildren();
    cells.forEach((discs, column) => discs.forEach((player, row) => {
      const isLast = last?.column === column && last.row === row;
      const classes = [isLast ? 'last' : '', inLine.has(`${column} ${row}`) ? 'in-line' : ''].filter(Boolean);
      const disc = drawDisc(layers.discs, ...centreOf(game, column, row), player, classes, layers.shades);
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
    for (const cell of lines.flat()) {
      const [cx, cy] = centreOf(game, ...cell);
      element('circle', { class: 'four', cx, cy, r: HOLE + 0.5 }, layers.above);
    }
    if (marks) drawMarks(layers.above, game, cells, last, marks);
  }

  // `marks.badge` is {sign, kind} for the last disc; `marks.better` are the columns that would have been better.
  function drawMarks(parent, game, cells, last, { badge = null, better = [], cells: reason = [] }) {
    const stars = better.map((column) => [column, cells[column].length - (last?.column === column ? 1 : 0)]);
    const isStar = ({ column, row }) => stars.some((star) => star[0] === column && star[1] === row);
    drawReason(parent, game, reason.filter((mark) => !isStar(mark)));
    for (const [column, row] of stars) {
      if (row >= game.height) continue;
      const [x, y] = centreOf(game, column, row);
      const mark = element('g', { class: 'better', transform: `translate(${x} ${y})` }, parent);
      element('circle', { r: HOLE - 1.2 }, mark);
      element('path', { d: STAR }, mark);
    }
    if (!badge || !last) return;
    const [x, y] = centreOf(game, last.column, last.row);
    const mark = element('g', { class: `badge ${badge.kind}`, transform: `translate(${x + 5.8} ${y - 5.8})` }, parent);
    element('circle', { r: 4.6 }, mark);
    element('text', { y: 2.1 }, mark).textContent = badge.sign;
  }

  const STAR = 'M0 -4.6L1.3 -1.5L4.6 -1.3L2 0.8L2.9 4L0 2.2L-2.9 4L-2 0.8L-4.6 -1.3L-1.3 -1.5Z';

  // The cells that a reason is about: {column, row, player, meaning, number, threat, isNow}, and the numbers of the rows. A
  // threat has a ring in the colour of its owner: a whole one if a disc can be dropped there now, a broken one if later.
  function drawReason(parent, game, marks) {
    for (let row = 0; row < (marks.length ? game.height : 0); row += 1) {
      const [, y] = centreOf(game, 0, row);
      element('text', { class: 'row', x: -0.6, y: y + 1.4 }, parent).textContent = String(row + 1);
    }
    for (const { column, row, player, meaning, number, threat, isNow } of marks) {
      const [x, y] = centreOf(game, column, row);
      const classes = ['reason', meaning, player ? `player-${player}` : '', isNow ? 'now' : ''].filter(Boolean).join(' ');
      const mark = element('g', { class: classes, transform: `translate(${x} ${y})`, 'data-cell': `${column + 1},${row + 1}` }, parent);
      element('circle', { class: 'plate', r: HOLE - 0.9 }, mark);
      if (threat) element('circle', { class: `ring owner-${threat}`, r: HOLE - 0.1 }, mark);
      if (meaning === 'avoid') element('text', { class: 'big', y: 2.8 }, mark).textContent = '!';
      else if (number !== null) element('text', { class: 'big', y: 2.8 }, mark).textContent = String(number);
      else if (meaning === 'key') element('path', { class: 'star', d: STAR }, mark);
      else if (player) drawMark(player, mark);
    }
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

  // Discs appear at once for people who want less motion.
  function fallMs(rows) {
    return isStill() ? 0 : FALL_MS * Math.sqrt(rows) + 60;
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
    if (row === game.height) return;
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
      landed();
    }

    return {
      svg,
      get isFalling() { return falling !== null; },
      // `drop` lets the last disc fall into its place. Showing the same position again leaves the drawing and a falling
      // disc alone.
      show(game, ply, { drop = false, marks = null } = {}) {
        const size = `${game.width} ${game.height}`;
        const key = JSON.stringify([size, game.first, game.start, game.columns.slice(0, ply)]);
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
      // Puts rings around cells, each [column, row].
      light(cells) {
        layers.lights.replaceChildren();
        for (const cell of cells) {
          const [cx, cy] = centreOf(shown.game, ...cell);
          element('circle', { class: 'light', cx, cy, r: HOLE + 0.4 }, layers.lights);
        }
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

  return { COLUMN_NAMES, create, describe, describeDiscs, element, fallMs, finishedLines, moverOf, node, positionAfter, sign };
})();
