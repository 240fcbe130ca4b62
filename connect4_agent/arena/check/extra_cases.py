"""Extra cases: forms of a request that only tolerant agents understand, none of them required."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from connect4_agent.arena.check.cases import Case, Sitting, full_but, line, said
from connect4_agent.arena.check.result import Tier

POSITION = full_but(7, 6, {5: 2})
"""Only column 5 is open: an agent that reads the grid wrongly is found out."""


def extra_cases() -> Iterator[Case]:
    """All of them, each with one board."""
    request: dict[str, Any] = orjson.loads(line(POSITION))
    columns = POSITION.grid()
    rows = [list(row) for row in zip(*columns, strict=True)]
    numbers = {name: request[name] for name in ("height", "player", "width")}
    yield _case("float-cells", "numbers as 1.0", _with(columns, 0.0, 1.0, 2.0), numbers)
    yield _case(
        "text-numbers", 'numbers as "1"', _with(columns, "0", "1", "2"), {k: str(v) for k, v in numbers.items()}
    )
    yield _case("null-cells", "empty cells as null", _with(columns, None, 1, 2), numbers)
    yield _case("minus-one", "-1 for the discs of player 2", _with(columns, 0, 1, -1), numbers)
    yield _case(
        "columns-from-bottom", "columns from the bottom to the top", [cells[::-1] for cells in columns], numbers
    )
    yield _case("rows-from-top", "rows, the top row first", rows, numbers)
    yield _case("rows-from-bottom", "rows, the bottom row first", rows[::-1], numbers)
    yield _case("flat-list", "all cells in one list, row by row", [cell for row in rows for cell in row], numbers)
    capital = {key.capitalize(): value for key, value in request.items()}
    yield _text_case("capital-keys", "keys that begin with a capital", orjson.dumps(capital))
    yield _text_case("board-key", "board instead of grid", orjson.dumps({"board": columns, **numbers}))
    plain = orjson.dumps(request)
    yield _text_case("nan", "NaN in a key that does not matter", plain[:-1] + b',"score":NaN}')
    yield _text_case("invalid-utf-8", "a name that is not UTF-8", plain[:-1] + b',"name":"\xff"}')
    yield _text_case("two-on-a-line", "two requests on one line get two answers", plain + plain, answers=2)
    pretty = orjson.dumps(request, option=orjson.OPT_INDENT_2)
    yield _text_case("several-lines", "a request on several lines gets one answer", pretty)


def _with(columns: list[list[int]], *signs: object) -> list[list[object]]:
    """The grid with other signs for 0, 1 and 2."""
    return [[signs[cell] for cell in cells] for cells in columns]


def _case(name: str, title: str, grid: object, others: dict[str, Any]) -> Case:
    return _text_case(name, title, orjson.dumps({"grid": grid, **others}))


def _text_case(name: str, title: str, text: bytes, *, answers: int = 1) -> Case:
    return Case(name, title, Tier.EXTRA, (Sitting(said((text + b"\n", *[POSITION] * answers))),))
