"""Lines and requests: several on one line, one on several, and what is left of a beginning without an end."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from connect4_agent.wire.documents import read_documents
from connect4_agent.wire.lines import OVERLONG_LINE, Lines
from connect4_agent.wire.outline import Outline
from connect4_agent.wire.server import Server
from connect4_agent.wire.utf16 import as_utf8
from tests.connections import Script, chunks
from tests.effort import examples, share

PRETTY = json.dumps({"grid": [[0, 0], [0, 1]], "player": 2}, indent=2).encode()
GRID = b'{"grid":[[0,0],[0,1]]}'
FUZZ_LINES = share(100_000)
CLOSING = {"{": "}", "[": "]"}


def documents(*pieces: bytes | None) -> list[object]:
    found = read_documents(Lines(chunks(pieces)))
    return [bytes(each).strip() if isinstance(each, bytes) else each for each in found]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([GRID + b"\n" + GRID], [GRID, GRID]),
        ([GRID + GRID + b" " + GRID + b"\n"], [GRID, GRID, GRID]),
        ([PRETTY + b"\n" + GRID], [PRETTY, GRID]),
        ([PRETTY.replace(b"\n", b"\r\n") + b"\r\n", GRID], [PRETTY, GRID]),
        ([PRETTY[:20], PRETTY[20:40], PRETTY[40:] + b"\n"], [PRETTY]),
        ([PRETTY + PRETTY + b"\n"], [PRETTY, PRETTY]),
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
        ([GRID + b"x\n"], [GRID + b"x"]),
        ([GRID + b"," + GRID + b"\n"], [GRID + b"," + GRID]),
        ([b"[1,\n2]\n"], [b"[1,", b"2]"]),
        ([b'{"a":"}{","b":{}}\n'], [b'{"a":"}{","b":{}}']),
        ([b'{"a":"\\"{"}{"b":[]}\n'], [b'{"a":"\\"{"}', b'{"b":[]}']),
        ([b"{\n" + b" " * (1 << 20) + b"x\n" + GRID], [b"{", OVERLONG_LINE, GRID]),
        ([b'{"a":1,\n' + b'"b":2,\n' * 200_000 + b"x"], [b'{"a":1,', *[b'"b":2,'] * 200_000, b"x"]),
    ],
)
def test_requests_are_joined_and_split(pieces: list[bytes | None], expected: list[object]) -> None:
    normal = [
        each.replace(b"\r", b"").replace(b"\n\n", b"\n") if isinstance(each, bytes) else each
        for each in documents(*pieces)
    ]
    assert normal == expected


def test_a_beginning_does_not_wait_where_what_follows_cannot_make_it_json() -> None:
    waits = 0

    def read(seconds: float | None) -> bytes | None:
        nonlocal waits
        waits += seconds is not None
        return next(pieces, b"")

    pieces = iter([b'{"grid":[[0,0\n' + GRID + b"\n"])
    found = read_documents(Lines(read))
    assert [next(found), next(found)] == [b'{"grid":[[0,0', GRID]
    assert waits == 0


@given(st.lists(st.sampled_from([GRID, PRETTY, b"x", b"[1", b'{"a":']), max_size=6), st.lists(st.integers(1, 30)))
def test_requests_are_the_same_however_the_input_is_cut(parts: list[bytes], cuts: list[int]) -> None:
    data = b"".join(part + b"\n" for part in parts)
    pieces = []
    for cut in [*cuts, len(data)]:
        pieces.append(data[:cut])
        data = data[cut:]
    assert documents(*pieces) == documents(b"".join(pieces))


@examples(100)
@given(
    st.recursive(st.none() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_every_json_object_is_seen_as_whole_and_every_part_of_it_as_open(value: object) -> None:
    text = json.dumps({"value": value}, indent=0).encode()
    assert Outline(text).is_whole
    lines = text.splitlines()
    assert all(Outline(b"\n".join(lines[:count])).is_open for count in range(1, len(lines)))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\r\n\r\n", "\n \n"])
def test_lines_of_utf_16_are_cut_where_they_end(encoding: str, end: str) -> None:
    texts = ['{"grid":[[0]],"name":"上\u0a0aĊ"}', "x", '{"grid":[[0,0]]}', '{"Ċ":"\U0001f534"}']
    data = "".join(text + end for text in texts).encode(encoding)
    found = [as_utf8(line).decode().strip() for line in Lines(chunks([data])) if isinstance(line, bytes)]
    assert found == texts


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("size", [1, 2, 7])
def test_utf_16_may_come_in_any_pieces(encoding: str, size: int) -> None:
    data = '{"grid":[[0]]}\nx\r\n\n{"grid":[[0,0]]}\n'.encode(encoding)
    connection = Script(*(data[start : start + size] for start in range(0, len(data), size)))
    Server(parse_player("first-open")).run(connection)
    assert [next(iter(json.loads(answer))) for answer in connection.answers] == ["move", "error", "move"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_utf_16_line_of_nothing_but_a_byte_order_mark_is_blank(encoding: str, size: int) -> None:
    data = '\ufeff\n{"grid":[[0]]}\n'.encode(encoding)
    connection = Script(*(data[start : start + size] for start in range(0, len(data), size)))
    Server(parse_player("first-open")).run(connection)
    assert connection.answers == ['{"move":0}']


def test_a_line_of_each_encoding_in_one_process() -> None:
    texts = ["utf-8", "utf-16-le", "utf-16-be", "utf-16", "utf-8-sig", "utf-16-le", "utf-8"]
    joined = b"".join('{"grid":[[0]]}'.encode(name) + b"\n" for name in texts)
    ended = b"".join('{"grid":[[0]]}\n'.encode(name) for name in texts)
    for data in (joined, ended):
        connection = Script(data)
        Server(parse_player("first-open")).run(connection)
        assert connection.answers == ['{"move":0}'] * len(texts)


class ReferenceSplitter:
    """Counts the answers that lines must get, with no more than json.loads."""

    def count(self, lines: Sequence[str]) -> int:
        texts = [line for line in lines if line.strip().removeprefix("\ufeff").strip()]
        answers = place = 0
        while place < len(texts):
            used, found = self._objects(texts, place)
            answers += found
            place += used
        return answers

    def _objects(self, texts: list[str], place: int) -> tuple[int, int]:
        """How many lines are read together from a place on, and the number of their answers."""
        joined = ""
        for end in range(place, len(texts)):
            joined += texts[end].removeprefix("\ufeff") + "\n"
            found = self._whole_objects(joined)
            if found:
                return end + 1 - place, found
            if not self._is_beginning(joined):
                break
        return 1, 1

    def _whole_objects(self, text: str) -> int:
        decoder = json.JSONDecoder()
        count = 0
        text = text.strip()
        while text.startswith("{"):
            try:
                _, end = decoder.raw_decode(text)
            except ValueError:
                return 0
            count, text = count + 1, text[end:].strip()
        return 0 if text else count

    def _is_beginning(self, text: str) -> bool:
        """Whether something could follow that makes objects of it: tried with what may complete each construct."""
        if not text.lstrip().startswith("{"):
            return False
        brackets = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
        stack: list[str] = []
        for sign in brackets:
            if sign in CLOSING:
                stack.append(sign)
            elif sign in CLOSING.values() and (not stack or CLOSING[stack.pop()] != sign):
                return False
        ending = "".join(CLOSING[sign] for sign in reversed(stack))
        return bool(stack) and any(self._whole_objects(text + middle + ending) for middle in ("", "0", ":0", '"a":0'))


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
        data = b"\n".join(lines)
        pieces: list[bytes] = []
        while data:
            cut = chance.choice((7, 100, 10_000))
            pieces.append(data[:cut])
            data = data[cut:]
        connection = Script(*pieces)
        Server(parse_player("first-open")).run(connection)
        expected = ReferenceSplitter().count([line.decode() for line in lines])
        assert len(connection.answers) == expected
        for answer in connection.answers:
            assert list(json.loads(answer)) in (["move"], ["error", "code"])
        assert not any("error" in note for note in connection.notes)


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
        connection = Script(*(line + b"\n" for line in lines), b'\n{"grid":[[0]]}\n')
        Server(parse_player("first-open")).run(connection)
        assert connection.answers[-1] == '{"move":0}'
        assert not any("error" in note for note in connection.notes)
