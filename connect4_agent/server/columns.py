"""The protocol of lines of columns, which asks for exact scores: that of the solver PascalPons/connect4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.errors import NotationError, ReaderGoneError
from connect4_agent.rules.position import Position
from connect4_agent.server.lines import MAX_LINE_BYTES

if TYPE_CHECKING:
    from connect4_agent.server.connection import Connection

FULL_COLUMN_SCORE = -1000
"""The score that is printed for a full column."""


def serve_columns(connection: Connection, width: int, height: int, *, all_columns: bool = False) -> int:
    """Answer every line of columns until the input ends; return their number. Raise ReaderGoneError.

        in:   44455554221       the columns played from the empty board, counted from 1; an empty line has none
        out:  44455554221 -15   the same line and its score; with all columns, a score for each, -1000 for a full one

    A full board without a four is a game whose score is 0. A score takes as long as it needs. A line that is not a
    game in progress gets a warning and no answer.
    """
    count = 0
    for line in connection.lines():
        count += 1
        try:
            text, position = _read_game(line, width, height)
            scores = _scores(position, connection, all_columns)
        except NotationError as error:
            connection.warn(f"line {count}: {error}")
        except ReaderGoneError:
            raise
        except Exception as error:  # noqa: BLE001  # no line and no shortage of memory may end the loop
            connection.warn(f"line {count}: the server failed: {type(error).__name__}: {error}")
        else:
            connection.write(f"{text} {' '.join(map(str, scores))}\n".encode())
    return count


def _read_game(line: bytes, width: int, height: int) -> tuple[str, Position]:
    """Return the line as text, and its position. Raise NotationError if it is not a game in progress."""
    if len(line) > MAX_LINE_BYTES:
        raise NotationError(f"it is longer than {MAX_LINE_BYTES} bytes")
    text = line.decode("utf-8-sig", errors="replace").strip()
    position = Position.from_moves(text, width, height)
    if position.winner is not None:
        raise NotationError(f"{text!r} is over: player {position.winner} has four in a row")
    return text, position


def _scores(position: Position, connection: Connection, all_columns: bool) -> list[int]:
    from connect4_agent.engine.engine import engine_for  # noqa: PLC0415  # most servers speak JSON

    engine, poll = engine_for(position.width, position.height), connection.check_reader
    if all_columns:
        return [FULL_COLUMN_SCORE if score is None else score for score in engine.column_scores(position, poll)]
    return [0 if position.is_full else engine.score(position, poll)]
