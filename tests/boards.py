"""Positions for tests: strategies for hypothesis, and the plainest form of the rules to compare with."""

from __future__ import annotations

from hypothesis import strategies as st

from connect4_agent.rules.position import Position

Grid = list[list[int]]


def naive_four(grid: Grid, player: int) -> bool:
    """Whether the player has four in a row, cell by cell."""
    width, height = len(grid), len(grid[0])
    for column in range(width):
        for row in range(height):
            for step_column, step_row in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + i * step_column, row + i * step_row) for i in range(4)]
                if all(0 <= c < width and 0 <= r < height and grid[c][r] == player for c, r in cells):
                    return True
    return False


def naive_play(grid: Grid, column: int, player: int) -> Grid:
    """The grid with one more disc."""
    row = max(index for index, cell in enumerate(grid[column]) if cell == 0)
    after = [cells[:] for cells in grid]
    after[column][row] = player
    return after


@st.composite
def games(
    draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]] | None = None, most_plies: int = 200
) -> list[Position]:
    """The positions of a random game from the empty board on, at the longest up to its end."""
    width, height = draw(sizes if sizes is not None else st.tuples(st.integers(1, 9), st.integers(1, 9)))
    position = Position(width, height, draw(st.sampled_from((1, 2))))
    positions = [position]
    for _ in range(draw(st.integers(0, min(most_plies, width * height)))):
        if position.is_over:
            break
        position = position.play(draw(st.sampled_from(position.legal_columns())))
        positions.append(position)
    return positions


def unfinished(
    sizes: st.SearchStrategy[tuple[int, int]] | None = None, most_plies: int = 200
) -> st.SearchStrategy[Position]:
    """A position in which somebody is to move and can."""
    return games(sizes, most_plies).map(lambda played: next(p for p in reversed(played) if not p.is_over))


@st.composite
def settled_grids(draw: st.DrawFn, most_side: int = 9) -> Grid:
    """Any grid without a floating disc, with any disc counts and with or without a winner."""
    width, height = draw(st.integers(1, most_side)), draw(st.integers(1, most_side))
    grid = []
    for _ in range(width):
        discs = draw(st.lists(st.sampled_from((1, 2)), max_size=height))
        grid.append([0] * (height - len(discs)) + discs)
    return grid
