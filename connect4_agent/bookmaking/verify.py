"""Checks an opening book against itself and, by samples, against the solver."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING

from connect4_agent.engine.book import lookup
from connect4_agent.engine.kernel.stored import Section
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import score_at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.book.layer import Layer
    from connect4_agent.engine.exact import ExactScores

    Choose = Callable[[Position, int], int]


MAX_AHEAD_CHECKED = 5
"""The scores of how many plies before a layer are checked: those of 7 plies against a layer of 12."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: how many entries it examined, and what is wrong with which."""

    checked: int
    wrong: tuple[str, ...]


def check_scores(book: lookup.Book, report: Callable[[int], None]) -> Verdict:
    """Check that every score is the best that the replies leave.

    At the last ply of the scores, the book may not know all replies; those that it knows must not leave more.
    """
    checked, wrong = 0, []
    for number, (key, value) in enumerate(book.scores.items(), 1):
        report(number)
        position, score = _position(book, key), value - lookup.SCORE_OFFSET
        if position.is_over:
            wrong.append(f"key {key} is not a position that the book can be asked for\n{position}")
            continue
        left = [_known_score(book, position.play(column)) for column in position.legal_columns()]
        known = [-score for score in left if score is not None]
        is_whole = len(known) == len(left)
        is_last = position.disc_count == book.scores.plies
        if is_last and not known:
            continue
        checked += 1
        if not is_whole and not is_last:
            wrong.append(f"key {key} has a score, but one of its replies is not in the book\n{position}")
        elif max(known) > score or (is_whole and max(known) < score):
            wrong.append(f"key {key} has score {score}, its replies say {max(known)}\n{position}")
    return Verdict(checked, tuple(wrong))


def check_replies(book: lookup.Book, report: Callable[[int], None], step: int = 1) -> Verdict:
    """Check that every step-th reply keeps its score against all answers, as far as the book knows them."""
    checked, wrong = 0, []
    for key, _ in islice(book.replies.items(), 0, None, step):
        position = _position(book, key)
        reply = None if position.is_over else book.reply(position)
        if reply is None:
            wrong.append(f"key {key} is not a position that the book can be asked for\n{position}")
            continue
        column, score = reply
        known = book.scores.find(key)
        if known is not None and known - lookup.SCORE_OFFSET != score:
            wrong.append(f"key {key} has score {score} with its reply, {known - lookup.SCORE_OFFSET} alone\n{position}")
        if not position.is_open(column):
            wrong.append(f"key {key} has reply {column}, which cannot be played\n{position}")
            continue
        after = position.play(column)
        answers = [] if after.is_over else after.legal_columns()
        scores = [_known_score(book, after.play(answer)) for answer in answers]
        if None in scores:
            continue  # the last plies: their answers are not in the book
        checked += 1
        least = min((score for score in scores if score is not None), default=0)
        if least != score:
            wrong.append(f"key {key} has score {score}, its reply {column} keeps {least}\n{position}")
        report(checked)
    return Verdict(checked, tuple(wrong))


def check_sample(
    book: lookup.Book, exact: ExactScores, count: int, seed: int, report: Callable[[int], None]
) -> Verdict:
    """Solve this many entries of each section, chosen at random among those with the most discs."""
    wrong = []
    random = Random(seed)
    sample = [
        *_sample(book, book.scores, book.scores.plies, None, count, random),
        *_sample(book, book.replies, book.scores.plies + 1, exact.best_trap, count, random),
        *_sample(book, book.moves, book.moves.plies, exact.first_best_column, count, random),
    ]
    for number, (key, value, choose) in enumerate(sample, 1):
        position = _position(book, key)
        if position.is_over or book.score(position) is None:
            wrong.append(f"key {key} is not a position that the book can be asked for\n{position}")
            continue
        score = exact.score(position)
        column, known = (None, value - lookup.SCORE_OFFSET) if choose is None else lookup.move_of(value)
        if known != score:
            wrong.append(f"key {key} has score {known}, the solver says {score}\n{position}")
        elif choose is not None and column != choose(position, score):
            wrong.append(f"key {key} has reply {column}, the solver chooses another\n{position}")
        report(number)
    return Verdict(len(sample), tuple(wrong))


def check_layer(layer: Layer, book: lookup.Book, report: Callable[[int], None]) -> Verdict:
    """Check that the layer agrees with every score of the book that has up to MAX_AHEAD_CHECKED discs fewer."""
    checked, wrong = 0, []
    without_layer = replace(book, read_layer=lookup.no_layer)
    sections = (book.scores, book.replies, book.moves)
    for number, (key, _) in enumerate(chain.from_iterable(section.items() for section in sections), 1):
        report(number)
        position = lookup.position_with_key(key, book.width, book.height)
        in_layer, known = layer.score(position, MAX_AHEAD_CHECKED), without_layer.score(position)
        if in_layer is not None:
            checked += 1
            if in_layer != known:
                wrong.append(f"key {key} has score {known} in the book, {in_layer} in the layer\n{position}")
    return Verdict(checked, tuple(wrong))


def check_layer_sample(
    layer: Layer, exact: ExactScores, count: int, seed: int, report: Callable[[int], None]
) -> Verdict:
    """Solve this many positions with the layer's number of plies, from random games that are not over by then."""
    wrong: list[str] = []
    random = Random(seed)
    for number in range(1, count + 1):
        position = Position(layer.width, layer.height)
        while position.disc_count < layer.plies or position.is_over:
            if position.is_over:
                position = Position(layer.width, layer.height)
            position = position.play(random.choice(position.legal_columns()))
        in_layer, score = layer.score(position), exact.score(position)
        if in_layer != score:
            wrong.append(f"score {in_layer} in the layer, the solver says {score}\n{position}")
        report(number)
    return Verdict(count, tuple(wrong))


def _sample(
    book: lookup.Book, section: Section, least_discs: int, choose: Choose | None, count: int, random: Random
) -> list[tuple[int, int, Choose | None]]:
    """Some of a section's entries, each with the rule that its move follows."""
    entries = [(key, value, choose) for key, value in section.items() if _position(book, key).disc_count >= least_discs]
    return random.sample(entries, min(count, len(entries)))


def _position(book: lookup.Book, key: int) -> Position:
    return lookup.position_with_key(key, book.width, book.height)


def _known_score(book: lookup.Book, position: Position) -> int | None:
    """The score of a position, from the side to move; None if the book does not know it."""
    score = score_at_once(position)
    return book.score(position) if score is None else score
