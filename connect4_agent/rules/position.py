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

from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.rules import geometry
from connect4_agent.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from connect4_agent.drawing.svg import Scored
    from connect4_agent.reasons.explanation import Mark
    from connect4_agent.rules.outcome import Outcome

LARGEST_SIDE = 100
"""The most columns, and the most rows, that a board may have."""

USUAL_SIZE = (7, 6)
"""The columns and rows of the usual game, and of a board whose size is not stated."""

MOVE_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The character for each column in a move string: 1 is the leftmost column, a the tenth."""

DISC_SIGNS = ".XO"
"""The characters for an empty cell and for the two players' discs in a drawing."""


def columns_of(moves: str) -> tuple[int, ...]:
    """The columns, counted from 0, of a valid move string."""
    return tuple(MOVE_SIGNS.index(sign) for sign in moves.lower())


def stride_of(height: int) -> int:
    """The distance between the bits of two neighbouring columns: the rows and the bit that is always empty."""
    return height + 1


NOBODY, UNKNOWN = 0, 3
"""What a position remembers of its winner if there is none, and if nobody has asked yet."""

bottom_row = lru_cache(maxsize=64)(geometry.bottom_cells)
all_cells = lru_cache(maxsize=64)(geometry.board_cells)


@dataclass(frozen=True, slots=True)
class Position:
    """A board and the player whose turn it is; immutable and hashable.

    `Position()` is the empty board of 7 columns and 6 rows; `Position.from_moves("4455")`, `from_grid` and
    `from_drawing` make others. `play` returns the position after a move. Rows count from 0 at the bottom.
    `str(position)` is a drawing, `repr(position)` a call that makes the same position; notebooks show a picture.

    The arguments are the number of columns and rows (1 to 100 each), the player whose turn it is (1 or 2; either may
    begin), and the discs of players 1 and 2 as bit masks: the cell in column c and row r is bit c * (height + 1) + r.
    The disc counts may be odd: some managers send boards on which a move was passed. Raises BadValueError
    for a size or player that is not allowed, and for a disc that floats, lies outside the board, or shares its cell.
    """

    width: int = 7
    height: int = 6
    player: int = 1
    discs_1: int = 0
    discs_2: int = 0
    _winner: int = field(default=UNKNOWN, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            discs = self.discs_1 | self.discs_2
            is_good = (
                1 <= index(self.width) <= LARGEST_SIDE
                and 1 <= index(self.height) <= LARGEST_SIDE
                and index(self.player) in (1, 2)
                and bool not in (self.width.__class__, self.height.__class__, self.player.__class__)
                and not self.discs_1 & self.discs_2
                # Adding one at the bottom of every column carries through all discs that lie on each other.
                and not (discs + bottom_row(self.width, self.height) | ~all_cells(self.width, self.height)) & discs
            )
        except TypeError:
            is_good = False
        if not is_good:
            from connect4_agent.rules.checks import refuse  # noqa: PLC0415  # rarely needed

            refuse(self.width, self.height, self.player, self.discs_1, self.discs_2)

    @classmethod
    def from_grid(
        cls, grid: Sequence[Sequence[int]], player: int | None = None, *, row_major: bool = False
    ) -> Position:
        """Read a grid: a list of columns, each from its top cell to its bottom cell; 0 is empty, 1 and 2 are discs.

        Without a player, it is the turn of the one with fewer discs; if both have the same number, of player 1.
        With `row_major`, the grid is a list of rows, the top row first.
        Raises the RequestError that names what is wrong with the grid, and where.
        """
        try:
            length = len(grid[0])
            is_good = length > 0 and all(len(line) == length for line in grid)
            columns = list(zip(*grid, strict=True)) if is_good and row_major else grid
            width, height = len(columns), len(columns[0])
            is_good = is_good and width <= LARGEST_SIDE and height <= LARGEST_SIDE
            discs = [0, 0, 0]
            bit = 1
            for cells in columns if is_good else ():
                empty_below = False
                for row in range(height - 1, -1, -1):
                    cell = cells[row]
                    if cell == 0 and cell is not False:
                        empty_below = True
                    elif (
                        (cell == 1 or cell == 2)  # noqa: PLR1714  # a server's first answer waits
                        and not empty_below
                        and cell is not True
                    ):
                        discs[cell] |= bit
                    else:
                        is_good = False
                    bit <<= 1
                bit <<= 1
        except (TypeError, IndexError, KeyError):
            is_good = False
        if not is_good:
            from connect4_agent.rules.checks import refuse_grid  # noqa: PLC0415  # rarely needed

            refuse_grid(grid, row_major)
        if player is None:
            player = 2 if discs[2].bit_count() < discs[1].bit_count() else 1
        return cls(width, height, player, discs[1], discs[2])

    @classmethod
    def from_moves(cls, moves: str, width: int = 7, height: int = 6, player: int = 1) -> Position:
        """Play a move string for people, such as "4453", from the empty board; `player` begins.

        Columns are counted from 1 here: 1 to 9, then a to z. Raises NotationError.
        """
        from connect4_agent.rules import notation as texts  # noqa: PLC0415  # a server reads grids

        return texts.after_moves(cls(width, height, player), moves)

    @classmethod
    def from_drawing(cls, drawing: str, player: int | None = None) -> Position:
        """Read the output of `drawing()`. The line of column numbers may be left out.

        Rows may also be separated by `/`, and blanks between the cells may be left out, as in `repr(position)`.
        A missing player is found as in `from_grid`. Raises NotationError, or a RequestError like `from_grid`.
        """
        from connect4_agent.rules import notation as texts  # noqa: PLC0415  # a server reads grids

        return cls.from_grid(texts.rows_of(drawing), player, row_major=True)

    @classmethod
    def from_planes(cls, planes: npt.ArrayLike, player: int | None = None) -> Position:
        """Read what `planes` gives, or an observation of PettingZoo's Connect Four. Needs the extra `data`.

        Without a player, it is player 2's turn if the player to move has fewer discs, otherwise player 1's.
        Raises BadValueError if the array is not one of 0 and 1 with shape (height, width, 2), or RequestError for a
        disc that floats.
        """
        try:
            from connect4_agent.lab.planes import position_of_planes  # noqa: PLC0415  # NumPy is an extra
        except ImportError as error:
            raise errors.missing_numpy("Position.from_planes", error) from None
        return position_of_planes(planes, player)

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
        return self.discs_1 | self.discs_2 == all_cells(self.width, self.height)

    @property
    def winner(self) -> int | None:
        """The player who has four in a row, or None; if both have (some managers allow that), the one to move."""
        winner = self._winner
        if winner == UNKNOWN:
            if geometry.has_four(self.own, stride_of(self.height)):
                winner = self.player
            else:
                winner = 3 - self.player if geometry.has_four(self.opponent, stride_of(self.height)) else NOBODY
            object.__setattr__(self, "_winner", winner)
        return winner or None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None or self.is_full

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended (the winner, the reason, the cells of the winning lines); None if it is not over."""
        from connect4_agent.rules.outcome import outcome_of  # noqa: PLC0415  # a server never asks

        return outcome_of(self)

    def check_unfinished(self, purpose: str) -> None:
        """Raise GameOverError if the game is over; the message begins with `purpose`."""
        winner = self.winner
        if winner is not None or self.is_full:
            reason = "the board is full" if winner is None else f"player {winner} has four in a row"
            raise errors.GameOverError(f"{purpose}: {reason}")

    @property
    def key(self) -> int:
        """A number that identifies the position among those of the same board size, with either player to move.

        In a column with k discs, own + all discs is between 2^k - 1 and 2^(k+1) - 2, so the sum determines both.
        """
        return self.own + self.occupied

    def legal_columns(self) -> list[int]:
        """The open columns, from left to right."""
        stride, top_cells = stride_of(self.height), self.occupied >> self.height - 1
        return [column for column in range(self.width) if not top_cells >> column * stride & 1]

    def is_open(self, column: int) -> bool:
        """Whether a disc can be dropped into the column. Raises IllegalMoveError if it is not a whole number."""
        column = column if column.__class__ is int else self._whole_number(column)
        return 0 <= column < self.width and not self.occupied >> column * stride_of(self.height) + self.height - 1 & 1

    def play(self, column: int) -> Position:
        """The position after the player to move has dropped a disc into this column, counted from 0.

        Raises IllegalMoveError if the column is full or not on the board, and GameOverError if the game is over.
        """
        if self._winner and self.winner is not None:
            self.drop(column)
            self.check_unfinished(f"column {column} cannot be played")
        number = column if column.__class__ is int else self._whole_number(column)
        if 0 <= number < self.width:
            height, discs_1, discs_2 = self.height, self.discs_1, self.discs_2
            stride = height + 1
            shift = number * stride
            cell = (discs_1 | discs_2) + (1 << shift) & (1 << height) - 1 << shift
            if cell:
                # Nobody had four, so only the player who moves can have it now.
                after: Any
                if self.player == 1:
                    discs_1 |= cell
                    winner = 1 if geometry.has_four(discs_1, stride) else NOBODY
                    after = _Draft(self.width, height, 2, discs_1, discs_2, winner)
                else:
                    discs_2 |= cell
                    winner = 2 if geometry.has_four(discs_2, stride) else NOBODY
                    after = _Draft(self.width, height, 1, discs_1, discs_2, winner)
                after.__class__ = Position
                return after  # type: ignore[no-any-return]
        raise self._illegal(column, "is full" if 0 <= number < self.width else "is not on the board")

    def drop(self, column: int) -> Position:
        """The same as `play`, even if the game is over: some managers continue after four in a row."""
        if self.winner is None:
            return self.play(column)
        after = _unchecked(self.width, self.height, self.player, self.discs_1, self.discs_2, NOBODY).play(column)
        return _unchecked(after.width, after.height, after.player, after.discs_1, after.discs_2)

    def _whole_number(self, column: object) -> int:
        """A column that is not a plain int, such as one of NumPy's."""
        try:
            if not isinstance(column, bool):
                return index(column)  # type: ignore[arg-type]
        except TypeError:
            pass
        raise self._illegal(column, "is not a whole number")

    def _illegal(self, column: object, reason: str) -> errors.IllegalMoveError:
        open_columns = ", ".join(map(str, self.legal_columns())) or "none"
        return errors.IllegalMoveError(f"column {short(repr(column))} {reason}; open columns are {open_columns}")

    def after(self, columns: Iterable[int]) -> Position:
        """The position after playing these columns one after the other; raises the same errors as `play`."""
        position = self
        for column in columns:
            position = position.play(column)
        return position

    def predecessors(self) -> list[Position]:
        """The positions from which the opponent may have moved here, one for each of its discs on top of a column."""
        stride = stride_of(self.height)
        above = self.occupied + bottom_row(self.width, self.height)
        earlier = []
        for column in range(self.width):
            cell = (above & ((1 << stride) - 1) << column * stride) >> 1
            if cell & self.opponent:
                discs = (self.discs_1 & ~cell, self.discs_2 & ~cell)
                earlier.append(_unchecked(self.width, self.height, 3 - self.player, *discs))
        return earlier

    def passed(self) -> Position:
        """The same board with the other player to move."""
        return _unchecked(self.width, self.height, 3 - self.player, self.discs_1, self.discs_2)

    def winning_columns(self) -> list[int]:
        """The columns in which a disc of the player to move makes four in a row."""
        own, height, playable = self.own, self.height, self.playable
        if own.bit_count() < 3:
            return []
        stride, column_cells = stride_of(height), (1 << height) - 1
        cells = ((column, playable & column_cells << column * stride) for column in range(self.width))
        return [column for column, cell in cells if cell and geometry.has_four(own | cell, stride)]

    def mirrored(self) -> Position:
        """The position with left and right exchanged."""
        return _unchecked(self.width, self.height, self.player, self._mirror(self.discs_1), self._mirror(self.discs_2))

    def canonical(self) -> Position:
        """The position or its mirror image, whichever has the smaller key."""
        mirrored = self.mirrored()
        return mirrored if mirrored.key < self.key else self

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

    def planes(self) -> npt.NDArray[np.int8]:
        """The board for a neural network: an array of 0 and 1 with shape (height, width, 2). Needs the extra `data`.

        `planes()[row, column, 0]` is 1 for a disc of the player to move, `[row, column, 1]` for one of the opponent;
        row 0 is the top row. PettingZoo's Connect Four has the same layout.
        """
        try:
            from connect4_agent.lab.planes import planes_of  # noqa: PLC0415  # NumPy is an extra
        except ImportError as error:
            raise errors.missing_numpy("Position.planes", error) from None
        return planes_of(self.own, self.opponent, self.width, self.height)

    def drawing(self) -> str:
        """The board as lines of text, the top row first: X and O for the discs of players 1 and 2."""
        from connect4_agent.rules import notation as texts  # noqa: PLC0415  # a server never asks

        return texts.drawing_of(self)

    def __str__(self) -> str:
        return self.drawing()

    def __repr__(self) -> str:
        """A call that makes the same position: `Position()`, or `Position.from_drawing(...)`."""
        from connect4_agent.rules import notation as texts  # noqa: PLC0415  # a server never asks

        return texts.call_of(self)

    def svg(self, analysis: Scored | None = None, *, marks: Iterable[Mark] = (), pixels: int = 320) -> str:
        """A picture of the board as an SVG document, `pixels` wide; with an analysis, the scores under the columns.

        With `marks`, such as those of `explain(position)`, the marked cells, and letters and numbers that name cells.
        Player 1 has discs with a cross, player 2 discs with a ring, so that nobody needs to tell colours apart.
        `analysis` is the result of `analyze(position)`. Raises BadValueError if it belongs to another position.
        """
        from connect4_agent.drawing.svg import draw  # noqa: PLC0415  # a server never asks

        return draw(self, analysis, pixels, tuple(marks))

    def _repr_svg_(self) -> str:
        """The picture for notebooks."""
        return self.svg()


class _Draft:
    """A position whose fields can be set: `Position` has no cheap way to do that."""

    __slots__ = ("_winner", "discs_1", "discs_2", "height", "player", "width")

    def __init__(self, width: int, height: int, player: int, discs_1: int, discs_2: int, winner: int) -> None:
        self.width = width
        self.height = height
        self.player = player
        self.discs_1 = discs_1
        self.discs_2 = discs_2
        self._winner = winner


def _unchecked(width: int, height: int, player: int, discs_1: int, discs_2: int, winner: int = UNKNOWN) -> Position:
    """A position that is known to be possible, such as the one after a legal move."""
    position: Any = _Draft(width, height, player, discs_1, discs_2, winner)
    position.__class__ = Position  # the same slots: what is a draft here is a position from here on
    return position  # type: ignore[no-any-return]
