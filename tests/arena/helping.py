"""What the tests of the arena share: agents of tests/arena/agents, and games."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from connect4_agent.arena.journal import read_games
from connect4_agent.arena.record import GameKey, GameRecord
from connect4_agent.arena.referee import play_with_worker
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.arena.worker import Worker
from connect4_agent.rules.position import Position
from tests.processes import REPOSITORY

AGENTS = REPOSITORY / "tests" / "arena" / "agents"

STUBBORN_PROCESSES = 3 if sys.platform == "linux" else 2
"""Of the stubborn agent: where nobody adopts orphans, the one that left its group is not spoken of."""


def command_of(name: str, *arguments: str) -> tuple[str, ...]:
    """The command line of an agent in tests/arena/agents."""
    return (sys.executable, "-S", "-E", str(AGENTS / f"{name}.py"), *arguments)


def program(name: str, *arguments: str, **settings: Any) -> AgentSpec:
    """An agent of tests/arena/agents, with ample time and without isolation unless the settings differ."""
    settings = {"time_limit": 30.0, "startup": 60.0, "isolation": "none", **settings}
    return AgentSpec(name=name, command=command_of(name, *arguments), **settings)


def built_in(spec: str, **settings: Any) -> AgentSpec:
    """A built-in player."""
    return AgentSpec(name=spec, player=spec, **settings)


@cache
def shared_worker() -> Worker:
    """The worker of this process's tests; it ends with the process."""
    return Worker()


def play_game(setup: GameSetup) -> GameRecord:
    """Play a game in a worker that many tests share."""
    return play_with_worker(shared_worker(), setup)


def setup_of(one: AgentSpec, two: AgentSpec, **settings: Any) -> GameSetup:
    """A game of two agents; the first one begins unless the settings differ."""
    names = ("opening", "begins", "repeat")
    key = {"opening": (), "begins": 1, **{name: settings.pop(name) for name in names if name in settings}}
    values = {"game": 1, "width": 7, "height": 6, "seed": 0, **settings}
    versions = ("1", "1")
    return GameSetup(key=GameKey(agents=(one.name, two.name), versions=versions, **key), agents=(one, two), **values)


def position_after(columns: tuple[int, ...], width: int = 7, height: int = 6) -> Position:
    """The position after these moves."""
    position = Position(width, height)
    for column in columns:
        position = position.play(column)
    return position


def read_records(folder: Path) -> list[GameRecord]:
    """The finished games of a run."""
    return list(read_games(folder, lambda _: None))
