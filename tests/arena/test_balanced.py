"""Balanced openings: all drawn positions, each by moves that lead there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.arena.openings import balanced_openings, columns_to, drawn_positions, make_openings
from connect4_agent.engine.book.files import EMPTY_BOOK, book_for
from connect4_agent.engine.engine import Engine
from connect4_agent.rules.position import Position
from tests.arena.helping import position_after
from tests.boards import games
from tests.effort import examples

pytestmark = pytest.mark.slow

KNOWN = [
    (1, 2, 1),
    (2, 12, 6),
    (3, 58, 29),
    (4, 200, 101),
    (5, 697, 349),
    (6, 1943, 972),
    (7, 5944, 2973),
    (8, 14676, 7344),
]
"""Plies, the positions that can be reached and are drawn, and the same with mirror images once."""


@pytest.mark.parametrize(("plies", "all_count", "count"), KNOWN)
def test_the_drawn_positions_are_as_many_as_is_known(plies: int, all_count: int, count: int) -> None:
    positions = drawn_positions(range(plies, plies + 1), book_for(7, 6))
    assert len(positions) == count
    assert len({key for each in positions for key in (each.key, each.mirrored().key)}) == all_count
    assert len({each.canonical().key for each in positions}) == count


@pytest.mark.needs("compiled")
def test_the_solver_says_of_some_that_they_are_drawn() -> None:
    engine = Engine(7, 6, book=EMPTY_BOOK)
    positions = drawn_positions(range(8, 9), book_for(7, 6))
    assert [engine.score(position) for position in positions[::1500]] == [0] * 5


@given(st.sampled_from([1, 2, 4, 6, 8]), st.integers())
@examples(10)
@pytest.mark.slow
def test_openings_lead_to_drawn_positions_with_nobody_having_won(plies: int, seed: int) -> None:
    openings = balanced_openings(range(plies, plies + 1), seed, 7, 6)
    assert openings == balanced_openings(range(plies, plies + 1), seed, 7, 6)
    for opening in openings[:5]:
        position = position_after(opening)
        assert (position.disc_count, position.is_over, position.winning_columns()) == (plies, False, [])
        assert book_for(7, 6).score(position.own, position.opponent) == 0


def test_all_come_once_in_an_order_of_the_seed() -> None:
    openings = balanced_openings(range(4, 5), 3, 7, 6)
    keys = [position_after(opening).canonical().key for opening in openings]
    assert len(set(keys)) == len(keys) == 101
    other = balanced_openings(range(4, 5), 4, 7, 6)
    assert other != openings
    assert set(other) == set(openings)


def test_lengths_may_be_mixed() -> None:
    lengths = [len(opening) for opening in make_openings("balanced:2-4", 0, 7, 6)]
    assert lengths[:18] == [2, 3, 4] * 6
    assert set(lengths[18:]) == {3, 4}  # no more than 6 positions of two discs are drawn
    assert make_openings("balanced", 0, 7, 6) == make_openings("balanced:4", 0, 7, 6)


@pytest.mark.parametrize(
    ("source", "width", "complaint"),
    [
        ("balanced:0", 7, "there are no balanced openings of 0 plies"),
        (
            "balanced:9",
            7,
            "balanced:9 on 7 columns and 6 rows; those of up to 8 plies are known: use random:9 or a file",
        ),
        (
            "balanced:1-2",
            9,
            "balanced:1-2 on 9 columns and 6 rows; there is no book for them: use random:1-2 or a file",
        ),
        ("balanced:x", 7, "openings is 'balanced:x'; allowed after balanced: is a number of plies"),
    ],
)
def test_what_is_not_there_is_refused(source: str, width: int, complaint: str) -> None:
    with pytest.raises(errors.ArenaError, match=complaint):
        make_openings(source, 0, width, 6)


@given(games(most_plies=20))
@examples(50)
def test_moves_are_found_to_whatever_was_reached(played: list[Position]) -> None:
    reached = played[-1] if played[-1].winner is None else played[-2]
    found = position_after(columns_to(reached), reached.width, reached.height)
    assert (found.own, found.opponent) == (reached.own, reached.opponent)


def test_no_moves_lead_to_what_cannot_be_reached() -> None:
    impossible = Position(7, 6, 1, discs_1=0b110, discs_2=0b001 | 1 << 7)  # player 1 began, but above discs alone
    with pytest.raises(errors.ArenaError, match="no moves lead"):
        columns_to(impossible)
