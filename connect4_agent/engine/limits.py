"""Limits: how long a search may take, the one place that says it, and how a search is ended.

Everything that may take long calls a `poll` every few milliseconds. A poll ends a search by raising; nothing else does.
What it raises reaches the caller: OutOfTimeError from `timed_poll`, which players and analyses catch to answer with
what they have; TooHardError from a NodeBound; ReaderGoneError from a server whose reader has left; or the error of a
caller's own poll.

Without a time limit, the default for proofs depends on the number of nodes that the solver needs to prove the empty
board. It is known in advance (`python -m tools.benchmarks.empty_boards` computes it, and a test proves some boards
again): at run time it would take as long as the search for a move.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.rules.position import USUAL_SIZE, Position, require_position
from connect4_agent.text import short

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.engine import Engine

PROVABLE_NODES = 60_000_000
"""Boards whose empty position takes no more nodes than this are worth waiting for."""

PROVABLE_ROWS = (40, 31, 20, 11, 8, 6, 6, 4, 4, 2, 2, 2, *(1,) * 12)
"""The rows of the highest such board, by its columns from 1 on; wider boards are too hard."""

QUICK_NODES = 2_000_000
"""With no more nodes than this, the scores of all columns take about a second at most."""

QUICK_ROWS = (40, 30, 14, 8, 6, 5, 4, 3, 2, 2, *(1,) * 10)
"""The rows of PROVABLE_ROWS, for QUICK_NODES."""

PROVABLE_SECONDS = 10.0
"""The default time for proofs on provable boards that are not quick."""

OTHER_SECONDS = 2.0
"""The default time for proofs on other boards, and for searches on boards too large for compiled code."""

PROOF_SHARE = 0.5
"""The part of a time limit that goes to proofs before a search takes over."""

PATIENT_SHARE = 0.9
"""The same for default times if a proof can be expected."""

LEAST_SECONDS = 0.001
"""The least time for a search, however late it is."""

REPLY_SECONDS = 0.005
"""The part of a time limit that is reserved for sending the answer; at most a tenth of the limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The time for one move, and what may end a search. Raises BadValueError for a time that is not above 0."""

    seconds: float | None = None
    """The time for the move; None for no limit."""
    poll: Callable[[], None] = field(default_factory=lambda: do_nothing, repr=False)  # its address is in no signature
    """Called every few milliseconds of a search. It may raise to end the search; what it raises reaches the caller."""
    explain: bool = False
    """True if the player is to find the play that it expects, too, `Choice.line`."""
    clock: Callable[[], float] = field(default=monotonic, repr=False)
    """Tells the time in seconds."""
    proof_share: float = field(default=PROOF_SHARE, repr=False)
    """The part of the time that goes to proofs before a search takes over."""

    def __post_init__(self) -> None:
        try:
            is_good = self.seconds is None or (0 < self.seconds < float("inf") and not isinstance(self.seconds, bool))
        except TypeError:
            is_good = False
        if not is_good:
            raise errors.BadValueError(
                f"seconds is {self.seconds!r}; allowed are numbers above 0, and None for no limit"
            )

    def at_most(self, seconds: float | None) -> Limits:
        """Return the same limits with at most this time; None changes nothing."""
        if seconds is None or (self.seconds is not None and self.seconds <= seconds):
            return self
        return replace(self, seconds=seconds)

    def for_proofs(self, width: int, height: int, form: str | None = None) -> Limits:
        """Return these limits; without a time limit, those for exact scores on boards of this size.

        Where they are quick, that is still no limit. `form` is the solver's, None the one that runs here.
        """
        if self.seconds is not None:
            return self
        if is_quick(width, height, form):
            return replace(self, proof_share=PATIENT_SHARE)
        if is_provable(width, height, form):
            return replace(self, seconds=PROVABLE_SECONDS, proof_share=PATIENT_SHARE)
        return replace(self, seconds=OTHER_SECONDS)

    def for_search(self, width: int, height: int) -> Limits:
        """Return these limits; without a time limit, those for a search of boards of this size."""
        return self.at_most(OTHER_SECONDS) if self.seconds is None and forms.is_slow(width, height) else self

    def since(self, started: float) -> Limits:
        """Return the same limits less the time since `started`, but never less than LEAST_SECONDS."""
        if self.seconds is None:
            return self
        return replace(self, seconds=max(self.seconds - (self.clock() - started), LEAST_SECONDS))

    def timed_poll(self, started: float | None = None, share: float = 1.0) -> Callable[[], None]:
        """Return a poll that calls `poll`, and raises OutOfTimeError when a share of the time since `started` is over.

        `started` is by default now.
        """
        if self.seconds is None:
            return self.poll
        poll, clock = self.poll, self.clock
        seconds = self.seconds * share
        deadline = (clock() if started is None else started) + seconds - min(REPLY_SECONDS, seconds / 10)

        def poll_clock() -> None:
            poll()
            if clock() >= deadline:
                raise errors.OutOfTimeError(f"the time limit of {seconds} s is reached")

        return poll_clock


NO_LIMITS = Limits()
"""No time limit."""


def check_question(position: Position, limits: Limits, purpose: str) -> None:
    """Raise BadValueError if one of these is another value, and GameOverError, which names the purpose."""
    require_position(position)
    if not isinstance(limits, Limits):
        raise errors.BadValueError(f"limits is {short(repr(limits))}; allowed is a Limits, such as Limits(seconds=0.1)")
    position.check_unfinished(purpose)


class NodeBound:
    """Bounds the solver's nodes for each position: a number that, unlike seconds, is the same on every machine.

    `poll` raises TooHardError after `most_nodes` of the engine's nodes since the bound was made or renewed.
    """

    def __init__(self, engine: Engine, most_nodes: float) -> None:
        self._engine = engine
        self._most_nodes = most_nodes
        self.renew()

    def renew(self) -> None:
        """Count from here: another position is asked for."""
        self._last = self._engine.nodes + self._most_nodes

    def poll(self) -> None:
        """End the search that calls this if it takes too many nodes."""
        if self._engine.nodes > self._last:
            raise errors.TooHardError(f"the proof takes more than {self._most_nodes:,} nodes")


def is_quick(width: int, height: int, form: str | None = None) -> bool:
    """Return whether exact scores on boards of this size nearly always take at most a second."""
    is_fast = forms.solver_form(width, height, form) != forms.PLAIN
    return is_fast and ((width, height) == USUAL_SIZE or _is_within(QUICK_ROWS, width, height))


def is_provable(width: int, height: int, form: str | None = None) -> bool:
    """Return whether the solver, compiled, proves the empty board within PROVABLE_NODES."""
    return forms.solver_form(width, height, form) != forms.PLAIN and _is_within(PROVABLE_ROWS, width, height)


def _is_within(rows: tuple[int, ...], width: int, height: int) -> bool:
    return width <= len(rows) and height <= rows[width - 1]
