"""Checking an opening book against itself and, by samples, against the solver."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from connect4_agent.book import lookup
from connect4_agent.book.lookup import position_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from connect4_agent.engine.exact import ExactScores
    from connect4_agent.position import Position


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: how many entries it looked at, and what is wrong with which."""

    checked: int
    wrong: tuple[str, ...]


def check_scores(book: lookup.Book, report: Callable[[int], None]) -> Verdict:
    """Check that every score whose replies are all known is the best of what they leave."""
    checked, wrong = 0, []
    for key, value in book.scores.items():
        position = position_of(key)
        if position.disc_count >= book.scores.plies:
            continue
        checked += 1
        try:
            expected = max(-_known_score(book, position.play(column)) for column in position.legal_columns())
        except KeyError:
            wrong.append(f"key {key} has a score, but one of its replies is not in the book\n{position}")
            continue
        if expected != value - lookup.SCORE_OFFSET:
            wrong.append(f"key {key} has score {value - lookup.SCORE_OFFSET}, its replies say {expected}\n{position}")
        report(checked)
    return Verdict(checked, tuple(wrong))


def check_replies(book: lookup.Book, report: Callable[[int], None], step: int = 1) -> Verdict:
    """Check that every step-th reply keeps its score against all answers, as far as the book knows them."""
    checked, wrong = 0, []
    for key, _ in islice(book.replies.items(), 0, None, step):
        position = position_of(key)
        found = book.reply(position)
        if found is None:
            wrong.append(f"key {key} is no position that the book can be asked for\n{position}")
            continue
        column, score = found
        known = book.scores.find(key)
        if known is not None and known - lookup.SCORE_OFFSET != score:
            wrong.append(f"key {key} has score {score} with its reply, {known - lookup.SCORE_OFFSET} alone\n{position}")
        if not position.is_open(column):
            wrong.append(f"key {key} has reply {column}, which cannot be played\n{position}")
            continue
        after = position.play(column)
        try:
            kept = min((_known_score(book, after.play(answer)) for answer in after.legal_columns()), default=0)
        except KeyError:
            continue  # the last plies: their answers are not in the book
        checked += 1
        if kept != score:
            wrong.append(f"key {key} has score {score}, its reply {column} keeps {kept}\n{position}")
        report(checked)
    return Verdict(checked, tuple(wrong))


def check_sample(
    book: lookup.Book, exact: ExactScores, count: int, seed: int, report: Callable[[int], None]
) -> Verdict:
    """Solve so many entries of either section, chosen at random among those of the most discs."""
    wrong = []
    sample = _sample(book, count, Random(seed))
    for number, position in enumerate(sample, 1):
        if position.is_over or book.score(position) is None:
            wrong.append(f"key {position.key} is no position that the book can be asked for\n{position}")
            continue
        score = exact.score(position)
        if book.score(position) != score:
            wrong.append(f"key {position.key} has score {book.score(position)}, the solver says {score}\n{position}")
        reply = book.reply(position)
        if reply is not None and reply[0] != exact.best_trap(position, score):
            wrong.append(f"key {position.key} has reply {reply[0]}, the solver chooses another\n{position}")
        report(number)
    return Verdict(len(sample), tuple(wrong))


def _sample(book: lookup.Book, count: int, random: Random) -> list[Position]:
    chosen: list[Position] = []
    for section, least_discs in ((book.scores, book.scores.plies), (book.replies, book.scores.plies + 1)):
        keys: Iterable[int] = (key for key, _ in section.items())
        candidates = [key for key in keys if position_of(key).disc_count >= least_discs]
        chosen += map(position_of, random.sample(candidates, min(count, len(candidates))))
    return chosen


def _known_score(book: lookup.Book, position: Position) -> int:
    """The score of a position, from the side to move; KeyError where the book does not know it."""
    if position.winner is not None:
        return -(position.empty_count // 2 + 1)
    if position.is_full:
        return 0
    if position.winning_columns():
        return (position.empty_count + 1) // 2
    score = book.score(position)
    if score is None:
        raise KeyError(position.key)
    return score
