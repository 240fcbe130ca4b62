"""Session: the games at one board, who plays them, and what can be done with them; without drawing and input."""

from __future__ import annotations

from random import Random

from connect4_agent.terminal.game import Game
from connect4_agent.terminal.seats import First, Seat, Seats, seated, words_of
from connect4_agent.terminal.typed_commands import CommandError

EMPTY_BOARD = Game()

MAX_EARLIER = 50
"""How many games `back` can return to."""


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
        self._earlier: list[tuple[Game, Seats, Seat, Seat, int]] = []
        """The games that were left, with who played them, and their seeds."""
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self.game = game
        self.seats = seated(self._one, self._two, self._first, self._source)
        self.seed = self._source.getrandbits(32)
        self.is_waiting = self.is_watched

    @property
    def is_watched(self) -> bool:
        """Whether two agents play."""
        return not (self._one.is_person or self._two.is_person)

    @property
    def seat_on_turn(self) -> Seat:
        """Who plays the next disc."""
        return self._seat_at(self.game.ply)

    @property
    def first(self) -> First:
        """Who begins with the present seats."""
        return First.ME if self._seat_at(0) is self._one else First.OTHER

    @property
    def words(self) -> list[str]:
        """The words of `connect4-agent play` that seat the same players again."""
        return [*words_of(self._one, self._two), "--first", self.first]

    @property
    def is_agents_turn(self) -> bool:
        """Whether an agent plays the next disc."""
        return not (self.game.is_over or self.seat_on_turn.is_person)

    def drop(self, column: int) -> None:
        """Play a disc for the side to move."""
        if self.game.is_over:
            raise CommandError("the game is over: undo takes back discs, new starts another game")
        if not self.game.position.is_open(column):
            columns = ", ".join(str(column + 1) for column in self.game.position.legal_columns())
            raise CommandError(f"column {column + 1} is full; open columns are {columns}")
        self.game = self.game.play(column)
        self.is_waiting = self.is_watched

    def undo(self, discs: int | None = None) -> None:
        """Take back that many discs; None means to a person's last turn, or one disc if two agents play."""
        ply = self.game.ply
        if ply == 0:
            if self._earlier:
                self.back()
                return
            raise CommandError("there is no disc to take back")
        turns = (turn for turn in range(ply - 1, -1, -1) if self._seat_at(turn).is_person)
        self._go_to(next(turns, ply - 1) if discs is None else ply - discs)

    def redo(self, discs: int | None = None) -> None:
        """Play that many discs again; None means to a person's next turn, or one disc if two agents play."""
        ply, last = self.game.ply, len(self.game.columns)
        if ply == last:
            raise CommandError("there is nothing to redo")
        turns = (turn for turn in range(ply + 1, last) if self._seat_at(turn).is_person)
        self._go_to(next(turns, ply + 1 if self.is_watched else last) if discs is None else ply + discs)

    def flip(self) -> None:
        """Swap the sides of the two players; the discs stay where they are."""
        self.seats = (self.seats[1], self.seats[0])
        self.is_waiting = self.is_watched

    def new(self) -> None:
        """Start another game on an empty board; `back` returns to this one."""
        self._keep()
        self._begin(Game(self.game.width, self.game.height))

    def load(self, game: Game, seats: Seats | None = None) -> None:
        """Continue with another game, and with other seats if given; `back` returns to this one."""
        self._keep()
        self.game = game
        if seats is not None:
            self.seats = seats
            # The person counts as "me"; if both are people, player 1 does.
            self._one, self._two = seats if seats[0].is_person or not seats[1].is_person else (seats[1], seats[0])
        self.is_waiting = self.is_watched

    def back(self) -> None:
        """Return to the game before the last `new` or `load`, as it was."""
        if not self._earlier:
            raise CommandError("there is no previous game")
        self.game, self.seats, self._one, self._two, self.seed = self._earlier.pop()
        self.is_waiting = True

    def go_to_line(self, number: int) -> None:
        """Continue with another line of this game, by its number in `lines`."""
        count = len(self.game.variations)
        if not 1 <= number <= count:
            allowed = f"allowed are 1 to {count}" if count else "this game has no other line"
            raise CommandError(f"lines {number}: {allowed}")
        self.game = self.game.on_variation(number - 1)
        self.is_waiting = True

    def _keep(self) -> None:
        self._earlier.append((self.game, self.seats, self._one, self._two, self.seed))
        del self._earlier[:-MAX_EARLIER]

    def _seat_at(self, ply: int) -> Seat:
        return self.seats[self.game.player_at(ply) - 1]

    def _go_to(self, ply: int) -> None:
        self.game = self.game.at(ply)
        self.is_waiting = True
