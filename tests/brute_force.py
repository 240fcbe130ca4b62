"""The plainest exact search: alpha-beta with a dictionary, and no other idea; what the solver is compared with."""

from __future__ import annotations

from connect4_agent.engine.kernel.order import middle_first


def lines_by_cell(width: int, height: int) -> dict[int, list[int]]:
    """For each cell's bit, the other three bits of every line of four that it belongs to."""
    found: dict[int, list[int]] = {}
    for column in range(width):
        for row in range(height):
            for step_column, step_row in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + i * step_column, row + i * step_row) for i in range(4)]
                if all(0 <= c < width and 0 <= r < height for c, r in cells):
                    bits = [1 << c * (height + 1) + r for c, r in cells]
                    for bit in bits:
                        found.setdefault(bit, []).append(sum(bits) - bit)
    return found


class BruteForce:
    """Finds scores on boards of one size, as the solver counts them; for small boards, or late in the game."""

    def __init__(self, width: int, height: int) -> None:
        self.cells = width * height
        self.lines = lines_by_cell(width, height)
        begins = [column * (height + 1) for column in middle_first(width)]
        self.columns = [(1 << begin, (1 << height) - 1 << begin) for begin in begins]
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}

    def score(self, own: int, opponent: int) -> int:
        """The score of a position in which nobody has four."""
        # Who wins comes first: most boards are drawn, and narrow windows are quick to close.
        sign = self._search(own, opponent, -1, 1)
        if sign == 0:
            return 0
        return self._search(own, opponent, 0, self.cells) if sign > 0 else self._search(own, opponent, -self.cells, 0)

    def _search(self, own: int, opponent: int, low: int, high: int) -> int:
        """The score, if it is between the two; else a bound at or beyond the one that it is beyond."""
        occupied = own | opponent
        empty_count = self.cells - occupied.bit_count()
        if empty_count == 0:
            return 0
        moves = [(occupied & cells) + bottom & cells for bottom, cells in self.columns]
        for move in moves:
            if move and any(own & line == line for line in self.lines.get(move, ())):
                return (empty_count + 1) // 2
        least, most = self.bounds.get((own, opponent), (-self.cells, self.cells))
        low, high = max(low, least), min(high, most)
        if low >= high:
            return low if least >= high else high
        best, alpha = -self.cells, low
        for move in moves:
            if move:
                best = max(best, -self._search(opponent, own | move, -high, -alpha))
                alpha = max(alpha, best)
                if alpha >= high:
                    break
        if best > low:
            least = max(least, best)
        if best < high:
            most = min(most, best)
        self.bounds[own, opponent] = least, most
        return best
