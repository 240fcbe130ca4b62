"""From a line to what it asks: the documented form first, then every other form that can be read."""

from __future__ import annotations

from codecs import BOM_UTF8

import orjson

from connect4_agent.errors import RequestError
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.plain import read_plain
from connect4_agent.server.request import NO_DEFAULTS, CommandLineDefaults, Request, RequestWarning
from connect4_agent.text import short_json

PARSING_BYTES = 64
"""The most memory that orjson needs for a byte of JSON: 44 were measured, for `[[]],` again and again."""

MODEL_BYTES = 24 << 20
"""The most memory that pydantic needs, to be loaded and for the longest line: 20 MB were measured."""


def read_request(line: bytes, defaults: CommandLineDefaults = NO_DEFAULTS) -> Request:
    """Return what a line asks, read as a manager may have meant it. Raise RequestError if no reading is legal."""
    _check_length(line)
    flaws: list[RequestWarning] = []
    try:
        value = orjson.loads(line.removeprefix(BOM_UTF8))
    except orjson.JSONDecodeError as flaw:
        from connect4_agent.server.loose_json import bad_json, describe, parse_loosely  # noqa: PLC0415  # rarely needed

        value = parse_loosely(line)
        if value is None:
            raise bad_json(line, flaw) from None
        flaws.append(RequestWarning("text", f"{describe(line, flaw)}, where it does not matter"))
    _check_object(value)
    request = read_plain(value, defaults)
    if request is None:
        _check_memory(MODEL_BYTES)
        from connect4_agent.server.model import read_documented  # noqa: PLC0415  # pydantic takes long to load
        from connect4_agent.server.readings import read_otherwise  # noqa: PLC0415  # rarely needed

        try:
            request = read_documented(value, defaults)
        except RequestError:
            request = read_otherwise(value, defaults)
    return request._replace(warnings=(*flaws, *request.warnings)) if flaws else request


def read_strictly(line: bytes, defaults: CommandLineDefaults = NO_DEFAULTS) -> Request:
    """Return what a line in the documented form asks. Raise RequestError for any other line."""
    _check_length(line)
    if b"\n" in line.strip():
        raise RequestError("bad_json", "the request spans several lines; expected is one line")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as flaw:
        from connect4_agent.server.loose_json import bad_json  # noqa: PLC0415  # rarely needed

        raise bad_json(line, flaw) from None
    _check_object(value)
    _check_memory(MODEL_BYTES)
    from connect4_agent.server.model import read_documented  # noqa: PLC0415  # pydantic takes long to load

    return read_documented(value, defaults)


def _check_length(line: bytes) -> None:
    """Raise RequestError for a line that is too long, MemoryError for one that memory is too short for."""
    if len(line) > MAX_LINE_BYTES:
        raise RequestError("line_too_long", f"the line is longer than {MAX_LINE_BYTES} bytes, the most that is read")
    _check_memory(PARSING_BYTES * len(line))


def _check_memory(size: int) -> None:
    """Raise MemoryError if that many bytes are not to be had; orjson and pydantic would end or hang the process."""
    bytes(size)  # reserved and released, never touched


def _check_object(value: object) -> None:
    if type(value) is not dict:
        raise RequestError("not_an_object", f"the request is {short_json(value)}, not an object with a grid")
