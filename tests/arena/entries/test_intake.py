"""The intake: entries are found, copied, built and checked once for each version."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena.check.check import check_agent
from connect4_agent.arena.config import Format, RunConfig
from connect4_agent.arena.entries import intake
from connect4_agent.arena.entries.intake import REFERENCES, Intake, find_entries
from connect4_agent.arena.run import Entry, read_entries
from connect4_agent.arena.spec import StartForm
from connect4_agent.jobs.interrupts import Stop

GOOD = "def choose(grid, player):\n    return next(c for c, cells in enumerate(grid) if cells[0] == 0)\n"
BROKEN = "def choose(grid, player):\n    return 9\n"
FROM_1 = GOOD.replace("return ", "return 1 + ")
NEEDS_FLAGS = """
import json, sys
width, height, player = (int(sys.argv[sys.argv.index(f"--{name}") + 1]) for name in ("width", "height", "player"))
def four(grid, player):
    return any(all(0 <= c + i * x < width and 0 <= r + i * y < height and grid[c + i * x][r + i * y] == player
        for i in range(4)) for c in range(width) for r in range(height) for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)))
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    moves = [c for c in range(width) if grid[c][0] == 0]
    best = moves[0]
    for mover in (player, 3 - player):  # the last one counts: it blocks before it wins
        for c in moves:
            r = max(r for r in range(height) if grid[c][r] == 0)
            grid[c][r] = mover
            best = c if four(grid, mover) else best
            grid[c][r] = 0
    print(json.dumps({"move": best}), flush=True)
"""
NEEDS_WORDS = """
import json, sys
player, _, width = map(int, sys.argv[1:4])
for line in sys.stdin:
    print(json.dumps({"move": next(c for c, cells in enumerate(json.loads(line)["grid"]) if not cells[0])}), flush=True)
"""


def write(folder: Path, **files: str) -> Path:
    """A folder of entries; two underscores in a name stand for a dot, one after a letter group for a slash."""
    for name, text in files.items():
        path = folder / name.replace("__", ".").replace("_IN_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def take(folder: Path, run: Path, again: tuple[str, ...] = (), **values: Any) -> tuple[RunConfig | None, list[str]]:
    """The tournament, and the lines that were printed."""
    said: list[str] = []
    taken = Intake(folder, run, {"isolation": "none", **values}, said.append).take(again=again)
    return taken, said


def entries(run: Path) -> dict[str, Entry]:
    return {each.name: each for each in read_entries(run) if each.is_present}


def test_entries_are_checked_once_for_each_version_and_only_what_is_new(tmp_path: Path) -> None:
    folder, run = write(tmp_path / "in", anna_IN_agent__py=GOOD, ben_IN_bot__py=FROM_1), tmp_path / "run"
    taken, said = take(folder, run)
    assert taken is not None
    assert [agent.name for agent in taken.agents] == [*REFERENCES, "anna"]
    assert (taken.format, taken.others_meet, taken.references) == (Format.GAUNTLET, True, REFERENCES)
    anna, ben = entries(run)["anna"], entries(run)["ben"]
    assert said == [
        "2 entries, 2 to check",
        f"anna {anna.version}: ready: {shutil.which('python3')} agent.py",
        f"ben {ben.version}: not ready: {ben.problem}",
    ]
    assert (
        ben.problem
        == "every move is one too large: columns are counted from 1; columns count from 0: the leftmost is 0"
    )
    assert (anna.is_ready, ben.is_ready) == (True, False)
    assert "ben: not ready (1 problem)" in ben.check[-1]
    assert str(tmp_path) not in "".join(ben.check)
    assert take(folder, run)[1] == ["2 entries, 0 to check"]
    write(folder, anna_IN_agent__py=GOOD + "# 2\n", late__py=GOOD, **{"ben_IN_.DS_Store": "x"})
    taken, said = take(folder, run)
    assert taken is not None
    assert [line.split()[0] for line in said] == ["3", "anna", "late"]
    assert entries(run)["anna"].version != anna.version
    assert {each.version: each.is_present for each in read_entries(run) if each.name == "anna"}[anna.version] is False
    versions = {agent.name: agent.version for agent in taken.agents}
    assert versions["anna"] == entries(run)["anna"].version
    (folder / "late.py").unlink()
    write(folder, anna_IN_agent__py=GOOD)
    assert take(folder, run)[1] == ["2 entries, 0 to check"]  # the first version is known
    assert set(entries(run)) == {"anna", "ben"}


@pytest.fixture
def few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let checks try the cases alone that tell one start from another."""
    monkeypatch.setattr(intake, "all_cases", lambda *_: {})


@pytest.mark.usefixtures("few_cases")
def test_other_limits_a_name_and_a_missing_copy_are_reasons_to_check_again(tmp_path: Path) -> None:
    folder, run = write(tmp_path / "in", anna__py=GOOD, ben__py=BROKEN), tmp_path / "run"
    take(folder, run)
    assert take(folder, run, time_limit=3.0)[1][0] == "2 entries, 2 to check"
    assert take(folder, run, ("ben",), time_limit=3.0)[1][0] == "2 entries, 1 to check"
    shutil.rmtree(next((run / "entries").glob("anna-*")))
    assert take(folder, run, time_limit=3.0)[1][0] == "2 entries, 1 to check"
    with pytest.raises(errors.ArenaError, match="there is no entry 'bne'; there are anna, ben, level:1"):
        take(folder, run, ("bne",))


@pytest.mark.usefixtures("few_cases")
@pytest.mark.parametrize(
    ("source", "form"),
    [(GOOD, StartForm.BARE), (NEEDS_FLAGS, StartForm.FLAGS), (NEEDS_WORDS, StartForm.WORDS)],
    ids=["bare", "flags", "words"],
)
def test_the_start_that_answers_best_is_found_by_trying(tmp_path: Path, source: str, form: StartForm) -> None:
    taken, _ = take(write(tmp_path / "in", anna__py=source), tmp_path / "run")
    assert taken is not None
    assert taken.agents[-1].start is form
    anna = entries(tmp_path / "run")["anna"]
    words = {"bare": "", "flags": " --player 1 --width 7 --height 6", "words": " 1 1 7 7 6 6"}[form]
    assert (anna.start, anna.runs) == (form, f"{shutil.which('python3')} anna.py{words}")


def test_a_missing_module_names_the_path_of_the_interpreter(tmp_path: Path) -> None:
    _, said = take(write(tmp_path / "in", anna__py="import no_such_module\n" + GOOD), tmp_path / "run")
    assert "No module named 'no_such_module'" in said[1]
    assert f"install it for {shutil.which('python3')}, which runs the program" in said[1]


@pytest.mark.usefixtures("few_cases")
def test_a_problem_in_one_line_does_not_point_to_lines_below_it(tmp_path: Path) -> None:
    _, said = take(write(tmp_path / "in", anna__py="import os\nos._exit(3)\n"), tmp_path / "run")
    assert said[1].endswith("not ready: it ended with exit status 3; standard error says where it happened")


@pytest.mark.usefixtures("few_cases")
@pytest.mark.needs("cc")
def test_a_program_is_built_in_the_run_and_a_failure_names_the_error(tmp_path: Path) -> None:
    program = """
        #include <stdio.h>
        #include <string.h>
        int main(void) { static char line[9999];
          while (fgets(line, 9999, stdin)) { int c = 0; char *at = strstr(line, "[[");
            while (at[c ? 1 : 2] != '0') { at = strchr(at + 2, '['); c++; }
            printf("{\\"move\\": %d}\\n", c); fflush(stdout); } }
    """
    folder = write(tmp_path / "in", anna__c=program, ben_IN_agent__c="int main(void) { return x; }")
    taken, said = take(folder, tmp_path / "run")
    assert taken is not None
    assert [agent.command for agent in taken.agents[4:]] == [("./agent",)]
    assert "building it failed: cc -O2 -o agent agent.c -lm ended with exit status 1 (agent.c:1:25: error: " in said[2]
    assert entries(tmp_path / "run")["ben"].check[0] == "$ cc -O2 -o agent agent.c -lm"
    assert sorted(path.name for path in folder.rglob("*")) == ["agent.c", "anna.c", "ben"]


@pytest.mark.usefixtures("few_cases")
def test_what_cannot_be_understood_is_one_line_and_stops_nobody(tmp_path: Path) -> None:
    toml = 'command = "agent.py"\ntime_limit = 60'
    folder = write(
        tmp_path / "in", anna__py=GOOD, notes__txt="hello", broken__zip="no archive", slow_IN_agent__toml=toml,
        twin_IN_agent__toml='command = "agent.py"\nname = "anna"',
        odd_IN_agent__toml='command = "x"\npython = "python3"',
    )  # fmt: skip
    write(folder, **{"level:1__py": GOOD})
    (folder / "empty").mkdir()
    taken, said = take(folder, tmp_path / "run")
    assert taken is not None
    assert [agent.name for agent in taken.agents] == [*REFERENCES, "anna"]
    problems = {name: each.problem for name, each in entries(tmp_path / "run").items() if not each.is_ready}
    assert problems["notes"].startswith("found: notes.txt; accepted: a Python file")
    assert problems["broken"].startswith("broken.zip cannot be unpacked")
    assert problems["slow"] == "agent.toml: time_limit is 60; allowed: up to 10, the tournament's"
    assert problems["twin"] == "its name, 'anna', is taken; give it another one"
    assert problems["level:1"] == "its name, 'level:1', is taken; give it another one"
    assert problems["odd"].startswith("agent.toml: python is the interpreter of a Python file")
    assert problems["empty"] == "it is empty: there is no program in it"
    assert len(said) == 1 + len([*problems, "anna"])
    assert all("\n" not in line for line in said)


def test_tournament_toml_has_the_rest_and_options_go_before_it(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "in", anna__py=GOOD, ben__py=GOOD, lines__txt="4453\n",
        tournament__toml='references = ["easy"]\namong_themselves = false\ngames = 6\nopenings = "lines.txt"\n',
    )  # fmt: skip
    config = Intake(folder, tmp_path / "run", {"games": 4}).config
    assert [agent.name for agent in config.agents] == ["easy", "anna", "ben"]
    assert (config.games, config.others_meet, config.game_count) == (4, False, 8)
    assert config.openings == str(folder / "lines.txt")
    write(folder, tournament__toml="references = []")
    config = Intake(folder, tmp_path / "run", {}).config
    assert (config.format, config.game_count) == (Format.ROUND_ROBIN, 3 * 20)  # lines.txt is an entry now


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ('references = ["level:99"]', r"tournament\.toml: references: .*level:99"),
        ("games = 3", "games is 3"),
        ('format = "gauntlet"', r"tournament\.toml: format is not a key here"),
        ("[[agents]]", r"tournament\.toml: agents is not a key here"),
        ("gmaes = 2", r"gmaes is not a known key \(did you mean games\?\)"),
        ("games = ", r"tournament\.toml is not TOML"),
        ('references = "easy"', "references is 'easy'; allowed: a list"),
    ],
)
def test_a_bad_description_is_refused_with_its_key(tmp_path: Path, toml: str, says: str) -> None:
    write(tmp_path / "in", anna__py=GOOD, ben__py=GOOD, tournament__toml=toml)
    with pytest.raises(errors.ArenaError, match=says):
        Intake(tmp_path / "in", tmp_path / "run", {})
    assert not (tmp_path / "run").exists()


def test_an_empty_folder_and_two_entries_of_one_name_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "in", **{".DS_Store": "", "tournament__toml": ""})
    with pytest.raises(errors.ArenaError, match="in holds no entries: each file or folder directly in it is one"):
        find_entries(tmp_path / "in", {tmp_path / "in" / "tournament.toml"})
    write(tmp_path / "in", anna_IN_agent__py=GOOD, anna__zip="")
    with pytest.raises(errors.ArenaError, match=r"anna and anna\.zip are both the entry 'anna'; remove or rename one"):
        find_entries(tmp_path / "in")


def test_a_run_in_the_folder_is_not_an_entry(tmp_path: Path) -> None:
    write(tmp_path, anna__py=GOOD, old_IN_run__json="{}", run_IN_x="")
    assert list(find_entries(tmp_path, {tmp_path / "run"})) == ["anna"]


@pytest.mark.usefixtures("few_cases")
def test_a_stopped_intake_keeps_the_results_that_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, run = write(tmp_path / "in", anna__py=GOOD, ben__py=GOOD, cem__py=GOOD), tmp_path / "run"
    stops: list[Stop] = []

    class StopsAfterOne(Stop):
        def __init__(self) -> None:
            super().__init__()
            stops.append(self)

    def check_and_stop(*arguments: Any, **options: Any) -> Any:
        stops[0].is_asked = True
        return check_agent(*arguments, **options)

    monkeypatch.setattr(intake, "Stop", StopsAfterOne)
    monkeypatch.setattr(intake, "check_agent", check_and_stop)
    assert take(folder, run)[0] is None
    assert [each.name for each in read_entries(run)] == ["anna"]
    monkeypatch.undo()
    assert take(folder, run)[1][0] == "3 entries, 2 to check"
