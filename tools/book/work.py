"""The work of building a book: positions solved in parallel, and files that survive a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from typing import TypeVar

from connect4_agent import errors
from connect4_agent.jobs.executor import Executor, SchedulerLostError, run_jobs
from connect4_agent.jobs.interrupts import Stop
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.position import Position

Job = TypeVar("Job")
Result = TypeVar("Result")

CHUNK_POSITIONS = 16
"""How many neighbouring positions a worker solves between two reports."""


class WorkFile:
    """Lines of `key value ...`, appended and flushed one by one; a line cut short by a stop is dropped."""

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

    def add(self, rows: Iterable[tuple[int, ...]]) -> None:
        """Write these lines."""
        lines = []
        for key, *values in rows:
            self.known[key] = tuple(values)
            lines.append(" ".join(map(str, (key, *values))) + "\n")
        self._file.write("".join(lines))
        self._file.flush()

    def __enter__(self) -> WorkFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


@dataclass(frozen=True, slots=True)
class BookBuild:
    """Where positions are solved, what shows the progress, and whether to stop starting new work."""

    executor: Executor
    progress: Progress
    stop: Stop

    def solve_missing(
        self,
        step: str,
        positions: Iterable[Position],
        solve: Callable[[tuple[Position, ...]], list[tuple[int, ...]]],
        work: WorkFile,
    ) -> None:
        """Solve the positions whose keys the work file does not have, and write down what is found.

        Raises BookError if a stop was requested; work in progress is finished and written down first.
        """
        wanted = list(positions)
        missing = [position for position in wanted if position.key not in work.known]
        done = len(wanted) - len(missing)
        self.progress.begin(len(wanted), done, step)
        chunks = takewhile(lambda _: not self.stop.is_asked, _chunks(missing, CHUNK_POSITIONS))
        for rows in fan_out(self.executor, solve, chunks):
            work.add(rows)
            done += len(rows)
            self.progress.count(done)
        if self.stop.is_asked:
            raise errors.BookError(f"stopped at {done} of {len(wanted)} {step}")


def fan_out(executor: Executor, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """The function's results for all jobs, as they come."""
    try:
        for _, future in run_jobs(executor, function, jobs):
            yield future.result()
    except SchedulerLostError as error:
        raise errors.BookError(str(error)) from error
    except BrokenExecutor as error:
        raise errors.BookError(f"a worker process has died ({error})") from error


def _chunks(positions: Iterable[Position], size: int) -> Iterator[tuple[Position, ...]]:
    source = iter(positions)
    while chunk := tuple(islice(source, size)):
        yield chunk
