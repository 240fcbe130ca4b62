"""Session: the game at the board, who plays it, and which level suits the person; without drawing and input."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from connect4_agent import errors
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.notation import MOVE_SIGNS, format_moves, parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.seats import First, Seat, seated
from connect4_agent.ui.terminal.typed_commands import HIGHEST_LEVEL, CommandError

WINS_UP, LOSSES_DOWN = 2, 3
"""After that many wins, or losses, in a row another level is offered."""


@dataclass(frozen=True)
class Game:
    """The columns played from the empty board; player 1 began."""

    width: int = 7
    height: int = 6
    columns: tuple[int, ...] = ()

    @classmethod
    def from_moves(cls, moves: str, width: int = 7, height: int = 6) -> Game:
        """Play a move string such as "4453". Raises NotationError, or BadValueError."""
        if width > len(MOVE_SIGNS):
            raise errors.BadValueError(f"width is {width}; a move string can name at most {len(MOVE_SIGNS)} columns")
        Position.from_moves(moves, width, height)
        return cls(width, height, parse_moves(moves))

    @cached_property
    def position(self) -> Position:
        """The board."""
        return Position(self.width, self.height).after(self.columns)

    @property
    def moves(self) -> str:
        """The game as a move string."""
        return format_moves(self.columns)

    @property
    def last_cell(self) -> Cell | None:
        """The cell of the last disc."""
        if not self.columns:
            return None
        return self.columns[-1], self.columns.count(self.columns[-1]) - 1

    @property
    def four(self) -> frozenset[Cell]:
        """The cells of the winner's lines of four."""
        outcome = self.position.outcome
        return frozenset() if outcome is None else frozenset(outcome.cells)

    def play(self, column: int) -> Game:
        """Return the game with one more disc. Raises GameOverError, IllegalMoveError."""
        self.position.play(column)
        return replace(self, columns=(*self.columns, column))

    def at(self, ply: int) -> Game:
        """Return the game after its first discs."""
        return replace(self, columns=self.columns[: max(0, ply)])


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
        self.has_new_agent = False
        self._winners: list[bool | None] = []
        """True for a win of the person, by finished game."""
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

    @property
    def person(self) -> int | None:
        """The player number of the only person, 1 or 2; None for two people or none."""
        persons = [player for player, seat in enumerate(self.seats, 1) if seat.is_person]
        return persons[0] if len(persons) == 1 else None

    @property
    def level(self) -> int | None:
        """The level that plays against one person; None for any other agent."""
        return None if self.person is None else self.seats[2 - self.person].level

    @property
    def next_level(self) -> int | None:
        """The level to offer: one up after wins in a row, one down after losses; other agents count as level 2."""
        if self.person is None or not self.game.position.is_over:
            return None
        level = self.level
        winners = [*self._winners, self._is_won]
        if level and level < HIGHEST_LEVEL and winners[-WINS_UP:] == [True] * WINS_UP:
            return level + 1
        return max(1, (level or 2) - 1) if level != 1 and winners[-LOSSES_DOWN:] == [False] * LOSSES_DOWN else None

    @property
    def _is_won(self) -> bool | None:
        winner = self.game.position.winner
        return None if winner is None else winner == self.person

    def new(self, agent: Seat | None = None) -> None:
        """Start another game on an empty board, against this agent if one is given."""
        if agent is not None:
            if self.person is None:
                raise CommandError("a level plays against one person")
            if not self._one.is_person:
                self._one, self._first = self._two, First.RANDOM
            self._two, self._winners, self.has_new_agent = agent, [], True
        elif self.game.position.is_over:
            self._winners.append(self._is_won)
        self._begin(Game(self.game.width, self.game.height))
