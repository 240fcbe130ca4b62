"""Review: the mistakes of a game, and how accurate both sides were."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from connect4_agent import errors
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.limits import Limits
from connect4_agent.reasons.judge import JudgedGame, judge
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Grade
from connect4_agent.ui.terminal.drawing import Line, Signs
from connect4_agent.ui.terminal.game import Game
from connect4_agent.ui.terminal.screen import PROMPT_ROWS, page_lines, seat_label
from connect4_agent.ui.terminal.seats import Seats

FAULTS = (Grade.MISTAKE, Grade.BLUNDER)


def review_game(game: Game) -> tuple[JudgedGame, dict[int, int]]:
    """Judge the moves, as far back as there is time, and find a better column for each mistake, by its index."""
    poll = Limits().for_proofs(game.width, game.height).timed_poll()
    judged = judge(Position(game.width, game.height), game.columns, poll=poll)
    engine = engine_for(game.width, game.height)
    better: dict[int, int] = {}
    with suppress(errors.OutOfTimeError):
        for ply, move in enumerate(judged.moves):
            if move.grade in FAULTS and move.score_before is not None:
                better[ply] = engine.first_best_column(move.position, move.score_before, poll)
    return judged, better


def review_lines(
    game: JudgedGame, better: Mapping[int, int], seats: Seats, signs: Signs, columns: int, rows: int
) -> list[Line]:
    """Return the mistakes and blunders, and the accuracy of both; of the mistakes, the last ones that fit."""
    labels = [seat_label(seats, signs, player) for player in (1, 2)]
    accuracy = [_accuracy(game, player, labels[player - 1]) for player in (1, 2)]
    if unknown := sum(move.score is None for move in game.moves):
        accuracy.append(f"The first {unknown} moves take too long to judge on this board.")
    last = page_lines("\n".join(accuracy), columns)
    mistakes = []
    for ply, move in enumerate(game.moves):
        if move.grade in FAULTS:
            words = f"Move {ply + 1}, {labels[move.player - 1]}, {move.column + 1}: {move.explanation} ({move.grade})"
            advice = f"; better: {better[ply] + 1}" if ply in better else ""
            mistakes.append(page_lines(words + advice, columns))
    while sum(map(len, mistakes)) > max(1, rows - PROMPT_ROWS - len(last)):
        del mistakes[0]  # the last ones decided the game
    return [*(line for mistake in mistakes for line in mistake), *last]


def _accuracy(game: JudgedGame, player: int, label: str) -> str:
    grades = game.grades(player)
    if grades.accuracy is None:
        return f"{label}: no move"
    return f"{label}: accuracy {grades.accuracy:g} ({', '.join(grade.counted(grades.count(grade)) for grade in Grade)})"
