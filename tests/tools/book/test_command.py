"""python -m tools.book, as developers call it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.engine.book import files
from connect4_agent.engine.engine import Engine
from connect4_agent.jobs import executor
from connect4_agent.rules.position import Position
from tests.clusters import LostAfterFirst, running_cluster
from tests.engine.book.test_layer import scores_of_layer
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment
from tests.silent_progress import SilentProgress
from tools.book import __main__ as command
from tools.book import builder, encoding, work
from tools.book.work import fan_out

pytestmark = pytest.mark.slow

SMALL = ("--replies-only", "--reply-plies", "2")
"""Options for a book of few positions."""


def run_book(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tools.book", *words],
        cwd=REPOSITORY, capture_output=True, env=clean_environment(), timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip


def small_book(path: Path, error: int = 0) -> Path:
    """A book with one score, which may be off by an error."""
    position = Position.from_moves("444444" + "2222226" + "55555").canonical()
    score = Engine(7, 6, book=files.EMPTY_BOOK).score(position) + error
    path.write_bytes(
        encoding.encode_book((7, 6), scores=({position.key: encoding.score_value(score)}, position.disc_count))
    )
    return path


def test_info_says_how_many_positions_there_are(tmp_path: Path) -> None:
    result = run_book("info", "--file", str(small_book(tmp_path / "b")))
    assert result.returncode == 0
    assert b"scores: 1 positions, mirror images once\n  18 discs       1\n" in result.stdout


def test_verify_finds_a_right_book_right_and_a_wrong_one_wrong(tmp_path: Path) -> None:
    right = run_book("verify", "--file", str(small_book(tmp_path / "right")))
    assert (right.returncode, b"entries solved anew: 1 checked, 0 wrong" in right.stdout) == (0, True)
    wrong = run_book("verify", "--file", str(small_book(tmp_path / "wrong", error=1)))
    assert (wrong.returncode, b"entries solved anew: 1 checked, 1 wrong" in wrong.stdout) == (1, True)


def test_build_writes_a_book_and_goes_on_from_its_work_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = Position.from_moves("444444" + "2222226" + "55555")
    monkeypatch.setattr(builder, "Position", lambda *_: begin)
    words = ["build", "--file", str(tmp_path / "b"), "--work", str(tmp_path / "w"), "--jobs", "1", *SMALL]
    assert command.run(words) == 0
    first = (tmp_path / "b").read_bytes()
    assert "moves of the first player at ply 2: " in capsys.readouterr().err
    (tmp_path / "w" / "7x6-replies-2.txt").unlink()
    assert command.run(words) == 0
    assert (tmp_path / "b").read_bytes() == first
    assert begin.canonical().key in dict(files.read_book(tmp_path / "b").replies.items())


def once(disturb: Callable[[], None]) -> Callable[[int], None]:
    """Disturb when the first results are counted."""
    waiting = [disturb]
    return lambda done: waiting.pop()() if done and waiting else None


def kill_workers() -> None:
    for worker in active_children():
        worker.kill()


@pytest.mark.parametrize(
    ("jobs", "disturb", "status", "said"),
    [
        ("1", lambda: signal.raise_signal(signal.SIGINT), 130, "python -m tools.book: stopped at "),
        ("2", kill_workers, 1, "python -m tools.book: a worker process has died ("),
    ],
)
def test_a_disturbed_build_says_so_and_goes_on_when_called_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    jobs: str,
    disturb: Callable[[], None],
    status: int,
    said: str,
) -> None:
    monkeypatch.setattr(builder, "Position", lambda *_: Position.from_moves("444444" + "2222226" + "55555"))
    monkeypatch.setattr(work, "CHUNK_POSITIONS", 1)
    words = ["build", *SMALL, "--file", str(tmp_path / "b"), "--work", str(tmp_path / "w"), "--jobs", jobs]
    with monkeypatch.context() as disturbed:
        disturbed.setattr(command, "Progress", lambda *_: SilentProgress(once(disturb)))
        assert command.run(words) == status
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith(said)
    assert told.endswith("; the same command resumes from there")
    assert not (tmp_path / "b").exists()
    assert (tmp_path / "w" / "7x6-replies-1.txt").read_text()
    assert command.run(words) == 0
    assert files.read_book(tmp_path / "b").replies


@pytest.mark.slow
def test_a_cluster_builds_what_one_thread_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "Position", lambda *_: Position.from_moves("444444" + "2222226" + "55555"))
    with running_cluster(tmp_path, workers=1) as cluster:
        for name, words in (("one", ["--jobs", "1"]), ("cluster", ["--dask", cluster.address])):
            files = ["--file", str(tmp_path / name), "--work", str(tmp_path / f"{name}-work")]
            assert command.run(["build", *SMALL, *files, *words]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "cluster").read_bytes()


def test_processes_find_what_one_thread_finds() -> None:
    chunks = [(Position.from_moves("4444442222226" + moves),) for moves in ("55555", "55557", "55551", "55531")]
    found = []
    for each in (executor.InThread(), executor.in_processes(2)):
        try:
            found.append(sorted(fan_out(each, builder.scores_of, chunks)))
        finally:
            each.close()
    assert found[0] == found[1]


def test_a_lost_scheduler_is_an_error_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "WORKERS_SECONDS", 0.01)
    found = fan_out(LostAfterFirst(), abs, [-1, -2, -3])
    assert next(found) == 1
    with pytest.raises(errors.BookError, match="the Dask scheduler has gone away"):
        next(found)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("info", "--file", "."), "cannot read .: "),
        (("verify", "--sample", "-1"), "'-1' is not a whole number, 0 or more"),
        (("build", "--replies-only"), "say with --file"),
        (("build", "--file", "."), "cannot build: . is a folder"),
        (("build", "--size", "9x7"), "a book for 9 columns and 7 rows is not possible"),
        (("build", "--size", "9by7"), "'9by7' is not a size"),
        (("build", "--size", "4x4", "--plies", "-1"), "'-1' is not a whole number, 0 or more"),
        (("build", "--size", "4x4", "--plies", "99"), "plies is 99; the maximum is 15 for 4 columns and 4 rows"),
        (("build", "--replies-only", "--plies", "2"), "contradict each other"),
        (("verify", "--size", "9x9"), "9x9.book: No such file"),
        (("build", "--file", "/nowhere/at/all"), "cannot build: "),
    ],
)
def test_misuse_exits_2_and_says_what_is_wrong(words: tuple[str, ...], said: str) -> None:
    result = run_book(*words)
    assert (result.returncode, result.stdout) == (2, b"")
    assert said in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1


@pytest.mark.needs("compiled")
def test_a_book_of_another_size_is_built_and_verified(tmp_path: Path) -> None:
    where = ("--size", "5x4", "--file", str(tmp_path / "b"))
    built = run_book(
        "build", *where, "--plies", "2", "--reply-plies", "4", "--jobs", "1", "--work", str(tmp_path / "work")
    )
    assert (built.returncode, built.stdout.startswith(f"{tmp_path / 'b'}: ".encode())) == (0, True)
    verified = run_book("verify", *where)
    assert (verified.returncode, verified.stdout.count(b" 0 wrong")) == (0, 3)
    assert b"5 columns and 4 rows\nscores: 17 positions" in run_book("info", *where).stdout


def test_a_missing_or_bad_file_exits_2(tmp_path: Path) -> None:
    missing = run_book("info", "--file", str(tmp_path / "none"))
    assert missing.returncode == 2
    assert b"cannot read" in missing.stderr
    (tmp_path / "bad").write_bytes(b"bad")
    bad = run_book("verify", "--file", str(tmp_path / "bad"))
    assert bad.returncode == 2
    assert b"is not an opening book" in bad.stderr


def test_the_command_builds_resumes_describes_and_verifies_a_layer(tmp_path: Path) -> None:
    path = tmp_path / "4x4.layer"
    where = ("--layer", "--size", "4x4", "--file", str(path))
    build = ("build", *where, "--plies", "4", "--jobs", "1", "--work", str(tmp_path / "w"))
    first = run_book(*build)
    assert first.returncode == 0, first.stderr
    data = path.read_bytes()
    work = tmp_path / "w" / "4x4-layer-4.txt"
    lines = work.read_text().splitlines(keepends=True)
    work.write_text("".join(lines[:20]))
    assert run_book(*build).returncode == 0
    assert path.read_bytes() == data
    info = run_book("info", *where)
    assert f"scores of {len(scores_of_layer(4, 4, 4))} positions of 4 discs" in info.stdout.decode()
    verify = ("verify", *where, "--sample", "10")
    right = run_book(*verify)
    assert (right.returncode, b"10 checked, 0 wrong" in right.stdout) == (0, True)
    wrong_scores = {key: score + 1 for key, score in scores_of_layer(4, 4, 4).items()}
    path.write_bytes(encoding.encode_layer((4, 4), 4, wrong_scores))
    wrong = run_book(*verify)
    assert (wrong.returncode, b"10 checked, 10 wrong" in wrong.stdout) == (1, True)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["build", "--layer"], b"--layer needs --plies"),
        (["build", "--layer", "--plies", "3", "--replies-only"], b"contradict"),
        (["build", "--layer", "--plies", "3", "--reply-plies", "2"], b"--layer has no replies"),
        (["build", "--layer", "--plies", "16", "--size", "4x4"], b"a layer of 16 plies for 4 columns"),
        (["verify", "--layer", "--size", "4x4"], b"4x4.layer: No such file"),
    ],
)
def test_the_command_refuses_layers_that_cannot_be(words: list[str], complaint: bytes) -> None:
    result = run_book(*words)
    assert (result.returncode, complaint in result.stderr) == (2, True), result.stderr
