"""The loop and its lines, without a process."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr
from typing import TextIO, cast

import pytest

from connect4_agent import errors
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, Player
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from connect4_agent.server import loop, loose_json
from connect4_agent.server.connection import SHOWN_LINE_BYTES, Notes
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.loop import serve
from connect4_agent.server.request import Request, make_request
from connect4_agent.server.understand import read_request
from tests.connections import Script
from tests.server.scripts import Remembering, scored, served


class Failing:
    """A player with a defect."""

    def choose(self, *_: object) -> Choice:
        raise ZeroDivisionError("division by zero")


class Leaving:
    """A player during whose search the reader goes away."""

    def choose(self, *_: object) -> Choice:
        raise errors.ReaderGoneError


def test_answers_come_in_the_order_of_the_requests() -> None:
    connection = served(parse_player("first-open"), b'{"grid":[[0],[1]]}\n{"grid":[[1],[0]]}\nx\n{"grid":[[0]]}')
    answers = [json.loads(line) for line in connection.written.splitlines()]
    assert [answer.get("move", answer.get("code")) for answer in answers] == [0, 1, "bad_json", 0]


def test_the_number_of_lines_is_returned_errors_included() -> None:
    assert serve(Script(b"x\n\n[]\n"), read_request, parse_player("first-open"), Limits()) == 2


def test_a_defect_of_the_player_costs_no_move_and_is_told() -> None:
    connection = served(Failing(), b'{"grid":[[0,0],[0,0],[0,0]]}\n')
    assert connection.written == b'{"move":1}\n'
    assert connection.notes == [
        "error: the player failed, falling back to a simple legal move: ZeroDivisionError: division by zero"
    ]


@pytest.mark.parametrize("failure", [MemoryError(), RecursionError("too deep"), ZeroDivisionError("division by zero")])
def test_a_failure_while_reading_costs_one_answer_and_the_next_line_is_read(failure: Exception) -> None:
    def read(line: bytes) -> Request:
        if b"fail" in line:
            raise failure
        return read_request(line)

    connection = served(parse_player("first-open"), b'fail\n{"grid":[[0]]}\n', read=read)
    first, second = map(json.loads, connection.answers)
    assert (first["code"], second) == ("internal_error", {"move": 0})
    assert type(failure).__name__ in first["error"]


def test_a_failure_while_receiving_costs_one_answer_and_the_next_line_is_read() -> None:
    pieces: Iterator[bytes | MemoryError] = iter([b'{"grid"', MemoryError(), b'{"grid":[[0]]}\n', b""])

    class Short(Script):
        def read(self, seconds: float | None = None, /) -> bytes | None:  # noqa: ARG002  # nothing is late
            piece = next(pieces)
            if isinstance(piece, MemoryError):
                raise piece
            return piece

    connection = Short()
    serve(connection, read_request, parse_player("first-open"), Limits())
    first, second = map(json.loads, connection.answers)
    assert (first["code"], second) == ("bad_json", {"move": 0})
    assert "input lost: out of memory" in first["error"]


def test_a_failure_while_joining_lines_loses_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = loose_json.parse_loosely

    def parse(text: bytes) -> dict[str, object] | None:
        if b"\n" in text:
            raise MemoryError
        return whole(text)

    monkeypatch.setattr(loose_json, "parse_loosely", parse)
    connection = served(parse_player("first-open"), b'{"grid":\n[[0]]}\n{"grid":[[0]]}\n')
    assert [next(iter(json.loads(answer))) for answer in connection.answers] == ["error", "error", "move"]


@pytest.mark.parametrize("failing", ["explained_reply", "warn_once", "note"])
def test_a_failure_while_answering_costs_one_answer_at_most(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter([MemoryError("no room")])

    def fail_once(*_: object) -> bytes:
        for failure in failures:
            raise failure
        return b"{}\n"

    monkeypatch.setattr(loop if failing == "explained_reply" else Script, failing, fail_once)
    lines = b'{"grid":[[0]]}\n{"grid":[[0]]}\n'
    connection = served(parse_player("first-open"), lines, explain=True, is_verbose=failing == "note")
    codes = [json.loads(answer).get("code") for answer in connection.answers]
    assert codes == [None if failing == "note" else "internal_error", None]


def test_what_others_write_to_standard_error_becomes_messages() -> None:
    connection = Script()
    with redirect_stderr(cast("TextIO", Notes(connection))):
        sys.stderr.write("look out\n")
        sys.stderr.write("x" * 10_000)
        sys.stderr.write("\n")
        sys.stderr.flush()
    first, second = connection.notes
    assert first == "look out"
    assert 0 < len(second) < 1000


def test_messages_are_cut_however_long_the_line_is_that_they_quote() -> None:
    connection = scored("1" + "\U0001f534" * 100_000, "9" * 100_000)
    assert len(connection.notes) == 2
    assert all(len(note.encode()) < 3000 for note in connection.notes)


def test_a_reader_that_leaves_during_a_search_ends_the_loop() -> None:
    with pytest.raises(errors.ReaderGoneError):
        served(Leaving(), b'{"grid":[[0]]}\n')


@pytest.mark.parametrize("player", [parse_player("easy"), parse_player("random"), Failing()])
def test_a_game_that_is_over_still_gets_a_legal_move(player: Player) -> None:
    connection = served(player, b'{"grid":[[1,1,1,1],[0,2,2,2]],"player":2}\n')
    assert connection.written == b'{"move":1}\n'
    assert connection.notes == [
        "warning: the game is over: player 1 has four in a row",
    ]


def test_the_time_limit_and_the_wish_for_a_line_reach_the_player() -> None:
    player = Remembering()
    connection = served(player, b'{"grid":[[0]]}\n', seconds=1.5, explain=True)
    (limits,) = player.limits
    assert (limits.poll, limits.explain) == (connection.check_reader, True)
    assert limits.seconds is not None
    assert 0 < limits.seconds < 1.5  # what reading the request took is gone from it


def test_explained_answers_have_the_documented_keys() -> None:
    connection = served(parse_player("easy"), make_request(Position.from_moves("4453")), explain=True)
    answer = json.loads(connection.written)
    assert list(answer) == ["move", "score", "exact", "depth", "nodes", "elapsed_ms", "line"]
    assert (answer["depth"], answer["exact"], len(answer["line"])) == (2, False, 2)
    assert answer["line"][0] == answer["move"]
    assert answer["nodes"] > 2
    assert answer["elapsed_ms"] > 0


def test_an_explained_move_without_a_search_has_no_score() -> None:
    connection = served(parse_player("hard"), b'{"grid":[[0,0]]}', explain=True)
    answer = json.loads(connection.written)
    del answer["elapsed_ms"]
    assert answer == {"move": 0, "score": None, "exact": False, "depth": 0, "nodes": 0, "line": [0]}


def test_verbose_echoes_every_line_in_and_out() -> None:
    connection = served(parse_player("first-open"), b'{"grid":[[0]]}\r\n\nx\xff\n' + b"y" * (2 << 20), is_verbose=True)
    assert connection.notes[:2] == ['in:  {"grid":[[0]]}', 'out: {"move":0}']
    assert connection.notes[2] == "in:  x\ufffd"
    assert connection.notes[4] == f"in:  (a line over {MAX_LINE_BYTES} bytes)"
    assert len(connection.notes) == 6


def test_an_echo_shows_a_long_line_up_to_its_limit() -> None:
    connection = served(parse_player("first-open"), b"x" * SHOWN_LINE_BYTES + b"\n" + b"y" * 65_537, is_verbose=True)
    whole, _, cut, _ = connection.notes
    assert whole == f"in:  {'x' * 65_536}"
    assert cut == f"in:  {'y' * 65_536}... (65537 bytes)"


def test_an_echo_says_that_a_line_is_too_long_only_if_it_is() -> None:
    longest = b"x" * MAX_LINE_BYTES
    connection = served(parse_player("first-open"), longest + b"\n" + longest + b"y", is_verbose=True)
    said = [note for note in connection.notes if note.startswith("in:")]
    assert [note.endswith(f"(a line over {MAX_LINE_BYTES} bytes)") for note in said] == [False, True]
