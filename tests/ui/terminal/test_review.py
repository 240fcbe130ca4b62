"""Review: the mistakes of a game in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from connect4_agent.reasons.judge import judge
from connect4_agent.reasons.words import describe
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.drawing import ASCII, plain, width_of
from connect4_agent.ui.terminal.screen import review_lines
from connect4_agent.ui.terminal.seats import Seat
from connect4_agent.ui.terminal.session import Game

SEATS = (Seat("Ann"), Seat("Ben"))
GAME = Game.from_moves("44444162353")

pytestmark = pytest.mark.needs("compiled")


def text_of(game: Game, columns: int = 80, rows: int = 24) -> str:
    judged = judge(Position(), game.columns)
    return "\n".join(map(plain, review_lines(judged, SEATS, ASCII, columns, rows)))


def test_it_has_what_is_said_of_the_game_with_the_players_signs() -> None:
    assert text_of(GAME) == describe(judge(Position(), GAME.columns), ("X Ann", "O Ben"))


@pytest.mark.parametrize(("columns", "rows"), [(40, 15), (40, 24), (20, 15), (80, 24)])
def test_it_fits_the_window(columns: int, rows: int) -> None:
    game = Game.from_moves("12" * 3 + "21" * 3 + "34" * 3 + "43" * 3 + "56" * 3 + "65" * 3 + "777777")
    lines = review_lines(judge(Position(), game.columns), SEATS, ASCII, columns, rows)
    assert max(map(width_of, lines)) <= columns
    if columns >= 40:
        assert len(lines) < rows


def test_of_mistakes_that_do_not_fit_the_last_ones_are_told() -> None:
    assert "Move 7" in text_of(GAME, rows=6)
    assert "Move 7" not in text_of(GAME, rows=5)
    assert "Move 8" in text_of(GAME, rows=5)


def test_of_a_game_that_takes_too_long_the_last_moves_are_judged_and_the_rest_is_said() -> None:
    judged = replace(judge(Position(), GAME.columns), scores=(None,) * 9 + (-16, 16, 15))
    text = "\n".join(map(plain, review_lines(judged, SEATS, ASCII, 80, 24)))
    assert text.endswith("The first 9 moves take too long to judge on this board.")
