"""Checking an opening book against itself and, by samples, against the solver."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from connect4_agent.book import lookup
from connect4_agent.book.lookup import position_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.exact import ExactScores
    from connect4_agent.position import Position

    Choose = Callable[[Position, int], int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: how many entries it looked at, and what is wrong with which."""

    checked: int
    wrong: tuple[str, ...]


def check_scores(book: lookup.Book, report: Callable[[int], None]) -> Verdict:
    """Check that every score is the best of what the replies leave.

    At the last ply of the scores the book may not know all replies; those that it knows must not leave more.
    """
    checked, wrong = 0, []
    for number, (key, value) in enumerate(book.scores.items(), 1):
        report(number)
        position, score = position_of(key), value - lookup.SCORE_OFFSET
        left = [_known_score(book, position.play(column)) for column in position.legal_columns()]
        known = [-each for each in left if each is not None]
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
        kept = [_known_score(book, after.play(answer)) for answer in after.legal_columns()]
        if None in kept:
            continue  # the last plies: their answers are not in the book
        checked += 1
        least = min((each for each in kept if each is not None), default=0)
        if least != score:
            wrong.append(f"key {key} has score {score}, its reply {column} keeps {least}\n{position}")
        report(checked)
    return Verdict(checked, tuple(wrong))


def check_sample(
    book: lookup.Book, exact: ExactScores, count: int, seed: int, report: Callable[[int], None]
) -> Verdict:
    """Solve so many entries of each section, chosen at random among those of the most discs."""
    wrong = []
    random = Random(seed)
    sample = [
        *_sample(book.scores, book.scores.plies, None, count, random),
        *_sample(book.replies, book.scores.plies + 1, exact.best_trap, count, random),
        *_sample(book.moves, book.moves.plies, exact.first_best_column, count, random),
    ]
    for number, (key, byte, choose) in enumerate(sample, 1):
        position = position_of(key)
        if position.is_over or book.score(position) is None:
            wrong.append(f"key {key} is no position that the book can be asked for\n{position}")
            continue
        score = exact.score(position)
        column, known = (None, byte - lookup.SCORE_OFFSET) if choose is None else lookup.move_of(byte)
        if known != score:
            wrong.append(f"key {key} has score {known}, the solver says {score}\n{position}")
        elif choose is not None and column != choose(position, score):
            wrong.append(f"key {key} has reply {column}, the solver chooses another\n{position}")
        report(number)
    return Verdict(len(sample), tuple(wrong))


def _sample(
    section: lookup.Section, least_discs: int, choose: Choose | None, count: int, random: Random
) -> list[tuple[int, int, Choose | None]]:
    """Some of a section's entries, each with the rule that its move follows."""
    entries = [(key, byte, choose) for key, byte in section.items() if position_of(key).disc_count >= least_discs]
    return random.sample(entries, min(count, len(entries)))


def _known_score(book: lookup.Book, position: Position) -> int | None:
    """The score of a position, from the side to move; None where the book does not know it."""
    if position.winner is not None:
        return -(position.empty_count // 2 + 1)
    if position.is_full:
        return 0
    if position.winning_columns():
        return (position.empty_count + 1) // 2
    return book.score(position)
