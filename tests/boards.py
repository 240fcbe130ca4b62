"""Positions for tests: strategies for hypothesis, and the plainest form of the rules to compare with."""

from __future__ import annotations

from random import Random

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


# Hypothesis prefers small numbers and short lists: drawn by itself, hardly any game would come to threats and fours.
# So it draws a seed, and chance does the rest.
seeds = st.integers(0, 1 << 64)


def any_size(random: Random, most_side: int = 9) -> tuple[int, int]:
    """Columns and rows: as many as usual, or any."""
    usual = min(7, most_side), min(6, most_side)
    return random.choice((usual, (random.randint(1, most_side), random.randint(1, most_side))))


@st.composite
def games(
    draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]] | None = None, most_plies: int = 200
) -> list[Position]:
    """The positions of a random game from the empty board on; every other game is played to its end."""
    random = Random(draw(seeds))
    width, height = draw(sizes) if sizes is not None else any_size(random)
    position = Position(width, height, random.choice((1, 2)))
    positions = [position]
    for _ in range(random.choice((most_plies, random.randint(0, min(most_plies, width * height))))):
        if position.is_over:
            break
        position = position.play(random.choice(position.legal_columns()))
        positions.append(position)
    return positions


def unfinished(
    sizes: st.SearchStrategy[tuple[int, int]] | None = None, most_plies: int = 200
) -> st.SearchStrategy[Position]:
    """A position in which somebody is to move and can: the last one of a game, or the last but one or two."""
    return st.builds(
        lambda played, back: [position for position in played if not position.is_over][-back:][0],
        games(sizes, most_plies),
        st.integers(1, 3),
    )


@st.composite
def settled_grids(draw: st.DrawFn, most_side: int = 9) -> Grid:
    """Any grid without a floating disc, with any disc counts and with or without a winner; some are empty or full."""
    random = Random(draw(seeds))
    width, height = any_size(random, most_side)
    share = random.choice((0.0, 0.3, 0.5, 0.7, 0.9, 1.0))
    grid = []
    for _ in range(width):
        discs = [random.choice((1, 2)) for _ in range(height) if random.random() < share]
        grid.append([0] * (height - len(discs)) + discs)
    return grid
