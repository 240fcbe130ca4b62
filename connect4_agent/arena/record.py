"""GameRecord: one finished game, as it stands in the journal."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from connect4_agent.engine.judging import Mistake

EXCERPT_BYTES = 1024
"""How much of a faulty reply is kept."""

STDERR_TAIL_BYTES = 8192
"""How much of what an agent last wrote to standard error is kept."""


class Ending(StrEnum):
    """Why a game ended; a closed set."""

    FOUR = "four in a row"
    DRAW = "draw"
    ILLEGAL_MOVE = "illegal move"
    MALFORMED_REPLY = "malformed reply"
    TIMED_OUT = "timed out"
    CRASHED = "crashed"
    WOULD_NOT_START = "would not start"
    FORFEITED = "forfeited"
    ADJUDICATED = "adjudicated"
    STOPPED = "stopped"

    @property
    def is_fault(self) -> bool:
        """Whether an agent broke the protocol or its time limit."""
        return self in _FAULTS

    @property
    def is_rated(self) -> bool:
        """Whether the game says something about strength: it was played, and played to a result."""
        return self not in (Ending.FORFEITED, Ending.STOPPED)


_FAULTS = frozenset(
    {
        Ending.ILLEGAL_MOVE,
        Ending.MALFORMED_REPLY,
        Ending.TIMED_OUT,
        Ending.CRASHED,
        Ending.WOULD_NOT_START,
    }
)


class Fault(BaseModel):
    """What an agent did wrong, with the evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    player: int = Field(ge=1, le=2)
    """The player number of the agent at fault."""
    detail: str
    """What was wrong, for people."""
    reply: str | None = None
    """The raw line, cut at EXCERPT_BYTES."""
    stderr_tail: str = ""
    exit_status: int | None = None
    """As subprocess gives it: negative for a signal; None while the process still ran."""


class Overrun(BaseModel):
    """A move that took longer than the limit, whether or not the grace saved it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ply: int = Field(ge=0)
    """The index of the move in `columns`; one past the last one where the move never came."""
    player: int = Field(ge=1, le=2)
    elapsed_ms: float
    limit_ms: float


class MoveJudgement(BaseModel):
    """The solver's word on a move. Scores are from the side that made it: what the position was worth, what it left."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score_before: int
    score: int
    mistake: Mistake | None = None
    """What the move gave away; the moves of an opening are nobody's mistakes."""


class GameRecord(BaseModel):
    """One game of a schedule. Columns are 0-based; `columns` begins with the opening's moves."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: int = Field(ge=0)
    """The game's place in the schedule: the same in every run of the same schedule."""
    round: int = Field(ge=0)
    """Openings are indexed by round: every pairing plays the same opening in the same round."""
    pair: int = Field(ge=0)
    """The same for the two games of a pairing that share an opening with sides swapped."""
    agents: tuple[str, str]
    """The names of player 1 and player 2."""
    first: int = Field(ge=1, le=2)
    """The player number that made the first move of the opening, or of the game."""
    width: int
    height: int
    opening: tuple[int, ...]
    columns: tuple[int, ...]
    times_ms: tuple[float, ...]
    """The thinking time of every move after the opening, in the order of `columns`."""
    ending: Ending
    winner: int | None = Field(default=None, ge=1, le=2)
    """The player number of the winner; None for a draw or a stopped game."""
    fault: Fault | None = None
    overruns: tuple[Overrun, ...] = ()
    seed: int
    """The seed of the whole schedule."""
    versions: dict[str, str] = Field(default_factory=dict)
    started: str = ""
    """UTC, ISO 8601."""
    judged: tuple[MoveJudgement, ...] | None = None
    """The solver's word on every move of `columns`; None where nobody asked it, and in the journal."""

    def mover_of(self, ply: int) -> int:
        """The player number that makes the move with this index."""
        return self.first if ply % 2 == 0 else 3 - self.first

    @property
    def losing_ply(self) -> int | None:
        """The index of the loser's first move that made its game a lost one.

        None where nobody lost, where the game is not judged, and where the loser made no such move: the opening was
        lost already, or the game was lost by a fault alone.
        """
        if self.winner is None:
            return None
        for ply, move in enumerate(self.judged or ()):
            if move.mistake in (Mistake.DRAW_TO_LOSS, Mistake.WIN_TO_LOSS) and self.mover_of(ply) != self.winner:
                return ply
        return None
