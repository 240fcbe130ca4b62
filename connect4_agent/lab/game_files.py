"""Files of games that were played anywhere: move strings, Kaggle's replays, and the journals of runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson

from connect4_agent import errors
from connect4_agent.arena.journal import parse_record
from connect4_agent.arena.judging import Game, judge_each, score_game
from connect4_agent.arena.record import GameRecord
from connect4_agent.engine.kernel import forms
from connect4_agent.jobs.executor import for_computing
from connect4_agent.jobs.interrupts import Stop
from connect4_agent.jobs.progress import Progress
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.text import short

SIDES = ("first player", "second player")
"""The players of a game that does not name them."""

FORMS = "a move string such as 4453, a line of a run's games.jsonl, or Kaggle's replay"

GAMES_PER_PROCESS = 200
"""Fewer games take less time than starting a process does."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that can be judged, from the empty board on.

    Raises a Connect4Error for moves that are not legal, and for a board that the solver cannot hold.
    """

    columns: tuple[int, ...]
    """The moves, counted from 0."""
    size: tuple[int, int] = USUAL_SIZE
    """The board's columns and rows."""
    players: tuple[str, str] = SIDES
    """The one who began comes first."""
    opening: int = 0
    """The number of first moves that were given, not chosen."""

    def __post_init__(self) -> None:
        Position(*self.size).after(self.columns)
        if not forms.fits_compiled(*self.size):
            raise errors.BadValueError(
                f"the board has {self.size[0]} columns and {self.size[1]} rows; the solver holds boards up to "
                f"{max(forms.WORD_BITS.values())} bits, (rows + 1) x columns"
            )

    @property
    def key(self) -> Game:
        """The board and the moves, on which the scores depend."""
        return *self.size, self.columns


def make_game(value: Any, size: tuple[int, int] = USUAL_SIZE) -> PlayedGame:
    """Return the game of a move string, columns counted from 0, a GameRecord, or Kaggle's replay as a dictionary.

    Raises a Connect4Error if the value is none of these, or a move is not legal.
    """
    if isinstance(value, str):
        Position.from_moves(value, *size)
        return PlayedGame(parse_moves(value), size)
    if isinstance(value, GameRecord):
        names = value.agents if value.first == 1 else value.agents[::-1]
        return PlayedGame(value.columns, (value.width, value.height), names, len(value.opening))
    if isinstance(value, Mapping):
        try:
            return _read_replay(value)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise errors.NotationError(f"it is not a replay of Kaggle's ConnectX: {error!r}") from None
    try:
        return PlayedGame(tuple(value), size)
    except TypeError:
        allowed = "a move string, a list of columns, a GameRecord or Kaggle's replay"
        raise errors.BadValueError(f"a game is {short(repr(value))}; allowed is {allowed}") from None


def _read_replay(replay: Mapping[str, Any]) -> PlayedGame:
    """Return the game of Kaggle's replay. Its boards say what was played: an action may be one that was refused."""
    settings = replay["configuration"]
    width, height, in_a_row = settings["columns"], settings["rows"], settings.get("inarow", 4)
    if in_a_row != 4:
        raise errors.NotationError(f"inarow is {in_a_row}; only games of 4 in a row can be judged")
    boards = [step[0]["observation"]["board"] for step in replay["steps"]]
    columns: list[int] = []
    for before, after in pairwise([[0] * (width * height), *boards]):
        changed = [cell for cell, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        if len(changed) > 1:
            raise errors.NotationError(f"{len(changed)} cells change after move {len(columns)}")
        columns += [cell % width for cell in changed]
    names = (replay.get("info") or {}).get("TeamNames") or SIDES
    return PlayedGame(tuple(columns), (width, height), (str(names[0]), str(names[1])))


def read_games(data: bytes, size: tuple[int, int]) -> Iterator[tuple[int, PlayedGame | errors.Connect4Error]]:
    """Yield the games of a file with the numbers of their lines; for a line that is not a game, what is wrong with it.

    What follows a blank after a move string is ignored, and so are blank lines.
    """
    text = data.decode("utf-8-sig", errors="replace")
    lines = [text] if _is_document(text) else text.split("\n")
    lost_by_faults: dict[int, int] = {}
    games: dict[int, PlayedGame | errors.Connect4Error] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = _read_line(line.strip())
            if isinstance(value, GameRecord):
                games.pop(lost_by_faults.pop(value.game, 0), None)  # the game was played again
                if value.fault is not None:
                    lost_by_faults[value.game] = number
            games[number] = make_game(value, size)
        except errors.Connect4Error as error:
            games[number] = error
    yield from games.items()


def _is_document(text: str) -> bool:
    """Return whether a text is one JSON object, which may span several lines."""
    try:
        return text.lstrip().startswith("{") and isinstance(orjson.loads(text), dict)
    except orjson.JSONDecodeError:
        return False


def _read_line(line: str) -> Any:
    """Return the value of a line that `make_game` reads. Raises NotationError."""
    if not line.startswith("{"):
        return line.split(maxsplit=1)[0]
    try:
        document = orjson.loads(line)
        return document if "steps" in document else parse_record(line.encode())
    except ValueError as error:
        raise errors.NotationError(f"{short(repr(line))} is not a game: {error}; allowed is {FORMS}") from None


def judge_games(games: Collection[PlayedGame], jobs: int, progress: Progress) -> list[JudgedGame]:
    """Judge games, several at a time, and return them in the same order. Raises WorkerLostError."""
    missing = dict.fromkeys(game.key for game in games)
    found: dict[Game, JudgedGame] = {}
    executor = for_computing(min(jobs, 1 + len(missing) // GAMES_PER_PROCESS), None)
    progress.begin(len(missing))
    try:
        for game, future in judge_each(missing, executor, Stop(), score_game):
            found[game] = future.result()
            progress.count(len(found))
    finally:
        executor.close()
        progress.end()
    return [found[game.key].played_by(1, game.opening) for game in games]
