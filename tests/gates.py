"""A gate for the agent tests/arena/agents/gated.py: a test decides how many of its games begin."""

from __future__ import annotations

from pathlib import Path

from tests.arena.helping import command_of
from tests.processes import wait_until


class Gate:
    """Games of the agent `command` begin only if the gate lets them through: nothing depends on who is quicker."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self.command = command_of("gated", str(folder))
        self.let_through(0)

    def let_through(self, number: int) -> None:
        """Let the first games through, this many since the beginning."""
        new = self._folder / "new"
        new.write_text(str(number), encoding="ascii")
        new.replace(self._folder / "let_through")

    def open(self) -> None:
        """Let all games through, also those to come."""
        self.let_through(1_000_000)

    @property
    def begun(self) -> int:
        """How many games have come to the gate."""
        path = self._folder / "begun"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def wait_for(self, number: int) -> None:
        """Wait until this many have come."""
        wait_until(lambda: self.begun >= number)
