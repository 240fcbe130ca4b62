"""The jobs of the web server's search threads: a move, an analysis, a reason, a judged game or a puzzle."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from typing import ClassVar, Protocol

import orjson

from connect4_agent import errors
from connect4_agent.engine.analysis import Analysis, analyze
from connect4_agent.engine.effort import SOLVER_SHARE, default_share, hint_seconds
from connect4_agent.engine.judge import judge
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, Player, choose
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.engine.puzzles import (
    Puzzle,
    PuzzleLevel,
    PuzzleTheme,
    draw_puzzle,
    puzzle_of_the_day,
    puzzles_of_game,
)
from connect4_agent.engine.reasons import explain
from connect4_agent.rules.position import Position
from connect4_agent.web import models
from connect4_agent.web.http_errors import WebError
from connect4_agent.wire.codecs import JsonCodec

MAX_PLAYERS = 4
"""How many players a thread keeps: each may hold one or two tables of 64 MB."""

LAST_SECONDS = 0.5
"""The part of the longest time kept back for a simple move, if a player without a limit has found none."""

PUZZLE_SECONDS = 10.0
"""The time for a puzzle, however short the server's limit: it takes at most a second and cannot be cut short."""


class Job(Protocol):
    """A search to run."""

    is_move: ClassVar[bool]
    """Whether somebody waits for a move: it does not wait behind analyses."""

    def run(self, poll: Callable[[], None]) -> bytes:
        """The answer's body. `poll` is called frequently and raises errors.ReaderGoneError to end the search."""


@dataclass(frozen=True, slots=True)
class MoveJob:
    """Find a move as the line server does; `seconds` is what the client asked for, `longest_seconds` the cap."""

    is_move: ClassVar[bool] = True
    position: Position
    spec: str
    seed: int | None
    seconds: float | None
    longest_seconds: float
    explain: bool

    def run(self, poll: Callable[[], None]) -> bytes:
        """The line protocol's reply."""
        limits = Limits(self.seconds, poll, self.explain)
        started = limits.clock()
        player = CappedPlayer(_players.player(self.spec, self.seed), self.longest_seconds)
        choice = choose(player, self.position, limits, lambda _: None)  # the page shows the move, whatever happened
        return JsonCodec(explain=self.explain).write(choice, (limits.clock() - started) * 1000)


@dataclass(frozen=True, slots=True)
class AnalyzeJob:
    """Score every column; without a given time, for as long as the server allows or the board's size calls for."""

    is_move: ClassVar[bool] = False
    position: Position
    seconds: float | None
    longest_seconds: float
    explain: bool = False

    def run(self, poll: Callable[[], None]) -> bytes:
        """An AnalysisReply."""
        share = SOLVER_SHARE if self.seconds else default_share(self.position.width, self.position.height)
        seconds = min(self.seconds or _default_seconds(self.position, self.longest_seconds), self.longest_seconds)
        limits = Limits(seconds, poll)
        analysis = analyze(self.position, limits, share=share)
        return analysis_reply(analysis, analysis.find_line(limits) if self.explain else ())


def analysis_reply(analysis: Analysis, line: tuple[int, ...]) -> bytes:
    """An AnalysisReply; without a line, it has the best column alone."""
    return orjson.dumps(analysis.to_dict(line), option=orjson.OPT_APPEND_NEWLINE)


@dataclass(frozen=True, slots=True)
class ExplainJob:
    """Find the reason of a position's result, or of a column's; the time is an analysis's."""

    is_move: ClassVar[bool] = False
    position: Position
    column: int | None
    seconds: float | None
    longest_seconds: float

    def run(self, poll: Callable[[], None]) -> bytes:
        """An ExplanationReply."""
        seconds = min(self.seconds or _default_seconds(self.position, self.longest_seconds), self.longest_seconds)
        explanation = explain(self.position, self.column, Limits(seconds, poll))
        reply = {**explanation.to_dict(), "legend": explanation.legend}
        return orjson.dumps(reply, option=orjson.OPT_APPEND_NEWLINE)


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Judge a game's moves, from the last one back, for as long as there is time."""

    is_move: ClassVar[bool] = False
    position: Position
    columns: tuple[int, ...]
    longest_seconds: float

    def run(self, poll: Callable[[], None]) -> bytes:
        """A JudgeReply."""
        limits = Limits(_default_seconds(self.position, self.longest_seconds), poll)
        judged = judge(self.position, self.columns, poll=limits.started_poll())
        return orjson.dumps(judged.to_dict(), option=orjson.OPT_APPEND_NEWLINE)


@dataclass(frozen=True, slots=True)
class PuzzleJob:
    """Draw a puzzle by its number."""

    is_move: ClassVar[bool] = False
    seed: int
    theme: PuzzleTheme | None
    level: PuzzleLevel | None
    longest_seconds: float

    def run(self, poll: Callable[[], None]) -> bytes:
        """A PuzzleReply."""
        draw = partial(draw_puzzle, self.seed, self.theme, self.level)
        return _drawn_in_time(draw, poll, self.longest_seconds)


@dataclass(frozen=True, slots=True)
class PuzzleOfTheDayJob:
    """Draw the puzzle of a day."""

    is_move: ClassVar[bool] = False
    day: date
    longest_seconds: float

    def run(self, poll: Callable[[], None]) -> bytes:
        """A PuzzleReply."""
        return _drawn_in_time(partial(puzzle_of_the_day, self.day), poll, self.longest_seconds)


def _drawn_in_time(draw: Callable[..., Puzzle], poll: Callable[[], None], longest_seconds: float) -> bytes:
    """The puzzle that `draw(poll=...)` finds. Raises WebError."""
    seconds = max(longest_seconds, PUZZLE_SECONDS)
    try:
        puzzle = draw(poll=Limits(seconds, poll).started_poll())
    except errors.OutOfTimeError:
        raise WebError("search_failed", f"no puzzle was found within {seconds:g} s") from None
    except errors.BadValueError as error:
        raise WebError("not_found", str(error)) from None
    return models.encode(models.PuzzleReply.model_validate(puzzle.document()))


@dataclass(frozen=True, slots=True)
class GamePuzzlesJob:
    """Look for puzzles in a game's mistakes, from the last one back, for as long as there is time."""

    is_move: ClassVar[bool] = False
    position: Position
    columns: tuple[int, ...]
    longest_seconds: float

    def run(self, poll: Callable[[], None]) -> bytes:
        """A PuzzlesReply."""
        limits = Limits(_default_seconds(self.position, self.longest_seconds), poll)
        puzzles: list[models.PuzzleReply] = []
        is_exact = True
        try:
            for puzzle in puzzles_of_game(self.position, self.columns, poll=limits.started_poll()):
                puzzles.append(models.PuzzleReply.model_validate(puzzle.document()))
        except errors.OutOfTimeError:
            is_exact = False
        return models.encode(models.PuzzlesReply(puzzles=puzzles[::-1], exact=is_exact))


@dataclass(frozen=True, slots=True)
class CappedPlayer:
    """A player that has to answer within a number of seconds, even without a limit of its own.

    A limit would not have the same effect: a player that has one deepens its search ply by ply, and a board too large
    for compiled code would lose its own limit.
    """

    player: Player
    longest_seconds: float

    def choose(self, position: Position, limits: Limits) -> Choice:
        """What the player chooses."""
        if limits.seconds is not None:
            return self.player.choose(position, replace(limits, seconds=min(limits.seconds, self.longest_seconds)))
        last_seconds = min(LAST_SECONDS, self.longest_seconds / 2)
        poll = limits.poll_until(limits.clock(), self.longest_seconds - last_seconds)
        try:
            return self.player.choose(position, replace(limits, poll=poll))
        except errors.OutOfTimeError:
            return self.player.choose(position, replace(limits, seconds=last_seconds))


def _default_seconds(position: Position, longest_seconds: float) -> float:
    """The time for exact scores if the client does not ask for less."""
    seconds = hint_seconds(position.width, position.height)
    return longest_seconds if seconds is None else min(seconds, longest_seconds)


class _Players(threading.local):
    """The players that a thread has used lately: two threads cannot share a player's tables."""

    def __init__(self) -> None:
        self.player = lru_cache(maxsize=MAX_PLAYERS)(parse_player)


_players = _Players()
