"""What managers send in other forms than the documented one, and how it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.engine.players.player import Choice
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from connect4_agent.server.request import CommandLineDefaults, make_request
from connect4_agent.server.understand import read_request
from tests.boards import Grid, unfinished
from tests.connections import Script
from tests.effort import examples
from tests.server.requests import ORDERS
from tests.server.scripts import Remembering, served

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
ROWS = re.findall(r"^\| (.*) \| (`.*`) \| (`.*`) \|$", PAGE.read_text(), re.MULTILINE)

BACK: dict[str, Callable[[Grid], Grid]] = {
    **ORDERS,
    "rows from the bottom": lambda rows: [list(column) for column in zip(*rows[::-1], strict=True)],
}
"""How the columns from the top are found again."""


def asked(data: bytes) -> tuple[list[Position], Script]:
    """The positions that a server makes of its input."""
    player = Remembering()
    connection = served(player, data)
    return player.positions, connection


def code(request: object) -> str:
    with pytest.raises(errors.RequestError) as caught:
        read_request(json.dumps(request).encode())
    return caught.value.code


@pytest.mark.parametrize(("what", "example", "read"), ROWS)
def test_every_row_of_the_documented_table(what: str, example: str, read: str) -> None:
    expected = [read_request(plain.encode()).position for plain in re.findall("`(.*?)`", read)]
    text = example.strip("`").replace("⏎", "\n")
    data = re.sub(rb"\\x([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), (text + "\n").encode())
    positions, connection = asked(data)
    assert positions == expected
    assert len(connection.answers) == len(expected)
    assert bool(connection.notes) == what.startswith("*")
    assert all(note.startswith("warning: ") for note in connection.notes)


def test_the_documented_table_is_found() -> None:
    assert len(ROWS) > 20


@pytest.mark.parametrize("line", [b'{"grid":[[0,0],[0,0]],"height":"2"}', b'{"grid":[[0,0]],"width":1.0,"height":2e0}'])
def test_a_size_as_text_is_not_told_to_differ_from_the_same_size(line: bytes) -> None:
    (warning, *_) = read_request(line).warnings
    assert "read as" in warning.text
    assert "but the grid has" not in warning.text


@pytest.mark.parametrize("cell", [True, False, 0.5, 3, -2, "3", "true", "x", "nan", [], {}, 1e30, "1e400"])
def test_other_cells_are_refused(cell: object) -> None:
    assert code({"grid": [[0, cell]]}) == "bad_cell"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", '"\\xff"'])
def test_what_is_not_json_does_matter_in_a_cell(value: str) -> None:
    document = ('{"grid":[[0,' + value + "]]}").encode().replace(b"\\xff", b"\xff")
    with pytest.raises(errors.RequestError) as caught:
        read_request(document)
    assert caught.value.code == "bad_cell"


@pytest.mark.parametrize("value", ["1" + "0" * 400, "-1e400", '"\\ud800"', "[NaN]"])
@pytest.mark.parametrize("key", ["score", "player", "height"])
def test_what_is_not_quite_json_does_not_matter_elsewhere(key: str, value: str) -> None:
    request = read_request(('{"grid":[[0,1],[0,0]],"' + key + '":' + value + "}").encode())
    assert request.position == Position.from_grid([[0, 1], [0, 0]])
    assert all("cannot be quoted" not in oddity.text for oddity in request.warnings)


def test_no_legal_order_is_the_error_of_the_documented_one() -> None:
    assert code({"grid": [[0, 0, 0], [0, 2, 0], [0, 0, 0]]}) == "floating_disc"


@pytest.mark.parametrize(
    ("sent", "columns"),
    [
        ([[2, 0]], [[2], [0]]),
        ([[0, 2], [0, 0]], [[0, 2], [0, 0]]),
        ([[0, 0], [2, 0]], [[0, 2], [0, 0]]),
        ([[1, 0], [0, 0]], [[0, 1], [0, 0]]),
    ],
    ids=["rows of a line", "columns", "rows", "rows from the bottom"],
)
def test_the_most_usual_of_several_legal_orders_is_played(sent: Grid, columns: Grid) -> None:
    assert read_request(json.dumps({"grid": sent}).encode()).position == Position.from_grid(columns)


def test_sizes_leave_no_doubt_about_a_legal_square_board() -> None:
    request = read_request(b'{"grid":[[0,1],[0,2]],"width":2,"height":2}')
    assert (request.warnings, request.columns) == ((), None)


def test_sizes_written_as_text_leave_no_doubt_either() -> None:
    grid: Grid = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 2]]  # as rows, column 3 is full
    request = read_request(json.dumps({"grid": grid, "width": "4", "height": "4"}).encode())
    assert (request.position, request.columns) == (Position.from_grid(grid), None)


@pytest.mark.parametrize("player", ["2", 2.0, -1])
def test_a_player_in_another_form_is_a_warning(player: object) -> None:
    request = read_request(json.dumps({"grid": [[0, 1], [0, 0], [0, 2]], "player": player}).encode())
    assert request.position.player == 2
    assert [warning.text for warning in request.warnings] == [f"player is {json.dumps(player)}: read as 2"]


def test_without_sizes_only_columns_that_are_open_in_all_legal_orders_are_answered() -> None:
    grid: Grid = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 2]]  # as rows, column 3 is full
    request = read_request(json.dumps({"grid": grid}).encode())
    assert request.position == Position.from_grid(grid)
    assert request.columns == (0, 1, 2)
    assert [warning.kind for warning in request.warnings] == ["several orders"]
    connection = served(Stubborn(3), json.dumps({"grid": grid}).encode())
    assert connection.answers == ['{"move":1}']


class Stubborn:
    """Always plays the same column."""

    def __init__(self, column: int) -> None:
        self._column = column

    def choose(self, *_: object) -> Choice:
        return Choice(self._column)


@examples(200)
@given(unfinished(st.just((7, 6))))
def test_rows_of_the_usual_board_need_no_sizes(position: Position) -> None:
    rows = ORDERS["rows from the top"](position.grid())
    assert read_request(json.dumps({"grid": rows, "player": position.player}).encode()).position == position
    read = read_request(json.dumps({"grid": rows[::-1], "player": position.player}).encode()).position
    is_revealing = any(0 in column and column != [0] * 6 for column in position.grid())
    assert read == position or not is_revealing
    assert read.legal_columns() == position.legal_columns()


@examples(200)
@given(unfinished(st.sampled_from([(6, 6), (7, 7), (4, 5), (6, 7)])), st.sampled_from(sorted(ORDERS)), st.booleans())
def test_no_order_of_the_cells_costs_a_game(position: Position, order: str, with_sizes: bool) -> None:
    sent = ORDERS[order](position.grid())
    sizes = {"width": position.width, "height": position.height} if with_sizes else {}
    request = read_request(json.dumps({"grid": sent, **sizes}).encode())
    if order == "columns from the top" and with_sizes:
        assert request == (Position.from_grid(position.grid()), request.warnings, None)
    columns = request.columns or request.position.legal_columns()
    legal = [back(sent) for back in BACK.values()]
    legal = [grid for grid in legal if naive_legal(grid, request.position.width, request.position.height)]
    common = [column for column in columns if all(grid[column][0] == 0 for grid in legal)]
    assert columns
    assert request.columns is None or list(columns) == common


def test_without_sizes_an_order_is_recognised_by_gravity() -> None:
    position = Position.from_moves("4453")
    rows = ORDERS["rows from the bottom"](position.grid())
    assert read_request(json.dumps({"grid": rows}).encode()).position == position


def test_sizes_that_fit_no_order_do_not_hide_the_only_legal_one() -> None:
    position = Position.from_moves("4453")
    upside_down = ORDERS["columns from the bottom"](position.grid())
    assert read_request(json.dumps({"grid": upside_down, "height": 9, "width": 9}).encode()).position == position


def test_exchanged_sizes_do_not_cost_a_legal_grid_its_move() -> None:
    position = Position.from_moves("444444")
    request = {"grid": position.grid(), "height": 7, "width": 6}
    assert read_request(json.dumps(request).encode()).position == position


@pytest.mark.parametrize("moves", ["", "44444", "4453", "1234567"])
def test_42_flat_cells_are_the_usual_board_as_kaggle_writes_it(moves: str) -> None:
    position = Position.from_moves(moves)
    board = [cell for row in ORDERS["rows from the top"](position.grid()) for cell in row]
    assert read_request(json.dumps({"board": board, "mark": position.player}).encode()).position == position


@pytest.mark.parametrize(
    ("sizes", "size"),
    [
        ({}, (7, 6)),
        ({"height": 7}, (6, 7)),
        ({"width": 6}, (6, 7)),
        ({"width": 5}, (7, 6)),
        ({"width": 1}, (1, 42)),
        ({"height": 1}, (42, 1)),
        ({"height": 6, "width": 8}, (7, 6)),
        ({"height": 0, "width": 7}, (7, 6)),
        ({"height": -6, "width": -7}, (7, 6)),
    ],
)
def test_a_flat_list_of_42_cells_is_the_usual_board_unless_other_sizes_fit(
    sizes: dict[str, int], size: tuple[int, int]
) -> None:
    position = read_request(json.dumps({"grid": [0] * 42, **sizes}).encode()).position
    assert (position.width, position.height) == size


@pytest.mark.parametrize("sizes", [{}, {"height": 7}, {"height": 5, "width": 8}])
def test_a_flat_list_of_unknown_size_is_refused(sizes: dict[str, int]) -> None:
    assert code({"grid": [0] * 41, **sizes}) == "bad_grid"


def test_a_flat_list_takes_its_size_from_the_command_line_too() -> None:
    asked = read_request(b'{"grid":[0,0,0,1,0,2]}', CommandLineDefaults(width=3, height=2))
    assert asked.position == Position.from_grid([[0, 1], [0, 0], [0, 2]])


def test_the_command_line_wins_over_synonyms_but_not_over_keys_in_other_case() -> None:
    defaults = CommandLineDefaults(player=1, width=2, height=2)
    assert read_request(b'{"grid":[[0,1],[0,2]],"turn":2,"rows":9}', defaults).position.player == 1
    assert read_request(b'{"grid":[[0,1],[0,2]],"Player":2}', defaults).position.player == 2


def test_the_first_of_two_keys_in_other_case_counts() -> None:
    assert read_request(b'{"grid":[[0,1],[0,2]],"Player":2,"PLAYER":1}').position.player == 2


def test_each_kind_of_warning_is_given_once_in_a_process() -> None:
    line = b'{"grid":[[0,1.0],[0,2.0]],"player":7}\n'
    _, connection = asked(line * 3 + b'{"grid":[[0,1]],"width":5}\n' + line)
    assert [note.partition(" is ")[0] for note in connection.notes] == [
        "warning: grid[0][1]",
        "warning: the grid",
        "warning: player",
        "warning: width",
    ]


def from_flat(order: str, cells: list[int], width: int, height: int) -> Grid:
    """The columns from the top of cells that were listed in an order."""
    length = width if order.startswith("rows") else height
    return BACK[order]([cells[start : start + length] for start in range(0, len(cells), length)])


def naive_legal(grid: Grid, width: int, height: int) -> bool:
    settled = all(column == [0] * column.count(0) + [cell for cell in column if cell] for column in grid)
    return settled and (len(grid), len(grid[0])) == (width, height)


def open_columns(grid: Grid) -> list[bool]:
    return [column[0] == 0 for column in grid]


NUMBERS: dict[str, Callable[[int], Any]] = {"int": int, "float": float, "text": str}
EMPTY_SIGNS = (0, 0.0, "0", None, -0.0)
KEYS: dict[str, dict[str, str]] = {
    "documented": {},
    "other case": {"grid": "Grid", "height": "HEIGHT", "width": "Width", "player": "Player"},
    "synonyms": {"grid": "board", "height": "rows", "width": "columns", "player": "turn"},
}


@st.composite
def dialects(draw: st.DrawFn) -> tuple[bytes, Position]:
    """A request for a position in any accepted form, in which only one reading can be meant."""
    position = draw(unfinished(st.tuples(st.integers(1, 8), st.integers(1, 8))))
    width, height = position.width, position.height
    number = NUMBERS[draw(st.sampled_from(sorted(NUMBERS)))]
    empty, second = draw(st.sampled_from(EMPTY_SIGNS)), number(draw(st.sampled_from((2, -1))))
    order = draw(st.sampled_from(sorted(ORDERS)))
    sent = ORDERS[order](position.grid())
    if draw(st.booleans()):
        cells = [cell for line in sent for cell in line]
        orders = ("rows from the top", "rows from the bottom", "columns from the top", "columns from the bottom")
        legal = [from_flat(name, cells, width, height) for name in orders]
        grid: list[Any] = [(empty, number(1), second)[cell] for cell in cells]
    else:
        orders = ("columns from the top", "rows from the top", "rows from the bottom", "columns from the bottom")
        legal = [BACK[name](sent) for name in orders]
        grid = [[(empty, number(1), second)[cell] for cell in line] for line in sent]
    legal = [grid for grid in legal if naive_legal(grid, width, height)]
    assume(legal[0] == position.grid())
    is_documented = type(grid[0]) is list and order == "columns from the top"
    assume(is_documented or all(open_columns(grid) == open_columns(legal[0]) for grid in legal))
    request = {
        "grid": grid,
        "height": number(height),
        "width": number(width),
        "player": number(position.player),
        "name": draw(st.text(max_size=5)),
    }
    names = KEYS[draw(st.sampled_from(sorted(KEYS)))]
    request = {names.get(key, key): value for key, value in request.items()}
    if draw(st.booleans()):
        request["score"] = float("nan")
    text = json.dumps(request, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from((None, 1))))
    encoding = draw(st.sampled_from(("utf-8", "utf-8-sig")))
    data = (text + draw(st.sampled_from(("\n", "\r\n")))).encode(encoding)
    return data.replace(b'"name": "', b'"name": "\xff', draw(st.sampled_from((0, 1)))), position


@examples(500, HealthCheck.filter_too_much)
@given(dialects())
def test_any_legal_position_in_any_dialect_gets_the_move_of_the_plain_request(sent: tuple[bytes, Position]) -> None:
    data, position = sent
    positions, _ = asked(data)
    assert positions == [position]
    odd, plain = (served(parse_player("negamax:depth=1"), line) for line in (data, make_request(position)))
    assert odd.answers == plain.answers
