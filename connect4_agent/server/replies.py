"""Replies: what the server answers, and how a manager reads it."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Protocol

import orjson

from connect4_agent import errors
from connect4_agent.text import short_json

if TYPE_CHECKING:
    from connect4_agent.engine.players.player import Choice


MAX_STATS = 16
MAX_STAT_NAME = 40
MAX_STAT = 1e15
"""The bounds of what is read of an answer's `stats`: how many numbers, their names and their size."""

MAX_ERROR = 300
"""The characters that are shown of an error in a reply."""


def move_reply(column: int) -> bytes:
    """Return the answer to a request: the column to play, counted from 0."""
    return b'{"move":%d}\n' % column


def explained_reply(choice: Choice, elapsed_ms: float) -> bytes:
    """Return the answer with `--explain`: the column, and what the player knows about it."""
    return _line(choice.to_dict(elapsed_ms))


class CodedError(Protocol):
    """An error with a documented code, such as a RequestError."""

    @property
    def code(self) -> str:
        """The cause."""


def error_reply(error: CodedError) -> bytes:
    """Return the answer if no move is possible: what is wrong and where, and the cause."""
    return _line({"error": str(error), "code": error.code})


def _line(document: dict[str, object]) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE)


def read_move(line: bytes) -> int:
    """Return the column that an answer names, legal or not. Raise ReplyError if the answer holds no move."""
    try:
        reply = orjson.loads(line)
    except orjson.JSONDecodeError:
        mark = "; it begins with a byte order mark" if line.startswith(BOM_UTF8) else ""
        raise errors.ReplyError(f"the reply is not JSON{mark}") from None
    if not isinstance(reply, dict):
        raise errors.ReplyError(f"the reply is {short_json(reply)}, not an object with a move")
    if "error" in reply and "move" not in reply:
        raise errors.ErrorReplyError(f"the reply is an error, {short_json(reply['error'], MAX_ERROR)}")
    if "move" not in reply:
        raise errors.ReplyError(f"the reply is {short_json(reply)}, which has no move")
    move: object = reply["move"]
    if type(move) is not int:  # true is not an integer, nor is 7.0
        raise errors.MoveNotWholeError(f"move is {short_json(move)}, not an integer")
    return move


def read_stats(line: bytes) -> dict[str, float]:
    """Return the numbers in the `stats` of an answer, by their names; anything else there is left out."""
    try:
        reply = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    stats = reply.get("stats") if isinstance(reply, dict) else None
    items = list(stats.items()) if isinstance(stats, dict) else []
    return {
        name: value
        for name, value in items[:MAX_STATS]
        if type(value) in (int, float) and abs(value) <= MAX_STAT and 0 < len(name) <= MAX_STAT_NAME
    }


def move_or_none(line: bytes) -> int | None:
    """Return the column that a line names; None if it is not an answer."""
    try:
        return read_move(line)
    except errors.ReplyError:
        return None
