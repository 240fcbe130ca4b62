"""Game: the columns that were played at the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from connect4_agent import errors
from connect4_agent.rules.notation import MOVE_SIGNS, format_moves, parse_moves
from connect4_agent.rules.position import Position

Cell = tuple[int, int]
"""A column and a row; row 0 is the lowest."""


@dataclass(frozen=True)
class Game:
    """The columns played from the empty board; player 1 began."""

    width: int = 7
    height: int = 6
    columns: tuple[int, ...] = ()

    @classmethod
    def from_moves(cls, moves: str, width: int = 7, height: int = 6) -> Game:
        """Play a move string such as "4453". Raises NotationError, or BadValueError."""
        if width > len(MOVE_SIGNS):
            raise errors.BadValueError(f"width is {width}; a move string can name at most {len(MOVE_SIGNS)} columns")
        Position.from_moves(moves, width, height)
        return cls(width, height, parse_moves(moves))

    @cached_property
    def position(self) -> Position:
        """The board."""
        return Position(self.width, self.height).after(self.columns)

    @property
    def moves(self) -> str:
        """The game as a move string."""
        return format_moves(self.columns)

    @property
    def last_cell(self) -> Cell | None:
        """The cell of the last disc."""
        if not self.columns:
            return None
        return self.columns[-1], self.columns.count(self.columns[-1]) - 1

    @property
    def four(self) -> frozenset[Cell]:
        """The cells of the winner's lines of four."""
        outcome = self.position.outcome
        return frozenset() if outcome is None else frozenset(outcome.cells)

    def play(self, column: int) -> Game:
        """Return the game with one more disc. Raises GameOverError, IllegalMoveError."""
        self.position.play(column)
        return replace(self, columns=(*self.columns, column))

    def at(self, ply: int) -> Game:
        """Return the game after its first discs."""
        return replace(self, columns=self.columns[: max(0, ply)])
