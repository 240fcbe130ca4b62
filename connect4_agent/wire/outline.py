"""The outline of JSON text that comes line by line: where its objects end, and whether it can still become JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 1024
"""The deepest nesting of brackets that orjson reads."""

_TOKEN = rb"""[ \t\r\n]*+(?:
    (?P<mark>[{}\[\]:,])
    |(?P<string>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*")
    |(?P<scalar>(?:true|false|null|NaN|-?Infinity|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)(?![-+.\w]))
    )"""

_VALUE = frozenset(("{", "[", "string", "scalar"))
_KEY = frozenset(("string",))
_FIRST_KEY = frozenset(("string", "}"))
_FIRST_VALUE = _VALUE | {"]"}
_COLON = frozenset((":",))
_AFTER_MEMBER = frozenset((",", "}"))
_AFTER_ELEMENT = frozenset((",", "]"))
_OBJECT = frozenset(("{",))


class Outline:
    """The brackets of objects, one after the other, line by line: which have ended, and whether one is open."""

    def __init__(self, line: bytes) -> None:
        self.text = bytearray()
        self.line_count = 0
        self.ends: list[int] = []
        self.is_broken = False
        """Whether nothing that follows could complete it to JSON."""
        self._token = re.compile(_TOKEN, re.VERBOSE)  # compiled here: most servers never need it
        self._stack: list[str] = []
        self._expected = _OBJECT
        self.add(line)

    @property
    def is_open(self) -> bool:
        """Whether an object has begun that may still end."""
        return not self.is_broken and bool(self._stack)

    @property
    def is_whole(self) -> bool:
        """Whether it consists of complete objects only."""
        return not self.is_broken and not self._stack and bool(self.ends)

    def documents(self) -> Iterator[bytes]:
        """The objects that have ended."""
        start = 0
        for end in self.ends:
            yield bytes(self.text[start:end])
            start = end

    def add(self, line: bytes) -> None:
        """Add the next line."""
        place = len(self.text)
        self.line_count += 1
        self.text += line.rstrip() + b"\n"
        while not self.is_broken and (found := self._token.match(self.text, place)):
            place = found.end()
            self._take(found["mark"].decode() if found["mark"] else str(found.lastgroup), place)
        self.is_broken = self.is_broken or bool(self.text[place:].strip())

    def _take(self, token: str, end: int) -> None:
        expected = self._expected
        if token not in expected or len(self._stack) > DEEPEST:
            self.is_broken = True
        elif token in ("{", "["):
            self._stack.append(token)
            self._expected = _FIRST_KEY if token == "{" else _FIRST_VALUE
        elif token == ":":
            self._expected = _VALUE
        elif token == ",":
            self._expected = _KEY if self._stack[-1] == "{" else _VALUE
        elif token == "string" and expected in (_KEY, _FIRST_KEY):
            self._expected = _COLON
        else:  # the end of a value
            if token in ("}", "]"):
                self._stack.pop()
            if self._stack:
                self._expected = _AFTER_MEMBER if self._stack[-1] == "{" else _AFTER_ELEMENT
            else:
                self._expected = _OBJECT
                self.ends.append(end)
