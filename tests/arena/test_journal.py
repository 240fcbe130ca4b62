"""The journal: nothing that was finished is lost, and nothing else is believed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import orjson
import pytest

from connect4_agent import errors
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.journal import Journal, LineFile
from connect4_agent.arena.record import GameRecord
from tests.arena.helping import built_in, play_game, read_records, setup_of


def open_journal(folder: Path, said: list[str] | None = None) -> Journal:
    return Journal(folder, (said if said is not None else []).append)


def record_of(game: int) -> GameRecord:
    return play_game(setup_of(built_in("random"), built_in("first-open"), game=game))


def test_games_come_back_as_they_were_written(tmp_path: Path) -> None:
    records = [record_of(game) for game in range(1, 4)]
    with open_journal(tmp_path / "new" / "run") as journal:
        for record in records:
            journal.append(record)
            assert list(read_records(journal.folder))[-1] == record  # before the journal is closed
    assert list(read_records(tmp_path / "new" / "run")) == records
    line = orjson.loads((tmp_path / "new" / "run" / "games.jsonl").read_bytes().splitlines()[0])
    assert isinstance(line["columns"], list)
    assert line["ending"] == Ending.FOUR
    assert line["judged"] is None


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_half_written_last_line_is_dropped_with_a_message(tmp_path: Path, cut: int) -> None:
    with open_journal(tmp_path) as journal:
        for game in (1, 2):
            journal.append(record_of(game))
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert [record.game for record in read_records(tmp_path)] == [1]
    said: list[str] = []
    with open_journal(tmp_path, said=said) as journal:
        journal.append(record_of(7))
    assert "half-written last line" in said[0]
    assert [record.game for record in read_records(tmp_path)] == [1, 7]


def test_a_journal_that_is_nothing_but_a_half_line_becomes_empty(tmp_path: Path) -> None:
    with open_journal(tmp_path):
        pass
    (tmp_path / "games.jsonl").write_bytes(b"x" * 200_000)
    with open_journal(tmp_path):
        assert list(read_records(tmp_path)) == []


def test_a_second_runner_is_kept_out(tmp_path: Path) -> None:
    with open_journal(tmp_path), pytest.raises(errors.RunFolderError, match="another runner"):
        open_journal(tmp_path)
    with open_journal(tmp_path):
        pass


@pytest.mark.parametrize("change", ["remove", "replace", "truncate", "append"])
def test_a_file_that_somebody_else_changes_is_noticed(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.jsonl"
    with open_journal(tmp_path) as journal:
        journal.append(record_of(1))
        journal.check_in_place()
        if change == "truncate":
            path.write_bytes(b"")
        elif change == "append":
            path.write_bytes(path.read_bytes() + b"x")
        else:
            path.rename(tmp_path / "elsewhere")
            if change == "replace":
                path.write_bytes((tmp_path / "elsewhere").read_bytes())
        with pytest.raises(errors.WorkerLostError, match=r"games\.jsonl was removed, replaced or changed"):
            journal.check_in_place()


def test_lines_are_added_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    with LineFile(path) as file:
        assert file.is_empty
        file.append_line(b"one")
        assert path.read_bytes() == b"one\n"  # before it is closed
    with LineFile(path) as file:
        assert (file.is_empty, file.dropped_bytes) == (False, 0)
        file.append_line(b"two")
    assert path.read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize(("half", "kept"), [(b"x" * 10, b"one\n"), (b"x" * 200_000, b"one\n")])
def test_half_a_line_is_cut_off(tmp_path: Path, half: bytes, kept: bytes) -> None:
    path = tmp_path / "lines"
    path.write_bytes(kept + half)
    with LineFile(path) as file:
        assert file.dropped_bytes == len(half)
    assert path.read_bytes() == kept


def test_a_second_writer_is_kept_out_until_the_first_has_gone(tmp_path: Path) -> None:
    with LineFile(tmp_path / "lines"), pytest.raises(errors.RunFolderError, match="another runner is at work in"):
        LineFile(tmp_path / "lines")
    LineFile(tmp_path / "lines").close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("kind", ["pipe", "folder", "link"])
def test_what_is_not_an_ordinary_file_is_refused_for_reading_and_writing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "games.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(errors.RunFolderError, match=r"games\.jsonl cannot be written: "):
        open_journal(tmp_path)
    with pytest.raises(errors.RunFolderError, match=r"is not a run folder: games\.jsonl: "):
        read_records(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(errors.RunFolderError, match="file cannot be a run's folder: "):
        open_journal(tmp_path / "file")
