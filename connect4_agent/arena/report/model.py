"""The report on a run's games, as plain values.

The fields of Report and of the values in it are the keys of `connect4-agent report --json`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from connect4_agent.arena.faults import Ending
from connect4_agent.arena.statistics.ratings import UNKNOWN, Estimate
from connect4_agent.arena.statistics.sprt import SprtBounds, SprtState

DID_NOT_PLAY = "did not play"
NOT_READY = "not ready"
FAULTS = {ending.value: ending.value.replace(" ", "_") for ending in Ending if ending.is_fault}
"""The columns of faults, by the endings of their games."""
RESULTS = (
    "name", "version", "ready", "problem", "games", "won", "drawn", "lost", "points", "share", "share_low",
    "share_high", *FAULTS.values(), "errors_per_100_moves", "accuracy", "strongest_level_beaten", "unclear_level",
    "games_to_decide", "rating", "rating_low", "rating_high",
)  # fmt: skip
"""The columns of results.csv, which has a row for every entry of a folder; AgentReport.to_dict has them and others."""


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
    """yes, no or unclear: yes if the 95 % interval of its pairs of games lies above one half, no if below."""
    games_to_decide: int | None
    """While unclear, about how many games would decide it, if all were like those played; null if these are even."""


@dataclass(slots=True)
class AgentReport:
    """One agent's part in the run: a row of the standings. Games are counted into it one by one."""

    name: str
    version: str = ""
    status: str = ""
    """Empty, or why not all of its games are played (paused, disqualified, did not play, not ready)."""
    status_reason: str = ""
    ready: str = ""
    """yes or no, by its check; empty for an agent that is not an entry of a folder."""
    remark: str = ""
    """The remarks of the check about an entry that is ready."""
    check: list[str] = field(default_factory=list)
    """The check of an entry as lines of text."""
    ranks: tuple[int, int] | None = None
    """The range of its rank; null without a rating, and for a reference that the run names."""
    points: float = 0.0
    games: int = 0
    """The games that points are counted over, whether played, or lost without being played."""
    share: Estimate = UNKNOWN
    """Points / games, with the 95 % interval of its pairs of games."""
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
        return self.status not in (DID_NOT_PLAY, NOT_READY)

    @property
    def strongest_beaten(self) -> str | None:
        """The last reference that the agent beats; references are named from the weakest to the strongest."""
        return next((name for name, against in reversed(self.references.items()) if against.beats == "yes"), None)

    @property
    def undecided(self) -> str | None:
        """The first reference after that of which it is unclear."""
        names = list(self.references)
        later = names[names.index(self.strongest_beaten) + 1 :] if self.strongest_beaten else names
        return next((name for name in later if self.references[name].beats == "unclear"), None)

    def to_dict(self) -> dict[str, Any]:
        """Return a line of a table of agents: `pandas.DataFrame(agent.to_dict() for agent in run.standings)`.

        Games that were not played count as won by the opponent of the excluded agent, as in the points.
        """
        won, ranks = self.points - self.draws / 2, self.ranks or (None, None)
        level = self.strongest_beaten or ("unclear" if self.undecided else "none")
        return {
            "name": self.name,
            "version": self.version,
            "ready": self.ready,
            "problem": self.status_reason or self.remark,
            "games": self.games,
            "won": round(won),
            "drawn": self.draws,
            "lost": round(self.games - won - self.draws),
            "points": self.points,
            "share": self.share.value,
            "share_low": self.share.low,
            "share_high": self.share.high,
            **{key: self.endings[kind].lost if kind in self.endings else 0 for kind, key in FAULTS.items()},
            "errors_per_100_moves": self.judged.errors.per_100_moves if self.judged else None,
            "accuracy": self.judged.accuracy if self.judged else None,
            "strongest_level_beaten": level if self.references else "",
            "unclear_level": self.undecided,
            "games_to_decide": self.undecided and self.references[self.undecided].games_to_decide,
            "rating": self.rating.value,
            "rating_low": self.rating.low,
            "rating_high": self.rating.high,
            "rank_low": ranks[0],
            "rank_high": ranks[1],
            "status": self.status,
            "not_played": self.not_played,
            "mean_ms": self.mean_ms,
            "slowest_ms": self.slowest_ms,
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
    """The standings, from the strongest to the weakest, then those that did not play, then entries not ready."""
    pairings: list[Pairing]
    faults: list[FirstFault]
    warnings: list[str] = field(default_factory=list)
    """Reasons to doubt the figures."""
    notes: list[str] = field(default_factory=list)
    """Remarks on how the games were played."""
