"""Text that orjson refuses: what is nearly JSON, such as NaN, is read; for all other text, what is wrong with it."""

from __future__ import annotations

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING

from connect4_agent.errors import RequestError
from connect4_agent.text import short_json

if TYPE_CHECKING:
    import orjson

SHOWN_CHARACTERS = 100
"""The part of a text that is not JSON from which its beginning is quoted."""


def parse_loosely(text: bytes) -> dict[str, object] | None:
    """Return a JSON object, with NaN, Infinity, lone surrogates and invalid UTF-8 allowed; None if it is not one."""
    try:
        value = json.loads(text.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):  # also a number with too many digits
        return None
    return value if isinstance(value, dict) else None


def bad_json(text: bytes, flaw: orjson.JSONDecodeError) -> RequestError:
    """Return the error for a text that is not one JSON value."""
    if text.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in text[:2]:
        return RequestError("bad_json", "not JSON: it begins with NUL bytes or as UTF-16; send UTF-8")
    shown = text.decode("utf-8-sig", "replace").strip()
    reason = "several objects on one line; expected is one" if _has_several_objects(shown) else describe(text, flaw)
    return RequestError("bad_json", f"{reason}: {short_json(shown[:SHOWN_CHARACTERS])}")


def describe(text: bytes, flaw: orjson.JSONDecodeError) -> str:
    """Return where a text is not JSON, and why."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return f"not JSON at byte {error.start + 1} (invalid UTF-8)"
    return f"not JSON at character {flaw.pos + 1} ({flaw.msg})"


def _has_several_objects(text: str) -> bool:
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and text[end:].lstrip().startswith("{")
