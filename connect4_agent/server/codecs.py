"""The server's two languages: JSON, which asks for moves, and lines of columns, which ask for exact scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.errors import NotationError, RequestError
from connect4_agent.rules.position import Position
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.request import NO_DEFAULTS, CommandLineDefaults, Request, RequestWarning, read_requests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.engine.limits import Limits
    from connect4_agent.engine.players.player import Choice

FULL_COLUMN_SCORE = -1000
"""The score that is printed for a full column."""


class JsonCodec:
    """Requests and replies as lines of JSON, with one warning for each kind of oddity."""

    def __init__(self, defaults: CommandLineDefaults = NO_DEFAULTS, explain: bool = False, why: bool = False) -> None:
        self.defaults = defaults
        self.explain = explain
        self.why = why
        self._warned: set[str] = set()

    def read(self, line: bytes) -> Iterator[Request | RequestError]:
        """The requests of a line, usually one, or the errors to answer."""
        if len(line) > MAX_LINE_BYTES:
            yield RequestError(
                "line_too_long", f"the line is longer than {MAX_LINE_BYTES} bytes, the most that is read"
            )
            return
        for request in read_requests(line, self.defaults):
            if b"\n" in line and isinstance(request, Request):
                text = "a request spans several lines; expected is one request per line"
                yield request._replace(warnings=(RequestWarning("several lines", text), *request.warnings))
            else:
                yield request

    def new_warnings(self, request: Request) -> list[str]:
        """The texts of warnings of kinds that were not given before."""
        new = [warning for warning in request.warnings if warning.kind not in self._warned]
        self._warned.update(warning.kind for warning in new)
        return [warning.text for warning in new]

    def reason(self, position: Position, column: int, limits: Limits) -> dict[str, Any] | None:
        """Why the column is worth what it is; None if there is no reason, or if it is not wanted."""
        if not self.why or position.is_over:  # some managers continue after four in a row
            return None
        from connect4_agent.engine.reasons import explain  # noqa: PLC0415  # most servers never need it

        explanation = explain(position, column, limits)
        return explanation.to_dict() if explanation.reasons else None

    def write(self, choice: Choice, elapsed_ms: float, reason: dict[str, Any] | None = None) -> bytes:
        """The column, with what the search found and the reason, if they are wanted."""
        if not self.explain:
            return encode_move(choice.column)
        from connect4_agent.server.replies import encode, explained_reply  # noqa: PLC0415  # most servers never need it

        return encode(explained_reply(choice, elapsed_ms), {"reason": reason} if self.why else {})


def encode_move(column: int) -> bytes:
    """A `replies.MoveReply` as one line."""
    return b'{"move":%d}\n' % column


def encode_error(error: RequestError) -> bytes:
    """A `replies.ErrorReply` as one line."""
    from connect4_agent.server.replies import ErrorReply, encode  # noqa: PLC0415  # most servers never need it

    return encode(ErrorReply(str(error), error.code))


class SolverCodec:
    """Lines of columns answered with exact scores, in the format of the solver PascalPons/connect4.

        in:   44455554221       the columns played from the empty board, counted from 1; an empty line has none
        out:  44455554221 -15   the same line and its score; with all columns, a score for each, -1000 for a full one

    A full board without a four is a game whose score is 0. A score takes as long as it needs; `poll` is called
    regularly and may raise to end the search.
    """

    def __init__(
        self, width: int = 7, height: int = 6, *, all_columns: bool = False, poll: Callable[[], None] = do_nothing
    ) -> None:
        self._poll = poll
        self._size = (width, height)
        self._all_columns = all_columns
        self._line_number = 0

    def answer(self, line: bytes) -> bytes:
        """The line and its score or scores. Raises NotationError if the line is not a game in progress."""
        from connect4_agent.engine.exact import exact_scores  # noqa: PLC0415  # most servers speak JSON

        self._line_number += 1
        if len(line) > MAX_LINE_BYTES:
            raise NotationError(f"line {self._line_number} is too long")
        text = line.decode("utf-8-sig", errors="replace").strip()
        try:
            position = Position.from_moves(text, *self._size)
        except NotationError as error:
            raise NotationError(f"line {self._line_number}: {error}") from None
        if position.winner is not None:
            over = f"{text!r} is over: player {position.winner} has four in a row"
            raise NotationError(f"line {self._line_number}: {over}")
        exact = exact_scores(position.width, position.height, self._poll)
        if self._all_columns:
            scores = [FULL_COLUMN_SCORE if score is None else score for score in exact.column_scores(position)]
        else:
            scores = [0 if position.is_full else exact.score(position)]
        return f"{text} {' '.join(map(str, scores))}\n".encode()
