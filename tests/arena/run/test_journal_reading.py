"""A run's journal is read one game at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.arena.run.journal import JOURNAL_NAME, read_games
from tests.sample_runs import record_of, tournament, write_run

FOUR = "0101010"
"""Player 1 wins in column 0."""


def test_games_come_back_as_they_were_written(tmp_path: Path) -> None:
    records = list(tournament(rounds=1))
    notes: list[str] = []
    assert list(read_games(write_run(tmp_path, records), notes.append)) == records
    assert notes == []


def test_a_half_written_last_line_is_left_out_and_noted(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of(FOUR), record_of(FOUR, game=1)])
    journal = run / JOURNAL_NAME
    journal.write_bytes(journal.read_bytes()[:-20])
    notes: list[str] = []
    assert [record.game for record in read_games(run, notes.append)] == [0]
    assert len(notes) == 1
    assert "line 2" in notes[0]


def test_a_broken_line_is_named_with_its_place(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of(FOUR)])
    with (run / JOURNAL_NAME).open("a") as journal:
        journal.write('{"game":1,"round":"x"}\n')
    with pytest.raises(errors.RunFolderError, match=r"line 2 of .*games\.jsonl: round: "):
        list(read_games(run, print))


def test_a_game_that_stands_twice_in_the_journal_is_refused(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of(FOUR, game=7), record_of(FOUR, game=7)])
    with pytest.raises(errors.RunFolderError, match=r"line 2 .* game 7 appears twice"):
        list(read_games(run, print))
