"""The text protocol of Four in a Row at theaigames and at riddles.io, which differ in how a board is written.

settings timebank 10000            milliseconds
settings time_per_move 500         added to the bank before every move
settings your_botid 1              theaigames: 1 or 2; riddles.io: 0 or 1
settings field_columns 7           riddles.io: field_width and field_height
update game field 0,0,0,...;0,...  theaigames: rows from the top, 0 empty; riddles.io: cells alone, . empty
action move 10000                  what is in the bank now
place_disc 3                       the answer
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.adapters.text_lines import shown, text_of
from connect4_agent.position import LARGEST_SIDE, Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connect4_agent.server import OverlongLine, Turn

BANK_SHARE = 0.1
"""The part of the bank, beyond the time for a move, that one move may take."""

PIPE_SECONDS = 0.05
"""What is left of the bank, at most, for the way through the engine's pipes; never more than half of it."""

DEFAULT_MOVE_SECONDS = 0.5
"""The time for a move where the engine has said nothing: what both sites gave."""

SILENT_SETTINGS = ("player_names", "your_bot", "max_rounds")
SILENT_UPDATES = ("round", "move")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a site writes boards: the words for an empty cell and for the two players, and the first bot's number."""

    cells: tuple[str, str, str]
    first_bot: int


DIALECTS = {"theaigames": Dialect(("0", "1", "2"), 1), "riddles": Dialect((".", "0", "1"), 0)}


class FourInARowCodec:
    """Remembers settings and board from line to line; only `action move` is answered."""

    takes_blank_lines = False

    def __init__(self, dialect: Dialect, width: int = 7, height: int = 6) -> None:
        self._dialect = dialect
        self._numbers = {"field_columns": width, "field_rows": height}
        self._rows: Sequence[Sequence[int]] | None = None

    def answer(self, line: bytes | OverlongLine, turn: Turn) -> bytes | None:
        """`place_disc` and a column for `action move`; None for all else."""
        text = text_of(line, turn)
        if text is None:
            return None
        words = text.split()
        try:
            match words:
                case ["settings", name, *values]:
                    self._set(name, " ".join(values))
                case ["update", "game", "field", *field]:
                    self._rows = self._rows_of("".join(field), turn)
                case ["update", _, name, *_] if name in SILENT_UPDATES:
                    pass
                case ["action", "move", *bank]:
                    return self._move(bank, turn)
                case _:
                    raise errors.LineProtocolError("it is no line of this protocol")
        except (errors.LineProtocolError, errors.RequestError) as error:
            turn.warn(f"ignored: {shown(text)}: {error}")
        return None

    def _set(self, name: str, value: str) -> None:
        if name in SILENT_SETTINGS:
            return
        known = {"field_width": "field_columns", "field_height": "field_rows"}.get(name, name)
        if known not in ("timebank", "time_per_move", "your_botid", "field_columns", "field_rows"):
            raise errors.LineProtocolError(f"there is no setting {name!r}")
        number = _whole(value)
        if known == "your_botid" and number - self._dialect.first_bot not in (0, 1):
            first = self._dialect.first_bot
            raise errors.LineProtocolError(f"your_botid is {number}; allowed are {first} and {first + 1}")
        if known.startswith("field_") and not 1 <= number <= LARGEST_SIDE:
            raise errors.LineProtocolError(f"{name} is {number}; allowed are 1 to {LARGEST_SIDE}")
        self._numbers[known] = number

    def _rows_of(self, field: str, turn: Turn) -> list[list[int]]:
        """The rows of a field, top first, whether its rows are separated or not; checked as a board."""
        field = field.removesuffix(";")
        cells = []
        for word in field.replace(";", ",").split(","):
            if word not in self._dialect.cells:
                raise errors.BadCellError(f"a cell is {word!r}; allowed are {', '.join(self._dialect.cells)}")
            cells.append(self._dialect.cells.index(word))
        size = (self._numbers["field_columns"], self._numbers["field_rows"])
        if ";" not in field and len(cells) != size[0] * size[1]:
            raise errors.BadGridError(
                f"it has {len(cells)} cells; {size[0]} columns and {size[1]} rows have {size[0] * size[1]}"
            )
        lengths = [len(row.split(",")) for row in field.split(";")] if ";" in field else [size[0]] * size[1]
        ends = list(accumulate(lengths))
        rows = [cells[end - length : end] for end, length in zip(ends, lengths, strict=True)]
        position = Position.from_grid(rows, row_major=True)
        if (position.width, position.height) != size:
            turn.warn(
                f"the field has {position.width} columns and {position.height} rows, "
                f"but the settings say {size[0]} and {size[1]}: the field counts"
            )
        return rows

    def _move(self, bank: list[str], turn: Turn) -> bytes:
        if self._rows is None:
            position = Position(self._numbers["field_columns"], self._numbers["field_rows"], self._player() or 1)
        else:
            position = Position.from_grid(self._rows, self._player(), row_major=True)
        if position.is_full:
            raise errors.BoardFullError("the board is full")
        try:
            # Without a number nobody says what is left of the first bank: it could be spent again and again.
            bank_ms = _whole(bank[0]) if bank else None
        except errors.LineProtocolError as error:
            turn.warn(f"action move: {error}; the time for a move is guessed")
            bank_ms = None
        column = turn.choose(position, self.seconds_for_move(bank_ms)).column
        return f"place_disc {column}\n".encode()

    def _player(self) -> int | None:
        bot = self._numbers.get("your_botid")
        return None if bot is None else bot - self._dialect.first_bot + 1

    def seconds_for_move(self, bank_ms: int | None) -> float:
        """The time for a move, by what is in the bank now: that for every move and a share of what is beyond it."""
        per_move = self._numbers.get("time_per_move")
        if bank_ms is None:
            return DEFAULT_MOVE_SECONDS if per_move is None else per_move / 1000
        bank = bank_ms / 1000
        each = min(DEFAULT_MOVE_SECONDS if per_move is None else per_move / 1000, bank)
        return min(each + (bank - each) * BANK_SHARE, bank - min(PIPE_SECONDS, bank / 2))


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise errors.LineProtocolError(f"{text!r} is no whole number of 0 or more")
    return int(text)
