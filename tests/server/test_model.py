"""The model of a request: it defines the documented form; the short cut and the readings agree with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.rules.position import Position
from connect4_agent.server.model import RequestModel, read_documented
from connect4_agent.server.plain import read_plain
from connect4_agent.server.request import CommandLineDefaults, Request
from connect4_agent.server.understand import read_request, read_strictly
from tests.boards import Grid, settled_grids
from tests.effort import examples
from tests.server.requests import line_of

GRID: Grid = [[0, 0, 1], [0, 0, 0], [0, 2, 1], [0, 0, 0]]
DOCUMENTED: dict[str, Any] = {"grid": GRID, "height": 3, "width": 4, "player": 2}

odd_cells = st.one_of(
    st.integers(-1, 3), st.booleans(), st.floats(0, 2), st.none(), st.just("1"), st.just([]), st.just({})
)
odd_columns = st.one_of(st.lists(odd_cells, max_size=4), st.lists(st.integers(0, 2), max_size=4), odd_cells)
odd_fields = st.one_of(odd_cells, st.integers(1, 9))


@st.composite
def nearly_documented(draw: st.DrawFn) -> dict[str, Any]:
    """A documented request with any of its keys but the grid left out, and at most one odd thing about it."""
    grid: list[Any] = draw(settled_grids(5))
    stated = {"width": len(grid), "height": len(grid[0]), "player": draw(st.sampled_from((1, 2)))}
    kept = draw(st.sampled_from((set(stated), set(stated), set(), {"player"}, {"width", "height"}, {"width"})))
    request: dict[str, Any] = {"grid": grid} | {key: stated[key] for key in kept}
    what = draw(st.sampled_from(("nothing", "nothing", "cell", "key", "key", "line")))
    if what == "cell":
        column, row = draw(st.integers(0, len(grid) - 1)), draw(st.integers(0, len(grid[0]) - 1))
        grid[column][row] = draw(odd_cells)
    elif what == "key":
        key = draw(st.sampled_from(("width", "height", "player", "Player", "other")))
        request[key] = draw(st.one_of(st.integers(1, 3), odd_fields))
    elif what == "line":
        grid[draw(st.integers(0, len(grid) - 1))] = draw(odd_columns)
    return request


defaults = st.builds(
    CommandLineDefaults,
    st.sampled_from((None, None, 1, 2)),
    st.none() | st.integers(1, 5),
    st.none() | st.integers(1, 5),
)


def outcome(read: Callable[[], Request]) -> Request | str:
    """What reading gives: a request, or the code of the error."""
    try:
        return read()
    except errors.RequestError as error:
        return error.code


def test_the_model_makes_the_position() -> None:
    assert RequestModel.model_validate(DOCUMENTED).position == Position.from_grid(GRID, 2)


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"grid": None}, "bad_grid", "grid is null, not a list of columns"),
        ({"grid": [[0, 0, 1], 3]}, "bad_grid", "grid[1] is 3, not a list of cells"),
        ({"grid": [[0, 0, 3]]}, "bad_cell", "grid[0][2] is 3; a cell is the integer 0, 1 or 2"),
        ({"grid": [[0, 0, 1.0]]}, "bad_cell", "grid[0][2] is 1.0"),
        ({"grid": [[0, 0, True]]}, "bad_cell", "grid[0][2] is true"),
        ({"grid": [[0, 0, "1"]]}, "bad_cell", 'grid[0][2] is "1"'),
        ({"grid": []}, "empty_grid", "grid is empty"),
        ({"grid": [[0, 0, 1], [0, 0]]}, "ragged_grid", "grid[1] has 2 cells, grid[0] has 3"),
        ({"grid": [[0] * 3] * 3}, "bad_size", "grid is 3 lists of 3 cells; width and height ask for 4 columns of 3"),
        ({"grid": [[0] * 4] * 3}, "bad_size", "grid is 3 lists of 4 cells"),
        ({"grid": [[0, 1, 0], *GRID[1:]]}, "floating_disc", "grid[0][1] is 1, a disc of player 1, but grid[0][2]"),
        ({"height": 3.0}, "bad_size", "height is 3.0; allowed is an integer from 1 to 100"),
        ({"width": "4"}, "bad_size", 'width is "4"'),
        ({"width": 0}, "bad_size", "width is 0"),
        ({"width": 101}, "bad_size", "width is 101"),
        ({"height": None}, "bad_size", "height is null"),
        ({"player": 0}, "bad_player", "player is 0; allowed are the integers 1 and 2"),
        ({"player": True}, "bad_player", "player is true"),
        ({"player": 1.0}, "bad_player", "player is 1.0"),
        ({"game": 7}, "unknown_key", '"game" is not a key of a request; allowed are grid, height, width, player'),
        ({"grid": [[1, 2, 1], [2, 1, 2], [1, 2, 1], [2, 1, 2]]}, "board_full", "the board is full"),
    ],
)
def test_a_strict_server_says_what_was_expected_and_what_came(change: dict[str, object], code: str, said: str) -> None:
    with pytest.raises(errors.RequestError) as caught:
        read_strictly(json.dumps(DOCUMENTED | change).encode())
    assert (caught.value.code, said in str(caught.value)) == (code, True), str(caught.value)


@pytest.mark.parametrize("key", DOCUMENTED)
def test_a_key_that_is_missing_comes_from_the_command_line_or_is_an_error(key: str) -> None:
    line = json.dumps({name: value for name, value in DOCUMENTED.items() if name != key}).encode()
    code = "missing_grid" if key == "grid" else "missing_key"
    assert outcome(lambda: read_strictly(line)) == code
    stated = CommandLineDefaults(player=2, width=4, height=3)
    assert outcome(lambda: read_strictly(line, stated)) == (
        code if key == "grid" else Request(Position.from_grid(GRID, 2))
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\xef\xbb\xbf" + json.dumps(DOCUMENTED).encode(), "bad_json"),
        (json.dumps(DOCUMENTED, indent=1).encode(), "bad_json"),
        (json.dumps(DOCUMENTED | {"x": float("nan")}).encode(), "bad_json"),
        (json.dumps(DOCUMENTED).encode() * 2, "bad_json"),
        (json.dumps(GRID).encode(), "not_an_object"),
        (b" " * (1 << 20) + b"{}", "line_too_long"),
    ],
)
def test_a_strict_server_reads_one_document_of_one_line(line: bytes, code: str) -> None:
    assert outcome(lambda: read_strictly(line)) == code


def test_odd_counts_and_a_won_board_are_answered_by_a_strict_server_too() -> None:
    won = Position.from_grid([[0, 1, 1, 1, 1], [0, 0, 0, 1, 1]], 1)
    assert [warning.kind for warning in read_strictly(line_of(won)).warnings] == ["over", "counts"]


def read_or_none(read: Callable[[dict[str, Any], CommandLineDefaults], Request | None], *what: Any) -> Request | None:
    try:
        return read(*what)
    except errors.RequestError:
        return None


@examples(1000)
@given(nearly_documented(), defaults)
def test_what_the_short_cut_accepts_the_model_accepts_with_an_equal_position(
    value: dict[str, Any], stated: CommandLineDefaults
) -> None:
    request = read_or_none(read_plain, value, stated)
    assume(request is not None)
    assert request is not None
    position = request.position
    derived = {"height": position.height, "width": position.width, "player": position.player}
    said = {key: number for key, number in stated._asdict().items() if number is not None} | value
    document = {key: said.get(key, derived.get(key)) for key in DOCUMENTED}
    assert RequestModel.model_validate(document).position == position


@examples(1000)
@given(nearly_documented(), defaults)
def test_what_the_model_accepts_the_short_cut_accepts_with_an_equal_position(
    value: dict[str, Any], stated: CommandLineDefaults
) -> None:
    request = read_or_none(read_documented, value, stated)
    assume(request is not None)
    assert read_plain(value, stated) == request
    assert read_request(json.dumps(value).encode(), stated) == request


@given(nearly_documented(), defaults)
def test_without_the_short_cut_every_line_is_read_the_same(value: dict[str, Any], stated: CommandLineDefaults) -> None:
    line = json.dumps(value).encode()
    with_it = outcome(lambda: read_request(line, stated))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("connect4_agent.server.understand.read_plain", lambda *_: None)
        without = outcome(lambda: read_request(line, stated))
    if isinstance(with_it, Request) and isinstance(without, Request):
        assert without.position == with_it.position
    else:
        assert without == with_it
