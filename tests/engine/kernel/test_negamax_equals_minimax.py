"""The search with everything switched on is held to plain minimax, and its forms to each other."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import EVALUATORS, Evaluator
from connect4_agent.engine.kernel.order import do_nothing, middle_first
from connect4_agent.engine.kernel.search import Search
from connect4_agent.engine.kernel.values import MAX_PLIES, WIN
from connect4_agent.rules.position import Position
from tests.effort import share
from tests.kernel_forms import forms_for

TABLE_SIZE = 997  # small, so that positions drive each other out

SIZES = ((7, 6), (8, 7), (6, 7), (5, 5), (4, 4), (3, 6), (2, 31), (1, 63), (9, 8), (10, 10))


def minimax(position: Position, depth: int, evaluator: Evaluator) -> int:
    """The value by definition: no pruning, no table, no knowledge of threats."""
    if position.winner is not None:
        return -(WIN + position.empty_count)
    if position.is_full:
        return 0
    if depth == 0:
        return evaluator.value(position.own, position.opponent)
    return max(-minimax(position.play(column), depth - 1, evaluator) for column in position.legal_columns())


def values_of_columns(position: Position, depth: int, evaluator: Evaluator) -> dict[int, int]:
    return {column: -minimax(position.play(column), depth - 1, evaluator) for column in position.legal_columns()}


def random_position(random: Random, width: int, height: int) -> Position:
    """An unfinished position of a random game."""
    position = Position(width, height)
    for _ in range(random.randrange(width * height)):
        after = position.play(random.choice(position.legal_columns()))
        if after.is_over:
            break
        position = after
    return position


def random_positions(width: int, height: int, count: int) -> Iterator[Position]:
    random = Random(f"minimax {width} {height}")
    for _ in range(count):
        yield random_position(random, width, height)


def new_search(width: int, height: int, evaluator: str, form: str | None = None) -> Search:
    return forms.new_search(width, height, evaluator, TABLE_SIZE, form)


def result_of(
    search: Search, position: Position, depth: int, every_tie: bool = False, deepen: bool = False
) -> tuple[int, list[int], int]:
    """Value, columns and nodes of a search, alone or after the searches of fewer plies."""
    columns = middle_first(position.width)
    order = [rank for rank in range(position.width) if position.is_open(columns[rank])]
    search.prepare(do_nothing)
    depth = min(depth, position.empty_count)
    for plies in range(1 if deepen else depth, depth + 1):
        value, ranks = search.best_ranks(position.own, position.opponent, plies, order, every_tie)
    return value, [columns[rank] for rank in sorted(ranks)], search.nodes


@pytest.mark.parametrize(
    ("width", "height", "form"),
    [(*size, form) for size in SIZES for form in (*forms.WORD_BITS, forms.PLAIN) if forms.fits(form, *size)],
)
@pytest.mark.slow
def test_value_and_columns_are_those_of_plain_minimax(width: int, height: int, form: str) -> None:
    random = Random(f"{width} {height}")
    searches = {name: new_search(width, height, name, form) for name in EVALUATORS}
    for index, position in enumerate(random_positions(width, height, share(150))):
        name = list(EVALUATORS)[index % len(EVALUATORS)]
        depth = random.choice((1, 2, 3) if width > 6 else (1, 2, 3, 4))
        exact = values_of_columns(position, depth, forms.new_evaluator(name, width, height, form))
        best = max(exact.values())
        for deepen in (False, True):
            value, columns, _ = result_of(searches[name], position, depth, every_tie=True, deepen=deepen)
            assert value == best, str(position)
            assert sorted(columns) == [column for column in exact if exact[column] == best], str(position)
            value, columns, _ = result_of(searches[name], position, depth, deepen=deepen)
            assert value == best
            nearest = next(column for column in middle_first(width) if exact.get(column) == best)
            assert columns[0] == nearest, str(position)


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.slow
def test_deep_searches_agree_with_minimax_on_a_small_board(name: str) -> None:
    search = new_search(4, 4, name)
    evaluator = forms.new_evaluator(name, 4, 4)
    for position in random_positions(4, 4, 15):
        depth = min(7, position.empty_count)
        assert result_of(search, position, depth)[0] == minimax(position, depth, evaluator)


@pytest.mark.parametrize(("width", "height"), [(7, 6), (8, 7), (4, 5), (2, 31)])
def test_all_forms_visit_the_same_nodes(width: int, height: int) -> None:
    for name in EVALUATORS:
        searches = [new_search(width, height, name, form) for form in forms_for(width, height)]
        for position in random_positions(width, height, 10):
            for deepen in (False, True):
                found = [result_of(search, position, 4, deepen=deepen) for search in searches]
                assert all(each == found[0] for each in found)


@pytest.mark.parametrize("deepen", [False, True])
def test_table_and_deepening_do_not_change_the_result(deepen: bool) -> None:
    plain = forms.new_search(7, 6, "threat-parity", 0)
    others = [forms.new_search(7, 6, "threat-parity", table_size) for table_size in (0, 97, 65521)]
    for position in random_positions(7, 6, 40):
        expected = result_of(plain, position, 6, every_tie=True)[:2]
        for search in others:
            assert result_of(search, position, 6, every_tie=True, deepen=deepen)[:2] == expected, str(position)


def test_nodes_and_result_do_not_depend_on_earlier_requests() -> None:
    positions = list(random_positions(7, 6, 20))
    used = new_search(7, 6, "windows")
    for position in positions:
        result_of(used, position, 8)
    for position in positions:
        assert result_of(used, position, 7) == result_of(new_search(7, 6, "windows"), position, 7)


def test_the_deepest_search_ends_on_a_board_with_more_cells() -> None:
    search = new_search(1, 63, "windows", form="plain")
    assert result_of(search, Position(1, 63), MAX_PLIES)[:2] == (0, [0])
