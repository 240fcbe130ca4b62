"""The text protocols of theaigames and riddles.io."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.adapters.four_in_a_row import DIALECTS, FourInARowCodec
from connect4_agent.position import Position
from tests.adapters.scripts import Remembering, served
from tests.boards import unfinished
from tests.effort import examples

AFTER_4453 = Position.from_moves("4453")


def field_of(position: Position, dialect: str) -> str:
    """A board as an engine of this dialect writes it."""
    rows = [[DIALECTS[dialect].cells[cell] for cell in row] for row in zip(*position.grid(), strict=True)]
    return (";" if dialect == "theaigames" else ",").join(",".join(row) for row in rows)


def begun(dialect: str, first: bool = True) -> list[str]:
    bot = DIALECTS[dialect].first_bot + (not first)
    return [
        "settings timebank 10000",
        "settings time_per_move 500",
        "settings player_names player1,player2",
        "settings your_bot player1",
        f"settings your_botid {bot}",
        "settings field_columns 7",
        "settings field_rows 6",
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("first", [True, False])
def test_only_a_request_for_a_move_is_answered(dialect: str, first: bool) -> None:
    player = Remembering()
    position = AFTER_4453 if first else AFTER_4453.play(0)
    lines = [*begun(dialect, first), "update game round 3", f"update game field {field_of(position, dialect)}"]
    connection = served(FourInARowCodec(DIALECTS[dialect]), player, *lines, "action move 10000")
    assert connection.answers == ["place_disc 0"]
    assert player.positions == [position]
    assert connection.notes == []


@examples(50)
@given(position=unfinished(), dialect=st.sampled_from(sorted(DIALECTS)))
def test_a_field_is_read_as_it_was_written(position: Position, dialect: str) -> None:
    player = Remembering()
    codec = FourInARowCodec(DIALECTS[dialect], position.width, position.height)
    served(codec, player, f"update game field {field_of(position, dialect)}", "action move 500")
    assert [(seen.discs_1, seen.discs_2) for seen in player.positions] == [(position.discs_1, position.discs_2)]


@pytest.mark.parametrize("names", [("field_columns", "field_rows"), ("field_width", "field_height")])
def test_settings_tell_the_size_of_a_board_of_bare_cells(names: tuple[str, str]) -> None:
    player = Remembering()
    position = Position(8, 7).play(3)
    served(
        FourInARowCodec(DIALECTS["riddles"]),
        player,
        f"settings {names[0]} 8",
        f"settings {names[1]} 7",
        f"update game field {field_of(position, 'riddles')}",
        "action move 500",
    )
    assert player.positions == [position]


def test_the_first_move_needs_no_field() -> None:
    player = Remembering()
    served(FourInARowCodec(DIALECTS["riddles"]), player, "settings your_botid 1", "action move 500")
    assert player.positions == [Position(player=2)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", "not a line of this protocol"),
        ("settings colour red", "there is no setting 'colour'"),
        ("settings timebank soon", "'soon' is not a whole number"),
        ("settings your_botid 3", "your_botid is 3; allowed are 1 and 2"),
        ("settings field_rows 0", "field_rows is 0; allowed are 1 to 100"),
        ("update game field 0,0;0,5", "a cell is '5'; allowed are 0, 1, 2"),
        ("update game field 0,0;0", "all rows must have the same length"),
        ("update game field 1,0;0,0", "below it is empty"),
        ("update game field 0,0,0", "it has 3 cells; 7 columns and 6 rows have 42"),
        ("update game field 0,0,0,0,0,0,0", "it has 7 cells; 7 columns and 6 rows have 42"),
        ("update game field", "a cell is ''"),
        ("update game", "not a line of this protocol"),
        ("action pick 3", "not a line of this protocol"),
    ],
)
def test_an_unknown_line_is_told_and_never_answered(line: str, said: str) -> None:
    player = Remembering()
    connection = served(
        FourInARowCodec(DIALECTS["theaigames"]),
        player,
        f"update game field {field_of(AFTER_4453, 'theaigames')}",
        line,
        "action move 500",
    )
    assert connection.answers == ["place_disc 0"]
    assert player.positions == [AFTER_4453], "the last board that could be read counts"
    (note,) = connection.notes
    assert note.startswith("warning: ignored: ")
    assert said in note


def test_a_last_semicolon_and_blanks_after_commas_do_not_matter() -> None:
    player = Remembering()
    field = field_of(AFTER_4453, "theaigames").replace(",", ", ") + ";"
    connection = served(
        FourInARowCodec(DIALECTS["theaigames"]), player, f"update game field {field}", "action move 500"
    )
    assert player.positions == [AFTER_4453]
    assert connection.notes == []


def test_rows_of_another_size_than_the_settings_are_played_on_with_a_warning() -> None:
    player = Remembering()
    connection = served(
        FourInARowCodec(DIALECTS["theaigames"]), player, "update game field 0,0;0,1;", "action move 500"
    )
    assert [(seen.width, seen.height) for seen in player.positions] == [(2, 2)]
    assert connection.notes == [
        "warning: the field has 2 columns and 2 rows, but the settings say 7 and 6: using the field"
    ]


def test_without_a_number_a_move_takes_the_time_for_a_move_alone() -> None:
    player = Remembering()
    served(codec_with(timebank=10000, time_per_move=500), player, "action move", "action move")
    assert all(limits.seconds is not None and limits.seconds <= 0.5 for limits in player.limits)


def test_a_request_whose_time_cannot_be_read_is_answered_all_the_same() -> None:
    connection = served(FourInARowCodec(DIALECTS["riddles"]), Remembering(), "action move soon")
    assert connection.answers == ["place_disc 0"]
    assert "'soon' is not a whole number" in connection.notes[0]


def test_a_full_board_gets_no_answer() -> None:
    connection = served(
        FourInARowCodec(DIALECTS["theaigames"]), Remembering(), "update game field 1;2", "action move 9"
    )
    assert connection.answers == []
    assert "the board is full" in connection.notes[-1]


def codec_with(**settings: int) -> FourInARowCodec:
    codec = FourInARowCodec(DIALECTS["riddles"])
    served(codec, Remembering(), *(f"settings {name} {value}" for name, value in settings.items()))
    return codec


def test_a_move_takes_its_own_time_and_a_share_of_the_bank() -> None:
    codec = codec_with(timebank=10000, time_per_move=500)
    assert codec.seconds_for_move(10000) == pytest.approx(0.5 + 9.5 * 0.1)
    assert codec.seconds_for_move(500) == pytest.approx(0.45)
    assert codec.seconds_for_move(None) == pytest.approx(0.5)
    assert codec.seconds_for_move(0) == 0


@examples(50)
@given(bank_ms=st.integers(0, 1 << 30), per_move_ms=st.integers(0, 1 << 20))
def test_no_move_may_take_the_whole_bank(bank_ms: int, per_move_ms: int) -> None:
    seconds = codec_with(time_per_move=per_move_ms).seconds_for_move(bank_ms)
    assert 0 <= seconds <= bank_ms / 1000
    assert seconds < bank_ms / 1000 or bank_ms == 0


def test_the_shorter_of_the_banks_and_the_servers_limit_reaches_the_player() -> None:
    for server_seconds, most in ((0.25, 0.25), (None, 1.45), (60.0, 1.45)):
        player = Remembering()
        codec = codec_with(timebank=10000, time_per_move=500)
        served(codec, player, "action move 10000", seconds=server_seconds)
        given = player.limits[0].seconds
        assert given is not None
        assert 0 < given <= most
