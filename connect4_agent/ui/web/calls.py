"""The calls of the board: a name and values in, a reply out. Every host of the board answers with these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from random import randint
from typing import Any

from connect4_agent import __version__, errors
from connect4_agent.engine.analysis import known_analysis
from connect4_agent.engine.players.negamax import DEFAULT_LEVEL
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS, parse_player
from connect4_agent.reasons.explanation import Plan
from connect4_agent.reasons.hints import describe_risks
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.rules.position import Position
from connect4_agent.ui.puzzles import PuzzleLevel, PuzzleTheme, draw_puzzle, puzzle_of_the_day
from connect4_agent.ui.web import jobs
from connect4_agent.ui.web.jobs import CallError, Job, Poll, Reply

MAX_RANDOM_PUZZLE = 9999
"""The highest number of a puzzle that is chosen at random: people should be able to remember it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game from the empty board, or from a position that was set up, which then has the size."""

    columns: Sequence[int]
    width: int = 7
    height: int = 6
    first: int = 1
    """The player who began."""
    grid: list[list[int]] | None = None

    def start(self) -> Position:
        """Return the position in which the game began. Raises RequestError, CallError unless the columns are a game."""
        if self.grid is None:
            start = Position(self.width, self.height, self.first)
        else:
            start = Position.from_grid(self.grid, self.first)
        position = start
        for number, column in enumerate(self.columns):
            name = f"columns[{number}]"
            if position.is_over:
                raise CallError("game_over", f"{name} is {column}, but the game was over before it")
            try:
                position = position.play(column)
            except errors.IllegalMoveError as error:
                raise CallError("illegal_move", f"{name}: {error}") from None
        return start


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls, as methods: each returns its reply, or the job that finds it. Raises RequestError, CallError."""

    longest_seconds: float
    """The longest time for a search."""
    agents: tuple[str, ...] = ()
    """The names of the programs that the host has, to play against."""
    has_run: bool = False

    def start(self, name: str, values: Mapping[str, Any]) -> Reply | Job:
        """Make a call by its name, a key of CALLS, with values as its method takes them."""
        return CALLS[name](self, **values)

    def players(self) -> Reply:
        """Return the players that can be asked for moves, and the limits."""
        players = [
            {
                "name": name,
                "description": player.summary,
                "is_level": player.is_level,
                "settings": list(player.settings),
            }
            for name, player in BUILT_IN_PLAYERS.items()
        ]
        return {
            "players": players,
            "agents": list(self.agents),
            "default_player": DEFAULT_LEVEL,
            "has_run": self.has_run,
            "limits": {"largest_side": LARGEST_SIDE, "longest_seconds": self.longest_seconds},
            "version": __version__,
        }

    def move(
        self,
        position: Position,
        player: str = DEFAULT_LEVEL,
        time_limit: float | None = None,
        seed: int | None = None,
        explain: bool = False,
    ) -> Job:
        """Return a move in a position, as the line protocol asks for it and answers."""
        try:
            parse_player(player)
        except errors.PlayerSpecError as error:
            others = f"; agents of this server: {', '.join(self.agents)}" if self.agents else ""
            raise CallError("unknown_player", f"{error}{others}") from None
        return partial(jobs.find_move, position, player, seed, time_limit, self.longest_seconds, explain)

    def analyze(self, position: Position, time_limit: float | None = None, explain: bool = False) -> Reply | Job:
        """Return the exact score of every column."""
        _check_open(position, "analyze")
        if not explain and (analysis := known_analysis(position)):
            return analysis.to_dict(())
        return partial(jobs.score_columns, position, time_limit, self.longest_seconds, explain)

    def solve(self, pos: str) -> Job:
        """Return the exact score of every column after a move string, as gamesolver.org answers it."""
        try:
            position = Position.from_moves(pos)
            position.check_unfinished("there is nothing to solve")
        except errors.NotationError as error:
            raise CallError("bad_query", f"in the address, pos: {error}") from None
        except errors.GameOverError as error:
            raise CallError("game_over", str(error)) from None
        return partial(jobs.solve, pos, position, self.longest_seconds)

    def explain(self, position: Position, column: int | None = None, time_limit: float | None = None) -> Job:
        """Why a position, or a column in it, is worth what it is."""
        _check_open(position, "explain")
        if column is not None and column not in position.legal_columns():
            raise CallError("illegal_move", f"column {column} is full, or not on the board")
        return partial(jobs.find_reason, position, column, time_limit, self.longest_seconds)

    def hint(self, position: Position) -> Job:
        """Return the most urgent thing to think of before a move."""
        _check_open(position, "hint at")
        return partial(jobs.find_advice, position, self.longest_seconds)

    def risks(self, position: Position) -> Reply:
        """Return what each column overlooks."""
        _check_open(position, "overlook")
        return {"columns": describe_risks(position)}

    def plan(self, plan: Mapping[str, Any], **game: Any) -> Job:
        """Return the reply of a plan to the last move of a game."""
        return partial(_reply_of_plan, plan, Game(**game))

    def judge(self, **game: Any) -> Job:
        """Return what every move of a game did to the exact score."""
        return self._examine(jobs.judge_game, game)

    def game_puzzles(self, **game: Any) -> Job:
        """Return the puzzles in a game's mistakes."""
        return self._examine(jobs.find_puzzles, game)

    def puzzle(
        self, seed: int | None = None, theme: PuzzleTheme | None = None, level: PuzzleLevel | None = None
    ) -> Job:
        """Return a puzzle of a theme; what is not given is chosen at random."""
        number = randint(1, MAX_RANDOM_PUZZLE) if seed is None else seed
        return partial(jobs.find_puzzle, partial(draw_puzzle, number, theme, level), self.longest_seconds)

    def puzzle_of_the_day(self, date: date | None = None) -> Job:
        """Return the puzzle of a day, today's by default."""
        draw = partial(puzzle_of_the_day, date or _today())
        return partial(jobs.find_puzzle, draw, self.longest_seconds)

    def _examine(self, examine: Callable[[Position, tuple[int, ...], float, Poll], Reply], game: Any) -> Job:
        game = Game(**game)

        def job(poll: Poll) -> Reply:
            return examine(game.start(), tuple(game.columns), self.longest_seconds, poll)

        return job  # it may have thousands of moves to check


CALLS: dict[str, Callable[..., Reply | Job]] = {
    "players": Calls.players,
    "move": Calls.move,
    "analyze": Calls.analyze,
    "solve": Calls.solve,
    "explain": Calls.explain,
    "hint": Calls.hint,
    "risks": Calls.risks,
    "plan": Calls.plan,
    "judge": Calls.judge,
    "puzzle": Calls.puzzle,
    "puzzle/day": Calls.puzzle_of_the_day,
    "puzzles": Calls.game_puzzles,
}
"""Every call by its name."""


def _check_open(position: Position, verb: str) -> None:
    """Raise CallError if the game is over."""
    if position.winner is not None:
        raise CallError("game_over", f"there is nothing to {verb}: player {position.winner} has four in a row")


def _reply_of_plan(plan: Mapping[str, Any], game: Game, _: Poll) -> Reply:
    answers = (((one[0], one[1]), (two[0], two[1])) for one, two in plan.get("answers", ()))
    kept = ((column, row) for column, row in plan.get("kept", ()))
    try:
        position = game.start().after(game.columns)
        reply = Plan(tuple(kept), tuple(answers), plan.get("spare")).reply(position, game.columns[-1])
    except errors.GameOverError as error:
        raise CallError("game_over", str(error)) from None
    except errors.BadValueError as error:
        raise CallError("bad_field", f"in the body, {error}") from None
    return {"move": reply}


def _today() -> date:
    return date.today()
