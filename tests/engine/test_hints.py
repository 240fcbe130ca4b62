"""Hints: exact if they say so, and values that never look exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from connect4_agent import analyze, errors
from connect4_agent.engine import hints
from connect4_agent.engine.effort import OTHER_SECONDS
from connect4_agent.engine.exact import ExactScores
from connect4_agent.engine.hints import ColumnScore, Hints, HintSource, find_hints, known_hints
from connect4_agent.engine.limits import Limits
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples
from tests.late import random_position

LATE = Position.from_moves("444444522563613311")


def do_nothing() -> None:
    """A poll that lets everything go on."""


def test_on_the_usual_board_every_score_is_the_exact_one() -> None:
    found = HintSource().find(LATE, do_nothing)
    expected = analyze(LATE)
    assert [column and column.score for column in found.columns] == list(expected.scores)
    assert all(column is None or column.exact for column in found.columns)
    assert found.columns[3] is None  # the column is full
    assert found.best_columns == list(expected.best_columns)
    assert found.summary() == "Best: 7 (wins in 1 move)"


def test_small_boards_are_solved_as_well() -> None:
    position = Position.from_moves("1", 5, 4)
    found = HintSource().find(position, do_nothing)
    assert [column and column.score for column in found.columns] == list(analyze(position).scores)
    assert found.summary() == "Best: 2 (wins in 10 moves)"


@pytest.mark.needs("compiled")
def test_the_line_has_a_limit_of_its_own_and_costs_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    early = random_position(7, 7, 6, empties=30)
    monkeypatch.setattr(hints, "LINE_SECONDS", 1e-9)
    short = hints.find_hints(early, Limits(seconds=60, explain=True))
    assert short.is_exact
    assert short.line[0] == short.best_columns[0]
    assert not early.after(short.line).is_over


def test_the_shortest_time_that_there_is_will_do() -> None:
    found = hints.find_hints(Position.from_moves("44", 9, 8), Limits(5e-324))
    assert not found.is_exact


@pytest.fixture
def _no_time_for_exact_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything asked after the clock's first look is late for exact scores, and in time for the search."""
    monkeypatch.setattr(hints, "hint_seconds", lambda *_: 0.2)
    monkeypatch.setattr(hints, "default_share", lambda *_: 5e-6)


@pytest.mark.usefixtures("_no_time_for_exact_scores")
def test_what_cannot_be_proven_is_an_opinion_and_says_so() -> None:
    position = Position.from_moves("44", 9, 8)
    found = HintSource().find(position, do_nothing)
    assert all(column is not None and not column.exact and column.sign().startswith("~") for column in found.columns)
    assert found.summary().endswith("(not proven)")


@pytest.mark.usefixtures("_no_time_for_exact_scores")
def test_a_win_within_sight_is_exact_though_the_rest_is_not() -> None:
    position = Position.from_moves("141415", 9, 8)  # columns 2 and 5 do not matter, column 1 makes four upright
    found = HintSource().find(position, do_nothing)
    win = found.columns[0]
    assert win is not None
    assert win.exact
    assert win.score == (position.empty_count + 1) // 2
    assert found.summary() == "Best: 1 (wins in 1 move)"


def test_columns_proven_before_time_ran_out_stay_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_moves("1", 5, 4)
    expected = analyze(position).scores

    def some_columns(*_: object) -> Iterator[tuple[int, int]]:
        for column in (2, 1):
            score = expected[column]
            assert score is not None
            yield column, score
        raise errors.OutOfTimeError("at the column that the test wants")

    monkeypatch.setattr(ExactScores, "scored_columns", some_columns)
    found = find_hints(position, Limits(seconds=0.05))
    for column in (1, 2):
        assert found.columns[column] == ColumnScore(expected[column] or 0, exact=True)


@given(unfinished(st.tuples(st.integers(4, 6), st.integers(4, 5))), st.data())
@examples(60)
def test_the_position_has_a_proven_score_only_if_no_column_can_be_better(
    position: Position, data: st.DataObject
) -> None:
    assume(position.empty_count <= 16)
    expected = analyze(position).scores
    columns: list[ColumnScore | None] = []
    for column, score in enumerate(expected):
        # A search always sees whether a column ends the game at once.
        is_proven = score is None or position.play(column).is_over or data.draw(st.booleans())
        columns.append(score if score is None else ColumnScore(score if is_proven else 0, is_proven))
    found = Hints(position, tuple(columns))
    true_score = max(score for score in expected if score is not None)
    assert found.proven_score in ((true_score,) if found.is_exact else (None, true_score))
    assert (found.proven_score is None) == found.summary().startswith("Best found: ")


def test_a_win_is_said_to_be_proven_though_how_soon_it_comes_is_not() -> None:
    position = Position(4, 5)
    found = Hints(position, (ColumnScore(3, exact=True), ColumnScore(1, exact=False), None, None))
    assert found.verdict == "wins, but how soon is not proven"
    assert found.summary() == "Best found: 1 (wins in 8 moves)"


@pytest.mark.usefixtures("_no_time_for_exact_scores")
def test_a_position_near_the_end_is_proven_by_the_search_as_well() -> None:
    position = Position.from_moves("1212212133443443", 5, 4)
    found = HintSource().find(position, do_nothing)
    assert [column and (column.score, column.exact) for column in found.columns] == [
        None if score is None else (score, True) for score in analyze(position).scores
    ]


def test_a_poll_ends_the_search_for_hints_and_they_are_found_the_next_time() -> None:
    class EnoughError(Exception):
        pass

    def stop() -> None:
        raise EnoughError

    source = HintSource()
    position = Position.from_moves("521612263155")  # no book knows its columns, and they are not solved at once
    with pytest.raises(EnoughError):
        source.find(position, stop)
    assert source.known(position) is None


def test_hints_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    source = HintSource()
    found = source.find(LATE, do_nothing)

    def fail(*_: object, **__: Callable[[], None]) -> None:
        raise AssertionError("it was worked out again")

    monkeypatch.setattr(hints, "find_hints", fail)
    assert source.find(LATE, do_nothing) is found
    assert source.known(LATE) is found


def test_proven_wins_come_first_and_proven_losses_last() -> None:
    opinion, bad_opinion = ColumnScore(900, exact=False), ColumnScore(-900, exact=False)
    win, slow_win, draw, loss = (ColumnScore(score, exact=True) for score in (9, 1, 0, -1))
    ranked = [win, slow_win, opinion, draw, bad_opinion, loss, ColumnScore(-9, exact=True)]
    assert sorted(ranked, key=ColumnScore.rank, reverse=True) == ranked


def test_the_best_columns_in_words() -> None:
    position = Position()
    draws = Hints(position, (ColumnScore(0, exact=True),) * 7)
    assert draws.summary() == "Best: 1, 2, 3, 4, 5, 6, 7 (draws)"
    assert draws.best_columns == [3, 2, 4, 1, 5, 0, 6]
    lost = Hints(position, (ColumnScore(-1, exact=True),) * 7)
    assert lost.summary() == "Best: 1, 2, 3, 4, 5, 6, 7 (loses in 21 moves)"


def test_on_other_boards_it_takes_no_longer_than_was_promised() -> None:
    """Limits by a clock that advances a tenth of a second each time it is read."""
    now = [0.0]

    def tick() -> float:
        now[0] += 0.1
        return now[0]

    HintSource(tick).find(Position(9, 8), do_nothing)
    assert now[0] < OTHER_SECONDS + 1


@pytest.mark.parametrize("moves", ["", "4", "445532", "44444412"])
def test_what_the_book_knows_needs_no_solver(moves: str) -> None:
    position = Position.from_moves(moves)
    known = known_hints(position)
    assert known is not None
    assert known.nodes == 0
    assert known.columns == find_hints(position, Limits()).columns


def test_what_the_book_does_not_know_is_left_to_the_solver() -> None:
    assert known_hints(LATE) is None
    assert known_hints(Position(8, 7)) is None
