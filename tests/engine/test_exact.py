"""Exact scores from book and solver, and the choice among equal moves."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given

from connect4_agent.engine.book import library, lookup
from connect4_agent.engine.exact import ExactScores, NotInBookError, exact_scores
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing, middle_first
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.engine.book.test_layer import layer_of
from tests.late import late_positions
from tools.book import builder, encoding

positions = late_positions([(7, 6), (7, 6), (5, 4), (5, 5)], most_empties=16, quiet=True)


@cache
def exact_for(width: int, height: int) -> ExactScores:
    return ExactScores(forms.new_solver(width, height), None, do_nothing)


def score_after(position: Position, column: int) -> int:
    """The score for the player to move if it plays this column."""
    after = position.play(column)
    if after.winner is not None:
        return (position.empty_count + 1) // 2
    return 0 if after.is_full else -exact_for(position.width, position.height).score(after)


class FakeBook:
    """A book that knows what a test says."""

    def may_know(self, _: int) -> bool:
        return True


class OneScore(FakeBook):
    """Knows one position, and has its own opinion of it."""

    def __init__(self, position: Position, opinion: int) -> None:
        self.discs, self.opinion = (position.own, position.opponent), opinion

    def known(self, own: int, opponent: int) -> int | None:
        return self.opinion if (own, opponent) == self.discs else None


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
    for column in exact.principal_line(position, exact.first_best_column(position, score), score):
        end = end.play(column)
    assert end.is_over
    if score == 0:
        assert end.winner is None
    else:
        assert end.winner == (position.player if score > 0 else 3 - position.player)
        assert end.empty_count // 2 + 1 == abs(score)


def test_the_book_is_asked_before_the_solver() -> None:
    position = Position.from_moves("44444432")
    exact = ExactScores(forms.new_solver(7, 6), OneScore(position, 7), do_nothing)
    assert exact.score(position) == 7
    assert exact.is_above(position, 6)
    assert not exact.is_above(position, 7)


class ScoresBefore(FakeBook):
    """Knows some positions with one disc less, and counts how often it is used."""

    def __init__(self, after: Position, share: int) -> None:
        self.after, self.share, self.said = after, share, 0

    def known(self, own: int, opponent: int) -> int | None:
        position = Position(self.after.width, self.after.height, 1, own, opponent)
        if position.disc_count >= self.after.disc_count or position.winner is not None or position.key % self.share:
            return None
        self.said += 1
        return exact_for(position.width, position.height).score(position)


@given(positions)
@examples(80)
def test_what_was_promised_before_bounds_the_score_and_does_not_change_it(position: Position) -> None:
    book = ScoresBefore(position, share=2)
    solver = forms.new_solver(position.width, position.height)
    oracle = forms.new_oracle(position.width, position.height, book, solver, position.disc_count)
    exact = ExactScores(solver, book, do_nothing, oracle)
    assert exact.score(position) == exact_for(position.width, position.height).score(position)


def test_a_move_that_kept_its_score_is_settled_by_one_question() -> None:
    position = Position.from_moves("4444442222226555")
    best = exact_for(7, 6).first_best_column(position, exact_for(7, 6).score(position))
    nodes = []
    for share in (1, 1 << 60):  # a book that knows all positions before, and one that knows none
        solver = forms.new_solver(7, 6)
        book = ScoresBefore(position.play(best), share)
        oracle = forms.new_oracle(7, 6, book, solver, max_bounded=42)
        ExactScores(solver, book, do_nothing, oracle).score(position.play(best))
        assert (book.said > 0) == (share == 1)
        nodes.append(solver.nodes)
    assert nodes[0] < nodes[1]


@given(positions)
@examples(100)
def test_a_position_and_its_mirror_image_have_one_canonical_form(position: Position) -> None:
    assert position.canonical() == position.mirrored().canonical()
    assert position.canonical() in (position, position.mirrored())


@cache
def book_with_layer() -> lookup.Book:
    """A book for a small board: scores of up to 4 plies, and a layer of 6."""
    by_solver = exact_for(5, 4)
    scores = {}
    for plies in range(5):
        for each in builder.open_positions(5, 4, plies):
            scores[each.canonical().key] = encoding.score_value(by_solver.score(each))
    book = lookup.decode_book(encoding.encode_book((5, 4), scores=(scores, 4)), "book")
    return replace(book, read_layer=lambda: layer_of(5, 4, 6).scores)


def test_equal_moves_follow_the_rule_for_traps_wherever_the_book_knows_enough() -> None:
    by_solver = exact_for(5, 4)
    with_book = ExactScores(forms.new_solver(5, 4), book_with_layer(), do_nothing)
    without_layer = ExactScores(
        forms.new_solver(5, 4), replace(book_with_layer(), read_layer=lookup.no_layer), do_nothing
    )
    for plies in range(7):
        for position in (each.canonical() for each in builder.open_positions(5, 4, plies)):
            score = by_solver.score(position)
            expected = by_solver.best_trap(position, score), score
            found = with_book.known_reply(position)
            assert found == expected if plies <= 4 else found in (expected, None), str(position)
            # Without the layer, the replies to replies are not known from 3 plies on.
            assert without_layer.known_reply(position) in (expected, None), str(position)
    assert with_book.nodes == without_layer.nodes == 0


def test_a_book_for_another_size_knows_nothing() -> None:
    for width, height in ((1, 1), (4, 4), (7, 5)):
        position = Position(width, height)
        with_book = ExactScores(None, library.book_for(7, 6), do_nothing)
        with pytest.raises(NotInBookError):
            with_book.score(position)
        solved = exact_scores(width, height, book=library.book_for(7, 6))
        if (width, height) != (7, 5):
            assert solved.score(position) == exact_for(width, height).score(position)


def test_without_a_solver_what_the_book_does_not_know_is_an_error() -> None:
    exact = ExactScores(None, lookup.EMPTY_BOOK, do_nothing)
    assert exact.score(Position.from_moves("121212")) == 18  # won with the next disc
    with pytest.raises(NotInBookError):
        exact.score(Position())
