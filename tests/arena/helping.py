"""What the tests of the arena share: agents of tests/agents, and games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from connect4_agent.agents.spec import Agent
from connect4_agent.arena.run.journal import read_games
from connect4_agent.arena.run.record import GameRecord, ScheduledGame
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.rules.position import Position
from tests.processes import REPOSITORY

AGENTS = REPOSITORY / "tests" / "agents"

STUBBORN_PROCESSES = 3 if sys.platform == "linux" else 2
"""Of the stubborn agent: where nobody adopts orphans, the one that left its group is not spoken of."""


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
    granted = {name: settings.pop(name) for name in ("adjudicate", "keep") if name in settings}
    values = {
        "game": 0, "round": 0, "pair": 0, "agents": (one.name, two.name), "first": 1, "width": 7, "height": 6,
        "opening": (),
    }  # fmt: skip
    return GameSetup(ScheduledGame.model_validate({**values, **settings}), (one, two), seed=0, **granted)


def position_after(columns: tuple[int, ...], width: int = 7, height: int = 6) -> Position:
    """The position after these moves."""
    position = Position(width, height)
    for column in columns:
        position = position.play(column)
    return position


def read_records(folder: Path) -> list[GameRecord]:
    """The finished games of a run."""
    return list(read_games(folder, lambda _: None))
