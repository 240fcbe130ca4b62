"""Board: the kernel's mutable board, with positions, and with errors in the words of the rules."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from connect4_agent import errors
from connect4_agent.engine.kernel import board as kernel
from connect4_agent.engine.kernel import forms
from connect4_agent.rules.checks import require_position
from connect4_agent.rules.position import Position

if TYPE_CHECKING:
    from typing import Self


class Board(kernel.Board):
    """A board on which moves are made and taken back, for self-play and searches of your own.

    It is compiled code: `push` takes a small fraction of the time of `Position.play`, which makes a new value for
    every move. `Board()` is the empty board of 7 columns and 6 rows. The arguments are those of `Position`, and
    raise the same errors. `width`, `height` and `player`, the player to move, can be read.

    Example:
        >>> import connect4_agent as c4
        >>> board = c4.Board()
        >>> for column in (3, 2, 3, 2, 3, 2, 3):
        ...     board.push(column)
        >>> board.winner, board.legal(), board.moves
        (1, [], [3, 2, 3, 2, 3, 2, 3])
        >>> board.pop(), board.winner, board.legal()
        (3, None, [0, 1, 2, 3, 4, 5, 6])
    """

    def __new__(cls, width: int = 7, height: int = 6, player: int = 1, discs_1: int = 0, discs_2: int = 0) -> Self:
        """An object of the form that runs for this size."""
        if discs_1 or discs_2 or player != 1:
            Position(width, height, player, discs_1, discs_2)
        chosen: Any = _class_for(width, height)
        made: Self = object.__new__(cls) if chosen is Board else chosen.__new__(chosen)
        return made

    def __init_subclass__(cls, *, form: str | None = None) -> None:
        """Refuse other classes: an object's class is chosen by the size of its board."""
        if form is None:
            raise TypeError(
                f"Board cannot be the base of {cls.__name__}: give {cls.__name__} an attribute with a Board"
            )

    @classmethod
    def from_position(cls, position: Position) -> Board:
        """A board with the discs of a position, and no moves to take back."""
        require_position(position)
        return Board(position.width, position.height, position.player, position.discs_1, position.discs_2)

    @property
    def position(self) -> Position:
        """The board as it is now, as a value that stays."""
        own, opponent = self.own, self.opponent
        discs = (own, opponent) if self.player == 1 else (opponent, own)
        return Position(self.width, self.height, self.player, *discs)

    def __repr__(self) -> str:
        return f"Board.from_position({self.position!r})"

    def __str__(self) -> str:
        return str(self.position)

    def __reduce__(self) -> NoReturn:
        """Refuse pickle and copy.copy, which would lose the moves."""
        raise TypeError("a Board cannot be pickled; use board.copy(), or pickle board.position")

    def _whole_number(self, column: object) -> int:
        return self.position._whole_number(column)

    def _refuse(self, column: Any) -> NoReturn:
        if column is None:
            raise errors.IllegalMoveError("there is no move to take back")
        self.position.play(column)
        raise AssertionError(f"column {column} is legal")


@lru_cache(maxsize=64, typed=True)
def _class_for(width: int, height: int) -> type[Board]:
    """The class of boards of this size. Raises BadValueError."""
    Position(width, height)
    return _class_of(forms.form_for(width, height))


@cache
def _class_of(form: str) -> type[Board]:
    """The class of boards whose moves are made by this form."""
    if form == forms.PLAIN:
        return Board
    code: Any = forms.module("board", form).Board
    # The form's methods come before those of the plain form, and what is defined above before both.
    own = {name: value for name, value in vars(Board).items() if name not in ("__new__", "__dict__", "__weakref__")}
    return type("Board", (code, Board), own, form=form)
