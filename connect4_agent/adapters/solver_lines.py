"""Scores by the line, as scripts around the public C++ solver expect them.

    in:   44455554221       the columns played from the empty board, counted from 1; an empty line is the empty board
    out:  44455554221 -15   the same line and its score; with all columns, a score for each, -1000 where one is full

As there, a line that is no game in progress is told on standard error and not answered. A full board without a
four is a game whose score is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.adapters.text_lines import text_of
from connect4_agent.engine.analysis import column_scores, exact_score
from connect4_agent.position import Position

if TYPE_CHECKING:
    from connect4_agent.engine.solver import Solver
    from connect4_agent.server import OverlongLine, Turn

FULL_COLUMN_SCORE = -1000
"""What stands for a column in which nothing can be played."""


class SolverCodec:
    """Answers a line of columns with the exact score of the position, however long that takes."""

    takes_blank_lines = True

    def __init__(self, solver: Solver, width: int = 7, height: int = 6, *, all_columns: bool = False) -> None:
        self._solver = solver
        self._size = (width, height)
        self._all_columns = all_columns
        self._line_number = 0

    def answer(self, line: bytes | OverlongLine, turn: Turn) -> bytes | None:
        """The line and its score or scores; None where the line is no game in progress."""
        self._line_number += 1
        text = text_of(line, turn)
        if text is None:
            return None
        try:
            position = Position.from_moves(text, *self._size)
            if position.winner is not None:
                raise errors.MoveStringError(f"{text!r} is over: player {position.winner} has four in a row")
        except errors.MoveStringError as error:
            turn.warn(f"line {self._line_number}: {error}")
            return None
        poll = turn.connection.check_reader
        if self._all_columns:
            scores = column_scores(position, poll=poll, solver=self._solver)
            words = [str(FULL_COLUMN_SCORE if score is None else score) for score in scores]
        else:
            words = [str(exact_score(position, poll=poll, solver=self._solver))]
        return f"{text} {' '.join(words)}\n".encode()
