"""Position: an immutable board of any size, with the rules of the game.

A player's discs are the bits of one integer. Columns lie one after the other, each from the bottom
up, with one bit above its top cell that stays empty, so that no line runs from one column into the
next. On the usual board, width 7 and height 6:

     6 13 20 27 34 41 48    always empty
     5 12 19 26 33 40 47    top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    bottom row
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from connect4_agent import errors

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST_SIDE = 100
"""The most columns, and the most rows, that a board may have."""

MOVE_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The sign of each column in a move string for people: 1 is the leftmost column, a the tenth."""

DISC_SIGNS = ".XO"
"""The signs of an empty cell and of the two players' discs in a drawing."""


def stride_of(height: int) -> int:
    """The distance between two neighbouring columns' bits: the rows and the bit that stays empty."""
    return height + 1


@lru_cache(maxsize=64)
def bottom_row(width: int, height: int) -> int:
    """The lowest cell of every column."""
    return sum(1 << column * stride_of(height) for column in range(width))


@lru_cache(maxsize=64)
def all_cells(width: int, height: int) -> int:
    """Every cell of the board."""
    return bottom_row(width, height) * ((1 << height) - 1)


def has_four(discs: int, height: int) -> bool:
    """Whether four of the discs stand in a line."""
    stride = stride_of(height)
    for step in (1, stride - 1, stride, stride + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Position:
    """A board and the player whose turn it is. `Position()` is the empty board of 7 columns and 6 rows.

    The disc counts need not fit each other: managers send boards on which a move was passed.
    """

    width: int = 7
    height: int = 6
    player: int = 1
    discs_1: int = 0
    discs_2: int = 0

    def __post_init__(self) -> None:
        """Refuse a size that no board can have, and a player that there is not."""
        for name, value in (("width", self.width), ("height", self.height)):
            if not 1 <= value <= LARGEST_SIDE:
                raise errors.BoardSizeError(f"{name} is {value}; allowed are 1 to {LARGEST_SIDE}")
        if self.player not in (1, 2):
            raise errors.PlayerNumberError(f"player is {self.player!r}; allowed are 1 and 2")

    @classmethod
    def from_grid(
        cls, grid: Sequence[Sequence[int]], player: int | None = None, *, row_major: bool = False
    ) -> Position:
        """Read a grid: a list of columns, each from its top cell to its bottom cell.

        Without a player, it is the turn of the one with fewer discs; with as many discs, of player 1.
        With `row_major`, the grid is a list of rows, the top row first.
        Raises the RequestError that names what is wrong with the grid, and where.
        """
        _check_shape(grid, "row" if row_major else "column")
        columns = list(zip(*grid, strict=True)) if row_major else grid
        width, height = len(columns), len(columns[0])
        if width > LARGEST_SIDE or height > LARGEST_SIDE:
            raise errors.BoardTooLargeError(
                f"grid is {width} columns wide and {height} rows high; "
                f"the largest board is {LARGEST_SIDE} by {LARGEST_SIDE}"
            )
        discs = [0, 0, 0]
        bit = 1
        for column, cells in enumerate(columns):
            empty_below = False
            for index in range(height - 1, -1, -1):
                cell = cells[index]
                if cell not in (0, 1, 2):
                    raise errors.BadCellError(f"{_place(column, index, row_major)} is {cell!r}; a cell is 0, 1 or 2")
                if cell == 0:
                    empty_below = True
                elif empty_below:
                    raise errors.FloatingDiscError(
                        f"{_place(column, index, row_major)} is {cell}, a disc of player {cell}, "
                        f"but {_place(column, index + 1, row_major)} below it is empty"
                    )
                else:
                    discs[cell] |= bit
                bit <<= 1
            bit <<= 1
        if player is None:
            player = 2 if discs[2].bit_count() < discs[1].bit_count() else 1
        return cls(width, height, player, discs[1], discs[2])

    @classmethod
    def from_moves(cls, moves: str, width: int = 7, height: int = 6, player: int = 1) -> Position:
        """Play a move string for people, such as "4453", from the empty board; `player` begins."""
        position = cls(width, height, player)
        for number, sign in enumerate(moves, 1):
            column = MOVE_SIGNS.find(sign.lower())
            if not 0 <= column < width:
                last = MOVE_SIGNS[min(width, len(MOVE_SIGNS)) - 1]
                raise errors.MoveStringError(f"move {number} of {moves!r} is {sign!r}; the columns are 1 to {last}")
            if position.winner is not None:
                raise errors.MoveStringError(
                    f"move {number} of {moves!r} comes after the end: player {position.winner} has four in a row"
                )
            try:
                position = position.play(column)
            except errors.IllegalMoveError:  # its words count columns from 0
                raise errors.MoveStringError(f"move {number} of {moves!r}: column {sign} is full") from None
        return position

    @classmethod
    def from_drawing(cls, drawing: str, player: int | None = None) -> Position:
        """Read what `drawing()` gives; the line of column signs may be left out."""
        rows = [line.split() for line in drawing.splitlines() if line.strip()]
        if rows and rows[-1] == list(MOVE_SIGNS[: len(rows[-1])]):
            rows.pop()
        for number, row in enumerate(rows, 1):
            for sign in row:
                if sign not in DISC_SIGNS or len(sign) != 1:
                    raise errors.DrawingError(
                        f"row {number} of the drawing has {sign!r}; allowed are {', '.join(DISC_SIGNS)}"
                    )
        return cls.from_grid([[DISC_SIGNS.index(sign) for sign in row] for row in rows], player, row_major=True)

    @property
    def own(self) -> int:
        """The discs of the player whose turn it is."""
        return self.discs_1 if self.player == 1 else self.discs_2

    @property
    def opponent(self) -> int:
        """The discs of the player whose turn it is not."""
        return self.discs_2 if self.player == 1 else self.discs_1

    @property
    def occupied(self) -> int:
        """The cells that hold a disc."""
        return self.discs_1 | self.discs_2

    @property
    def playable(self) -> int:
        """The cells that a disc would land on, one in each open column."""
        return (self.occupied + bottom_row(self.width, self.height)) & all_cells(self.width, self.height)

    @property
    def disc_count(self) -> int:
        """The number of discs on the board."""
        return self.occupied.bit_count()

    @property
    def empty_count(self) -> int:
        """The number of empty cells."""
        return self.width * self.height - self.disc_count

    @property
    def is_full(self) -> bool:
        """Whether no column is open."""
        return self.empty_count == 0

    @property
    def winner(self) -> int | None:
        """The player who has four in a row; where a manager let both have it, the one to move."""
        for player in (self.player, 3 - self.player):
            if has_four(self.discs_1 if player == 1 else self.discs_2, self.height):
                return player
        return None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.is_full or self.winner is not None

    @property
    def key(self) -> int:
        """One number for each placing of own and opponent's discs on a board of this size.

        In every column, own discs + all discs lies between 2^k - 1 and 2^(k+1) - 2 for k discs, so
        that both can be found again from the sum.
        """
        return self.own + self.occupied

    def legal_columns(self) -> list[int]:
        """The open columns, from left to right."""
        stride, playable = stride_of(self.height), self.playable
        column_cells = (1 << self.height) - 1
        return [column for column in range(self.width) if playable >> column * stride & column_cells]

    def is_open(self, column: int) -> bool:
        """Whether a disc can be dropped into the column."""
        return 0 <= column < self.width and not self.occupied >> column * stride_of(self.height) + self.height - 1 & 1

    def play(self, column: int) -> Position:
        """The position after a disc of the player to move in this column. Whether the game is over is not asked."""
        if not self.is_open(column):
            reason = "is full" if 0 <= column < self.width else "is not on the board"
            open_columns = ", ".join(map(str, self.legal_columns())) or "none"
            raise errors.IllegalMoveError(f"column {column} {reason}; open columns are {open_columns}")
        stride = stride_of(self.height)
        cell = self.playable & ((1 << self.height) - 1) << column * stride
        if self.player == 1:
            return Position(self.width, self.height, 2, self.discs_1 | cell, self.discs_2)
        return Position(self.width, self.height, 1, self.discs_1, self.discs_2 | cell)

    def predecessors(self) -> list[Position]:
        """The positions in which the opponent may just have moved, one for each of its discs that lies on top."""
        stride = stride_of(self.height)
        above = self.occupied + bottom_row(self.width, self.height)
        found = []
        for column in range(self.width):
            cell = (above & ((1 << stride) - 1) << column * stride) >> 1
            if cell & self.opponent:
                discs = (self.discs_1 & ~cell, self.discs_2 & ~cell)
                found.append(Position(self.width, self.height, 3 - self.player, *discs))
        return found

    def passed(self) -> Position:
        """The same board with the other player to move."""
        return Position(self.width, self.height, 3 - self.player, self.discs_1, self.discs_2)

    def winning_columns(self) -> list[int]:
        """The columns in which a disc of the player to move makes four in a row."""
        if self.own.bit_count() < 3:
            return []
        return [column for column in self.legal_columns() if has_four(self.play(column).opponent, self.height)]

    def mirrored(self) -> Position:
        """The position with left and right exchanged."""
        return Position(self.width, self.height, self.player, self._mirror(self.discs_1), self._mirror(self.discs_2))

    def _mirror(self, discs: int) -> int:
        stride = stride_of(self.height)
        column_cells = (1 << self.height) - 1
        return sum(
            (discs >> column * stride & column_cells) << (self.width - 1 - column) * stride
            for column in range(self.width)
        )

    def grid(self) -> list[list[int]]:
        """The board as a list of columns, each from its top cell to its bottom cell; 0 is empty."""
        stride = stride_of(self.height)
        return [
            [
                (self.discs_1 >> bit & 1) + 2 * (self.discs_2 >> bit & 1)
                for bit in range(column * stride + self.height - 1, column * stride - 1, -1)
            ]
            for column in range(self.width)
        ]

    def drawing(self) -> str:
        """The board as lines of text, the top row first: X and O for the discs of players 1 and 2."""
        lines = [" ".join(DISC_SIGNS[cell] for cell in row) for row in zip(*self.grid(), strict=True)]
        if self.width <= len(MOVE_SIGNS):
            lines.append(" ".join(MOVE_SIGNS[: self.width]))
        return "\n".join(lines)

    def __str__(self) -> str:
        """The drawing."""
        return self.drawing()


def _check_shape(grid: Sequence[Sequence[int]], line_name: str) -> None:
    if not grid:
        raise errors.EmptyGridError(f"grid is empty; it needs at least one {line_name}")
    length = len(grid[0])
    for index, line in enumerate(grid):
        if len(line) != length:
            raise errors.RaggedGridError(
                f"grid[{index}] has {len(line)} cells, grid[0] has {length}; all {line_name}s must be as long"
            )
    if length == 0:
        raise errors.EmptyGridError(f"grid[0] is empty; a {line_name} needs at least one cell")


def _place(column: int, index: int, row_major: bool) -> str:
    return f"grid[{index}][{column}]" if row_major else f"grid[{column}][{index}]"
