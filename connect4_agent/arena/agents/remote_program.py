"""A program below a worker of its own, as a contestant of a game in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from connect4_agent.arena.agents.contestant import Move
from connect4_agent.arena.agents.program import ProgramContestant
from connect4_agent.arena.confinement import choose_isolation
from connect4_agent.arena.faults import FaultError
from connect4_agent.arena.spec import DEFAULT_STARTUP, AgentSpec, default_grace
from connect4_agent.arena.worker import SPARE_SECONDS, Worker, Workplace
from connect4_agent.rules.position import Position


class RemoteProgram:
    """A program that plays against a player of this process; after a fault it is started again.

    Another game, or a move taken back, gets a new process, unless it `answers_anything`.
    """

    def __init__(self, spec: AgentSpec, *, answers_anything: bool = False) -> None:
        self.spec = spec
        self._answers_anything = answers_anything
        self._worker: Worker | None = None
        self._asked: Position | None = None
        """The last position that the present process was asked about; None if there is none."""

    def move(self, position: Position, time_limit: float | None = None, poll: Callable[[], None] | None = None) -> Move:
        """Return its move, with another limit than its own if one is given. Raises FaultError and WorkerLostError.

        `poll` is called now and then while it thinks, and may raise to end it.
        """
        limit = time_limit or self.spec.time_limit
        seconds = None
        if limit is not None:
            grace = default_grace(limit) if self.spec.grace is None else self.spec.grace
            seconds = limit + grace + (self.spec.startup or DEFAULT_STARTUP) + SPARE_SECONDS
        try:
            if self._asked is not None and not self._is_same_game(self._asked, position):
                with suppress(FaultError):
                    self.end()
            if self._worker is None:
                self._worker = Worker()
            if self._asked is None:
                self._begin_game(self._worker, position)
            self._asked = position
            question = {"grid": position.grid(), "player": position.player, "time_limit": limit}
            return Move(*self._worker.call(ask_program, seconds, poll, **question))
        except FaultError:
            with suppress(FaultError):
                self.end()
            raise
        except BaseException:  # its next answer might belong to this question
            self.kill()
            raise

    def _begin_game(self, worker: Worker, position: Position) -> None:
        spec = self.spec.model_copy(update={"isolation": choose_isolation(self.spec.isolation)})
        command = self._command(position)
        worker.call(begin_game, SPARE_SECONDS, spec=spec.model_dump(mode="json"), command=command)

    def _command(self, position: Position) -> tuple[str, ...]:
        return self.spec.command_for(position.player, position.width, position.height)

    def _is_same_game(self, last: Position, position: Position) -> bool:
        """Return whether the present process may be asked about a position after this last one."""
        if self._answers_anything:
            return self._command(last) == self._command(position)
        one, two = ((board.player, board.width, board.height) for board in (last, position))
        return (
            one == two
            and position.disc_count > last.disc_count
            and position.discs_1 & last.discs_1 == last.discs_1
            and position.discs_2 & last.discs_2 == last.discs_2
        )

    def dismiss(self) -> None:
        """Do nothing: `end` closes its input."""

    def end(self) -> None:
        """End the process. Raises FaultError if it turns out to have answered more than it was asked."""
        asked, self._asked = self._asked, None
        if self._worker is not None and asked is not None:
            self._worker.call(end_game, SPARE_SECONDS)

    def close(self) -> None:
        """End the process and its worker. Raises FaultError as `end` does."""
        try:
            self.end()
        finally:
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.close()

    def kill(self) -> None:
        """End everything at once."""
        worker, self._worker, self._asked = self._worker, None, None
        if worker is not None:
            worker.kill()


# ---- in the worker ---------------------------------------------------------------------------------------------------


def begin_game(place: Workplace, spec: dict[str, Any], command: Sequence[str]) -> None:
    """Keep a program for the questions of a game."""
    place.kept = ProgramContestant(AgentSpec.model_validate(spec), command, place.watch)


def ask_program(
    place: Workplace, grid: list[list[int]], player: int, time_limit: float | None
) -> tuple[int, float, float, Mapping[str, float]]:
    """Return the parts of the program's move."""
    program: ProgramContestant = place.kept
    column, elapsed_seconds, startup_seconds, stats = program.move(Position.from_grid(grid, player), time_limit)
    return column, elapsed_seconds, startup_seconds, stats


def end_game(place: Workplace) -> None:
    """End the program."""
    program: ProgramContestant = place.kept
    program.end()
