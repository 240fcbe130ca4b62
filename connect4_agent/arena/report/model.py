"""The report on a run's games, as plain values.

The fields of Report and of the values in it are the keys of `connect4-agent report --json`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from connect4_agent.arena.statistics.ratings import UNKNOWN, Estimate
from connect4_agent.arena.statistics.sprt import SprtBounds, SprtState

DID_NOT_PLAY = "did not play"


@dataclass(slots=True)
class Outcomes:
    """The wins, draws and losses by one ending, from one agent's side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class MistakeCount:
    """The number of an agent's mistakes of one kind."""

    count: int
    per_100_moves: float


@dataclass(frozen=True, slots=True)
class JudgedPlay:
    """The solver's judgement of an agent's moves, without those of openings."""

    moves: int
    errors: MistakeCount
    """Moves that change the result under perfect play: win to draw, win to loss, draw to loss."""
    mistakes: dict[str, MistakeCount]
    """Each kind on its own, including slower wins and sooner losses, which are not errors."""
    accuracy: float
    """The mean of what the moves count for, in percent: 75 for slower wins and sooner losses, 25 for half a point."""


@dataclass(frozen=True, slots=True)
class AgainstReference:
    """An agent's played games against a reference, and who is the stronger one."""

    points: float
    games: int
    beats: str
    """yes, no or unclear, at 95 %, from the pairs of games."""


@dataclass(slots=True)
class AgentReport:
    """One agent's part in the run: a row of the standings. Games are counted into it one by one."""

    name: str
    version: str = ""
    status: str = ""
    """Empty, or why not all of its games are played (paused, disqualified, did not play)."""
    status_reason: str = ""
    ranks: tuple[int, int] | None = None
    """The range of its rank; null without a rating, and for a reference that the run names."""
    points: float = 0.0
    games: int = 0
    """The games that points are counted over, whether played, or lost without being played."""
    score: float | None = None
    """Points / games."""
    rating: Estimate = UNKNOWN
    rating_note: str = DID_NOT_PLAY
    """Why there is no rating; empty if there is one."""
    wins: int = 0
    """Wins, draws and losses are those of played games."""
    draws: int = 0
    losses: int = 0
    not_played: int = 0
    """Games that are lost without being played, because the agent or its opponent is excluded."""
    references: dict[str, AgainstReference] = field(default_factory=dict)
    endings: dict[str, Outcomes] = field(default_factory=lambda: defaultdict(Outcomes))
    """Every played game of the agent by its ending."""
    faults: int = 0
    """Games lost by breaking the protocol or the time limit."""
    overruns: int = 0
    """Answers after the limit, but within the grace, which count."""
    moves: int = 0
    mean_ms: float | None = None
    slowest_ms: float | None = None
    startup_ms: float | None = None
    """The most that it used of its start-up allowance, beyond the time for its first move; null without a program."""
    judged: JudgedPlay | None = None
    """The judgement of its moves; null if none was judged."""
    stats: dict[str, float] = field(default_factory=dict)
    """The sums of the numbers that the agent sent with its answers, by their names."""

    @property
    def did_play(self) -> bool:
        """True if the agent has made a move, or may still do so."""
        return self.status != DID_NOT_PLAY

    def to_dict(self) -> dict[str, Any]:
        """Return a line of a table of agents: `pandas.DataFrame(agent.to_dict() for agent in run.standings)`."""
        ranks = self.ranks or (None, None)
        return {
            "rank_low": ranks[0],
            "rank_high": ranks[1],
            "name": self.name,
            "version": self.version,
            "status": self.status,
            "points": self.points,
            "games": self.games,
            "score": self.score,
            "rating": self.rating.value,
            "rating_low": self.rating.low,
            "rating_high": self.rating.high,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "not_played": self.not_played,
            "faults": self.faults,
            "errors_per_100_moves": self.judged.errors.per_100_moves if self.judged else None,
            "accuracy": self.judged.accuracy if self.judged else None,
            "mean_ms": self.mean_ms,
            "slowest_ms": self.slowest_ms,
            **{f"beats {name}": against.beats for name, against in self.references.items()},
        }


@dataclass(slots=True)
class Pairing:
    """The games between two agents, from a's side. Games are counted into it one by one."""

    a: str
    b: str
    points: float = 0.0
    games: int = 0
    """The games that points are counted over, as for an agent."""
    points_b: float = 0.0
    """The points of b, which are the rest unless both agents are excluded."""
    wins: int = 0
    """Wins, draws and losses are those of played games."""
    draws: int = 0
    losses: int = 0
    distinct_games: int = 0
    """Played games that differ in seats, first player or columns."""
    pairs: tuple[int, ...] = (0,) * 5
    """Pairs of games with the same opening in which a took 0, half, 1, one and a half, 2 points; as all below, from
    rated games."""
    unpaired_games: int = 0
    elo: Estimate = UNKNOWN
    """From the pairs, which share the luck of their openings; so are superiority and sprt."""
    superiority: float | None = None
    note: str = ""
    """The reason why Elo difference and superiority are missing; empty if there are any."""
    sprt: SprtState | None = None


@dataclass(frozen=True, slots=True, order=True)
class SlowMove:
    """One of the slowest moves of the run."""

    elapsed_ms: float
    game: int
    ply: int
    """The index of the move in the game's columns."""
    agent: str
    answered: bool
    """False if the referee gave up waiting."""


@dataclass(slots=True)
class FirstFault:
    """The first game in which an agent made a kind of fault."""

    agent: str
    ending: str
    game: int
    count: int
    detail: str
    """The fault in words, with the last line of standard error and, if there is one, a hint."""


@dataclass(frozen=True, slots=True)
class LastGame:
    """One of the games that were begun last."""

    game: int
    agents: tuple[str, str]
    winner: int | None
    ending: str


@dataclass(frozen=True, slots=True)
class Report:
    """The report on a run's games."""

    run: str
    """The name of the run, or the names of all that were joined."""
    wanted_games: int
    to_play: int
    """Wanted games that are still to be played."""
    played_games: int
    not_played: int
    """Wanted games that are lost without being played, because an agent is excluded."""
    rated_games: int
    """Played games between agents that did play."""
    distinct_games: int
    """Rated games that differ in seats, first player or columns."""
    played_again: dict[str, int]
    """The number of games that were played again after each of these agents had lost them by a fault."""
    other_games: int
    """Games of earlier versions, other agents or other openings, which are kept and not counted."""
    isolation: dict[str, int]
    """The number of played games with programs, by the weakest isolation of their programs."""
    judged_games: int
    """Games whose moves the solver has judged."""
    anchor: str | None
    """The agent that is rated 0; null if the mean of the rated agents is 0."""
    references: list[str]
    sprt_bounds: SprtBounds | None
    agents: list[AgentReport]
    """The standings, from the strongest to the weakest, then those that did not play."""
    pairings: list[Pairing]
    slowest: list[SlowMove]
    faults: list[FirstFault]
    last_games: list[LastGame]
    """From the last one back."""
    warnings: list[str] = field(default_factory=list)
    """Reasons to doubt the figures."""
    notes: list[str] = field(default_factory=list)
    """Remarks on how the games were played."""
