"""Game: the moves of one game, which can be taken back and played again, without anybody who plays them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from connect4_agent import errors
from connect4_agent.position import MOVE_SIGNS, Position, stride_of

Cell = tuple[int, int]
"""A column and a row; row 0 is the lowest."""


@dataclass(frozen=True)
class Game:
    """The columns played from the empty board, of which the first `ply` are on the board; player 1 begins.

    What lies behind `ply` was taken back and can be played again.
    """

    width: int = 7
    height: int = 6
    columns: tuple[int, ...] = ()
    ply: int = 0

    @classmethod
    def from_moves(cls, moves: str, width: int = 7, height: int = 6) -> Game:
        """Play a move string for people, such as "4453". Raises MoveStringError, or BoardSizeError."""
        if width > len(MOVE_SIGNS):
            raise errors.BoardSizeError(
                f"width is {width}; a move string has signs for {len(MOVE_SIGNS)} columns at the most"
            )
        Position.from_moves(moves, width, height)
        columns = tuple(MOVE_SIGNS.index(sign) for sign in moves.lower())
        return cls(width, height, columns, len(columns))

    @cached_property
    def position(self) -> Position:
        """The board."""
        position = Position(self.width, self.height)
        for column in self.columns[: self.ply]:
            position = position.play(column)
        return position

    @property
    def is_over(self) -> bool:
        """Whether somebody has four or the board is full."""
        return self.position.is_over

    @property
    def winner(self) -> int | None:
        """The player who has four in a row."""
        return self.position.winner

    @property
    def moves(self) -> str:
        """The discs on the board as a move string for people."""
        return "".join(MOVE_SIGNS[column] for column in self.columns[: self.ply])

    @property
    def last_cell(self) -> Cell | None:
        """Where the last disc lies."""
        if self.ply == 0:
            return None
        column = self.columns[self.ply - 1]
        return column, self.columns[: self.ply].count(column) - 1

    @property
    def four(self) -> frozenset[Cell]:
        """The cells of every line of four that is on the board."""
        cells = 0
        stride = stride_of(self.height)
        for discs in (self.position.discs_1, self.position.discs_2):
            for step in (1, stride - 1, stride, stride + 1):
                pairs = discs & discs >> step
                lowest = pairs & pairs >> 2 * step
                cells |= lowest | lowest << step | lowest << 2 * step | lowest << 3 * step
        return frozenset(
            (column, row)
            for column in range(self.width)
            for row in range(self.height)
            if cells >> column * stride + row & 1
        )

    def play(self, column: int) -> Game:
        """The game with one more disc; what was taken back is forgotten. Raises GameOverError, IllegalMoveError."""
        if self.is_over:
            raise errors.GameOverError("no disc can be played: the game is over")
        self.position.play(column)
        return replace(self, columns=(*self.columns[: self.ply], column), ply=self.ply + 1)

    def at(self, ply: int) -> Game:
        """The game after so many discs, which may be fewer or more than now; the nearest that there is."""
        return replace(self, ply=max(0, min(ply, len(self.columns))))
