"""Seats: who sits where, and agents that play or fail."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from connect4_agent import errors
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.seats import (
    COMMAND_SECONDS,
    MAX_SHOWN_NAME,
    First,
    Seat,
    SeatedAgents,
    TroubleError,
    default_names,
    make_seat,
    seated,
)
from tests.arena.helping import STUBBORN_PROCESSES, command_of
from tests.processes import pids_in, running_with

ANN, BEN = Seat("Ann"), Seat("Ben")


def test_the_one_who_is_to_begin_begins() -> None:
    assert seated(ANN, BEN, First.ONE, Random(1)) == (ANN, BEN)
    assert seated(ANN, BEN, First.TWO, Random(1)) == (BEN, ANN)


def test_at_random_each_begins_about_half_of_the_games_and_a_seed_repeats_it() -> None:
    def begins(seed: int) -> list[str]:
        source = Random(seed)
        return [seated(ANN, BEN, First.RANDOM, source)[0].name for _ in range(200)]

    assert begins(5) == begins(5)
    assert begins(5) != begins(6)
    assert 60 < begins(5).count("Ann") < 140


def test_a_seat_is_for_a_person_a_built_in_player_or_a_command() -> None:
    assert make_seat("person", "Ann", None) == ANN
    built_in = make_seat("negamax:depth=3", "three", None).agent
    assert built_in is not None
    assert (built_in.player, built_in.time_limit) == ("negamax:depth=3", None)
    command = make_seat("sh -c 'exit 1'", "shell", None).agent
    assert command is not None
    assert (command.command, command.time_limit) == (("sh", "-c", "exit 1"), COMMAND_SECONDS)
    for player in ("easy", "cat"):
        agent = make_seat(player, player, 3.0).agent
        assert agent is not None
        assert agent.time_limit == 3.0
    with pytest.raises(errors.AgentError, match="no built-in player 'hrad'"):
        make_seat("hrad", "hrad", None)


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (("person", "hard"), ("you", "hard")),
        (("hard", "person"), ("hard", "you")),
        (("person", "person"), ("person 1", "person 2")),
        (("easy", "easy"), ("easy 1", "easy 2")),
        (("easy", "python3 /a/very/long/way/to/agents/good.py"), ("easy", "...ong/way/to/agents/good.py")),
    ],
)
def test_names_tell_the_two_apart_where_nobody_named_them(players: tuple[str, str], names: tuple[str, str]) -> None:
    assert default_names(*players) == names
    assert max(map(len, names)) <= MAX_SHOWN_NAME


def test_a_name_can_do_nothing_to_the_terminal() -> None:
    assert make_seat("person", "A\x1b[2Jn\nn", None).name == "A?[2Jn?n"
    assert len(make_seat("person", "n" * 200, None).name) == MAX_SHOWN_NAME


def program(name: str, *arguments: str, time_limit: float = 60.0) -> Seat:
    return make_seat(shlex.join(command_of(name, *arguments)), name, time_limit)


@pytest.fixture
def seat_against_easy(request: pytest.FixtureRequest) -> Iterator[SeatedAgents]:
    agents = SeatedAgents((request.param, make_seat("easy", "easy", None)), 1)
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
        (program("late", "3600", time_limit=2.0), "late: timed out: no answer after "),
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
