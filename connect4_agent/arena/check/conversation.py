"""A conversation with an agent: what a manager sends, what comes back in time, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple, Protocol

from connect4_agent.arena.check import diagnosis
from connect4_agent.arena.check.result import Answer, Diagnosis, Finding, Kind, Tier
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.process import FAREWELL_SECONDS, Process, Watch
from connect4_agent.arena.spec import AgentSpec, RequestForm
from connect4_agent.rules.position import Position
from connect4_agent.server.replies import move_or_none
from connect4_agent.server.request import make_request

REACTION_SECONDS = 0.5
"""The time that an agent that held its answer back has to print it after the end of its input."""

COMPUTING_SHARE = 0.1
"""An agent that uses the processor for more than this share of the time, even of a busy machine, is computing."""

MORE_SECONDS = 0.3
"""The time for further lines after a bad one: they tell what it was."""


class WrongError(Exception):
    """Ends a conversation in which something was wrong."""

    def __init__(self, diagnosis: Diagnosis) -> None:
        super().__init__(diagnosis.text)
        self.diagnosis = diagnosis


class Timing(NamedTuple):
    """The time for an answer, how much more the first one may take, and how much longer a late one is waited for."""

    limit_seconds: float
    startup_seconds: float = 0.0
    waiting_seconds: float = 0.0


class Session(Protocol):
    """One process: what is said to it, for which player, and what is added to its command line."""

    @property
    def player(self) -> int:
        """The agent's player number."""

    @property
    def arguments(self) -> tuple[str, ...] | None:
        """The words added to the command line; None for those that the arena adds."""

    def talk(self, conversation: Conversation) -> None:
        """Talk to the agent. Raises WrongError."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that managers do, in one process or in several, and what to do if nothing but this fails."""

    name: str
    title: str
    sessions: Sequence[Session]
    fix: str = ""
    tier: Tier = Tier.ROBUST
    wins: Sequence[tuple[int, int]] = ()
    """For every session, the columns that win for player 1 and for player 2, if the agent's side is in question."""


class Conversation:
    """An agent in a worker. Leaving the `with` block ends it with all that it has started."""

    def __init__(self, spec: AgentSpec, command: Sequence[str], timing: Timing, watch: Watch) -> None:
        self.sent = self.received = b""
        self.answers: list[Answer] = []
        self.first_seconds: float | None = None
        self.slowest_seconds = 0.0
        self.result: str | None = None
        self._spec = spec
        self._timing = timing
        self.process = Process(spec, command, watch)
        self.process.startup_seconds = timing.startup_seconds

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.is_broken = True  # no farewell: it had its time
        self.process.end()

    def ask(self, position: Position) -> int:
        """Send a request as the arena would, and return the move. Raises WrongError."""
        self.say(make_request(position, grid_only=self._spec.request is RequestForm.GRID), position)
        move = self.answers[-1].move
        assert move is not None
        return move

    def say(self, request: bytes, position: Position | None) -> None:
        """Send a line, and check the answer; without a position any line is one. Raises WrongError."""
        self.sent += request + b"\n"
        limit_seconds, startup_seconds, waiting_seconds = self._timing
        used_before = self.process.processor_seconds() or 0.0
        is_first, line, wrong = not self.process.answers, b"", None
        try:
            reply = self.process.ask(request, limit_seconds, waiting_seconds)
        except FaultError as fault:
            self.received += (fault.reply or "").encode()
            wrong = self._diagnose(fault, used_before)
        else:
            line = reply.line
            self.received += line + b"\n"
            elapsed_seconds = reply.elapsed_seconds + reply.startup_seconds
            self.slowest_seconds = max(self.slowest_seconds, reply.elapsed_seconds)
            if is_first:
                self.first_seconds = perf_counter() - self.process.started_at
            if elapsed_seconds > limit_seconds + is_first * startup_seconds:
                wrong = diagnosis.too_slow(self._spec, elapsed_seconds, is_first=is_first)
            elif position is not None and diagnosis.diagnose_reply(line) is not None:
                wrong = diagnosis.diagnose_reply(line, self._wait(MORE_SECONDS))
        if position is not None:
            answer = Answer(tuple(map(tuple, position.grid())), position.player, None if wrong else move_or_none(line))
            self.answers.append(answer)
            wrong = wrong or diagnosis.diagnose_move(answer)
        if wrong is not None:
            raise WrongError(wrong)

    def finish(self, *, must_end: bool = False) -> None:
        """End the input. No further answer may come, and no text before that; with `must_end`, nothing at all.

        Then the agent has to end with status 0. Raises WrongError.
        """
        early = self.process.read_extra_lines()
        self.process.end_input()
        rest = self._wait(self._timing.limit_seconds if must_end else FAREWELL_SECONDS)
        if early or (rest and must_end) or any(move_or_none(line) is not None for line in rest):
            raise WrongError(diagnosis.diagnose_extra(rest))
        if must_end and (status := self.process.exit_status) != 0:
            text = "it still runs some time after" if status is None else f"it ends with exit status {status} at"
            raise WrongError(diagnosis.diagnose(Kind.BAD_END, f"{text} the end of its input"))

    def _diagnose(self, fault: FaultError, used_before: float) -> Diagnosis:
        """Return why there was no answer; the end of the input brings one that was held back."""
        if fault.kind is not Ending.TIMED_OUT or fault.reply:
            return diagnosis.diagnose_fault(fault, self.process.answers)
        elapsed_seconds = fault.elapsed_seconds or 0.0
        used_seconds = (self.process.processor_seconds() or 0.0) - used_before
        self.process.end_input()
        if any(move_or_none(line) is not None for line in self._wait(REACTION_SECONDS)):
            text = "the answer comes only when the input is closed: it is not flushed, or all input is read first"
            return diagnosis.diagnose(Kind.NOT_FLUSHED, text)
        doing = "it is waiting for something"
        if used_seconds > COMPUTING_SHARE * elapsed_seconds:
            doing = "it is still computing"
        elif self.process.exit_status == 0:
            doing = "it ends with its input, without a word: perhaps the answer was never flushed"
        parts = zip(self._timing, ("limit with its grace", "to start", "to be sure"), strict=True)
        time = ", ".join(f"{seconds:g} s {name}" for seconds, name in parts if seconds)
        return diagnosis.diagnose(Kind.SILENT, f"no answer within {elapsed_seconds:.2g} s ({time}); {doing}")

    def _wait(self, seconds: float) -> list[bytes]:
        """Wait for the end of the agent, until the time is up; return the lines that it printed beyond its answers."""
        deadline = perf_counter() + seconds
        is_talking = True
        while perf_counter() < deadline and self.process.exit_status is None:
            self.process.wait(deadline, for_output=is_talking)
            is_talking = is_talking and self.process.read_rest()
        rest = self.process.read_extra_lines()
        self.received += b"".join(line + b"\n" for line in rest)
        return rest


def run_case(spec: AgentSpec, case: Case, size: tuple[int, int], timing: Timing, watch: Watch) -> Finding:
    """Try one case, in a worker: each of its sessions in a new process, until one fails."""
    finding = Finding(name=case.name, title=case.title, tier=case.tier)
    for session in case.sessions:
        command = spec.command_for(session.player, *size)
        if session.arguments is not None:
            command = (*spec.words, *session.arguments)
        finding = finding.but(command=command)
        try:
            conversation = Conversation(spec, command, timing, watch)
        except FaultError as fault:
            return finding.but(diagnosis=diagnosis.diagnose_fault(fault, 0))
        with conversation:
            try:
                session.talk(conversation)
            except WrongError as error:
                finding = finding.but(diagnosis=error.diagnosis)
            finding = finding.but(
                sent=conversation.sent.decode(errors="backslashreplace"),
                received=conversation.received.decode(errors="backslashreplace"),
                stderr=conversation.process.stderr_tail(),
                answers=(*finding.answers, *conversation.answers),
                first_seconds=conversation.first_seconds,
                slowest_seconds=conversation.slowest_seconds,
                result=conversation.result,
            )
        if finding.diagnosis is not None:
            return finding
    return finding.but(diagnosis=diagnosis.diagnose_side(finding.answers, case.wins) if case.wins else None)
