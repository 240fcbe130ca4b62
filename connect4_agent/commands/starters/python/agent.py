"""Chooses a column: connect4-agent calls `choose` for each move. This is the file to improve.

A grid is a list of columns from left to right, each a list of cells from top to bottom: 0 is empty, 1 and 2 are discs.
"""

Grid = list[list[int]]

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def choose(grid: Grid, player: int) -> int:
    """Win if possible, otherwise stop the opponent from winning, otherwise play near the centre."""
    columns = open_columns(grid)
    for who in (player, 3 - player):
        for column in columns:
            if has_four(drop(grid, column, who), who):
                return column
    return columns[0]


def open_columns(grid: Grid) -> list[int]:
    """The columns that are not full, counted from 0, the nearest to the centre first."""
    centre = (len(grid) - 1) / 2
    columns = [column for column, cells in enumerate(grid) if cells[0] == 0]
    return sorted(columns, key=lambda column: abs(column - centre))


def drop(grid: Grid, column: int, player: int) -> Grid:
    """The grid with one more disc in this column, which must not be full."""
    after = [cells.copy() for cells in grid]
    after[column][grid[column].count(0) - 1] = player
    return after


def has_four(grid: Grid, player: int) -> bool:
    """Return whether this player has four in a row."""
    discs = {(x, y) for x, cells in enumerate(grid) for y, cell in enumerate(cells) if cell == player}
    return any(
        all((x + step * dx, y + step * dy) in discs for step in range(4)) for x, y in discs for dx, dy in DIRECTIONS
    )
