"""Agent: who plays, and what the manager grants it."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from enum import StrEnum

from connect4_agent import errors
from connect4_agent.agents.confinement import DEFAULT_CONFINEMENT, Confinement
from connect4_agent.engine.players.player import Player
from connect4_agent.engine.players.registry import parse_player


class StartForm(StrEnum):
    """What an agent gets on its command line; managers differ."""

    BARE = "bare"
    FLAGS = "flags"
    """--player 1 --width 7 --height 6."""
    WORDS = "words"
    """1 1 7 7 6 6."""


class RequestForm(StrEnum):
    """What a request line holds."""

    FULL = "full"
    """grid, height, player and width."""
    GRID = "grid"


def command_words(agent: str) -> tuple[str, ...] | None:
    """The words of an AGENT that is a command line; None for a built-in player. Raises AgentError if it is neither."""
    try:
        parse_player(agent)
    except errors.PlayerSpecError as error:
        reason = str(error)
    else:
        return None
    try:
        words = tuple(shlex.split(agent))
    except ValueError as error:
        raise errors.AgentError(f"agent {agent!r} is not a command line: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise errors.AgentError(
            f"agent {agent!r} is neither a command that can be found nor a built-in player: {reason}"
        )
    return words


DEFAULT_STARTUP_SECONDS = 10.0
DEFAULT_GRACE_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Agent:
    """A player by its description (`player`), a Python object (`python`), or a program (`command`)."""

    name: str
    player: str | None = None
    command: tuple[str, ...] = ()
    python: Player | None = None
    environment: tuple[tuple[str, str], ...] = ()
    """What is added to the runner's environment."""
    directory: str | None = None
    start: StartForm = StartForm.BARE
    request: RequestForm = RequestForm.FULL
    limit_seconds: float | None = None
    """The time for a move; None is as long as it likes."""
    grace_seconds: float = DEFAULT_GRACE_SECONDS
    """How much later than its limit an answer may come before the game is lost."""
    startup_seconds: float = DEFAULT_STARTUP_SECONDS
    """The time for starting, beside that of the first move."""
    restart: bool = True
    """Whether every game gets a new process."""
    confinement: Confinement = DEFAULT_CONFINEMENT
    """What its processes may use."""
    pause_waiting: bool = False
    """Whether it is stopped while its opponent thinks."""

    def command_for(self, player: int, width: int, height: int) -> tuple[str, ...]:
        """The command line for a game."""
        if self.start is StartForm.FLAGS:
            return (*self.command, "--player", str(player), "--width", str(width), "--height", str(height))
        if self.start is StartForm.WORDS:
            doubled = [str(number) for number in (player, width, height) for _ in range(2)]
            return (*self.command, *doubled)
        return self.command
