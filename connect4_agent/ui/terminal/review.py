"""Review: the mistakes of a game, and how accurate both sides were."""

from __future__ import annotations

from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.reasons.words import describe_mistakes, describe_players
from connect4_agent.ui.terminal.drawing import Line, Signs
from connect4_agent.ui.terminal.screen import PROMPT_ROWS, page_lines, seat_label
from connect4_agent.ui.terminal.seats import Seats


def review_lines(game: JudgedGame, seats: Seats, signs: Signs, columns: int, rows: int) -> list[Line]:
    """Return the mistakes and blunders, and the accuracy of both; of the mistakes, the last ones that fit."""
    names = seat_label(seats, signs, 1), seat_label(seats, signs, 2)
    last = describe_players(game, names)
    if unknown := sum(move.score is None for move in game.moves):
        last.append(f"The first {unknown} moves take too long to judge on this board.")
    last_lines = page_lines("\n".join(last), columns)
    mistakes = [page_lines(line, columns) for line in describe_mistakes(game, names)]
    while sum(map(len, mistakes)) > max(1, rows - PROMPT_ROWS - len(last_lines)):
        del mistakes[0]  # the last ones decided the game
    return [*(line for mistake in mistakes for line in mistake), *last_lines]
