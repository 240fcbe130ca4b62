"""Screen: a layout for every window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.analysis import Analysis, ColumnScore, analyze
from connect4_agent.reasons.explain import explain
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.drawing import ASCII, UNICODE, plain, width_of
from connect4_agent.ui.terminal.screen import View, screen_lines, why_lines
from connect4_agent.ui.terminal.seats import Seat
from connect4_agent.ui.terminal.session import Game
from tests.effort import examples
from tests.processes import REPOSITORY

from .test_game import games

SEATS = (Seat("Ann"), Seat("n" * 30))


def text_of(view: View, columns: int = 80, rows: int = 24) -> str:
    return "\n".join(map(plain, screen_lines(view, ASCII, columns, rows)))


def test_the_usual_window_has_room_for_board_scores_keys_and_a_long_message() -> None:
    game = Game.from_moves("12" * 3 + "21" * 3 + "34" * 3 + "43" * 3 + "56" * 3 + "65" * 3 + "77777")
    hints = Analysis(game.position, (None,) * 6 + (ColumnScore(0, proven=True),))
    text = text_of(View(game, SEATS, hints, ("message " * 15,)))
    for part in ("To move: O", "Best: 7 (draws)", "+---+", "u undo", "message", "  1   2   3   4   5   6   7"):
        assert part in text
    assert text.count("\n") + 2 <= 24


@examples(50)
@given(games(), st.integers(1, 120), st.integers(1, 50), st.text(alphabet="ab ", max_size=200))
def test_whatever_the_window_nothing_is_wider_than_it(game: Game, columns: int, rows: int, message: str) -> None:
    lines = screen_lines(View(game, SEATS, None, (message,)), ASCII, columns, rows)
    assert max(map(width_of, lines)) <= max(columns, 1)
    assert len(lines) + 1 <= rows or "The window has" in " ".join(map(plain, lines)) or columns < 14


def test_a_window_that_is_too_small_says_how_large_it_must_be_and_whose_turn_it_is() -> None:
    view = View(Game.from_moves("44"), SEATS)
    text = text_of(view, 40, 10)
    said = "The window has 40 columns and 10 rows; to show this board it needs 29 columns and 12 rows."
    assert said in text.replace("\n", " ")
    assert "To move: X Ann" in text
    assert "Moves: 44" in text
    assert "(O)" in text_of(view, 29, 12)


def test_the_end_of_a_game_is_told() -> None:
    assert "X Ann wins on move 7" in text_of(View(Game.from_moves("1212121"), SEATS))
    assert "Draw: the board is full" in text_of(View(Game.from_moves("12", 2, 1), SEATS))


def test_the_board_in_the_documentation_is_the_one_that_is_drawn() -> None:
    game = Game.from_moves("444444522563613311")
    hints = analyze(game.position)
    seats = (Seat("Ann"), Seat("easy"))
    drawn = "\n".join(map(plain, screen_lines(View(game, seats, hints), UNICODE, 80, 24)))
    page = (REPOSITORY / "docs" / "play.md").read_text()
    assert f"```text\n{drawn}\n● Ann>\n```" in page


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(
    ("columns", "rows", "has_board", "has_text"),
    [
        (80, 55, True, True),
        (80, 24, True, False),
        (40, 24, True, False),
        (40, 90, True, True),
        (40, 15, False, False),
        (15, 60, False, False),
    ],
)
def test_a_long_reason_is_shown_as_far_as_it_fits(columns: int, rows: int, *, has_board: bool, has_text: bool) -> None:
    lines = why_lines(explain(Position.from_moves("4444416235"), 2), ASCII, columns, rows)
    text = " ".join(" ".join(map(plain, lines)).split())
    assert max(map(width_of, lines)) <= columns
    assert len(lines) < rows
    assert ("[ ] the move" in text) == has_board
    assert ("1,058 positions" in text) == has_text
    assert "Even the best reply to column 3 fails" in text


def test_the_usual_window_shows_the_boards_that_the_documentation_says() -> None:
    def shows(width: int, height: int) -> bool:
        return "The window has" not in text_of(View(Game(width, height), SEATS, None, ("a message",)))

    assert shows(19, 17)
    assert not shows(20, 17)
    assert not shows(19, 18)
