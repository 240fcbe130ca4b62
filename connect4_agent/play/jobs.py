"""What the web server's searches do: a move, an analysis, a judged game; each is a value that travels to a process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from connect4_agent import errors, protocol, server
from connect4_agent.engine import speed
from connect4_agent.engine.analysis import analyze, verdict
from connect4_agent.engine.judging import judge_backwards
from connect4_agent.engine.perfect import SOLVER_SHARE
from connect4_agent.engine.player import LARGE_BOARD_SECONDS, Choice, Limits, Player, poll_until
from connect4_agent.engine.players import parse_player
from connect4_agent.play import models
from connect4_agent.play.hints import Hints, opinions

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position

MOST_PLAYERS = 4
"""How many players a process keeps: each may hold tables of 64 MB or two."""

LAST_SECONDS = 0.5
"""What is left of the longest time for a move of some kind, where a player without a limit has found none."""


class Job(Protocol):
    """A search to be done."""

    def run(self, poll: Callable[[], None]) -> bytes:
        """The answer's body. `poll` is called all the time and raises server.ReaderGoneError to end it."""


@dataclass(frozen=True, slots=True)
class MoveJob:
    """Find a move as the line server does; `seconds` is what the client asked for, `longest_seconds` the cap."""

    position: Position
    spec: str
    seed: int | None
    seconds: float | None
    longest_seconds: float
    explain: bool

    def run(self, poll: Callable[[], None]) -> bytes:
        """The line protocol's reply."""
        started = perf_counter()
        player = CappedPlayer(_kept_player(self.spec, self.seed), self.longest_seconds)
        asked = server.Server(player, seconds=self.seconds, explain=self.explain)
        turn = server.Turn(asked, _Watched(poll), started)
        return server.JsonCodec(explain=self.explain).move(self.position, turn)


@dataclass(frozen=True, slots=True)
class AnalyzeJob:
    """Score every column; where no time is given, for as long as the server allows or a large board deserves."""

    position: Position
    seconds: float | None
    longest_seconds: float

    def run(self, poll: Callable[[], None]) -> bytes:
        """An AnalysisReply."""
        position = self.position
        default = self.longest_seconds if _is_quick(position) else LARGE_BOARD_SECONDS
        seconds = min(self.seconds or default, self.longest_seconds)
        solver = _kept_solver(position.width, position.height)
        started, nodes_before = perf_counter(), solver.nodes
        try:
            clock = poll_until(monotonic(), seconds * SOLVER_SHARE, poll)
            found = analyze(position, poll=clock, solver=solver).document()
        except errors.OutOfTimeError:
            hints = Hints(position, opinions(position, seconds * (1 - SOLVER_SHARE), poll))
            found = _proven(hints)
            found["nodes"] = solver.nodes - nodes_before
            found["elapsed_ms"] = round((perf_counter() - started) * 1000, 3)
        return protocol.encode(models.AnalysisReply(**{"exact": True, **found}))


def _proven(hints: Hints) -> dict[str, Any]:
    """An analysis of what a search could prove; of its opinions, only which columns it likes best."""
    empty_count = hints.position.empty_count
    open_worths = [worth for worth in hints.worths if worth is not None]
    exact = all(worth.exact for worth in open_worths)
    scores = [worth.score if worth is not None and worth.exact else None for worth in hints.worths]
    best = hints.best_columns
    # A column that does not win may be worse than one of which nothing is proven.
    score = scores[best[0]] if exact or (scores[best[0]] or 0) > 0 else None
    return {
        "exact": exact,
        "score": score,
        "verdict": None if score is None else verdict(score, empty_count),
        "scores": scores,
        "verdicts": [None if each is None else verdict(each, empty_count) for each in scores],
        "best": best,
        "line": best[:1],
    }


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Judge a game's moves, from the last one back, for as long as there is time."""

    position: Position
    columns: tuple[int, ...]
    longest_seconds: float

    def run(self, poll: Callable[[], None]) -> bytes:
        """A JudgeReply."""
        seconds = self.longest_seconds if _is_quick(self.position) else LARGE_BOARD_SECONDS
        solver = _kept_solver(self.position.width, self.position.height)
        poll_clock = poll_until(monotonic(), seconds, poll)
        moves: list[models.JudgedMoveReply] = []
        try:
            for move in judge_backwards(self.position, self.columns, poll=poll_clock, solver=solver):
                moves.append(
                    models.JudgedMoveReply(
                        column=move.column, score_before=move.score_before, score=move.score, mistake=move.mistake
                    )
                )
        except errors.OutOfTimeError:
            unknown = self.columns[: len(self.columns) - len(moves)]
            moves += [
                models.JudgedMoveReply(column=column, score_before=None, score=None, mistake=None)
                for column in reversed(unknown)
            ]
            return protocol.encode(models.JudgeReply(moves=moves[::-1], exact=False))
        return protocol.encode(models.JudgeReply(moves=moves[::-1], exact=True))


@dataclass(frozen=True, slots=True)
class WarmUpJob:
    """Load what the first search would have to wait for."""

    def run(self, poll: Callable[[], None]) -> bytes:  # noqa: ARG002  # too short to be ended
        """Nothing."""
        _kept_player("hard", None)
        return b""


class CappedPlayer:
    """A player that is made to answer after a number of seconds, also where nobody set it a limit.

    A limit would be no substitute: a player that has one deepens its search ply by ply, and a board too large
    for compiled code would lose its own limit.
    """

    def __init__(self, player: Player, longest_seconds: float) -> None:
        self._player = player
        self._longest_seconds = longest_seconds

    def choose(self, position: Position, limits: Limits) -> Choice:
        """What the player chooses."""
        if limits.seconds is not None:
            return self._player.choose(position, replace(limits, seconds=min(limits.seconds, self._longest_seconds)))
        last_seconds = min(LAST_SECONDS, self._longest_seconds / 2)
        poll = poll_until(monotonic(), self._longest_seconds - last_seconds, limits.poll)
        try:
            return self._player.choose(position, replace(limits, poll=poll))
        except errors.OutOfTimeError:
            return self._player.choose(position, replace(limits, seconds=last_seconds))


class _Watched:
    """The line server's connection, of which a search only needs to know whether somebody still waits."""

    def __init__(self, poll: Callable[[], None]) -> None:
        self.check_reader = poll

    def read(self) -> bytes:
        """No lines come this way."""
        return b""

    def write(self, data: bytes) -> None:
        """No lines go this way."""

    def note(self, message: str) -> None:
        """A page shows the board itself: nobody needs the warnings."""


def _is_quick(position: Position) -> bool:
    """Whether exact scores take a second or so."""
    return (position.width, position.height) == (7, 6) and speed.is_compiled()


@lru_cache(maxsize=MOST_PLAYERS)
def _kept_player(spec: str, seed: int | None) -> Player:
    return parse_player(spec, seed)


@lru_cache(maxsize=1)
def _kept_solver(width: int, height: int) -> Solver:
    return speed.new_solver(width, height)
