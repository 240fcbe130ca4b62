"""Checks an opening book against itself and, by samples, against the solver.

Every check yields None for each entry that it finds right, and for each that is wrong a message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random

from connect4_agent.engine.book import files
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.kernel.book import Book, Section, unpack_reply
from connect4_agent.engine.kernel.layer import Layer
from connect4_agent.engine.kernel.tuning import SCORE_OFFSET
from connect4_agent.rules.position import Position
from tools.book.encoding import score_at_once

MAX_AHEAD_CHECKED = 5
"""The scores of how many plies before a layer are checked: those of 7 plies against a layer of 12."""


def check_scores(book: Book) -> Iterator[str | None]:
    """Check that every score is the best that the replies leave.

    At the last ply of the scores, the book may not know all replies; those that it knows must not leave more.
    """
    for key, value in book.scores.items():
        position, score = _position(book, key), value - SCORE_OFFSET
        if position.is_over:
            yield f"key {key} is not a position that the book can be asked for\n{position}"
            continue
        left = [_known_score(book, position.play(column)) for column in position.legal_columns()]
        known = [-score for score in left if score is not None]
        is_whole = len(known) == len(left)
        is_last = position.disc_count == book.scores.plies
        if is_last and not known:
            continue
        if not is_whole and not is_last:
            yield f"key {key} has a score, but one of its replies is not in the book\n{position}"
        elif max(known) > score or (is_whole and max(known) < score):
            yield f"key {key} has score {score}, its replies say {max(known)}\n{position}"
        else:
            yield None


def check_replies(book: Book, step: int = 1) -> Iterator[str | None]:
    """Check that every step-th reply keeps its score against all answers, as far as the book knows them."""
    for key, _ in islice(book.replies.items(), 0, None, step):
        position = _position(book, key)
        reply = None if position.is_over else book.reply(position.own, position.opponent)
        if reply is None:
            yield f"key {key} is not a position that the book can be asked for\n{position}"
            continue
        column, score = reply
        known = book.scores.find(key)
        if known is not None and known - SCORE_OFFSET != score:
            yield f"key {key} has score {score} with its reply, {known - SCORE_OFFSET} alone\n{position}"
        if not position.is_open(column):
            yield f"key {key} has reply {column}, which cannot be played\n{position}"
            continue
        after = position.play(column)
        answers = [] if after.is_over else after.legal_columns()
        scores = [_known_score(book, after.play(answer)) for answer in answers]
        if None in scores:
            continue  # the last plies: their answers are not in the book
        least = min((score for score in scores if score is not None), default=0)
        is_right = least == score
        yield None if is_right else f"key {key} has score {score}, its reply {column} keeps {least}\n{position}"


def check_sample(book: Book, engine: Engine, count: int, seed: int) -> Iterator[str | None]:
    """Solve this many entries of each section, chosen at random among those with the most discs."""
    random = Random(seed)
    parts: list[tuple[Section, int, Callable[[Position, int], int] | None]] = [
        (book.scores, book.scores.plies, None),
        (book.replies, book.scores.plies + 1, engine.best_trap),
    ]
    for section, least_discs, choose in parts:
        entries = [entry for entry in section.items() if _position(book, entry[0]).disc_count >= least_discs]
        for key, value in random.sample(entries, min(count, len(entries))):
            position = _position(book, key)
            if position.is_over or book.score(position.own, position.opponent) is None:
                yield f"key {key} is not a position that the book can be asked for\n{position}"
                continue
            score = engine.score(position)
            column, known = (None, value - SCORE_OFFSET) if choose is None else unpack_reply(value)
            if known != score:
                yield f"key {key} has score {known}, the solver says {score}\n{position}"
            elif choose is not None and column != choose(position, score):
                yield f"key {key} has reply {column}, the solver chooses another\n{position}"
            else:
                yield None


def check_layer(layer: Layer, book: Book) -> Iterator[str | None]:
    """Check that the layer agrees with every score of the book that has up to MAX_AHEAD_CHECKED discs fewer."""
    without_layer = files.new_book((book.width, book.height), book.scores, book.replies)
    for key, _ in chain(book.scores.items(), book.replies.items()):
        position = _position(book, key)
        in_layer, known = (
            layer.score(position.own, position.opponent, MAX_AHEAD_CHECKED),
            without_layer.score(position.own, position.opponent),
        )
        if in_layer is not None:
            is_right = in_layer == known
            yield None if is_right else f"key {key} has score {known} in the book, {in_layer} in the layer\n{position}"


def check_layer_sample(layer: Layer, engine: Engine, count: int, seed: int) -> Iterator[str | None]:
    """Solve this many positions with the layer's number of plies, from random games that are not over by then."""
    random = Random(seed)
    for _ in range(count):
        position = Position(layer.width, layer.height)
        while position.disc_count < layer.plies or position.is_over:
            if position.is_over:
                position = Position(layer.width, layer.height)
            position = position.play(random.choice(position.legal_columns()))
        in_layer, score = layer.score(position.own, position.opponent), engine.score(position)
        yield None if in_layer == score else f"score {in_layer} in the layer, the solver says {score}\n{position}"


def _position(book: Book, key: int) -> Position:
    return files.position_with_key(key, book.width, book.height)


def _known_score(book: Book, position: Position) -> int | None:
    """The score of a position, from the side to move; None if the book does not know it."""
    score = score_at_once(position)
    return book.score(position.own, position.opponent) if score is None else score
