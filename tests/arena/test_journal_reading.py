"""A run's journal is read one game at a time."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from connect4_agent import errors
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.journal import JOURNAL_NAME, read_games
from connect4_agent.arena.judged_moves import JUDGED_NAME
from connect4_agent.arena.record import Overrun
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
    journal = run / JOURNAL_NAME
    journal.write_bytes(journal.read_bytes()[:-20])
    notes: list[str] = []
    assert [record.game for record in read_games(run, notes.append)] == [1]
    assert len(notes) == 1
    assert "line 2" in notes[0]


def test_a_broken_line_is_named_with_its_place(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of(FOUR)])
    body = b'{"game":2,"key":"x"'
    with (run / JOURNAL_NAME).open("ab") as journal:
        journal.write(body + b',"checksum":"%08x"}\n' % crc32(body))
    with pytest.raises(errors.RunFolderError, match=r"line 2 of .*games\.jsonl: key: "):
        list(read_games(run, print))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [(b'"winner":1', b'"winner":2', "its checksum is wrong"), (b',"checksum":', b',"cheksum":', "it has no checksum")],
)
def test_a_line_that_was_changed_is_named(tmp_path: Path, old: bytes, new: bytes, told: str) -> None:
    run = write_run(tmp_path, [record_of(FOUR)])
    journal = run / JOURNAL_NAME
    journal.write_bytes(journal.read_bytes().replace(old, new))
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
        ("01", {"overruns": (Overrun(ply=1, player=1, elapsed_ms=2, limit_ms=1),)}, "move 2 is not one of player 1"),
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
