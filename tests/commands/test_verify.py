"""verify: every record is replayed by the rules and held against the schedule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from connect4_agent.cli import main
from tests.arena.helping import command_of

Record = dict[str, Any]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a small run without faults."""
    folder = tmp_path_factory.mktemp("run")
    assert main(["match", "random", "first-open", "--games", "6", "--jobs", "1", "--out", str(folder)]) == 0
    return folder / "games.jsonl"


@pytest.fixture
def verified(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[[Callable[[list[Record]], None]], tuple[int, list[str]]]:
    """The exit status and the printed lines after a change to the records, which are in the order of the schedule."""

    def verify(change: Callable[[list[Record]], None]) -> tuple[int, list[str]]:
        records = [orjson.loads(line) for line in journal.read_bytes().splitlines()]
        records.sort(key=lambda record: int(record["game"]))
        change(records)
        for name in ("run.json", "openings.json"):
            (tmp_path / name).write_bytes(journal.with_name(name).read_bytes())
        (tmp_path / "games.jsonl").write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
        capsys.readouterr()
        status = main(["verify", str(tmp_path)])
        return status, capsys.readouterr().out.splitlines()

    return verify


def test_a_run_that_nobody_has_touched_holds(verified: Any) -> None:
    status, lines = verified(lambda _: None)
    assert status == 0
    assert len(lines) == 1
    assert lines[0].startswith("6 of 6 scheduled games hold in ")


def test_games_that_are_missing_are_counted_and_do_no_harm(verified: Any) -> None:
    status, lines = verified(lambda records: records.pop(2))
    assert status == 0
    assert lines[0].startswith("5 of 6 scheduled games hold")
    assert lines[0].endswith("; 1 game is missing or wrong")


def swap_winner(records: list[Record]) -> None:
    records[2]["winner"] = 3 - records[2]["winner"]


def swap_agents(records: list[Record]) -> None:
    records[2]["agents"].reverse()


def name_a_stranger(records: list[Record]) -> None:
    records[2]["agents"][0] = "nobody"


def call_it_a_draw(records: list[Record]) -> None:
    records[2]["ending"], records[2]["winner"] = "draw", None


def move_on(records: list[Record]) -> None:
    records[2]["columns"].append(3)
    records[2]["times_ms"].append(1.0)


def take_back(records: list[Record]) -> None:
    records[2]["columns"].pop()
    records[2]["times_ms"].pop()


def leave_the_board(records: list[Record]) -> None:
    records[2]["columns"][-1] = 7


def lose_a_time(records: list[Record]) -> None:
    records[2]["times_ms"].pop()


def change_the_opening(records: list[Record]) -> None:
    records[2]["opening"] = records[2]["columns"][:4] = [6, 6, 6, 6]


def time_out(records: list[Record]) -> None:
    records[2]["ending"] = "timed out"


def invent_a_fault(records: list[Record]) -> None:
    records[2]["fault"] = {"player": 1, "detail": "made up"}


def forfeit(records: list[Record]) -> None:
    records[2] |= {"ending": "forfeited", "fault": {"player": 1, "detail": "made up"}, "winner": 2}


def take_another_seed(records: list[Record]) -> None:
    records[2]["seed"] = 7


def play_too_many(records: list[Record]) -> None:
    records[2]["game"] = 6


def play_twice(records: list[Record]) -> None:
    records[2] = records[1]


def write_nonsense(records: list[Record]) -> None:
    records[2] = {"game": 2}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (swap_winner, "winner is "),
        (swap_agents, "scheduled is"),
        (name_a_stranger, "agents is ['nobody', "),
        (call_it_a_draw, "the ending is 'draw', but player "),
        (move_on, "the game is over after "),
        (take_back, "the ending is 'four in a row', but the game is not over"),
        (leave_the_board, "column 7"),
        (lose_a_time, " times for "),
        (change_the_opening, "opening is [6, 6, 6, 6]; scheduled is "),
        (time_out, "the ending is 'timed out', but player "),
        (invent_a_fault, "player 1 has a fault, but the ending is 'four in a row'"),
        (forfeit, "the ending is 'forfeited', but player "),
        (take_another_seed, "seed is 7; that of the run is 0"),
        (play_too_many, "game 6: only 6 games are scheduled"),
        (play_twice, "game 1 appears twice"),
        (write_nonsense, "Field required"),
    ],
)
def test_a_line_that_does_not_hold_is_named(verified: Any, change: Callable[[list[Record]], None], told: str) -> None:
    status, lines = verified(change)
    assert status == 1
    assert len(lines) == 2
    assert lines[0].startswith("line 3: ")
    assert told in lines[0]
    assert "5 of 6 scheduled games hold" in lines[1]
    assert "; 1 line does not" in lines[1]


def test_faults_forfeits_and_adjudicated_games_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", "6", "--jobs", "1", "--tolerate-faults"]
    crashing = " ".join(command_of("crash_at_start"))
    assert main(["match", crashing, "random", *words, "--out", str(tmp_path / "faults")]) == 0
    assert main(["match", "random", "first-open", "--adjudicate", *words, "--out", str(tmp_path / "near")]) == 0
    for name in ("faults", "near"):
        assert main(["verify", str(tmp_path / name)]) == 0
        assert "6 of 6 scheduled games hold" in capsys.readouterr().out


def test_a_folder_that_is_not_a_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path)]) == 2
    assert "is not a run folder: it has no run.json" in capsys.readouterr().err
