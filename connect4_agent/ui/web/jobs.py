"""The jobs of the web server's search threads: a move, an analysis, a reason, a judged game or a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from connect4_agent import errors
from connect4_agent.engine.analysis import analyze
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, choose
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.explain import explain, explain_mistakes
from connect4_agent.reasons.hints import add_hint_words, describe_risks, find_hint
from connect4_agent.reasons.judge import judge
from connect4_agent.reasons.words import add_words, remark, say_move, sum_up
from connect4_agent.rules.position import Position
from connect4_agent.ui.puzzles import Puzzle, puzzles_of_game

MAX_PLAYERS = 4
"""The number of players that are kept: for each thread, each of them may hold one or two tables of 64 MB."""

kept_player = lru_cache(maxsize=MAX_PLAYERS)(parse_player)

LAST_SECONDS = 0.5
"""The part of the longest time that is reserved for a simple move, if a player without a limit has found none."""

PUZZLE_SECONDS = 10.0
"""The time for a puzzle, however short the server's limit: it takes at most a second and cannot be cut short."""

FULL = 100
"""The score of a full column as gamesolver.org gives it."""

Poll: TypeAlias = Callable[[], None]
"""Called often by a search; it raises errors.ReaderGoneError to end it."""

Reply: TypeAlias = dict[str, Any]
"""The answer to a call, as JSON has it."""

Job: TypeAlias = Callable[[Poll], Reply]
"""A search to run: the reply, given a poll."""


class CallError(errors.Connect4Error):
    """A call that cannot be answered; `code`, a key of http_errors.STATUS, names the cause in the answer."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def find_move(
    position: Position,
    spec: str,
    seed: int | None,
    seconds: float | None,
    longest_seconds: float,
    explain: bool,
    poll: Poll,
) -> Reply:
    """Return the line protocol's reply; `seconds` is what the client asked for, `longest_seconds` the cap."""
    limits = Limits(seconds, poll, explain)
    started = limits.clock()
    choice = _choose(position, spec, seed, limits, longest_seconds)
    return choice.to_dict((limits.clock() - started) * 1000) if explain else {"move": choice.column}


def _choose(position: Position, spec: str, seed: int | None, limits: Limits, longest_seconds: float) -> Choice:
    """Return the choice of a player that has to answer within `longest_seconds`, even without a limit."""
    player = kept_player(spec, seed)
    if limits.seconds is not None:
        limits = limits.at_most(longest_seconds)
    else:
        # No limit of the player: with one, it would deepen its search ply by ply, and not apply its own limit.
        last_seconds = min(LAST_SECONDS, longest_seconds / 2)
        poll = limits.at_most(longest_seconds - last_seconds).timed_poll()
        try:
            return choose(player, position, replace(limits, poll=poll), _raise_if_late)
        except errors.OutOfTimeError:
            limits = limits.at_most(last_seconds)
    return choose(player, position, limits, lambda _: None)  # the page shows the move, whatever happened


def _raise_if_late(error: Exception) -> None:
    if isinstance(error, errors.OutOfTimeError):
        raise error


def score_columns(
    position: Position, seconds: float | None, longest_seconds: float, explain: bool, poll: Poll
) -> Reply:
    """Analyze a position, without a given time for as long as the server allows or the board's size calls for."""
    limits = _limits(position, seconds, longest_seconds, poll)
    analysis = analyze(position, limits)
    return analysis.to_dict(analysis.find_line(limits) if explain else ())


def solve(moves: str, position: Position, longest_seconds: float, poll: Poll) -> Reply:
    """Score every column after a move string. Raises CallError if there is not enough time."""
    analysis = analyze(position, _limits(position, None, longest_seconds, poll))
    if not analysis.is_exact:
        raise CallError("search_failed", f"the scores of {moves!r} were not proven within {longest_seconds:g} s")
    return {"pos": moves, "score": [FULL if score is None else score for score in analysis.scores]}


def find_reason(
    position: Position, column: int | None, seconds: float | None, longest_seconds: float, poll: Poll
) -> Reply:
    """Explain a position, or a column; the time is an analysis's."""
    explanation = explain(position, column, _limits(position, seconds, longest_seconds, poll))
    return add_words(explanation)


def find_advice(position: Position, longest_seconds: float, poll: Poll) -> Reply:
    """Find the most urgent hint; the time is an analysis's."""
    return add_hint_words(find_hint(position, _limits(position, None, longest_seconds, poll)))


def judge_game(position: Position, columns: tuple[int, ...], longest_seconds: float, poll: Poll) -> Reply:
    """Judge the moves of a game from the last one back, for as long as there is time."""
    timed_poll = _limits(position, None, longest_seconds, poll).timed_poll()
    judged = explain_mistakes(judge(position, columns, poll=timed_poll), poll)
    moves = [
        {**move.to_dict(), "words": say_move(move), "remark": remark(ply, move)}
        for ply, move in enumerate(judged.moves)
    ]
    found = {**judged.to_dict(), "moves": moves}
    for counts in found["players"]:
        for moment in counts["moments"]:
            moment["risks"] = describe_risks(judged.moves[moment["ply"]].position)
        counts["summary"] = [part.to_dict() for part in sum_up(judged, counts["player"])]
    return found


def find_puzzle(draw: Callable[..., Puzzle], longest_seconds: float, poll: Poll) -> Reply:
    """Return the puzzle that `draw(poll=...)` finds. Raises CallError."""
    seconds = max(longest_seconds, PUZZLE_SECONDS)
    try:
        puzzle = draw(poll=Limits(seconds, poll).timed_poll())
    except errors.OutOfTimeError:
        raise CallError("search_failed", f"no puzzle was found within {seconds:g} s") from None
    except errors.BadValueError as error:
        raise CallError("not_found", str(error)) from None
    return puzzle.to_dict()


def find_puzzles(position: Position, columns: tuple[int, ...], longest_seconds: float, poll: Poll) -> Reply:
    """Find the puzzles in a game's mistakes, from the last one back, for as long as there is time."""
    limits = _limits(position, None, longest_seconds, poll)
    puzzles: list[dict[str, Any]] = []
    is_exact = True
    try:
        for puzzle in puzzles_of_game(position, columns, poll=limits.timed_poll()):
            puzzles.append(puzzle.to_dict())
    except errors.OutOfTimeError:
        is_exact = False
    return {"puzzles": puzzles[::-1], "exact": is_exact}


def _limits(position: Position, wanted: float | None, longest_seconds: float, poll: Poll) -> Limits:
    """Return the limits for exact scores: the client's or the board's default, but not more than the server's."""
    return Limits(wanted, poll).for_proofs(position.width, position.height).at_most(longest_seconds)
