"""Four in a row on bare bits, against the plainest form of the rules."""

from __future__ import annotations

from hypothesis import given

from connect4_agent.engine.kernel import fours, word
from connect4_agent.rules.position import all_cells, bottom_row, stride_of
from tests.boards import Grid, naive_four, settled_grids
from tests.effort import examples


def bits_of(grid: Grid, player: int) -> int:
    stride = stride_of(len(grid[0]))
    return sum(
        1 << column * stride + row
        for column, cells in enumerate(grid)
        for row, cell in enumerate(reversed(cells))
        if cell == player
    )


@given(settled_grids())
@examples(100)
def test_a_four_is_seen_where_there_is_one(grid: Grid) -> None:
    assert fours.has_four(bits_of(grid, 1), stride_of(len(grid[0]))) == naive_four(grid, 1)


@given(settled_grids())
@examples(100)
def test_a_four_across_is_one_that_stays_when_no_column_is_upright(grid: Grid) -> None:
    upright = any(naive_four([cells], 1) for cells in grid)
    across = fours.has_four_across(bits_of(grid, 1), stride_of(len(grid[0])))
    assert naive_four(grid, 1) == (upright or across)


@given(settled_grids(most_side=7))
@examples(100)
def test_threats_are_the_empty_cells_that_complete_a_four(grid: Grid) -> None:
    width, height = len(grid), len(grid[0])
    stride = stride_of(height)
    if naive_four(grid, 1):
        return
    own, occupied = bits_of(grid, 1), bits_of(grid, 1) | bits_of(grid, 2)
    empty = all_cells(width, height) & ~occupied
    expected = 0
    for bit in range(width * stride):
        if empty >> bit & 1 and fours.has_four(own | 1 << bit, stride):
            expected |= 1 << bit
    assert fours.threats(own, stride) & empty == expected
    assert bottom_row(width, height) & ~all_cells(width, height) == 0


@given(settled_grids(most_side=7))
@examples(100)
def test_moves_are_stored_from_their_place_on_with_the_threats_after_them(grid: Grid) -> None:
    width, height = len(grid), len(grid[0])
    own, occupied = bits_of(grid, 1), bits_of(grid, 1) | bits_of(grid, 2)
    playable = occupied + bottom_row(width, height) & all_cells(width, height)
    begin = 3
    moves, found = [0] * (begin + width), [0] * (begin + width)
    end = fours.moves_with_threats(own, playable, moves, found, begin, stride_of(height))
    assert moves[begin:end] == [1 << bit for bit in range(playable.bit_length()) if playable >> bit & 1]
    assert found[begin:end] == [fours.threats(own | move, stride_of(height)) for move in moves[begin:end]]
    assert word.parity(playable) == (end - begin) % 2
