"""connect4-agent tournament FOLDER: a folder of programs, such as that of the example, becomes a table of facts."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from connect4_agent.arena.journal import JOURNAL_NAME, read_games
from connect4_agent.cli import main
from tests.processes import REPOSITORY

CLASS = REPOSITORY / "examples" / "class" / "submissions"
COLUMNS = [
    *("name", "version", "ready", "problem", "games", "won", "drawn", "lost", "points", "share", "share_low"),
    *("share_high", "illegal_move", "malformed_reply", "timed_out", "crashed", "would_not_start"),
    *("errors_per_100_moves", "accuracy", "strongest_level_beaten", "unclear_level", "games_to_decide", "rating"),
    *("rating_low", "rating_high"),
]
FEW = 'references = ["level:1"]\ngames = 2\ntime_limit = 10.0\n'
GOOD = "def choose(grid, player):\n    return next(c for c, cells in enumerate(grid) if cells[0] == 0)\n"


def rows(run: Path) -> dict[str, dict[str, str]]:
    with (run / "results.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def games(run: Path) -> int:
    return sum(1 for _ in read_games(run, pytest.fail))


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """The example with fewer games."""
    shutil.copytree(CLASS, tmp_path / "submissions")
    (tmp_path / "submissions" / "tournament.toml").write_text(FEW)
    return tmp_path / "submissions"


@pytest.mark.slow
@pytest.mark.needs("cc", "node")
def test_a_class_becomes_a_table_and_plays_only_what_is_new(
    submissions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    command = ["tournament", str(submissions), "--out", str(run)]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "dana" in printed.out.partition("Not ready")[0]
    assert "fatima  every move is one too large" in printed.out.partition("Not ready")[2]
    assert "main.py --player 1 --width 7 --height 6" in printed.err
    assert games(run) == 5 * 2 + 10 * 2
    found = rows(run)
    assert list(found["ada"]) == COLUMNS
    assert {name: row["ready"] for name, row in found.items()} == dict.fromkeys(found, "yes") | {"fatima": "no"}
    assert sorted(found) == ["ada", "bruno", "chen", "dana", "emil", "fatima"]
    for row in found.values():
        assert int(row["won"]) + int(row["drawn"]) + int(row["lost"]) == int(row["games"])
        assert float(row["points"]) == int(row["won"]) + int(row["drawn"]) / 2
    assert all(row["accuracy"] and row["errors_per_100_moves"] for row in found.values() if row["ready"] == "yes")
    assert (found["fatima"]["games"], found["fatima"]["rating"]) == ("0", "")
    assert found["fatima"]["problem"].startswith("every move is one too large: columns are counted from 1")

    fatima = submissions / "fatima.py"
    fatima.write_text(fatima.read_text().replace("1 + next", "next"))
    (submissions / "late.py").write_text(GOOD)
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "7 entries, 2 to check" in printed.err
    assert games(run) == 7 * 2 + 21 * 2
    assert {row["ready"] for row in rows(run).values()} == {"yes"}
    assert main(command) == 0
    assert games(run) == 56
    (submissions / "late.py").write_text(GOOD + "# second version\n")
    assert main(command) == 0
    assert games(run) == 56 + 2 * 7

    assert main(["report", str(run), "--pages", str(tmp_path / "pages")]) == 0
    assert sorted(path.stem for path in (tmp_path / "pages").iterdir()) == [*sorted(rows(run)), "level_1"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "holds no entries"),
        ({"anna.py": GOOD, "anna/agent.py": GOOD}, "anna and anna.py are both the entry 'anna'"),
        ({"anna.py": GOOD, "tournament.toml": "games = 3"}, "games is 3; allowed: even numbers"),
    ],
)
def test_bad_folders_exit_2_and_nothing_that_has_been_played_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], says: str
) -> None:
    folder, run = tmp_path / "in", tmp_path / "run"
    folder.mkdir()
    run.mkdir()
    (run / JOURNAL_NAME).write_text("what has been played")
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with pytest.raises(SystemExit, match="2"):
        main(["tournament", str(folder), "--out", str(run)])
    assert says in capsys.readouterr().err
    assert [path.name for path in run.iterdir()] == [JOURNAL_NAME]
    assert (run / JOURNAL_NAME).read_text() == "what has been played"


def test_a_file_instead_of_a_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "class.zip").write_bytes(b"PK")
    for name, says in (("class.zip", "is neither a TOML file nor a folder of programs"), ("none", "cannot read")):
        with pytest.raises(SystemExit, match="2"):
            main(["tournament", str(tmp_path / name)])
        assert says in capsys.readouterr().err


def test_entries_that_fail_play_nothing_and_take_the_others_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, run = tmp_path / "in", tmp_path / "run"
    folder.mkdir()
    (folder / "tournament.toml").write_text(FEW)
    (folder / "bad.py").write_text("import no_such_module\n")
    command = ["tournament", str(folder), "--out", str(run), "--tolerate-faults"]
    assert main(command) == 1
    assert "no entry is ready" in capsys.readouterr().err
    assert rows(run)["bad"]["ready"] == "no"
    (folder / "good.py").write_text(GOOD)
    assert main(command) == 0
    assert {name: row["games"] for name, row in rows(run).items()} == {"good": "2", "bad": "0"}
    (folder / "good.py").write_text("import no_such_module\n")
    assert main(command) == 1
    assert games(run) == 2
    assert {name: row["ready"] for name, row in rows(run).items()} == {"good": "no", "bad": "no"}


def test_the_plan_counts_all_entries_and_checks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "anna.py").write_text(GOOD)
    (tmp_path / "ben.py").write_text(GOOD)
    assert main(["tournament", str(tmp_path), "--plan", "--out", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out.startswith("180 games, 20 for each of 9 pairings")
    assert not (tmp_path / "run").exists()
