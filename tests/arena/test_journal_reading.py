"""A run's journal is read one game at a time."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from connect4_agent import errors
from connect4_agent.arena import journal
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.journal import JOURNAL_NAME, read_games
from connect4_agent.arena.judged_moves import JUDGED_NAME
from tests.sample_runs import read_judged_games, record_of, tournament, write_run

FOUR = "0101010"
"""Player 1 wins in column 0."""


def test_games_come_back_as_they_were_written(tmp_path: Path) -> None:
    records = list(tournament(rounds=1))
    notes: list[str] = []
    assert list(read_games(write_run(tmp_path, records), notes.append)) == records
    assert notes == []


def test_a_half_written_last_line_is_left_out_and_noted(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of(FOUR), record_of(FOUR, game=2)])
    path = run / JOURNAL_NAME
    path.write_bytes(path.read_bytes()[:-20])
    notes: list[str] = []
    assert [record.game for record in read_games(run, notes.append)] == [1]
    assert len(notes) == 1
    assert "line 2" in notes[0]


def test_a_broken_line_is_named_with_its_place(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of(FOUR)])
    body = b'{"game":2,"key":"x"'
    with (run / JOURNAL_NAME).open("ab") as file:
        file.write(body + b',"checksum":"%08x"}\n' % crc32(body))
    with pytest.raises(errors.RunFolderError, match=r"line 2 of .*games\.jsonl: key: "):
        list(read_games(run, print))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [(b'"winner":1', b'"winner":2', "its checksum is wrong"), (b',"checksum":', b',"cheksum":', "it has no checksum")],
)
def test_a_line_that_was_changed_is_named(tmp_path: Path, old: bytes, new: bytes, told: str) -> None:
    run = write_run(tmp_path, [record_of(FOUR)])
    path = run / JOURNAL_NAME
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(errors.RunFolderError, match=f"line 1 of .*: {told}"):
        list(read_games(run, print))


LATE: dict[str, Any] = {"ending": Ending.TIMED_OUT, "winner": 2, "fault": Fault(player=1, detail="late")}


@pytest.mark.parametrize(
    ("columns", "changes", "told"),
    [
        (FOUR, {"winner": 2}, "'four in a row' won by 2, but the board shows 'four in a row', 1"),
        ("01", {"ending": Ending.FOUR, "winner": 1}, "the ending is 'four in a row', but the game is not over"),
        ("01", {"ending": Ending.CRASHED, "winner": 1}, "the ending is 'crashed', but there is no fault"),
        ("01", {**LATE, "winner": 1}, "winner is 1, but player 1 is at fault"),
        ("0", LATE, "player 1 is at fault, but it was the other player's turn"),
        (
            "01",
            {"key": record_of("1", opening=(1,)).key, "times_ms": (1.0,)},
            "the columns do not begin with the opening",
        ),
        ("01", {"times_ms": (1.0,)}, "there are 1 times for 2 moves"),
        ("01", {"columns": (0, 9)}, "move 2: column 9 is not on the board"),
    ],
)
def test_a_record_that_its_own_moves_contradict_is_named(
    tmp_path: Path, columns: str, changes: dict[str, Any], told: str
) -> None:
    run = write_run(tmp_path, [record_of(FOUR), record_of(columns).model_copy(update={"game": 2, **changes})])
    bad: list[str] = []
    assert [record.game for record in read_games(run, print, bad.append)] == [1]
    assert len(bad) == 1
    assert f"game 2 {told}" in bad[0] or told in bad[0]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and devices")
@pytest.mark.parametrize("name", [JOURNAL_NAME, JUDGED_NAME])
def test_nothing_outside_a_run_is_opened_for_it(tmp_path: Path, name: str) -> None:
    run = write_run(tmp_path / "run", [record_of(FOUR)])
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to("/dev/zero")
    with pytest.raises(errors.RunFolderError, match=name):
        list(read_judged_games(run, print))
    (run / name).unlink()
    (tmp_path / "outside").touch()
    (run / name).symlink_to(tmp_path / "outside")
    with pytest.raises(errors.RunFolderError, match=name):
        list(read_judged_games(run, print))
    (run / name).unlink()
    os.mkfifo(run / name)
    with pytest.raises(errors.RunFolderError, match="not an ordinary file"):
        list(read_judged_games(run, print))


def test_only_a_game_that_was_lost_by_a_fault_may_appear_again(tmp_path: Path) -> None:
    late, final = record_of("01", **LATE), record_of(FOUR)
    run = write_run(tmp_path, [late, late, final])
    assert list(read_games(run, print)) == [late, late, final]
    with pytest.raises(errors.RunFolderError, match=r"line 4 .* game 1 appears twice"):
        list(read_games(write_run(tmp_path, [late, late, final, final]), print))
    other = late.model_copy(update={"key": late.key.model_copy(update={"repeat": 1})})
    with pytest.raises(errors.RunFolderError, match=r"line 2 .* game 1 was another game before"):
        list(read_games(write_run(tmp_path, [late, other]), print))


@pytest.mark.parametrize("length", [1, 1000, 5000, 40_000])
def test_a_line_of_any_length_that_is_no_record_is_named_and_all_after_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    monkeypatch.setattr(journal, "MAX_LINE_BYTES", 5000)
    run = write_run(tmp_path, [record_of(FOUR, game=game, repeat=game) for game in (1, 2, 3)])
    first, *others = (run / JOURNAL_NAME).read_bytes().splitlines(keepends=True)
    (run / JOURNAL_NAME).write_bytes(b"".join([first, b"x" * length, b"\n", *others]))
    bad: list[str] = []
    assert [record.game for record in read_games(run, print, bad.append)] == [1, 2, 3]
    assert len(bad) == 1
    assert bad[0].startswith(f"line 2 of {run / JOURNAL_NAME}: ")
    with pytest.raises(errors.RunFolderError, match="line 2 of "):
        list(read_games(run, print))


def test_a_record_at_the_end_of_a_line_that_is_too_long_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write_run(tmp_path, [record_of(FOUR)])
    line = (run / JOURNAL_NAME).read_bytes()
    monkeypatch.setattr(journal, "MAX_LINE_BYTES", len(line))
    (run / JOURNAL_NAME).write_bytes(b"x" * len(line) + line)
    bad: list[str] = []
    assert list(read_games(run, print, bad.append)) == []
    assert bad == [f"line 1 of {run / JOURNAL_NAME}: it is longer than {len(line)} bytes"]


@pytest.mark.parametrize("length", [10, 5000, 12_345])
def test_a_half_written_last_line_may_have_any_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    monkeypatch.setattr(journal, "MAX_LINE_BYTES", 5000)
    run = write_run(tmp_path, [record_of(FOUR)])
    with (run / JOURNAL_NAME).open("ab") as file:
        file.write(b"x" * length)
    notes: list[str] = []
    assert len(list(read_games(run, notes.append))) == 1
    assert notes == [f"line 2 of {run / JOURNAL_NAME} is half-written and was left out"]


HUGE = 10**30


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"game":1', f'"game":{HUGE}', "game"),
        ('"game":1', '"game":0', "game"),
        ('"seed":1', f'"seed":{HUGE}', "seed"),
        ('"width":7', f'"width":{HUGE}', "width"),
        ('"repeat":0', f'"repeat":{HUGE}', "key.repeat"),
        ('"times_ms":[1.0', '"times_ms":[1e308', "times_ms.0"),
        ('"times_ms":[1.0', '"times_ms":[-1', "times_ms.0"),
        ('"times_ms":[1.0', '"times_ms":[NaN', "times_ms.0"),
        ('"times_ms":[1.0', '"times_ms":[1e999', "times_ms.0"),
        ('"startup_ms":[null', '"startup_ms":[-1', "startup_ms.0"),
        ('"time_limit":null', '"time_limit":1e308', "limits.0.time_limit"),
        ('"grace":null', '"grace":-1', "limits.0.grace"),
        ('"started":""', '"started":"yesterday"', "started"),
    ],
)
def test_numbers_and_times_have_bounds(tmp_path: Path, old: str, new: str, key: str) -> None:
    line = record_of(FOUR).model_dump_json()
    assert old in line
    body = line.replace(old, new, 1).encode()[:-1]
    run = write_run(tmp_path, [])
    (run / JOURNAL_NAME).write_bytes(body + b',"checksum":"%08x"}\n' % crc32(body))
    with pytest.raises(errors.RunFolderError, match=f"line 1 of .*: {re.escape(key)}: "):
        list(read_games(run, print))
