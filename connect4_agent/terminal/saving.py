"""Saving: games as JSON in files, and move strings in their place; docs/play.md describes both."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copymode
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from connect4_agent import errors
from connect4_agent.rules.position import LARGEST_SIDE, MOVE_SIGNS
from connect4_agent.terminal.game import MAX_VARIATIONS, Game
from connect4_agent.terminal.seats import SavedPlayer, Seats, spec_of
from connect4_agent.text import printable, short, short_json

LONGEST_REASON = 160

LARGEST_FILE_BYTES = 1 << 20
"""More than the lines of any game have."""

MAX_COLUMNS = len(MOVE_SIGNS)
Column = Annotated[int, Field(ge=0, lt=MAX_COLUMNS)]
Columns = Annotated[tuple[Column, ...], Field(max_length=MAX_COLUMNS * LARGEST_SIDE)]


class SavedGameError(errors.Connect4Error):
    """A saved game that cannot be read or written."""


class SavedGame(BaseModel):
    """A game in a file; columns count from 0."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["connect4-agent game"]
    version: Literal[1]
    width: int = Field(ge=1, le=MAX_COLUMNS)
    height: int = Field(ge=1, le=LARGEST_SIDE)
    first: Annotated[int, Field(ge=1, le=2)] = 1
    """The player who began."""
    players: tuple[SavedPlayer, SavedPlayer] | None = None
    """Player 1 and player 2; null if not known."""
    columns: Columns
    ply: int | None = Field(None, ge=0)
    """How many of the moves are on the board; null for all."""
    variations: tuple[Columns, ...] = Field((), max_length=MAX_VARIATIONS)
    """Other lines, each from the empty board."""

    def game(self) -> Game:
        """The game. Raises IllegalMoveError, GameOverError."""
        game = Game.from_columns(self.columns, self.width, self.height, self.first)
        for line in self.variations:
            game = game.with_variation(line)
        return game if self.ply is None else game.at(self.ply)


def save_game(game: Game, seats: Seats, name: str) -> Path:
    """Write the game; a file that holds anything but a game of this board is left alone. Raises SavedGameError."""
    one, two = (SavedPlayer(name=seat.name, player=spec_of(seat)) for seat in seats)
    saved = SavedGame(
        format="connect4-agent game",
        version=1,
        width=game.width,
        height=game.height,
        first=game.first,
        players=(one, two),
        columns=game.columns,
        ply=game.ply,
        variations=game.variations,
    )
    try:
        path = Path(name).expanduser()
        if path.exists() and not _may_be_replaced(path, game.width, game.height):
            raise SavedGameError(f"{printable(name)} exists and is not a saved game of this board: choose another name")
        _write(path, orjson.dumps(saved.model_dump(), option=orjson.OPT_APPEND_NEWLINE))
    except (OSError, ValueError, RuntimeError) as error:  # a zero byte in the name; ~ where nobody has a home
        raise SavedGameError(f"{printable(name)} cannot be written: {_reason(error)}") from None
    return path


def load_game(text: str, width: int, height: int) -> tuple[Game, tuple[SavedPlayer, SavedPlayer] | None]:
    """The game in the file of this name and who played it, or, without such a file, the game of these moves.

    The size is for move strings, which do not say it. Raises SavedGameError.
    """
    name = printable(text[:60])
    try:
        path = Path(text).expanduser()
        is_file = path.is_file()
        content = _read(path) if is_file else text
    except (OSError, ValueError, RuntimeError) as error:
        raise SavedGameError(f"{name} cannot be read: {_reason(error)}") from None
    if not is_file:
        try:
            return Game.from_moves(content, width, height), None
        except errors.NotationError as error:
            reason = short(printable(str(error)), LONGEST_REASON)
            raise SavedGameError(f"{name!r} is neither a file nor a game: {reason}") from None
    if not content:
        raise SavedGameError(f"{name} is empty: nothing was loaded")
    try:
        return _game_of(content, width, height)
    except errors.Connect4Error as error:
        reason = short(printable(str(error)), LONGEST_REASON)
        raise SavedGameError(f"{name} holds no game that can be loaded: {reason}") from None


def _game_of(content: str, width: int, height: int) -> tuple[Game, tuple[SavedPlayer, SavedPlayer] | None]:
    """What a file says. Raises Connect4Error, which does not repeat a file of something else: it may be secret."""
    if not content.startswith("{"):
        if not set(content.lower()) <= set(MOVE_SIGNS):
            raise SavedGameError("it is neither a saved game nor a move string such as 4453")
        try:
            return Game.from_moves(content, width, height), None
        except errors.NotationError:
            raise SavedGameError(f"its moves are not possible on this board; the columns are 1 to {width}") from None
    try:
        saved = SavedGame.model_validate(orjson.loads(content))
    except orjson.JSONDecodeError as error:
        raise SavedGameError(f"it is not JSON: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        key = ".".join(map(str, first["loc"])) or "the value"
        fault = "missing" if first["type"] == "missing" else f"{short_json(first['input'])}: {first['msg']}"
        raise SavedGameError(f"{key} is {fault}") from None
    return saved.game(), saved.players


def _may_be_replaced(path: Path, width: int, height: int) -> bool:
    """Whether a file is empty, or holds a game of this size."""
    if not path.is_file() or path.stat().st_size > LARGEST_FILE_BYTES:
        return False
    content = _read(path)
    try:
        game = _game_of(content, width, height)[0] if content else None
    except errors.Connect4Error:
        return False
    return game is None or (game.width, game.height) == (width, height)


def _read(path: Path) -> str:
    if path.stat().st_size > LARGEST_FILE_BYTES:
        raise ValueError(f"it is longer than {LARGEST_FILE_BYTES} bytes, which no saved game is")
    with path.open("rb") as file:
        return file.read(LARGEST_FILE_BYTES).decode(errors="replace").strip()


def _write(path: Path, content: bytes) -> None:
    """Put the content in place at once: what was there before stays if anything fails."""
    path = path.resolve()  # a link stays one
    temporary = path.with_name(f".{path.name[:20]}.{os.getpid()}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        if path.exists():
            copymode(path, temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
