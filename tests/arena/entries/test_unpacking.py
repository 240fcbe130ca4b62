"""Unpacking: an entry's folder, archive or file, copied to where it can be built and run."""

from __future__ import annotations

import errno
import io
import os
import stat
import zipfile
from pathlib import Path
from typing import NoReturn

import pytest

from connect4_agent import errors
from connect4_agent.arena.entries import unpacking
from connect4_agent.arena.entries.unpacking import EntryError, copy_entry


def write(path: Path, text: str = "pass\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def copied(tmp_path: Path, path: Path) -> list[str]:
    target = tmp_path / "copy"
    copy_entry(path, target)
    return sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())


def test_an_archive_of_windows_with_backslashes_is_unpacked(tmp_path: Path) -> None:
    packed = zipped({r"anna\lib/": b"", "anna\\agent.py": b"", "anna\\lib\\x.py": b""})
    (tmp_path / "anna.zip").write_bytes(packed.replace(rb"anna\lib/", rb"anna\lib" + b"\\"))
    assert copied(tmp_path, tmp_path / "anna.zip") == ["agent.py", "lib/x.py"]


@pytest.mark.parametrize("name", ["anna.rar", "anna.tar.gz", "anna.7z", "anna.TGZ"])
def test_other_archives_are_refused_with_what_to_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(EntryError, match=f"{name}: of all archives, only .zip is unpacked: hand in a .zip"):
        copied(tmp_path, write(tmp_path / name))


@pytest.mark.parametrize("packed", [False, True])
def test_a_full_disk_is_not_the_authors_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    path = tmp_path / "anna.zip" if packed else write(tmp_path / "anna" / "agent.py").parent
    if packed:
        path.write_bytes(zipped({"agent.py": b""}))

    def copy(source: object, *_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), source)  # as shutil does: it names what it reads

    monkeypatch.setattr("shutil.copy", copy)
    monkeypatch.setattr("zipfile.ZipFile.open", copy)
    with pytest.raises(
        errors.RunFolderError, match=r"cannot write .*: No space left on device; the same command resumes"
    ):
        copied(tmp_path, path)
    assert not (tmp_path / "copy").exists()


def test_a_name_that_no_file_can_have_is_the_entrys_fault(tmp_path: Path) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({"x" * 300: b""}))
    with pytest.raises(EntryError, match="a name that cannot be used"):
        copied(tmp_path, tmp_path / "anna.zip")


def test_a_folder_is_copied_without_what_no_author_has_written(tmp_path: Path) -> None:
    folder = tmp_path / "anna"
    for name in ("agent.py", "lib/search.py", "__pycache__/agent.pyc", ".git/HEAD"):
        write(folder / name)
    assert copied(tmp_path, folder) == ["agent.py", "lib/search.py"]


def test_an_archive_is_unpacked_and_a_folder_alone_in_it_is_lifted(tmp_path: Path) -> None:
    packed = zipped({"anna/deep/agent.py": b"", "anna/deep/data/x": b"", "__MACOSX/anna/._agent.py": b""})
    (tmp_path / "anna.zip").write_bytes(packed)
    assert copied(tmp_path, tmp_path / "anna.zip") == ["agent.py", "data/x"]


def test_a_program_in_an_archive_stays_executable(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        member = zipfile.ZipInfo("run")
        member.external_attr = (stat.S_IFREG | 0o755) << 16
        archive.writestr(member, "#!/bin/sh\n")
    (tmp_path / "anna.zip").write_bytes(packed.getvalue())
    copied(tmp_path, tmp_path / "anna.zip")
    assert os.access(tmp_path / "copy" / "run", os.X_OK)


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "..\\evil.py", "C:\\evil.py"])
def test_an_archive_cannot_write_outside_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({name: b"x"}))
    with pytest.raises(EntryError, match="holds a path outside of it"):
        copied(tmp_path, tmp_path / "anna.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anna.zip"]


def test_a_symbolic_link_is_refused_wherever_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "agent.py").symlink_to("/etc/passwd")
    with pytest.raises(EntryError, match="is a symbolic link"):
        copied(tmp_path, tmp_path / "anna")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        member = zipfile.ZipInfo("agent.py")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, "/etc/passwd")
    (tmp_path / "ben.zip").write_bytes(packed.getvalue())
    with pytest.raises(EntryError, match="holds a symbolic link"):
        copied(tmp_path, tmp_path / "ben.zip")


def test_a_zip_bomb_is_stopped_while_it_unpacks(tmp_path: Path) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({"agent.py": bytes(unpacking.MAX_BYTES + 1)}))
    assert (tmp_path / "anna.zip").stat().st_size < 100_000
    with pytest.raises(EntryError, match="more than 50 MB"):
        copied(tmp_path, tmp_path / "anna.zip")
    assert not (tmp_path / "copy").exists()


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({f"{number}.py": b"" for number in range(unpacking.MAX_FILES + 1)}))
    with pytest.raises(EntryError, match="more than 1000 files"):
        copied(tmp_path, tmp_path / "anna.zip")


def test_what_is_empty_damaged_or_no_file_is_refused_in_the_authors_words(tmp_path: Path) -> None:
    (tmp_path / "anna").mkdir()
    with pytest.raises(EntryError, match="it is empty"):
        copied(tmp_path, tmp_path / "anna")
    (tmp_path / "ben.zip").write_bytes(b"no archive")
    with pytest.raises(EntryError, match=r"ben.zip cannot be unpacked"):
        copied(tmp_path, tmp_path / "ben.zip")
    damaged = bytearray(zipped({"agent.py": os.urandom(1000)}))
    damaged[60:70] = bytes(10)
    (tmp_path / "cem.zip").write_bytes(damaged)
    with pytest.raises(EntryError, match=r"cem.zip cannot be unpacked"):
        copied(tmp_path, tmp_path / "cem.zip")
    for name in ("dora.py", "dora.zip"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(EntryError, match="is not an ordinary file"):
            copied(tmp_path, tmp_path / name)
