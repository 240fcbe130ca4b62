"""The negamax player: a search to a fixed depth, or as deep as time allows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR
from connect4_agent.engine.kernel.order import DEFAULT_ORDER, middle_first
from connect4_agent.engine.kernel.values import MAX_PLIES, exact_score, is_decided
from connect4_agent.engine.limits import NO_LIMITS
from connect4_agent.engine.players.player import Choice, centre_shortcut, obvious_column, random_source

if TYPE_CHECKING:
    from connect4_agent.engine.kernel.search import Search
    from connect4_agent.engine.limits import Limits
    from connect4_agent.engine.players.position_evaluator import PositionEvaluator
    from connect4_agent.rules.position import Position

LEVELS = {"easy": 2, "medium": 5, "hard": 8}
"""The plies that each level searches."""

DEFAULT_LEVEL = "hard"


class _Searcher(NamedTuple):
    """A search for boards of one size, which one thread at a time can use."""

    size: tuple[int, int]
    search: Search
    evaluator: str | PositionEvaluator


class NegamaxPlayer:
    """Searches `depth` plies, or fewer if time runs out; None is as many as time allows.

    A player of fixed depth opens in the centre without a search. `seconds` is a limit of its own, in addition to the
    caller's. Of columns with the same value it plays the one nearest the centre, then the left one; with a seed, a
    random one, but always the same one in the same position. `form` is the form of the search; None chooses the
    fastest. An evaluator is a name, or a function of a position. The last two arguments are those of the search.
    """

    TABLE_SIZE = (1 << 18) - 5
    """Positions of 16 bytes each: small enough to stay in a processor's cache."""

    DEEP_TABLE_SIZE = (1 << 22) - 3
    """64 MiB, allocated as they are filled, for searches of more than DEEP_PLIES."""

    DEEP_PLIES = 10

    LARGE_BOARD_TABLE_SIZE = (1 << 16) - 15
    """Smaller, because Python's own integers take several times the space."""

    def __init__(
        self,
        depth: int | None = LEVELS[DEFAULT_LEVEL],
        evaluator: str | PositionEvaluator = DEFAULT_EVALUATOR,
        seed: int | None = None,
        form: str | None = None,
        seconds: float | None = None,
        move_order: str = DEFAULT_ORDER,
        rates_full_boards: bool = False,
    ) -> None:
        self.depth = depth
        self.evaluator = evaluator
        self.seed = seed
        self.form = form
        self.seconds = seconds
        self.move_order = move_order
        self.rates_full_boards = rates_full_boards
        self._idle: list[_Searcher] = []

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return the best column as far as this player sees."""
        started = limits.clock()
        column = centre_shortcut(position) if self.depth is not None else None
        if column is not None:
            return Choice(column)
        limits = limits.at_most(self.seconds).for_search(position.width, position.height)
        depth = min(self.depth or MAX_PLIES, position.empty_count, MAX_PLIES)
        searcher = self._take_searcher(position)
        search = searcher.search
        search.prepare(limits.timed_poll(started))
        try:
            if limits.seconds is not None:
                return self._deepen(search, position, depth, explain=limits.explain)
            choice = self._search_to(search, position, depth, range(position.width))
            return self._with_line(search, position, choice) if limits.explain else choice
        finally:
            self._idle.append(searcher)

    def value_columns(
        self, position: Position, columns: list[int], limits: Limits, started: float
    ) -> tuple[list[int], int, int]:
        """Return the exact values of the columns, the plies of their searches, and the positions visited.

        If time runs out, all columns have the values of fewer plies; of none, if not even one was possible.
        """
        limits = limits.at_most(self.seconds).for_search(position.width, position.height)
        ranks = [middle_first(position.width).index(column) for column in columns]
        values = [0] * len(columns)
        depth = min(self.depth or MAX_PLIES, position.empty_count)
        done = 0
        # An evaluator may look at the mover alone: the searches before the last one end with the same player's turn.
        depths = [depth] if limits.seconds is None else sorted({1, *range(depth, 0, -2)})
        searcher = self._take_searcher(position)
        search = searcher.search
        search.prepare(limits.timed_poll(started))
        try:
            for plies in depths:
                values = [
                    search.best_ranks(position.own, position.opponent, plies, [rank], every_tie=False)[0]
                    for rank in ranks
                ]
                done = plies
                if all(map(is_decided, values)):
                    break
        except errors.OutOfTimeError:
            pass
        finally:
            self._idle.append(searcher)
        return values, done, search.nodes

    def _take_searcher(self, position: Position) -> _Searcher:
        """Take an idle search for the position, or a new one: each thread that asks this player needs its own.

        Searches are kept until another size is asked for.
        """
        size = (position.width, position.height)
        try:
            searcher = self._idle.pop()
        except IndexError:
            searcher = self._new_searcher(size)
        if searcher.size != size:
            searcher = self._new_searcher(size)
        if not isinstance(searcher.evaluator, str):
            searcher.evaluator.begin(position)
        return searcher

    def _new_searcher(self, size: tuple[int, int]) -> _Searcher:
        form = self.form or forms.form_for(*size)
        table_size = self.TABLE_SIZE
        if forms.is_slow(*size, form):
            table_size = self.LARGE_BOARD_TABLE_SIZE
        elif form != forms.PLAIN and (self.depth is None or self.depth > self.DEEP_PLIES):
            table_size = self.DEEP_TABLE_SIZE
        evaluator = self.evaluator if isinstance(self.evaluator, str) else self.evaluator.copy()
        value = evaluator if isinstance(evaluator, str) else evaluator.value
        search = forms.new_search(*size, value, table_size, form, self.move_order, self.rates_full_boards)
        return _Searcher(size, search, evaluator)

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
        )

    def _deepen(self, search: Search, position: Position, depth: int, *, explain: bool) -> Choice:
        """Search one ply deeper at a time until the depth is reached, time is up, or the result is clear."""
        columns = middle_first(position.width)
        choice = Choice(obvious_column(position))
        order = list(range(position.width))
        only_column = len(position.legal_columns()) == 1
        # A single ply does not see a win to block, but the obvious column does.
        for plies in range(min(2, depth), depth + 1):
            try:
                choice = self._search_to(search, position, plies, order)
            except errors.OutOfTimeError:
                return self._unfinished(search, columns, choice, plies)
            if explain:  # now, because time may run out during the next ply
                choice = self._with_line(search, position, choice)
            if choice.exact or only_column:
                break
            best_rank = columns.index(choice.column)
            order = [best_rank, *(rank for rank in order if rank != best_rank)]
        return choice

    def _unfinished(self, search: Search, columns: list[int], choice: Choice, plies: int) -> Choice:
        """Return the choice when time ran out in a search of that many plies that began with the best column."""
        value = search.best_value
        if search.best_rank < 0 or choice.depth == 0:
            return replace(choice, nodes=search.nodes)
        is_win = is_decided(value) and value > 0
        if is_decided(value) and not is_win:  # the columns not yet searched may do better: nothing is proven
            return replace(choice, nodes=search.nodes)
        column = columns[search.best_rank]
        return Choice(
            column,
            score=exact_score(value) if is_win else value,
            exact=is_win,
            depth=plies,
            nodes=search.nodes,
            line=choice.line if column == choice.column else (),
        )

    def _with_line(self, search: Search, position: Position, choice: Choice) -> Choice:
        """Return the choice with the replies that its search expects, as far as it looked ahead and time allows."""
        line = [choice.column]
        position = position.play(choice.column)
        for depth in range(choice.depth - 1, 0, -1):
            if position.is_over:
                break
            try:
                reply = self._search_to(search, position, min(depth, position.empty_count), range(position.width))
            except errors.OutOfTimeError:
                break
            line.append(reply.column)
            position = position.play(reply.column)
        return replace(choice, line=tuple(line))
