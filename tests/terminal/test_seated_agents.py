"""Seated agents: those that play, and those that do not."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from connect4_agent.rules.position import Position
from connect4_agent.terminal.seated_agents import SeatedAgents, TroubleError
from connect4_agent.terminal.seats import Seat, seat_of
from tests.arena.helping import STUBBORN_PROCESSES, command_of
from tests.processes import pids_in, running_with


def program(name: str, *arguments: str, limit_seconds: float = 60.0) -> Seat:
    return seat_of(shlex.join(command_of(name, *arguments)), name, limit_seconds)


@pytest.fixture
def seat_against_easy(request: pytest.FixtureRequest) -> Iterator[SeatedAgents]:
    agents = SeatedAgents((request.param, seat_of("easy", "easy", None)), 1)
    yield agents
    agents.stop()


@pytest.mark.parametrize("seat_against_easy", [program("good")], indirect=True)
def test_programs_and_built_in_players_give_legal_columns(seat_against_easy: SeatedAgents) -> None:
    position = Position()
    for _ in range(3):
        position = position.play(seat_against_easy.move(position))
        position = position.play(seat_against_easy.move(position))
    assert position.disc_count == 6


@pytest.mark.parametrize(
    ("seat_against_easy", "trouble"),
    [
        (program("crash_mid_game"), "crash_mid_game: crashed: it ended with exit status 4 when an answer was due; "),
        (program("says", '{"move":9}'), "says: illegal move: column 9 is not on the board; "),
        (program("says", "\x1b[2Jhello"), "says: malformed reply: the reply is not JSON; its answer was ?[2Jhello"),
        (program("late", "3600", limit_seconds=2.0), "late: timed out: no answer after "),
    ],
    indirect=["seat_against_easy"],
)
def test_trouble_is_told_and_the_agent_starts_anew(seat_against_easy: SeatedAgents, trouble: str) -> None:
    position = Position().play(3).play(3)
    later = position.play(0).play(3)
    assert seat_against_easy.move(position) == 0
    with pytest.raises(TroubleError) as caught:
        seat_against_easy.move(later)
    assert str(caught.value).startswith(trouble)
    assert str(caught.value).isprintable()
    assert seat_against_easy.move(position) == 0


@pytest.mark.parametrize("seat_against_easy", [program("crash_at_start")], indirect=True)
def test_the_last_words_of_an_agent_are_told(seat_against_easy: SeatedAgents) -> None:
    with pytest.raises(
        TroubleError, match=r"would not start: .*; its last line on standard error was no licence found"
    ):
        seat_against_easy.move(Position())


def test_nothing_of_a_stubborn_agent_is_left(tmp_path: Path) -> None:
    agents = SeatedAgents((program("stubborn", str(tmp_path / "pids")), Seat("Ann")), 1)
    agents.move(Position())
    pids_in(tmp_path / "pids", STUBBORN_PROCESSES)
    agents.stop()
    assert running_with(str(tmp_path / "pids")) == []
