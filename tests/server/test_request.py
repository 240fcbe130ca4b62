"""From a line to a request: what is an error, what is a warning, and what each says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.rules.position import Position
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.request import CommandLineDefaults, Request, check_default, make_request
from connect4_agent.server.understand import read_request, read_strictly
from connect4_agent.text import short_json
from tests.boards import Grid, settled_grids

EMPTY_GRID = [[0] * 6 for _ in range(7)]


def question(**request: Any) -> Request:
    return read_request(json.dumps(request).encode())


def texts(asked: Request) -> tuple[str, ...]:
    return tuple(warning.text for warning in asked.warnings)


def failure(document: str | bytes) -> errors.RequestError:
    with pytest.raises(errors.RequestError) as caught:
        read_request(document.encode() if isinstance(document, str) else document)
    return caught.value


@given(settled_grids(), st.sampled_from((1, 2)))
def test_a_request_with_all_four_keys_is_read_without_a_warning_where_the_counts_fit(grid: Grid, player: int) -> None:
    position = Position.from_grid(grid, player)
    surplus = position.own.bit_count() - position.opponent.bit_count()
    if position.is_full or position.winner is not None or surplus not in (-1, 0):
        return
    asked = question(grid=grid, height=len(grid[0]), width=len(grid), player=player)
    assert asked == Request(position, ())


@pytest.mark.parametrize(
    ("document", "code", "message"),
    [
        ("hello", "bad_json", "not JSON at character 1 ("),
        ("hello", "bad_json", '): "hello"'),
        ('{"grid" [[0]]}', "bad_json", "not JSON at character 9 ("),
        ("{", "bad_json", 'not JSON at character 2 (unexpected end of data): "{"'),
        ('{"grid":[[NaN]]}', "bad_cell", "grid[0][0] is NaN; a cell is the integer 0, 1 or 2"),
        ('{"grid":[[0]],"x":' + "[" * 2000 + "]" * 2000 + "}", "bad_json", "not JSON"),
        ('{"grid":[[0]],"x":' + "9" * 5000 + "}", "bad_json", "not JSON"),
        ('{"grid":[["\\ud800\\u001b\x7f"]]}', "bad_cell", 'grid[0][0] is "\\ud800\\u001b\\x7f"; a cell'),
        ("[" * 5000, "bad_json", "not JSON"),
        ("[" * 1000 + "]" * 1000, "not_an_object", "the request is a value that cannot be quoted, not an object"),
        ('{"grid":[[0,' + "[" * 1000 + "]" * 1000 + "]]}", "bad_cell", "grid[0][1] is a value that cannot be quoted"),
        (b'{"grid":"\xff"}', "bad_grid", 'grid is "\ufffd", not a list of columns'),
        (b'{"grid":\xff}', "bad_json", "not JSON at byte 9 (invalid UTF-8)"),
        (b'{"grid":[[0]]\xe9}', "bad_json", "not JSON at byte 14 (invalid UTF-8)"),
        (
            '{"grid":[[0]]}'.encode("utf-16-le"),
            "bad_json",
            "not JSON: it begins with NUL bytes or as UTF-16; send UTF-8",
        ),
        ('{"grid":[[0'.encode("utf-16"), "bad_json", "not JSON: it begins with NUL bytes or as UTF-16"),
        ("3", "not_an_object", "the request is 3, not an object with a grid"),
        ("null", "not_an_object", "the request is null"),
        ('"grid"', "not_an_object", 'the request is "grid"'),
        ("[[0,0]]", "not_an_object", "the request is [[0,0]]"),
        ("{}", "missing_grid", 'the request has no "grid"; its keys are []'),
        ('{"Grid":[[0,3]]}', "bad_cell", "grid[0][1] is 3"),
        ('{"Grid":3}', "missing_grid", 'its keys are ["Grid"]'),
        ('{"grid":null}', "bad_grid", "grid is null, not a list of columns"),
        ('{"grid":[[0,0]]}{"grid":[[0,0]]}', "bad_json", "several objects on one line; expected is one: "),
        ('{"grid":[[0,0]]}, {"grid":[[0,0]]}', "bad_json", "not JSON at character 17"),
        ("\0", "bad_json", "it begins with NUL bytes"),
        ('{"grid":"000"}', "bad_grid", 'grid is "000", not a list of columns'),
        ('{"grid":{"0":[0]}}', "bad_grid", 'grid is {"0":[0]}, not a list of columns'),
        ('{"grid":[[0],7]}', "bad_grid", "grid[1] is 7, not a list of cells"),
        ('{"grid":[]}', "empty_grid", "grid is empty; it needs at least one column"),
        ('{"grid":[[],[]]}', "empty_grid", "grid[0] is empty; a column needs at least one cell"),
        ('{"grid":[[0,0],[0]]}', "ragged_grid", "grid[1] has 1 cells, grid[0] has 2"),
        ('{"grid":[[0,0],[0,3]]}', "bad_cell", "grid[1][1] is 3; a cell is the integer 0, 1 or 2"),
        ('{"grid":[[0,0,0],[0,-1,0],[0,0,0]]}', "floating_disc", "grid[1][1] is 2"),
        ('{"grid":[[0,0],[-2,0]]}', "bad_cell", "grid[1][0] is -2"),
        ('{"grid":[[0,true]]}', "bad_cell", "grid[0][1] is true"),
        ('{"grid":[[0,1.5]]}', "bad_cell", "grid[0][1] is 1.5"),
        ('{"grid":[[0,3.0]]}', "bad_cell", "grid[0][1] is 3.0"),
        ('{"grid":[[0,"x"]]}', "bad_cell", 'grid[0][1] is "x"'),
        ('{"grid":[[0,"true"]]}', "bad_cell", 'grid[0][1] is "true"'),
        ('{"grid":[0,0,0]}', "bad_grid", "grid[0] is 0, not a list of cells"),
        ('{"grid":[0,0,0,1],"width":3,"height":2}', "bad_grid", "grid[0] is 0, not a list of cells"),
        ('{"grid":[[0,[1]]]}', "bad_cell", "grid[0][1] is [1]"),
        ('{"grid":[[0,99999999999999999999999999]]}', "bad_cell", "grid[0][1] is 1e"),
        ('{"grid":[[0,0,0],[0,2,0],[0,0,0]]}', "floating_disc", "grid[1][1] is 2, a disc of player 2, but grid[1][2]"),
        (
            '{"grid":[[0,0,0],[0,1,0],[0,0,0],[0,0,0]],"width":3,"height":4}',
            "floating_disc",
            "grid[1][1] is 1, a disc of player 1, but grid[2][1] below it is empty",
        ),
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
    assert read_request(document) == Request(Position(1, 2), ())


@pytest.mark.parametrize("player", [0, 3, -2, 1.5, "x", "true", True, False, [1], {}, 2**70])
def test_a_player_other_than_1_or_2_is_a_warning_and_found_from_the_counts(player: object) -> None:
    asked = question(grid=[[0, 1]], player=player)
    assert asked.position.player == 2
    assert len(asked.warnings) == 1
    assert texts(asked)[0].startswith("player is ")
    assert "not 1 or 2" in texts(asked)[0]


@pytest.mark.parametrize("key", ["player", "width", "height"])
def test_a_deeply_nested_value_is_a_warning_too(key: str) -> None:
    document = '{"grid":[[0,1]],"' + key + '":' + "[" * 1000 + "]" * 1000 + "}"
    asked = read_request(document.encode())
    assert asked.position == Position(1, 2, player=1).play(0)
    assert [text.partition(",")[0] for text in texts(asked)] == [f"{key} is a value that cannot be quoted"]


@pytest.mark.parametrize("size", [0, 6, 8, -7, 7.5, "8", "x", True, [7], 1e9])
def test_a_width_that_disagrees_with_the_grid_is_a_warning_and_the_grid_counts(size: object) -> None:
    asked = question(grid=EMPTY_GRID, width=size, height=6, player=1)
    assert asked.position == Position()
    assert texts(asked) == (f"width is {short_json(size)}, but the grid has 7: using the grid",)


@pytest.mark.parametrize("size", [0, 7, 5, -6, 6.5, "5", "x", True, [6]])
def test_a_height_that_disagrees_with_the_grid_is_a_warning_and_the_grid_counts(size: object) -> None:
    asked = question(grid=EMPTY_GRID, width=7, height=size, player=1)
    assert asked.position == Position()
    assert texts(asked) == (f"height is {short_json(size)}, but the grid has 6: using the grid",)


def test_both_sizes_wrong_are_two_warnings() -> None:
    assert len(question(grid=EMPTY_GRID, width=8, height=7, player=1).warnings) == 2


def test_height_lists_of_width_cells_are_read_as_rows_with_a_warning() -> None:
    rows = [[0] * 7 for _ in range(6)]
    rows[5][6] = 1
    asked = question(grid=rows, height=6, width=7, player=2)
    assert asked.position == Position(player=1).play(6)
    assert texts(asked) == ("the grid is 6 lists of 7 cells: read as rows, the top row first",)


def test_rows_are_recognised_by_the_command_lines_sizes_too() -> None:
    rows = [[0] * 7 for _ in range(6)]
    asked = read_request(json.dumps({"grid": rows}).encode(), CommandLineDefaults(width=7, height=6))
    assert (asked.position.width, asked.position.height) == (7, 6)


def test_a_square_board_is_always_read_as_columns() -> None:
    grid = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0]]
    asked = question(grid=grid, height=4, width=4, player=1)
    assert asked == Request(Position.from_grid(grid), ())


@pytest.mark.parametrize(("lists", "cells", "size"), [(6, 7, (7, 6)), (5, 8, (5, 8)), (8, 7, (8, 7)), (7, 6, (7, 6))])
def test_without_sizes_lists_are_columns_unless_they_are_rows_of_the_usual_board(
    lists: int, cells: int, size: tuple[int, int]
) -> None:
    position = question(grid=[[0] * cells for _ in range(lists)]).position
    assert (position.width, position.height) == size


@pytest.mark.parametrize(("grid", "player"), [(EMPTY_GRID, 1), ([[0, 1]], 2), ([[0, 2]], 1), ([[1, 2], [0, 1]], 2)])
def test_a_missing_player_is_the_one_with_fewer_discs(grid: Grid, player: int) -> None:
    assert question(grid=grid) == Request(Position.from_grid(grid, player), ())


@pytest.mark.parametrize("player", [1, 2])
def test_either_player_may_move_first(player: int) -> None:
    assert question(grid=EMPTY_GRID, player=player) == Request(Position(player=player), ())


def test_the_request_wins_over_the_command_line() -> None:
    document = json.dumps({"grid": EMPTY_GRID, "height": 6, "width": 7, "player": 2}).encode()
    asked = read_request(document, CommandLineDefaults(player=1, width=9, height=9))
    assert asked == Request(Position(player=2), ())


def test_the_command_line_says_what_the_request_leaves_out() -> None:
    document = json.dumps({"grid": EMPTY_GRID}).encode()
    asked = read_request(document, CommandLineDefaults(player=2, width=7, height=6))
    assert asked == Request(Position(player=2), ())


def test_a_bad_player_in_the_request_leaves_it_to_the_command_line() -> None:
    document = json.dumps({"grid": EMPTY_GRID, "player": 5}).encode()
    assert read_request(document, CommandLineDefaults(player=2)).position.player == 2


def test_a_command_line_size_that_disagrees_is_a_warning() -> None:
    asked = read_request(json.dumps({"grid": EMPTY_GRID}).encode(), CommandLineDefaults(width=8, height=7))
    assert texts(asked) == (
        "--width is 8, but the grid has 7: using the grid",
        "--height is 7, but the grid has 6: using the grid",
    )


@pytest.mark.parametrize(
    ("grid", "player"), [([[0, 1, 1]], 2), ([[0, 1, 1]], 1), ([[0, 0, 1]], 1), ([[2, 2], [0, 2]], 1)]
)
def test_odd_disc_counts_are_a_warning(grid: Grid, player: int) -> None:
    asked = question(grid=grid, player=player)
    assert asked.position == Position.from_grid(grid, player)
    assert [text.partition(":")[0] for text in texts(asked)] == ["odd disc counts"]


def test_a_board_on_which_somebody_has_won_is_a_warning() -> None:
    asked = question(grid=[[0, 1, 1, 1, 1], [0, 0, 2, 2, 2]], player=2)
    assert texts(asked) == ("the game is over: player 1 has four in a row",)


def test_a_plainly_correct_request_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connect4_agent.server.model.read_documented", None)
    position = Position.from_moves("4453")
    assert read_request(make_request(position)).position == position
    assert read_request(make_request(position, grid_only=True)).position == position


@pytest.mark.parametrize("text", ["0", "3", "-1", "x", "", None, "1.0", "9" * 5000])
def test_a_command_line_player_other_than_1_or_2_says_nothing(text: str | None) -> None:
    assert check_default("player", text) is None


@pytest.mark.parametrize(("text", "size"), [("1", 1), ("7", 7), ("100", 100), ("101", None), ("0", None)])
def test_a_command_line_size_is_one_that_a_board_can_have(text: str, size: int | None) -> None:
    assert check_default("width", text) == size


def test_a_request_has_all_four_keys_or_the_grid_alone() -> None:
    position = Position.from_moves("445", 5, 4)
    grid = {"grid": position.grid()}
    assert json.loads(make_request(position)) == {**grid, "height": 4, "player": 2, "width": 5}
    assert json.loads(make_request(position, grid_only=True)) == grid


@pytest.mark.parametrize("read", [read_request, read_strictly])
def test_the_longest_line_is_read_and_one_more_byte_is_too_much(read: Callable[[bytes], Request]) -> None:
    longest = make_request(Position.from_moves("44")).ljust(MAX_LINE_BYTES)
    assert read(longest).position == Position.from_moves("44")
    with pytest.raises(errors.RequestError) as caught:
        read(longest + b" ")
    assert caught.value.code == "line_too_long"


def test_the_size_of_the_command_line_is_the_usual_one_where_nothing_is_said() -> None:
    assert CommandLineDefaults().size == (7, 6)
    assert CommandLineDefaults(width=5).size == (5, 6)
    assert CommandLineDefaults(height=4).size == (7, 4)


@pytest.mark.parametrize(("line", "is_utf_16"), [(b"\0", True), (b"x\0", True), (b"xy\0", False)])
def test_a_nul_among_the_first_two_bytes_counts_as_utf_16(line: bytes, is_utf_16: bool) -> None:
    assert ("UTF-16" in str(failure(line))) == is_utf_16


@pytest.mark.parametrize(
    ("sizes", "columns"), [({"width": 4}, (0, 1, 2)), ({"height": 4}, (0, 1, 2)), ({"width": 4, "height": 4}, None)]
)
def test_one_size_of_a_square_does_not_say_which_order_is_meant(
    sizes: dict[str, int], columns: tuple[int, ...] | None
) -> None:
    grid = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 2]]  # with its rows from the bottom, column 3 is full
    assert question(grid=grid, player=1, **sizes).columns == columns
