"""Searching against the clock: a move in hand at every moment, and no longer than needed."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from connect4_agent import cli, errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.values import exact_score
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.monte_carlo import MonteCarloPlayer
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.rules.position import Position
from tests.kernel_forms import each_form


@dataclass
class Clock:
    """A clock that shows a later time at every look, so that nothing depends on the machine's speed."""

    seconds_a_look: float
    now: float = 0.0

    def __call__(self) -> float:
        """The time, a look later."""
        self.now += self.seconds_a_look
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock(0.001)


@each_form
def test_more_time_searches_deeper(clock: Clock, form: str) -> None:
    depths = []
    for looks in (3, 30):
        choice = NegamaxPlayer(None, form=form).choose(Position.from_moves("44"), Limits(looks * 0.001, clock=clock))
        depths.append(choice.depth)
    assert depths[0] < depths[1]
    assert clock.now < 0.1


@pytest.mark.parametrize(("own", "callers"), [(0.003, None), (0.003, 0.03), (0.03, 0.003)])
def test_the_shorter_of_the_players_own_limit_and_the_callers_counts(own: float, callers: float | None) -> None:
    position = Position.from_moves("44")
    expected = NegamaxPlayer(9).choose(position, Limits(0.003, clock=Clock(0.001)))
    assert NegamaxPlayer(9, seconds=own).choose(position, Limits(callers, clock=Clock(0.001))) == expected
    games = MonteCarloPlayer(seed=1).choose(position, Limits(0.003, clock=Clock(0.001)))
    assert MonteCarloPlayer(seconds=own, seed=1).choose(position, Limits(callers, clock=Clock(0.001))) == games


@each_form
def test_a_search_cut_short_at_any_moment_gives_an_open_column(clock: Clock, form: str) -> None:
    position = Position.from_moves("444444")
    for looks in range(1, 12):
        choice = NegamaxPlayer(None, form=form).choose(position, Limits(looks * 0.001, clock=clock))
        assert position.is_open(choice.column)
        assert choice.nodes > 0
    assert clock.now > 0


def test_without_time_for_one_ply_a_win_is_taken_and_a_loss_blocked(clock: Clock) -> None:
    clock.seconds_a_look = 1.0
    for moves in ("112233", "1122337"):
        position = Position.from_moves(moves, width=100, height=100)
        choice = NegamaxPlayer(None).choose(position, Limits(0.5, clock=clock))
        assert (choice.column, choice.depth) == (3, 0)


def test_the_depth_stops_a_search_that_has_time_left() -> None:
    choice = NegamaxPlayer(4).choose(Position.from_moves("44"), Limits(1000))
    assert choice.depth == 4
    fixed = NegamaxPlayer(4).choose(Position.from_moves("44"), Limits())
    assert (choice.column, choice.score) == (fixed.column, fixed.score)


def test_a_proven_win_ends_the_search_at_once() -> None:
    two_in_the_open = Position.from_moves("4151")
    choice = NegamaxPlayer(None).choose(two_in_the_open, Limits(1000))
    assert choice.exact
    assert choice.depth == 3


def test_a_proven_draw_or_loss_ends_the_search() -> None:
    choice = NegamaxPlayer(None).choose(Position(4, 4), Limits(1000))
    assert (choice.score, choice.exact, choice.depth) == (0, True, 16)
    three_in_the_open = Position.from_moves("31415")
    choice = NegamaxPlayer(None).choose(three_in_the_open, Limits(1000))
    assert choice.exact
    assert choice.score is not None
    assert choice.score < 0


def test_a_lone_open_column_is_played_without_further_search() -> None:
    columns = ["112211", "112211", "221122", "221122", "112211", "112211", "000000"]
    position = Position.from_grid([[int(cell) for cell in column] for column in columns], 1)
    choice = NegamaxPlayer(None).choose(position, Limits(1000))
    assert (choice.column, choice.depth) == (6, 2)


@each_form
def test_explaining_takes_no_time_that_is_not_there(clock: Clock, form: str) -> None:
    choice = NegamaxPlayer(None, form=form).choose(Position.from_moves("4435"), Limits(0.03, explain=True, clock=clock))
    assert choice.line[0] == choice.column
    assert clock.now < 0.1


@each_form
def test_the_caller_can_end_a_search(form: str) -> None:
    class GoneError(Exception):
        pass

    def leave() -> None:
        raise GoneError

    with pytest.raises(GoneError):
        NegamaxPlayer(None, form=form).choose(Position(), Limits(1000, leave))


@pytest.mark.parametrize(("width", "height"), [(7, 6), (10, 10), (100, 100)])
def test_polls_are_frequent_enough_for_small_limits(width: int, height: int) -> None:
    """Counted in nodes: the larger the board, the slower each of them, the fewer between two polls."""
    polls = 0

    def count() -> None:
        nonlocal polls
        polls += 1
        if polls == 20:
            raise errors.OutOfTimeError("enough")

    search = forms.new_search(width, height, "threat-parity", 101, form="plain")
    search.prepare(count)
    with pytest.raises(errors.OutOfTimeError):
        search.best_ranks(0, 0, 30, list(range(width)), every_tie=False)
    assert search.nodes <= 20 * {7: 32, 10: 16, 100: 1}[width] + 1


def test_the_time_limit_option_reaches_the_player(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.main(["move", "--moves", "44", "--evaluator", "windows", "--time-limit", "0.3", "--explain"]) == 0
    reply = json.loads(capfdbinary.readouterr().out)
    assert reply["depth"] > 0
    assert not reply["exact"]


def test_columns_that_are_decided_are_searched_no_deeper() -> None:
    position = Position.from_moves("4455")  # columns 2 and 5 win with the second disc from now
    limits = Limits(60)
    values, plies, _ = NegamaxPlayer(None).value_columns(position, [2, 5], limits, limits.clock())
    assert [exact_score(value) for value in values] == [18, 18]
    assert plies == 4
