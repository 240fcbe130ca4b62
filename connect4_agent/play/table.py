"""Table: a game and those who sit at it, and what may be done with both; whoever moves or draws is elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.play.game import Game
from connect4_agent.play.seats import First, Seat, seated

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, slots=True)
class Setup:
    """Who meets, and how a game begins."""

    one: Seat
    two: Seat
    first: First = First.RANDOM
    game: Game = field(default_factory=Game)
    """What lies on the board when the first game begins; the others begin with an empty one."""


class Table:
    """Person against agent, two people, or two agents who are watched. Raises WordsError where a wish cannot be met.

    `source` decides who begins where that is random, and gives every game a `seed` for its random players.
    An agent whose turn it is plays at once unless `is_waiting`: after something was taken back a person may want
    to look at the position, and agents that are watched wait before every move.
    """

    def __init__(self, setup: Setup, source: Random) -> None:
        self._setup = setup
        self._source = source
        self.is_watched = not (setup.one.is_person or setup.two.is_person)
        self._begin(setup.game)

    def _begin(self, game: Game) -> None:
        self.game = game
        self.seats = seated(self._setup.one, self._setup.two, self._setup.first, self._source)
        self.seed = self._source.getrandbits(32)
        self.is_waiting = self.is_watched

    @property
    def seat_on_turn(self) -> Seat:
        """Who plays the next disc."""
        return self._seat_at(self.game.ply)

    @property
    def first(self) -> First:
        """Who begins as the seats are now."""
        return First.ME if self.seats[0] is self._setup.one else First.OTHER

    @property
    def is_agents_turn(self) -> bool:
        """Whether an agent plays the next disc."""
        return not (self.game.is_over or self.seat_on_turn.is_person)

    def drop(self, column: int) -> None:
        """Play a disc for whoever is on turn."""
        if self.game.is_over:
            raise errors.WordsError("the game is over: undo takes discs back, new begins another one")
        if not self.game.position.is_open(column):
            columns = ", ".join(str(each + 1) for each in self.game.position.legal_columns())
            raise errors.WordsError(f"column {column + 1} is full: there is room in {columns}")
        self.game = self.game.play(column)
        self.is_waiting = self.is_watched

    def undo(self, discs: int | None = None) -> None:
        """Take back so many discs; None is back to a person's last turn, or one disc where agents play alone."""
        ply = self.game.ply
        if ply == 0:
            raise errors.WordsError("there is no disc to take back")
        turns = (each for each in range(ply - 1, -1, -1) if self._seat_at(each).is_person)
        self._go_to(next(turns, ply - 1) if discs is None else ply - discs)

    def redo(self, discs: int | None = None) -> None:
        """Play so many discs again; None is on to a person's next turn, or one disc where agents play alone."""
        ply, last = self.game.ply, len(self.game.columns)
        if ply == last:
            raise errors.WordsError("nothing was taken back that could be played again")
        turns = (each for each in range(ply + 1, last) if self._seat_at(each).is_person)
        self._go_to(next(turns, ply + 1 if self.is_watched else last) if discs is None else ply + discs)

    def flip(self) -> None:
        """Let both change sides; the discs stay where they are."""
        self.seats = (self.seats[1], self.seats[0])
        self.is_waiting = self.is_watched

    def new(self) -> None:
        """Begin another game on an empty board."""
        self._begin(Game(self.game.width, self.game.height))

    def load(self, game: Game) -> None:
        """Go on with another game; the seats stay."""
        self.game = game
        self.is_waiting = self.is_watched

    def _seat_at(self, ply: int) -> Seat:
        return self.seats[ply % 2]

    def _go_to(self, ply: int) -> None:
        self.game = self.game.at(ply)
        self.is_waiting = True
