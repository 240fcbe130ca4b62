"""A progress that shows nothing, for tests that watch or disturb long work."""

from __future__ import annotations

from collections.abc import Callable

from connect4_agent.jobs.progress import Progress


class SilentProgress(Progress):
    """Remembers how far the work is, and calls a function with every count."""

    def __init__(self, on_count: Callable[[int], None] = lambda _: None) -> None:
        super().__init__()
        self.total = self.done = 0
        self._on_count = on_count

    def begin(self, total: int, done: int = 0, step: str = "") -> None:  # noqa: ARG002  # the steps do not matter
        self.total, self.done = total, done

    def count(self, done: int, note: str = "") -> None:  # noqa: ARG002  # the same
        self.done = done
        self._on_count(done)
