"""Review: the mistakes of a game in words."""

from __future__ import annotations

import pytest

from connect4_agent.reasons.judge import judge
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.drawing import ASCII, plain, width_of
from connect4_agent.ui.terminal.game import Game
from connect4_agent.ui.terminal.review import review_game, review_lines
from connect4_agent.ui.terminal.seats import Seat

SEATS = (Seat("Ann"), Seat("Ben"))
GAME = Game.from_moves("44444162353")

pytestmark = pytest.mark.needs("compiled")


def text_of(game: Game, columns: int = 80, rows: int = 24) -> str:
    return "\n".join(map(plain, review_lines(*review_game(game), SEATS, ASCII, columns, rows)))


def test_mistakes_are_told_with_what_was_better_and_the_accuracy_of_both() -> None:
    assert (
        text_of(GAME)
        == """\
Move 7, X Ann, 6: gives a win away: now a draw (mistake); better: 3
Move 8, O Ben, 2: allows a double threat (blunder); better: 5
Move 11, X Ann, 3: turns a win into a loss (mistake); better: 2
X Ann: accuracy 50 (3 best moves, 1 inaccuracy, 2 mistakes, 0 blunders)
O Ben: accuracy 50 (4 best moves, 0 inaccuracies, 0 mistakes, 1 blunder)"""
    )


def test_it_judges_as_the_judge_does() -> None:
    judged, better = review_game(GAME)
    assert judged == judge(Position(), GAME.columns)
    assert better == {6: 2, 7: 4, 10: 1}


@pytest.mark.parametrize(("columns", "rows"), [(40, 15), (40, 24), (20, 15), (80, 24)])
def test_it_fits_the_window(columns: int, rows: int) -> None:
    game = Game.from_moves("12" * 3 + "21" * 3 + "34" * 3 + "43" * 3 + "56" * 3 + "65" * 3 + "777777")
    lines = review_lines(*review_game(game), SEATS, ASCII, columns, rows)
    assert max(map(width_of, lines)) <= columns
    if columns >= 40:
        assert len(lines) < rows


def test_of_mistakes_that_do_not_fit_the_last_ones_are_told() -> None:
    assert "Move 7" in text_of(GAME, rows=6)
    assert "Move 7" not in text_of(GAME, rows=5)
    assert "Move 8" in text_of(GAME, rows=5)


def test_on_a_large_board_the_last_moves_are_judged_and_the_rest_is_said() -> None:
    game = Game.from_moves("1212121", 9, 9)
    judged, better = review_game(game)
    unknown = sum(move.score is None for move in judged.moves)
    text = "\n".join(map(plain, review_lines(judged, better, SEATS, ASCII, 80, 24)))
    assert 0 <= unknown < 7
    assert ("take too long to judge" in text) == (unknown > 0)
