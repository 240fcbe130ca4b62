"""Drawing: the board as text."""

from __future__ import annotations

from hypothesis import given

from connect4_agent.engine.analysis import Analysis, ColumnScore
from connect4_agent.rules.position import Position
from connect4_agent.terminal.console import STYLES
from connect4_agent.terminal.drawing import (
    ASCII,
    LARGE_STYLES,
    NARROW_PITCH,
    UNICODE,
    Style,
    board_lines,
    plain,
    width_of,
)
from connect4_agent.terminal.game import Game
from tests.effort import examples

from .test_game import games


def drawn(game: Game, style: Style, hints: Analysis | None = None) -> list[str]:
    return [plain(line) for line in board_lines(game, hints, ASCII, style)]


def test_the_tall_board_has_lines_between_its_rows() -> None:
    assert drawn(Game.from_moves("12", 3, 2), Style()) == [
        "+---+---+---+",
        "|   |   |   |",
        "+---+---+---+",
        "| X |(O)|   |",
        "+---+---+---+",
        "  1   2   3",
        "",
    ]


def test_the_last_disc_and_a_four_stand_out_without_colours() -> None:
    assert drawn(Game.from_moves("1212121"), Style(is_tall=False)) == [
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
    lines = drawn(Game(6, 1), Style(), Analysis(Position(6, 1), columns))
    assert lines[-2] == "  1   2   3   4   5   6"
    assert lines[-1] == " -18 -2   0  +1      ~+7"


def test_narrow_cells_have_no_frame_between_them_and_opinions_without_figures() -> None:
    columns = tuple(ColumnScore(score, proven=False) for score in range(-50, 60, 10))
    lines = drawn(Game.from_moves("a", 11, 1), Style(NARROW_PITCH, is_tall=False), Analysis(Position(11, 1), columns))
    assert lines == [
        "|                           (X)   |",
        "+---------------------------------+",
        "  1  2  3  4  5  6  7  8  9 10 11",
        " ~- ~- ~- ~- ~- ~0 ~+ ~+ ~+ ~+ ~+",
    ]


def test_a_large_board_has_large_discs_and_numbers_under_their_middle() -> None:
    hints = Analysis(Position(3, 1), (ColumnScore(1, proven=True), None, ColumnScore(-12, proven=True)))
    assert drawn(Game.from_moves("12", 3, 1), Style(8, rows=3), hints) == [
        "+-------+-------+-------+",
        "|  XXX  |  OOO  |       |",
        "| XXXXX |(OOOOO)|       |",
        "|  XXX  |  OOO  |       |",
        "+-------+-------+-------+",
        "    1       2       3",
        "   +1             -12",
    ]


@examples(50)
@given(games())
def test_every_drawing_shows_the_whole_position(game: Game) -> None:
    for style in (*LARGE_STYLES, Style(), Style(is_tall=False), Style(NARROW_PITCH, is_tall=False)):
        lines = board_lines(game, None, UNICODE, style)
        assert (
            max(map(width_of, lines)) == width_of(lines[0]) == style.pitch * game.width + (2 if style.pitch == 3 else 1)
        )
        text = "".join(map(plain, lines))
        signs_of_a_disc = {1: 1, 2: 6, 3: 11, 4: 24, 6: 62}[style.rows]
        assert text.count("●") == game.position.discs_1.bit_count() * signs_of_a_disc
        assert text.count("○") == game.position.discs_2.bit_count() * signs_of_a_disc
        assert text.count("[") == len(game.four)
        assert text.count("(") == (game.ply > 0 and not game.four)
        assert {role for line in lines for _, role in line} <= {"", *STYLES}
