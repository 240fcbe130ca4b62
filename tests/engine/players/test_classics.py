"""The classic agents, each against a naive reference of its rule; docs/classics.md shows them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import ORDERS, do_nothing, middle_first
from connect4_agent.engine.kernel.values import WIN
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.longest_run import LongestRunPlayer
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from tests.boards import naive_four, naive_play, unfinished
from tests.brute_force import BruteForce
from tests.effort import examples, share
from tests.kernel_forms import each_form, forms_for
from tests.naive_evaluators import DIRECTIONS, Cells, cells_of, naive_potential, run_through
from tests.processes import REPOSITORY

sizes = st.sampled_from([(7, 6), (6, 7), (4, 4), (5, 4), (8, 7), (3, 6), (6, 1)])


# One ply


def naive_one_ply(position: Position) -> int | None:
    """The first column from the left that makes or blocks a four, cell by cell."""
    for column in position.legal_columns():
        if any(naive_four(naive_play(position.grid(), column, player), player) for player in (1, 2)):
            return column
    return None


@given(position=unfinished(sizes), seed=st.integers(0, 99))
@examples(200)
def test_one_ply_plays_the_first_column_that_makes_or_blocks_a_four(position: Position, seed: int) -> None:
    column = parse_player("one-ply", seed).choose(position, Limits()).column
    assert position.is_open(column)
    assert naive_one_ply(position) in (column, None)


def test_one_ply_plays_any_open_column_otherwise() -> None:
    position = Position.from_moves("444444")
    player = parse_player("one-ply")
    assert {player.choose(position, Limits()).column for _ in range(300)} == {0, 1, 2, 4, 5, 6}


def test_one_ply_blocks_on_the_left_rather_than_wins_on_the_right() -> None:
    position = Position.from_moves("1717172")
    assert parse_player("one-ply").choose(position, Limits()).column == 0


@pytest.mark.parametrize(
    ("row", "value"),
    [("X X X . O . .", 10), ("X X . . O . .", 2), ("O O O . . . .", -5), ("O O O X . . .", 0), ("X . . . . . .", 0)],
)
def test_windows_of_four_score_10_2_and_5_for_blocking_three(row: str, value: int) -> None:
    position = Position.from_drawing(5 * ". . . . . . .\n" + row, player=1)
    for form in forms_for(7, 6):
        assert forms.new_evaluator("windows", 7, 6, form).value(position.own, position.opponent) == value


# Levels


def minimax(position: Position, plies: int, value: Callable[[Cells], int]) -> int:
    """The value by definition."""
    if position.winner is not None:
        return -(WIN + position.empty_count)
    if position.is_full:
        return 0
    if plies == 0:
        return value(cells_of(position))
    return max(-minimax(position.play(column), plies - 1, value) for column in position.legal_columns())


@given(position=unfinished(st.sampled_from([(7, 6), (5, 4)])))
@examples(15)
def test_a_level_with_potential_plays_as_plain_minimax_says(position: Position) -> None:
    if position.own:
        values = {
            column: -minimax(position.play(column), 1, naive_potential)
            for column in middle_first(position.width)
            if position.is_open(column)
        }
        choice = c4.player("easy", evaluator="potential").choose(position)
        assert choice.column == max(values, key=lambda column: values[column])


@pytest.mark.parametrize("spec", ["easy", "medium", "hard", "longest-run"])
@pytest.mark.parametrize("width", range(1, 11))
def test_a_player_without_a_disc_opens_in_column_half_the_width(spec: str, width: int) -> None:
    empty = Position(width, 6)
    for position in (empty, empty.play(0), empty.play(width // 2), empty.passed()):
        choice = parse_player(spec).choose(position, Limits())
        assert (choice.column, choice.nodes) == (width // 2, 0)


# The longest run


def naive_longest_run(position: Position, player: int) -> int:
    """The length of the player's longest run, cell by cell."""
    grid = position.grid()

    def length(column: int, row: int, direction: tuple[int, int]) -> int:
        if 0 <= column < position.width and 0 <= row < position.height and grid[column][row] == player:
            return 1 + length(column + direction[0], row + direction[1], direction)
        return 0

    return max(
        length(column, row, direction)
        for column in range(position.width)
        for row in range(position.height)
        for direction in DIRECTIONS
    )


def naive_rating(position: Position, plies: int, player: int, known: dict[tuple[Position, int], int]) -> int:
    """The value for the player of a board, by minimax."""
    if position.winner is not None:
        return 9999 if position.winner == player else -9999
    if (position, plies) not in known:
        if plies == 0 or position.is_full:
            known[position, plies] = naive_longest_run(position, player)
        else:
            best = max if position.player == player else min
            after = [position.play(column) for column in position.legal_columns()]
            known[position, plies] = best(naive_rating(each, plies - 1, player, known) for each in after)
    return known[position, plies]


def naive_course_player(position: Position) -> tuple[int, int | None]:
    """The course player's column, and its value if it looks for one."""
    if not position.own and position.is_open(position.width // 2):
        return position.width // 2, None
    known: dict[tuple[Position, int], int] = {}
    ratings = {
        column: naive_rating(position.play(column), 5, position.player, known) for column in position.legal_columns()
    }
    best = [column for column, rating in ratings.items() if rating == max(ratings.values())]
    return best[len(best) // 2], max(ratings.values())


def late_positions(width: int, height: int, discs: Iterable[int]) -> Iterator[Position]:
    """Unfinished positions of random games with these numbers of discs."""
    random = Random(f"{width} {height}")
    for count in discs:
        position = Position(width, height)
        while position.disc_count < count:
            after = position.play(random.choice(position.legal_columns()))
            position = Position(width, height) if after.is_over else after
        yield position


@pytest.mark.parametrize(("width", "height"), [(6, 2), (5, 3), (3, 5), (4, 4)])
def test_longest_run_plays_as_its_rule_says(width: int, height: int) -> None:
    # In most of them the board can be full within six plies.
    for position in late_positions(width, height, [count for count in range(width * height) for _ in range(share(20))]):
        expected = naive_course_player(position)
        for form in forms_for(width, height):
            choice = LongestRunPlayer(form).choose(position, Limits())
            assert (choice.column, choice.score) == expected, str(position)


@pytest.mark.slow
def test_longest_run_plays_as_its_rule_says_on_the_usual_board() -> None:
    for position in late_positions(7, 6, range(2, 41, 40 // share(20))):
        for limits in (Limits(), Limits(seconds=600)):
            choice = LongestRunPlayer().choose(position, limits)
            assert (choice.column, choice.score) == naive_course_player(position), str(position)


def test_longest_run_does_not_hurry_to_win() -> None:
    # Columns 1 and 5 win at once, all others some plies later.
    position = Position.from_moves("111573544")
    assert position.winning_columns() == [1, 5]
    choice = parse_player("longest-run").choose(position, Limits())
    assert (choice.column, choice.score, choice.exact) == (3, 9999, False)


def test_longest_run_with_less_time_looks_fewer_plies_ahead_and_ends_with_its_own_turn() -> None:
    position = Position.from_moves("4453")
    depths = set()
    for most in range(0, 200, 5):
        polls = iter(range(most))

        def poll(polls: Iterator[int] = polls) -> None:
            if next(polls, None) is None:
                raise errors.OutOfTimeError

        depths.add(LongestRunPlayer(forms.PLAIN).choose(position, Limits(600, poll)).depth)
    assert depths == {1, 2, 4, 6}


def test_longest_run_without_time_plays_the_obvious_column() -> None:
    position = Position(60, 60).play(0).play(59).play(0).play(59).play(0).play(59)
    choice = parse_player("longest-run").choose(position, Limits(seconds=1e-9))
    assert (choice.column, choice.depth) == (0, 0)


# The order of moves


def naive_chains(position: Position, column: int) -> int:
    """The sum of m x n x 10^n along the runs beside the cell that a column offers."""
    cells = cells_of(position)
    row = next(row for row in range(position.height) if not cells[column, row])
    total = 0
    for step_column, step_row in (*DIRECTIONS, *((-c, -r) for c, r in DIRECTIONS)):
        who = cells.get((column + step_column, row + step_row), 0)
        for n in range(1, 4):
            if who and cells.get((column + n * step_column, row + n * step_row)) == who:
                total += (2 if who == 1 else 1) * n * 10**n
            else:
                break
    return total


def naive_urgency(position: Position, column: int, order: str) -> int:
    """How early a column is tried: the larger, the earlier."""
    after = cells_of(position.play(column))
    match order:
        case "threats":
            return sum(disc == 0 and run_through(after, cell, -1) >= 4 for cell, disc in after.items())
        case "open-chains":
            return naive_chains(position, column)
        case "evaluation":
            return -naive_potential(after)
    return 0


def tried_columns(before: Position, column: int, order: str, form: str) -> list[int]:
    """The order in which a search of three plies tries the replies to a column, as seen by what it values."""
    position = before.play(column)
    evaluator = forms.new_evaluator("potential", position.width, position.height, form)
    seen: list[int] = []

    def value(own: int, opponent: int) -> int:
        if (own | opponent).bit_count() == position.disc_count + 2:  # with one disc less, it asks for the order
            reply = own & ~position.own
            seen.append((reply.bit_length() - 1) // (position.height + 1))
        return evaluator.value(own, opponent)

    search = forms.new_search(position.width, position.height, value, 0, form, order)
    search.prepare(do_nothing)
    search.best_ranks(before.own, before.opponent, 3, [middle_first(position.width).index(column)], every_tie=False)
    return list(dict.fromkeys(seen))


@each_form
@pytest.mark.parametrize("order", ORDERS)
def test_moves_are_tried_in_the_order_of_the_rule(order: str, form: str) -> None:
    random = Random(order)
    compared = 0
    while compared < share(200):
        before, column = Position(*random.choice([(7, 6), (8, 7), (5, 4)])), 0
        for _ in range(random.randrange(1, 25)):
            column = random.choice(before.legal_columns())
            if (after := before.play(column)).is_over or not after.legal_columns():
                break
            position, before = before, after
        else:
            before = position
            found = tried_columns(before, column, order, form)
            position = before.play(column)
            expected = [each for each in middle_first(position.width) if each in found]
            expected.sort(key=lambda each: naive_urgency(position, each, order), reverse=True)
            assert found == expected, str(position)
            compared += len(found) > 2


@given(
    position=unfinished(sizes),
    depth=st.integers(1, 5),
    evaluator=st.sampled_from(["potential", "positional", "longest-run"]),
    seed=st.none() | st.integers(0, 9),
)
@examples(80)
def test_the_order_changes_no_move(position: Position, depth: int, evaluator: str, seed: int | None) -> None:
    choices = [
        replace(NegamaxPlayer(depth, evaluator, seed, form, move_order=order).choose(position), nodes=0)
        for order in ORDERS
        for form in forms_for(position.width, position.height)
    ]
    assert all(choice == choices[0] for choice in choices)


@pytest.mark.parametrize("order", ORDERS)
def test_all_forms_visit_the_same_nodes_in_every_order(order: str) -> None:
    for moves in ("", "4", "4453", "23135154667766"):
        position = Position.from_moves(moves)
        nodes = [NegamaxPlayer(5, form=form, move_order=order).choose(position).nodes for form in forms_for(7, 6)]
        assert len(set(nodes)) == 1


def test_the_orders_visit_different_nodes() -> None:
    position = Position.from_moves("4453")
    nodes = {parse_player(f"negamax:order={order}").choose(position, Limits()).nodes for order in ORDERS}
    assert len(nodes) == len(ORDERS)


@given(position=unfinished(st.just((4, 4))))
@examples(20)
def test_a_search_to_the_end_scores_by_the_distance_to_it(position: Position) -> None:
    score = BruteForce(4, 4).score(position.own, position.opponent)
    choice = parse_player("negamax:depth=42,order=open-chains").choose(position, Limits())
    if choice.depth:  # not for the first disc
        assert (choice.score, choice.exact) == (score, True)


# The positional evaluator

WORKED_EXAMPLE = """
    . . . . . . .
    . . . . . . .
    . R . R . . .
    . Y . R . . .
    . Y Y Y R . .
    . Y R R R Y .
"""


def naive_positional(position: Position, player: int) -> tuple[int, int]:
    """A player's points for places and for lines, cell by cell."""
    signs = cells_of(position)
    mine = 1 if position.player == player else -1
    places = sum(
        {0: 30, 1: 15, 2: 5}.get(abs(column - 3), 2) - 5 * row for (column, row), disc in signs.items() if disc == mine
    )
    lines = 0.0
    for cell in signs:
        for direction in DIRECTIONS:
            # The longest stretch of own discs that begins here, and of own discs and empty cells around it.
            line = [(cell[0] + k * direction[0], cell[1] + k * direction[1]) for k in range(-6, 7)]
            run = 0
            while run < 6 and signs.get(line[6 + run]) == mine:
                run += 1
            if run in (2, 3) and signs.get(line[5]) != mine:
                low, high = 5, 6 + run
                while low >= 0 and signs.get(line[low]) in (0, mine):
                    low -= 1
                while high <= 12 and signs.get(line[high]) in (0, mine):
                    high += 1
                if high - low - 1 >= 4:
                    lines += {2: 5, 3: 15}[run] * (0.8 if direction == (0, 1) else 1)
    return places, round(lines)


def test_the_worked_example_of_the_positional_evaluator() -> None:
    # The page that gives it adds yellow's 40 and 15 up to 65.
    position = Position.from_drawing(WORKED_EXAMPLE.replace("R", "X").replace("Y", "O"), player=1)
    assert naive_positional(position, 1) == (95, 8 + 10)
    assert naive_positional(position, 2) == (40, 15)
    for form in forms_for(7, 6):
        evaluator = forms.new_evaluator("positional", 7, 6, form)
        assert evaluator.value(position.own, position.opponent) == 113 - 55
        assert evaluator.value(position.opponent, position.own) == 55 - 113


@given(position=unfinished(st.just((7, 6))))
@examples(100)
def test_the_positional_evaluator_is_what_the_page_says(position: Position) -> None:
    own, opponent = (sum(naive_positional(position, player)) for player in (position.player, 3 - position.player))
    for form in forms_for(7, 6):
        assert forms.new_evaluator("positional", 7, 6, form).value(position.own, position.opponent) == own - opponent


def test_stupid_is_first_open() -> None:
    for moves in ("", "111111", "4453"):
        position = Position.from_moves(moves)
        stupid, first_open = (parse_player(spec).choose(position, Limits()) for spec in ("stupid", "first-open"))
        assert stupid == first_open


def test_every_player_in_the_commands_of_the_page_exists() -> None:
    page = (REPOSITORY / "docs" / "classics.md").read_text()
    words = [pair for command in re.findall("^    (.+)", page, re.MULTILINE) for pair in pairwise(command.split())]
    specs = {after for before, after in words if before in ("--agent", "-p1", "-p2", "match")}
    specs |= set(re.findall(r"^\| `(.+?)` \| \d+ / ", page, re.MULTILINE))
    assert {"one-ply", "longest-run", "random", "monte-carlo", "perfect"} < specs
    for spec in specs:
        parse_player(spec)
