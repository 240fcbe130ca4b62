"""connect4-agent report prints what a run's games say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from connect4_agent.cli import main
from tests.processes import started_agent
from tests.sample_runs import record_of, tournament, write_run

FOUR = "0101010"
"""Player 1 wins in column 0."""


@pytest.mark.parametrize(("name", "reason"), [("missing", "no such folder"), (".", "games.jsonl: No such file")])
def test_what_is_no_run_folder_exits_2_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    assert main(["report", str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "is not a run folder" in captured.err
    assert reason in captured.err


def test_the_report_names_agents_endings_and_what_is_not_rated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(write_run(tmp_path / "run1", tournament(rounds=3))), "--sprt", "0", "50"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("run1: 52 games, 52 rated, ")
    for title in ("Crosstable", "Ratings", "Pairings, by game pairs", "Sequential test", "Endings", "Slowest moves"):
        assert f"\n{title}\n" in printed
    assert "\x1b" not in printed
    assert " nan" not in printed
    assert " inf" not in printed


def test_json_holds_the_documented_keys_and_no_text_besides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(write_run(tmp_path / "run1", tournament(rounds=2))), "--json", "--anchor", "easy"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report) == {
        "run", "games", "rated_games", "distinct_games", "void_games", "due_games",
        "isolation", "judged_games",
        "anchor", "sprt_bounds", "agents", "pairings", "slowest", "faults", "notes",
    }  # fmt: skip
    assert report["anchor"] == "easy"
    easy = next(agent for agent in report["agents"] if agent["name"] == "easy")
    assert easy["rating"] == {"value": 0.0, "low": None, "high": None}
    assert easy["games"] == easy["wins"] + easy["draws"] + easy["losses"]
    assert len(report["pairings"]) == 10
    assert report["pairings"][0]["sprt"] is None


def test_an_empty_journal_is_reported_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(write_run(tmp_path, []))]) == 0
    assert "note: the journal has no games yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--anchor", "nobody"], "'nobody'; the agents are 'a', 'b'"),
        (["--sprt", "5", "0"], "elo0 must be below elo1"),
        (["--sprt", "0", "5", "--alpha", "0.7"], "alpha is 0.7"),
    ],
)
def test_options_that_make_no_sense_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    assert main(["report", str(write_run(tmp_path, [record_of(FOUR)])), *words]) == 2
    assert named in capsys.readouterr().err


def test_html_goes_into_the_run_folder_or_where_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run1", [record_of(FOUR)])
    assert main(["report", str(run), "--html"]) == 0
    assert main(["report", str(run), "--html", str(tmp_path / "page.html")]) == 0
    assert (run / "report.html").read_bytes() == (tmp_path / "page.html").read_bytes()
    assert sorted(path.name for path in run.iterdir()) == ["games.jsonl", "report.html"]
    assert capsys.readouterr().out == ""
    assert main(["report", str(run), "--html", str(tmp_path / "none" / "page.html")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    run = write_run(tmp_path, tournament(rounds=1))
    with started_agent("report", str(run)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
