"""The move server: read a line, understand it, choose a column, write the reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.engine.players.player import Choice, Player, choose, obvious_column
from connect4_agent.errors import ReaderGoneError, RequestError
from connect4_agent.server.replies import error_reply, explained_reply, move_reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.limits import Limits
    from connect4_agent.server.connection import Connection
    from connect4_agent.server.request import Request


def serve(connection: Connection, read: Callable[[bytes], Request], player: Player, limits: Limits) -> int:
    """Answer every line until the input ends; return their number. Raise ReaderGoneError if nobody reads the answers.

    A reply is a function of its line: nothing is remembered but which kinds of warning were given.
    """
    count = 0
    for line in connection.lines():
        count += 1
        started = limits.clock()
        try:
            request = read(line)
            connection.warn_once(request.warnings)
            choice = choose_for(request, player, limits.since(started), connection)
            reply = reply_with(choice, limits, started)
        except RequestError as error:
            reply = error_reply(error)
        except ReaderGoneError:
            raise
        except Exception as error:  # noqa: BLE001  # no line and no shortage of memory may end the loop
            reply = error_reply(RequestError("internal_error", f"the server failed: {type(error).__name__}: {error}"))
        connection.write(reply)
    return count


def choose_for(request: Request, player: Player, limits: Limits, connection: Connection) -> Choice:
    """Return the player's choice; a simple legal move if the player fails, or if other readings rule its column out."""
    choice = choose(player, request.position, limits, connection.report_failure)
    if request.columns is not None and choice.column not in request.columns:
        return Choice(obvious_column(request.position, request.columns))
    return choice


def reply_with(choice: Choice, limits: Limits, started: float) -> bytes:
    """Return the line that tells the choice, with what the search found if that is wanted."""
    if limits.explain:
        return explained_reply(choice, (limits.clock() - started) * 1000)
    return move_reply(choice.column)
