"""The text protocol of Four in a Row at theaigames and at riddles.io, which differ in how a board is written.

settings timebank 10000            milliseconds
settings time_per_move 500         added to the bank before every move
settings your_botid 1              theaigames: 1 or 2; riddles.io: 0 or 1
settings field_columns 7           riddles.io: field_width and field_height
update game field 0,0,0,...;0,...  theaigames: rows from the top, 0 empty; riddles.io: cells alone, . empty
action move 10000                  the time in the bank now
place_disc 3                       the answer
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.adapters.text_lines import TOO_LONG, text_of
from connect4_agent.position import LARGEST_SIDE, Position
from connect4_agent.server import Reading
from connect4_agent.text import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connect4_agent.engine.players.player import Choice
    from connect4_agent.protocol.lines import OverlongLine

BANK_SHARE = 0.1
"""The share of the bank beyond the time for a move that one move may use."""

PIPE_SECONDS = 0.05
"""The time to keep in the bank for the delay of the pipes; at most half of the bank."""

DEFAULT_MOVE_SECONDS = 0.5
"""The time for a move if the engine states none: what both sites allowed."""

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
    takes_documents = False
    explain = False

    def __init__(self, dialect: Dialect, width: int = 7, height: int = 6) -> None:
        self._dialect = dialect
        self._numbers = {"field_columns": width, "field_rows": height}
        self._rows: Sequence[Sequence[int]] | None = None

    def read(self, line: bytes | OverlongLine) -> Reading:
        """The position for `action move`; at most warnings for other lines."""
        text = text_of(line)
        if text is None:
            return TOO_LONG
        words = text.split()
        warnings: list[str] = []
        try:
            match words:
                case ["settings", name, *values]:
                    self._set(name, " ".join(values))
                case ["update", "game", "field", *field]:
                    self._rows = self._rows_of("".join(field), warnings)
                case ["update", _, name, *_] if name in SILENT_UPDATES:
                    pass
                case ["action", "move", *bank]:
                    return self._question(bank, warnings)
                case _:
                    raise errors.LineProtocolError("not a line of this protocol")
        except (errors.LineProtocolError, errors.RequestError) as error:
            warnings.append(f"ignored: {short(text)!r}: {error}")
        return Reading(warnings=tuple(warnings))

    def write(self, choice: Choice, elapsed_ms: float) -> bytes:  # noqa: ARG002  # one interface for all codecs
        """`place_disc` and the column."""
        return f"place_disc {choice.column}\n".encode()

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

    def _rows_of(self, field: str, warnings: list[str]) -> list[list[int]]:
        """The rows of a field, the top row first, with or without separators; checked as a board."""
        rows = [[self._cell(word) for word in row.split(",")] for row in field.removesuffix(";").split(";")]
        size = (self._numbers["field_columns"], self._numbers["field_rows"])
        if len(rows) == 1:
            cells = rows[0]
            if len(cells) != size[0] * size[1]:
                raise errors.BadGridError(
                    f"it has {len(cells)} cells; {size[0]} columns and {size[1]} rows have {size[0] * size[1]}"
                )
            rows = [cells[start : start + size[0]] for start in range(0, len(cells), size[0])]
        position = Position.from_grid(rows, row_major=True)
        if (position.width, position.height) != size:
            warnings.append(
                f"the field has {position.width} columns and {position.height} rows, "
                f"but the settings say {size[0]} and {size[1]}: using the field"
            )
        return rows

    def _cell(self, word: str) -> int:
        if word not in self._dialect.cells:
            raise errors.BadCellError(f"a cell is {word!r}; allowed are {', '.join(self._dialect.cells)}")
        return self._dialect.cells.index(word)

    def _question(self, bank: list[str], warnings: list[str]) -> Reading:
        if self._rows is None:
            position = Position(self._numbers["field_columns"], self._numbers["field_rows"], self._player() or 1)
        else:
            position = Position.from_grid(self._rows, self._player(), row_major=True)
        if position.is_full:
            raise errors.BoardFullError("the board is full")
        try:
            # Without a number the rest of the bank is unknown: it could be spent again and again.
            bank_ms = _whole(bank[0]) if bank else None
        except errors.LineProtocolError as error:
            warnings.append(f"action move: {error}; guessing the time for the move")
            bank_ms = None
        return Reading(position, self.seconds_for_move(bank_ms), warnings=tuple(warnings))

    def _player(self) -> int | None:
        bot = self._numbers.get("your_botid")
        return None if bot is None else bot - self._dialect.first_bot + 1

    def seconds_for_move(self, bank_ms: int | None) -> float:
        """The time for a move, given the time in the bank: that for every move, and a share of the rest."""
        per_move = self._numbers.get("time_per_move")
        if bank_ms is None:
            return DEFAULT_MOVE_SECONDS if per_move is None else per_move / 1000
        bank = bank_ms / 1000
        each = min(DEFAULT_MOVE_SECONDS if per_move is None else per_move / 1000, bank)
        return min(each + (bank - each) * BANK_SHARE, bank - min(PIPE_SECONDS, bank / 2))


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise errors.LineProtocolError(f"{text!r} is not a whole number from 0 on")
    return int(text)
