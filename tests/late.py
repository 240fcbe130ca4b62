"""Random positions late in the game, for what only exact search can judge."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from connect4_agent.rules.position import Position
from tests.boards import seeds


def random_position(seed: int, width: int, height: int, empties: int, quiet: bool = False) -> Position:
    """A position reached by random play, with this many empty cells, in which nobody has four.

    In a quiet one the player to move cannot win at once.
    """
    random = Random(seed)
    while True:
        position = Position(width, height)
        while position.empty_count > empties:
            columns = [c for c in position.legal_columns() if position.play(c).winner is None]
            if not columns:
                break
            position = position.play(random.choice(columns))
        if position.empty_count <= empties and not (quiet and position.winning_columns()):
            return position


def late_positions(
    sizes: list[tuple[int, int]], most_empties: int, least_empties: int = 1, step: int = 1, quiet: bool = False
) -> st.SearchStrategy[Position]:
    """Such positions on boards of these sizes, with least_empties, least_empties + step, ... empty cells."""

    def late_position(seed: int) -> Position:
        random = Random(seed)
        width, height = random.choice(sizes)
        return random_position(seed, width, height, random.choice(range(least_empties, most_empties + 1, step)), quiet)

    return seeds.map(late_position)


@st.composite
def nearly_full(draw: st.DrawFn, sizes: list[tuple[int, int]], most_empties: int) -> Position:
    """A large board filled in a pattern that holds no four, with some discs taken off from the top."""
    width, height = draw(st.sampled_from(sizes))
    grid = [[1 + (column // 2 + row) % 2 for row in range(height)] for column in range(width)]
    for column in draw(st.lists(st.integers(0, width - 1), min_size=1, max_size=most_empties)):
        top = height - sum(map(bool, grid[column]))
        if top < height:
            grid[column][top] = 0
    return Position.from_grid(grid)
