"""Openings: the first moves of the games, the same for every pairing and indexed by round."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.arena.balanced import balanced_openings
from connect4_agent.book import lookup
from connect4_agent.position import MOVE_SIGNS, Position

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_PLIES = 4
"""About a thousand different positions on the usual board, most of them still balanced."""

EMPTY = "empty"
RANDOM = "random"
BALANCED = "balanced"

MOST_TRIES = 1000
"""How often a random opening is drawn again, first because it was there before, then because it is of no use."""

Opening = tuple[int, ...]


def make_openings(source: str, count: int, seed: int, width: int, height: int) -> tuple[Opening, ...]:
    """The openings of `count` rounds.

    `empty`, `random:PLIES`, `balanced:PLIES`, either of them with FEWEST-MOST plies, or a file of move strings.
    """
    if source == EMPTY:
        return ((),)
    name, _, plies_text = source.partition(":")
    if not is_file(source):
        fewest, most = _plies(source, name, plies_text)
        if name == RANDOM:
            return random_openings(fewest, count, seed, width, height, most_plies=most)
        if (width, height) != (lookup.WIDTH, lookup.HEIGHT):
            raise errors.OpeningsError(
                f"openings is {source!r}, but the board has {width} columns and {height} rows; balanced openings "
                f"are known for {lookup.WIDTH} columns and {lookup.HEIGHT} rows alone"
            )
        return balanced_openings(range(fewest, most + 1), count, seed)
    try:
        with open(source, encoding="utf-8") as file:
            return read_openings(file, source, width, height)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise errors.OpeningsError(
            f"openings is {source!r}: {reason}; "
            f"allowed are {EMPTY}, {RANDOM}:PLIES, {BALANCED}:PLIES, either with FEWEST-MOST plies, "
            "and a file of move strings"
        ) from None


def is_file(source: str) -> bool:
    """Whether the openings are in a file of this name."""
    return source != EMPTY and source.partition(":")[0] not in (RANDOM, BALANCED)


def random_openings(
    plies: int, count: int, seed: int, width: int, height: int, *, most_plies: int | None = None
) -> tuple[Opening, ...]:
    """Random legal plies that leave nobody a win with the next disc; with `most_plies`, from `plies` to so many.

    No position comes twice until a thousand draws in a row find no other; then all may come again.
    """
    lengths = range(plies, (plies if most_plies is None else most_plies) + 1)
    source = Random(f"openings {seed} {width} {height} {_shown(lengths)}")
    openings: list[Opening] = []
    seen: set[int] = set()
    for _ in range(count):
        opening, key = _draw_new(source, lengths, width, height, seen)
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


def _plies(source: str, name: str, text: str) -> tuple[int, int]:
    """The fewest and the most plies."""
    if not text:
        return DEFAULT_PLIES, DEFAULT_PLIES
    fewest, dash, most = text.partition("-")
    numbers = (fewest, most if dash else fewest)
    # Python refuses to read numbers of some thousand digits, and no board has so many cells as six of them say.
    are_numbers = all(number.isascii() and number.isdigit() and len(number) <= 5 for number in numbers)
    if not are_numbers or int(numbers[0]) > int(numbers[1]):
        raise errors.OpeningsError(
            f"openings is {source[:50]!r}; after {name}: comes a number of plies below 100000, "
            "or the fewest and the most, such as 2-4"
        )
    return int(numbers[0]), int(numbers[1])


def _shown(lengths: range) -> str:
    return f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]}-{lengths[-1]}"


def _draw_new(source: Random, lengths: range, width: int, height: int, seen: set[int]) -> tuple[Opening, int]:
    """An opening whose position, seen in a mirror or not, is new, or else one that is there already."""
    found: tuple[Opening, int] | None = None
    for _ in range(MOST_TRIES):
        # A length that is certain takes no random number.
        drawn = _draw(source, lengths[0] if len(lengths) == 1 else source.choice(lengths), width, height)
        if drawn is None:
            continue
        opening, position = drawn
        key = min(position.key, position.mirrored().key)
        found = opening, key
        if key not in seen:
            break
    if found is None:
        raise errors.OpeningsError(
            f"openings is {RANDOM}:{_shown(lengths)}: in {MOST_TRIES} tries none was found "
            f"on {width} columns and {height} rows that leaves nobody a win with the next disc"
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
