"""GameRecord: one finished game, as the journal holds it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from connect4_agent import errors
from connect4_agent.agents.faults import FaultKind
from connect4_agent.rules.notation import moves_of
from connect4_agent.rules.position import MOVE_SIGNS, Position
from connect4_agent.rules.scores import Mistake
from connect4_agent.text import escaped

AgentName = Annotated[str, AfterValidator(escaped)]
"""The name of an agent; signs that change a terminal's state, or the direction of writing, are written out."""

Opening = tuple[int, ...]
"""The columns of a game's first moves."""


MOST_ATTEMPTS = 3
"""How often a game is played in which an agent was late only because the machine was busy."""

PlayersMs = tuple[float | None, float | None]
"""Milliseconds of player 1 and player 2; None for a built-in player, and where the system does not tell."""


class Ending(StrEnum):
    """Why a game ended; a closed set."""

    FOUR = "four in a row"
    DRAW = "draw"
    ILLEGAL_MOVE = FaultKind.ILLEGAL_MOVE.value
    MALFORMED_REPLY = FaultKind.MALFORMED_REPLY.value
    TIMED_OUT = FaultKind.TIMED_OUT.value
    CRASHED = FaultKind.CRASHED.value
    WOULD_NOT_START = FaultKind.WOULD_NOT_START.value
    OUT_OF_MEMORY = FaultKind.OUT_OF_MEMORY.value
    TOO_MANY_PROCESSES = FaultKind.TOO_MANY_PROCESSES.value
    FORFEITED = "forfeited"
    DISQUALIFIED = "disqualified"
    ADJUDICATED = "adjudicated"
    STOPPED = "stopped"

    @property
    def is_fault(self) -> bool:
        """Whether an agent broke the protocol or its time limit."""
        return self.value in tuple(FaultKind)

    @property
    def is_rated(self) -> bool:
        """Whether the game says something about strength: it was played, and played to a result."""
        return self not in (Ending.FORFEITED, Ending.DISQUALIFIED, Ending.STOPPED)


class Fault(BaseModel):
    """What an agent did wrong, with the evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    player: int = Field(ge=1, le=2)
    """The player number of the agent at fault."""
    detail: str
    """What was wrong, for people."""
    reply: str | None = None
    """The beginning of the raw line."""
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
    """A judged move. Scores are from the side that made it: what the position was worth, and what the move left."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score_before: int
    score: int
    mistake: Mistake | None = None
    """What the move gave away; the moves of an opening are nobody's mistakes."""


class ScheduledGame(BaseModel):
    """A game's place in its schedule, and how it begins. Columns are 0-based."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: int = Field(ge=0)
    """The game's place in the schedule, the same in every run of that schedule."""
    round: int = Field(ge=0)
    """Openings are indexed by round, so every pairing plays the same opening in the same round."""
    pair: int = Field(ge=0)
    """The same for the two games of a pairing that share an opening with sides swapped."""
    agents: tuple[AgentName, AgentName]
    """The names of player 1 and player 2."""
    first: int = Field(ge=1, le=2)
    """The player number that made the first move of the opening, or of the game."""
    width: int
    height: int
    opening: Opening


class GameRecord(ScheduledGame):
    """What became of a scheduled game; `columns` begins with the opening's moves."""

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
    isolation: str = ""
    """What kept the programs from each other and from the manager, such as `bubblewrap 0.8.0`; empty if nothing did."""
    cpu_ms: PlayersMs = (None, None)
    """How long the programs' threads have run on a core, added up, while the opponent was thinking too."""
    waited_ms: PlayersMs = (None, None)
    """How long they were ready to run and waited for a core."""
    attempt: int = Field(default=1, ge=1, le=MOST_ATTEMPTS)
    machine_busy: bool = False
    """Whether the loser was late only because it waited for a core; then the game is played again, if it may be."""
    started: str = ""
    """UTC, ISO 8601."""
    judged: tuple[MoveJudgement | None, ...] | None = None
    """What the solver found about every move of `columns`; None if it was not asked, and in the journal.

    None for a move of which it could prove nothing: the first ones on a board other than 7x6.
    """

    @property
    def is_replayed(self) -> bool:
        """Whether another attempt at the game counts, and not this one."""
        return self.machine_busy and self.attempt < MOST_ATTEMPTS

    @property
    def moves(self) -> str:
        """The moves as a string that `Position.from_moves` reads. Raises NotationError on boards too wide for it."""
        if self.width > len(MOVE_SIGNS):
            raise errors.NotationError(
                f"the board has {self.width} columns; move strings have signs for {len(MOVE_SIGNS)}; use `columns`"
            )
        return moves_of(self.columns)

    @property
    def position(self) -> Position:
        """The board at the end of the game."""
        return Position(self.width, self.height, self.first).after(self.columns)

    def _repr_svg_(self) -> str:
        """The board at the end of the game, for notebooks."""
        return self.position.svg()

    def mover_of(self, ply: int) -> int:
        """The player number that makes the move with this index."""
        return self.first if ply % 2 == 0 else 3 - self.first

    @property
    def losing_ply(self) -> int | None:
        """The index of the loser's first move that is proven to have made its game a lost one.

        None if nobody lost, the game is not judged, or the loser made no such move: the opening was
        lost already, or the game was lost by a fault alone.
        """
        if self.winner is None:
            return None
        for ply, move in enumerate(self.judged or ()):
            is_losing = move is not None and move.mistake in (Mistake.DRAW_TO_LOSS, Mistake.WIN_TO_LOSS)
            if is_losing and self.mover_of(ply) != self.winner:
                return ply
        return None
