"""GameRecord: one finished game, as the journal holds it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, field_serializer

from connect4_agent import errors
from connect4_agent.arena.faults import Ending, Fault, Milliseconds
from connect4_agent.arena.spec import MAX_SECONDS, AgentName, Isolation, TimeLimits
from connect4_agent.reasons.judge import JudgedGame, JudgedMove
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.rules.notation import MOVE_SIGNS, format_moves
from connect4_agent.rules.position import Position
from connect4_agent.server.replies import MAX_STAT, MAX_STAT_NAME, MAX_STATS

Opening = tuple[int, ...]
"""The columns of a game's first moves."""

MAX_NUMBER = 10**9
"""The highest number of a game, and of games that are the same but for their number."""

MAX_SUM = MAX_STAT * LARGEST_SIDE**2

# Bounds keep a forged journal from breaking what reads it.
Number = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE)]


Stats = dict[
    Annotated[str, Field(min_length=1, max_length=MAX_STAT_NAME)],
    Annotated[int | float, Field(ge=-MAX_SUM, le=MAX_SUM)],
]
"""Sums of the numbers that came with answers."""


class Overrun(NamedTuple):
    """A move that took longer than the limit, whether or not the grace saved it."""

    ply: int
    """The index of the move in `columns`; one past the last one if the move never came."""
    player: int
    elapsed_ms: float
    limit_ms: float


class GameKey(BaseModel):
    """The identity of a game: two games with the same key are the same game. Columns are 0-based."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agents: tuple[AgentName, AgentName]
    """The names of player 1 and player 2."""
    versions: tuple[str, str]
    """The versions of both."""
    opening: Opening
    begins: int = Field(ge=1, le=2)
    """The player number that makes the first move of the opening, or of the game."""
    repeat: int = Field(default=0, ge=0, le=MAX_NUMBER)
    """The number of earlier games that are the same in everything else: openings may be used again."""


class GameRecord(BaseModel):
    """A finished game; `columns` begins with the opening's moves."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: Number
    """The number of the game, given when it is first begun, and kept if it is played again."""
    key: GameKey
    width: Side
    height: Side
    seed: int = Field(ge=-(2**63), lt=2**63)
    """The seed of the run when the game was played."""
    columns: tuple[int, ...]
    times_ms: tuple[Milliseconds, ...]
    """The thinking time of every move after the opening, in the order of `columns`."""
    ending: Ending
    winner: int | None = Field(default=None, ge=1, le=2)
    """The player number of the winner; None for a draw."""
    fault: Fault | None = None
    limits: tuple[TimeLimits, TimeLimits] = (TimeLimits(), TimeLimits())
    """The limits of both players."""
    isolation: Isolation | None = None
    """The weakest isolation of the game's programs; None if no program played."""
    load: float | None = Field(default=None, ge=0, le=MAX_NUMBER)
    """The load of the machine for each core at the end of the game; None if no program played."""
    startup_ms: tuple[Milliseconds | None, Milliseconds | None] = (None, None)
    """The time that both programs used of their start-up allowance, beyond the limit for a move; None for a player."""
    stats: tuple[Stats, Stats] = ({}, {})
    """The sums of the numbers that both programs sent with their answers, by their names."""
    started: str = Field(default="", pattern=r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00)?$")
    """UTC, ISO 8601."""
    judged: InstanceOf[JudgedGame] | None = None
    """The solver's judgement of every move of `columns`; None if it was not asked, and in the journal.

    In JSON, the scores and the mistake of every move, null for one of which nothing is proven.
    """

    @field_serializer("judged")
    def _dump_judged(self, judged: JudgedGame | None) -> list[dict[str, int | str | None] | None] | None:
        return None if judged is None else [_dump_move(move) for move in judged.moves]

    @property
    def agents(self) -> tuple[str, str]:
        """The names of player 1 and player 2."""
        return self.key.agents

    @property
    def opening(self) -> Opening:
        """The columns of the moves that were given."""
        return self.key.opening

    @property
    def first(self) -> int:
        """The player number that made the first move of the opening, or of the game."""
        return self.key.begins

    @property
    def winner_name(self) -> str | None:
        """The name of the agent that won; None for a draw."""
        return None if self.winner is None else self.agents[self.winner - 1]

    @property
    def agent_at_fault(self) -> str | None:
        """The name of the agent that lost the game by a fault; None if none did."""
        return None if self.fault is None else self.agents[self.fault.player - 1]

    def fault_words(self, command: Sequence[str] | None) -> str:
        """Return what went wrong, with a hint if the program of this command never answered; empty without a fault."""
        if self.fault is None:
            return ""
        has_moved = any(self.mover_of(ply) == self.fault.player for ply in range(len(self.opening), len(self.columns)))
        if has_moved or command is None or self.ending is not Ending.TIMED_OUT:
            return self.fault.words
        return f"{self.fault.words}; is its output flushed? connect4-agent check {shlex.quote(shlex.join(command))}"

    @property
    def overruns(self) -> list[Overrun]:
        """The moves that took longer than their limits."""
        times_ms = [*self.times_ms, *([] if self.fault is None else [self.fault.elapsed_ms or 0.0])]
        found = []
        for ply, elapsed_ms in enumerate(times_ms, len(self.opening)):
            player = self.mover_of(ply)
            limit_ms = round(1000 * (self.limits[player - 1].time_limit or MAX_SECONDS), 3)
            if elapsed_ms > limit_ms:
                found.append(Overrun(ply, player, elapsed_ms, limit_ms))
        return found

    @property
    def moves(self) -> str:
        """The moves as a string that `Position.from_moves` reads. Raises NotationError on boards too wide for it."""
        if self.width > len(MOVE_SIGNS):
            raise errors.NotationError(
                f"the board has {self.width} columns; move strings have signs for {len(MOVE_SIGNS)}; use `columns`"
            )
        return format_moves(self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return a line of a table of games: `pandas.DataFrame(game.to_dict() for game in run.games)`."""
        slowest: list[float | None] = [None, None]
        for ply, elapsed_ms in enumerate(self.times_ms, len(self.opening)):
            player = self.mover_of(ply)
            slowest[player - 1] = max(slowest[player - 1] or 0.0, elapsed_ms)
        fits = self.width <= len(MOVE_SIGNS)
        return {
            "game": self.game,
            "player_1": self.agents[0],
            "player_2": self.agents[1],
            "version_1": self.key.versions[0],
            "version_2": self.key.versions[1],
            "began": self.first,
            "opening": format_moves(self.opening) if fits else None,
            "moves": format_moves(self.columns) if fits else None,
            "winner": self.winner,
            "winner_name": self.winner_name,
            "ending": self.ending.value,
            "fault_of": self.agent_at_fault,
            "fault": None if self.fault is None else self.fault.words,
            "plies": len(self.columns),
            "slowest_ms_1": slowest[0],
            "slowest_ms_2": slowest[1],
            "started": self.started,
        }

    @property
    def position(self) -> Position:
        """The board at the end of the game."""
        return Position(self.width, self.height, self.first).after(self.columns)

    def mover_of(self, ply: int) -> int:
        """Return the player number that makes the move with this index."""
        return self.first if ply % 2 == 0 else 3 - self.first

    @property
    def losing_ply(self) -> int | None:
        """The index of the loser's first move that is proven to have made its game a lost one.

        None if nobody lost, the game is not judged, or the loser made no such move: the opening was
        lost already, or the game was lost by a fault alone.
        """
        if self.winner is None or self.judged is None:
            return None
        return self.judged.losing_ply(3 - self.winner)


def add_stats(sums: Stats, stats: Mapping[str, float]) -> None:
    """Add numbers to sums of the same names; at most MAX_STATS names are kept."""
    for name, value in stats.items():
        if name in sums or len(sums) < MAX_STATS:
            sums[name] = sums.get(name, 0) + value


def _dump_move(move: JudgedMove) -> dict[str, int | str | None] | None:
    if move.score is None:
        return None
    return {"score_before": move.score_before, "score": move.score, "mistake": move.mistake}


FOUND_AT_ANY_TIME = (Ending.MALFORMED_REPLY, Ending.WOULD_NOT_START)
"""Faults that may show in the other one's turn: an answer too many, even after the last move, and a bad command."""


def contradiction_in(record: GameRecord) -> str | None:
    """Return what replaying the moves of a record shows to be wrong about it; None if nothing is."""
    moves = len(record.columns) - len(record.opening)
    if record.columns[: len(record.opening)] != record.opening:
        return "the columns do not begin with the opening"
    if len(record.times_ms) != moves:
        return f"there are {len(record.times_ms)} times for {moves} moves after the opening"
    position = Position(record.width, record.height, record.first)
    for ply, column in enumerate(record.columns):
        try:
            position = position.play(column)
        except (errors.IllegalMoveError, errors.GameOverError) as error:
            return f"move {ply + 1}: {error}"
    return _wrong_ending(record, position)


def _wrong_ending(record: GameRecord, position: Position) -> str | None:
    """Return what is wrong about a game's ending and winner; `position` is its last one."""
    ending, fault = record.ending, record.fault
    by_rules = (Ending.FOUR, Ending.FULL)
    problem = None
    if position.is_over and ending is not Ending.MALFORMED_REPLY:
        shown = by_rules[position.winner is None]
        if (ending, record.winner) != (shown, position.winner):
            problem = f"{ending.value!r} won by {record.winner}, but the board shows {shown.value!r}, {position.winner}"
    elif ending in by_rules:
        problem = f"the ending is {ending.value!r}, but the game is not over"
    elif (fault is None) != (ending is Ending.ADJUDICATED):
        problem = f"the ending is {ending.value!r}, but there is {'no' if fault is None else 'a'} fault"
    elif fault is not None:
        if record.winner != 3 - fault.player:
            problem = f"winner is {record.winner}, but player {fault.player} is at fault"
        elif ending not in FOUND_AT_ANY_TIME and fault.player != position.player:
            problem = f"player {fault.player} is at fault, but it was the other player's turn"
    return problem
