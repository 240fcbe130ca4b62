// A game with variations: its lines, the main line first, each the list of its 0-based columns from the empty board.
//
// Lines with the same beginning share those moves; no line is a prefix of another. A place is {line, ply}: the
// position after `ply` moves of that line. Nothing here changes its arguments.

// How many moves two lines have in common.
export function sharedPly(one, two) {
  let ply = 0;
  while (ply < one.length && ply < two.length && one[ply] === two[ply]) ply += 1;
  return ply;
}

// The lines with one more, unless they already contain it.
export function withLine(lines, line) {
  if (lines.some((each) => sharedPly(each, line) === line.length)) return lines;
  const longer = lines.findIndex((each) => each.length && sharedPly(each, line) === each.length);
  if (longer >= 0) return lines.map((each, index) => (index === longer ? line : each));
  return lines.length === 1 && !lines[0].length ? [line] : [...lines, line];
}

// The place of a position in the lines, in `preferred` if that line has it; null if none has it.
function placeOf(lines, columns, preferred = 0) {
  const has = (line) => line !== undefined && sharedPly(line, columns) === columns.length;
  const line = has(lines[preferred]) ? preferred : lines.findIndex(has);
  return line < 0 ? null : { line, ply: columns.length };
}

// {lines, place} after a move. A move that some line contains is followed; any other extends the line at its end,
// or starts a variation before it.
export function play(lines, place, column) {
  const columns = [...lines[place.line].slice(0, place.ply), column];
  const known = placeOf(lines, columns, place.line);
  if (known) return { lines, place: known };
  const added = withLine(lines, columns);
  return { lines: added, place: placeOf(added, columns, added.length - 1) };
}

// The move tree for a list: [{line, ply, column, others}] along the first of some lines, starting at a ply. `ply` counts
// the move itself, and `others` are the variations that replace it, each a list of the same kind.
export function moveTree(lines, from = 0, indices = lines.map((_, index) => index)) {
  const [first, ...rest] = indices;
  return lines[first].slice(from).map((column, offset) => {
    const ply = from + offset;
    const groups = new Map();
    for (const index of rest) {
      if (sharedPly(lines[first], lines[index]) !== ply) continue;
      const next = lines[index][ply];
      groups.set(next, [...(groups.get(next) ?? []), index]);
    }
    return { line: first, ply: ply + 1, column, others: [...groups.values()].map((group) => moveTree(lines, ply, group)) };
  });
}
