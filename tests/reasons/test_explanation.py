"""Reasons as values: a plan's rule, and lines of four."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.reasons.explanation import Plan, fours_on
from connect4_agent.rules.position import Position
from tests.boards import seeds
from tests.effort import examples
from tests.late import late_positions
from tests.plan_referee import Referee

SIZES = [(7, 6), (7, 5), (8, 7), (9, 7), (5, 4), (3, 9)]


def test_there_are_69_lines_of_four_on_the_usual_board_and_none_across_on_a_narrow_one() -> None:
    assert len(fours_on(7, 6)) == 69
    assert len(fours_on(3, 9)) == 3 * 6


def plan_in_use(position: Position, seed: int) -> tuple[Plan, Position, int]:
    """A plan, a position in which its rules matter, and the column of the other side's last disc."""
    random = Random(seed)
    last = random.choice(tops(position))
    heights = [sum(map(bool, column)) for column in position.grid()]
    free = [(column, heights[column]) for column in position.legal_columns()]
    unsafe = [cell for cell in free if position.play(cell[0]).winning_columns()]
    near = [(column, min(row + random.randint(0, 3), position.height - 1)) for column, row in free]
    kept = {cell for cell in (*near, *free, (last, heights[last])) if random.random() < 0.25}
    answers = {cell: random.choice(near) for cell in near if random.random() < 0.2}
    if random.random() < 0.5:
        answers[last, heights[last] - 1] = random.choice(random.choice([free, near, unsafe or free]))
    spare = random.choice([None, *range(position.width)])
    return Plan(tuple(kept), tuple(answers.items()), spare), position, last


plans_in_use = st.builds(
    plan_in_use,
    late_positions(SIZES, 36).filter(
        lambda position: tops(position) and not (position.winning_columns() and position.key % 4)
    ),
    seeds,
)


def tops(position: Position) -> list[int]:
    """The columns on top of which the side not to move has a disc."""
    grid = [[cell for cell in column if cell] for column in position.grid()]
    return [number for number, column in enumerate(grid) if column and column[0] != position.player]


@examples(400)
@given(plans_in_use)
# Not right below a four of the other side: the spare move, the answer, and a kept cell rather than such a one.
@example((Plan(spare=0), Position.from_drawing(".OX.O/.OX.X/OXOXO/XXOOX", player=1), 4))
@example((Plan((), (((1, 1), (2, 0)),), 2), Position.from_drawing("...../...../XO.OO/XX.OX", player=1), 1))
@example((Plan(((3, 3),), (), 0), Position.from_drawing("X.O.X/X.XOO/XXOXO/OOXOX", player=2), 1))
# An odd number of free cells up to a kept one, and an even number of them rather than a kept cell.
@example((Plan(((2, 3),), (), 3), Position.from_drawing("O..../O..../X.X../OOX.X", player=1), 0))
@example((Plan(((2, 1),), (), 3), Position.from_drawing("XO.X./XO.X./XO.XO/OXOOX", player=2), 0))
# Every cell lies below a four: the spare column.
@example((Plan(spare=4), Position.from_drawing(".XOX./.OOO./.XOX./OXXXO", player=1), 2))
def test_a_plan_answers_as_the_second_referee_does(case: tuple[Plan, Position, int]) -> None:
    plan, position, last = case
    width, height = position.width, position.height
    row = sum(1 for cell in position.grid()[last] if cell) - 1
    referee = Referee(width, height, plan.kept, plan.answers, plan.spare, wins=True)
    own, other = (
        frozenset((c, r) for c, r in product(range(width), range(height)) if mask >> c * (height + 1) + r & 1)
        for mask in (position.own, position.opponent)
    )
    assert plan.reply(position, last) == referee.reply(own, other, (last, row))[0]


def test_a_plan_has_no_reply_to_a_disc_that_is_not_there_or_after_the_end() -> None:
    position = Position.from_moves("4455")
    with pytest.raises(errors.BadValueError, match="last is 0"):
        Plan().reply(position, 0)
    with pytest.raises(errors.BadValueError, match="last is 9"):
        Plan().reply(position, 9)
    with pytest.raises(errors.GameOverError):
        Plan().reply(Position.from_moves("1212121"), 0)


def test_cells_and_columns_of_a_plan_that_are_not_on_the_board_do_not_matter() -> None:
    position = Position.from_moves("44")
    plan = Plan(((500, 3), (0, 9)), (((99, 0), (3, 2)), ((3, 1), (0, 99))), spare=12)
    assert plan.reply(position, 3) == Plan().reply(position, 3) == 3
