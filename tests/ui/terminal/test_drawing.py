"""Drawing: the board as text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.analysis import Analysis, ColumnScore
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.console import STYLES
from connect4_agent.ui.terminal.drawing import ASCII, UNICODE, board_lines, plain, width_of
from connect4_agent.ui.terminal.session import Game
from tests.effort import examples

from .test_game import games


def drawn(game: Game, hints: Analysis | None = None, *, is_tall: bool = True) -> list[str]:
    return [plain(line) for line in board_lines(game, hints, ASCII, is_tall=is_tall)]


def test_the_tall_board_has_lines_between_its_rows() -> None:
    assert drawn(Game.from_moves("12", 3, 2)) == [
        "+---+---+---+",
        "|   |   |   |",
        "+---+---+---+",
        "| X |(O)|   |",
        "+---+---+---+",
        "  1   2   3",
        "",
    ]


def test_the_last_disc_and_a_four_stand_out_without_colours() -> None:
    assert drawn(Game.from_moves("1212121"), is_tall=False) == [
        "|   |   |   |   |   |   |   |",
        "|   |   |   |   |   |   |   |",
        "|[X]|   |   |   |   |   |   |",
        "|[X]| O |   |   |   |   |   |",
        "|[X]| O |   |   |   |   |   |",
        "|[X]| O |   |   |   |   |   |",
        "+---+---+---+---+---+---+---+",
        "  1   2   3   4   5   6   7",
        "",
    ]


def test_scores_stand_under_their_columns() -> None:
    columns = (*(ColumnScore(score, proven=True) for score in (-18, -2, 0, 1)), None, ColumnScore(7, proven=False))
    lines = drawn(Game(6, 1), Analysis(Position(6, 1), columns))
    assert lines[-2] == "  1   2   3   4   5   6"
    assert lines[-1] == " -18 -2   0  +1      ~+7"


@examples(50)
@given(games(), st.booleans())
def test_every_drawing_shows_the_whole_position(game: Game, is_tall: bool) -> None:
    lines = board_lines(game, None, UNICODE, is_tall=is_tall)
    assert max(map(width_of, lines)) == width_of(lines[0]) == 4 * game.width + 1
    text = "".join(map(plain, lines))
    assert text.count("●") == game.position.discs_1.bit_count()
    assert text.count("○") == game.position.discs_2.bit_count()
    assert text.count("[") == len(game.four)
    assert text.count("(") == (bool(game.columns) and not game.four)
    assert {role for line in lines for _, role in line} <= {"", *STYLES}
