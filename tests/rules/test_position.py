"""Position: the rules, the text forms and the errors."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.rules import geometry
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.rules.position import Position
from tests.boards import Grid, games, naive_four, naive_play, settled_grids, unfinished
from tests.brute_force import lines_by_cell
from tests.effort import IS_THOROUGH, examples


@pytest.mark.slow
def test_the_distinct_positions_of_the_first_plies_are_as_many_as_is_known() -> None:
    known = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275][: None if IS_THOROUGH else 8]
    reached = {Position()}
    counts = []
    for _ in known:
        counts.append(len(reached))
        if len(counts) < len(known):
            reached = {p.play(column) for p in reached if p.winner is None for column in p.legal_columns()}
    assert counts == known


def test_all_positions_of_a_complete_game_on_a_small_board_are_as_many_as_is_known() -> None:
    reached = {Position(4, 4)}
    counts = []
    while reached:
        counts.append(len(reached))
        reached = {p.play(column) for p in reached if p.winner is None for column in p.legal_columns()}
    assert (len(counts), sum(counts)) == (17, 161_029)  # John Tromp's Connect Four Playground


@pytest.mark.parametrize("size", [(3, 3), (2, 4)])
def test_every_arrangement_of_discs_has_a_key_of_its_own(size: tuple[int, int]) -> None:
    width, height = size
    columns = [
        [0] * (height - count) + list(discs) for count in range(height + 1) for discs in product((1, 2), repeat=count)
    ]
    grids = [list(grid) for grid in product(columns, repeat=width)]
    for player in (1, 2):
        assert len({Position.from_grid(grid, player).key for grid in grids}) == len(grids)


@given(settled_grids())
def test_a_grid_read_and_given_back_is_the_same(grid: Grid) -> None:
    assert Position.from_grid(grid).grid() == grid


@given(settled_grids())
def test_rows_are_read_like_columns_turned(grid: Grid) -> None:
    rows = [list(row) for row in zip(*grid, strict=True)]
    assert Position.from_grid(rows, row_major=True) == Position.from_grid(grid)


@given(settled_grids(), st.sampled_from((1, 2)))
def test_a_drawing_read_again_is_the_same_position(grid: Grid, player: int) -> None:
    position = Position.from_grid(grid, player)
    assert Position.from_drawing(str(position), player) == position


@pytest.mark.parametrize(("width", "height"), [(7, 6), (4, 4), (9, 3), (3, 9)])
def test_each_line_of_four_is_found_and_no_three_of_its_cells(width: int, height: int) -> None:
    for cell, others in lines_by_cell(width, height).items():
        for three in others:
            assert geometry.has_four(cell | three, height + 1)
            assert not geometry.has_four(three, height + 1)


@given(settled_grids())
@examples(400)
def test_whoever_has_four_is_found_in_every_direction(grid: Grid) -> None:
    position = Position.from_grid(grid, 1)
    expected = next((player for player in (1, 2) if naive_four(grid, player)), None)
    assert position.winner == expected


@given(settled_grids())
def test_open_columns_are_those_with_an_empty_top_cell(grid: Grid) -> None:
    position = Position.from_grid(grid)
    expected = [column for column, cells in enumerate(grid) if cells[0] == 0]
    assert position.open_columns() == expected
    assert position.legal_columns() == ([] if position.winner else expected)
    assert [column for column in range(-1, position.width + 1) if position.is_open(column)] == expected
    assert position.is_full == (not expected)


@given(unfinished(), st.data())
def test_a_move_drops_one_disc_and_passes_the_turn(position: Position, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from(position.legal_columns()))
    after = position.play(column)
    assert after.grid() == naive_play(position.grid(), column, position.player)
    assert after.player == 3 - position.player
    assert after.disc_count == position.disc_count + 1


@given(games())
def test_what_a_position_remembers_is_what_a_new_one_finds(played: list[Position]) -> None:
    """A move checks nothing again, and four in a row only for the side that moved."""
    for position in played[-3:]:
        for column in position.legal_columns():
            for after in (position.drop(column), position.mirrored().drop(position.width - 1 - column)):
                anew = Position(after.width, after.height, after.player, after.discs_1, after.discs_2)
                assert (after, hash(after), after.winner) == (anew, hash(anew), anew.winner)
                assert pickle.loads(pickle.dumps(after)) == after


def test_the_fields_of_a_position_after_a_move_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        Position().play(3).player = 2  # type: ignore[misc]


@given(unfinished())
@example(Position.from_moves("112233"))
def test_winning_columns_are_those_that_make_four(position: Position) -> None:
    expected = [
        column
        for column in position.legal_columns()
        if naive_four(naive_play(position.grid(), column, position.player), position.player)
    ]
    assert position.winning_columns() == expected


@given(settled_grids())
def test_the_mirror_image_has_the_columns_in_reverse(grid: Grid) -> None:
    position = Position.from_grid(grid)
    assert position.mirrored().grid() == grid[::-1]
    assert position.mirrored().mirrored() == position


@given(settled_grids())
def test_a_predecessor_is_a_position_from_which_a_move_leads_here(grid: Grid) -> None:
    position = Position.from_grid(grid)
    for before in position.predecessors():
        assert position in [before.drop(column) for column in before.open_columns()]
    for column in position.open_columns():
        assert position in position.drop(column).predecessors()


def test_nothing_given_is_the_empty_board_of_seven_columns_and_six_rows() -> None:
    position = Position()
    assert (position.width, position.height, position.player, position.disc_count) == (7, 6, 1, 0)


def test_a_move_string_counts_columns_from_one() -> None:
    position = Position.from_moves("4453")
    assert position.drawing() == "\n".join(
        [
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . O . . .",
            ". . O X X . .",
            "1 2 3 4 5 6 7",
        ]
    )


def test_a_move_string_names_the_tenth_column_a() -> None:
    assert Position.from_moves("aA", width=10).grid()[9] == [0, 0, 0, 0, 2, 1]


def test_either_player_may_begin_a_move_string() -> None:
    assert Position.from_moves("4", player=2).grid()[3] == [0, 0, 0, 0, 0, 2]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("44x", "move 3 of '44x' is 'x'; the columns are 1 to 7"),
        ("48", "move 2 of '48' is '8'; the columns are 1 to 7"),
        ("40", "move 2 of '40' is '0'; the columns are 1 to 7"),
        ("4444444", "move 7 of '4444444': column 4 is full"),
        ("12121213", "move 8 of '12121213' comes after the end: player 1 has four in a row"),
    ],
)
def test_a_bad_move_string_names_the_move_and_what_was_allowed(moves: str, message: str) -> None:
    with pytest.raises(errors.NotationError) as caught:
        Position.from_moves(moves)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("grid", "code", "message"),
    [
        ([], "empty_grid", "grid is empty; it needs at least one column"),
        ([[], []], "empty_grid", "grid[0] is empty; a column needs at least one cell"),
        (
            [[0, 0], [0]],
            "ragged_grid",
            "grid[1] has 1 cells, grid[0] has 2; all columns must have the same length",
        ),
        (
            [[], [0]],
            "ragged_grid",
            "grid[1] has 1 cells, grid[0] has 0; all columns must have the same length",
        ),
        ([[0, 0], [0, 3]], "bad_cell", "grid[1][1] is 3; a cell is 0, 1 or 2"),
        (
            [[0, 0], [2, 0]],
            "floating_disc",
            "grid[1][0] is 2, a disc of player 2, but grid[1][1] below it is empty",
        ),
        (
            [[0]] * (LARGEST_SIDE + 1),
            "board_too_large",
            "grid is 101 columns wide and 1 rows high; the largest board is 100 by 100",
        ),
    ],
)
def test_a_bad_grid_names_the_place_and_the_value(grid: Grid, code: str, message: str) -> None:
    with pytest.raises(errors.RequestError) as caught:
        Position.from_grid(grid)
    assert (caught.value.code, str(caught.value)) == (code, message)


def test_the_place_in_a_list_of_rows_is_the_place_as_sent() -> None:
    with pytest.raises(errors.RequestError, match=r"grid\[0\]\[2\] is 1.*grid\[1\]\[2\] below"):
        Position.from_grid([[0, 0, 1], [0, 0, 0]], row_major=True)


@pytest.mark.parametrize("size", [(0, 6), (7, 0), (LARGEST_SIDE + 1, 6), (7, -1)])
def test_a_size_that_no_board_has_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(errors.BadValueError, match="allowed are 1 to 100"):
        Position(*size)


@pytest.mark.parametrize("player", [0, 3, -1])
def test_a_player_other_than_1_and_2_is_refused(player: int) -> None:
    with pytest.raises(errors.BadValueError, match=f"player is {player}; allowed are 1 and 2"):
        Position(player=player)


@pytest.mark.parametrize("size", [(1, 1), (LARGEST_SIDE, LARGEST_SIDE)])
def test_the_smallest_and_the_largest_board_can_be_played_on(size: tuple[int, int]) -> None:
    position = Position(*size).play(size[0] - 1)
    assert position.disc_count == 1
    assert Position.from_grid(position.grid()) == position


@pytest.mark.parametrize(
    ("column", "reason"), [(7, "is not on the board"), (-1, "is not on the board"), (3, "is full")]
)
def test_an_illegal_move_names_the_column_and_the_open_ones(column: int, reason: str) -> None:
    with pytest.raises(errors.IllegalMoveError) as caught:
        Position.from_moves("444444").play(column)
    assert str(caught.value) == f"column {column} {reason}; open columns are 0, 1, 2, 4, 5, 6"


@pytest.mark.parametrize(
    ("grid", "player"),
    [([[0, 0]], 1), ([[0, 1]], 2), ([[2, 1]], 1), ([[0, 2]], 1), ([[1, 1]], 2), ([[2, 2]], 1)],
)
def test_without_a_player_the_one_with_fewer_discs_is_to_move(grid: Grid, player: int) -> None:
    assert Position.from_grid(grid).player == player


def test_a_drawing_with_an_unknown_sign_is_refused() -> None:
    with pytest.raises(errors.NotationError, match=r"row 2 of the drawing has 'Z'; allowed are \., X, O"):
        Position.from_drawing(". .\nX Z")


def test_a_position_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Position().width = 8  # type: ignore[misc]  # that is the point


@given(settled_grids(), st.sampled_from((1, 2)))
def test_the_representation_is_a_call_that_makes_the_position(grid: Grid, player: int) -> None:
    position = Position.from_grid(grid, player)
    assert eval(repr(position)) == position


@pytest.mark.parametrize(
    ("position", "call"),
    [
        (Position(), "Position()"),
        (Position(9, 7, 2), "Position(width=9, height=7, player=2)"),
        (Position(4, 2).play(0), "Position.from_drawing('..../X...', player=2)"),
    ],
)
def test_the_representation_is_short_where_it_can_be(position: Position, call: str) -> None:
    assert repr(position) == call


@given(settled_grids(), st.sampled_from((1, 2)))
@examples(400)
def test_the_outcome_is_there_when_the_game_is_over_with_every_cell_of_the_winning_lines(
    grid: Grid, player: int
) -> None:
    position = Position.from_grid(grid, player)
    outcome = position.outcome
    assert (outcome is not None) == position.is_over
    if outcome is None:
        return
    assert outcome.winner == position.winner
    assert outcome.reason == ("draw" if position.winner is None else "four in a row")
    winners = {None: 0, 1: position.discs_1, 2: position.discs_2}[position.winner]
    expected = {
        cell
        for cell, others in lines_by_cell(position.width, position.height).items()
        if winners & cell and any(winners & three == three for three in others)
    }
    assert outcome.cells == tuple(sorted(divmod(cell.bit_length() - 1, position.height + 1) for cell in expected))


def test_a_line_of_five_and_a_second_line_are_all_in_the_outcome() -> None:
    position = Position.from_drawing("....O../XOX.O../XXXXXOO", player=2)
    assert position.outcome is not None
    assert position.outcome.cells == tuple((column, 0) for column in range(5))
    both = Position.from_drawing("X....../X....../X....../XXXX...", player=2)
    assert both.outcome is not None
    assert both.outcome.cells == ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0))


def test_no_column_is_legal_after_the_end_but_some_are_open() -> None:
    won = Position.from_moves("1212121")
    assert (won.legal_columns(), won.open_columns()) == ([], list(range(7)))


def test_nothing_can_be_played_after_the_end_but_a_disc_can_still_be_dropped() -> None:
    won = Position.from_moves("1212121")
    with pytest.raises(errors.GameOverError, match="column 3 cannot be played: player 1 has four in a row"):
        won.play(3)
    assert won.drop(3).disc_count == 8
    with pytest.raises(errors.IllegalMoveError, match="column 9 is not on the board"):
        won.play(9)


@pytest.mark.parametrize("column", ["3", 3.0, None, True])
def test_what_is_not_a_whole_number_cannot_be_played(column: Any) -> None:
    with pytest.raises(errors.IllegalMoveError) as caught:
        Position().play(column)
    assert str(caught.value) == f"column {column!r} is not a whole number; open columns are 0, 1, 2, 3, 4, 5, 6"


@pytest.mark.parametrize("column", [-1, 7])
def test_what_is_not_a_column_cannot_be_played(column: int) -> None:
    with pytest.raises(errors.IllegalMoveError, match=r"column .* is not on the board; open columns are 0, 1, 2"):
        Position().play(column)


@pytest.mark.parametrize(
    ("fields", "error", "words"),
    [
        ({"discs_1": 1, "discs_2": 1}, errors.BadValueError, "both players have a disc on column 0, row 0"),
        ({"discs_2": 1 << 8}, errors.BadValueError, "the disc on column 1, row 1 .* has an empty cell below it"),
        ({"discs_1": 0b111111 | 1 << 6}, errors.BadValueError, "discs_1 is 0x7f, with bits outside a board of 7x6"),
        ({"discs_1": 1 << 49}, errors.BadValueError, "with bits outside a board"),
        ({"discs_1": -1}, errors.BadValueError, "with bits outside a board"),
        ({"discs_1": "x"}, errors.BadValueError, "discs_1 is 'x'; allowed is a bit mask"),
        ({"width": "7"}, errors.BadValueError, "width is '7'; allowed are 1 to 100"),
        ({"height": 6.0}, errors.BadValueError, r"height is 6\.0; allowed are 1 to 100"),
        ({"player": 1.0}, errors.BadValueError, r"player is 1\.0; allowed are 1 and 2"),
    ],
)
def test_what_no_board_can_be_is_refused(fields: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Position(**fields)


@pytest.mark.parametrize(
    ("grid", "code"),
    [
        (5, "bad_grid"),
        ([5], "bad_grid"),
        ([[0.5]], "bad_cell"),
        ([["x"]], "bad_cell"),
        ([[1.0]], "bad_cell"),
        ([[None]], "bad_cell"),
        ({}, "empty_grid"),
    ],
)
def test_a_grid_of_something_else_is_refused(grid: Any, code: str) -> None:
    with pytest.raises(errors.RequestError) as caught:
        Position.from_grid(grid)
    assert caught.value.code == code


@pytest.mark.parametrize("text", [None, 4455, ["4"]])
def test_texts_are_texts(text: Any) -> None:
    with pytest.raises(errors.NotationError, match=r"moves is .*; allowed is a text such as '4453'"):
        Position.from_moves(text)
    with pytest.raises(errors.NotationError, match=r"the drawing is .*; allowed is a text"):
        Position.from_drawing(text)


def test_numbers_of_numpy_are_stored_as_whole_numbers() -> None:
    one, two = np.int64(9), np.int64(7)
    position = Position(one, two, np.int8(2), np.int64(1))  # type: ignore[arg-type]  # as an array gives them
    assert position == Position(9, 7, 2, 1)
    assert type(position.play(8).discs_2) is int


def test_positions_that_differ_in_one_thing_are_not_equal() -> None:
    position = Position(5, 5, 1, 1 << 6, 1 << 12)
    others = [
        Position(6, 5, 1, 1 << 6, 1 << 12),
        Position(5, 5, 2, 1 << 6, 1 << 12),
        Position(5, 5, 1, 1 << 18, 1 << 12),
        Position(5, 5, 1, 1 << 6, 1 << 18),
        Position(5, 6, 1, 0, 0),
    ]
    assert position == Position(5, 5, 1, 1 << 6, 1 << 12)
    assert [each for each in [*others, "position"] if each == position] == []
    assert Position(5, 5) not in [Position(5, 6), Position(6, 5)]


@pytest.mark.parametrize(("width", "last"), [(35, "y z"), (36, ". .")])
def test_columns_are_numbered_below_a_drawing_if_they_all_have_a_sign(width: int, last: str) -> None:
    position = Position(width, 2)
    assert position.drawing().endswith(last)
    assert Position.from_drawing(position.drawing()) == position
