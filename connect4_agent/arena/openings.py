"""Openings: the first moves of the games, the same for every pairing and indexed by round."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from connect4_agent import errors
from connect4_agent.arena.balanced import balanced_openings
from connect4_agent.arena.random_plies import RandomPlies
from connect4_agent.arena.run.config import BALANCED, DEFAULT_PLIES, EMPTY, RANDOM, is_openings_file
from connect4_agent.arena.run.record import Opening
from connect4_agent.rules.position import Position, columns_of

MOST_TRIES = 1000
"""How often a random opening is drawn again, first because it was there before, then because it is of no use."""


def make_openings(source: str, count: int, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """The openings of `count` rounds.

    `empty`, `random:PLIES`, `balanced:PLIES`, either of them with FEWEST-MOST plies, or a file of move strings.
    """
    if source == EMPTY:
        return ((),)
    name, _, plies_text = source.partition(":")
    if not is_openings_file(source):
        lengths = _lengths(source, name, plies_text)
        if name == RANDOM:
            return random_openings(lengths, count, seed, width, height)
        return balanced_openings(lengths, count, seed, width, height)
    try:
        with open(source, encoding="utf-8") as file:
            return read_openings(file, source, width, height)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise errors.OpeningsError(
            f"openings is {source!r}: {reason}; "
            f"allowed are {EMPTY}, {RANDOM}:PLIES, {BALANCED}:PLIES, both also with FEWEST-MOST plies, "
            "and a file of move strings"
        ) from None


def random_openings(lengths: range, count: int, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """Random legal plies, as many as one of the lengths, that leave nobody a win with the next disc.

    No position comes twice until a thousand draws in a row find no other; then all may come again.
    """
    drawing = RandomPlies(Random(f"openings {seed} {width} {height} {_range_text(lengths)}"), lengths, width, height)
    openings: list[Opening] = []
    seen: set[int] = set()
    for _ in range(count):
        opening, key = _draw_new(drawing, seen)
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
        except errors.NotationError as error:
            raise errors.OpeningsError(f"{name}, line {number}: {error}") from None
        if position.is_over:
            raise errors.OpeningsError(f"{name}, line {number}: the game is over after {moves!r}")
        openings.append(columns_of(moves))
    if not openings:
        raise errors.OpeningsError(f"{name} contains no opening")
    return tuple(openings)


def _lengths(source: str, name: str, text: str) -> range:
    """From the fewest to the most plies."""
    if not text:
        return range(DEFAULT_PLIES, DEFAULT_PLIES + 1)
    fewest, dash, most = text.partition("-")
    numbers = (fewest, most if dash else fewest)
    # Python refuses to read numbers of some thousand digits, and no board has 100,000 cells.
    are_numbers = all(number.isascii() and number.isdigit() and len(number) <= 5 for number in numbers)
    if not are_numbers or int(numbers[0]) > int(numbers[1]):
        raise errors.OpeningsError(
            f"openings is {source[:50]!r}; allowed after {name}: is a number of plies below 100000, "
            "or the fewest and the most, such as 2-4"
        )
    return range(int(numbers[0]), int(numbers[1]) + 1)


def _range_text(lengths: range) -> str:
    return f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]}-{lengths[-1]}"


def _draw_new(drawing: RandomPlies, seen: set[int]) -> tuple[Opening, int]:
    """An opening whose position, seen in a mirror or not, is new, or else one that is there already."""
    found: tuple[Opening, int] | None = None
    for _ in range(MOST_TRIES):
        drawn = drawing.draw()
        if drawn is None:
            continue
        found = drawn
        if drawn[1] not in seen:
            break
    if found is None:
        raise errors.OpeningsError(
            f"openings is {RANDOM}:{_range_text(drawing.lengths)}: in {MOST_TRIES} tries none was found "
            f"on {drawing.width} columns and {drawing.height} rows after which nobody can win with the next disc"
        )
    return found
