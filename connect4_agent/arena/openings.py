"""Openings: the first moves that games may begin with, random, balanced or from a file.

A run has one pool of them, which depends on the seed and the board, and not on how many games are wanted.

Balanced ones are drawn under perfect play. They come from the book, which has the scores of all early positions.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, zip_longest
from random import Random
from typing import TypeVar

from connect4_agent import errors
from connect4_agent.arena.config import BALANCED, DEFAULT_PLIES, EMPTY, RANDOM, is_openings_file
from connect4_agent.arena.record import Opening
from connect4_agent.engine.book import files
from connect4_agent.engine.book.files import book_for
from connect4_agent.engine.kernel.book import Book
from connect4_agent.engine.kernel.tuning import SCORE_OFFSET
from connect4_agent.rules.geometry import stride_of
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.text import did_you_mean

Each = TypeVar("Each")

MAX_FILE_BYTES = 10_000_000
MAX_TRIES = 1000
"""The number of draws in a row that find no new opening until no more are drawn."""

POOL = 1000
"""The number of openings that are drawn, or taken from the book, if there are that many."""


def make_openings(source: str, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """Return the openings that games may begin with, each once.

    `empty`, `random:PLIES`, `balanced:PLIES`, either of them with FEWEST-MOST plies, or a file of move strings.
    """
    if source == EMPTY:
        return ((),)
    name, _, plies_text = source.partition(":")
    if not is_openings_file(source):
        lengths = _lengths(source, name, plies_text)
        if name == RANDOM:
            return random_openings(lengths, POOL, seed, width, height)
        return balanced_openings(lengths, seed, width, height)
    try:
        return read_openings(_read_text(source).splitlines(), source, width, height)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise errors.ArenaError(
            f"openings is {source!r}{did_you_mean(name, (EMPTY, RANDOM, BALANCED))}; "
            f"allowed are {EMPTY}, {RANDOM}:PLIES, {BALANCED}:PLIES, both also with FEWEST-MOST plies, "
            f"and a file of move strings (as a file: {reason})"
        ) from None


def _read_text(path: str) -> str:
    """Return the text of a file. Raises OSError, and ValueError unless it is an ordinary file of reasonable size."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, encoding="utf-8") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE_BYTES:
            raise ValueError(f"it is not a file of at most {MAX_FILE_BYTES // 1_000_000} MB")
        return file.read()


@cache
def random_openings(lengths: range, count: int, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """Return random legal plies that leave nobody a win with the next disc, of each length in turn.

    No position comes twice, seen in a mirror or not; a length ends when no other position of it is found.
    """
    source = Random(f"openings {seed} {width} {height} {_range_text(lengths)}")
    drawn = [_draw_openings(source, plies, Position(width, height)) for plies in lengths]
    openings = tuple(islice(_in_turn(drawn), count))
    if not openings:
        raise errors.ArenaError(
            f"openings is {RANDOM}:{_range_text(lengths)}: in {MAX_TRIES} tries none was found "
            f"on {width} columns and {height} rows after which nobody can win with the next disc"
        )
    return openings


def read_openings(lines: Iterable[str], name: str, width: int, height: int) -> tuple[Opening, ...]:
    """Return the openings of a file, one move string a line, such as 4453; comments begin with #."""
    openings = []
    for number, line in enumerate(lines, 1):
        moves = line.partition("#")[0].strip()
        if not moves:
            continue
        try:
            position = Position.from_moves(moves, width, height)
        except errors.NotationError as error:
            raise errors.ArenaError(f"{name}, line {number}: {error}") from None
        if position.is_over:
            raise errors.ArenaError(f"{name}, line {number}: the game is over after {moves!r}")
        openings.append(parse_moves(moves))
    if not openings:
        raise errors.ArenaError(f"{name} contains no opening")
    return tuple(dict.fromkeys(openings))


def _lengths(source: str, name: str, text: str) -> range:
    """Return the allowed numbers of plies, from the fewest to the most."""
    if not text:
        return range(DEFAULT_PLIES, DEFAULT_PLIES + 1)
    fewest, dash, most = text.partition("-")
    numbers = (fewest, most if dash else fewest)
    # Python refuses to read numbers of some thousand digits, and no board has 100,000 cells.
    are_numbers = all(number.isascii() and number.isdigit() and len(number) <= 5 for number in numbers)
    if not are_numbers or int(numbers[0]) > int(numbers[1]):
        raise errors.ArenaError(
            f"openings is {source[:50]!r}; allowed after {name}: is a number of plies below 100000, "
            "or the fewest and the most, such as 2-4"
        )
    return range(int(numbers[0]), int(numbers[1]) + 1)


def _range_text(lengths: range) -> str:
    return f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]}-{lengths[-1]}"


def _in_turn(lists: Iterable[Iterable[Each]]) -> Iterator[Each]:
    """Yield one of each list in turn; lists that have ended are passed over."""
    return (each for group in zip_longest(*lists) for each in group if each is not None)


def _draw_openings(source: Random, plies: int, empty: Position) -> Iterator[Opening]:
    """Yield random openings to different positions, until MAX_TRIES draws in a row find no other."""
    seen: set[int] = set()
    tries = 0
    while tries < MAX_TRIES:
        tries += 1
        position, columns = empty, list[int]()
        while len(columns) < plies and not position.is_over:
            columns.append(source.choice(position.legal_columns()))
            position = position.play(columns[-1])
        if position.is_over or (key := position.canonical().key) in seen:
            continue
        if not position.winning_columns() and not position.passed().winning_columns():
            seen.add(key)
            tries = 0
            yield tuple(columns)


def balanced_openings(lengths: range, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """Return openings to drawn positions in a random order; no position comes twice, seen in a mirror or not.

    Raises ArenaError if the book knows none.
    """
    book = book_for(width, height)
    plies = _range_text(lengths)
    if not book.scores or lengths[-1] > book.scores.plies:
        known = f"those of up to {book.scores.plies} plies are known" if book.scores else "there is no book for them"
        raise errors.ArenaError(
            f"openings is {BALANCED}:{plies} on {width} columns and {height} rows; {known}: "
            f"use {RANDOM}:{plies} or a file"
        )
    positions = drawn_positions(lengths, book)
    Random(f"balanced openings {seed} {lengths[0]}-{lengths[-1]}").shuffle(positions)
    if not positions:
        raise errors.ArenaError(f"there are no balanced openings of {plies} plies: no position that early is drawn")
    of_lengths = [[position for position in positions if position.disc_count == plies] for plies in lengths]
    return tuple(map(columns_to, islice(_in_turn(of_lengths), POOL)))


def drawn_positions(lengths: range, book: Book) -> list[Position]:
    """Return every drawn position of these numbers of discs that can be reached, mirror images once.

    The player to move cannot win with the next disc, or it would not be drawn; from five discs on the other one
    may threaten to, which has an answer.
    """
    positions = (
        files.position_with_key(key, book.width, book.height)
        for key, value in book.scores.items()
        if value == SCORE_OFFSET
    )
    return [position for position in positions if position.disc_count in lengths]


def columns_to(position: Position) -> Opening:
    """Return moves that lead to a position in which nobody has four, found by taking them back one by one.

    Nobody has four on the way either: discs only come.
    """
    stride = stride_of(position.height)
    # What is left to take back, and what has been; a column may be the wrong one, so others wait.
    waiting: list[tuple[Position, Opening]] = [(position, ())]
    seen: set[int] = set()
    while waiting:
        last, columns = waiting.pop()
        if not last.occupied:
            return columns
        for before in last.predecessors():
            if before.key not in seen:
                seen.add(before.key)
                disc = last.occupied ^ before.occupied
                waiting.append((before, ((disc.bit_length() - 1) // stride, *columns)))
    raise errors.ArenaError(f"no moves lead to this position:\n{position}")
