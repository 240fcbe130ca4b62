"""Wins if it can, blocks if it must, and otherwise plays near the centre without helping the opponent."""

import json
import sys

LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]


def open_columns(grid):
    """The columns with room, those near the centre first."""
    middle = (len(grid) - 1) / 2
    return sorted((c for c in range(len(grid)) if grid[c][0] == 0), key=lambda c: abs(c - middle))


def drop(grid, column, player):
    """The board after a move, and the row in which the disc came to rest."""
    row = max(r for r, cell in enumerate(grid[column]) if cell == 0)
    after = [list(cells) for cells in grid]
    after[column][row] = player
    return after, row


def wins(grid, column, player):
    """Does this move make four in a row?"""
    after, row = drop(grid, column, player)
    for right, down in LINES:
        length = 1
        for sign in (1, -1):
            c, r = column + sign * right, row + sign * down
            while 0 <= c < len(after) and 0 <= r < len(after[c]) and after[c][r] == player:
                length += 1
                c, r = c + sign * right, r + sign * down
        if length >= 4:
            return True
    return False


def choose(grid, player):
    """The column to play."""
    columns = open_columns(grid)
    for who in (player, 3 - player):
        for column in columns:
            if wins(grid, column, who):
                return column
    for column in columns:
        after, _ = drop(grid, column, player)
        if not any(wins(after, reply, 3 - player) for reply in open_columns(after)):
            return column
    return columns[0]


for line in sys.stdin:
    if line.strip():
        request = json.loads(line)
        print(json.dumps({"move": choose(request["grid"], request["player"])}), flush=True)
