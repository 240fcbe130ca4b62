"""OpenSpiel's Monte Carlo tree search with random rollouts; its argument is the number of simulations a move."""

from __future__ import annotations

import json
import sys
import zlib

import pyspiel
from agent_lines import Board, serve

SIMULATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
EXPLORATION = 2.0  # as in OpenSpiel's own examples
MEMORY_MB = 100


def choose(board: Board) -> int:
    """The bot's action, repeatably: its seed is made of the position."""
    rows, columns = len(board.rows), len(board.rows[0])
    game = pyspiel.load_game(f"connect_four(rows={rows},columns={columns})")
    description = {
        "board": [[".xo"[cell] for cell in row] for row in reversed(board.rows)],
        "current_player": "xo"[board.player - 1],
        "is_terminal": False,
        "winner": "",
    }
    seed = zlib.crc32(str(board).encode()) & 0x7FFFFFFF
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, MEMORY_MB, solve=True, seed=seed, verbose=False)
    column: int = bot.step(game.new_initial_state(json.dumps(description)))
    return column


serve(choose)
