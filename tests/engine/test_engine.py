"""Engines: exact scores from book and solver, and the choice among equal moves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest
from hypothesis import given

from connect4_agent import errors
from connect4_agent.engine.book import files
from connect4_agent.engine.engine import MAX_ENGINES, Engine, NotInBookError, engine_for
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.book import Book
from connect4_agent.engine.kernel.order import do_nothing, middle_first
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.engine.book.test_layer import layer_of
from tests.late import late_positions
from tools.book import builder, encoding

positions = late_positions([(7, 6), (7, 6), (5, 4), (5, 5)], most_empties=16, quiet=True)


@cache
def solver_for(width: int, height: int) -> Engine:
    return Engine(width, height, book=files.EMPTY_BOOK)


def score_after(position: Position, column: int) -> int:
    """The score for the player to move if it plays this column."""
    after = position.play(column)
    if after.winner is not None:
        return (position.empty_count + 1) // 2
    return 0 if after.is_full else -solver_for(position.width, position.height).score(after)


@given(positions)
@examples(80)
def test_the_best_columns_are_those_whose_score_is_the_positions(position: Position) -> None:
    engine = solver_for(position.width, position.height)
    scores = {column: score_after(position, column) for column in position.legal_columns()}
    best = max(scores.values())
    expected = [column for column in middle_first(position.width) if scores.get(column) == best]
    assert engine.score(position) == best
    assert engine.best_columns(position, best) == expected
    assert engine.first_best_column(position, best) == expected[0]


@given(positions)
@examples(60)
def test_traps_are_replies_that_give_something_away(position: Position) -> None:
    engine = solver_for(position.width, position.height)
    score = engine.score(position)
    column = engine.best_trap(position, score)
    best = engine.best_columns(position, score)
    assert column in best
    if score > 0:
        assert column == best[0]
        return

    def mistakes(candidate: int) -> int:
        after = position.play(candidate)
        outcomes = [score_after(after, reply) for reply in after.legal_columns()]
        return sum(outcome < (0 if score == 0 else 1) for outcome in outcomes)

    counts = [mistakes(candidate) for candidate in best]
    assert [engine.mistakes_after(position, candidate, score) for candidate in best] == counts
    assert column == best[counts.index(max(counts))]


@given(positions)
@examples(40)
def test_the_principal_line_leads_to_the_end_that_the_score_says(position: Position) -> None:
    engine = solver_for(position.width, position.height)
    score = engine.score(position)
    end = position
    for column in engine.line(position, engine.first_best_column(position, score), score):
        end = end.play(column)
    assert end.is_over
    if score == 0:
        assert end.winner is None
    else:
        assert end.winner == (position.player if score > 0 else 3 - position.player)
        assert end.empty_count // 2 + 1 == abs(score)


def test_a_line_that_the_table_knows_ends_when_time_runs_out() -> None:
    def stop() -> None:
        raise errors.OutOfTimeError("at once")

    engine = solver_for(5, 4)
    score = engine.score(Position(5, 4))
    assert len(engine.line(Position(5, 4), 2, score)) > 1
    assert engine.line(Position(5, 4), 2, score, stop) == (2,)


def test_the_book_is_asked_before_the_solver() -> None:
    position = Position.from_moves("44444432")
    scores = {position.canonical().key: encoding.score_value(7)}, position.disc_count
    engine = Engine(7, 6, book=files.decode_book(encoding.encode_book((7, 6), scores=scores), "book"))
    assert engine.score(position) == 7
    assert engine.is_above(position, 6)
    assert not engine.is_above(position, 7)
    assert engine.nodes == 0


class ScoresBefore:
    """The lookup of a book that knows some positions with one disc less; counts how often it is used."""

    def __init__(self, after: Position, share: int) -> None:
        self.after, self.share, self.said = after, share, 0

    def may_know(self, _: int) -> bool:
        return True

    def score(self, own: int, opponent: int) -> int | None:
        position = Position(self.after.width, self.after.height, 1, own, opponent)
        if position.disc_count >= self.after.disc_count or position.winner is not None or position.key % self.share:
            return None
        self.said += 1
        return solver_for(position.width, position.height).score(position)


@given(positions)
@examples(80)
def test_what_was_promised_before_bounds_the_score_and_does_not_change_it(position: Position) -> None:
    book: Any = ScoresBefore(position, share=2)
    solver = forms.new_solver(position.width, position.height)
    oracle = forms.new_oracle(position.width, position.height, book, solver, position.disc_count)
    found = oracle.score(position.own, position.opponent, do_nothing)
    assert found == solver_for(position.width, position.height).score(position)


def test_a_move_that_kept_its_score_is_settled_by_one_question() -> None:
    position = Position.from_moves("4444442222226555")
    best = solver_for(7, 6).first_best_column(position, solver_for(7, 6).score(position))
    nodes = []
    for share in (1, 1 << 60):  # a book that knows all positions before, and one that knows none
        solver = forms.new_solver(7, 6)
        book: Any = ScoresBefore(position.play(best), share)
        oracle = forms.new_oracle(7, 6, book, solver, max_bounded=42)
        after = position.play(best)
        oracle.score(after.own, after.opponent, do_nothing)
        assert (book.said > 0) == (share == 1)
        nodes.append(solver.nodes)
    assert nodes[0] < nodes[1]


@given(positions)
@examples(100)
def test_a_position_and_its_mirror_image_have_one_canonical_form(position: Position) -> None:
    assert position.canonical() == position.mirrored().canonical()
    assert position.canonical() in (position, position.mirrored())


@cache
def book_with_layer() -> Book:
    """A book for a small board: scores of up to 4 plies, and a layer of 6."""
    by_solver = solver_for(5, 4)
    scores = {}
    for plies in range(5):
        for each in builder.open_positions(5, 4, plies):
            scores[each.canonical().key] = encoding.score_value(by_solver.score(each))
    book = files.decode_book(encoding.encode_book((5, 4), scores=(scores, 4)), "book")
    return files.new_book((5, 4), book.scores, book.replies, lambda: layer_of(5, 4, 6))


def test_equal_moves_follow_the_rule_for_traps_wherever_the_book_knows_enough() -> None:
    by_solver = solver_for(5, 4)
    with_book = Engine(5, 4, book=book_with_layer())
    book = book_with_layer()
    without_layer = Engine(5, 4, book=files.new_book((5, 4), book.scores, book.replies))
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
        engine = Engine(width, height, book=files.book_for(7, 6))
        with pytest.raises(NotInBookError):
            engine.book_only.score(position)
        if (width, height) != (7, 5):
            assert engine.score(position) == solver_for(width, height).score(position)


def test_without_a_solver_what_the_book_does_not_know_is_an_error() -> None:
    engine = solver_for(7, 6).book_only
    assert engine.score(Position.from_moves("121212")) == 18  # won with the next disc
    with pytest.raises(NotInBookError):
        engine.score(Position())


def test_a_thread_keeps_the_engines_that_it_asked_for_last() -> None:
    sizes = [(4, 4 + number) for number in range(MAX_ENGINES + 1)]
    engines = [engine_for(*size) for size in sizes]
    assert [engine_for(*size) for size in sizes[1:]] == engines[1:]
    again = engine_for(*sizes[1])
    assert engine_for(*sizes[0]) is not engines[0]
    assert engine_for(*sizes[1]) is again is engines[1]
    assert engine_for(*sizes[2]) is not engines[2]


def test_another_book_or_form_has_an_engine_of_its_own() -> None:
    book = files.decode_book(encoding.encode_book((4, 4)), "book")
    assert engine_for(4, 4, book=book) is engine_for(4, 4, book=book)
    assert engine_for(4, 4, book=book).book is book
    assert engine_for(4, 4).book is files.book_for(4, 4)
    assert engine_for(4, 4, forms.PLAIN).form == forms.PLAIN


def test_each_thread_has_engines_of_its_own() -> None:
    with ThreadPoolExecutor(1) as pool:
        theirs = pool.submit(engine_for, 4, 4).result()
        assert pool.submit(engine_for, 4, 4).result() is theirs
    assert engine_for(4, 4) is not theirs


def test_an_engine_that_is_searching_refuses_another_thread_and_then_works_again() -> None:
    engine = solver_for(7, 6)
    position, other = Position.from_moves("521612263155"), Position.from_moves("52161226315566")
    refused: list[BaseException | None] = []

    with ThreadPoolExecutor(1) as thread:

        def ask_in_thread() -> None:
            refused.append(thread.submit(engine.score, other).exception())

        score = engine.score(position, ask_in_thread)
    assert {str(error) for error in refused} == {
        "this solver is searching already; each thread needs an engine of its own"
    }
    assert score == Engine(7, 6, book=files.EMPTY_BOOK).score(position)
