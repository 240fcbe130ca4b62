"""The work of building a book: positions solved in many places at once, and files that survive a stop."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING, TypeVar

from connect4_agent import errors
from connect4_agent.executor import run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from connect4_agent.executor import Executor
    from connect4_agent.interrupts import Stop
    from connect4_agent.position import Position

Job = TypeVar("Job")
Result = TypeVar("Result")

CHUNK_POSITIONS = 16
"""How many neighbours of the walk a worker solves between two reports."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one step of the work is."""

    step: str
    done: int
    total: int


class WorkFile:
    """Lines of `key value ...`, appended and flushed as they come; a line cut short by a stop is dropped."""

    def __init__(self, path: Path) -> None:
        self.known: dict[int, tuple[int, ...]] = {}
        if path.exists():
            text = path.read_text("ascii")
            whole = text[: text.rfind("\n") + 1]
            for line in whole.splitlines():
                key, *values = map(int, line.split())
                self.known[key] = tuple(values)
            if whole != text:
                path.write_text(whole, "ascii")
        self._file = path.open("a", encoding="ascii")

    def add(self, found: Iterable[tuple[int, ...]]) -> None:
        """Keep these lines."""
        lines = []
        for key, *values in found:
            self.known[key] = tuple(values)
            lines.append(" ".join(map(str, (key, *values))) + "\n")
        self._file.write("".join(lines))
        self._file.flush()

    def __enter__(self) -> WorkFile:
        """The file, open for more."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file."""
        self._file.close()


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where positions are solved, who is told how far that is, and whether to begin nothing new."""

    where: Executor
    report: Callable[[Progress], None]
    stop: Stop

    def solve_missing(
        self,
        step: str,
        positions: Iterable[Position],
        solve: Callable[[tuple[Position, ...]], list[tuple[int, ...]]],
        work: WorkFile,
    ) -> None:
        """Solve those of the positions whose keys the work file does not have, and write down what is found.

        Raises BuildStoppedError where a stop was asked for; what had begun is written down before.
        """
        wanted = list(positions)
        missing = [position for position in wanted if position.key not in work.known]
        done = len(wanted) - len(missing)
        self.report(Progress(step, done, len(wanted)))
        chunks = takewhile(lambda _: not self.stop.is_asked, _chunks(missing, CHUNK_POSITIONS))
        for found in fan_out(self.where, solve, chunks):
            work.add(found)
            done += len(found)
            self.report(Progress(step, done, len(wanted)))
        if self.stop.is_asked:
            raise errors.BuildStoppedError(f"stopped at {done} of {len(wanted)} {step}")


def fan_out(where: Executor, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """The function's results for all jobs, as they come."""
    for _, future in run_jobs(where, function, jobs):
        try:
            yield future.result()
        except BrokenExecutor as error:
            raise errors.BookError(f"a worker process has died ({error})") from error


def _chunks(positions: Iterable[Position], size: int) -> Iterator[tuple[Position, ...]]:
    source = iter(positions)
    while chunk := tuple(islice(source, size)):
        yield chunk
