"""A second referee for plans: sets of cells and the rule as it is written, against every play; no code of the package.

It knows a plan's parameters only. Cells are pairs of a column and a row, both counted from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

Cell = tuple[int, int]
Cells = frozenset[Cell]


class Referee:
    """Runs one plan on boards of one size. `wins` is what it is to achieve; otherwise it is never to lose."""

    def __init__(
        self,
        width: int,
        height: int,
        kept: Collection[Cell],
        answers: Iterable[tuple[Cell, Cell]],
        spare: int | None,
        *,
        wins: bool,
    ) -> None:
        self.width, self.height, self.wins = width, height, wins
        self.kept = set(kept)
        self.answers = dict(answers)
        near_centre = sorted(range(width), key=lambda column: (abs(column - (width - 1) / 2), column))
        self.order = near_centre if spare is None else [spare, *(each for each in near_centre if each != spare)]
        self.lines: dict[Cell, list[list[Cell]]] = {}
        for column in range(width):
            for row in range(height):
                for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = [(column + step * across, row + step * up) for step in range(4)]
                    if all(0 <= x < width and 0 <= y < height for x, y in line):
                        for cell in line:
                            self.lines.setdefault(cell, []).append(line)
        self.seen: dict[tuple[Cells, Cells], int] = {}

    def makes_four(self, cell: Cell, discs: Cells) -> bool:
        return any(all(other == cell or other in discs for other in line) for line in self.lines.get(cell, ()))

    def free(self, own: Cells, other: Cells) -> list[Cell]:
        cells = []
        for column in range(self.width):
            row = sum(1 for x, _ in own | other if x == column)
            if row < self.height:
                cells.append((column, row))
        return cells

    def reply(self, own: Cells, other: Cells, last: Cell) -> Cell:
        """What the rule answers."""
        free = self.free(own, other)
        for discs in (own, other):
            if fours := [cell for cell in free if self.makes_four(cell, discs)]:
                return fours[0]
        safe = [cell for cell in free if not self.makes_four((cell[0], cell[1] + 1), other)]
        if self.answers.get(last) in safe:
            return self.answers[last]
        quiet = [cell for cell in safe if cell not in self.kept]
        above = (last[0], last[1] + 1)
        if above in quiet:
            return above
        odd = [cell for cell in quiet if self.room(cell) % 2 == 1]
        for choice in (odd, quiet, safe, free):
            for column in self.order:
                for cell in choice:
                    if cell[0] == column:
                        return cell
        raise AssertionError("a full board")

    def room(self, cell: Cell) -> int:
        """How many cells can be filled in a column before a kept one."""
        rows = [row for column, row in self.kept if column == cell[0] and row >= cell[1]]
        return (min(rows) if rows else self.height) - cell[1]

    def longest(self, own: Cells, other: Cells) -> int:
        """0 if some play of `other`, to move, beats the plan; else the plies until the four, if it is to win."""
        if (own, other) not in self.seen:
            self.seen[own, other] = self._longest(own, other)
        return self.seen[own, other]

    def _longest(self, own: Cells, other: Cells) -> int:
        moves = self.free(own, other)
        if not moves:
            return 0 if self.wins else 1
        longest = 0
        for move in moves:
            if self.makes_four(move, other):
                return 0
            theirs = other | {move}
            free = self.free(own, theirs)
            if not free:
                plies = 0 if self.wins else 1
            elif any(self.makes_four(cell, own) for cell in free):
                plies = 2
            else:
                rest = self.longest(own | {self.reply(own, theirs, move)}, theirs)
                plies = rest + 2 if rest else 0
            if plies == 0:
                return 0
            longest = max(longest, plies)
        return longest
