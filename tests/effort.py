"""How much the tests try at random: a quarter, or all of it where CONNECT4_AGENT_THOROUGH is set, as CI does."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

IS_THOROUGH = os.environ.get("CONNECT4_AGENT_THOROUGH", "0") not in ("", "0")
FEWEST = 10


def share(count: int) -> int:
    """How many of that many random cases this run tries."""
    return count if IS_THOROUGH else min(count, max(FEWEST, count // 4))


def examples(count: int, *allowed: HealthCheck) -> settings:
    """That many examples of a property in a thorough run, fewer in others."""
    return settings(max_examples=share(count), suppress_health_check=[*settings().suppress_health_check, *allowed])


def load_profile() -> None:
    """What all properties share: neither a busy machine nor an example remembered from another run may fail them."""
    unhurried = [HealthCheck.too_slow]
    settings.register_profile(
        "own", max_examples=share(100), deadline=None, database=None, suppress_health_check=unhurried
    )
    settings.load_profile("own")
