// The board of a game as an SVG drawing, after any number of its moves; one component for every page.
//
// A game is {width, height, first, columns}: 0-based columns, moves alternating from player `first`.
//     const board = Connect4Board.create(element);
//     board.show(game, ply);                   // the position after `ply` moves
//     board.point(column);                     // marks where a disc would land; null for nowhere
//     Connect4Board.describe(game, ply, names) // the same in words
// The looks are in board.css. Player 1 has discs with a cross, player 2 discs with a ring, so that
// nobody needs to tell colours apart. A classic script, since a page that is one file has no modules.
'use strict';

globalThis.Connect4Board = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const CELL = 20;
  const LABELS = 12;
  const EDGE = 2;
  const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];
  const FALL_MS_PER_ROW = 45;

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
    return `Move ${ply} of ${game.columns.length}: ${nameOf(names, last.player)} plays column ${last.column + 1}.${won}`;
  }

  // Every disc in words, for people who do not see the drawing.
  function describeDiscs(game, ply) {
    const { cells } = positionAfter(game, ply);
    const columns = cells
      .map((discs, column) => (discs.length ? `column ${column + 1} from the bottom: ${discs.join(' ')}` : ''))
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

  function drawMark(player, parent) {
    if (player === 1) element('path', { class: 'mark', d: 'M-3 -3L3 3M3 -3L-3 3' }, parent);
    else element('circle', { class: 'mark', r: 3.4 }, parent);
  }

  function drawDisc(parent, x, y, player, isLast, inLine) {
    const classes = ['disc', `player-${player}`, isLast ? 'last' : '', inLine ? 'in-line' : ''];
    const disc = element('g', { class: classes.filter(Boolean).join(' '), transform: `translate(${x} ${y})` }, parent);
    const moving = element('g', {}, disc); // an animation's transform would replace the one that gives the place
    element('circle', { class: 'body', r: 8.2 }, moving);
    drawMark(player, moving);
    if (isLast) element('circle', { class: 'halo', r: 9.2 }, moving);
    return moving;
  }

  function draw(svg, game, ply, { labels = true, drop = false } = {}) {
    const { cells, last, lines } = positionAfter(game, ply);
    const [wide, high] = [game.width * CELL, game.height * CELL];
    const inLine = new Set(lines.flat().map(([column, row]) => `${column} ${row}`));
    svg.replaceChildren();
    svg.setAttribute('viewBox', `${-EDGE} ${-EDGE} ${wide + 2 * EDGE} ${high + (labels ? LABELS : 0) + 2 * EDGE}`);
    svg.setAttribute('aria-label', describeDiscs(game, ply));
    element('rect', { class: 'frame', x: -1, y: -1, width: wide + 2, height: high + 2, rx: 4 }, svg);
    for (let column = 0; column < game.width; column += 1) {
      for (let row = 0; row < game.height; row += 1) {
        const [x, y] = centreOf(game, column, row);
        const player = cells[column][row];
        const isLast = last?.column === column && last.row === row;
        if (!player || (drop && isLast)) element('circle', { class: 'hole', cx: x, cy: y, r: 8.2 }, svg);
        if (!player) continue;
        const disc = drawDisc(svg, x, y, player, isLast, inLine.has(`${column} ${row}`));
        if (drop && isLast) fall(disc, game.height - row);
      }
      if (labels) {
        const label = element('text', {
          class: last?.column === column ? 'label last' : 'label', x: (column + 0.5) * CELL, y: high + LABELS - 2,
        }, svg);
        label.textContent = String(column + 1);
      }
    }
    for (const line of lines) {
      const [[x1, y1], [x2, y2]] = [centreOf(game, ...line[0]), centreOf(game, ...line[line.length - 1])];
      element('line', { class: 'four-edge', x1, y1, x2, y2 }, svg);
      element('line', { class: 'four', x1, y1, x2, y2 }, svg);
    }
  }

  // A disc comes down from above the board, once and briefly; not for people who ask for less motion.
  function fall(disc, rows) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const start = `translate(0, ${-rows * CELL}px)`;
    disc.animate([{ transform: start }, { transform: 'none' }], {
      duration: 90 + rows * FALL_MS_PER_ROW, easing: 'cubic-bezier(0.5, 0, 0.9, 0.6)',
    });
  }

  // Marks a column, and the cell where the player to move would land: the lane under the holes, the disc over them.
  function drawPointer(svg, game, ply, column) {
    svg.querySelectorAll('.lane, .ghost').forEach((each) => each.remove());
    if (column === null) return;
    const lane = element('rect', {
      class: 'lane', x: column * CELL + 0.6, y: -0.4, width: CELL - 1.2, height: game.height * CELL + 0.8, rx: 3,
    }, null);
    svg.querySelector('.frame').after(lane);
    const row = positionAfter(game, ply).cells[column].length;
    if (row >= game.height) return;
    const [x, y] = centreOf(game, column, row);
    const player = moverOf(game, ply);
    const ghost = element('g', { class: `ghost player-${player}`, transform: `translate(${x} ${y})` }, svg);
    element('circle', { class: 'body', r: 7.4 }, ghost);
    drawMark(player, ghost);
  }

  // Puts an empty drawing into the host element; `show` fills it. Without labels the page numbers the columns itself.
  function create(host, { labels = true } = {}) {
    const svg = element('svg', { class: 'connect4-board', role: 'img', focusable: 'false' }, null);
    host.append(svg);
    let shown = null;
    return {
      svg,
      // `drop` lets the last disc fall into its place.
      show(game, ply, { drop = false } = {}) {
        shown = { game, ply };
        draw(svg, game, ply, { labels, drop });
      },
      point(column) {
        drawPointer(svg, shown.game, shown.ply, column);
      },
      // The column under a mouse or finger, given in the window's coordinates; null beside the board.
      columnAt(clientX) {
        const { left, width } = svg.getBoundingClientRect();
        const unit = (shown.game.width * CELL + 2 * EDGE) / width;
        const column = Math.floor(((clientX - left) * unit - EDGE) / CELL);
        return column >= 0 && column < shown.game.width ? column : null;
      },
    };
  }

  // How many discs the winner still plays, the last one included, if a position with so many empty cells has this
  // score for the side to move; null for a draw. The same arithmetic as moves_to_end in engine/analysis.py.
  function movesToEnd(score, emptyCount) {
    if (score === 0) return null;
    const discsLeft = Math.floor((emptyCount + (score > 0 ? 1 : 0)) / 2);
    return discsLeft - Math.abs(score) + 1;
  }

  // A disc of a player as a small sign beside its name.
  function sign(player) {
    const svg = element('svg', {
      class: 'connect4-board sign', viewBox: '-10 -10 20 20', focusable: 'false', 'aria-hidden': 'true',
    }, null);
    drawDisc(svg, 0, 0, player, false, false);
    return svg;
  }

  return { create, describe, describeDiscs, movesToEnd, moverOf, positionAfter, sign };
})();
