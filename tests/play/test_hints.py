"""Hints: exact where they say so, and opinions that never look exact."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import pytest

from connect4_agent import analyze
from connect4_agent.play import hints
from connect4_agent.play.hints import Hints, HintSource, Worth
from connect4_agent.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable

LATE = Position.from_moves("444444522563613311")


def do_nothing() -> None:
    """A poll that lets everything go on."""


def test_on_the_usual_board_every_score_is_the_exact_one() -> None:
    found = HintSource().find(LATE, do_nothing)
    expected = analyze(LATE)
    assert [worth and worth.score for worth in found.worths] == list(expected.scores)
    assert all(worth is None or worth.exact for worth in found.worths)
    assert found.worths[3] is None  # the column is full
    assert found.best_columns == list(expected.best_columns)
    assert found.summary() == "Best: 7 (wins in 1 move)"


def test_small_boards_are_solved_as_well() -> None:
    position = Position.from_moves("1", 5, 4)
    found = HintSource().find(position, do_nothing)
    assert [worth and worth.score for worth in found.worths] == list(analyze(position).scores)
    assert found.summary() == "Best: 2 (wins in 10 moves)"


@pytest.fixture
def _no_time_for_exact_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything asked after the clock's first look is late for exact scores, and in time for the search."""
    monkeypatch.setattr(hints, "EXACT_SECONDS", 1e-6)
    monkeypatch.setattr(hints, "OPINION_SECONDS", 0.2)


@pytest.mark.usefixtures("_no_time_for_exact_scores")
def test_what_cannot_be_proven_is_an_opinion_and_says_so() -> None:
    position = Position.from_moves("44", 9, 8)
    found = HintSource().find(position, do_nothing)
    assert all(worth is not None and not worth.exact and worth.sign().startswith("~") for worth in found.worths)
    assert found.summary().endswith("(not proven)")


@pytest.mark.usefixtures("_no_time_for_exact_scores")
def test_a_win_within_sight_is_exact_though_the_rest_is_not() -> None:
    position = Position.from_moves("141415", 9, 8)  # columns 2 and 5 do not matter, column 1 makes four upright
    found = HintSource().find(position, do_nothing)
    win = found.worths[0]
    assert win is not None
    assert win.exact
    assert win.score == (position.empty_count + 1) // 2
    assert found.summary() == "Best: 1 (wins in 1 move)"


@pytest.mark.usefixtures("_no_time_for_exact_scores")
def test_a_position_near_the_end_is_proven_by_the_search_as_well() -> None:
    position = Position.from_moves("1212212133443443", 5, 4)
    found = HintSource().find(position, do_nothing)
    assert [worth and (worth.score, worth.exact) for worth in found.worths] == [
        None if score is None else (score, True) for score in analyze(position).scores
    ]


def test_a_poll_ends_the_search_for_hints_and_they_are_found_the_next_time() -> None:
    class EnoughError(Exception):
        pass

    def stop() -> None:
        raise EnoughError

    source = HintSource()
    position = Position.from_moves("123123567")  # in no book, and not solved at once
    with pytest.raises(EnoughError):
        source.find(position, stop)
    assert source.known(position) is None


def test_hints_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    source = HintSource()
    found = source.find(LATE, do_nothing)

    def fail(*_: object, **__: Callable[[], None]) -> None:
        raise AssertionError("it was worked out again")

    monkeypatch.setattr(hints, "column_scores", fail)
    assert source.find(LATE, do_nothing) is found
    assert source.known(LATE) is found


def test_proven_wins_come_first_and_proven_losses_last() -> None:
    opinion, bad_opinion = Worth(900, exact=False), Worth(-900, exact=False)
    win, slow_win, draw, loss = (Worth(score, exact=True) for score in (9, 1, 0, -1))
    ranked = [win, slow_win, opinion, draw, bad_opinion, loss, Worth(-9, exact=True)]
    assert sorted(ranked, key=Worth.rank, reverse=True) == ranked


def test_the_best_columns_in_words() -> None:
    position = Position()
    draws = Hints(position, (Worth(0, exact=True),) * 7)
    assert draws.summary() == "Best: 1, 2, 3, 4, 5, 6, 7 (draws)"
    assert draws.best_columns == [3, 2, 4, 1, 5, 0, 6]
    lost = Hints(position, (Worth(-1, exact=True),) * 7)
    assert lost.summary() == "Best: 1, 2, 3, 4, 5, 6, 7 (loses in 21 moves)"


def test_on_other_boards_it_takes_no_longer_than_was_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on a tenth of a second whenever it is looked at."""
    now = [0.0]

    def tick() -> float:
        now[0] += 0.1
        return now[0]

    assert monotonic() > 0
    monkeypatch.setattr("connect4_agent.engine.player.monotonic", tick)
    monkeypatch.setattr(hints, "monotonic", tick)
    HintSource().find(Position(9, 8), do_nothing)
    assert now[0] < hints.EXACT_SECONDS + hints.OPINION_SECONDS + 1
