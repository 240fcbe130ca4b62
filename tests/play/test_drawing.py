"""Drawing: the board as text."""

from __future__ import annotations

from hypothesis import given, settings

from connect4_agent.play.drawing import ASCII, NARROW_PITCH, ROLES, UNICODE, Style, board_lines, plain, width_of
from connect4_agent.play.game import Game
from connect4_agent.play.hints import Hints, Worth
from connect4_agent.position import Position

from .test_game import games


def drawn(game: Game, style: Style, hints: Hints | None = None) -> list[str]:
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
    worths = (*(Worth(score, exact=True) for score in (-18, -2, 0, 1)), None, Worth(7, exact=False))
    lines = drawn(Game(6, 1), Style(), Hints(Position(6, 1), worths))
    assert lines[-2] == "  1   2   3   4   5   6"
    assert lines[-1] == " -18 -2   0  +1      ~+7"


def test_narrow_cells_have_no_frame_between_them_and_opinions_without_figures() -> None:
    worths = tuple(Worth(score, exact=False) for score in range(-50, 60, 10))
    lines = drawn(Game.from_moves("a", 11, 1), Style(NARROW_PITCH, is_tall=False), Hints(Position(11, 1), worths))
    assert lines == [
        "|                           (X)   |",
        "+---------------------------------+",
        "  1  2  3  4  5  6  7  8  9 10 11",
        " ~- ~- ~- ~- ~- ~0 ~+ ~+ ~+ ~+ ~+",
    ]


@settings(deadline=None, max_examples=50)
@given(games())
def test_every_drawing_shows_the_whole_position(game: Game) -> None:
    for style in (Style(), Style(is_tall=False), Style(NARROW_PITCH, is_tall=False)):
        lines = board_lines(game, None, UNICODE, style)
        assert (
            max(map(width_of, lines)) == width_of(lines[0]) == style.pitch * game.width + (2 if style.pitch == 3 else 1)
        )
        text = "".join(map(plain, lines))
        assert text.count("●") == game.position.discs_1.bit_count()
        assert text.count("○") == game.position.discs_2.bit_count()
        assert text.count("[") == len(game.four)
        assert text.count("(") == (game.ply > 0 and not game.four)
        assert {role for line in lines for _, role in line} <= {"", *ROLES}
