"""The exceptions that more than one part of the package needs."""

from importlib import import_module
from typing import Literal, get_args


class Connect4Error(Exception):
    """The base of all errors that this package raises on purpose."""


class ReaderGoneError(Exception):
    """The reader of the answers has gone. This ends a search and is not reported as an error."""


RequestCode = Literal[
    "bad_json",
    "line_too_long",
    "not_an_object",
    "missing_grid",
    "missing_key",
    "unknown_key",
    "bad_grid",
    "empty_grid",
    "ragged_grid",
    "bad_cell",
    "bad_size",
    "bad_player",
    "floating_disc",
    "board_too_large",
    "board_full",
    "internal_error",
]

REQUEST_CODES: tuple[RequestCode, ...] = get_args(RequestCode)
"""The causes of a RequestError, in the order in which a request is checked."""


class RequestError(Connect4Error):
    """A request, or a grid, for which no move is possible; `code` names the cause in the reply."""

    def __init__(self, code: RequestCode, message: str) -> None:
        super().__init__(code, message)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[1])


class BadValueError(Connect4Error, ValueError):
    """A value that is not allowed; the message names it and what is."""


class NotationError(Connect4Error):
    """A move string or a drawing that cannot be read, or a move in it that cannot be played."""


class IllegalMoveError(Connect4Error):
    """A column that is not on the board, or full."""

    code = "illegal_move"


class PlayerSpecError(Connect4Error):
    """The description of a built-in player cannot be understood."""


class ChoiceError(Connect4Error):
    """A player's choice that is not an open column."""


class EvaluatorError(Connect4Error):
    """An evaluator that cannot be used, or a value of one that is out of range."""


class OutOfTimeError(Connect4Error):
    """A search reached its time limit."""


class TooHardError(Connect4Error):
    """A proof took more nodes than it may."""


class ReplyError(Connect4Error):
    """An agent's answer without a move."""


class ErrorReplyError(ReplyError):
    """An agent's answer that is an error."""


class MoveNotWholeError(ReplyError):
    """An agent's answer whose move is not a JSON integer."""


class ArenaError(Connect4Error):
    """A match, tournament or check that cannot be run as asked; the message says why."""


class AgentError(ArenaError):
    """An agent that is neither a built-in player nor a command that can be found, or that cannot play as asked."""


class RunFolderError(ArenaError):
    """A folder that is not a run, or with which a run cannot continue."""


class WorkerLostError(ArenaError):
    """A process that ran games has died, and the run, or one of its games, ends there."""


class GameOverError(Connect4Error):
    """A game that is already over."""

    code = "game_over"


class BookError(Connect4Error):
    """An opening book that cannot be read, written, or is wrong."""


def require_numpy(what: str) -> None:
    """Raise an ImportError that names the extra with NumPy if it is missing; `what` needs it."""
    try:
        import_module("numpy")
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        install = "which the extra data installs: pip install 'connect4-agent[data]'"
        raise ModuleNotFoundError(f"{what} needs NumPy, {install}", name="numpy") from None
