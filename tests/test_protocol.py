"""The wire: what is an error, what is a warning, and what each says."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors, protocol
from connect4_agent.position import Position
from connect4_agent.protocol import Stated, read_question
from tests.boards import Grid, settled_grids

EMPTY_GRID = [[0] * 6 for _ in range(7)]


def question(**request: Any) -> protocol.Question:
    return read_question(json.dumps(request).encode())


def failure(document: str | bytes) -> errors.RequestError:
    with pytest.raises(errors.RequestError) as caught:
        read_question(document.encode() if isinstance(document, str) else document)
    return caught.value


@given(settled_grids(), st.sampled_from((1, 2)))
def test_a_request_with_all_four_keys_is_read_without_a_warning_where_the_counts_fit(grid: Grid, player: int) -> None:
    position = Position.from_grid(grid, player)
    surplus = position.own.bit_count() - position.opponent.bit_count()
    if position.is_full or position.winner is not None or surplus not in (-1, 0):
        return
    asked = question(grid=grid, height=len(grid[0]), width=len(grid), player=player)
    assert asked == protocol.Question(position, ())


@pytest.mark.parametrize(
    ("document", "code", "message"),
    [
        ("hello", "bad_json", "not JSON at character 1 ("),
        ("hello", "bad_json", '): "hello"; a request is one line'),
        ('{"grid" [[0]]}', "bad_json", "not JSON at character 9 ("),
        ("{", "bad_json", 'not JSON at its end: incomplete: "{"; a request is one line'),
        ('{"grid":[[0,0],', "bad_json", "`connect4-agent move` reads a document of several"),
        ('{"grid":[[NaN]]}', "bad_json", "not JSON at character 11"),
        ("[" * 5000, "bad_json", "not JSON"),
        ("[" * 1000 + "]" * 1000, "not_an_object", "the request is a deeply nested value, not an object"),
        ('{"grid":[[0,' + "[" * 1000 + "]" * 1000 + "]]}", "bad_cell", "grid[0][1] is a deeply nested value"),
        (b'{"grid":"\xff"}', "bad_json", "not JSON"),
        ('{"grid":[[0]]}'.encode("utf-16-le"), "bad_json", "UTF-16"),
        ("3", "not_an_object", "the request is 3, not an object with a grid"),
        ("null", "not_an_object", "the request is null"),
        ('"grid"', "not_an_object", 'the request is "grid"'),
        ("[[0,0]]", "not_an_object", "the request is [[0,0]]"),
        ("{}", "missing_grid", 'the request has no "grid"; its keys are []'),
        ('{"Grid":[[0]]}', "missing_grid", 'its keys are ["Grid"]'),
        ('{"grid":null}', "bad_grid", "grid is null, not a list of columns"),
        ('{"grid":"000"}', "bad_grid", 'grid is "000", not a list of columns'),
        ('{"grid":{"0":[0]}}', "bad_grid", 'grid is {"0":[0]}, not a list of columns'),
        ('{"grid":[[0],7]}', "bad_grid", "grid[1] is 7, not a list of cells"),
        ('{"grid":[]}', "empty_grid", "grid is empty; it needs at least one column"),
        ('{"grid":[[],[]]}', "empty_grid", "grid[0] is empty; a column needs at least one cell"),
        ('{"grid":[[0,0],[0]]}', "ragged_grid", "grid[1] has 1 cells, grid[0] has 2"),
        ('{"grid":[[0,0],[0,3]]}', "bad_cell", "grid[1][1] is 3; a cell is the integer 0, 1 or 2"),
        ('{"grid":[[0,0],[-1,0]]}', "bad_cell", "grid[1][0] is -1"),
        ('{"grid":[[0,true]]}', "bad_cell", "grid[0][1] is true"),
        ('{"grid":[[0,1.0]]}', "bad_cell", "grid[0][1] is 1.0"),
        ('{"grid":[[0,"1"]]}', "bad_cell", 'grid[0][1] is "1"'),
        ('{"grid":[[0,null]]}', "bad_cell", "grid[0][1] is null"),
        ('{"grid":[[0,[1]]]}', "bad_cell", "grid[0][1] is [1]"),
        ('{"grid":[[0,99999999999999999999999999]]}', "bad_cell", "grid[0][1] is 1e"),
        ('{"grid":[[0,0],[2,0]]}', "floating_disc", "grid[1][0] is 2, a disc of player 2, but grid[1][1] below"),
        ('{"grid":[[1,2],[2,1]]}', "board_full", "the board is full: all 4 cells of grid hold discs"),
        ('{"grid":' + json.dumps([[0]] * 101) + "}", "board_too_large", "grid is 101 columns wide"),
        ('{"grid":' + json.dumps([[0] * 101]) + "}", "board_too_large", "101 rows high"),
    ],
)
def test_every_error_has_its_code_and_names_place_and_value(document: str | bytes, code: str, message: str) -> None:
    error = failure(document)
    assert error.code == code
    assert message in str(error)
    assert len(str(error)) < 300


def test_bad_json_is_explained_with_the_whole_reason() -> None:
    document = b'{"grid" [[0]]}'
    with pytest.raises(orjson.JSONDecodeError) as caught:
        orjson.loads(document)
    assert f"({caught.value.msg})" in str(failure(document))


def test_the_codes_are_a_closed_set_each_with_one_cause() -> None:
    assert protocol.ERROR_CODES == (
        "bad_json",
        "line_too_long",
        "not_an_object",
        "missing_grid",
        "bad_grid",
        "empty_grid",
        "ragged_grid",
        "bad_cell",
        "floating_disc",
        "board_too_large",
        "board_full",
    )


def test_a_long_value_is_cut_in_the_message() -> None:
    assert str(failure('"' + "x" * 5000 + '"')) == f'the request is "{"x" * 56}..., not an object with a grid'


@pytest.mark.parametrize(
    "document",
    [
        b'\xef\xbb\xbf{"grid":[[0,0]]}',
        b'{"grid":[[0,0]]}\r',
        b' { "grid" : [ [ 0 , 0 ] ] }\t',
        b'{"grid":[[0,0]],"game":"g1","state":{"deep":[1,2]},"time":1e5}',
        b'{"grid":[[9]],"grid":[[0,0]]}',
    ],
    ids=["byte order mark", "CRLF", "blanks", "unknown keys", "the last of two equal keys"],
)
def test_what_managers_may_send_is_read_without_a_warning(document: bytes) -> None:
    assert read_question(document) == protocol.Question(Position(1, 2), ())


@pytest.mark.parametrize("player", [0, 3, -1, 1.0, "1", True, None, [1], {}, 2**70])
def test_a_player_other_than_1_or_2_is_a_warning_and_found_from_the_counts(player: object) -> None:
    asked = question(grid=[[0, 1]], player=player)
    assert asked.position.player == 2
    assert len(asked.warnings) == 1
    assert asked.warnings[0].startswith("player is ")
    assert "not 1 or 2" in asked.warnings[0]


@pytest.mark.parametrize("key", ["player", "width", "height"])
def test_a_deeply_nested_value_is_a_warning_too(key: str) -> None:
    document = '{"grid":[[0,1]],"' + key + '":' + "[" * 1000 + "]" * 1000 + "}"
    asked = read_question(document.encode())
    assert asked.position == Position(1, 2, player=1).play(0)
    assert [warning.partition(",")[0] for warning in asked.warnings] == [f"{key} is a deeply nested value"]


@pytest.mark.parametrize("size", [0, 6, 8, -7, 7.0, "7", True, [7], 1e9])
def test_a_width_that_disagrees_with_the_grid_is_a_warning_and_the_grid_counts(size: object) -> None:
    asked = question(grid=EMPTY_GRID, width=size, height=6, player=1)
    assert asked.position == Position()
    assert asked.warnings == (f"width is {protocol.shown(size)}, but the grid has 7: the grid counts",)


@pytest.mark.parametrize("size", [0, 7, 5, -6, 6.0, "6", True, [6]])
def test_a_height_that_disagrees_with_the_grid_is_a_warning_and_the_grid_counts(size: object) -> None:
    asked = question(grid=EMPTY_GRID, width=7, height=size, player=1)
    assert asked.position == Position()
    assert asked.warnings == (f"height is {protocol.shown(size)}, but the grid has 6: the grid counts",)


def test_both_sizes_wrong_are_two_warnings() -> None:
    assert len(question(grid=EMPTY_GRID, width=8, height=7, player=1).warnings) == 2


def test_height_lists_of_width_cells_are_read_as_rows_with_a_warning() -> None:
    rows = [[0] * 7 for _ in range(6)]
    rows[5][6] = 1
    asked = question(grid=rows, height=6, width=7, player=2)
    assert asked.position == Position(player=1).play(6)
    assert asked.warnings == ("the grid is 6 lists of 7 cells: read as rows, not columns",)


def test_rows_are_recognised_by_the_command_lines_sizes_too() -> None:
    rows = [[0] * 7 for _ in range(6)]
    asked = read_question(json.dumps({"grid": rows}).encode(), Stated(width=7, height=6))
    assert (asked.position.width, asked.position.height) == (7, 6)


def test_a_square_board_is_always_read_as_columns() -> None:
    grid = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0]]
    asked = question(grid=grid, height=4, width=4, player=1)
    assert asked == protocol.Question(Position.from_grid(grid), ())


def test_without_sizes_lists_are_columns() -> None:
    position = question(grid=[[0] * 7 for _ in range(6)]).position
    assert (position.width, position.height) == (6, 7)


@pytest.mark.parametrize(("grid", "player"), [(EMPTY_GRID, 1), ([[0, 1]], 2), ([[0, 2]], 1), ([[1, 2], [0, 1]], 2)])
def test_a_missing_player_is_the_one_with_fewer_discs(grid: Grid, player: int) -> None:
    assert question(grid=grid) == protocol.Question(Position.from_grid(grid, player), ())


@pytest.mark.parametrize("player", [1, 2])
def test_either_player_may_move_first(player: int) -> None:
    assert question(grid=EMPTY_GRID, player=player) == protocol.Question(Position(player=player), ())


def test_the_request_wins_over_the_command_line() -> None:
    document = json.dumps({"grid": EMPTY_GRID, "height": 6, "width": 7, "player": 2}).encode()
    assert read_question(document, Stated(player=1, width=9, height=9)) == protocol.Question(Position(player=2), ())


def test_the_command_line_says_what_the_request_leaves_out() -> None:
    document = json.dumps({"grid": EMPTY_GRID}).encode()
    assert read_question(document, Stated(player=2, width=7, height=6)) == protocol.Question(Position(player=2), ())


def test_a_bad_player_in_the_request_leaves_it_to_the_command_line() -> None:
    document = json.dumps({"grid": EMPTY_GRID, "player": 5}).encode()
    assert read_question(document, Stated(player=2)).position.player == 2


def test_a_command_line_size_that_disagrees_is_a_warning() -> None:
    asked = read_question(json.dumps({"grid": EMPTY_GRID}).encode(), Stated(width=8, height=7))
    assert asked.warnings == (
        "--width is 8, but the grid has 7: the grid counts",
        "--height is 7, but the grid has 6: the grid counts",
    )


@pytest.mark.parametrize(
    ("grid", "player"), [([[0, 1, 1]], 2), ([[0, 1, 1]], 1), ([[0, 0, 1]], 1), ([[2, 2], [0, 2]], 1)]
)
def test_odd_disc_counts_are_a_warning(grid: Grid, player: int) -> None:
    asked = question(grid=grid, player=player)
    assert asked.position == Position.from_grid(grid, player)
    assert [warning.partition(":")[0] for warning in asked.warnings] == ["odd disc counts"]


def test_a_board_on_which_somebody_has_won_is_a_warning() -> None:
    asked = question(grid=[[0, 1, 1, 1, 1], [0, 0, 2, 2, 2]], player=2)
    assert asked.warnings == ("the game is over: player 1 has four in a row",)


def test_a_reply_is_one_line_with_an_integer() -> None:
    assert protocol.encode(protocol.MoveReply(move=3)) == b'{"move":3}\n'


def test_an_explained_reply_has_its_keys_in_the_documented_order() -> None:
    reply = protocol.ExplainedReply(move=3, score=12, exact=False, depth=8, nodes=4711, elapsed_ms=2.5, line=[3, 3, 2])
    assert protocol.encode(reply) == (
        b'{"move":3,"score":12,"exact":false,"depth":8,"nodes":4711,"elapsed_ms":2.5,"line":[3,3,2]}\n'
    )


def test_an_error_reply_has_the_message_and_the_code() -> None:
    reply = protocol.error_reply(errors.EmptyGridError("grid is empty"))
    assert protocol.encode(reply) == b'{"error":"grid is empty","code":"empty_grid"}\n'


@pytest.mark.parametrize("text", ["0", "3", "-1", "x", "", None, "1.0", "9" * 5000])
def test_a_command_line_player_other_than_1_or_2_says_nothing(text: str | None) -> None:
    assert protocol.check_stated("player", text) is None


@pytest.mark.parametrize(("text", "size"), [("1", 1), ("7", 7), ("100", 100), ("101", None), ("0", None)])
def test_a_command_line_size_is_one_that_a_board_can_have(text: str, size: int | None) -> None:
    assert protocol.check_stated("width", text) == size


def test_a_move_string_becomes_the_request_for_its_position() -> None:
    document = protocol.document_of("4453", Stated(player=2, width=8, height=7))
    assert read_question(document).position == Position.from_moves("4453", 8, 7, 2)
