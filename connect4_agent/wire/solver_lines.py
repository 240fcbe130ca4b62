"""Lines of columns answered with exact scores, in the format of the solver PascalPons/connect4.

    in:   44455554221       the columns played from the empty board, counted from 1; an empty line is the empty board
    out:  44455554221 -15   the same line and its score; with all columns, a score for each, -1000 where one is full

As there, a line that is not a game in progress gets a message on standard error and no answer. A full board without a
four is a game whose score is 0.
"""

from __future__ import annotations

from collections.abc import Callable

from connect4_agent import errors
from connect4_agent.engine.exact import exact_scores
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.players.player import Choice
from connect4_agent.rules.position import Position
from connect4_agent.wire.lines import OverlongLine
from connect4_agent.wire.server import Reading

FULL_COLUMN_SCORE = -1000
"""The score that is printed for a full column."""


class SolverCodec:
    """Answers a line of columns with the exact score of the position, however long that takes.

    `poll` is called regularly and may raise to end the search.
    """

    takes_blank_lines = True
    takes_documents = False
    explain = False

    def __init__(
        self, width: int = 7, height: int = 6, *, all_columns: bool = False, poll: Callable[[], None] = do_nothing
    ) -> None:
        self._poll = poll
        self._size = (width, height)
        self._all_columns = all_columns
        self._line_number = 0

    def read(self, line: bytes | OverlongLine) -> Reading:
        """The line and its score or scores as an answer; a warning if the line is not a game in progress."""
        self._line_number += 1
        if isinstance(line, OverlongLine):
            return Reading(warnings=(f"line {self._line_number} is too long",))
        text = line.decode("utf-8-sig", errors="replace").strip()
        try:
            position = Position.from_moves(text, *self._size)
            if position.winner is not None:
                raise errors.NotationError(f"{text!r} is over: player {position.winner} has four in a row")
        except errors.NotationError as error:
            return Reading(warnings=(f"line {self._line_number}: {error}",))
        exact = exact_scores(position.width, position.height, self._poll)
        if self._all_columns:
            scores = exact.column_scores(position)
            words = [str(FULL_COLUMN_SCORE if score is None else score) for score in scores]
        else:
            words = [str(0 if position.is_full else exact.score(position))]
        return Reading(answer=f"{text} {' '.join(words)}\n".encode())

    def write(self, choice: Choice, elapsed_ms: float) -> bytes:
        """Never called: no line of this protocol asks for a move."""
        raise NotImplementedError
