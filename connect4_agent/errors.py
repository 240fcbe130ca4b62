"""The exceptions of this package, a leaf class for each cause."""

from typing import ClassVar


class Connect4Error(Exception):
    """Whatever this package raises on purpose."""


class RequestError(Connect4Error):
    """A request for which no move exists; `code` is the word that the wire carries for the cause."""

    code: ClassVar[str]


class BadJsonError(RequestError):
    """The line is not JSON."""

    code = "bad_json"


class LineTooLongError(RequestError):
    """The line is longer than the server is willing to hold."""

    code = "line_too_long"


class NotAnObjectError(RequestError):
    """The line is JSON, but no object."""

    code = "not_an_object"


class MissingGridError(RequestError):
    """The object has no grid."""

    code = "missing_grid"


class BadGridError(RequestError):
    """The grid, or one of its columns, is no list."""

    code = "bad_grid"


class EmptyGridError(RequestError):
    """The grid has no cell."""

    code = "empty_grid"


class RaggedGridError(RequestError):
    """The grid's columns differ in length."""

    code = "ragged_grid"


class BadCellError(RequestError):
    """A cell is something other than the integers 0, 1 and 2."""

    code = "bad_cell"


class FloatingDiscError(RequestError):
    """A disc has an empty cell below it."""

    code = "floating_disc"


class BoardTooLargeError(RequestError):
    """The board has more columns or rows than are supported."""

    code = "board_too_large"


class BoardFullError(RequestError):
    """No column is open."""

    code = "board_full"


class BoardSizeError(Connect4Error):
    """A width or height that no board can have."""


class PlayerNumberError(Connect4Error):
    """A player other than 1 and 2."""


class IllegalMoveError(Connect4Error):
    """A column that is not on the board, or full."""


class MoveStringError(Connect4Error):
    """A move string with a sign that names no column, or a move that cannot be played."""


class DrawingError(Connect4Error):
    """A drawing that cannot be read as a board."""


class PlayerSpecError(Connect4Error):
    """The description of a built-in player cannot be understood."""


class OutOfTimeError(Connect4Error):
    """A search reached its time limit."""


class ReplyError(Connect4Error):
    """An agent's answer that holds no move."""


class MoveNotWholeError(ReplyError):
    """An agent's answer whose move is no JSON integer."""


class ArenaError(Connect4Error):
    """A match or tournament that cannot be run as asked."""


class ConfigError(ArenaError):
    """A tournament's description that cannot be used; the message names the key's path."""


class AgentError(ArenaError):
    """An agent that is neither a built-in player nor a command that can be found."""


class OpeningsError(ArenaError):
    """Openings that cannot be read, or that the board does not have."""


class JournalError(ArenaError):
    """A run's folder with which this run cannot go on."""


class WorkerLostError(ArenaError):
    """A process that ran games has died."""


class SprtBoundsError(Connect4Error):
    """Hypotheses or error rates with which no sequential test can be made."""


class AnchorError(Connect4Error):
    """The agent that ratings are to be anchored to is not in the run."""


class RunFolderError(Connect4Error):
    """A folder that holds no run, or a journal that cannot be read."""


class GameOverError(Connect4Error):
    """A question about the future of a game that is over."""


class BookError(Connect4Error):
    """An opening book that cannot be read, written, or is wrong."""


class BuildStoppedError(Connect4Error):
    """A book that was not built to its end, since somebody asked to stop."""


class LineProtocolError(Connect4Error):
    """A line that a text protocol has no use for."""


class ExportError(Connect4Error):
    """A file that cannot be made of this package's sources."""


class GameError(Connect4Error):
    """A state of a game that is not Connect Four."""


class WordsError(Connect4Error):
    """A line typed at the board that is not understood."""


class SavedGameError(Connect4Error):
    """A saved game that cannot be read or written."""


class WebCallError(Connect4Error):
    """A call of the web interface that cannot be answered; `code` is the word that the answer carries for the cause."""

    code: ClassVar[str]


class BadQueryError(WebCallError):
    """A part of the address behind the question mark is unknown, given twice, or has a value that is not allowed."""

    code = "bad_query"


class BadFieldError(WebCallError):
    """A field of the body has a value that is not allowed."""

    code = "bad_field"


class UnknownPlayerError(WebCallError):
    """There is no such player."""

    code = "unknown_player"


class IllegalColumnError(WebCallError):
    """A column of a game is full, or not on the board."""

    code = "illegal_move"


class GameIsOverError(WebCallError):
    """What was asked about a game cannot be said after its end."""

    code = "game_over"


class NotFoundError(WebCallError):
    """Nothing is at this address."""

    code = "not_found"


class NoRunError(WebCallError):
    """The server was started without a run."""

    code = "no_run"


class NoSuchGameError(WebCallError):
    """The run has no game of this number, or not yet."""

    code = "no_such_game"


class BadRunError(WebCallError):
    """The run's journal cannot be read any more."""

    code = "bad_run"


class MethodNotAllowedError(WebCallError):
    """The address is there, but not for this method."""

    code = "method_not_allowed"


class NotJsonError(WebCallError):
    """The body does not say that it is JSON."""

    code = "unsupported_media_type"


class CrossOriginError(WebCallError):
    """The call comes from a page of another server."""

    code = "cross_origin"


class WrongHostError(WebCallError):
    """The call is meant for a host that this server is not."""

    code = "wrong_host"


class TooBusyError(WebCallError):
    """As many searches wait as may wait."""

    code = "too_busy"


class AgentFailedError(WebCallError):
    """A command line agent gave no move."""

    code = "agent_failed"


class SearchFailedError(WebCallError):
    """A search ended without an answer."""

    code = "search_failed"


class DefectError(WebCallError):
    """Something went wrong that should not."""

    code = "internal_error"
