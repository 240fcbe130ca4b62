"""Game: the moves of one game and its variations, which can be taken back and played again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from connect4_agent import errors
from connect4_agent.rules.notation import moves_of
from connect4_agent.rules.position import MOVE_SIGNS, Position, columns_of

Cell = tuple[int, int]
"""A column and a row; row 0 is the lowest."""

Columns = tuple[int, ...]

MAX_VARIATIONS = 100
"""The most variations of a game; the oldest are forgotten."""


@dataclass(frozen=True)
class Game:
    """The columns played from the empty board, of which the first `ply` are on the board.

    The columns after `ply` were taken back and can be played again. Playing another column keeps them as a variation.
    """

    width: int = 7
    height: int = 6
    columns: Columns = ()
    ply: int = 0
    first: int = 1
    """The player who began."""
    variations: tuple[Columns, ...] = ()
    """The other lines that were played, each from the empty board, the newest first."""

    @classmethod
    def from_moves(cls, moves: str, width: int = 7, height: int = 6) -> Game:
        """Play a move string such as "4453". Raises NotationError, or BadValueError."""
        if width > len(MOVE_SIGNS):
            raise errors.BadValueError(f"width is {width}; a move string can name at most {len(MOVE_SIGNS)} columns")
        Position.from_moves(moves, width, height)
        columns = columns_of(moves)
        return cls(width, height, columns, len(columns))

    @classmethod
    def from_columns(cls, columns: Columns, width: int, height: int, first: int = 1) -> Game:
        """Play columns, counted from 0. Raises IllegalMoveError, GameOverError or BadValueError."""
        position = Position(width, height, first)
        for ply, column in enumerate(columns):
            if position.is_over:
                raise errors.GameOverError(f"move {ply + 1} is column {column}, but the game was over before it")
            try:
                position = position.play(column)
            except errors.IllegalMoveError as error:
                raise errors.IllegalMoveError(f"move {ply + 1}: {error}") from None
        return cls(width, height, columns, len(columns), first)

    def with_variation(self, columns: Columns) -> Game:
        """The game with another line. Raises the same errors as from_columns."""
        line = Game.from_columns(columns, self.width, self.height, self.first).columns
        return replace(self, variations=_distinct(self.columns, (*self.variations, line)))

    @cached_property
    def position(self) -> Position:
        """The board."""
        return Position(self.width, self.height, self.first).after(self.columns[: self.ply])

    def player_at(self, ply: int) -> int:
        """The player who plays the next disc after that many."""
        return self.first if ply % 2 == 0 else 3 - self.first

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
        """The discs on the board as a move string."""
        return moves_of(self.columns[: self.ply])

    @property
    def last_cell(self) -> Cell | None:
        """Where the last disc lies."""
        if self.ply == 0:
            return None
        column = self.columns[self.ply - 1]
        return column, self.columns[: self.ply].count(column) - 1

    @property
    def four(self) -> frozenset[Cell]:
        """The cells of the winner's lines of four."""
        outcome = self.position.outcome
        return frozenset() if outcome is None else frozenset(outcome.cells)

    def play(self, column: int) -> Game:
        """The game with one more disc, on a line that has it if one does. Raises GameOverError, IllegalMoveError."""
        if self.is_over:
            raise errors.GameOverError("no disc can be played: the game is over")
        self.position.play(column)
        begin = (*self.columns[: self.ply], column)
        lines = (self.columns, *self.variations)
        line = next((other for other in lines if other[: len(begin)] == begin), begin)
        return replace(self, columns=line, ply=self.ply + 1, variations=_distinct(line, lines))

    def on_variation(self, index: int) -> Game:
        """The game on one of its variations, after the first disc that is different; this line becomes a variation."""
        line = self.variations[index]
        pairs = zip(self.columns, line, strict=False)
        shared = next((ply for ply, (one, other) in enumerate(pairs) if one != other), len(self.columns))
        others = (self.columns, *self.variations)
        return replace(self, columns=line, ply=shared + 1, variations=_distinct(line, others))

    def at(self, ply: int) -> Game:
        """The game after that many discs, fewer or more than now; the nearest possible number."""
        return replace(self, ply=max(0, min(ply, len(self.columns))))


def _distinct(line: Columns, others: tuple[Columns, ...]) -> tuple[Columns, ...]:
    """The lines that add something: not the beginning of `line`, or of another one."""
    variations: list[Columns] = []
    for other in others:
        if not any(longer[: len(other)] == other for longer in (line, *variations)):
            variations = [shorter for shorter in variations if other[: len(shorter)] != shorter]
            variations.append(other)
    return tuple(variations[:MAX_VARIATIONS])
