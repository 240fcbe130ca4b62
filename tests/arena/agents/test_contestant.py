"""Contestants: built-in players under the same rules as programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import sleep, thread_time

import pytest

from connect4_agent.arena.agents import contestant
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS, parse_player
from connect4_agent.rules.position import Position


@dataclass
class Scripted:
    """A player that does as it is told, and remembers the limits."""

    act: Callable[[Limits], int]
    told: list[Limits] = field(default_factory=list)

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # the interface of a player
        self.told.append(limits)
        return Choice(self.act(limits))


def seated(player: Scripted, time_limit: float | None) -> contestant.PlayerContestant:
    spec = AgentSpec(name="scripted", python_object="scripted", time_limit=time_limit, grace=0.0)
    return contestant.PlayerContestant(spec, player)


def wait_and_poll(limits: Limits) -> int:
    while True:
        limits.poll()
        sleep(0.001)


def test_a_built_in_player_is_told_a_little_less_than_its_limit() -> None:
    for limit, told in ((10.0, 9.98), (0.05, 0.045), (None, None)):
        player = Scripted(lambda limits: 3)  # noqa: ARG005
        assert seated(player, limit).move(Position()).column == 3
        assert player.told[0].seconds == (None if told is None else pytest.approx(told))


def test_a_built_in_player_is_stopped_after_its_limit() -> None:
    with pytest.raises(FaultError) as caught:
        seated(Scripted(wait_and_poll), 0.01).move(Position())
    assert caught.value.kind is Ending.TIMED_OUT
    assert caught.value.elapsed_seconds is not None
    assert caught.value.elapsed_seconds > 0.01


def test_a_built_in_player_that_never_polls_loses_by_the_clock() -> None:
    def oversleep(limits: Limits) -> int:  # noqa: ARG001
        until = thread_time() + 0.02
        while thread_time() < until:
            pass
        return 3

    with pytest.raises(FaultError) as caught:
        seated(Scripted(oversleep), 0.01).move(Position())
    assert caught.value.kind is Ending.TIMED_OUT


def fail(limits: Limits) -> int:  # noqa: ARG001
    raise IndexError("no such table")


def test_a_defect_of_a_built_in_player_is_a_crash() -> None:
    with pytest.raises(FaultError) as caught:
        seated(Scripted(fail), None).move(Position())
    assert caught.value.kind is Ending.CRASHED
    assert "IndexError" in caught.value.detail


def test_an_illegal_move_of_a_built_in_player_is_one() -> None:
    with pytest.raises(FaultError) as caught:
        seated(Scripted(lambda limits: 7), None).move(Position())  # noqa: ARG005
    assert caught.value.kind is Ending.ILLEGAL_MOVE


def test_random_players_follow_the_seed_of_their_game() -> None:
    def first_column(seed: int) -> int:
        spec = AgentSpec(name="random", player="random")
        return contestant.seat_player(spec, seed).move(Position()).column

    assert len({first_column(seed) for seed in range(50)}) > 3
    assert len({first_column(5) for _ in range(5)}) == 1


def test_the_players_that_are_random_are_those_that_differ_without_a_seed() -> None:
    position = Position.from_moves("12", 4, 4)  # small enough for the perfect player to be quick
    for name, built_in_player in BUILT_IN_PLAYERS.items():
        spec = "monte-carlo:playouts=1" if name == "monte-carlo" else name
        columns = {parse_player(spec).choose(position, Limits()).column for _ in range(20)}
        assert (len(columns) > 1) == built_in_player.is_random, name
