"""Positions as planes: read and given back, in PettingZoo's layout, with errors that name the cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from connect4_agent import errors
from connect4_agent.drawing.planes import planes, position_from_planes
from connect4_agent.rules.position import Position
from tests.boards import games
from tests.processes import output_of


@given(games())
def test_planes_read_and_given_back_are_the_same(played: list[Position]) -> None:
    for position in played[-3:]:
        found = planes(position)
        assert found.dtype == np.int8
        assert found.shape == (position.height, position.width, 2)
        assert position_from_planes(found, position.player) == position


@given(games())
def test_cells_are_where_the_grid_has_them(played: list[Position]) -> None:
    position = played[-1]
    rows = np.array(position.grid()).T
    found = planes(position)
    assert (found[..., 0] == (rows == position.player)).all()
    assert (found[..., 1] == (rows == 3 - position.player)).all()


@pytest.mark.parametrize("moves", ["", "4", "4455", "445561"])
def test_the_player_who_began_is_player_1_as_in_pettingzoo(moves: str) -> None:
    position = Position.from_moves(moves)
    assert position_from_planes(planes(position)) == position
    assert position_from_planes(planes(position).astype(float).tolist()) == position


def planes_with(*cells: tuple[int, int, int], value: int = 1) -> Any:
    planes = np.zeros((6, 7, 2), np.int8)
    for cell in cells:
        planes[cell] = value
    return planes


@pytest.mark.parametrize(
    ("planes", "message"),
    [
        (
            np.zeros((2, 6, 7)),
            "planes is an array of float64 with shape (2, 6, 7); allowed is an array of 0 and 1 with",
        ),
        ("4455", "planes is an array of <U4 with shape ()"),
        ([[1], [1, 2]], "planes has rows of different lengths"),
        (planes_with((5, 3, 0), value=2), "planes[5, 3, 0] is 2; allowed is an array of 0 and 1"),
        (planes_with((5, 3, 0), (5, 3, 1)), "planes[5, 3] is 1 for both players; a cell has one disc at most"),
    ],
)
def test_other_arrays_are_refused(planes: Any, message: str) -> None:
    with pytest.raises(errors.BadValueError) as caught:
        position_from_planes(planes)
    assert message in str(caught.value)


def test_a_floating_disc_is_refused() -> None:
    with pytest.raises(errors.RequestError, match="is empty"):
        position_from_planes(planes_with((3, 3, 0)))


@pytest.mark.parametrize("call", ["planes(Position())", "position_from_planes([])"])
def test_without_numpy_the_error_says_how_to_install_it(call: str) -> None:
    program = (
        "import sys\nsys.modules['numpy'] = None\nfrom connect4_agent import *\n"
        f"try:\n    {call}\nexcept ImportError as error:\n    print(error)"
    )
    name = call.partition("(")[0]
    assert (
        output_of(program) == f"{name} needs NumPy, which the extra data installs: pip install 'connect4-agent[data]'"
    )
