"""Four in a row on bare bits, against the plainest form of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given

from connect4_agent.engine.kernel import fours, word
from connect4_agent.rules import geometry
from connect4_agent.rules.geometry import board_cells, bottom_cells, stride_of
from tests.boards import Grid, naive_four, settled_grids
from tests.brute_force import lines_by_cell
from tests.effort import examples


def bits_of(grid: Grid, player: int) -> int:
    stride = stride_of(len(grid[0]))
    return sum(
        1 << column * stride + row
        for column, cells in enumerate(grid)
        for row, cell in enumerate(reversed(cells))
        if cell == player
    )


@pytest.mark.parametrize(("width", "height"), [(7, 6), (4, 4), (9, 3), (3, 9), (1, 5)])
def test_each_line_of_four_is_a_four_and_each_three_of_it_threaten_the_fourth(width: int, height: int) -> None:
    stride = geometry.line_stride(width, height)
    for cell, others in lines_by_cell(width, height).items():
        for three in others:
            line = cell | three
            assert fours.has_four(line, stride)
            assert not fours.has_four(three, stride)
            is_upright = line == (line & -line) * 0b1111
            assert fours.has_four_across(line, stride_of(height)) != is_upright
            if not is_upright or cell > three:  # upright, the empty cell is the highest
                assert fours.threats(three, stride) & cell


@given(settled_grids())
@examples(400)
def test_fours_and_threats_are_found_nowhere_else(grid: Grid) -> None:
    width, height = len(grid), len(grid[0])
    stride = geometry.line_stride(width, height)
    own = bits_of(grid, 1)
    assert fours.has_four(own, stride) == naive_four(grid, 1)
    if not naive_four(grid, 1):
        threats, empty = fours.threats(own, stride), board_cells(width, height) & ~(own | bits_of(grid, 2))
        for bit in range(empty.bit_length()):
            if empty >> bit & 1:
                assert threats >> bit & 1 == fours.has_four(own | 1 << bit, stride)


@given(settled_grids(most_side=7))
@examples(100)
def test_moves_are_stored_from_their_place_on_with_the_threats_after_them(grid: Grid) -> None:
    width, height = len(grid), len(grid[0])
    own, occupied = bits_of(grid, 1), bits_of(grid, 1) | bits_of(grid, 2)
    playable = occupied + bottom_cells(width, height) & board_cells(width, height)
    begin = 3
    moves, found = [0] * (begin + width), [0] * (begin + width)
    end = fours.moves_with_threats(own, playable, moves, found, begin, stride_of(height))
    assert moves[begin:end] == [1 << bit for bit in range(playable.bit_length()) if playable >> bit & 1]
    assert found[begin:end] == [fours.threats(own | move, stride_of(height)) for move in moves[begin:end]]
    assert word.parity(playable) == (end - begin) % 2
