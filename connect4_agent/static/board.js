// The board of a game as an SVG drawing, after any number of its moves; one component for every page.
//
// A game is {width, height, first, columns}: 0-based columns, moves alternating from player `first`.
//     const board = Connect4Board.create(element);
//     board.show(game, ply);                   // the position after `ply` moves
//     Connect4Board.describe(game, ply, names) // the same in words
// The looks are in board.css. Player 1 has discs with a cross, player 2 discs with a ring, so that
// nobody needs to tell colours apart.
'use strict';

globalThis.Connect4Board = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const CELL = 20;
  const LABELS = 12;
  const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

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

  function drawDisc(parent, x, y, player, isLast, inLine) {
    const classes = ['disc', `player-${player}`, isLast ? 'last' : '', inLine ? 'in-line' : ''];
    const disc = element('g', { class: classes.filter(Boolean).join(' '), transform: `translate(${x} ${y})` }, parent);
    element('circle', { class: 'body', r: 8.2 }, disc);
    if (player === 1) element('path', { class: 'mark', d: 'M-3 -3L3 3M3 -3L-3 3' }, disc);
    else element('circle', { class: 'mark', r: 3.4 }, disc);
    if (isLast) element('circle', { class: 'halo', r: 9.2 }, disc);
  }

  function draw(svg, game, ply) {
    const { cells, last, lines } = positionAfter(game, ply);
    const [wide, high] = [game.width * CELL, game.height * CELL];
    const inLine = new Set(lines.flat().map(([column, row]) => `${column} ${row}`));
    const centre = (column, row) => [(column + 0.5) * CELL, high - (row + 0.5) * CELL];
    svg.replaceChildren();
    svg.setAttribute('viewBox', `-2 -2 ${wide + 4} ${high + LABELS + 4}`);
    svg.setAttribute('aria-label', describeDiscs(game, ply));
    element('rect', { class: 'frame', x: -1, y: -1, width: wide + 2, height: high + 2, rx: 4 }, svg);
    for (let column = 0; column < game.width; column += 1) {
      for (let row = 0; row < game.height; row += 1) {
        const [x, y] = centre(column, row);
        const player = cells[column][row];
        if (!player) {
          element('circle', { class: 'hole', cx: x, cy: y, r: 8.2 }, svg);
          continue;
        }
        const isLast = last.column === column && last.row === row;
        drawDisc(svg, x, y, player, isLast, inLine.has(`${column} ${row}`));
      }
      const isLastColumn = last?.column === column;
      const label = element('text', {
        class: isLastColumn ? 'label last' : 'label', x: (column + 0.5) * CELL, y: high + LABELS - 2,
      }, svg);
      label.textContent = String(column + 1);
    }
    for (const line of lines) {
      const [[x1, y1], [x2, y2]] = [centre(...line[0]), centre(...line[line.length - 1])];
      element('line', { class: 'four-edge', x1, y1, x2, y2 }, svg);
      element('line', { class: 'four', x1, y1, x2, y2 }, svg);
    }
  }

  // Puts an empty drawing into the host element; `show` fills it.
  function create(host) {
    const svg = element('svg', { class: 'connect4-board', role: 'img', focusable: 'false' }, null);
    host.append(svg);
    return { svg, show: (game, ply) => draw(svg, game, ply) };
  }

  return { create, describe, describeDiscs, moverOf, positionAfter };
})();
