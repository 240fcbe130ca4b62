"""A mutable board for self-play: one object on which moves are made and taken back."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NoReturn

from connect4_agent.rules import geometry

from . import fours, word

if TYPE_CHECKING:
    from typing import Self


@cache
def masks(width: int, height: int) -> tuple[int, int, int, int]:
    """The stride of lines, and the cells of the bottom row, of the whole board and of its first column."""
    return (
        geometry.line_stride(width, height),
        geometry.bottom_cells(width, height),
        geometry.board_cells(width, height),
        geometry.column_cells(height, 0),
    )


class Board:
    """A board that changes with every move. The arguments are those of a Position, and are not checked here."""

    def __init__(self, width: int = 7, height: int = 6, player: int = 1, discs_1: int = 0, discs_2: int = 0) -> None:
        self.width = width
        self.height = height
        self.player = player
        self.stride = height + 1
        line_stride, bottom, board, column_cells = masks(width, height)
        self.line_stride = line_stride
        self.bottom = word.from_int(bottom)
        self.board = word.from_int(board)
        self.lowest_cell = word.from_int(1)
        self.column_cells = word.from_int(column_cells)
        self.mover = word.from_int(discs_1 if player == 1 else discs_2)
        self.waiting = word.from_int(discs_2 if player == 1 else discs_1)
        self.number = 0  # of the winner
        if fours.has_four(self.mover, self.line_stride):
            self.number = player
        elif fours.has_four(self.waiting, self.line_stride):
            self.number = 3 - player
        self.plies = 0
        self.played = word.zeros(width * height)

    def __dealloc__(self) -> None:
        word.release(self.played)

    def push(self, column: int) -> None:
        """Drop a disc of the player to move into this column, counted from 0; then it is the other player's turn.

        Raises IllegalMoveError if the column is full or not on the board, and GameOverError if the game is over.
        """
        index = word.small(column) if type(column) is int else word.small(self._whole_number(column))
        if self.number != 0 or not 0 <= index < self.width:
            self._refuse(column)
        shift = index * self.stride
        cell = (self.mover | self.waiting) + (self.lowest_cell << shift) & self.column_cells << shift
        if cell == 0:
            self._refuse(column)
        self.played[self.plies] = cell
        self.plies += 1
        moved = self.mover | cell
        self.mover = self.waiting
        self.waiting = moved
        if fours.has_four(moved, self.line_stride):
            self.number = self.player
        self.player = 3 - self.player

    def pop(self) -> int:
        """Take the last `push` back, and return its column. Raises IllegalMoveError if there is none."""
        if self.plies == 0:
            self._refuse(None)
        self.plies -= 1
        cell = self.played[self.plies]
        moved = self.waiting & ~cell
        self.waiting = self.mover
        self.mover = moved
        self.number = 0
        self.player = 3 - self.player
        return word.lowest_index(cell) // self.stride

    def legal(self) -> list[int]:
        """The columns that can be played, from left to right; none if the game is over."""
        columns: list[int] = []
        if self.number == 0:
            playable = (self.mover | self.waiting) + self.bottom & self.board
            while playable:
                columns.append(word.lowest_index(playable) // self.stride)
                playable &= playable - 1
        return columns

    @property
    def winner(self) -> int | None:
        """The player who has four in a row, or None."""
        return self.number or None

    @property
    def is_over(self) -> bool:
        """Whether somebody has four in a row, or the board is full."""
        return self.number != 0 or (self.mover | self.waiting) == self.board

    @property
    def own(self) -> int:
        """The discs of the player to move, as bits like those of a Position."""
        return word.to_int(self.mover)

    @property
    def opponent(self) -> int:
        """The discs of the other player."""
        return word.to_int(self.waiting)

    @property
    def moves(self) -> list[int]:
        """The columns that were pushed and not popped, in order."""
        return [word.lowest_index(self.played[index]) // self.stride for index in range(self.plies)]

    def copy(self) -> Self:
        """Another board with the same discs and moves."""
        own, opponent = word.to_int(self.mover), word.to_int(self.waiting)
        discs = (own, opponent) if self.player == 1 else (opponent, own)
        made = type(self)(self.width, self.height, self.player, *discs)
        self._copy_moves(made)
        return made

    def _copy_moves(self, other: Board) -> None:
        for index in range(self.plies):
            other.played[index] = self.played[index]
        other.plies = self.plies

    def _whole_number(self, column: object) -> int:
        """A column that is not a plain int, such as one of NumPy's."""
        raise TypeError(column)

    def _refuse(self, column: object) -> NoReturn:
        """Raise the error for a column that cannot be played; None: there is nothing to take back."""
        raise ValueError(column)
