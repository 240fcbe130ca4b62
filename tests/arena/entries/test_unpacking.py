"""Entries: the submissions of a class, found in a folder and copied to where they are safe."""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import zipfile
from pathlib import Path
from typing import NoReturn

import pytest

from connect4_agent import errors
from connect4_agent.arena.agents import versions
from connect4_agent.arena.course.roll import Roll
from connect4_agent.arena.entries.unpacking import (
    EntryError,
    EntryGoneError,
    Origin,
    Submission,
    copy_submission,
    find_submissions,
    one_submission,
)


def names_in(folder: Path) -> list[str]:
    origins = [submission.origin for submission in find_submissions(folder)]
    return [entry.name for entry in Roll().entries_of(origins)]


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


def copied(tmp_path: Path, *paths: Path) -> list[str]:
    target = tmp_path / "copy"
    copy_submission(Submission(Origin(name="anna"), paths, 0.0), target)
    return sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())


def test_each_folder_archive_and_file_is_an_entry_named_after_it(tmp_path: Path) -> None:
    write(tmp_path / "anna" / "agent.py")
    (tmp_path / "ben.zip").write_bytes(zipped({"agent.py": b""}))
    write(tmp_path / "Çağla Ö.py")
    write(tmp_path / ".hidden.py")
    write(tmp_path / "__MACOSX" / "x")
    assert names_in(tmp_path) == ["anna", "ben", "Çağla Ö"]


def test_two_entries_with_one_name_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path / "anna" / "agent.py")
    write(tmp_path / "anna.py")
    assert names_in(tmp_path) == ["anna", "anna #2"]


def test_a_bulk_download_of_moodle_is_named_after_the_students(tmp_path: Path) -> None:
    write(tmp_path / "Anna Schmidt_1001_assignsubmission_file" / "agent.py")
    write(tmp_path / "Ben Ö_1002_assignsubmission_file_bot.py")
    assert names_in(tmp_path) == ["Anna Schmidt", "Ben Ö"]


def test_of_a_bulk_download_of_canvas_the_newest_submission_counts_with_all_its_files(tmp_path: Path) -> None:
    write(tmp_path / "schmidtanna_12_100_agent.py", "old")
    write(tmp_path / "schmidtanna_LATE_12_205_agent-1.py", "new")
    write(tmp_path / "schmidtanna_LATE_12_205_search.py")
    (submission,) = find_submissions(tmp_path)
    assert submission.origin == Origin(name="schmidtanna", student="12")
    target = tmp_path / "copy"
    copy_submission(submission, target)
    assert sorted(path.name for path in target.iterdir()) == ["agent.py", "search.py"]
    assert (target / "agent.py").read_text() == "new"


def test_two_students_of_one_name_in_a_bulk_download_are_two_entries(tmp_path: Path) -> None:
    for number in (11, 22):
        write(tmp_path / f"Jane Doe_{number}_assignsubmission_file_" / "agent.py")
    assert names_in(tmp_path) == ["Jane Doe", "Jane Doe #2"]


def test_names_in_all_scripts_are_kept_and_what_a_terminal_would_obey_is_written_out(tmp_path: Path) -> None:
    for name in (" 王小明.py", "محمد.py", "O\u0308zil.py", "\N{GAME DIE} roll.py", "a\nb.py", "x" * 250 + ".py"):
        write(tmp_path / name)
    assert names_in(tmp_path) == ["a\\nb", "x" * 100, "Özil", "محمد", "王小明", "\N{GAME DIE} roll"]


def test_the_folder_of_an_entry_can_have_its_name(tmp_path: Path) -> None:
    for name in ("\N{GAME DIE}" * 62, "\N{GAME DIE}" * 62 + ".py"):  # 248 bytes
        write(tmp_path / name / "agent.py") if "." not in name else write(tmp_path / name)
    assert all(len(name.encode()) < 230 for name in names_in(tmp_path))
    assert len(set(names_in(tmp_path))) == 2


def test_one_path_can_be_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "anna" / "agent.py")
    monkeypatch.chdir(tmp_path / "anna")
    assert one_submission(Path()).origin == Origin(name="anna", file="anna")
    assert one_submission(Path("agent.py")).origin == Origin(name="agent", file="agent.py")
    with pytest.raises(errors.ArenaError, match="no such file or folder"):
        one_submission(Path("nowhere"))


def test_an_archive_alone_in_a_folder_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "Zoe_33_assignsubmission_file_").mkdir()
    (tmp_path / "Zoe_33_assignsubmission_file_" / "bot.zip").write_bytes(zipped({"agent.py": b""}))
    assert copied(tmp_path, tmp_path / "Zoe_33_assignsubmission_file_") == ["agent.py"]


def test_an_archive_in_an_archive_is_unpacked(tmp_path: Path) -> None:
    inner = zipped({"deep/agent.py": b"", "deep/x.py": b""})
    (tmp_path / "anna.zip").write_bytes(zipped({"anna/inner.zip": inner, "__MACOSX/x": b""}))
    assert copied(tmp_path, tmp_path / "anna.zip") == ["agent.py", "x.py"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anna.zip", "copy"]


def test_a_zip_bomb_in_an_archive_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({"inner.zip": zipped({"agent.py": bytes(versions.MAX_BYTES + 1)})}))
    with pytest.raises(EntryError, match="more than 50 MB"):
        copied(tmp_path, tmp_path / "anna.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anna.zip"]


def test_an_archive_of_windows_with_backslashes_is_unpacked(tmp_path: Path) -> None:
    packed = zipped({r"anna\lib/": b"", "anna\\agent.py": b"", "anna\\lib\\x.py": b""})
    (tmp_path / "anna.zip").write_bytes(packed.replace(rb"anna\lib/", rb"anna\lib" + b"\\"))
    assert copied(tmp_path, tmp_path / "anna.zip") == ["agent.py", "lib/x.py"]


@pytest.mark.parametrize("name", ["anna.rar", "anna.tar.gz", "anna.7z", "anna.TGZ"])
def test_other_archives_are_refused_with_what_to_do(tmp_path: Path, name: str) -> None:
    (tmp_path / "all").mkdir()
    write(tmp_path / "all" / name)
    assert names_in(tmp_path / "all") == ["anna"]
    for path in (tmp_path / "all" / name, tmp_path / "all"):
        with pytest.raises(EntryError, match=f"{name}: of all archives, only .zip is unpacked: hand in a .zip"):
            copied(tmp_path, path)


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


def test_what_is_removed_while_it_is_copied_is_gone_and_not_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "anna" / "agent.py").parent
    real = shutil.copy

    def copy(*words: str) -> str:
        shutil.rmtree(folder)
        return str(real(*words))

    monkeypatch.setattr("shutil.copy", copy)
    with pytest.raises(EntryGoneError, match="anna was removed while it was copied"):
        copied(tmp_path, folder)


def test_a_name_that_no_file_can_have_is_the_entrys_fault(tmp_path: Path) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({"x" * 300: b""}))
    with pytest.raises(EntryError, match="a name that cannot be used"):
        copied(tmp_path, tmp_path / "anna.zip")


def test_a_folder_without_submissions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.ArenaError, match="holds no submissions"):
        find_submissions(tmp_path)
    with pytest.raises(errors.ArenaError, match="cannot read"):
        find_submissions(tmp_path / "nowhere")


def test_the_newest_file_says_when_an_entry_changed(tmp_path: Path) -> None:
    for number, name in enumerate(("a.py", "b.py")):
        path = write(tmp_path / "anna" / name)
        os.utime(path, (1000 + number, 1000 + number))
    os.utime(tmp_path / "anna", (500, 500))
    assert find_submissions(tmp_path)[0].changed_at == 1001


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
    (tmp_path / "anna.zip").write_bytes(zipped({"agent.py": bytes(versions.MAX_BYTES + 1)}))
    assert (tmp_path / "anna.zip").stat().st_size < 100_000
    with pytest.raises(EntryError, match="more than 50 MB"):
        copied(tmp_path, tmp_path / "anna.zip")
    assert not (tmp_path / "copy").exists()


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "anna.zip").write_bytes(zipped({f"{number}.py": b"" for number in range(versions.MAX_FILES + 1)}))
    with pytest.raises(EntryError, match="more than 1000 files"):
        copied(tmp_path, tmp_path / "anna.zip")


def test_what_is_empty_damaged_or_no_file_is_refused_in_the_authors_words(tmp_path: Path) -> None:
    (tmp_path / "anna").mkdir()
    with pytest.raises(EntryError, match="it is empty"):
        copied(tmp_path, tmp_path / "anna")
    (tmp_path / "ben.zip").write_bytes(b"no archive")
    with pytest.raises(EntryError, match=r"ben.zip is not a zip archive"):
        copied(tmp_path, tmp_path / "ben.zip")
    damaged = bytearray(zipped({"agent.py": os.urandom(1000)}))
    damaged[60:70] = bytes(10)
    (tmp_path / "cem.zip").write_bytes(damaged)
    with pytest.raises(EntryError, match=r"cem.zip cannot be unpacked"):
        copied(tmp_path, tmp_path / "cem.zip")
    os.mkfifo(tmp_path / "dora.py")
    with pytest.raises(EntryError, match="is not an ordinary file"):
        copied(tmp_path, tmp_path / "dora.py")
