"""Exact scores from book and solver, and the choice among equal moves."""

from __future__ import annotations

from functools import cache

from hypothesis import given

from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, canonical, principal_line
from connect4_agent.engine.search import do_nothing, middle_first
from connect4_agent.position import Position
from tests.late import examples, late_positions

positions = late_positions([(7, 6), (7, 6), (5, 4), (5, 5)], most_empties=16, quiet=True)


@cache
def exact_for(width: int, height: int) -> ExactScores:
    return ExactScores(speed.new_solver(width, height, compiled=True), None, do_nothing)


def score_after(position: Position, column: int) -> int:
    """The score for the player to move if it plays this column."""
    after = position.play(column)
    if after.winner is not None:
        return (position.empty_count + 1) // 2
    return 0 if after.is_full else -exact_for(position.width, position.height).score(after)


class OneScore:
    """A book that knows one position, and has its own opinion of it."""

    def __init__(self, position: Position, opinion: int) -> None:
        self.key, self.opinion = position.key, opinion

    def score(self, position: Position) -> int | None:
        return self.opinion if position.key == self.key else None


@given(positions)
@examples(80)
def test_the_best_columns_are_those_whose_score_is_the_positions(position: Position) -> None:
    exact = exact_for(position.width, position.height)
    scores = {column: score_after(position, column) for column in position.legal_columns()}
    best = max(scores.values())
    expected = [column for column in middle_first(position.width) if scores.get(column) == best]
    assert exact.score(position) == best
    assert exact.best_columns(position, best) == expected
    assert exact.first_best_column(position, best) == expected[0]


@given(positions)
@examples(60)
def test_traps_are_replies_that_give_something_away(position: Position) -> None:
    exact = exact_for(position.width, position.height)
    score = exact.score(position)
    column = exact.best_trap(position, score)
    best = exact.best_columns(position, score)
    assert column in best
    if score > 0:
        assert column == best[0]
        return

    def mistakes(candidate: int) -> int:
        after = position.play(candidate)
        outcomes = [score_after(after, reply) for reply in after.legal_columns()]
        return sum(outcome < (0 if score == 0 else 1) for outcome in outcomes)

    counts = [mistakes(candidate) for candidate in best]
    assert [exact.mistakes_after(position, candidate, score) for candidate in best] == counts
    assert column == best[counts.index(max(counts))]


@given(positions)
@examples(40)
def test_the_principal_line_leads_to_the_end_that_the_score_says(position: Position) -> None:
    exact = exact_for(position.width, position.height)
    score = exact.score(position)
    end = position
    for column in principal_line(exact, position, exact.first_best_column(position, score), score):
        end = end.play(column)
    assert end.is_over
    if score == 0:
        assert end.winner is None
    else:
        assert end.winner == (position.player if score > 0 else 3 - position.player)
        assert end.empty_count // 2 + 1 == abs(score)


def test_the_book_is_asked_before_the_solver() -> None:
    position = Position.from_moves("44444432")
    exact = ExactScores(speed.new_solver(7, 6, compiled=True), OneScore(position, 7), do_nothing)
    assert exact.score(position) == 7
    assert exact.is_above(position, 6)
    assert not exact.is_above(position, 7)


@given(positions)
@examples(100)
def test_a_position_and_its_mirror_image_have_one_canonical_form(position: Position) -> None:
    assert canonical(position) == canonical(position.mirrored())
    assert canonical(position) in (position, position.mirrored())
