"""Random positions late in the game, for what only exact search can judge."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from connect4_agent.rules.position import Position
from tests.boards import seeds


def random_position(
    seed: int, width: int, height: int, empties: int, quiet: bool = False, careful: bool = False
) -> Position:
    """A position reached by random play, with this many empty cells, in which nobody has four.

    In a quiet one the player to move cannot win at once. Careful players leave no four if they can: most positions of
    others are decided by the next few discs.
    """
    random = Random(seed)
    while True:
        position = Position(width, height)
        while position.empty_count > empties:
            columns = [c for c in position.legal_columns() if position.play(c).winner is None]
            if not columns:
                break
            safe = [c for c in columns if not position.play(c).winning_columns()] if careful else []
            position = position.play(random.choice(safe or columns))
        if position.empty_count <= empties and not (quiet and position.winning_columns()):
            return position


def late_positions(
    sizes: list[tuple[int, int]], most_empties: int, least_empties: int = 1, step: int = 1, quiet: bool = False
) -> st.SearchStrategy[Position]:
    """Such positions on boards of these sizes, with least_empties, least_empties + step, ... empty cells."""

    def late_position(seed: int) -> Position:
        random = Random(seed)
        width, height = random.choice(sizes)
        empties = random.choice(range(least_empties, most_empties + 1, step))
        return random_position(seed, width, height, empties, quiet, careful=random.random() < 0.7)

    return seeds.map(late_position)


def nearly_full(sizes: list[tuple[int, int]], most_empties: int) -> st.SearchStrategy[Position]:
    """A large board filled in a pattern that holds no four, with some discs taken off and others changed at the top."""

    def nearly_full_position(seed: int) -> Position:
        random = Random(seed)
        width, height = random.choice(sizes)
        grid = [[1 + (column // 2 + row) % 2 for row in range(height)] for column in range(width)]
        for _ in range(random.randint(1, most_empties)):
            column = random.choice(grid)
            discs = sum(map(bool, column))
            if discs:
                column[height - discs] = 0
        for _ in range(width):
            column, row = random.choice(grid), random.randrange(min(4, height))
            column[row] = (0, 2, 1)[column[row]]
            if Position.from_grid(grid).winner is not None:
                column[row] = (0, 2, 1)[column[row]]
        return Position.from_grid(grid)

    return seeds.map(nearly_full_position)
