"""Session: the game at the board and who plays it; without drawing and input."""

from __future__ import annotations

from random import Random

from connect4_agent.ui.terminal.game import Game
from connect4_agent.ui.terminal.seats import First, Seat, seated
from connect4_agent.ui.terminal.typed_commands import CommandError

EMPTY_BOARD = Game()


class Session:
    """A person against an agent, two people, or two agents to watch. Raises CommandError for what is not possible.

    `game` is the start of the first game; later ones start with an empty board.
    `source` decides who begins if that is random, and gives every game a `seed` for its random players.
    An agent plays at once on its turn unless `is_waiting`: after an undo a person may want to look at the position, and
    two agents that are watched wait before every move.
    """

    def __init__(
        self, one: Seat, two: Seat, source: Random, first: First = First.RANDOM, game: Game = EMPTY_BOARD
    ) -> None:
        self._one, self._two, self._first = one, two, first
        self._source = source
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self.game = game
        self.seats = seated(self._one, self._two, self._first, self._source)
        self.seed = self._source.getrandbits(32)
        self.is_waiting = self.is_watched

    @property
    def is_watched(self) -> bool:
        """Check whether two agents play."""
        return not (self._one.is_person or self._two.is_person)

    @property
    def seat_on_turn(self) -> Seat:
        """The player of the next disc."""
        return self.seats[self.game.position.player - 1]

    @property
    def first(self) -> First:
        """The player who began this game."""
        return First.ONE if self.seats[0] is self._one else First.TWO

    @property
    def is_agents_turn(self) -> bool:
        """Check whether an agent plays the next disc."""
        return not (self.game.position.is_over or self.seat_on_turn.is_person)

    def drop(self, column: int) -> None:
        """Play a disc for the side to move."""
        position = self.game.position
        if position.is_over:
            raise CommandError("the game is over: undo takes back discs, new starts another game")
        if not position.is_open(column):
            columns = ", ".join(str(column + 1) for column in position.legal_columns())
            raise CommandError(f"column {column + 1} is full; open columns are {columns}")
        self.game = self.game.play(column)
        self.is_waiting = self.is_watched

    def undo(self, discs: int | None = None) -> None:
        """Take back that many discs; None means to a person's last turn, or one disc if two agents play."""
        ply = len(self.game.columns)
        if ply == 0:
            raise CommandError("there is no disc to take back")
        turns = (turn for turn in range(ply - 1, -1, -1) if self.seats[turn % 2].is_person)
        self.game = self.game.at(next(turns, ply - 1) if discs is None else ply - discs)
        self.is_waiting = True

    def new(self) -> None:
        """Start another game on an empty board."""
        self._begin(Game(self.game.width, self.game.height))
