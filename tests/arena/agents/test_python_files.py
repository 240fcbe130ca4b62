"""Python files as agents: named on a command line, in TOML and in the API, checked, and known by their own content."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.arena.agents import host
from connect4_agent.arena.check.check import check_agent
from connect4_agent.arena.check.result import Kind, Verdict
from connect4_agent.arena.check.text import format_result
from connect4_agent.arena.config import read_config
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.spec import HOST, AgentSpec, StartForm, new_spec, parse_agent
from connect4_agent.arena.versions import find_version, missing_part
from tests.arena.helping import built_in, play_game, setup_of
from tests.processes import run_agent

FIRST_OPEN = """\
def first_open(grid, player):
    return next(column for column, cells in enumerate(grid) if cells[0] == 0)

def last_open(grid, player):
    return max(column for column, cells in enumerate(grid) if cells[0] == 0)
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "bot.py"
    path.write_text(FIRST_OPEN)
    return path


def spec_of(path: Path, name: str = "", **settings: object) -> AgentSpec:
    command = (f"{path.name}:{name}" if name else path.name,)
    values = {"time_limit": 30.0, "startup": 60.0, "isolation": "none", "python": sys.executable, **settings}
    return new_spec({"name": "bot", "command": command, "directory": str(path.parent), **values})


def test_the_host_of_a_spec_is_the_host() -> None:
    assert Path(host.__file__) == Path(HOST)


@pytest.mark.parametrize("end", ["", ":first_open"])
def test_a_file_is_started_by_its_interpreter_with_the_host(bot: Path, end: str) -> None:
    word = f"{bot}{end}"
    spec = parse_agent(f"mine={shlex.quote(word)} --depth 3")
    assert (spec.name, spec.command, spec.python_file) == ("mine", (word, "--depth", "3"), str(bot))
    assert spec.command_for(1, 7, 6) == ("python3", HOST, word, "--depth", "3")
    other = spec.model_copy(update={"python": "/opt/bin/python3.9", "start": StartForm.WORDS})
    assert other.command_for(2, 7, 6)[:3] == ("/opt/bin/python3.9", HOST, word)
    assert other.command_for(2, 7, 6)[-6:] == ("2", "2", "7", "7", "6", "6")


@pytest.mark.parametrize("command", ["python3 bot.py", "./bot.pyc", "bot.py.sh", "negamax"])
def test_other_commands_are_not_python_files(command: str) -> None:
    spec = new_spec({"name": "x", "command": command})
    assert (spec.python_file, spec.words) == (None, tuple(command.split()))
    with pytest.raises(errors.AgentError, match=r'python is the interpreter of a Python file: command = "bot\.py"'):
        new_spec({"name": "x", "command": command, "python": "python3"})


def test_a_built_in_player_has_no_interpreter() -> None:
    with pytest.raises(errors.AgentError, match="a built-in player has no python"):
        new_spec({"name": "x", "player": "hard", "python": "python3"})


def test_a_file_that_is_not_there_is_an_error_before_the_first_game(bot: Path) -> None:
    with pytest.raises(errors.AgentError, match=r"agent 'none.py:choose': there is no file none\.py"):
        parse_agent("none.py:choose")
    assert missing_part(spec_of(bot, "first_open")) is None
    assert missing_part(spec_of(bot.parent / "none.py")) == f"{bot.parent / 'none.py'}: not found"
    assert missing_part(spec_of(bot, python="no-such-python")) == "no-such-python: not found in PATH"


@pytest.mark.parametrize("with_directory", [True, False])
def test_the_version_is_the_file_the_name_and_the_interpreter(bot: Path, *, with_directory: bool) -> None:
    def version(name: str = "first_open", **settings: object) -> str:
        spec = spec_of(bot, name, **settings)
        if not with_directory:
            spec = spec.model_copy(update={"command": (f"{bot}:{name}",), "directory": None})
        return find_version(spec)

    before = version()
    assert version() == before
    assert len({before, version("last_open"), version(python="python3.9")}) == 3
    bot.write_text(FIRST_OPEN + "\n")
    assert version() != before


def test_functions_of_one_file_play_each_other(bot: Path) -> None:
    one, two = (spec_of(bot, name).model_copy(update={"name": name}) for name in ("first_open", "last_open"))
    record = play_game(setup_of(one, two))
    assert (record.ending, record.columns) == (Ending.FOUR, (0, 6, 0, 6, 0, 6, 0))


@pytest.mark.parametrize(
    ("source", "ending", "words"),
    [
        ("def choose(g, p):\n    return 0\n", Ending.ILLEGAL_MOVE, "column 0 is full"),
        (
            "def choose(g, p):\n    return None\n",
            Ending.MALFORMED_REPLY,
            "choose (bot.py, line 1) returned None; a move",
        ),
        ("def choose(g, p):\n    return g[0][9]\n", Ending.MALFORMED_REPLY, "list index out of range (bot.py, line 2)"),
        ("def choose(g, p)\n", Ending.WOULD_NOT_START, "bot.py: line 1: "),
        ("x = 1\n", Ending.WOULD_NOT_START, "bot.py: nothing in it can be asked for a move"),
    ],
)
def test_a_failure_loses_the_game_with_its_words_and_is_not_replaced_by_a_move(
    bot: Path, source: str, ending: Ending, words: str
) -> None:
    bot.write_text(source)
    record = play_game(setup_of(spec_of(bot), built_in("first-open")))
    assert (record.ending, record.winner) == (ending, 2)
    assert record.fault is not None
    assert words in f"{record.fault.detail} {record.fault.stderr_tail}"
    if ending is Ending.ILLEGAL_MOVE:
        assert "choose (bot.py, line 1) returned 0, a full column" in str(record.fault.reply)


def test_a_tournaments_file_names_files_and_interpreters(bot: Path) -> None:
    toml = bot.parent / "t.toml"
    agents = ['name = "one"\ncommand = "bot.py:first_open"\npython = "python3.9"', 'name = "two"\nplayer = "random"']
    toml.write_text("".join(f"[[agents]]\n{agent}\n" for agent in agents))
    spec = read_config(toml).agents[0]
    assert (spec.python_file, spec.words[0]) == ("bot.py", "python3.9")


def test_the_api_asks_a_file_and_lets_files_play(bot: Path) -> None:
    with c4.agent("bot.py:last_open", directory=bot.parent, time_limit=30.0, python=sys.executable) as player:
        assert player.choose(c4.Position()).column == 6
        assert player.choose(c4.Position.from_moves("777777")).column == 5
    with pytest.raises(errors.AgentError, match="there is no file"):
        c4.agent(f"{bot}x.py")


@pytest.mark.slow
def test_a_good_file_passes_the_whole_check(bot: Path) -> None:
    result = check_agent(spec_of(bot, "first_open"), practice_games=2)
    assert result.verdict is Verdict.READY, "\n".join(format_result(result))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "kind", "text", "fix"),
    [
        (FIRST_OPEN, Kind.WOULD_NOT_START,
         "it does not start: bot.py: it has several functions or classes; found: first_open(grid, player), last_open(",
         "it may be a function named agent, choose, "),
        ("import numpi\n", Kind.WOULD_NOT_START,
         "it does not start: bot.py: cannot be loaded: ModuleNotFoundError: No module named 'numpi' (bot.py, line 1)",
         f"install it for {sys.executable}, which runs the program"),
        ("def choose(g, p):\n    return 3.0\n", Kind.NO_MOVE,
         "choose (bot.py, line 1) returned 3.0; a move is a whole number from 0 to 6", "return an open column"),
        ("def choose(g, p):\n    return g[7]\n", Kind.NO_MOVE, "IndexError: list index out of range (bot.py, line 2)",
         "return an open column"),
        ("def choose(g, p):\n    return 0\n", Kind.ILLEGAL, "move is 0, but that column is full", ""),
    ],
)  # fmt: skip
def test_the_check_names_the_mistakes_of_files(bot: Path, source: str, kind: Kind, text: str, fix: str) -> None:
    bot.write_text(source)
    result = check_agent(spec_of(bot), practice_games=0, names=("ordinary", "right-edge"))
    (problem,) = result.problems
    assert problem.kind is kind
    assert text in problem.text
    assert fix in problem.fix


@pytest.mark.slow
def test_the_commands_take_files(bot: Path) -> None:
    words = ("bot.py:first_open", "bot.py:last_open", "--games", "2", "--openings", "empty", "--out", "run")
    played = run_agent("match", *words, folder=bot.parent)
    assert played.returncode == 0, played.stderr
    assert b"bot.py:first_open - bot.py:last_open: " in played.stdout
    games = [json.loads(line) for line in (bot.parent / "run" / "games.jsonl").read_text().splitlines()]
    assert all(HOST not in json.dumps(game) for game in games)
    checked = run_agent("check", "bot.py:nothing", "--json", folder=bot.parent)
    assert checked.returncode == 1
    assert "it has no nothing" in checked.stdout.decode()


LOOKS_AROUND = """\
import os
def choose(grid, player):
    try:
        import connect4_agent.engine
        return 1
    except ImportError:
        pass
    seen = {name for _, _, names in os.walk(%r) for name in names}
    return 0 if seen == {"host.py"} else 2
"""


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize("has_directory", [True, False])
@pytest.mark.parametrize("end", ["", ":choose"])
def test_with_full_isolation_a_file_sees_the_host_and_nothing_else_of_this_package(
    bot: Path, end: str, *, has_directory: bool
) -> None:
    bot.write_text(LOOKS_AROUND % str(Path(c4.__file__).parent))
    word = f"{bot.name if has_directory else bot}{end}"
    settings: dict[str, object] = {"directory": str(bot.parent) if has_directory else None, "isolation": "full"}
    record = play_game(setup_of(spec_of(bot, "", command=(word,), **settings), built_in("first-open")))
    assert (record.columns[0], record.ending) == (0, Ending.ILLEGAL_MOVE), record.fault
