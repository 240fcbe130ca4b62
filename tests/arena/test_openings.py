"""Openings: legal, fair, repeatable."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.arena.openings import make_openings, random_openings, read_openings
from tests.arena.helping import position_after
from tests.effort import examples


@examples(30)
@given(plies=st.integers(0, 12), seed=st.integers(), width=st.integers(5, 9), height=st.integers(5, 9))
def test_random_openings_are_legal_and_leave_nobody_a_win(plies: int, seed: int, width: int, height: int) -> None:
    openings = random_openings(range(plies, plies + 1), 5, seed, width, height)
    assert openings == random_openings.__wrapped__(range(plies, plies + 1), 5, seed, width, height)
    for opening in openings:
        assert len(opening) == plies
        position = position_after(opening, width, height)
        assert not position.is_over
        assert not position.winning_columns()
        assert not position.passed().winning_columns()


def test_random_openings_do_not_repeat_a_position_or_its_mirror_image_while_others_are_left() -> None:
    positions = [position_after(opening) for opening in random_openings(range(4, 5), 300, 3, 7, 6)]
    assert len({min(position.key, position.mirrored().key) for position in positions}) == 300


def test_there_may_be_few_openings() -> None:
    openings = random_openings(range(1, 2), 9, 0, 7, 6)
    assert sorted(min(opening[0], 6 - opening[0]) for opening in openings) == [0, 1, 2, 3]


def test_openings_of_each_length_come_in_turn_all_to_different_positions() -> None:
    openings = make_openings("random:2-4", 1, 7, 6)
    assert [len(opening) for opening in openings[:75]] == [2, 3, 4] * 25
    assert {len(opening) for opening in openings[75:]} == {3, 4}  # no more than 25 positions have two discs
    positions = [position_after(opening) for opening in openings]
    assert len({min(position.key, position.mirrored().key) for position in positions}) == len(openings) > 300


def test_a_lone_length_draws_the_same_however_it_is_written() -> None:
    assert make_openings("random:3-3", 1, 7, 6) == make_openings("random:3", 1, 7, 6)


def test_openings_that_no_board_has_are_refused() -> None:
    with pytest.raises(errors.ArenaError, match="random:60"):
        random_openings(range(60, 61), 1, 0, 7, 6)


def test_a_file_holds_a_move_string_a_line(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# the centre\n4\n\n44 # and again\n4\n")
    assert make_openings(str(path), 0, 7, 6) == ((3,), (3, 3))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("48", "line 1: move 2 of '48' is '8'"),
        ("4\n1212121", "line 2: the game is over"),
        ("\n", "contains no opening"),
    ],
)
def test_a_bad_file_is_refused_with_the_line(text: str, complaint: str) -> None:
    with pytest.raises(errors.ArenaError, match=complaint):
        read_openings(text.splitlines(), "book", 7, 6)


@pytest.mark.parametrize("plies", ["100000", "9" * 5000, "1-" + "9" * 5000])
def test_a_number_of_plies_that_no_board_has_is_refused(plies: str) -> None:
    with pytest.raises(errors.ArenaError, match="a number of plies below 100000"):
        make_openings(f"random:{plies}", 0, 7, 6)


def test_sources_by_name() -> None:
    assert make_openings("empty", 0, 7, 6) == ((),)
    assert make_openings("random", 1, 7, 6) == make_openings("random:4", 1, 7, 6)
    for bad in ("random:x", "random:4-2", "random:2-", "random:-4", "random:1-2-3", "no-such-file"):
        with pytest.raises(errors.ArenaError, match=bad):
            make_openings(bad, 0, 7, 6)
