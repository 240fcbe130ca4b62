"""Analysis: every column's score in numbers and words, exact if it says so; values never look exact."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import connect4_agent
from connect4_agent import errors
from connect4_agent.engine import analysis
from connect4_agent.engine.analysis import Analysis, ColumnScore, analyze, known_analysis
from connect4_agent.engine.book.files import EMPTY_BOOK
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.limits import OTHER_SECONDS, Limits
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from tests.boards import unfinished
from tests.effort import examples
from tests.late import late_positions, random_position

LATE = Position.from_moves("444444522563613311")

NO_PROOFS = 5e-6
"""A share of the time after which every proof is late; the search is in time."""


@given(late_positions([(7, 6)], most_empties=16))
@examples(60)
def test_the_best_column_has_the_positions_score(position: Position) -> None:
    found = analyze(position)
    assert found.score == Engine(7, 6, book=EMPTY_BOOK).score(position)
    assert [score is not None for score in found.scores] == [position.is_open(column) for column in range(7)]
    assert found.is_exact
    assert found.line[0] == found.best_columns[0]


@given(late_positions([(7, 6), (5, 4), (9, 8)], most_empties=14))
@examples(60)
def test_the_mirror_image_has_the_same_scores_in_reverse(position: Position) -> None:
    assert analyze(position.mirrored()).scores == analyze(position).scores[::-1]


@given(late_positions([(7, 6)], most_empties=14))
@examples(60)
def test_the_line_ends_after_as_many_moves_as_the_words_say(position: Position) -> None:
    found = analyze(position)
    assert found.score is not None
    count = moves_to_end(found.score, position.empty_count)
    if count is None:
        assert found.verdict == "draws"
        assert len(found.line) == position.empty_count
    else:
        assert len(found.line) == 2 * count - (1 if found.score > 0 else 0)
        assert found.verdict.split()[2] == str(count)


def test_the_known_scores_of_the_first_moves() -> None:
    assert analyze(Position()).scores == (-2, -1, 0, 1, 0, -1, -2)


def test_words_for_scores() -> None:
    found = connect4_agent.analyze(Position.from_moves("121212"))
    assert (found.score, found.verdict) == (18, "wins in 1 move")
    assert found.verdicts == ("wins in 1 move", "loses in 16 moves", *["loses in 1 move"] * 5)
    assert found.best_columns == (0,)
    assert isinstance(found, connect4_agent.Analysis)


def test_a_full_column_has_no_score() -> None:
    found = analyze(LATE)
    assert (found.columns[3], found.scores[3], found.verdicts[3]) == (None, None, None)
    assert found.summary() == "Best: 7 (wins in 1 move)"


def test_the_line_is_found_once_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = []

    def count(*_: object) -> tuple[int, ...]:
        lines.append(1)
        return (6,)

    monkeypatch.setattr(Engine, "line", count)
    found = analyze(LATE)
    assert (found.scores[6], found.to_dict(line=())["line"], lines) == (12, [6], [])
    assert found.line is found.line
    assert lines == [1]


def test_an_analysis_can_be_pickled() -> None:
    found = analyze(LATE)
    assert (found.line, pickle.loads(pickle.dumps(found))) == ((6,), found)


def test_what_programs_get() -> None:
    found = analyze(Position.from_moves("444444522563613")).to_dict()
    assert found.pop("elapsed_ms") > 0
    assert found.pop("nodes") >= 0
    loses = "loses in 1 move"
    assert found == {
        "exact": True,
        "score": -10,
        "verdict": "loses in 4 moves",
        "scores": [-13, -13, -13, None, -13, -13, -10],
        "verdicts": [loses, loses, loses, None, loses, loses, "loses in 4 moves"],
        "results": ["loss", "loss", "loss", None, "loss", "loss", "loss"],
        "moves_to_end": [1, 1, 1, None, 1, 1, 4],
        "best": [6],
        "line": [6, 2, 4, 2, 2, 1, 2, 0],
    }


@pytest.mark.parametrize(
    ("moves", "message"),
    [("1212121", "player 1 has four in a row"), ("112211", "the board is full")],
)
def test_a_game_that_is_over_cannot_be_analyzed(moves: str, message: str) -> None:
    position = Position.from_moves(moves) if len(moves) > 6 else Position.from_drawing("X O\nO X\nX O")
    with pytest.raises(errors.GameOverError, match=message):
        analyze(position)


@pytest.mark.parametrize("limits", [0.1, None, "1"])
def test_a_time_that_is_not_a_limit_is_refused(limits: Any) -> None:
    with pytest.raises(errors.BadValueError) as caught:
        analyze(LATE, limits)
    assert str(caught.value) == f"limits is {limits!r}; allowed is a Limits, such as Limits(seconds=0.1)"


def test_other_boards_are_analyzed_as_well() -> None:
    assert analyze(Position(4, 4)).score == 0
    found = analyze(Position.from_moves("1", 5, 4))
    assert found.summary() == "Best: 2 (wins in 10 moves)"


@pytest.mark.needs("compiled")
def test_the_line_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    early = random_position(7, 7, 6, empties=30)
    monkeypatch.setattr(analysis, "LINE_SECONDS", 1e-9)
    found = analyze(early)
    short = found.find_line(Limits(seconds=60))
    assert short[0] == found.best_columns[0]
    assert not early.after(short).is_over
    assert early.after(found.line).is_over


def test_the_shortest_time_that_there_is_will_do() -> None:
    assert not analyze(Position.from_moves("44", 9, 8), Limits(5e-324)).is_exact


def test_what_cannot_be_proven_is_an_opinion_and_says_so() -> None:
    found = analyze(Position.from_moves("44", 9, 8), Limits(0.2, proof_share=NO_PROOFS))
    assert all(column is not None and not column.proven and column.sign().startswith("~") for column in found.columns)
    assert found.scores == (None,) * 9
    assert found.verdicts == (None,) * 9
    assert (found.score, found.verdict, found.line) == (None, "not proven", ())
    assert found.to_dict()["line"] == [found.best_columns[0]]
    assert found.summary().endswith("(not proven)")


def test_a_win_within_sight_is_exact_though_the_rest_is_not() -> None:
    position = Position.from_moves("141415", 9, 8)  # columns 2 and 5 do not matter, column 1 makes four upright
    found = analyze(position, Limits(0.2, proof_share=NO_PROOFS))
    win = (position.empty_count + 1) // 2
    assert found.columns[0] == ColumnScore(win, proven=True)
    assert not found.is_exact
    assert found.score == win
    assert found.summary() == "Best: 1 (wins in 1 move)"


def test_columns_proven_before_time_ran_out_stay_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_moves("1", 5, 4)
    expected = analyze(position).scores

    def score_some(_: Engine, __: Position, scores: list[int | None], ___: object) -> None:
        scores[1:3] = expected[1:3]
        raise errors.OutOfTimeError("at the column that the test wants")

    monkeypatch.setattr(Engine, "score_columns", score_some)
    found = analyze(position, Limits(seconds=0.05))
    for column in (1, 2):
        assert found.columns[column] == ColumnScore(expected[column] or 0, proven=True)


@pytest.mark.parametrize(("limits", "share"), [(Limits(10.0), 0.5), (Limits(10.0, proof_share=0.9), 0.9)])
def test_a_search_gets_the_time_that_proofs_leave(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, share: float
) -> None:
    now, left = [0.0], []

    def prove(_: Engine, __: Position, ___: list[int | None], poll: Callable[[], None]) -> None:
        while True:
            now[0] += 0.125
            poll()

    def note(_: Position, limits: Limits, __: object) -> tuple[None, ...]:
        left.append(limits.seconds)
        return (None,) * 7

    monkeypatch.setattr(Engine, "score_columns", prove)
    monkeypatch.setattr("connect4_agent.engine.analysis.estimate_columns", note)
    analyze(Position(), replace(limits, clock=lambda: now[0]))
    assert left == [pytest.approx(10 * (1 - share), abs=0.125)]


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
    found = Analysis(position, tuple(columns))
    true_score = max(score for score in expected if score is not None)
    assert found.score in ((true_score,) if found.is_exact else (None, true_score))
    assert (found.score is None) == found.summary().startswith("Best found: ")


def test_a_win_is_said_to_be_proven_though_how_soon_it_comes_is_not() -> None:
    found = Analysis(Position(4, 5), (ColumnScore(3, proven=True), ColumnScore(1, proven=False), None, None))
    assert found.verdict == "wins, but how soon is not proven"
    assert found.summary() == "Best found: 1 (wins in 8 moves)"


def test_a_position_near_the_end_is_proven_by_the_search_as_well() -> None:
    position = Position.from_moves("1212212133443443", 5, 4)
    assert analyze(position, Limits(0.2, proof_share=NO_PROOFS)).columns == analyze(position).columns


def test_a_poll_ends_the_analysis() -> None:
    class EnoughError(Exception):
        pass

    def stop() -> None:
        raise EnoughError

    position = Position.from_moves("521612263155")  # no book knows its columns, and they are not solved at once
    with pytest.raises(EnoughError):
        analyze(position, Limits(poll=stop))


def test_proven_wins_come_first_and_proven_losses_last() -> None:
    opinion, bad_opinion = ColumnScore(900, proven=False), ColumnScore(-900, proven=False)
    win, slow_win, draw, loss = (ColumnScore(score, proven=True) for score in (9, 1, 0, -1))
    ranked = [win, slow_win, opinion, draw, bad_opinion, loss, ColumnScore(-9, proven=True)]
    assert sorted(ranked, key=ColumnScore.rank, reverse=True) == ranked


def test_the_best_columns_in_words() -> None:
    draws = Analysis(Position(), (ColumnScore(0, proven=True),) * 7)
    assert draws.summary() == "Best: 1, 2, 3, 4, 5, 6, 7 (draws)"
    assert draws.best_columns == (3, 2, 4, 1, 5, 0, 6)
    lost = Analysis(Position(), (ColumnScore(-1, proven=True),) * 7)
    assert lost.summary() == "Best: 1, 2, 3, 4, 5, 6, 7 (loses in 21 moves)"


def test_it_takes_no_longer_than_was_promised() -> None:
    """Limits by a clock that advances a tenth of a second each time it is read."""
    now = [0.0]

    def tick() -> float:
        now[0] += 0.1
        return now[0]

    analyze(Position(9, 8), Limits(OTHER_SECONDS, clock=tick))
    assert now[0] < OTHER_SECONDS + 1


@pytest.mark.parametrize("moves", ["", "4", "445532", "44444412"])
def test_what_the_book_knows_needs_no_solver(moves: str) -> None:
    position = Position.from_moves(moves)
    known = known_analysis(position)
    assert known is not None
    assert known.nodes == 0
    assert known.columns == analyze(position).columns


def test_what_the_book_does_not_know_is_left_to_the_solver() -> None:
    assert known_analysis(LATE) is None
    assert known_analysis(Position(8, 7)) is None
