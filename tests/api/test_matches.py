"""Matches and tournaments of specs, programs, objects and functions."""

from __future__ import annotations

import linecache
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.arena.faults import Ending
from tests.api.players import Answers, Leftmost, own_discs, rightmost
from tests.arena.helping import command_of
from tests.processes import clean_environment, running_with

UNPORTABLE = """\
import connect4_agent as c4
def mine(position): return position.legal_columns()[0]
try: c4.play_match(mine, "easy", games=2, jobs=2)
except c4.errors.ArenaError as error: print(error)
"""
RIGHT = shlex.join(command_of("right"))


def test_the_result_is_counted_from_the_side_of_the_first_agent() -> None:
    result = c4.play_match("easy", Leftmost(), games=4, openings="empty")
    again = c4.play_match(Leftmost(), "easy", games=4, openings="empty")
    assert (result.wins, result.draws, result.losses, result.points) == (4, 0, 0, 4.0)
    assert (again.wins, again.draws, again.losses, again.points) == (0, 0, 4, 0.0)
    assert result.agents == ("easy", "Leftmost")
    assert repr(result) == "<MatchResult easy - Leftmost: 4 : 0>"
    assert result.folder is None


def test_everything_that_can_play_meets_in_one_tournament() -> None:
    agents: dict[str, c4.Contestant] = {
        "spec": "first-open",
        "player": c4.player("first-open"),
        "seeded": c4.player("random", seed=1),
        "own evaluator": c4.player("negamax:depth=2", evaluator=own_discs),
        "object": Leftmost(),
        "function": rightmost,
        "command": RIGHT,
        "program": c4.agent(command_of("right"), time_limit=30.0),
    }
    run = c4.play_tournament(agents, games=2, time_limit=30.0, format="gauntlet")
    assert len(run.games) == 14
    assert all(game.fault is None for game in run.games)
    assert {agent.name for agent in run.standings} == set(agents)


def test_a_name_that_could_change_a_terminal_is_written_out() -> None:
    def odd(position: c4.Position) -> int:
        return position.legal_columns()[0]

    odd.__name__ = "odd\x1b[31m"
    result = c4.play_match(odd, "easy", games=2, openings="empty")
    assert result.agents == ("odd\\x1b[31m", "easy")
    assert result.losses == 2
    agents: dict[str, c4.Contestant] = {"\x1b[31m": odd, "easy": "easy"}
    assert c4.play_tournament(agents, games=2).standings[1].name == "\\x1b[31m"


def test_equal_agents_get_names_of_their_own() -> None:
    assert c4.play_match(rightmost, rightmost, games=2).agents == ("rightmost", "rightmost #2")


@pytest.mark.parametrize(
    ("answer", "ending", "words"),
    [
        (9, Ending.ILLEGAL_MOVE, "column 9 is not on the board"),
        (
            "3",
            Ending.MALFORMED_REPLY,
            "Answers chose '3'; allowed are a Choice and a column, one of 0, 1, 2, 3, 4, 5, 6",
        ),
        (None, Ending.MALFORMED_REPLY, "Answers chose None"),
        (True, Ending.MALFORMED_REPLY, "Answers chose True"),
    ],
)
def test_a_bad_choice_costs_the_game_and_nothing_more(answer: object, ending: Ending, words: str) -> None:
    with pytest.warns(RuntimeWarning, match="agent 'Answers' lost 2 of 2 games by its own fault"):
        result = c4.play_match(Answers(answer), "first-open", games=2, openings="empty")
    assert (result.wins, result.losses) == (0, 2)
    fault = result.games[0].fault
    assert result.games[0].ending is ending
    assert fault is not None
    assert words in fault.detail


def broken(position: c4.Position) -> int:
    return [][position.width]


def test_an_exception_costs_the_game_and_its_traceback_is_kept() -> None:
    with pytest.warns(
        RuntimeWarning, match="lost 2 of 2 games by its own fault, first by IndexError: list index"
    ) as told:
        result = c4.play_match(broken, "first-open", games=2)
    assert told[0].filename == __file__
    assert repr(result) == (
        "<MatchResult broken - first-open: 0 : 2; broken at fault in 2: IndexError: list index out of range>"
    )
    game = result.games[0]
    assert game.ending is Ending.CRASHED
    assert game.fault is not None
    assert game.fault.detail == "IndexError: list index out of range"
    assert "return [][position.width]" in game.fault.stderr_tail


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_of_a_python_object_is_raised_if_that_is_asked_for(jobs: int) -> None:
    with pytest.raises(c4.FaultError, match="crashed: broken: IndexError: list index out of range") as caught:
        c4.play_match(broken, "first-open", games=2, jobs=jobs, on_fault="raise")
    assert "return [][position.width]" in caught.value.__notes__[0]
    with pytest.raises(errors.ArenaError, match=r"on_fault is 'x'; allowed are 'warn' and 'raise'"):
        c4.play_match(broken, "first-open", on_fault="x")  # type: ignore[arg-type]


def test_what_an_agent_was_made_with_holds_in_a_match() -> None:
    late = c4.agent(command_of("late", "0.3"), time_limit=0.2, grace=60.0, start="bare", isolation="none")
    game = c4.play_match(late, lambda position: position.legal_columns()[-1], games=2, openings="empty").games[0]
    assert game.ending is Ending.FOUR  # it was late, but within its own grace
    assert game.isolation == "none"
    assert [overrun.ply for overrun in game.overruns if overrun.elapsed_ms >= 300] == [2]


def test_a_program_plays_against_a_python_object_several_games_at_a_time(tmp_path: Path) -> None:
    mark = str(tmp_path / "pids")
    result = c4.play_match(shlex.join(command_of("stubborn", mark)), Leftmost(), games=4, openings="empty", jobs=2)
    assert {game.fault.player for game in result.games if game.fault} <= {1, 2}
    assert len(result.games) == 4
    assert running_with(mark) == []


def test_objects_that_can_be_pickled_play_in_worker_processes() -> None:
    here = c4.play_match(Leftmost(), c4.player("random", seed=2), games=4)
    there = c4.play_match(Leftmost(), c4.player("random", seed=2), games=4, jobs=2)
    assert sorted(game.columns for game in there.games) == sorted(game.columns for game in here.games)


def test_objects_that_cannot_be_pickled_are_refused_for_worker_processes() -> None:
    with pytest.raises(errors.ArenaError, match=r"agent '<lambda>' cannot be sent to worker processes: .* Use jobs=1"):
        c4.play_match(lambda position: position.legal_columns()[0], "easy", games=2, jobs=2)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (["-c", UNPORTABLE], "agent 'mine' cannot be sent to worker processes: they cannot import it. Use jobs=1"),
        ([], "worker processes cannot be started here: a program that sets jobs must be a file"),
    ],
)
def test_what_workers_cannot_find_again_is_refused(way: list[str], words: str) -> None:
    result = subprocess.run(
        [sys.executable, *way], input=UNPORTABLE, capture_output=True, text=True, env=clean_environment(), check=True
    )
    assert words in result.stdout


PORTABLE = """\
import connect4_agent as c4
class Mine:
    def choose(self, position, limits):
        return position.legal_columns()[0]
"""


def test_a_script_that_workers_run_again_is_told_how_to_prevent_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PORTABLE + "c4.play_match(Mine(), 'random', games=2, jobs=2)\n")
    result = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env=clean_environment(), check=False
    )
    assert result.returncode == 1
    assert result.stderr.rstrip().endswith('play its matches under `if __name__ == "__main__":`')


@pytest.mark.parametrize(
    ("contestant", "error", "words"),
    [
        (Leftmost, errors.BadValueError, r"Leftmost is a class; give an object of it: Leftmost\(...\)"),
        (7, errors.BadValueError, "7 cannot choose moves; allowed are an object with choose"),
        (lambda: 3, errors.BadValueError, "<lambda> must take one argument, a position"),
        (
            type("Odd", (), {"choose": len})(),
            errors.BadValueError,
            "Odd.choose must take two arguments, a position and its limits",
        ),
        ("no-such-thing", errors.AgentError, "neither a command that can be found nor a built-in player"),
    ],
)
def test_what_cannot_play_is_refused_before_the_first_game(contestant: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        c4.play_match("easy", contestant)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"games": 3}, "play_match: games is 3; allowed: even numbers: every opening is played twice"),
        ({"games": 0}, "play_match: games is 0; allowed: numbers from 2 on"),
        ({"jobs": 0}, "play_match: jobs is 0; allowed are whole numbers from 1 on"),
        ({"time_limit": -1}, "play_match: time_limit is -1; allowed: numbers above 0"),
        ({"openings": "nowhere.txt"}, "openings is 'nowhere.txt'"),
        ({"width": 0}, "play_match: width is 0; allowed: numbers from 1 on"),
    ],
)
def test_bad_values_are_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(errors.ArenaError, match=words):
        c4.play_match("easy", "random", **keywords)


@pytest.mark.parametrize(
    ("agents", "keywords", "words"),
    [
        ({"a": "easy"}, {}, "agents has 1; allowed: at least 2"),
        (["easy", "hard"], {}, "agents is .*; allowed is a dict of names and agents"),
        ({"a": "easy", "b": "easy"}, {"games": "2"}, "play_tournament: games is '2'; allowed: a whole number"),
        ({"a": "easy", "b": "easy"}, {"format": "swiss"}, "format is 'swiss'; allowed: 'round-robin' or 'gauntlet'"),
    ],
)
def test_bad_tournaments_are_refused(agents: Any, keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(errors.ArenaError, match=words):
        c4.play_tournament(agents, **keywords)


def test_a_function_that_was_changed_plays_its_games_again(tmp_path: Path) -> None:
    module = tmp_path / "bots.py"
    counted = []
    for column in ("0", "0", "-1"):
        module.write_text(f"def bot(position):\n    return position.legal_columns()[{column}]\n")
        linecache.checkcache()
        bot = runpy.run_path(str(module))["bot"]
        counted.append(c4.play_match(bot, "first-open", games=2, out=tmp_path / "run").games)
    first, again, changed = counted
    assert again == first
    assert len(changed) == 2
    assert {game.game for game in changed}.isdisjoint(game.game for game in first)


@pytest.mark.needs("compiled")
def test_a_run_in_a_folder_is_continued_and_can_be_read_judged_and_reported(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    first = c4.play_match(Leftmost(), "easy", games=2, out=folder)
    again = c4.play_match(Leftmost(), "easy", games=2, out=folder)
    assert again.games == first.games
    with pytest.raises(errors.RunFolderError, match="holds games on 7 columns and 6 rows"):
        c4.play_match(Leftmost(), "easy", games=2, out=folder, width=6)
    longer = c4.play_match(Leftmost(), "easy", games=4, out=folder)
    assert longer.games[:2] == first.games
    c4.play_match(Leftmost(), "easy", games=2, out=folder)
    run = c4.read_run(str(folder))
    assert run.games == first.games
    assert repr(run) == "<Run spring: 2 agents, 2 of 2 games finished>"
    assert run.report().judged_games == 0
    judged = run.judge()
    assert judged.report().judged_games == 2
    assert c4.read_run(folder).report().judged_games == 2
    assert first.judge().games == judged.games
    assert c4.play_match(Leftmost(), "easy", games=2).judge().report().judged_games == 2
    assert c4.play_match("random", "first-open", games=6).report(anchor="random").anchor == "random"
    with pytest.raises(errors.BadValueError):
        run.report(anchor="nobody")


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.RunFolderError, match="is not a run folder"):
        c4.read_run(tmp_path / "nowhere")


def test_a_result_shows_itself_as_a_table_that_no_name_can_break() -> None:
    agents: dict[str, c4.Contestant] = {"<b>bold</b>": "easy", "b": "random"}
    run = c4.play_tournament(agents, games=2)
    page = run._repr_html_()
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "<b>bold" not in page
    assert page.count("<table>") == 1
