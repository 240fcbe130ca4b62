"""Fills the board from the left as player 1, from the right as player 2, but counts columns from 1."""


def choose(grid, player):
    """Return the column to play."""
    order = range(len(grid)) if player == 1 else reversed(range(len(grid)))
    return 1 + next(column for column in order if grid[column][0] == 0)
