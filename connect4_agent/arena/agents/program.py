"""A program below this process, as a contestant: started when it is first asked, and ended after its game."""

from __future__ import annotations

from collections.abc import Sequence

from connect4_agent import errors
from connect4_agent.arena.agents.contestant import Move, find_problem
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.process import Process, Watch
from connect4_agent.arena.spec import AgentSpec, RequestForm, default_grace
from connect4_agent.rules.position import Position
from connect4_agent.server.replies import move_or_none, read_move, read_stats
from connect4_agent.server.request import make_request


class ProgramContestant:
    """A program in one game."""

    def __init__(self, spec: AgentSpec, command: Sequence[str], watch: Watch) -> None:
        self._spec = spec
        self._command = command
        self._watch = watch
        self._process: Process | None = None

    def move(self, position: Position, time_limit: float | None = None) -> Move:
        """Ask the program, with another limit than its own if one is given. Raises FaultError."""
        spec = self._spec
        if self._process is None:
            self._process = Process(spec, self._command, self._watch)
        request = make_request(position, grid_only=spec.request is RequestForm.GRID)
        limit = time_limit or spec.time_limit
        grace = default_grace(limit) if spec.grace is None else spec.grace
        reply = self._process.ask(request, limit, grace)
        try:
            column = read_move(reply.line)
        except errors.ReplyError as error:
            raise self._process.refuse(Ending.MALFORMED_REPLY, str(error), reply) from None
        if (problem := find_problem(position, column)) is not None:
            raise self._process.refuse(Ending.ILLEGAL_MOVE, problem, reply)
        self._process.rest()
        stats = read_stats(self._process.redact(reply.line)) if b"stats" in reply.line else {}
        return Move(column, reply.elapsed_seconds, reply.startup_seconds, stats)

    def dismiss(self) -> None:
        """Close the program's input."""
        if self._process is not None:
            self._process.end_input()

    def end(self) -> None:
        """End the program with all that it has started. Raises FaultError if it answered more than it was asked."""
        process, self._process = self._process, None
        if process is None:
            return
        extra = next((line for line in process.end() if move_or_none(line) is not None), None)
        if extra is not None and not process.is_broken:
            # One answer too many: nobody can tell which of the moves were answers to their requests.
            detail = "it printed more answers than there were requests"
            raise FaultError(Ending.MALFORMED_REPLY, detail, reply=process.redact(extra))
