"""Courses for tests: rolls without submissions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.roll import EntryVersion, Roll
from connect4_agent.arena.entries.unpacking import Origin

HANDED_IN = datetime(2026, 11, 28, 21, 4, tzinfo=UTC)


def version_of(verdict: Verdict, number: int = 1, **changes: Any) -> EntryVersion:
    """A version of an entry that was tried."""
    reason = "a banner" if verdict is Verdict.NOT_READY else ""
    values: dict[str, Any] = {
        "files": {},
        "handed_in": HANDED_IN,
        "is_tried": True,
        "reason": reason,
        "command": ("python3", "a.py"),
    }
    return EntryVersion(number=number, verdict=verdict, **(values | changes))


def roll_of(verdicts: Mapping[str, Verdict], config: CourseConfig | None = None) -> Roll:
    """A roll of entries with one version each."""
    roll = Roll(config=config or CourseConfig())
    for entry, verdict in zip(
        roll.entries_of([Origin(name=name) for name in verdicts]), verdicts.values(), strict=True
    ):
        entry.versions = [version_of(verdict)]
    return roll
