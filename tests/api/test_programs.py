"""Programs as players: guarded as in the arena, and gone when they are no longer needed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.arena.faults import Ending
from tests.arena.helping import AGENTS, command_of
from tests.processes import is_running, pids_in

POSITION = c4.Position.from_moves("4455")


def test_a_program_answers_question_after_question_and_is_gone_after_its_block(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(
        "import os, sys\nopen('pid', 'w').write(f'{os.getpid()}\\n')\n"
        "for line in sys.stdin: print('{\"move\":3}', flush=True)\n"
    )
    with c4.agent([command_of("good")[0], str(script)], time_limit=30.0, directory=tmp_path, isolation="none") as bot:
        assert [bot.choose(position).column for position in (POSITION, POSITION.play(6), c4.Position(4, 4))] == [3] * 3
        (pid,) = pids_in(tmp_path / "pid", 1)
        assert is_running(pid)
    assert not is_running(pid)
    with pytest.raises(errors.AgentError, match="is closed"):
        bot.choose(POSITION)


def test_a_fault_is_an_error_of_ours_and_the_program_is_started_again() -> None:
    with c4.agent(command_of("crash_mid_game"), time_limit=30.0) as bot:
        assert bot.choose(POSITION).column == 0
        with pytest.raises(c4.FaultError) as caught:
            bot.choose(POSITION)
        assert caught.value.kind is Ending.CRASHED
        assert isinstance(caught.value, c4.Connect4Error)
        assert bot.choose(POSITION).column == 0


def test_the_callers_limit_counts_if_it_is_shorter() -> None:
    limits = c4.Limits(seconds=0.05)
    with c4.agent(command_of("stall"), time_limit=None) as bot:
        assert bot.choose(POSITION, limits).column == 0
        with pytest.raises(c4.FaultError, match=r"its limit is 0\.05 s"):
            bot.choose(POSITION, limits)


def test_a_program_that_is_told_its_player_is_started_again_for_the_other_one(tmp_path: Path) -> None:
    script = tmp_path / "echo.py"
    script.write_text("import sys\nfor line in sys.stdin: print('{\"move\":%d}' % int(sys.argv[2]), flush=True)\n")
    with c4.agent((command_of("good")[0], str(script)), start="flags") as bot:
        assert [bot.choose(each).column for each in (POSITION, POSITION.play(0), POSITION)] == [1, 2, 1]


@pytest.mark.parametrize(
    ("command", "keywords", "words"),
    [
        ("hard", {}, r"'hard' is a player of this package, not a program: use player\('hard'\)"),
        ("no-such-program-here", {}, "is neither a command that can be found nor a built-in player"),
        (5, {}, "command is 5; allowed are a command line and a list of its words"),
        ("cat", {"time_limit": -1}, "time_limit is -1; allowed: numbers above 0"),
        ("cat", {"grace": "x"}, "grace is 'x'; allowed: a number"),
        ("cat", {"start": "x"}, "start is 'x'; allowed: 'bare', 'flags' or 'words'"),
    ],
)
def test_what_cannot_be_started_is_refused(command: Any, keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(errors.AgentError, match=words):
        c4.agent(command, **keywords)


def test_a_program_shows_its_command_line() -> None:
    assert repr(c4.agent("cat bot.py")) == "agent('cat bot.py')"
    assert shlex.split(c4.agent(["python3", str(AGENTS / "good.py")]).spec.name)[0] == "python3"
