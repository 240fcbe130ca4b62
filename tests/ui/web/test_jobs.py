"""What the web server's searches answer, and when they have to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

import pytest

from connect4_agent import errors
from connect4_agent.engine.analysis import Analysis, ColumnScore
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.player import Choice, obvious_column
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from connect4_agent.ui.web import jobs
from connect4_agent.ui.web.jobs import Job, find_move, judge_game, score_columns

OPEN = Position.from_moves("4433")
LARGE = Position.from_moves("44", 8, 7)
LATE = Position.from_moves("4444445225636133112")


def ending_after(calls: int) -> Callable[[], None]:
    """A poll of somebody who leaves."""
    left = calls

    def poll() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise errors.ReaderGoneError

    return poll


@pytest.mark.parametrize("spec", ["negamax:depth=42", "perfect"])
def test_a_player_that_would_think_for_days_is_made_to_answer(spec: str) -> None:
    found = find_move(LARGE, spec, None, None, 0.4, True, do_nothing)
    assert LARGE.is_open(found["move"])
    assert found["depth"] < LARGE.empty_count


def test_a_player_that_answers_in_time_answers_what_it_always_does() -> None:
    alone = NegamaxPlayer(6).choose(OPEN, Limits(explain=True))
    found = find_move(OPEN, "negamax:depth=6", None, None, 1000, True, do_nothing)
    assert (found["move"], found["score"], found["nodes"]) == (alone.column, alone.score, alone.nodes)
    assert found["line"] == alone.line


class Told:
    """A player that tells which limit it has."""

    def __init__(self) -> None:
        self.seconds: list[float | None] = []

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.seconds.append(limits.seconds)
        return Choice(position.legal_columns()[0])


def test_a_limit_of_the_client_is_cut_to_that_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Told()
    monkeypatch.setattr(jobs, "kept_player", lambda *_: player)
    for seconds in (5.0, 50.0, None):
        find_move(OPEN, "told", None, seconds, 10, False, do_nothing)
    assert player.seconds == [5.0, 10, None]


def test_a_player_that_is_late_without_a_limit_is_asked_again_with_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(Told):
        def choose(self, position: Position, limits: Limits) -> Choice:
            if limits.seconds is None:
                while True:
                    limits.poll()
            return super().choose(position, limits)

    player = Late()
    monkeypatch.setattr(jobs, "kept_player", lambda *_: player)
    find_move(OPEN, "late", None, None, 0.01, False, do_nothing)
    assert player.seconds == [0.005]


@pytest.mark.parametrize(
    ("wanted", "longest", "seconds", "share"),
    [(None, 100, 2, 0.5), (None, 1, 1, 0.5), (50, 100, 50, 0.5), (500, 100, 100, 0.5)],
)
def test_an_analysis_gets_the_time_that_is_wanted_or_usual_up_to_that_of_the_server(
    monkeypatch: pytest.MonkeyPatch, wanted: float | None, longest: float, seconds: float, share: float
) -> None:
    given: list[Limits] = []

    def note(position: Position, limits: Limits) -> Analysis:
        given.append(limits)
        return Analysis(position, (None,) * 7 + (ColumnScore(1, True),))

    monkeypatch.setattr(jobs, "analyze", note)
    score_columns(LARGE, wanted, longest, False, do_nothing)
    assert [(limits.seconds, limits.proof_share) for limits in given] == [(seconds, share)]


def test_a_player_that_fails_plays_a_simple_move(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def choose(self, _: Position, __: Limits) -> Choice:
            raise ValueError

    monkeypatch.setattr(jobs, "kept_player", lambda *_: Failing())
    for seconds in (5.0, None):
        found = find_move(OPEN, "failing", None, seconds, 10, False, do_nothing)
        assert found["move"] == obvious_column(OPEN)


@pytest.mark.parametrize(
    "job",
    [
        partial(find_move, LARGE, "perfect", None, None, 1000, False),
        partial(score_columns, LARGE, 1000, 1000, False),
        partial(judge_game, Position(8, 7), (3, 3), 1000),
    ],
)
def test_a_job_ends_when_its_poll_says_that_nobody_waits(job: Job) -> None:
    with pytest.raises(errors.ReaderGoneError):
        job(ending_after(3))


def test_an_analysis_in_time_is_exact() -> None:
    found = score_columns(LATE, None, 1000, False, do_nothing)
    assert found["exact"] is True
    assert found["score"] == max(score for score in found["scores"] if score is not None)


def test_the_line_is_found_only_if_it_is_asked_for() -> None:
    short = score_columns(LATE, None, 1000, False, do_nothing)
    whole = score_columns(LATE, None, 1000, True, do_nothing)
    assert short["line"] == whole["line"][:1]
    assert LATE.after(whole["line"]).is_over
    assert short["scores"] == whole["scores"]


def test_one_out_of_time_has_the_column_that_a_search_finds_and_no_opinions() -> None:
    found = score_columns(LARGE, 0.2, 1000, False, do_nothing)
    assert found["exact"] is False
    assert (found["score"], found["verdict"]) == (None, None)
    assert found["scores"] == [None] * 8
    assert found["line"][0] == found["best"][0]


@pytest.mark.parametrize(
    ("columns", "score", "best", "exact"),
    [
        ([ColumnScore(3, True), ColumnScore(9, False), None, ColumnScore(-2, True)], None, [0], False),
        ([ColumnScore(39, True), ColumnScore(9, False), None, ColumnScore(-2, True)], 39, [0], False),
        ([ColumnScore(0, True), ColumnScore(-9, False), None, ColumnScore(-2, True)], None, [0], False),
        ([ColumnScore(-5, True), ColumnScore(-2, True), None, ColumnScore(-2, True)], -2, [1, 3], True),
        ([ColumnScore(1, False), ColumnScore(2, False), None, ColumnScore(-2, True)], None, [1], False),
    ],
)
def test_what_it_could_prove_it_tells(
    monkeypatch: pytest.MonkeyPatch, columns: list[ColumnScore | None], score: int | None, best: list[int], exact: bool
) -> None:
    monkeypatch.setattr("connect4_agent.engine.analysis.estimate_columns", lambda *_: tuple(columns))
    position = Position(4, 20)
    found = score_columns(position, 0.01, 1, False, do_nothing)
    assert (found["score"], found["best"], found["exact"]) == (score, best, exact)
    assert found["scores"] == [column.score if column and column.proven else None for column in columns]
    assert (found["verdict"] is None) == (score is None)


def test_a_game_is_judged_move_by_move() -> None:
    found = judge_game(Position(), (3, 3, 3, 3, 3, 0, 1, 1, 2), 1000, do_nothing)
    assert found["exact"] is True
    assert [move["mistake"] for move in found["moves"]] == [*[None] * 6, "win to loss", None, "sooner loss"]


def test_where_time_runs_out_the_last_moves_are_judged_and_the_first_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connect4_agent.engine.limits.OTHER_SECONDS", 0.3)
    # Of processor time: on a busy machine, other processes may have all of such a short time.
    monkeypatch.setattr("connect4_agent.ui.web.jobs.Limits", partial(Limits, clock=process_time))
    game, position = [], Position(8, 7)
    player = parse_player("easy")
    while not position.is_over:
        game.append(player.choose(position, Limits()).column)
        position = position.play(game[-1])
    found = judge_game(Position(8, 7), tuple(game), 1000, do_nothing)
    known = [move["score_before"] is not None for move in found["moves"]]
    assert [move["column"] for move in found["moves"]] == game
    assert known == sorted(known)
    assert (known[0], known[-1], found["exact"]) == (False, True, False)
    assert all((move["score"] is None) == (move["score_before"] is None) for move in found["moves"])
