"""The cores that this process may use; apart from the executor, which takes too long to load for a server's start."""

from __future__ import annotations

import os


def core_count() -> int:
    """How many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
