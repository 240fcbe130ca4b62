"""BitBully, a perfect player with an opening book, on 7 columns and 6 rows."""

from __future__ import annotations

import bitbully
from agent_lines import Board, serve

PLAYER = bitbully.BitBully()


def choose(board: Board) -> int:
    """The best column; of equals the one nearest the centre."""
    size = (len(board.rows[0]), len(board.rows))
    if size != (7, 6):
        raise ValueError(f"the board is {size[0]} columns wide and {size[1]} rows high; BitBully plays on 7 and 6")
    column: int = PLAYER.best_move(bitbully.Board(board.rows))
    return column


serve(choose)
