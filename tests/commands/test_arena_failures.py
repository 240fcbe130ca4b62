"""Failures of the arena that people can read: full disks, records of strangers, odd names."""

from __future__ import annotations

import errno
import os
import subprocess
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from connect4_agent.arena.run import line_file
from connect4_agent.cli import main
from tests.processes import COMMAND, clean_environment

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
        patched.setattr(line_file, "os", full)
        with pytest.raises(SystemExit, match="2"):
            main([*MATCH, "--out", str(tmp_path)])
    told = (
        f"cannot write {tmp_path}/games.jsonl: No space left on device; the same command resumes from what it holds\n"
    )
    assert capsys.readouterr().err.endswith(told)
    assert main([*MATCH, "--out", str(tmp_path)]) == 0


def test_a_record_of_a_stranger_is_refused_by_its_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MATCH, "--out", str(tmp_path)]) == 0
    journal = tmp_path / "games.jsonl"
    journal.write_text(journal.read_text().replace('"agents":["random","first-open"]', '"agents":["random","who"]', 1))
    with pytest.raises(SystemExit, match="2"):
        main([*MATCH, "--out", str(tmp_path)])
    told = "game 0 is between 'random' and 'who', but scheduled are 'random' and 'first-open'; connect4-agent verify"
    assert told in capsys.readouterr().err
    assert main(["report", str(tmp_path), "--html"]) == 0


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


def test_a_run_whose_names_were_kept_as_they_are_can_be_resumed(tmp_path: Path) -> None:
    words = tournament(tmp_path, HOSTILE, "other")
    assert main(words) == 0
    for name in ("games.jsonl", "run.json"):
        path = tmp_path / "run" / name
        raw = orjson.dumps(HOSTILE).decode()[1:-1]
        path.write_text(path.read_text().replace(NEUTRALISED.replace("\\", r"\\"), raw), encoding="utf-8")
        assert HOSTILE[0] + r"\u001b" in path.read_text()
    assert main(words) == 0
    assert main(["verify", str(tmp_path / "run")]) == 0


@pytest.mark.parametrize(
    ("name", "told"), [("  ", "agents[0].name: the name is blank"), ("x" * 300, "at most 100 characters (it is 'xxx")]
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
    assert record["agents"] == [long[:100], f"{long[:97]} #2"]


def test_a_match_keeps_the_folder_that_it_had_before_there_were_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    agent: dict[str, Any] = {
        "command": None, "environment": {}, "directory": None, "start": "bare", "request": "full",
        "time_limit_seconds": None, "startup_seconds": None, "restart_per_game": True,
    }  # fmt: skip
    agents = [{"name": name, "player": name, **agent} for name in ("random", "first-open")]
    earlier = {
        "format": "round-robin", "games": 4, "openings": "random:4", "seed": 0, "width": 7, "height": 6,
        "time_limit_seconds": 10.0, "grace_seconds": 0.1, "startup_seconds": 10.0, "adjudicate": False,
        "agents": agents,
    }  # fmt: skip
    digest = sha256(orjson.dumps(earlier)).hexdigest()[:8]
    assert main(MATCH) == 0
    assert [path.name for path in (tmp_path / "runs").iterdir()] == [f"random-first-open-{digest}"]
    assert main([*MATCH, "--memory", "500M"]) == 0
    assert len(list((tmp_path / "runs").iterdir())) == 2
