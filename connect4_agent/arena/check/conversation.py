"""A conversation with an agent: what a manager sends, what comes back in time, and what is wrong with it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from connect4_agent import errors
from connect4_agent.arena.agents.faults import FaultError
from connect4_agent.arena.agents.process import FAREWELL_SECONDS, AgentProcess, Watch, end_programs
from connect4_agent.arena.agents.spec import AgentSpec, RequestForm
from connect4_agent.arena.check import diagnosis
from connect4_agent.arena.check.result import Answer, Diagnosis, Finding, Kind, Tier
from connect4_agent.rules.position import Position
from connect4_agent.server.replies import read_move
from connect4_agent.server.request import request_of

MAX_OUTPUT_BYTES = 1 << 16
"""What is kept of an agent's output; what goes beyond is read and dropped."""

CHUNK_BYTES = 1 << 14

REACTION_SECONDS = 0.5
"""How soon after the end of its input an agent that held its answer back prints it."""

COMPUTING_SHARE = 0.1
"""An agent that uses the processor for more than this share of the time, even of a busy machine, is computing."""

MOSTLY = 0.5

MORE_SECONDS = 0.3
"""How long further lines are waited for after a bad one: they tell what it was."""


class Timing(NamedTuple):
    """How long an agent may take."""

    first_seconds: float
    """For its first answer, the start included."""
    move_seconds: float
    """For every later one, and for its end."""
    waiting_seconds: float = 0.0
    """How much longer an answer is waited for, to tell a slow agent from one that waits for the end of its input."""
    is_unbuffered: bool = False
    """Whether its output is made to come at once, as far as that is possible from outside."""


Talk = Callable[["Conversation"], Diagnosis | None]
"""Sends and reads; what was wrong, if anything was."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One process: for which player it is started, and what is said to it."""

    talk: Talk
    player: int = 1
    arguments: tuple[str, ...] | None = None
    """What is added to the command line; None for what the arena adds."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that managers do, in one process or in several."""

    name: str
    title: str
    tier: Tier
    sittings: tuple[Sitting, ...]
    fix: str = ""
    """What to do if nothing but this fails."""
    width: int = 7
    height: int = 6

    def not_tried(self, status: str) -> Finding:
        """The finding for a case that was not tried."""
        return Finding.model_validate({"name": self.name, "title": self.title, "tier": self.tier, "status": status})


class Conversation:
    """An agent in a worker; leaving the `with` block ends it with all that it has started. Raises FaultError."""

    def __init__(self, spec: AgentSpec, command: Sequence[str], timing: Timing, watch: Watch) -> None:
        self.spec = spec
        self.timing = timing
        self.sent = b""
        self.received = b""
        self.output_ended = False
        self.answers: list[Answer] = []
        self.first_seconds: float | None = None
        self._lines = 0
        self._taken = 0
        self._watch = watch
        self._asked_at = perf_counter()
        # As in the arena. But a missing flush must show here as it shows in other managers.
        unbuffered = "1" if timing.is_unbuffered else None
        environment = {"PYTHONUNBUFFERED": unbuffered, **spec.environment}
        if timing.is_unbuffered and shutil.which("stdbuf") is not None:
            command = ("stdbuf", "-oL", *command)
        self.process = AgentProcess(spec, command, environment, watch)

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.is_broken = True  # no farewell: it had its time
        end_programs([self.process], (), self._watch)

    # ---- what cases do ----------------------------------------------------------------------------------------------

    def ask(self, position: Position) -> Diagnosis | None:
        """Send a request as the arena would, and read the move."""
        request = request_of(position, grid_only=self.spec.request is RequestForm.GRID)
        return self.send(request + b"\n") or self.hear(position)

    def send(self, data: bytes) -> Diagnosis | None:
        """Write all of it."""
        self._take_in()
        if rest := self._rest:
            return diagnosis.beyond_answers(rest) if self._lines else diagnosis.chatter(rest, "before any request")
        self.sent += data
        self._asked_at = perf_counter()
        deadline = self._asked_at + self._allowed_seconds
        with suppress(BrokenPipeError):  # which shows when the answer is read
            while data := self.process.write(data):
                if not self._wait(deadline, for_room=True):
                    return diagnosis.silent(self._allowed_seconds, is_computing=False)
        return None

    def hear(self, position: Position | None) -> Diagnosis | None:
        """Read an answer for this position; any line will do if it is None."""
        line = self._read_line(self._asked_at + self._allowed_seconds)
        problem = None
        if line is None:
            problem = self._no_answer()
        elif not line:
            problem = self._ended()
        elif not line.endswith(b"\n"):
            problem = diagnosis.no_newline(line)
        elif position is not None and (problem := diagnosis.diagnose_reply(line)) is not None:
            self._watch_for(MORE_SECONDS)
            problem = diagnosis.diagnose_reply(line, self._rest.splitlines())
        if position is not None:
            move = read_move(line) if problem is None and line else None
            self.answers.append(Answer(tuple(map(tuple, position.grid())), position.player, move))
            problem = problem or diagnosis.illegal_move(self.answers[-1])
        if problem is None:
            if not self._lines:
                self.first_seconds = perf_counter() - self.process.started_at
            self._lines += 1
        return problem

    @property
    def last_move(self) -> int:
        """The column of the last answer."""
        move = self.answers[-1].move
        assert move is not None
        return move

    def finish(self) -> Diagnosis | None:
        """End the input. No further answer may come while the arena would still listen, and no text before that."""
        self._take_in()
        early = self._rest
        self.process.end_input()
        self._watch_for(FAREWELL_SECONDS)
        problem = diagnosis.beyond_answers(self._rest) if self._rest.strip() else None
        return problem if early or (problem is not None and problem.kind is Kind.TWO_ANSWERS) else None

    def finish_cleanly(self) -> Diagnosis | None:
        """End the input. Nothing may come, and the agent has to end with status 0."""
        self.process.end_input()
        self._watch_for(self.timing.move_seconds)
        if rest := self._rest:
            return diagnosis.beyond_answers(rest)
        status = self._exit_status(self.timing.move_seconds)
        if status is None or not self.output_ended:
            text = f"it still runs {self.timing.move_seconds:.2g} s after the end of its input"
            return Diagnosis(Kind.LINGERS, text, diagnosis.END_FIX)
        if status != 0:
            reason = diagnosis.reason_in(self.process.stderr_tail())
            text = f"at the end of its input it ends with exit status {status}" + (f": {reason}" if reason else "")
            return Diagnosis(Kind.EXIT_STATUS, text, diagnosis.END_FIX)
        return None

    # ---- why there is no answer -------------------------------------------------------------------------------------

    @property
    def _allowed_seconds(self) -> float:
        return self.timing.move_seconds if self._lines else self.timing.first_seconds

    def _no_answer(self) -> Diagnosis:
        """Wait longer; then end the input, which brings an answer that was held back."""
        began_at, waited = self._asked_at, self.timing.waiting_seconds
        cpu_before = self.process.processor_seconds() if waited else 0.0
        if waited and self._read_line(perf_counter() + waited):
            return diagnosis.too_slow(self.spec, perf_counter() - began_at, is_first=not self._lines)
        elapsed = perf_counter() - began_at
        if self.output_ended:
            return self._ended()
        if partial := self._rest:
            return diagnosis.no_newline(partial)
        cpu_seconds = self.process.processor_seconds()
        # Without a wait, much of the time may have gone into the start.
        share = COMPUTING_SHARE if waited else MOSTLY
        is_computing = (cpu_seconds or 0.0) - (cpu_before or 0.0) > share * (waited or elapsed)
        self.process.end_input()
        self._watch_for(REACTION_SECONDS)
        if not is_computing and self._rest.strip():
            return diagnosis.held_back()
        return diagnosis.silent(elapsed, is_computing=is_computing)

    def _ended(self) -> Diagnosis:
        status = self._exit_status(self.timing.move_seconds)
        if self.process.has_failed_to_isolate():
            raise errors.WorkerLostError(f"bubblewrap failed: {self.process.stderr_tail().strip()}")
        return diagnosis.ended(self.spec, status, self.process.stderr_tail(), self._lines)

    # ---- the pipes --------------------------------------------------------------------------------------------------

    @property
    def _rest(self) -> bytes:
        """What has come beyond the lines that were read."""
        return self.received[self._taken :]

    def _read_line(self, deadline: float) -> bytes | None:
        """The next line with its end; at the end of output the rest, perhaps empty; None if none comes in time."""
        while True:
            end = self.received.find(b"\n", self._taken)
            if end >= 0 or self.output_ended:
                start = self._taken
                self._taken = end + 1 if end >= 0 else len(self.received)
                return self.received[start : self._taken]
            if len(self.received) >= MAX_OUTPUT_BYTES or not self._wait(deadline):
                return None

    def _watch_for(self, seconds: float) -> None:
        """Take in what comes until the end of output, or until the time is up."""
        deadline = perf_counter() + seconds
        self._take_in()
        while not self.output_ended and len(self.received) < MAX_OUTPUT_BYTES and self._wait(deadline):
            pass

    def _exit_status(self, seconds: float) -> int | None:
        deadline = perf_counter() + seconds
        while self.process.exit_status is None and self._wait(deadline):
            pass
        return self.process.exit_status

    def _wait(self, deadline: float, *, for_room: bool = False) -> bool:
        """Take in what comes next; False at the deadline."""
        if perf_counter() >= deadline:
            return False
        has_ended = self.process.exit_status is not None
        if not has_ended:
            self.process.wait(deadline, for_output=not self.output_ended, for_room=for_room)
        self._take_in()
        # The output of an agent that has ended is there, unless a child of it holds the pipe.
        return not has_ended or not self.output_ended

    def _take_in(self) -> None:
        if not self.output_ended:
            chunk = self.process.read(CHUNK_BYTES)
            self.output_ended = chunk is None
            self.received += (chunk or b"")[: MAX_OUTPUT_BYTES - len(self.received)]


def run_case(spec: AgentSpec, case: Case, timing: Timing, watch: Watch) -> Finding:
    """Try one case, in a worker: each of its sittings in a new process, until one fails."""
    finding = case.not_tried("passed")
    for sitting in case.sittings:
        command = spec.command_for(sitting.player, case.width, case.height)
        if sitting.arguments is not None:
            command = (*(spec.command or ()), *sitting.arguments)
        finding = _hold(spec, command, sitting.talk, timing, watch, finding)
        if finding.diagnosis is not None:
            break
    return finding


def _hold(
    spec: AgentSpec, command: tuple[str, ...], talk: Talk, timing: Timing, watch: Watch, finding: Finding
) -> Finding:
    """Let an agent talk in a new process; the finding with what came of it."""
    try:
        conversation = Conversation(spec, command, timing, watch)
    except FaultError as error:
        problem: Diagnosis | None = diagnosis.ended(spec, None, error.detail, 0)
        return finding.model_copy(update={"status": "failed", "diagnosis": problem, "command": command})
    with conversation:
        problem = talk(conversation)
        process = conversation.process
        if process.excess is not None:
            problem = diagnosis.too_much(process.excess.detail)
        return finding.model_copy(
            update={
                "status": "failed" if problem else "passed",
                "diagnosis": problem,
                "command": command,
                "sent": _text(conversation.sent),
                "received": _text(conversation.received),
                "stderr": process.stderr_tail(),
                "stderr_bytes": process.stderr_bytes,
                "answers": (*finding.answers, *conversation.answers),
                "first_seconds": conversation.first_seconds,
            }
        )


def _text(data: bytes) -> str:
    return data.decode(errors="backslashreplace")
