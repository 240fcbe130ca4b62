"""Saving: games as move strings in files."""

from __future__ import annotations

from pathlib import Path

from connect4_agent import errors
from connect4_agent.play.game import Game

LARGEST_FILE_BYTES = 1 << 14
"""More than the moves of any board have."""


def save_game(game: Game, name: str) -> Path:
    """Write the moves on the board; a file that holds anything but a game of this board is left alone.

    Raises SavedGameError.
    """
    try:
        path = Path(name).expanduser()
        if path.exists() and not _holds_game(path, game.width, game.height):
            raise errors.SavedGameError(
                f"{name} is there already, and it is no saved game of this board: choose another name"
            )
        path.write_text(f"{game.moves}\n", encoding="ascii")
    except (OSError, ValueError, RuntimeError) as error:  # a zero byte in the name; ~ where nobody has a home
        raise errors.SavedGameError(f"{name} cannot be written: {_reason(error)}") from None
    return path


def load_game(text: str, width: int, height: int) -> Game:
    """The game in the file of this name, or, without such a file, the game of these moves. Raises SavedGameError."""
    try:
        path = Path(text).expanduser()
        is_file = path.is_file()
        moves = _read(path) if is_file else text
    except (OSError, ValueError, RuntimeError) as error:
        raise errors.SavedGameError(f"{text[:60]} cannot be read: {_reason(error)}") from None
    try:
        return Game.from_moves(moves, width, height)
    except errors.MoveStringError as error:
        what = f"{text} holds no game of this board" if is_file else f"{text[:60]!r} is no file and no game"
        raise errors.SavedGameError(f"{what}: {_shortened(str(error))}") from None


def _holds_game(path: Path, width: int, height: int) -> bool:
    """Whether a file may be written over; an empty one may, too."""
    if not path.is_file() or path.stat().st_size > LARGEST_FILE_BYTES:
        return False
    try:
        Game.from_moves(_read(path), width, height)
    except errors.MoveStringError:
        return False
    return True


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(LARGEST_FILE_BYTES).decode(errors="replace").strip()


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _shortened(text: str) -> str:
    return text if len(text) <= 160 else f"{text[:157]}..."
