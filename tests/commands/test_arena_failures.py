"""Failures of the arena that people can read: full disks, records of strangers, odd names."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest

from connect4_agent.arena import journal as journal_module
from connect4_agent.arena.journal import with_checksum
from connect4_agent.arena.run import read_run
from connect4_agent.cli import main
from tests.arena.helping import read_records
from tests.processes import COMMAND, clean_environment, run_agent

MATCH = ["match", "random", "first-open", "--games", "4", "--jobs", "1"]
HOSTILE = "a\x1b[31m\u202eb"
NEUTRALISED = r"a\x1b[31m\u202eb"

needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")


@needs_full_device
def test_a_result_that_cannot_be_printed_is_one_line(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [COMMAND, *MATCH, "--out", str(tmp_path)],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=clean_environment(),
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "connect4-agent: error: cannot write the answer: No space left on device"
    assert "Traceback" not in done.stderr
    assert len((tmp_path / "games.jsonl").read_bytes().splitlines()) == 4


def test_a_full_disk_is_named_and_the_run_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    full = SimpleNamespace(**{**vars(os), "write": write})
    with monkeypatch.context() as patched:
        patched.setattr(journal_module, "os", full)
        with pytest.raises(SystemExit, match="2"):
            main([*MATCH, "--out", str(tmp_path)])
    told = (
        f"cannot write {tmp_path}/games.jsonl: No space left on device; the same command resumes from what it holds\n"
    )
    assert capsys.readouterr().err.endswith(told)
    assert main([*MATCH, "--out", str(tmp_path)]) == 0


def test_a_record_of_a_stranger_does_not_count(tmp_path: Path) -> None:
    assert main([*MATCH, "--out", str(tmp_path)]) == 0
    journal = tmp_path / "games.jsonl"
    first, *others = read_records(tmp_path)
    key = first.key.model_copy(update={"agents": ("random", "who")})
    stranger = first.model_copy(update={"key": key})
    journal.write_bytes(b"".join(with_checksum(record) + b"\n" for record in (stranger, *others)))
    assert main([*MATCH, "--out", str(tmp_path)]) == 0
    assert [record.game for record in read_records(tmp_path)] == [1, 2, 3, 4, 5]
    state = read_run(tmp_path)
    assert ([record.game for record in state.records], state.other_games) == ([5, 2, 3, 4], 1)


def test_the_report_names_the_lines_that_are_not_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MATCH, "--out", str(tmp_path)]) == 0
    journal = tmp_path / "games.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace('"winner":', '"winner": ')
    journal.write_text("".join(lines[:2]) + "no record\n" + "".join(lines[2:]))
    assert main(["report", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "warning: left out, since it is not valid: line 2 of" in printed.out
    assert "warning: left out, since it is not valid: line 3 of" in printed.out
    assert "3 of 4 games finished" in printed.out
    assert "2 lines of the journal are not valid" in printed.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "99999999999999999999999"], "match: seed is 99999999999999999999999; allowed: numbers below"),
        (["--openings", "/dev/zero"], "(as a file: it is not a file of at most 10 MB"),
        (["--games", "1000000000000000000"], "match: games is 1000000000000000000; allowed: numbers up to 100000"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*MATCH, *words, "--out", str(tmp_path / "run")])
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("address", ["nonsense", "tcp://", "tls://127.0.0.1:1"])
def test_an_address_without_a_cluster_is_one_line(tmp_path: Path, address: str) -> None:
    words = [*MATCH, "--out", str(tmp_path / "run"), "--dask", address]
    done = run_agent(*words)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert f"there is no Dask scheduler at {address!r}" in done.stderr.decode()
    assert not (tmp_path / "run").exists()


def test_a_journal_that_is_removed_during_the_run_is_an_error(tmp_path: Path) -> None:
    run = tmp_path / "run"
    script = f"import os, sys\nfor line in sys.stdin: os.path.exists({str(run)!r} + '/games.jsonl') and os.remove("
    script += f"{str(run)!r} + '/games.jsonl'); print('x', flush=True)"
    agent = shlex.join([sys.executable, "-c", script])
    done = run_agent("match", agent, "random", "--games", "2", "--isolation", "none", "--out", str(run))
    assert done.returncode == 1
    assert "games.jsonl was removed, replaced or changed by another program" in done.stderr.decode()


def tournament(tmp_path: Path, *names: str) -> list[str]:
    """The command for a tournament between first-open players of these names."""
    agents = "".join(f'[[agents]]\nname = {orjson.dumps(name).decode()}\nplayer = "first-open"\n' for name in names)
    (tmp_path / "t.toml").write_text(f"games = 2\n{agents}", encoding="utf-8")
    return ["tournament", str(tmp_path / "t.toml"), "--jobs", "1", "--out", str(tmp_path / "run")]


def test_names_are_neutralised_the_same_way_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert main(tournament(tmp_path, HOSTILE, "other")) == 0
    assert main(["report", str(run)]) == 0
    assert main(["report", str(run), "--json"]) == 0
    assert main(["report", str(run), "--html"]) == 0
    texts = [capsys.readouterr().out, (run / "report.html").read_text(), (run / "games.jsonl").read_text()]
    for text in texts:
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert NEUTRALISED in text.replace(r"\\", "\\")


@pytest.mark.parametrize(
    ("name", "told"), [("  ", "agents[0].name: the name is blank"), ("x" * 300, "allowed: at most 100 characters (see")]
)
def test_names_that_nobody_could_read_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, told: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(tournament(tmp_path, name, "other"))
    err = capsys.readouterr().err
    assert told in err
    assert len(err) < 400


def test_long_commands_get_short_and_different_names(tmp_path: Path) -> None:
    long = "true " + "x" * 300
    assert main(["match", long, long, "--games", "2", "--out", str(tmp_path), "--tolerate-faults"]) == 0
    record = orjson.loads((tmp_path / "games.jsonl").read_bytes().splitlines()[0])
    assert record["key"]["agents"] == [long[:100], f"{long[:97]} #2"]
