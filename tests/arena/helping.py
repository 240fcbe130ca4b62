"""What the tests of the arena share: agents of tests/agents, games, and a look at processes."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connect4_agent.arena.agents import Agent
from connect4_agent.arena.referee import GameSetup
from connect4_agent.arena.report import read_games

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.arena.record import GameRecord

ROOT = Path(__file__).parents[2]
AGENTS = ROOT / "tests" / "agents"

PATIENCE_SECONDS = 60.0
"""How long a test waits for what must come: never reached where it comes."""

COMMAND = (sys.executable, "-m", "connect4_agent")


def command_of(name: str, *arguments: str) -> tuple[str, ...]:
    """The command line of an agent in tests/agents."""
    return (sys.executable, "-S", "-E", str(AGENTS / f"{name}.py"), *arguments)


def program(name: str, *arguments: str, **settings: Any) -> Agent:
    """An agent of tests/agents, with ample time unless told otherwise."""
    settings = {"limit_seconds": 30.0, "startup_seconds": 60.0, **settings}
    return Agent(name, command=command_of(name, *arguments), **settings)


def built_in(spec: str, **settings: Any) -> Agent:
    """A built-in player."""
    return Agent(spec, player=spec, **settings)


def setup_of(one: Agent, two: Agent, **settings: Any) -> GameSetup:
    """A game of two agents; the first one begins unless told otherwise."""
    values = {
        "game": 0, "round": 0, "pair": 0, "agents": (one, two), "first": 1, "width": 7, "height": 6,
        "opening": (), "seed": 0, "game_seed": 1,
    }  # fmt: skip
    return GameSetup(**{**values, **settings})


def environment() -> dict[str, str]:
    """The environment for programs under test: nothing that hides a missing flush."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it is not dead yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except FileNotFoundError:
        return not Path("/proc/self").exists()  # without a process table to look at, kill has the last word


def read_records(folder: Path) -> list[GameRecord]:
    """The finished games of a run."""
    return list(read_games(folder, lambda _: None))


def wait_until(happens: Callable[[], bool]) -> None:
    """Wait for what must come."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happens():
        assert time.monotonic() < deadline, "what must come did not come"
        time.sleep(0.01)


def pids_in(path: Path, count: int) -> list[int]:
    """The process numbers that a stubborn agent has written, once they are all there."""
    wait_until(lambda: path.exists() and path.read_text().count("\n") >= count)
    return [int(line) for line in path.read_text().split()]
