"""Compliance: does an agent keep the protocol? Runs cases against it and says what a failure would cost.

Every case has a process of its own. What managers send is in cases.py; here is what a reply must be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from connect4_agent import errors
from connect4_agent.arena.agents.faults import FaultError
from connect4_agent.arena.agents.process import Watch
from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.arena.check.check_process import CheckProcess
from connect4_agent.arena.worker import Worker
from connect4_agent.wire.replies import read_move

STDERR_BYTES_PER_ANSWER = 3072
"""What an agent may write to standard error for each answer: managers that never read it have small pipes."""

MAX_EXTRA_SECONDS = 2.0
"""The most that an extra case waits for an answer: agents that do not understand it may never give one."""

HANGS = "managers set no time limit: the game waits forever"
ENDS = "the manager reads the end of output where it expects a line, and stops with an error"
NO_MOVE = "an answer without a move ends the Racket drivers, and the match with them"
NOT_WHOLE = "one manager or another breaks on a move that is not a JSON integer"
PASSES = "managers take a column that cannot be played as a silent pass: the opponent moves twice in a row"
SHIFTS = "the extra output is read as the next answer: from there on every move is for an older position"
LINGERS = "managers close the input and never kill: the process stays behind, one for every game"
UNCLEAN = "arenas that look at the exit status count the game as a crash"
BYTES_FIELDS = ("sent", "received", "stderr_tail")
CLOGS = "managers that never read standard error stop both sides once the pipe is full"


@dataclass(frozen=True, slots=True)
class Problem:
    """What was wrong, and what it would do in a real manager."""

    text: str
    effect: str


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that managers do: words added to the command line, and a talk with the agent."""

    name: str
    title: str
    talk: Callable[[CheckProcess], Problem | None]
    arguments: tuple[str, ...] = ()
    is_extra: bool = False
    """Whether agents need not handle it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a case; `status` is "passed", "failed", "skipped" or "not run"."""

    name: str
    title: str
    status: str
    command: tuple[str, ...] = ()
    problem: Problem | None = None
    sent: bytes = b""
    received: bytes = b""
    stderr_tail: bytes = b""
    is_extra: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Its fields for a line of JSON."""
        texts = {name: getattr(self, name).decode("latin-1") for name in BYTES_FIELDS}
        return {**asdict(self), **texts}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Finding:
        """What `to_dict` gave."""
        problem = values["problem"]
        changes = {
            "command": tuple(values["command"]),
            "problem": None if problem is None else Problem(**problem),
            **{name: values[name].encode("latin-1") for name in BYTES_FIELDS},
        }
        return cls(**{**values, **changes})


def run_cases(
    spec: AgentSpec,
    cases: Sequence[Case],
    sizes: Sequence[tuple[int, int]],
    limit_seconds: float,
    skipped: frozenset[str] = frozenset(),
) -> Iterator[Finding]:
    """Try the cases one after the other; after a first one that brings no move, the others are not run."""
    is_dead = lingers = False
    worker = Worker()
    try:
        for number, case in enumerate(cases):
            if case.name in skipped or is_dead:
                yield Finding(case.name, case.title, "not run" if is_dead else "skipped", is_extra=case.is_extra)
                continue
            limit = min(limit_seconds, MAX_EXTRA_SECONDS) if case.is_extra else limit_seconds
            job = {"do": "check", "spec": spec.model_dump(mode="json"), "case": case.name, "sizes": sizes}
            answer = worker.ask({**job, "limit_seconds": limit, "awaits_end": not lingers})
            finding = Finding.from_dict(answer)
            effect = finding.problem.effect if finding.problem else ""
            is_dead = number == 0 and effect in (HANGS, ENDS)
            # An agent that once did not end would cost the whole limit in every later case, for nothing new.
            lingers = lingers or effect == LINGERS
            yield finding
    finally:
        worker.close()


def run_case(spec: AgentSpec, case: Case, limit_seconds: float, watch: Watch, *, awaits_end: bool = True) -> Finding:
    """Try one case in a new process; with `awaits_end`, output is watched until the agent ends it."""
    words = (*(spec.command or ()), *case.arguments)
    try:
        process = CheckProcess(spec, words, limit_seconds, watch, awaits_end=awaits_end)
    except FaultError as error:
        problem = Problem(f"{words[0]} cannot be started: {error.detail}", ENDS)
        return Finding(case.name, case.title, "failed", words, problem, is_extra=case.is_extra)
    with process:
        problem_found = case.talk(process)
        if process.process.has_failed_to_isolate():
            raise errors.WorkerLostError(f"bubblewrap failed: {process.process.stderr_tail().strip()}")
        if (excess := process.process.excess) is not None:
            problem_found = Problem(f"it was killed: {excess.detail}", ENDS)
        return Finding(
            case.name,
            case.title,
            "failed" if problem_found else "passed",
            words,
            problem_found,
            process.sent,
            process.received,
            process.process.stderr_tail().encode(),
            case.is_extra,
        )


def ask(process: CheckProcess, data: bytes, *answers: frozenset[int] | None) -> Problem | None:
    """Send and read as many answers: each one of these columns, or any line where no move exists (None)."""
    if not process.send(data):
        return _no_answer(process, "the agent does not read its input")
    return hear(process, *answers)


def hear(process: CheckProcess, *answers: frozenset[int] | None) -> Problem | None:
    """Read as many answers to what was sent."""
    for allowed in answers:
        line = process.read_line()
        if line is None:
            return _no_answer(process, f"no whole line within {process.limit_seconds:g} s")
        problem = check_reply(line, allowed)
        if problem is not None:
            return problem if line else _no_answer(process, problem.text)
    return None


def check_reply(line: bytes, allowed: frozenset[int] | None) -> Problem | None:
    """What is wrong with an answer line, if anything is."""
    if not line:
        return Problem("the output ended where an answer was due", ENDS)
    if not line.endswith(b"\n"):
        return Problem("the answer is not ended by a newline", HANGS)
    return None if allowed is None else _check_move(line, allowed)


def _check_move(line: bytes, allowed: frozenset[int]) -> Problem | None:
    try:
        move = read_move(line)
    except errors.MoveNotWholeError as error:
        return Problem(str(error), NOT_WHOLE)
    except errors.ReplyError as error:
        return Problem(str(error), NO_MOVE)
    if move not in allowed:
        return Problem(f"column {move} cannot be played; open are {', '.join(map(str, sorted(allowed)))}", PASSES)
    return None


def finish(process: CheckProcess, *, wait: bool = False) -> Problem | None:
    """End the input: nothing more may come. With `wait`, the agent has to end as well, with status 0."""
    process.close_input()
    if process.read_rest():
        return Problem("there is output beyond the answers", SHIFTS)
    if not wait or not process.awaits_end:
        return None
    status = process.exit_status()
    if status is None or not process.output_ended:
        return Problem(f"the agent still runs {process.limit_seconds:g} s after the end of its input", LINGERS)
    if status != 0:
        return Problem(f"the exit status is {status}, not 0", UNCLEAN)
    return None


def _no_answer(process: CheckProcess, text: str) -> Problem:
    """Why nothing came: an answer that was held back comes with the end of input; a crash has left a status."""
    process.close_input()
    rest = process.read_rest()
    if rest:
        return Problem(f"{text}; it came when the input was closed: the answer is not flushed", HANGS)
    if not process.output_ended:
        return Problem(text, HANGS)
    status = process.exit_status()
    return Problem(f"{text}; " + ("it still runs" if status is None else f"exit status {status}"), ENDS)
