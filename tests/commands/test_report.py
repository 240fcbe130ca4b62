"""connect4-agent report prints what a run's games say."""

from __future__ import annotations

import csv
import dataclasses
import json
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import connect4_agent as c4
from connect4_agent.arena.report import model
from connect4_agent.cli import main
from tests.processes import REPOSITORY, started_agent
from tests.sample_runs import record_of, tournament, write_match, write_tournament

FOUR = "0101010"
"""Player 1 wins in column 0."""


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing", "no such folder"), ("x" * 300, "no such folder"), (".", "it has no run.json")],
)
def test_what_is_no_run_folder_exits_2_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    assert main(["report", str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "is not a run folder" in captured.err
    assert reason in captured.err


def test_the_report_begins_with_the_standings_and_shows_all_tables_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(write_tournament(tmp_path / "run1", tournament(rounds=3), rounds=3))
    assert main(["report", run, "--sprt", "0,50"]) == 0
    printed = capsys.readouterr().out
    assert re.match(r"run1: 5 agents, \d+ of 60 games finished, \d+ lost without being played\n", printed)
    titles = ("Standings", "Crosstable", "Sequential test", "Faults")
    assert sorted(titles, key=lambda title: printed.index(f"\n{title}\n")) == list(titles)
    assert "not shown here: pairings, endings; use -v or --html" in printed
    assert main(["report", run, "-v"]) == 0
    verbose = capsys.readouterr().out
    for title in ("Pairings", "Endings"):
        assert f"\n{title}\n" in verbose
    for text in (printed, verbose):
        assert "\x1b" not in text
        assert " nan" not in text
        assert " inf" not in text


def test_json_holds_the_documented_keys_and_no_text_besides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(write_tournament(tmp_path / "run1", tournament(rounds=2), rounds=2))
    assert main(["report", run, "--json", "--anchor", "easy"]) == 0
    report = json.loads(capsys.readouterr().out)
    described = {
        model.Report: report,
        model.AgentReport: report["agents"][0],
        model.Pairing: report["pairings"][0],
        model.FirstFault: report["faults"][0],
    }
    page = (REPOSITORY / "docs" / "reference.md").read_text()
    for kind, found in described.items():
        assert set(found) == {field.name for field in dataclasses.fields(kind)}
        assert re.search(rf"auto\w+:: connect4_agent\.[\w.]*\b{kind.__name__}$", page, re.MULTILINE), kind
    assert report["anchor"] == "easy"
    easy = next(agent for agent in report["agents"] if agent["name"] == "easy")
    assert easy["rating"] == {"value": 0.0, "low": None, "high": None}
    assert easy["games"] == easy["wins"] + easy["draws"] + easy["losses"] + easy["not_played"]
    assert len(report["pairings"]) == 10
    assert report["pairings"][0]["sprt"] is None


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_standings_and_games_are_written_as_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [record_of(FOUR), record_of(FOUR, game=2, begins=2, agents=("b", "a"))]
    run = write_match(tmp_path / "run1", records)
    standings, games = tmp_path / "standings.csv", tmp_path / "games.csv"
    assert main(["report", str(run), "--csv", str(standings), "--games-csv", str(games)]) == 0
    assert capsys.readouterr().out == ""
    assert [(row["name"], row["points"], row["games"]) for row in read_csv(standings)] == [
        ("a", "2.0", "2"), ("b", "0.0", "2")
    ]  # fmt: skip
    first, second = read_csv(games)
    assert (first["run"], first["game"], first["player_1"], first["moves"]) == ("run1", "1", "a", "1212121")
    assert (second["began"], second["winner"], second["winner_name"], second["fault"]) == ("2", "2", "a", "")
    assert main(["report", str(run), "--csv", str(tmp_path / "none" / "x.csv")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_no_spreadsheet_takes_a_name_in_a_table_for_a_formula(tmp_path: Path) -> None:
    run = write_match(tmp_path / "run", [record_of(FOUR, agents=("=1+1", "b"))])
    standings, games = tmp_path / "standings.csv", tmp_path / "games.csv"
    assert main(["report", str(run), "--csv", str(standings), "--games-csv", str(games)]) == 0
    assert {row["name"] for row in read_csv(standings)} == {"'=1+1", "b"}
    assert read_csv(games)[0]["winner_name"] == "'=1+1"


def test_rows_of_agents_and_games_are_flat(tmp_path: Path) -> None:
    """As pandas.DataFrame takes them."""
    run = c4.read_run(write_match(tmp_path, [record_of(FOUR)]))
    rows = [*(agent.to_dict() for agent in run.standings), *(game.to_dict() for game in run.games)]
    assert all(value is None or isinstance(value, str | int | float) for row in rows for value in row.values())
    if find_spec("pandas"):
        frame = import_module("pandas").DataFrame(game.to_dict() for game in run.games)
        assert list(frame["moves"]) == ["1212121"]


def test_runs_are_joined_by_the_names_of_their_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (str(write_match(tmp_path / name / "same", [record_of(FOUR)])) for name in "xy")
    assert main(["report", one, two]) == 0
    assert capsys.readouterr().out.startswith(f"{one} + {two}: 2 agents")
    assert main(["report", one, one]) == 2
    assert "is given twice" in capsys.readouterr().err
    wide = str(write_match(tmp_path / "wide", [record_of(FOUR, width=8)]))
    assert main(["report", one, wide]) == 2
    assert "the boards differ: 7x6 and 8x6" in capsys.readouterr().err


def test_a_run_without_games_is_reported_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(write_match(tmp_path, []))]) == 0
    assert "warning: no game has been played yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--anchor", "nobody"], "'nobody'; the agents are 'a', 'b'"),
        (["--sprt", "5,0"], "elo0 must be below elo1"),
    ],
)
def test_options_that_make_no_sense_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    assert main(["report", str(write_match(tmp_path, [record_of(FOUR)])), *words]) == 2
    assert named in capsys.readouterr().err


def test_html_goes_into_the_run_folder_or_where_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_match(tmp_path / "run1", [record_of(FOUR)])
    assert main(["report", str(run), "--html"]) == 0
    assert main(["report", str(run), "--html", str(tmp_path / "page.html")]) == 0
    assert (run / "report.html").read_bytes() == (tmp_path / "page.html").read_bytes()
    assert sorted(path.name for path in run.iterdir()) == [
        "games.jsonl", "openings.json", "report.html", "run.json"
    ]  # fmt: skip
    assert capsys.readouterr().out == ""
    assert main(["report", str(run), "--html", str(tmp_path / "none" / "page.html")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    run = write_tournament(tmp_path, tournament(rounds=1), rounds=1)
    with started_agent("report", str(run)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
