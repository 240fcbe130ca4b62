"""JSON as other programs write it: in UTF-8 or UTF-16, or not quite JSON where that does not matter."""

from __future__ import annotations

import json
from dataclasses import dataclass

import orjson

from connect4_agent.errors import RequestError
from connect4_agent.wire.request import BYTE_ORDER_MARK, Oddity, bad_json, flaw_of
from connect4_agent.wire.utf16 import as_utf8


@dataclass(frozen=True, slots=True)
class Text:
    """The value of a text, what was odd about it, and the error to report if the value turns out to be useless."""

    value: object
    oddities: tuple[Oddity, ...] = ()
    error: RequestError | None = None


def read_text(document: bytes) -> Text:
    """Read JSON tolerantly. Raises RequestError."""
    narrow = as_utf8(document)
    oddities = () if narrow is document else (Oddity("UTF-16", "the text is UTF-16; send UTF-8"),)
    narrow = narrow.removeprefix(BYTE_ORDER_MARK)
    try:
        return Text(orjson.loads(narrow), oddities)
    except orjson.JSONDecodeError as flaw:
        error = bad_json(narrow, flaw)
        try:
            value = json.loads(narrow.decode(errors="replace"), parse_constant=str, parse_int=_integer)
        except (ValueError, RecursionError):
            raise error from None
        return Text(value, (*oddities, Oddity("text", f"{flaw_of(narrow, flaw)}, where it does not matter")), error)


def _integer(text: str) -> object:
    """What orjson makes of an integer, a float beyond 64 bits; the text itself if that would be infinite."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
