"""Players: whatever chooses a move, behind one interface, and the built-in ones by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from connect4_agent import errors
from connect4_agent.engine import speed
from connect4_agent.engine.evaluate import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.search import MOST_PLIES, do_nothing, exact_score, is_decided, middle_first

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from connect4_agent.engine.search import Search
    from connect4_agent.position import Position

LEVELS = {"easy": 2, "medium": 5, "hard": 8}
"""The plies that each level searches."""

DEFAULT_LEVEL = "hard"

LARGE_BOARD_SECONDS = 2.0
"""The time for a move on a board too large for compiled code, where no limit is set."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a player may use for one move.

    `poll` is called every few milliseconds of a search and may raise to end it; that reaches the caller.
    """

    seconds: float | None = None
    poll: Callable[[], None] = do_nothing
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and what is known about it.

    `score` is None where nothing was searched. An exact score counts as the public solvers do (0 draw, +k
    a win with the winner's k-th last disc, -k a loss); any other is the evaluator's opinion. `line` is the
    play expected from both sides, beginning with this move; more than this move only on request.
    """

    column: int
    score: int | None = None
    exact: bool = False
    depth: int = 0
    nodes: int = 0
    line: tuple[int, ...] = ()


class Player(Protocol):
    """Chooses a column of a position in which a column is open and nobody has four."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """An open column of the position."""


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Plays any open column; with a seed, always the same one in the same position."""

    seed: int | None = None

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # one interface for all players
        """A random open column."""
        column = random_source(self.seed, position).choice(position.legal_columns())
        return Choice(column, line=(column,))


@dataclass(frozen=True, slots=True)
class FirstOpenPlayer:
    """Plays the leftmost open column."""

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # one interface for all players
        """The leftmost open column."""
        column = position.legal_columns()[0]
        return Choice(column, line=(column,))


class NegamaxPlayer:
    """Searches `depth` plies, or fewer where time runs out; None is as many as time allows.

    A player of fixed depth opens in the centre without a search.
    Two columns of the same value: the one nearer the centre, then the left one; with a seed, any of them,
    but always the same one in the same position. `compiled` chooses the form of the search, None what is there.
    """

    TABLE_SIZE = (1 << 18) - 5
    LARGE_BOARD_TABLE_SIZE = (1 << 16) - 15

    def __init__(
        self,
        depth: int | None = LEVELS[DEFAULT_LEVEL],
        evaluator: str = DEFAULT_EVALUATOR,
        seed: int | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.depth = depth
        self.evaluator = evaluator
        self.seed = seed
        self.compiled = compiled
        self._search: Search | None = None
        self._search_size = (0, 0)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The best column as far as this player sees."""
        column = centre_shortcut(position) if self.depth is not None else None
        if column is not None:
            return Choice(column, line=(column,))
        seconds = limits.seconds
        if seconds is None and not speed.fits_machine_word(position.width, position.height):
            seconds = LARGE_BOARD_SECONDS
        search = self._search_for(position)
        depth = min(self.depth or MOST_PLIES, position.empty_count, MOST_PLIES)
        if seconds is not None:
            return self._deepen(search, position, depth, limits, seconds)
        search.prepare(limits.poll)
        choice = self._search_to(search, position, depth, range(position.width))
        return self._with_line(search, position, choice) if limits.explain else choice

    def _search_for(self, position: Position) -> Search:
        size = (position.width, position.height)
        if self._search is None or self._search_size != size:
            compiled = speed.runs_compiled(*size) if self.compiled is None else self.compiled
            table_size = self.TABLE_SIZE if speed.fits_machine_word(*size) else self.LARGE_BOARD_TABLE_SIZE
            self._search = speed.new_search(*size, self.evaluator, table_size, compiled)
            self._search_size = size
        return self._search

    def _search_to(self, search: Search, position: Position, depth: int, order: range | list[int]) -> Choice:
        columns = middle_first(position.width)
        open_ranks = [rank for rank in order if position.is_open(columns[rank])]
        value, ranks = search.best_ranks(position.own, position.opponent, depth, open_ranks, self.seed is not None)
        rank = min(ranks) if self.seed is None else random_source(self.seed, position).choice(sorted(ranks))
        decided = is_decided(value)
        return Choice(
            columns[rank],
            score=exact_score(value) if decided else value,
            exact=decided or depth >= position.empty_count,
            depth=depth,
            nodes=search.nodes,
            line=(columns[rank],),
        )

    def _deepen(self, search: Search, position: Position, depth: int, limits: Limits, seconds: float) -> Choice:
        """Search one ply deeper at a time until the depth, the end of time or a proven result."""
        deadline = monotonic() + seconds

        def poll_clock() -> None:
            limits.poll()
            if monotonic() >= deadline:
                raise errors.OutOfTimeError(f"{seconds} s have passed")

        search.prepare(poll_clock)
        columns = middle_first(position.width)
        obvious = obvious_column(position)
        choice = Choice(obvious, line=(obvious,))
        order = list(range(position.width))
        try:
            # A single ply sees no win to block, where the obvious column does.
            for plies in range(min(2, depth), depth + 1):
                choice = self._search_to(search, position, plies, order)
                if limits.explain:
                    choice = self._with_line(search, position, choice)
                if choice.exact:
                    break
                best_rank = columns.index(choice.column)
                order = [best_rank, *(rank for rank in order if rank != best_rank)]
        except errors.OutOfTimeError:
            choice = replace(choice, nodes=search.nodes)
        return choice

    def _with_line(self, search: Search, position: Position, choice: Choice) -> Choice:
        """The choice with the replies that its search expects, for as many plies as it looked ahead."""
        line = [choice.column]
        position = position.play(choice.column)
        for depth in range(choice.depth - 1, 0, -1):
            if position.is_over:
                break
            reply = self._search_to(search, position, min(depth, position.empty_count), range(position.width))
            line.append(reply.column)
            position = position.play(reply.column)
        return replace(choice, line=tuple(line))


def centre_shortcut(position: Position) -> int | None:
    """The left centre column for a player's first disc, unless the opponent has, or would get, a win at once."""
    if position.own:
        return None
    column = (position.width - 1) // 2
    if not position.is_open(column) or position.passed().winning_columns():
        return None
    after = position.play(column)
    return None if after.winning_columns() else column


def obvious_column(position: Position) -> int:
    """The column to play with no time to search: one that wins, else one that blocks, else the most central one."""
    candidates = position.winning_columns() or position.passed().winning_columns() or position.legal_columns()
    return next(column for column in middle_first(position.width) if column in candidates)


def random_source(seed: int | None, position: Position) -> Random:
    """Random numbers that depend on the seed and the position alone; without a seed, on nothing."""
    from random import Random  # noqa: PLC0415  # most servers never need it

    if seed is None:
        return Random()
    return Random(f"{seed} {position.width} {position.height} {position.player} {position.key}")


def parse_player(spec: str, seed: int | None = None) -> Player:
    """The built-in player that a text such as `random`, `hard` or `negamax:depth=6` describes."""
    name, _, settings_text = spec.partition(":")
    settings = _parse_settings(spec, settings_text)
    if name == "negamax":
        depth = parse_depth(settings.pop("depth", str(LEVELS[DEFAULT_LEVEL])))
        evaluator = parse_evaluator(settings.pop("evaluator", DEFAULT_EVALUATOR))
        _refuse_settings(spec, settings, "depth, evaluator")
        return NegamaxPlayer(depth, evaluator, seed)
    _refuse_settings(spec, settings, "none")
    if name in LEVELS:
        return NegamaxPlayer(LEVELS[name], seed=seed)
    if name == "random":
        return RandomPlayer(seed)
    if name == "first-open":
        return FirstOpenPlayer()
    raise errors.PlayerSpecError(
        f"there is no built-in player {name!r}; there are {', '.join((*LEVELS, 'negamax', 'random', 'first-open'))}"
    )


def parse_depth(text: str) -> int:
    """A number of plies."""
    try:
        depth = int(text)
    except ValueError:
        depth = 0
    if depth < 1:
        raise errors.PlayerSpecError(f"depth is {text!r}; allowed is a whole number of plies, 1 or more")
    return depth


def parse_evaluator(text: str) -> str:
    """The name of an evaluator."""
    if text not in EVALUATORS:
        raise errors.PlayerSpecError(f"evaluator is {text!r}; there are {', '.join(EVALUATORS)}")
    return text


def _parse_settings(spec: str, text: str) -> dict[str, str]:
    settings = {}
    for setting in filter(None, text.split(",")):
        key, equals, value = setting.partition("=")
        if not equals:
            raise errors.PlayerSpecError(f"{setting!r} in player {spec!r} is not of the form name=value")
        settings[key] = value
    return settings


def _refuse_settings(spec: str, settings: dict[str, str], allowed: str) -> None:
    if settings:
        raise errors.PlayerSpecError(f"player {spec!r} has no setting {next(iter(settings))!r}; allowed: {allowed}")
