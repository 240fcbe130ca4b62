"""A course from its submissions to grades.csv, with the command as an organiser uses it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

from connect4_agent.arena.agents.confinement import confined
from connect4_agent.arena.agents.spec import Isolation
from connect4_agent.arena.course import intake
from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.course import new_workplace
from connect4_agent.arena.course.intake import take_in
from connect4_agent.arena.course.roll import Roll, read_roll, write_roll
from connect4_agent.arena.run.state import RunState, read_run
from connect4_agent.commands.course import run
from connect4_agent.text import escaped

GOOD = """\
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": %s(c for c, cells in enumerate(grid) if cells[0] == 0)}), flush=True)
"""
BANNER = 'print("Welcome to ChattyBot 3000!", flush=True)\n' + GOOD % "min"
CONFIG = """\
title = "Robots, 2026"
references = ["random", "first-open"]
reference_games = 4
games = 2
openings = "random:4"
"""


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    folder = tmp_path / "submissions"
    (folder / "anna").mkdir(parents=True)
    (folder / "anna" / "agent.py").write_text(GOOD % "min")
    (folder / "ben.py").write_text(GOOD % "max")
    (folder / "cem.py").write_text(BANNER)
    (tmp_path / "course.toml").write_text(CONFIG)
    return folder


def play(submissions: Path, *more: str, isolation: str = "none") -> int:
    out = str(submissions.parent / "run")
    return run([str(submissions), "--out", out, "--isolation", isolation, "--practice", "0", "--jobs", "1", *more])


def state_of(submissions: Path) -> RunState:
    return read_run(submissions.parent / "run", lambda line: pytest.fail(escaped(line)))


def grades_of(submissions: Path) -> dict[str, dict[str, str]]:
    with open(submissions.parent / "run" / "grades.csv", encoding="utf-8", newline="") as file:
        return {row["entry"]: row for row in csv.DictReader(file)}


@pytest.mark.slow
def test_a_course_is_played_graded_and_taken_up_again(submissions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = submissions.parent / "run"
    assert play(submissions) == 0
    said = capsys.readouterr()
    assert "cem, version 1: not ready: " in said.err
    assert "3 entries to build and check, 1 at a time" in said.err
    assert "2 of 3 entries are ready; 18 games to play: at most " in said.err
    assert "it printed 'Welcome to ChattyBot 3000!' instead of an answer" in said.out
    first = state_of(submissions)
    # Two references, three entries: 4 games each with the references, 2 among themselves; all of cem's are lost.
    assert (len(first.records), len(first.lost), first.to_play) == (2 * 2 * 4 + 2, 2 * 4 + 2 * 2, 0)
    grades = grades_of(submissions)
    assert grades["cem"]["grade"] == "0.0"
    assert grades["cem"]["points"] == "0.0"
    assert grades["anna"]["verdict"].startswith("ready")
    assert grades["anna"]["games"] == "12"
    feedback = {path.name: path.read_text(encoding="utf-8") for path in (folder / "feedback").iterdir()}
    assert feedback.keys() == {f"{name}.{kind}" for name in grades for kind in ("html", "results.json")}
    assert "ChattyBot 3000" in feedback["cem.html"]
    assert all(str(submissions.parent) not in text for text in feedback.values())
    assert json.loads(feedback["anna.results.json"])["score"] == float(grades["anna"]["grade"])

    assert play(submissions) == 0
    assert [record.game for record in state_of(submissions).records] == [record.game for record in first.records]
    capsys.readouterr()

    # A new version plays its games again, and only its own; who leaves does not count any more.
    (submissions / "cem.py").write_text(GOOD % "min" + "# mended\n")
    (submissions / "ben.py").unlink()
    assert play(submissions) == 0
    said = capsys.readouterr()
    assert "cem, version 2 (cem.py): ready" in said.err
    assert "ben is no longer in " in said.err
    last = state_of(submissions)
    assert last.versions["cem"] == "2"
    assert (len(last.records), last.lost, last.to_play) == (2 * 2 * 4 + 2, [], 0)
    kept = {record.game for record in first.records if "ben" not in record.agents}
    assert kept < {record.game for record in last.records}
    assert "ben" not in grades_of(submissions)
    assert not list((folder / "feedback").glob("ben.*"))
    assert (folder / "entries" / "cem" / "1" / "cem.py").read_text() == BANNER
    assert b"3 entries, " not in (index := (folder / "site" / "index.html").read_bytes())
    assert b"ben: withdrawn" in index
    assert run(["status", str(folder)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Robots, 2026: ")
    assert "ben: withdrawn" in said.out


def test_a_single_entry_needs_references_to_play_against(submissions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (submissions.parent / "course.toml").write_text("references = []\n")
    (submissions / "cem.py").unlink()
    (submissions / "ben.py").unlink()
    (submissions / "anna" / "agent.toml").write_text('run = "python3 agent.py"\nversion = "deeper"\n')
    assert play(submissions) == 2
    says = "anna has nobody to play against: it is the only entry, and `references` in course.toml is empty\n"
    said = capsys.readouterr().err
    assert "anna, version 1 (“deeper”): ready" in said
    assert said.endswith(says)


@pytest.mark.slow
def test_a_late_version_plays_only_if_it_is_accepted(submissions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (submissions.parent / "course.toml").write_text(CONFIG + "deadline = 2026-01-31T23:59:00+00:00\n")
    for name in ("anna/agent.py", "anna", "ben.py", "cem.py"):
        os.utime(submissions / name, (1_700_000_000, 1_700_000_000))
    assert play(submissions) == 0
    (submissions / "anna" / "agent.py").write_text(GOOD % "max")
    assert play(submissions) == 0
    assert "anna, version 2 (agent.py): ready" in (said := capsys.readouterr()).err
    assert "after the deadline: version 1 counts, version 2 is kept as late" in said.err
    assert state_of(submissions).versions["anna"] == "1"
    assert run(["accept", str(submissions.parent / "run"), "ben"]) == 2
    assert "ben: version 1 was not handed in late" in capsys.readouterr().err
    assert run(["accept", str(submissions.parent / "run"), "anna"]) == 0
    assert play(submissions) == 0
    assert state_of(submissions).versions["anna"] == "2"
    assert read_roll(submissions.parent / "run").entry("anna").versions[1].is_accepted


def test_an_intake_that_was_stopped_is_taken_up_again(submissions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workplace = new_workplace(
        submissions.parent / "run", submissions, CourseConfig(), Isolation.NONE, print, practice_games=0
    )
    roll, stop = Roll(), [KeyboardInterrupt]

    def check(*_: object, **__: object) -> NoReturn:
        raise stop[0]("stopped")

    monkeypatch.setattr(intake, "check_agent", check)
    with pytest.raises(KeyboardInterrupt):
        take_in(workplace, roll, submissions)
    write_roll(workplace.folder, roll)
    monkeypatch.undo()
    roll = read_roll(workplace.folder)
    take_in(workplace, roll, submissions)
    verdicts = {entry.name: entry.versions[0].verdict.value for entry in roll.entries}
    assert verdicts == {"anna": "ready, with remarks", "ben": "ready, with remarks", "cem": "not ready"}
    assert [len(entry.versions) for entry in roll.entries] == [1, 1, 1]


def test_a_build_cannot_reach_files_elsewhere_by_links(submissions: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("")
    mode = mine.stat().st_mode
    (submissions / "eve").mkdir()
    (submissions / "eve" / "agent.py").write_text(GOOD % "min")
    description = f'build = "ln -s {mine} there; ln -s nowhere here"\nrun = "python3 agent.py"\nstart = "bare"\n'
    (submissions / "eve" / "agent.toml").write_text(description)
    assert run(["check", str(submissions / "eve"), "--isolation", "none", "--practice", "0"]) == 0
    assert mine.stat().st_mode == mode


@pytest.mark.needs("bwrap")
def test_the_words_of_a_command_open_no_hidden_folder(tmp_path: Path) -> None:
    (tmp_path / "home" / "own").mkdir(parents=True)
    (tmp_path / "home" / "secret").write_text("")
    for words in (("python3", "../secret"), (str(tmp_path / "home" / "secret"),), ("python3", str(tmp_path / "home"))):
        found = confined(Isolation.FULL, words, str(tmp_path / "home" / "own"), (str(tmp_path / "home"),))
        bound = [found[index + 1] for index, word in enumerate(found) if word in ("--ro-bind", "--bind")]
        assert str(tmp_path / "home") not in bound
        assert str(tmp_path / "home" / "own") in bound


def test_an_entry_that_is_tried_again_has_nothing_of_its_last_build(submissions: Path, tmp_path: Path) -> None:
    (submissions / "ben.py").unlink()
    (submissions / "cem.py").unlink()
    private = tmp_path / "private"
    private.write_text("")
    private.chmod(0o600)
    (submissions / "anna" / "Makefile").write_text(f"all:\n\tln -s {private} run\n\tfalse\n")
    workplace = new_workplace(tmp_path / "run", submissions, CourseConfig(), Isolation.NONE, lambda _: None)
    for _ in range(2):  # a file `run` would be made executable, and started
        roll = read_roll(tmp_path / "run")
        (tmp_path / "run").mkdir(exist_ok=True)
        take_in(workplace, roll, submissions)
        assert "exit status 2" in roll.entry("anna").versions[0].reason
    assert private.stat().st_mode & 0o777 == 0o600


@pytest.mark.needs("bwrap")
def test_a_hidden_file_cannot_be_read() -> None:
    words = confined(Isolation.FULL, ("cat", os.__file__), "/", (os.__file__,))
    tried = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" 3</dev/null 4>&1 5>/dev/null', "sh", *words],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert tried.stdout == b""
    assert os.path.basename(os.__file__).encode() in tried.stderr


def test_the_roster_and_the_description_are_hidden_from_programs(submissions: Path) -> None:
    roster = submissions.parent / "names.csv"
    config = CourseConfig(roster=str(roster))
    given = submissions.parent / "elsewhere" / "my.toml"
    workplace = new_workplace(submissions.parent / "run", submissions, config, Isolation.NONE, print, config_path=given)
    assert {str(roster), str(submissions.parent / "course.toml"), str(given)} <= set(workplace.hidden)


@pytest.mark.slow
@pytest.mark.needs("bwrap")
def test_an_entry_sees_neither_the_others_nor_the_run(submissions: Path) -> None:
    spy = f"""
import os, sys
sys.stderr.write(repr([os.listdir({str(submissions)!r}), os.path.exists({str(submissions / "ben.py")!r})]))
try:
    open("kept", "w")
except OSError:
    sys.stderr.write(" read-only")
{GOOD % "min"}
raise SystemExit(3)
"""
    (submissions / "anna" / "agent.py").write_text(spy)
    assert run(["check", str(submissions / "anna"), "--practice", "0"]) == 0
    assert play(submissions, isolation="full") == 0
    roll = read_roll(submissions.parent / "run")
    assert roll.entry("anna").versions[0].verdict.startswith("ready")
    check = (submissions.parent / "run" / "entries" / "anna" / "1.check.json").read_text()
    assert "[[], False] read-only" in check


def check(path: Path) -> int:
    return run(["check", str(path), "--isolation", "none", "--practice", "0"])


def test_check_names_what_to_repair_and_fails(submissions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (submissions / "dora.py").write_text("def f(:\n")
    assert check(submissions / "dora.py") == 1
    assert "dora: not ready: dora.py, line 1: " in capsys.readouterr().out
    assert check(submissions / "nobody") == 2
    assert "nobody: no such file or folder" in capsys.readouterr().err


def test_a_folder_that_is_one_entry_is_checked_as_such_and_under_the_limits_of_the_course(
    submissions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (submissions.parent / "course.toml").write_text("games = 3\n")
    for place in (submissions, submissions / "anna"):
        assert check(place) == 2
        assert f"{submissions.parent / 'course.toml'}: games is 3" in capsys.readouterr().err
    (submissions.parent / "course.toml").write_text(CONFIG)
    assert check(submissions / "anna") == 0
    said = capsys.readouterr()
    assert said.err == "checking one entry: anna\n"
    assert said.out.endswith("\nanna: ready, with remarks (3 remarks)\n\n")


def test_the_command_that_repeats_a_problem_starts_the_program_of_its_author(
    submissions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(submissions / "cem.py") == 1
    assert f"| (cd {submissions} && python3 cem.py)\n" in capsys.readouterr().out
    monkeypatch.chdir(submissions)
    assert check(Path("cem.py")) == 1
    assert "| python3 cem.py\n" in capsys.readouterr().out


def test_check_shows_the_paths_of_the_author_and_not_those_of_its_copy(
    submissions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (submissions / "anna" / "agent.py").write_text("import os\nraise ValueError(os.path.abspath(__file__))\n")
    assert check(submissions / "anna") == 1
    out = capsys.readouterr().out
    assert f"ValueError: {submissions}/anna/agent.py" in out
    assert f'File "{submissions}/anna/agent.py", line 2' in out
    monkeypatch.chdir(submissions / "anna")
    assert check(Path("agent.py")) == 1
    assert "ValueError: ./agent.py" in capsys.readouterr().out


def test_check_sums_up_several_entries(submissions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in submissions.iterdir():
        if path.is_file():
            path.write_text("def f(:\n")
    (submissions / "anna" / "agent.py").write_text("print(1")
    assert check(submissions) == 1
    said = capsys.readouterr()
    assert said.err == f"checking 3 entries of {submissions}\n"
    assert said.out.endswith("-\nanna: not ready\nben: not ready\ncem: not ready\n")


def test_what_the_files_of_an_entry_show_is_said_before_what_the_check_found(
    submissions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (submissions / "anna" / "agent.py").unlink()
    text = "#!/usr/bin/env python3\n" + GOOD % "min"
    (submissions / "anna" / "run").write_bytes(text.replace("\n", "\r\n").encode())
    assert check(submissions / "anna") == 0
    out = capsys.readouterr().out
    assert out.startswith("remark: the lines of run ended with CR LF (Windows)")
    assert out.endswith("anna: ready, with remarks\n\n")


@pytest.mark.parametrize(
    ("place", "out", "says"),
    [
        ("nowhere", "run", "nowhere does not exist; SUBMISSIONS is a folder"),
        ("course.toml", "run", "course.toml is a file; SUBMISSIONS is a folder"),
        ("submissions", "submissions/run", "submissions/run lies in submissions, where it would be taken for an entry"),
        ("submissions", "submissions", "submissions lies in submissions, where it would be taken for an entry"),
        (".", "run", "run lies in ., where it would be taken for an entry"),
        ("submissions", ".", "submissions lies in ., the folder of the course"),
    ],
)
def test_submissions_and_run_are_two_folders(
    submissions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    place: str, out: str, says: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(submissions.parent)
    before = sorted(submissions.parent.rglob("*"))
    assert run([place, "--out", out, "--isolation", "none"]) == 2
    assert says in capsys.readouterr().err
    assert sorted(submissions.parent.rglob("*")) == before


def test_without_isolation_a_course_refuses_unless_it_is_asked_for(
    submissions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("connect4_agent.arena.course.course.why_not", lambda _: "bwrap cannot be found")
    assert run([str(submissions), "--out", str(submissions.parent / "run")]) == 2
    said = capsys.readouterr().err
    assert "bwrap cannot be found" in said
    assert "--isolation none" in said
    assert not (submissions.parent / "run").exists()


def test_a_roster_that_cannot_be_read_is_known_before_the_games(
    submissions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (submissions.parent / "course.toml").write_text(CONFIG + 'roster = "names.csv"\n')
    assert play(submissions) == 2
    assert "names.csv: No such file" in capsys.readouterr().err
    assert not (submissions.parent / "run").exists()
