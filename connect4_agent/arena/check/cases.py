"""The cases of a compliance test: the ordinary and the odd things that real managers send."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import orjson

from connect4_agent.arena.check.check_process import CheckProcess
from connect4_agent.arena.check.compliance import CLOGS, STDERR_BYTES_PER_ANSWER, Case, Problem, ask, finish, hear
from connect4_agent.engine.players.player import obvious_column
from connect4_agent.rules.position import Position
from connect4_agent.wire.request import request_of

MAX_MOVES_PER_GAME = 8
"""Games are cut off after this many answers, so that a slow agent is not tested for longer than needed."""

MIDDLE_GAMES = ("4453", "44444", "44353622")
WORKED_EXAMPLE = Position.from_grid(
    [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 2, 2, 2],
        [1, 2, 2, 1, 2, 1],
        [0, 0, 0, 0, 2, 1],
        [0, 0, 0, 0, 1, 1],
        [0, 0, 0, 1, 2, 2],
        [0, 0, 0, 0, 1, 1],
    ],
    player=1,
)
"""Only column 1 does not lose at once."""

WON_BOARD = Position.from_moves("1212121")
PASSED_BOARD = Position.from_moves("44").passed().play(2).passed().play(2)


def cases(sizes: Sequence[tuple[int, int]] = ()) -> Iterator[Case]:
    """All cases; the first one is the simplest."""
    yield Case("ordinary", "an empty board, player 1 begins", _talk(Position()))
    yield Case("end-of-input", "the input ends after an answer", _talk(Position(), wait=True))
    yield Case("no-request", "the input ends before any request", lambda process: finish(process, wait=True))
    yield from _board_cases()
    yield from _line_cases()
    yield from _process_cases()
    yield from _odd_cases()
    yield from _start_cases()
    for width, height in sizes:
        yield from _size_cases(width, height)


def full_but(width: int, height: int, open_columns: dict[int, int]) -> Position:
    """A board without a four on which only these columns are open, each with this many empty cells."""
    return Position.from_grid(
        [
            # Pairs of columns in step, players alternating upwards: no line of the pattern is longer than two.
            [0 if row >= height - open_columns.get(column, 0) else 1 + (column // 2 + row) % 2 for row in upwards[::-1]]
            for column in range(width)
            for upwards in [range(height)]
        ]
    )


def line(position: Position, *, grid_only: bool = False) -> bytes:
    """A request as managers write it."""
    return request_of(position, grid_only=grid_only) + b"\n"


def _spaced(data: bytes) -> bytes:
    """The same with a blank after every comma and colon, as Python's json writes it."""
    return data.replace(b",", b", ").replace(b":", b": ")


def open_columns_of(position: Position) -> frozenset[int]:
    """The columns that may be answered."""
    return frozenset(position.legal_columns())


def _talk(*positions: Position, wait: bool = False) -> Callable[[CheckProcess], Problem | None]:
    """Put the positions one after the other, then end the input."""
    return say(*((line(position), open_columns_of(position)) for position in positions), wait=wait)


def say(
    *turns: tuple[bytes, *tuple[frozenset[int] | None, ...]], wait: bool = False
) -> Callable[[CheckProcess], Problem | None]:
    """Send each text, read its answers, usually one, then end the input."""

    def talk(process: CheckProcess) -> Problem | None:
        for data, *answers in turns:
            problem = ask(process, data, *answers)
            if problem is not None:
                return problem
        return finish(process, wait=wait)

    return talk


def _board_cases() -> Iterator[Case]:
    begun = Position(player=2)
    yield Case("other-player-first", "an empty board, player 2 begins", _talk(begun))
    yield Case("second-move", "one disc on the board, of either player", _talk(Position().play(3), begun.play(0)))
    yield Case("middle-game", "games in progress", _talk(*map(Position.from_moves, MIDDLE_GAMES)))
    yield Case("worked-example", "the worked example of the assignment", _talk(WORKED_EXAMPLE))
    yield Case("left-edge", "only the leftmost column is open", _talk(full_but(7, 6, {0: 6})))
    yield Case("right-edge", "only the rightmost column is open", _talk(full_but(7, 6, {6: 6})))
    nearly = full_but(7, 6, dict.fromkeys(range(7), 1))
    yield Case("nearly-full-columns", "every column has one empty cell", _talk(nearly, full_but(7, 6, {0: 1, 6: 1})))
    yield Case("last-cell", "one empty cell on the board", _talk(full_but(7, 6, {3: 1})))


def _line_cases() -> Iterator[Case]:
    position = Position.from_moves("4453")
    plain, allowed = line(position), open_columns_of(position)
    document: dict[str, Any] = orjson.loads(plain)
    yield Case("crlf", "lines that end with CR LF (Windows)", say((plain[:-1] + b"\r\n", allowed)))
    yield Case("blanks", "blanks inside and around the JSON", say((b"  " + _spaced(plain)[:-1] + b" \n", allowed)))
    shuffled = dict(sorted(document.items(), reverse=True))
    yield Case("key-order", "the keys in another order", say((orjson.dumps(shuffled) + b"\n", allowed)))
    extra = {"game": "x", "clock": {"left": [1.5, None]}} | document | {"move": 0, "turn": 4}
    yield Case("extra-keys", "unknown keys", say((orjson.dumps(extra) + b"\n", allowed)))
    yield Case("blank-lines", "blank lines get no answer", say((b"\n  \n\r\n" + plain, allowed)))
    yield Case("byte-order-mark", "a UTF-8 mark before the first line", say((BOM_UTF8 + plain, allowed)))
    yield Case("no-last-newline", "a last line without its newline", _unended(plain[:-1], allowed))


def _unended(data: bytes, allowed: frozenset[int]) -> Callable[[CheckProcess], Problem | None]:
    def talk(process: CheckProcess) -> Problem | None:
        process.send(data)
        process.close_input()
        return hear(process, allowed) or finish(process)

    return talk


def _process_cases() -> Iterator[Case]:
    forced = [full_but(7, 6, {column: 2}) for column in (2, 5, 0)]
    together = b"".join(line(position) for position in forced)

    def several(process: CheckProcess) -> Problem | None:
        return ask(process, together, *map(open_columns_of, forced)) or finish(process)

    yield Case("requests-at-once", "three requests before an answer is read", several)
    yield Case("several-games", "games one after the other in one process", _play_games)
    yield Case("quiet-stderr", "little is written to standard error", _measure_stderr)


def _play_games(process: CheckProcess) -> Problem | None:
    """Games with the agent in every seat, against an opponent that wins and blocks where it can at once."""
    for seat, first in ((1, 1), (2, 1), (1, 2), (2, 2)):
        position = Position(player=first)
        answers = 0
        while not position.is_over and answers < MAX_MOVES_PER_GAME:
            if position.player != seat:
                position = position.play(obvious_column(position))
                continue
            problem = ask(process, line(position), open_columns_of(position))
            if problem is not None:
                return problem
            answers += 1
            position = position.play(orjson.loads(process.last_line)["move"])
    return finish(process)


def _measure_stderr(process: CheckProcess) -> Problem | None:
    positions = [Position.from_moves(moves) for moves in ("", "4", "44", "443", "4433")]
    for position in positions:
        problem = ask(process, line(position), open_columns_of(position))
        if problem is not None:
            return problem
    problem = finish(process)
    each = process.process.stderr_bytes // len(positions)
    if problem is None and each > STDERR_BYTES_PER_ANSWER:
        problem = Problem(f"{each} bytes go to standard error for an answer; allowed: {STDERR_BYTES_PER_ANSWER}", CLOGS)
    return problem


def _odd_cases() -> Iterator[Case]:
    good = (line(Position()), open_columns_of(Position()))
    yield Case("won-board", "somebody has already won", _talk(WON_BOARD))
    yield Case("odd-counts", "disc counts that are off by two", _talk(PASSED_BOARD))
    full = line(full_but(7, 6, {}))
    yield Case("full-board", "a full board gets one line, and the next request its move", say((full, None), good))
    yield Case("not-json", "a line that is not JSON gets one line, and the next request its move",
               say((b'{"grid":[[0,0\n', None), good))  # fmt: skip


def _start_cases() -> Iterator[Case]:
    flags_1, flags_2 = (("--player", str(player), "--width", "7", "--height", "6") for player in (1, 2))
    for player, flags in ((1, flags_1), (2, flags_2)):
        # A manager speaks to an agent only when it is its turn: both positions are for this player.
        both = (Position(player=player), Position(player=player).play(3).play(3))
        grids = say(*((line(position, grid_only=True), open_columns_of(position)) for position in both))
        yield Case(f"flags-{player}", f"started as player {player} with flags, four keys", _talk(*both), flags)
        yield Case(f"flags-grid-only-{player}", f"started as player {player} with flags, the grid alone", grids, flags)
    grid = say((_spaced(line(Position(), grid_only=True)), open_columns_of(Position())))
    yield Case("flags-other-order", "flags in another order, the grid alone", grid,
               ("--player", "1", "--height", "6", "--width", "7"))  # fmt: skip
    yield Case("positional", "started with words 1 1 7 7 6 6, the grid alone", grid, ("1", "1", "7", "7", "6", "6"))
    yield Case("empty-argument", "started with one empty argument", _talk(Position()), ("",))


def _size_cases(width: int, height: int) -> Iterator[Case]:
    empty = Position(width, height)
    begun = Position(width, height, 2).play(width - 1)
    edges = [full_but(width, height, {column: 1}) for column in (0, width - 1)]
    size = f"{width}x{height}"
    yield Case(f"size-{size}", f"a board of {width} columns and {height} rows", _talk(empty, begun, *edges))
    yield Case(f"size-{size}-flags", f"{width} columns and {height} rows by flags, the grid alone",
               say((_spaced(line(empty, grid_only=True)), open_columns_of(empty))),
               ("--player", "1", "--height", str(height), "--width", str(width)))  # fmt: skip
