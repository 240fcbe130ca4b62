"""Whole games in the line protocols: a scripted engine plays at random, and checks every answer of the real server."""

from __future__ import annotations

import signal
from random import Random
from typing import TYPE_CHECKING

import pytest

from connect4_agent.position import Position
from tests.adapters.test_four_in_a_row import begun, field_of
from tests.processes import PATIENCE_SECONDS, ask, started_agent

if TYPE_CHECKING:
    import subprocess

TIMED = ["theaigames", "riddles"]


def tell(process: subprocess.Popen[bytes], *lines: str) -> None:
    """Send lines that ask for nothing."""
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())


def ended_quietly(process: subprocess.Popen[bytes]) -> str:
    """Close the input as a manager does after a game: the server ends with 0 and has said nothing more."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.wait(PATIENCE_SECONDS) == 0
    return process.stderr.read().decode()


@pytest.mark.parametrize("dialect", TIMED)
@pytest.mark.parametrize("first", [True, False])
def test_an_engine_with_a_time_bank_gets_a_legal_disc_for_every_action(dialect: str, first: bool) -> None:
    random = Random(f"{dialect} {first}")
    with started_agent("--protocol", dialect, "--level", "medium") as process:
        tell(process, *begun(dialect, first))
        position = Position()
        game_round = 0
        while not position.is_over:
            if (position.player == 1) == first:
                game_round += 1
                tell(process, f"update game round {game_round}", f"update game field {field_of(position, dialect)}")
                word, column = ask(process, b"action move 10000").decode().split()
                assert word == "place_disc"
                position = position.play(int(column))
            else:
                position = position.play(random.choice(position.legal_columns()))
        assert position.winner == (1 if first else 2)
        assert ended_quietly(process) == ""


@pytest.mark.parametrize("dialect", TIMED)
def test_a_server_without_options_uses_the_bank_and_keeps_within_it(dialect: str) -> None:
    with started_agent("--protocol", dialect) as process:
        tell(process, "settings timebank 400", "settings time_per_move 50", "what is this?")
        for _ in range(5):
            tell(process, f"update game field {field_of(Position.from_moves('44'), dialect)}")
            assert ask(process, b"action move 400").startswith(b"place_disc ")
        assert "ignored: 'what is this?'" in ended_quietly(process)


@pytest.mark.parametrize("agent_begins", [True, False])
def test_a_relay_gets_a_column_for_every_column(agent_begins: bool) -> None:
    random = Random(4)
    with started_agent("--protocol", "relay", "--level", "medium") as process:
        position = Position()
        line = "go!"
        agent = 1 if agent_begins else 2
        while not position.is_over:
            if position.player == agent:
                position = position.play(int(ask(process, line.encode())))
            else:
                column = random.choice(position.legal_columns())
                position, line = position.play(column), str(column)
        assert position.winner == agent
        assert ended_quietly(process) == ""


def test_a_script_around_the_solver_gets_a_line_for_every_game_and_none_for_others() -> None:
    line = b"2252576253462244111563365343671351441"
    with started_agent("--protocol", "solver") as process:
        assert ask(process, line) == line + b" -1\n"
        assert ask(process, b"2252576253462244111563365343671351441999\n" + line) == line + b" -1\n"
        assert "warning: line 2: move 38" in ended_quietly(process)
    with started_agent("--protocol", "solver", "--all") as process:
        assert len(ask(process, line).split()) == 8
        ended_quietly(process)


@pytest.mark.parametrize("protocol", ["theaigames", "riddles", "relay", "solver"])
def test_a_signal_ends_every_protocol_at_once(protocol: str) -> None:
    with started_agent("--protocol", protocol, "-v") as process:
        tell(process, "x")
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 143


@pytest.mark.parametrize(
    ("protocol", "lines"),
    [("relay", ["go!"]), ("riddles", ["action move 600000"]), ("solver", ["1"])],
)
def test_a_reader_that_leaves_ends_every_protocol_in_the_middle_of_a_search(protocol: str, lines: list[str]) -> None:
    options = ["--depth", "40"] if protocol == "relay" else []
    size = ["--width", "8", "--height", "7"]
    with started_agent("--protocol", protocol, *options, *size, "-v") as process:
        tell(process, *lines)
        if protocol == "relay":  # the first disc needs no search
            tell(process, "3")
        assert process.stderr is not None
        assert process.stdout is not None
        process.stderr.readline()
        process.stdout.close()
        assert process.wait(PATIENCE_SECONDS) == 0
