"""The cases of a check: the ordinary and the odd things that real managers send."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from connect4_agent.arena.check.conversation import Conversation, Talk
from connect4_agent.arena.check.result import Diagnosis, Kind, Tier
from connect4_agent.engine.players.player import obvious_column
from connect4_agent.rules.position import Position
from connect4_agent.wire.request import request_of

STDERR_BYTES_PER_ANSWER = 3072
"""What an agent may write to standard error for each answer: managers that never read it have small pipes."""

MOVES_PER_GAME = 3
"""Games are cut off after this many answers; the practice games are whole ones."""

MIDDLE_GAMES = ("4453", "44353622", "444444", "4444443")
"""In the last two the centre is full, but an agent that takes columns for rows sees it open."""

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

OWN_WIN = "own-win"
FIRST_CASES = ("ordinary", "other-player-first")
"""The first request in either seat: an agent that fails here fails everywhere."""

ARGUMENTS_FIX = "accept and ignore --player, --width, --height and other words on the command line"
BARE_FIX = "take player, width and height from the request: managers that add nothing to the command line exist"
GRID_FIX = "if the request holds the grid alone, take player from --player, and the sizes from the grid"
BAD_LINE_FIX = 'answer a line that has no move with {"error": "..."}, and read on'
END_FIX = "end without a word and with status 0 when the input ends"


@dataclass(frozen=True, slots=True)
class Sitting:
    """One process: for which player it is started, and what is said to it."""

    talk: Talk
    player: int = 1


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that managers do, in one process or in several."""

    name: str
    title: str
    tier: Tier
    sittings: tuple[Sitting, ...]
    fix: str = ""
    """What to do if nothing but this fails."""
    arguments: tuple[tuple[str, ...], ...] | None = None
    """What each sitting adds to the command line; None for what the arena adds."""
    width: int = 7
    height: int = 6


def required_cases(width: int = 7, height: int = 6) -> Iterator[Case]:
    """What the arena sends on such boards, in the forms that plain managers write; the first one is the simplest."""

    def case(name: str, title: str, *sittings: Sitting) -> Case:
        return Case(name, title, Tier.REQUIRED, sittings, width=width, height=height)

    yield case(FIRST_CASES[0], "an empty board, player 1 begins", _asked(Position(width, height)))
    yield case(FIRST_CASES[1], "an empty board, player 2 begins", _asked(Position(width, height, 2)))
    games = (_game(width, height, player, first, moves=2) for player, first in ((1, 1), (2, 1), (1, 2), (2, 2)))
    yield case("second-move", "the first two moves of a game, in either seat", *games)
    yield case("middle-game", "games in progress", *map(_asked, _middle_games(width, height)))
    if (width, height) == (7, 6):
        yield case("worked-example", "the worked example of the assignment", _asked(WORKED_EXAMPLE))
    left, right = (full_but(width, height, {column: height}) for column in (0, width - 1))
    yield case("left-edge", "only the leftmost column is open", _asked(left))
    yield case("right-edge", "only the rightmost column is open", _asked(right))
    nearly = full_but(width, height, dict.fromkeys(range(width), 1)), full_but(width, height, {0: 1, width - 1: 1})
    yield case("nearly-full-columns", "one empty cell in every open column", *map(_asked, nearly))
    yield case("last-cell", "one empty cell on the board", _asked(full_but(width, height, {width // 2: 1})))
    middle = _middle_games(width, height)[0]
    document: dict[str, Any] = orjson.loads(request_of(middle))
    blanks = b"  " + _spaced(line(middle))[:-1] + b" \n"
    yield case("blanks", "blanks inside and around the JSON", _said(blanks, middle))
    shuffled = orjson.dumps(dict(sorted(document.items(), reverse=True))) + b"\n"
    yield case("key-order", "the keys in another order", _said(shuffled, middle))


def robust_cases() -> Iterator[Case]:
    """What some managers send, or do; all on the usual board."""
    yield from _end_cases()
    yield from _line_cases()
    yield from _process_cases()
    yield from _odd_cases()
    yield from _start_cases()


def size_cases(width: int, height: int) -> Iterator[Case]:
    """Boards of another size, which somebody has asked for."""
    empty = Position(width, height)
    positions = (empty, Position(width, height, 2).play(width - 1))
    edges = [full_but(width, height, {column: 1}) for column in (0, width - 1)]
    size = f"{width}x{height}"
    yield Case(f"size-{size}", f"a board of {width} columns and {height} rows", Tier.REQUIRED,
               tuple(map(_asked, (*positions, *edges))), width=width, height=height)  # fmt: skip
    yield Case(f"size-{size}-flags", f"{width} columns and {height} rows by flags, the grid alone", Tier.ROBUST,
               (_said(_spaced(line(empty, grid_only=True)), empty),), GRID_FIX,
               (("--player", "1", "--height", str(height), "--width", str(width)),), width, height)  # fmt: skip


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


FORCED = tuple(full_but(7, 6, {column: 2}) for column in (2, 5, 0))
"""Each has one open column."""


def line(position: Position, *, grid_only: bool = False) -> bytes:
    """A request as managers write it."""
    return request_of(position, grid_only=grid_only) + b"\n"


def said(*turns: tuple[bytes, *tuple[Position | None, ...]]) -> Talk:
    """Send each text, read its answers, usually one, then end the input."""

    def talk(conversation: Conversation) -> Diagnosis | None:
        for data, *positions in turns:
            problem = conversation.send(data)
            for position in positions:
                problem = problem or conversation.hear(position)
            if problem is not None:
                return problem
        return conversation.finish()

    return talk


def _said(data: bytes, position: Position) -> Sitting:
    return Sitting(said((data, position)), position.player)


def _asked(position: Position) -> Sitting:
    """One position, asked as the arena asks."""

    def talk(conversation: Conversation) -> Diagnosis | None:
        return conversation.ask(position) or conversation.finish()

    return Sitting(talk, position.player)


def _spaced(data: bytes) -> bytes:
    """The same with a blank after every comma and colon, as Python's json writes it."""
    return data.replace(b",", b", ").replace(b":", b": ")


def _middle_games(width: int, height: int) -> list[Position]:
    if (width, height) == (7, 6):
        return list(map(Position.from_moves, MIDDLE_GAMES))
    position, positions = Position(width, height), []
    for _ in range(5):
        following = position.play(obvious_column(position))
        if following.is_over:
            break
        position = following
        positions.append(position)
    return positions[-2:] or [position]


def _game(width: int, height: int, seat: int, *firsts: int, moves: int) -> Sitting:
    """Games against an opponent that wins and blocks where it can at once; each is cut off after some answers."""

    def talk(conversation: Conversation) -> Diagnosis | None:
        for first in firsts:
            position = Position(width, height, first)
            answers = 0
            while not position.is_over and answers < moves:
                if position.player != seat:
                    position = position.play(obvious_column(position))
                    continue
                if (problem := conversation.ask(position)) is not None:
                    return problem
                answers += 1
                position = position.play(conversation.last_move)
        return conversation.finish()

    return Sitting(talk, seat)


def _end_cases() -> Iterator[Case]:
    def answered(conversation: Conversation) -> Diagnosis | None:
        return conversation.ask(Position()) or conversation.finish_cleanly()

    yield Case("end-of-input", "the input ends after an answer", Tier.ROBUST, (Sitting(answered),), END_FIX)
    sittings = (Sitting(Conversation.finish_cleanly),)
    yield Case("no-request", "the input ends before any request", Tier.ROBUST, sittings, END_FIX)


def _line_cases() -> Iterator[Case]:
    position = Position.from_moves("4453")
    plain = line(position)
    extra = {"game": "x", "clock": {"left": [1.5, None]}} | orjson.loads(plain) | {"move": 0, "turn": 4}

    def case(name: str, title: str, data: bytes, fix: str) -> Case:
        return Case(name, title, Tier.ROBUST, (_said(data, position),), fix)

    yield case("crlf", "lines that end with CR LF (Windows)", plain[:-1] + b"\r\n", "strip the line: line.strip()")
    yield case("extra-keys", "unknown keys", orjson.dumps(extra) + b"\n", "ignore keys that you do not know")
    yield case("blank-lines", "blank lines get no answer", b"\n  \n\r\n" + plain,
               "skip blank lines: if not line.strip(): continue")  # fmt: skip
    yield case("byte-order-mark", "a UTF-8 mark before the first line", BOM_UTF8 + plain,
               r"remove the mark: line.lstrip('\ufeff')")  # fmt: skip

    def unended(conversation: Conversation) -> Diagnosis | None:
        return conversation.send_unended(plain[:-1]) or conversation.hear(position) or conversation.finish()

    yield Case("no-last-newline", "a last line without its newline", Tier.ROBUST, (Sitting(unended),),
               "answer what is left at the end of input as a line")  # fmt: skip


def _process_cases() -> Iterator[Case]:
    together = b"".join(map(line, FORCED))
    yield Case("requests-at-once", "three requests before an answer is read", Tier.ROBUST,
               (Sitting(said((together, *FORCED))),), "read one line at a time, and answer each")  # fmt: skip
    games = tuple(_game(7, 6, seat, 1, 2, moves=MOVES_PER_GAME) for seat in (1, 2))
    yield Case("several-games", "games one after the other in one process", Tier.ROBUST, games,
               "play from the grid of the request; keep nothing of the game before")  # fmt: skip
    yield Case("quiet-stderr", "little is written to standard error", Tier.ROBUST, (Sitting(_measure_stderr),))
    yield Case(OWN_WIN, "both players could win at once: does it play for its own side?", Tier.ROBUST,
               tuple(_asked(position) for position, _ in OWN_WIN_BOARDS))  # fmt: skip


def _own_win_boards() -> Iterator[tuple[Position, tuple[int, int]]]:
    """Boards on which both have three on top of each other, with the winning columns of player 1 and player 2."""
    for player in (1, 2):
        for own, other in ((0, 1), (6, 3), (2, 5)):
            wins = (own, other) if player == 1 else (other, own)
            yield Position(player=player).after([own, other] * 3), wins


OWN_WIN_BOARDS = tuple(_own_win_boards())


def _measure_stderr(conversation: Conversation) -> Diagnosis | None:
    positions = [Position.from_moves(moves) for moves in ("", "44", "4433", "443311", "44331177")]
    for position in positions:
        if (problem := conversation.ask(position)) is not None:
            return problem
    problem = conversation.finish()
    each = conversation.process.stderr_bytes // len(positions)
    if problem is None and each > STDERR_BYTES_PER_ANSWER:
        text = f"it writes {each} bytes to standard error for an answer; managers that never read it then stop"
        return Diagnosis(kind=Kind.NOISY, text=text, fix=f"write at most {STDERR_BYTES_PER_ANSWER} bytes for a move")
    return problem


def _odd_cases() -> Iterator[Case]:
    def case(name: str, title: str, fix: str, *sittings: Sitting) -> Case:
        return Case(name, title, Tier.ROBUST, sittings, fix)

    good = (line(Position()), Position())
    any_column = "answer with any open column, whatever the board shows"
    yield case("won-board", "somebody has already won", any_column, _asked(WON_BOARD))
    yield case("odd-counts", "disc counts that are off by two", any_column, _asked(PASSED_BOARD))
    full = line(full_but(7, 6, {}))
    yield case("full-board", "a full board gets one line, and the next request its move", BAD_LINE_FIX,
               Sitting(said((full, None), good)))  # fmt: skip
    yield case("not-json", "a line that is not JSON gets one line, and the next request its move", BAD_LINE_FIX,
               Sitting(said((b'{"grid":[[0,0\n', None), good)))  # fmt: skip


def _start_cases() -> Iterator[Case]:
    def case(name: str, title: str, fix: str, *started: tuple[tuple[str, ...], Talk]) -> Case:
        sittings = tuple(Sitting(talk, player) for player, (_, talk) in enumerate(started, 1))
        return Case(name, title, Tier.ROBUST, sittings, fix, tuple(arguments for arguments, _ in started))

    # A manager speaks to an agent only when it is its turn: both positions are for this player.
    turns = [(Position(player=player), Position(player=player).play(3).play(3)) for player in (1, 2)]
    full = [said(*((line(position), position) for position in both)) for both in turns]
    grids = [said(*((line(position, grid_only=True), position) for position in both)) for both in turns]
    flags = [("--player", str(player), "--width", "7", "--height", "6") for player in (1, 2)]
    grid = said((_spaced(line(Position(), grid_only=True)), Position()))
    yield case("bare", "started without arguments, as either player", BARE_FIX, *(((), talk) for talk in full))
    yield case("flags", "started as either player with flags, four keys", ARGUMENTS_FIX, *zip(flags, full, strict=True))
    yield case("flags-grid-only", "started as either player with flags, the grid alone", GRID_FIX,
               *zip(flags, grids, strict=True))  # fmt: skip
    yield case("flags-other-order", "flags in another order, the grid alone", GRID_FIX,
               (("--player", "1", "--height", "6", "--width", "7"), grid))  # fmt: skip
    yield case("positional", "started with words 1 1 7 7 6 6, the grid alone", ARGUMENTS_FIX,
               (("1", "1", "7", "7", "6", "6"), grid))  # fmt: skip
    yield case("empty-argument", "started with one empty argument", ARGUMENTS_FIX, (("",), full[0]))


def cases(width: int = 7, height: int = 6, sizes: Sequence[tuple[int, int]] = ()) -> list[Case]:
    """All cases but the extra ones, in their order."""
    return [
        *required_cases(width, height),
        *(case for size in sizes for case in size_cases(*size)),
        *robust_cases(),
    ]
