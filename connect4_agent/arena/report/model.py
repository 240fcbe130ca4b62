"""The report on a run's games, as plain values.

The fields of Report and of the values in it are the keys of `connect4-agent report --json`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from connect4_agent.arena.report.ratings import Estimate, SprtBounds, SprtState  # pydantic describes Report


@dataclass(slots=True)
class Outcomes:
    """How often an ending was a win, a draw or a loss, from one agent's side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class MistakeCount:
    """How often an agent made a kind of mistake."""

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
    grades: dict[str, int]
    """How many moves have each grade: best, inaccuracy, mistake, blunder."""
    accuracy: float
    """The mean value of the moves' grades, in percent."""


@dataclass(frozen=True, slots=True)
class AgentReport:
    """One agent's part in the run."""

    name: str
    games: int
    """Rated games; wins, draws, losses, points and score count only these."""
    wins: int
    draws: int
    losses: int
    points: float
    score: float | None
    rating: Estimate
    rating_note: str
    """Why there is no rating; empty if there is one."""
    endings: dict[str, Outcomes]
    """Every game of the agent, rated or not, by its ending."""
    faults: int
    """Games lost by breaking the protocol or the time limit."""
    overruns: int
    """Moves that took longer than the limit, whether or not the grace period covered them."""
    moves: int
    mean_ms: float | None
    slowest_ms: float | None
    startup_ms: float | None
    """The most that it used of its start-up allowance, beyond the time for its first move; null without a program."""
    judged: JudgedPlay | None
    """Null if none of its moves was judged."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The rated games between two agents, from a's side."""

    a: str
    b: str
    games: int
    distinct_games: int
    wins: int
    draws: int
    losses: int
    points: float
    score: float | None
    elo: Estimate
    superiority: float | None
    pairs: tuple[int, int, int, int, int]
    """Pairs of games with the same opening in which a took 0, half, 1, one and a half, 2 points."""
    unpaired_games: int
    pair_elo: Estimate
    pair_superiority: float | None
    sprt: SprtState | None
    pair_sprt: SprtState | None


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


@dataclass(frozen=True, slots=True)
class FirstFault:
    """The first game in which an agent made a kind of fault."""

    agent: str
    ending: str
    game: int
    count: int
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """The report on a run's games."""

    run: str
    games: int
    rated_games: int
    distinct_games: int
    """Rated games that differ in seats, first player or columns."""
    void_games: int
    """Games that could not be played, though no agent is at fault."""
    due_games: int
    """Games that were lost on time and are to be continued; until then they count as lost."""
    isolation: dict[str, int]
    """How many games with programs were played, by the weakest isolation of their programs."""
    judged_games: int
    """Games whose moves the solver has judged."""
    anchor: str | None
    """The agent that is rated 0; null if the mean of the rated agents is 0."""
    sprt_bounds: SprtBounds | None
    agents: list[AgentReport]
    """From the strongest to the weakest."""
    pairings: list[Pairing]
    slowest: list[SlowMove]
    faults: list[FirstFault]
    notes: list[str] = field(default_factory=list)
    """What a reader should know before trusting the figures."""

    def _repr_html_(self) -> str:
        """The crosstable and the ratings, for notebooks."""
        from connect4_agent.arena.report.html import fragment_of  # noqa: PLC0415  # it knows this module

        return fragment_of(self)

    def __str__(self) -> str:
        """The tables as plain text, as `connect4-agent report` prints them."""
        from connect4_agent.arena.report.text import text_of  # noqa: PLC0415  # it knows this module

        return text_of(self)
