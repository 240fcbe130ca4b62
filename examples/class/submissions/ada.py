"""Wins if it can, blocks if it must, and otherwise plays near the centre."""


def choose(grid, player):
    """Return the column to play."""
    columns = sorted((c for c, cells in enumerate(grid) if cells[0] == 0), key=lambda c: abs(2 * c - len(grid) + 1))
    for mover in (player, 3 - player):
        for column in columns:
            if wins(grid, column, mover):
                return column
    return columns[0]


def wins(grid, column, player):
    """Return whether a disc in this column makes four in a row."""
    row = max(r for r, cell in enumerate(grid[column]) if cell == 0)

    def count(right, down):
        c, r, found = column + right, row + down, 0
        while 0 <= c < len(grid) and 0 <= r < len(grid[0]) and grid[c][r] == player:
            c, r, found = c + right, r + down, found + 1
        return found

    return any(count(x, y) + count(-x, -y) >= 3 for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)))
