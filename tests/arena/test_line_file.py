"""Files of lines: whole lines, one writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.arena.journal import LineFile


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
