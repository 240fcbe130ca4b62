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

from operator import index
from typing import TYPE_CHECKING, Literal, NamedTuple

from connect4_agent import errors
from connect4_agent.rules import geometry, notation
from connect4_agent.rules.geometry import LARGEST_SIDE, Cell, board_cells, bottom_cells, stride_of
from connect4_agent.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

USUAL_SIZE = (7, 6)
"""The columns and rows of the usual game, and of a board whose size is not stated."""

NOBODY, UNKNOWN = 0, 3
"""The remembered winner of a position if there is none, and if nobody has asked yet."""


class Outcome(NamedTuple):
    """The end of a game: the winner, if there is one, and how."""

    winner: int | None
    """The player who has four in a row, 1 or 2; None for a draw."""
    reason: Literal["four in a row", "draw"]
    """Why the game is over."""
    cells: tuple[Cell, ...] = ()
    """The cells of the winning lines as `(column, row)`, both counted from 0 at the bottom left; empty for a draw."""


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

    __slots__ = ("_discs_1", "_discs_2", "_height", "_player", "_width", "_winner")

    def __init__(self, width: int = 7, height: int = 6, player: int = 1, discs_1: int = 0, discs_2: int = 0) -> None:
        is_good = bool not in (width.__class__, height.__class__, player.__class__)
        try:
            if is_good:
                width, height, player, discs_1, discs_2 = map(index, (width, height, player, discs_1, discs_2))
                discs = discs_1 | discs_2
                is_good = (
                    1 <= width <= LARGEST_SIDE
                    and 1 <= height <= LARGEST_SIDE
                    and player in (1, 2)
                    and not discs_1 & discs_2
                    # Adding one at the bottom of every column carries through all discs that lie on each other.
                    and not (discs + bottom_cells(width, height) | ~board_cells(width, height)) & discs
                )
        except TypeError:
            is_good = False
        if not is_good:
            _refuse(width, height, player, discs_1, discs_2)
        self._width = width
        self._height = height
        self._player = player
        self._discs_1 = discs_1
        self._discs_2 = discs_2
        self._winner = UNKNOWN

    def _with(self, player: int, discs_1: int, discs_2: int, winner: int = UNKNOWN) -> Position:
        """Return a position on a board of this size that is known to be possible, such as the one after a move."""
        position = object.__new__(Position)
        position._width = self._width
        position._height = self._height
        position._player = player
        position._discs_1 = discs_1
        position._discs_2 = discs_2
        position._winner = winner
        return position

    @classmethod
    def from_grid(
        cls, grid: Sequence[Sequence[int]], player: int | None = None, *, row_major: bool = False
    ) -> Position:
        """Read a grid: a list of columns, each from its top cell to its bottom cell; 0 is empty, 1 and 2 are discs.

        Without a player, it is the turn of the one with fewer discs; if both have the same number, of player 1.
        With `row_major`, the grid is a list of rows, the top row first.
        Raises the RequestError that names what is wrong with the grid, and where.
        """
        columns = _read_columns(grid, row_major)
        width, height = len(columns), len(columns[0])
        discs = [0, 0, 0]
        bit = 1
        for column, cells in enumerate(columns):
            empty_below = False
            for row in range(height - 1, -1, -1):
                cell = cells[row]
                if cell.__class__ is not int:
                    cell = _read_cell(cell)
                if cell == 0:
                    empty_below = True
                elif empty_below or not 1 <= cell <= 2:
                    raise _wrong_cell(columns, column, row, row_major)
                else:
                    discs[cell] |= bit
                bit <<= 1
            bit <<= 1
        if player is None:
            player = 2 if discs[2].bit_count() < discs[1].bit_count() else 1
        return cls(width, height, player, discs[1], discs[2])

    @classmethod
    def from_moves(cls, moves: str, width: int = 7, height: int = 6, player: int = 1) -> Position:
        """Play a move string for people, such as "4453", from the empty board; `player` begins.

        Columns are counted from 1 here: 1 to 9, then a to z. Raises NotationError.
        """
        position = cls(width, height, player)
        for number, column in enumerate(notation.parse_moves(moves, width), 1):
            try:
                position = position.play(column)
            except errors.GameOverError:
                raise errors.NotationError(
                    f"move {number} of {moves!r} comes after the end: player {position.winner} has four in a row"
                ) from None
            except errors.IllegalMoveError:  # its message counts columns from 0
                raise errors.NotationError(f"move {number} of {moves!r}: column {moves[number - 1]} is full") from None
        return position

    @classmethod
    def from_drawing(cls, drawing: str, player: int | None = None) -> Position:
        """Read the output of `drawing()`. The line of column numbers may be left out.

        Rows may also be separated by `/`, and blanks between the cells may be left out, as in `repr(position)`.
        A missing player is found as in `from_grid`. Raises NotationError, or a RequestError like `from_grid`.
        """
        return cls.from_grid(notation.parse_drawing(drawing), player, row_major=True)

    @property
    def width(self) -> int:
        """The number of columns."""
        return self._width

    @property
    def height(self) -> int:
        """The number of rows."""
        return self._height

    @property
    def player(self) -> int:
        """The player whose turn it is, 1 or 2."""
        return self._player

    @property
    def discs_1(self) -> int:
        """The discs of player 1, as a bit mask."""
        return self._discs_1

    @property
    def discs_2(self) -> int:
        """The discs of player 2, as a bit mask."""
        return self._discs_2

    @property
    def own(self) -> int:
        """The discs of the player whose turn it is."""
        return self._discs_1 if self._player == 1 else self._discs_2

    @property
    def opponent(self) -> int:
        """The discs of the player whose turn it is not."""
        return self._discs_2 if self._player == 1 else self._discs_1

    @property
    def occupied(self) -> int:
        """The cells that hold a disc."""
        return self._discs_1 | self._discs_2

    @property
    def playable(self) -> int:
        """The cells that a disc would land on, one in each open column."""
        return (self.occupied + bottom_cells(self._width, self._height)) & board_cells(self._width, self._height)

    @property
    def disc_count(self) -> int:
        """The number of discs on the board."""
        return self.occupied.bit_count()

    @property
    def empty_count(self) -> int:
        """The number of empty cells."""
        return self._width * self._height - self.disc_count

    @property
    def is_full(self) -> bool:
        """Check whether no column is open."""
        return self._discs_1 | self._discs_2 == board_cells(self._width, self._height)

    @property
    def winner(self) -> int | None:
        """The player who has four in a row, or None; if both have (some managers allow that), the one to move."""
        winner = self._winner
        if winner == UNKNOWN:
            if geometry.has_four(self.own, stride_of(self._height)):
                winner = self._player
            else:
                winner = 3 - self._player if geometry.has_four(self.opponent, stride_of(self._height)) else NOBODY
            self._winner = winner
        return winner or None

    @property
    def is_over(self) -> bool:
        """Check whether the game has ended."""
        return self.winner is not None or self.is_full

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended; None if it is not over."""
        winner = self.winner
        if winner is None:
            return Outcome(None, "draw") if self.is_full else None
        return Outcome(winner, "four in a row", tuple(sorted({cell for line in self.winning_lines for cell in line})))

    @property
    def winning_lines(self) -> list[list[Cell]]:
        """The winner's lines of four cells or more as (column, row), each from its left or lower end."""
        discs = {None: 0, 1: self._discs_1, 2: self._discs_2}[self.winner]
        return list(geometry.find_lines(discs, stride_of(self._height)))

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
        """Return the columns that can be played, from left to right: the open ones; none once the game is over."""
        return self.open_columns() if self.winner is None else []

    def open_columns(self) -> list[int]:
        """Return the columns with an empty cell, from left to right, even if the game is over."""
        stride, top_cells = stride_of(self._height), self.occupied >> self._height - 1
        return [column for column in range(self._width) if not top_cells >> column * stride & 1]

    def is_open(self, column: int) -> bool:
        """Check whether a disc can be dropped into the column. Raises IllegalMoveError if it is not a whole number."""
        column = column if column.__class__ is int else self._whole_number(column)
        return (
            0 <= column < self._width and not self.occupied >> column * stride_of(self._height) + self._height - 1 & 1
        )

    def play(self, column: int) -> Position:
        """Return the position after the player to move has dropped a disc into this column, counted from 0.

        Raises IllegalMoveError if the column is full or not on the board, and GameOverError if the game is over.
        """
        if self._winner and self.winner is not None:
            self.drop(column)
            self.check_unfinished(f"column {column} cannot be played")
        number = column if column.__class__ is int else self._whole_number(column)
        if 0 <= number < self._width:
            height, discs_1, discs_2 = self._height, self._discs_1, self._discs_2
            stride = height + 1
            shift = number * stride
            cell = (discs_1 | discs_2) + (1 << shift) & (1 << height) - 1 << shift
            if cell:
                # Nobody had four, so only the player who moves can have it now.
                if self._player == 1:
                    discs_1 |= cell
                    return self._with(2, discs_1, discs_2, 1 if geometry.has_four(discs_1, stride) else NOBODY)
                discs_2 |= cell
                return self._with(1, discs_1, discs_2, 2 if geometry.has_four(discs_2, stride) else NOBODY)
        raise self._illegal(column, "is full" if 0 <= number < self._width else "is not on the board")

    def drop(self, column: int) -> Position:
        """Play a disc as `play` does, even if the game is over: some managers continue after four in a row."""
        if self.winner is None:
            return self.play(column)
        after = self._with(self._player, self._discs_1, self._discs_2, NOBODY).play(column)
        after._winner = UNKNOWN
        return after

    def _whole_number(self, column: object) -> int:
        """Return a column that is not a plain int, such as one of NumPy's."""
        try:
            if not isinstance(column, bool):
                return index(column)  # type: ignore[arg-type]
        except TypeError:
            pass
        raise self._illegal(column, "is not a whole number")

    def _illegal(self, column: object, reason: str) -> errors.IllegalMoveError:
        open_columns = ", ".join(map(str, self.open_columns())) or "none"
        return errors.IllegalMoveError(f"column {short(repr(column))} {reason}; open columns are {open_columns}")

    def after(self, columns: Iterable[int]) -> Position:
        """Return the position after playing these columns one after the other; raises the same errors as `play`."""
        position = self
        for column in columns:
            position = position.play(column)
        return position

    def predecessors(self) -> list[Position]:
        """Return the positions from which the opponent may have moved here, one for each of its topmost discs."""
        stride = stride_of(self._height)
        above = self.occupied + bottom_cells(self._width, self._height)
        earlier = []
        for column in range(self._width):
            cell = (above & ((1 << stride) - 1) << column * stride) >> 1
            if cell & self.opponent:
                discs = (self._discs_1 & ~cell, self._discs_2 & ~cell)
                earlier.append(self._with(3 - self._player, *discs))
        return earlier

    def passed(self) -> Position:
        """Return the same board with the other player to move."""
        return self._with(3 - self._player, self._discs_1, self._discs_2)

    def winning_columns(self) -> list[int]:
        """Return the columns in which a disc of the player to move makes four in a row."""
        own, height, playable = self.own, self._height, self.playable
        if own.bit_count() < 3:
            return []
        stride, column_cells = stride_of(height), (1 << height) - 1
        cells = ((column, playable & column_cells << column * stride) for column in range(self._width))
        return [column for column, cell in cells if cell and geometry.has_four(own | cell, stride)]

    def mirrored(self) -> Position:
        """Return the position with left and right exchanged."""
        return self._with(self._player, self._mirror(self._discs_1), self._mirror(self._discs_2))

    def canonical(self) -> Position:
        """Return the one of the position and its mirror image that has the smaller key."""
        mirrored = self.mirrored()
        return mirrored if mirrored.key < self.key else self

    def _mirror(self, discs: int) -> int:
        stride = stride_of(self._height)
        column_cells = (1 << self._height) - 1
        return sum(
            (discs >> column * stride & column_cells) << (self._width - 1 - column) * stride
            for column in range(self._width)
        )

    def grid(self) -> list[list[int]]:
        """Return the board as a list of columns, each from its top cell to its bottom cell; 0 is empty."""
        stride = stride_of(self._height)
        return [
            [
                (self._discs_1 >> bit & 1) + 2 * (self._discs_2 >> bit & 1)
                for bit in range(column * stride + self._height - 1, column * stride - 1, -1)
            ]
            for column in range(self._width)
        ]

    def drawing(self) -> str:
        """Return the board as lines of text, the top row first: X and O for the discs of players 1 and 2."""
        return notation.format_drawing(self.grid())

    def __str__(self) -> str:
        return self.drawing()

    def __repr__(self) -> str:
        """Return a call that makes the same position: `Position()`, or `Position.from_drawing(...)`."""
        if self.occupied:
            rows = "/".join(notation.format_rows(self.grid()))
            return f"Position.from_drawing({rows!r}, player={self._player})"
        fields = {"width": (self._width, 7), "height": (self._height, 6), "player": (self._player, 1)}
        return f"Position({', '.join(f'{name}={value}' for name, (value, usual) in fields.items() if value != usual)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self._discs_1 == other._discs_1
            and self._discs_2 == other._discs_2
            and self._player == other._player
            and self._width == other._width
            and self._height == other._height
        )

    def __hash__(self) -> int:
        return hash((self._width, self._height, self._player, self._discs_1, self._discs_2))


def is_whole(value: object) -> bool:
    """Check whether a value is a whole number; `True` is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _refuse(width: Any, height: Any, player: Any, discs_1: Any, discs_2: Any) -> NoReturn:
    """Raise the error that names what is wrong with the fields of a position."""
    for name, value in (("width", width), ("height", height)):
        if not is_whole(value) or not 1 <= value <= LARGEST_SIDE:
            raise errors.BadValueError(f"{name} is {short(repr(value))}; allowed are 1 to {LARGEST_SIDE}")
    if not is_whole(player) or player not in (1, 2):
        raise errors.BadValueError(f"player is {short(repr(player))}; allowed are 1 and 2")
    for name, value in (("discs_1", discs_1), ("discs_2", discs_2)):
        if not isinstance(value, int):
            raise errors.BadValueError(f"{name} is {short(repr(value))}; allowed is a bit mask, a whole number")
        if value & ~board_cells(width, height):
            raise errors.BadValueError(f"{name} is {short(hex(value))}, with bits outside a board of {width}x{height}")
    if both := discs_1 & discs_2:
        raise errors.BadValueError(f"both players have a disc on {_lowest_cell(both, height)}")
    discs = discs_1 | discs_2
    floating = discs & (discs + bottom_cells(width, height))
    raise errors.BadValueError(f"the disc on {_lowest_cell(floating, height)} has an empty cell below it")


def _lowest_cell(cells: int, height: int) -> str:
    column, row = divmod((cells & -cells).bit_length() - 1, stride_of(height))
    return f"column {column}, row {row} (counted from 0 at the bottom left)"


def _read_columns(grid: Iterable[Sequence[int]], row_major: bool) -> Sequence[Sequence[int]]:
    """Return the columns of a grid of any contents. Raises the RequestError that says what is wrong with its shape."""
    kind = "row" if row_major else "column"
    try:
        lines = [list(line) for line in grid]
    except TypeError:
        raise errors.RequestError(
            "bad_grid", f"grid is {short(repr(grid))}; allowed is a list of {kind}s, each a list of cells"
        ) from None
    if not lines:
        raise errors.RequestError("empty_grid", f"grid is empty; it needs at least one {kind}")
    length = len(lines[0])
    for number, line in enumerate(lines):
        if len(line) != length:
            sizes = f"grid[{number}] has {len(line)} cells, grid[0] has {length}"
            raise errors.RequestError("ragged_grid", f"{sizes}; all {kind}s must have the same length")
    if length == 0:
        raise errors.RequestError("empty_grid", f"grid[0] is empty; a {kind} needs at least one cell")
    columns = list(zip(*lines, strict=True)) if row_major else lines
    width, height = len(columns), len(columns[0])
    if width > LARGEST_SIDE or height > LARGEST_SIDE:
        size = f"grid is {width} columns wide and {height} rows high"
        raise errors.RequestError("board_too_large", f"{size}; the largest board is {LARGEST_SIDE} by {LARGEST_SIDE}")
    return columns


def _read_cell(value: object) -> int:
    """Return a cell that is not a plain int, such as one of NumPy's; -1 for anything that is not a whole number."""
    try:
        return -1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return -1


def _wrong_cell(columns: Sequence[Sequence[int]], column: int, row: int, row_major: bool) -> errors.RequestError:
    """Return the error for a cell that is not 0, 1 or 2, or a disc that floats; the row counts from the top."""
    cell = columns[column][row]
    name, below = (f"grid[{r}][{column}]" if row_major else f"grid[{column}][{r}]" for r in (row, row + 1))
    if _read_cell(cell) not in (1, 2):
        return errors.RequestError("bad_cell", f"{name} is {short(repr(cell))}; a cell is 0, 1 or 2")
    return errors.RequestError(
        "floating_disc", f"{name} is {cell}, a disc of player {cell}, but {below} below it is empty"
    )


def require_position(value: object) -> None:
    """Raise BadValueError for anything that is not a position."""
    if not isinstance(value, Position):
        raise errors.BadValueError(f"position is {short(repr(value))}; allowed is a Position")
