"""Lines and requests: several on one line, one on several, and what is left of a beginning without an end."""

from __future__ import annotations

import json
import random
from codecs import BOM_UTF8
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from connect4_agent.server.lines import JOIN_SECONDS, MAX_LINE_BYTES, Lines, joined_lines
from tests.connections import chunks
from tests.effort import examples, share
from tests.server.scripts import served

PRETTY = json.dumps({"grid": [[0, 0], [0, 1]], "player": 2}, indent=2).encode()
GRID = b'{"grid":[[0,0],[0,1]]}'
WIDE = '{"grid":[[0]]}\n'
FUZZ_LINES = share(100_000)
MAX_BYTES = 20
TOO_LONG = b"x" * (MAX_BYTES + 1)


def texts_of(*pieces: bytes | None) -> list[bytes]:
    return [text.strip() for text in joined_lines(Lines(chunks(pieces)))]


def answers_to(*pieces: bytes | None) -> list[dict[str, Any]]:
    """The answers of a server, which never fails."""
    connection = served(parse_player("first-open"), *pieces)
    assert not any("error" in note for note in connection.notes)
    answers = [json.loads(answer) for answer in connection.answers]
    assert all(list(answer) in (["move"], ["error", "code"]) for answer in answers)
    return answers


@given(st.lists(st.text("ab \t", max_size=MAX_BYTES)), st.lists(st.integers(1, 30)), st.booleans())
def test_lines_are_the_same_however_the_input_is_cut(texts: list[str], cuts: list[int], ended: bool) -> None:
    data = "\n".join(texts).encode() + (b"\n" if ended else b"")
    pieces = []
    for cut in [*cuts, len(data)]:
        pieces.append(data[:cut])
        data = data[cut:]
    assert list(Lines(chunks(pieces), MAX_BYTES)) == [text.encode() for text in texts if text.strip()]


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([b"x" * 20 + b"\n"], [b"x" * 20]),
        ([b"x" * 21 + b"\ny\n"], [TOO_LONG, b"y"]),
        ([b"x" * 15, b"x" * 15, b"x" * 15, b"\n", b"y"], [TOO_LONG, b"y"]),
        ([b"x" * 50], [TOO_LONG]),
        ([b" " * 50, b"\ny"], [b"y"]),
        ([b" " * 50, b"y\n"], [b"y"]),
        ([b"x", b" " * 50, b"\n"], [b"x" + b" " * 20]),
        ([b" " * 18, b"xx", b"xx\n"], [b" " * 18 + b"xxx"]),
    ],
)
def test_a_line_over_the_limit_is_cut_and_stays_recognisable(pieces: list[bytes], lines: list[bytes]) -> None:
    assert list(Lines(chunks(pieces), MAX_BYTES)) == lines


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([GRID + b"\n" + GRID], [GRID, GRID]),
        ([GRID + GRID + b" " + GRID + b"\n"], [GRID + GRID + b" " + GRID]),
        ([PRETTY + b"\n" + GRID], [PRETTY, GRID]),
        ([PRETTY.replace(b"\n", b"\r\n") + b"\r\n", GRID], [PRETTY, GRID]),
        ([PRETTY[:20], PRETTY[20:40], PRETTY[40:] + b"\n"], [PRETTY]),
        ([PRETTY + PRETTY + b"\n"], [line.strip() for line in (PRETTY + PRETTY).splitlines()]),
        ([b'{"grid":[[0]],"x":\n' + GRID + b"\n}\n"], [b'{"grid":[[0]],"x":', GRID, b"}"]),
        ([b'{"grid":[[0]],"x":\n{"y":1}\n}\n'], [b'{"grid":[[0]],"x":\n{"y":1}\n}']),
        ([b"\0\0\n" + GRID], [b"\0\0", GRID]),
        ([PRETTY.replace(b"\n", b"\n\n") + b"\n"], [PRETTY]),
        ([PRETTY, None, b"\n" + GRID + b"\n"], [PRETTY, GRID]),
        ([b'{"a":\n1}', None, GRID + b"\n"], [b'{"a":\n1}', GRID]),
        ([b'{"a":\n1', None, b"}\n" + GRID], [b'{"a":', b"1}", GRID]),
        ([b"{\n", None, GRID + b"\n"], [b"{", GRID]),
        ([b"{\n" + GRID + b"\n"], [b"{", GRID]),
        ([b'{"grid":[[0,\n' + GRID + b"\n", None], [b'{"grid":[[0,', GRID]),
        ([b'{"a":\n{"b":\n', None, GRID + b"\n"], [b'{"a":', b'{"b":', GRID]),
        ([b'{"a":\n{"b":\n', None, b"1}\n"], [b'{"a":', b'{"b":', b"1}"]),
        ([b'{"a":"x\ny"}\n'], [b'{"a":"x', b'y"}']),
        ([b'{"a":"{"}\n' + GRID], [b'{"a":"{"}', GRID]),
        ([b'{"a":"}\\"{{",\n"b":"{"}\n' + GRID], [b'{"a":"}\\"{{",\n"b":"{"}', GRID]),
        ([b'{"a":NaN,\n"b":1}\n' + GRID], [b'{"a":NaN,\n"b":1}', GRID]),
        ([GRID + b"x\n"], [GRID + b"x"]),
        ([b"[1,\n2]\n"], [b"[1,", b"2]"]),
        ([BOM_UTF8 + PRETTY + b"\n"], [BOM_UTF8 + PRETTY]),
        ([b"{\n" + b" " * MAX_LINE_BYTES + b"x\n" + GRID], [b"{", b"x", GRID]),
        ([b'{"a":1,\n' + b'"b":2,\n' * 200_000 + b"x"], [b'{"a":1,', *[b'"b":2,'] * 200_000, b"x"]),
    ],
)
def test_lines_are_joined_if_they_are_objects_together(pieces: list[bytes | None], expected: list[bytes]) -> None:
    assert [text.replace(b"\r", b"") for text in texts_of(*pieces)] == expected


def test_lines_are_joined_up_to_the_length_of_the_longest_line() -> None:
    whole = b'{"a":1,\n"bbbbbbb":2}'
    assert len(whole) == MAX_BYTES
    assert list(joined_lines(Lines(chunks([whole + b"\n"]), MAX_BYTES))) == [whole]
    longer = whole.replace(b"bbb", b"bbbb", 1)
    assert list(joined_lines(Lines(chunks([longer + b"\n"]), MAX_BYTES))) == longer.split(b"\n")
    full = b'{"a":'.ljust(MAX_BYTES)
    assert list(joined_lines(Lines(chunks([full + b"\n" + whole + b"\n"]), MAX_BYTES))) == [full, whole]


@given(st.lists(st.sampled_from([GRID, PRETTY, b"x", b"[1", b'{"a":']), max_size=6), st.lists(st.integers(1, 30)))
def test_requests_are_the_same_however_the_input_is_cut(parts: list[bytes], cuts: list[int]) -> None:
    data = b"".join(part + b"\n" for part in parts)
    pieces = []
    for cut in [*cuts, len(data)]:
        pieces.append(data[:cut])
        data = data[cut:]
    assert texts_of(*pieces) == texts_of(b"".join(pieces))


class Trickle:
    """An input that gives one line after each pause; it keeps its own time."""

    def __init__(self, pause_seconds: float, *lines: bytes) -> None:
        self.seconds = 0.0
        self._pause_seconds = pause_seconds
        self._lines = iter(lines)

    def clock(self) -> float:
        return self.seconds

    def read(self, seconds: float | None) -> bytes | None:
        if seconds is not None and seconds < self._pause_seconds:
            self.seconds += seconds
            return None
        self.seconds += self._pause_seconds
        return next(self._lines, b"")


def test_the_lines_of_an_object_may_take_a_quarter_of_a_second_in_all() -> None:
    lines = [line + b"\n" for line in PRETTY.splitlines()]
    quick = Trickle(JOIN_SECONDS / len(lines), *lines)
    assert list(joined_lines(Lines(quick.read, clock=quick.clock))) == [PRETTY]
    slow = Trickle(JOIN_SECONDS / (len(lines) - 2), *lines)
    assert next(iter(joined_lines(Lines(slow.read, clock=slow.clock)))) == b"{"


def test_braces_that_are_never_closed_delay_what_follows_by_one_wait() -> None:
    lines = [b"{\n", *[b'{"a":\n'] * 50, b'{"a":1}\n']
    waits: list[float | None] = []

    def read(seconds: float | None) -> bytes | None:
        if remaining:
            return remaining.pop(0)
        waits.append(seconds)
        return None if seconds is not None else b""

    remaining = list(lines)
    texts = joined_lines(Lines(read, clock=lambda: 0.0))
    assert list(texts) == [line.strip() for line in lines]
    assert waits == [JOIN_SECONDS, None]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_every_line_of_utf_16_gets_one_error_that_says_so(encoding: str, size: int) -> None:
    data = (WIDE * 3).encode(encoding)
    answers = answers_to(*(data[start : start + size] for start in range(0, len(data), size)))
    rest = 0 if encoding == "utf-16-be" else 1  # the second half of the last line feed
    assert [answer["code"] for answer in answers] == ["bad_json"] * (3 + rest)
    assert {answer["error"] for answer in answers} == {"not JSON: it begins with NUL bytes or as UTF-16; send UTF-8"}


@pytest.mark.parametrize(
    "garbage", [b'"\0', b'\0"', b'\xff\xfe"\0', b'\xfe\xff\0"', b'{"\0:"', b"\xff\xfe{", b'{"a":"']
)
def test_garbage_swallows_none_of_the_lines_after_it(garbage: bytes) -> None:
    answers = answers_to(garbage + b"\n" + (GRID + b"\n") * 7)
    assert [next(iter(answer)) for answer in answers] == ["error"] + ["move"] * 7


class ReferenceSplitter:
    """Counts the answers that lines must get if none of them comes late."""

    def count(self, data: bytes) -> int:
        lines = [line for line in data.split(b"\n") if line.removeprefix(BOM_UTF8).strip()]
        answers = start = 0
        while start < len(lines):
            end, is_joined = self._end(lines, start)
            answers += 1 if is_joined else end - start
            start = end
        return answers

    def _end(self, lines: list[bytes], start: int) -> tuple[int, bool]:
        """The end of the lines that are looked at together, and whether they are one text."""
        first = lines[start]
        begins = first.removeprefix(BOM_UTF8).lstrip().startswith(b"{") and first.count(b"{") > first.count(b"}")
        if not begins or self._object(first) is not None:
            return start + 1, False
        depth = self._depth(first)
        end = start + 1
        while depth > 0:
            if end == len(lines):
                return end, False
            found = self._object(lines[end])
            end += 1
            if found is not None and {"grid", "board"} & {key.casefold() for key in found}:
                return end, False
            depth += self._depth(lines[end - 1])
        return end, self._object(b"\n".join(lines[start:end])) is not None

    def _depth(self, line: bytes) -> int:
        """How many braces outside strings are opened and not closed."""
        depth, in_string, is_escaped = 0, False, False
        for byte in line.decode("latin-1"):
            if in_string:
                in_string = byte != '"' or is_escaped
                is_escaped = byte == "\\" and not is_escaped
            else:
                in_string = byte == '"'
                depth += (byte == "{") - (byte == "}")
        return depth

    def _object(self, text: bytes) -> dict[str, Any] | None:
        try:
            value = json.loads(text.decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None


FRAGMENTS = [
    *(
        GRID,
        PRETTY,
        PRETTY.replace(b"grid", b"{"),
        b"\n",
        b"\n",
        b"{",
        b"}",
        b'{"a":',
        b"NaN",
        b"\0",
        b" ",
        b'"',
        b"\\",
        b"\x85",
        BOM_UTF8,
    ),
    *(WIDE.encode(name) for name in ("utf-16", "utf-16-be")),
    *(b'{"grid":[[0,NaN]]}', b'{"grid":[[0]],"x":NaN}', b'{"grid":[[0]],"x":"\\ud800"}', b"[" * 2000, b"9" * 5000),
]


@examples(500)
@example(b'{"a":' + b"[" * 2000)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=12), max_size=12).map(b"".join))
def test_any_bytes_get_one_answer_for_each_request(data: bytes) -> None:
    assert len(answers_to(data)) == ReferenceSplitter().count(data)


def random_lines(chance: random.Random, count: int) -> list[bytes]:
    """Requests, broken ones, pretty ones, several at once, and noise."""
    lines: list[bytes] = []
    while len(lines) < count:
        position = Position(chance.randint(1, 5), chance.randint(1, 5))
        for _ in range(chance.randrange(8)):
            if not position.is_full:
                position = position.play(chance.choice(position.legal_columns()))
        request: dict[str, Any] = {
            "grid": position.grid(),
            "player": position.player,
            "x": {"y": chance.choice('é{}"a')},
        }
        text = json.dumps(request, indent=chance.choice((None, None, None, 0)), ensure_ascii=False)
        kind = chance.randrange(10)
        if kind == 0:
            text = text[: chance.randrange(len(text))]
        elif kind == 1:
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice('{}[],:"\\ 019aN-.\t') + text[place + chance.randrange(2) :]
        elif kind == 2:
            text += chance.choice(("", " ", ",", "x")) + text
        elif kind == 3:
            text = "".join(chance.choice('{}[],:"\\ 019aN-.\t{{"":') for _ in range(chance.randrange(12)))
        elif kind == 4:
            text = chance.choice(
                ("", " ", "\r", "{", "[", "NaN", "\ufeff", '{"a":', '{"a":[', "}", "]}", "0,", "[]", "{}")
            )
        elif kind == 5:
            text = text.replace("0", chance.choice(("0.0", "null", '""', "-1", "true", "3", "NaN")))
        lines += text.encode().split(b"\n")
    return lines[:count]


@pytest.mark.slow
def test_random_lines_get_as_many_answers_as_a_reference_splitter_counts() -> None:
    chance = random.Random(14)
    left = FUZZ_LINES
    while left:
        lines = random_lines(chance, 500)
        left -= len(lines)
        whole = data = b"\n".join(lines)
        pieces: list[bytes] = []
        while data:
            cut = chance.choice((7, 100, 10_000))
            pieces.append(data[:cut])
            data = data[cut:]
        assert len(answers_to(*pieces)) == ReferenceSplitter().count(whole)


@pytest.mark.slow
def test_noise_never_ends_the_server() -> None:
    chance = random.Random(14)
    for _ in range(share(1000)):
        lines = random_lines(chance, 20)
        for number in range(len(lines)):
            if chance.randrange(3) == 0:
                lines[number] = lines[number].decode().encode(chance.choice(("utf-16", "utf-16-le", "utf-16-be")))
            if chance.randrange(5) == 0:
                lines[number] = lines[number][: chance.randrange(30)] + chance.randbytes(chance.randrange(10))
        data = b"".join(line + b"\n" for line in lines) + b'\n{"grid":[[0]]}\n'
        assert answers_to(data)[-1] == {"move": 0}
