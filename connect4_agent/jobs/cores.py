"""The cores of this machine, and how busy they are."""

from __future__ import annotations

import os

from connect4_agent.text import counted


def core_count() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load_per_core() -> float:
    """Return the processes that ran or waited for a core in the last minute, for each core."""
    return os.getloadavg()[0] / core_count()


def describe_load() -> str:
    """Return in words how busy the machine has been in the last minute."""
    return f"{os.getloadavg()[0]:.1f} on {counted(core_count(), 'core')}"
