"""The calls in a browser: a worker of the page holds Python (Pyodide), and asks with what a server would be sent."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from enum import EnumType
from time import monotonic
from typing import Any, TypeAlias

from connect4_agent import errors
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.rules.position import Position
from connect4_agent.text import short_json
from connect4_agent.ui.puzzles import PuzzleLevel, PuzzleTheme, read_day
from connect4_agent.ui.web.calls import Calls
from connect4_agent.ui.web.jobs import CallError, Poll

LONGEST_SECONDS = 30.0
"""The longest time for a search, as the server's default."""

LOOK_SECONDS = 0.05
"""The time between two looks at whether an answer is still wanted: each takes some milliseconds."""

Look: TypeAlias = Callable[[], Awaitable[bool]]
"""Lets the worker receive messages, and tells whether the answer is no longer wanted."""

CALLS = Calls(LONGEST_SECONDS)


def answer(name: str, text: str, look: Look) -> str:
    """Return the reply to a call as JSON: the call's own, or an error with its code as a server's.

    `text` is a JSON object: `query` has what an address would hold, `body` what would be sent with it, or null.
    """
    try:
        asked = json.loads(text)
        reply = CALLS.start(name, _read_values(asked["query"], asked["body"]))
        found = reply(_new_poll(look)) if callable(reply) else reply
    except errors.ReaderGoneError:
        found = {"error": "the answer was no longer wanted", "code": "gone"}
    except (errors.RequestError, CallError) as error:
        found = {"error": str(error), "code": error.code}
    except errors.BadValueError as error:
        found = {"error": str(error), "code": "bad_field"}
    return json.dumps(found, separators=(",", ":"))


def _read_values(query: Mapping[str, str], body: dict[str, Any] | None) -> dict[str, Any]:
    """Return what a call's method takes. Raises RequestError, CallError, BadValueError."""
    values: dict[str, Any] = {key: _read_word(key, str(word)) for key, word in query.items()}
    if body is None:
        return values
    if "columns" in body:
        return values | body
    return values | {"position": Position.from_grid(body["grid"], body["player"])}


READ: dict[str, Callable[[str], object]] = {
    "column": int,
    "seed": int,
    "time_limit": float,
    "explain": lambda word: word == "true",
    "date": read_day,
    "theme": PuzzleTheme,
    "level": PuzzleLevel,
}
"""The readers of the words of a query; those of all other keys are texts."""


def _read_word(key: str, word: str) -> object:
    read = READ.get(key, str)
    try:
        return read(word)
    except ValueError as error:
        said = f"allowed are {', '.join(map(str, read))}" if isinstance(read, EnumType) else error
        raise CallError("bad_query", f"in the address, {key} is {short_json(word)}: {said}") from None


def _new_poll(look: Look) -> Poll:
    """Return the poll of a search; where Python cannot wait for a promise, the page ends its worker instead."""
    from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found]  # noqa: PLC0415  # there only

    if not can_run_sync():
        return do_nothing
    looked = monotonic()

    def poll() -> None:
        nonlocal looked
        if monotonic() - looked < LOOK_SECONDS:
            return
        is_unwanted = run_sync(look())
        looked = monotonic()
        if is_unwanted:
            raise errors.ReaderGoneError

    return poll
