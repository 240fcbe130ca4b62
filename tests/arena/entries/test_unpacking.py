"""Unpacking: an entry's folder, archive or file, copied to where it can be built and run."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from connect4_agent import errors
from connect4_agent.arena.entries import unpacking
from connect4_agent.arena.entries.unpacking import EntryError, copy_entry, entry_name, fingerprint


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


@pytest.mark.parametrize("name", ["anna.rar", "anna.7z", "anna.ZST"])
def test_other_archives_are_refused_with_what_is_accepted(tmp_path: Path, name: str) -> None:
    with pytest.raises(EntryError, match=f"{name} cannot be unpacked; accepted are a folder, .zip, .tar"):
        copied(tmp_path, write(tmp_path / name))


def tarred(path: Path, files: dict[str, bytes], *members: tarfile.TarInfo) -> Path:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for member in members:
            archive.addfile(member)
    compress: dict[str, Callable[[bytes], bytes]]
    compress = {".tar": bytes, ".gz": gzip.compress, ".tgz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
    path.write_bytes(compress[path.suffix](plain.getvalue()))
    return path


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tgz", "tar.bz2", "tar.xz"])
def test_a_tar_archive_is_unpacked_as_a_zip_archive_is(tmp_path: Path, ending: str) -> None:
    files = {"./anna/agent.py": b"pass", "anna/lib/x.py": b"", "anna/.git/HEAD": b"x", "anna/venv/bin/python": b"x"}
    assert copied(tmp_path, tarred(tmp_path / f"anna.{ending}", files)) == ["agent.py", "lib/x.py"]


def test_what_is_ignored_never_changes_a_fingerprint_nor_does_the_way_of_packing(tmp_path: Path) -> None:
    write(tmp_path / "anna" / "agent.py", "pass")
    write(tmp_path / "anna" / "lib" / "x.py", "x = 1")
    packed = {"agent.py": b"pass", "lib/x.py": b"x = 1"}
    junk = (
        ".DS_Store",
        "__MACOSX/._agent.py",
        "__pycache__/agent.pyc",
        ".git/index",
        "venv/bin/python",
        "node_modules/x",
    )

    def version(path: Path) -> str:
        copy_entry(path, tmp_path / "copy")
        found = fingerprint(tmp_path / "copy")
        shutil.rmtree(tmp_path / "copy")
        return found

    first = version(tmp_path / "anna")
    for name in junk:
        write(tmp_path / "anna" / name)
    (tmp_path / "anna" / "agent.py").chmod(0o755)
    (tmp_path / "anna" / "agent.py").touch()
    assert version(tmp_path / "anna") == first
    (tmp_path / "anna.zip").write_bytes(
        zipped({f"anna/{name}": text for name, text in packed.items()} | {".DS_Store": b""})
    )
    assert version(tmp_path / "anna.zip") == first
    assert version(tarred(tmp_path / "anna.tgz", packed)) == first
    write(tmp_path / "anna" / "lib" / "x.py", "x = 2")
    assert version(tmp_path / "anna") != first
    (tmp_path / "anna" / "lib" / "x.py").rename(tmp_path / "anna" / "lib" / "y.py")
    assert version(tmp_path / "anna") not in (
        first,
        version(tarred(tmp_path / "b.tar", packed | {"lib/x.py": b"x = 2"})),
    )


def test_names_that_are_not_utf_8_are_read_as_latin_1(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/J\xf6rg"
    os.mkdir(folder)
    Path(os.fsdecode(folder + b"/l\xf6ser.py")).write_text("")
    assert entry_name(Path(os.fsdecode(folder))) == "Jörg"
    assert copied(tmp_path, Path(os.fsdecode(folder))) == ["löser.py"]
    shutil.rmtree(tmp_path / "copy")
    packed = zipped({"l#ser.py": b"", "größe.py": b""}).replace(b"l#ser", b"l\xf6ser")
    (tmp_path / "anna.zip").write_bytes(packed)
    assert copied(tmp_path, tmp_path / "anna.zip") == ["größe.py", "löser.py"]
    shutil.rmtree(tmp_path / "copy")
    with tarfile.open(tmp_path / "anna.tar", "w", encoding="latin-1", format=tarfile.GNU_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("löser.py"))
    assert copied(tmp_path, tmp_path / "anna.tar") == ["löser.py"]


@pytest.mark.parametrize(
    ("name", "entry"), [("team7.zip", "team7"), ("team7.tar.gz", "team7"), ("anna.py", "anna"), ("v1.2.TGZ", "v1.2")]
)
def test_an_entry_is_named_after_its_file(tmp_path: Path, name: str, entry: str) -> None:
    assert entry_name(tmp_path / name) == entry
    (tmp_path / name).mkdir()
    assert entry_name(tmp_path / name) == name


def test_a_program_becomes_executable_wherever_it_comes_from(tmp_path: Path) -> None:
    copied(tmp_path, tarred(tmp_path / "a.tar", {"run": b"#!/bin/sh", "agent": b"\x7fELF", "data": b"x"}))
    assert [os.access(tmp_path / "copy" / name, os.X_OK) for name in ("run", "agent", "data")] == [True, True, False]


def test_a_tar_bomb_is_stopped_also_in_what_is_ignored_or_not_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for files in ({"agent.py": bytes(unpacking.MAX_BYTES + 1)}, {"venv/lib": bytes(unpacking.MAX_TAR_BYTES + 1)}):
        path = tarred(tmp_path / "anna.tgz", files)
        assert path.stat().st_size < 500_000
        with pytest.raises(EntryError, match=r"more than (50|200) MB"):
            copied(tmp_path, path)
        assert not (tmp_path / "copy").exists()
    header = tarfile.TarInfo("long")
    header.type = tarfile.GNUTYPE_LONGNAME  # its name is read into memory
    header.size = 1 << 30
    with gzip.open(tmp_path / "anna.tgz", "wb") as file:
        file.write(header.tobuf() + bytes(5_000_000))
    monkeypatch.setattr(unpacking, "MAX_TAR_BYTES", 1_000_000)
    with pytest.raises(EntryError, match="more than 1 MB"):
        copied(tmp_path, tmp_path / "anna.tgz")


@pytest.mark.parametrize("packed", [False, True])
def test_a_full_disk_is_not_the_authors_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    path = tmp_path / "anna.zip" if packed else write(tmp_path / "anna" / "agent.py").parent
    if packed:
        path.write_bytes(zipped({"agent.py": b""}))

    def copy(source: object, *_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), source)  # as shutil does: it names what it reads

    monkeypatch.setattr("connect4_agent.arena.entries.unpacking._Copy.add", copy)
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


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "..\\evil.py", "C:\\evil.py"])
def test_an_archive_cannot_write_outside_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({name: b"x"}))
    with pytest.raises(EntryError, match="holds a path outside of it"):
        copied(tmp_path, tmp_path / "anna.zip")
    with pytest.raises(EntryError, match="holds a path outside of it"):
        copied(tmp_path, tarred(tmp_path / "anna.tar", {name: b"x"}))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anna.tar", "anna.zip"]


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
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
        link = tarfile.TarInfo("agent.py")
        link.type, link.linkname = kind, "/etc/passwd"
        with pytest.raises(EntryError, match="holds a symbolic link"):
            copied(tmp_path, tarred(tmp_path / "ben.tar", {}, link))


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
    for name in ("emil.tar", "emil.tgz", "emil.tar.bz2", "emil.tar.xz"):
        write(tmp_path / name, "no archive")
        with pytest.raises(EntryError, match=f"{name} cannot be unpacked"):
            copied(tmp_path, tmp_path / name)
    (tmp_path / "cut.tgz").write_bytes(tarred(tmp_path / "x.tgz", {"agent.py": os.urandom(5000)}).read_bytes()[:3000])
    with pytest.raises(EntryError, match=r"cut.tgz cannot be unpacked"):
        copied(tmp_path, tmp_path / "cut.tgz")
    twice = tarred(tmp_path / "twice.tar", {"agent.py": b"", "./agent.py": b""})
    with pytest.raises(EntryError, match=r"it holds agent.py twice"):
        copied(tmp_path, twice)
    for name in ("dora.py", "dora.zip"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(EntryError, match="is not an ordinary file"):
            copied(tmp_path, tmp_path / name)
