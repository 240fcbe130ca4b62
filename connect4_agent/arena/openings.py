"""Openings: the first moves of the games, the same for every pairing and indexed by round."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.position import MOVE_SIGNS, Position

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_PLIES = 4
"""About a thousand different positions on the usual board, most of them still balanced."""

EMPTY = "empty"
RANDOM = "random"

MOST_TRIES = 1000
"""How often a random opening is drawn again, first because it was there before, then because it is of no use."""

Opening = tuple[int, ...]


def make_openings(source: str, count: int, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """The openings of `count` rounds: `empty`, `random:PLIES` or the name of a file of move strings."""
    if source == EMPTY:
        return ((),)
    name, colon, plies_text = source.partition(":")
    if name == RANDOM and (colon or not plies_text):
        return random_openings(_plies(source, plies_text), count, seed, width, height)
    try:
        with open(source, encoding="utf-8") as file:
            return read_openings(file, source, width, height)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise errors.OpeningsError(
            f"openings is {source!r}: {reason}; allowed are {EMPTY}, {RANDOM}:PLIES and a file of move strings"
        ) from None


def random_openings(plies: int, count: int, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """Random legal plies that leave nobody a win with the next disc.

    No position comes twice until a thousand draws in a row find no other; then all may come again.
    """
    source = Random(f"openings {seed} {width} {height} {plies}")
    openings: list[Opening] = []
    seen: set[int] = set()
    for _ in range(count):
        opening, key = _draw_new(source, plies, width, height, seen)
        if key in seen:
            seen.clear()
        seen.add(key)
        openings.append(opening)
    return tuple(openings)


def read_openings(lines: Iterable[str], name: str, width: int, height: int) -> tuple[Opening, ...]:
    """One move string a line, such as 4453; blank lines and what follows a # are left out."""
    openings = []
    for number, line in enumerate(lines, 1):
        moves = line.partition("#")[0].strip()
        if not moves:
            continue
        try:
            position = Position.from_moves(moves, width, height)
        except errors.MoveStringError as error:
            raise errors.OpeningsError(f"{name}, line {number}: {error}") from None
        if position.is_over:
            raise errors.OpeningsError(f"{name}, line {number}: the game is over after {moves!r}")
        openings.append(tuple(MOVE_SIGNS.index(sign.lower()) for sign in moves))
    if not openings:
        raise errors.OpeningsError(f"{name} holds no opening")
    return tuple(openings)


def _plies(source: str, text: str) -> int:
    if not text:
        return DEFAULT_PLIES
    if not (text.isascii() and text.isdigit()):
        raise errors.OpeningsError(f"openings is {source!r}; after {RANDOM}: comes a whole number of plies")
    return int(text)


def _draw_new(source: Random, plies: int, width: int, height: int, seen: set[int]) -> tuple[Opening, int]:
    """An opening whose position, seen in a mirror or not, is new, or else one that is there already."""
    found: tuple[Opening, int] | None = None
    for _ in range(MOST_TRIES):
        drawn = _draw(source, plies, width, height)
        if drawn is None:
            continue
        opening, position = drawn
        key = min(position.key, position.mirrored().key)
        found = opening, key
        if key not in seen:
            break
    if found is None:
        raise errors.OpeningsError(
            f"openings is {RANDOM}:{plies}: in {MOST_TRIES} tries none was found on {width} columns and {height} rows "
            "that leaves nobody a win with the next disc"
        )
    return found


def _draw(source: Random, plies: int, width: int, height: int) -> tuple[Opening, Position] | None:
    """Random plies, if nobody has won or could win with the next disc after them, and a column is open."""
    position, columns = Position(width, height), []
    for _ in range(plies):
        if position.is_over:
            return None
        column = source.choice(position.legal_columns())
        position = position.play(column)
        columns.append(column)
    if position.is_over or position.winning_columns() or position.passed().winning_columns():
        return None
    return tuple(columns), position
