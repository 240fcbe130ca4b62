"""Kaggle's built-in negamax agent for ConnectX, or its random one with `random` as an argument."""

from __future__ import annotations

import random
import sys
from types import SimpleNamespace

from agent_lines import Board, serve
from kaggle_environments.envs.connectx.connectx import agents

AGENT = agents[sys.argv[1] if len(sys.argv) > 1 else "negamax"]


def choose(board: Board) -> int:
    """The column of Kaggle's agent, which draws lots among equals: repeatably here, by the position."""
    random.seed(str(board))
    cells = [cell for row in board.rows for cell in row]
    configuration = SimpleNamespace(columns=len(board.rows[0]), rows=len(board.rows), inarow=4)
    column: int = AGENT(SimpleNamespace(board=cells, mark=board.player), configuration)
    return column


serve(choose)
