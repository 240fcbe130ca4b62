"""The jobs of the web server's search threads: a move, an analysis, a reason, a judged game or a puzzle."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

import orjson

from connect4_agent import errors
from connect4_agent.engine.analysis import Analysis, analyze
from connect4_agent.engine.effort import SOLVER_SHARE, default_seconds, default_share
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, Player, choose
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.judge import judge
from connect4_agent.rules.position import Position
from connect4_agent.server.loop import reply_with
from connect4_agent.ui.puzzles import Puzzle, puzzles_of_game
from connect4_agent.ui.web.http_errors import WebError

MAX_PLAYERS = 4
"""How many players a thread keeps: each may hold one or two tables of 64 MB."""

LAST_SECONDS = 0.5
"""The part of the longest time kept back for a simple move, if a player without a limit has found none."""

PUZZLE_SECONDS = 10.0
"""The time for a puzzle, however short the server's limit: it takes at most a second and cannot be cut short."""


Poll: TypeAlias = Callable[[], None]
"""Called often by a search; it raises errors.ReaderGoneError to end it."""

Job: TypeAlias = Callable[[Poll], bytes]
"""A search to run: the answer's body, given a poll."""


def find_move(
    position: Position,
    spec: str,
    seed: int | None,
    seconds: float | None,
    longest_seconds: float,
    explain: bool,
    poll: Poll,
) -> bytes:
    """The line protocol's reply; `seconds` is what the client asked for, `longest_seconds` the cap."""
    limits = Limits(seconds, poll, explain)
    started = limits.clock()
    player = CappedPlayer(_players.player(spec, seed), longest_seconds)
    choice = choose(player, position, limits, lambda _: None)  # the page shows the move, whatever happened
    return reply_with(choice, limits, started)


def score_columns(
    position: Position, seconds: float | None, longest_seconds: float, explain: bool, poll: Poll
) -> bytes:
    """Analyze a position, without a given time for as long as the server allows or the board's size calls for."""
    share = SOLVER_SHARE if seconds else default_share(position.width, position.height)
    limits = Limits(_seconds(position, seconds, longest_seconds), poll)
    analysis = analyze(position, limits, share=share)
    return analysis_reply(analysis, analysis.find_line(limits) if explain else ())


def analysis_reply(analysis: Analysis, line: tuple[int, ...]) -> bytes:
    """Return an analysis as JSON; without a line, it has the best column alone."""
    return encode(analysis.to_dict(line))


def find_reason(
    position: Position, column: int | None, seconds: float | None, longest_seconds: float, poll: Poll
) -> bytes:
    """Explain a position, or a column; the time is an analysis's."""
    explanation = explain(position, column, Limits(_seconds(position, seconds, longest_seconds), poll))
    return encode({**explanation.to_dict(), "legend": explanation.legend})


def judge_game(position: Position, columns: tuple[int, ...], longest_seconds: float, poll: Poll) -> bytes:
    """Judge the moves of a game from the last one back, for as long as there is time."""
    limits = Limits(_seconds(position, None, longest_seconds), poll)
    judged = judge(position, columns, poll=limits.started_poll())
    return encode(judged.to_dict())


def find_puzzle(draw: Callable[..., Puzzle], longest_seconds: float, poll: Poll) -> bytes:
    """Return the puzzle that `draw(poll=...)` finds. Raises WebError."""
    seconds = max(longest_seconds, PUZZLE_SECONDS)
    try:
        puzzle = draw(poll=Limits(seconds, poll).started_poll())
    except errors.OutOfTimeError:
        raise WebError("search_failed", f"no puzzle was found within {seconds:g} s") from None
    except errors.BadValueError as error:
        raise WebError("not_found", str(error)) from None
    return encode(puzzle.to_dict())


def find_puzzles(position: Position, columns: tuple[int, ...], longest_seconds: float, poll: Poll) -> bytes:
    """Find the puzzles in a game's mistakes, from the last one back, for as long as there is time."""
    limits = Limits(_seconds(position, None, longest_seconds), poll)
    puzzles: list[dict[str, Any]] = []
    is_exact = True
    try:
        for puzzle in puzzles_of_game(position, columns, poll=limits.started_poll()):
            puzzles.append(puzzle.to_dict())
    except errors.OutOfTimeError:
        is_exact = False
    return encode({"puzzles": puzzles[::-1], "exact": is_exact})


def encode(reply: dict[str, Any]) -> bytes:
    """Return a reply as a line of JSON."""
    return orjson.dumps(reply, option=orjson.OPT_APPEND_NEWLINE)


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


def _seconds(position: Position, wanted: float | None, longest_seconds: float) -> float:
    """The time for exact scores: what the client wants or the board's size calls for, but not more than the cap."""
    return min(wanted or default_seconds(position.width, position.height) or longest_seconds, longest_seconds)


class _Players(threading.local):
    """The players that a thread has used lately: two threads cannot share a player's tables."""

    def __init__(self) -> None:
        self.player = lru_cache(maxsize=MAX_PLAYERS)(parse_player)


_players = _Players()
