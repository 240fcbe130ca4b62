"""Report: what a run's games add up to, as plain values.

The fields of Report and of the values in it are the keys of `connect4-agent report --json`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import ValidationError

from connect4_agent import errors
from connect4_agent.arena.ratings import Estimate, SprtBounds, SprtState  # noqa: TC001  # pydantic describes Report
from connect4_agent.arena.record import GameRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

JOURNAL_NAME = "games.jsonl"


def read_games(run: Path, note: Callable[[str], None]) -> Iterator[GameRecord]:
    """The games of a run's journal, one at a time; a half-written last line is left out and noted."""
    journal = run / JOURNAL_NAME
    try:
        file = journal.open("rb")
    except OSError as error:
        reason = "no such folder" if not run.exists() else f"{JOURNAL_NAME}: {error.strerror}"
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: {reason}") from None
    seen: set[int] = set()
    with file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                note(f"line {number} of {journal} is half-written and was left out")
                return
            record = read_game(line, number, journal)
            if record.game in seen:
                raise errors.RunFolderError(f"line {number} of {journal}: game {record.game} is there a second time")
            seen.add(record.game)
            yield record


def read_game(line: bytes, number: int, journal: Path) -> GameRecord:
    """One line of a journal. Raises RunFolderError."""
    try:
        return GameRecord.model_validate_json(line)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, found["loc"])) or "the line"
        raise errors.RunFolderError(f"line {number} of {journal}: {place}: {found['msg']}") from None


@dataclass(slots=True)
class Outcomes:
    """How often an ending was a win, a draw, a loss, or left a game unfinished, from one agent's side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    unfinished: int = 0


@dataclass(frozen=True, slots=True)
class MistakeCount:
    """How often an agent made a kind of mistake."""

    count: int
    per_100_moves: float


@dataclass(frozen=True, slots=True)
class JudgedPlay:
    """What the solver says of an agent's moves; those of openings are not among them."""

    moves: int
    errors: MistakeCount
    """Moves that change the result, if both sides play on perfectly: win to draw, win to loss, draw to loss."""
    mistakes: dict[str, MistakeCount]
    """Every kind by itself, also slower wins and sooner losses, which are no errors."""


@dataclass(frozen=True, slots=True)
class AgentReport:
    """One agent's part in the run."""

    name: str
    games: int
    """Rated games; the same goes for wins, draws, losses, points and score."""
    wins: int
    draws: int
    losses: int
    points: float
    score: float | None
    rating: Estimate
    rating_note: str
    """Why there is no rating; empty where there is one."""
    endings: dict[str, Outcomes]
    """Every game of the agent, rated or not, by its ending."""
    faults: int
    """Games lost by breaking the protocol or the time limit."""
    overruns: int
    """Moves that took longer than the limit, whether or not the grace saved them."""
    moves: int
    mean_ms: float | None
    slowest_ms: float | None
    judged: JudgedPlay | None
    """Null where none of its moves is judged."""


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
    """Pairs of games with one opening in which a took 0, half, 1, one and a half, 2 points."""
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
    """False where the referee gave up waiting."""


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
    """What a run's games add up to."""

    run: str
    games: int
    rated_games: int
    distinct_games: int
    """Rated games that differ in seats, beginner or columns."""
    forfeited_games: int
    stopped_games: int
    judged_games: int
    """Games whose moves the solver has judged."""
    anchor: str | None
    """The agent that is rated 0; null where the mean of the rated agents is 0."""
    sprt_bounds: SprtBounds | None
    agents: list[AgentReport]
    """From the strongest to the weakest."""
    pairings: list[Pairing]
    slowest: list[SlowMove]
    faults: list[FirstFault]
    notes: list[str] = field(default_factory=list)
    """What a reader should know before believing the figures."""
