"""Replies: what the server answers, and how a manager reads it.

`codecs.encode_move` writes the usual reply without this module: the server's first answer waits for what it loads.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from connect4_agent import errors
from connect4_agent.engine.players.player import Choice
from connect4_agent.text import short_json


@dataclass(frozen=True)
class MoveReply:
    """The answer to a request."""

    move: int
    """The column to play, counted from 0."""


@dataclass(frozen=True)
class ExplainedReply(MoveReply):
    """The answer with `--explain`."""

    score: int | None
    """From the side to move; null if nothing was searched."""
    exact: bool
    """True: 0 is a draw, +k a win with the winner's k-th last disc, -k a loss. False: an evaluator's opinion."""
    depth: int
    """The number of plies searched; 0 if nothing was searched."""
    nodes: int
    """The number of positions visited."""
    elapsed_ms: float
    """The time from the request's arrival to this answer."""
    line: tuple[int, ...]
    """The play expected from both sides, beginning with `move`."""


@dataclass(frozen=True)
class ErrorReply:
    """The answer if no move is possible."""

    error: str
    """What is wrong, and where."""
    code: str
    """The cause, as one of errors.REQUEST_CODES."""


def explained_reply(choice: Choice, elapsed_ms: float) -> ExplainedReply:
    """The answer with a player's choice and what the player knows about it."""
    return ExplainedReply(
        choice.column, choice.score, choice.exact, choice.depth, choice.nodes, round(elapsed_ms, 3), choice.line
    )


def encode(reply: MoveReply | ErrorReply, more: dict[str, Any] | None = None) -> bytes:
    """A reply as one line, with more fields at its end."""
    document = {**asdict(reply), **more} if more else reply
    return orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE)


def read_move(line: bytes) -> int:
    """The column that an answer names, legal or not. Raises ReplyError if the answer holds no move."""
    try:
        reply = orjson.loads(line)
    except orjson.JSONDecodeError:
        mark = "; it begins with a byte order mark" if line.startswith(BOM_UTF8) else ""
        raise errors.ReplyError(f"the reply is not JSON{mark}") from None
    if not isinstance(reply, dict):
        raise errors.ReplyError(f"the reply is {short_json(reply)}, not an object with a move")
    if "error" in reply and "move" not in reply:
        raise errors.ReplyError(f"the reply is an error, {short_json(reply['error'])}")
    if "move" not in reply:
        raise errors.ReplyError(f"the reply is {short_json(reply)}, which has no move")
    move: object = reply["move"]
    if type(move) is not int:  # true is not an integer, nor is 7.0
        raise errors.MoveNotWholeError(f"move is {short_json(move)}, not an integer")
    return move


def move_or_none(line: bytes) -> int | None:
    """The column that a line names; None if it is not an answer."""
    try:
        return read_move(line)
    except errors.ReplyError:
        return None
