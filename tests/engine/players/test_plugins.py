"""Players and evaluators of other installed packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import COMMAND, clean_environment

MODULE = '''
import connect4_agent as c4

class Shy:
    """Plays a column of its own choice."""
    def __init__(self, column="0", seed=None):
        self.column, self.seed = int(column), seed
    def choose(self, position, limits):
        return self.column

def leftmost(position):
    return position.legal_columns()[0]

def make_leftmost():
    """Plays as far to the left as possible."""
    return leftmost

def height(position):
    """Counts the mover's discs."""
    return position.own.bit_count()

def enormous(position):
    return 2**40
'''

ENTRY_POINTS = """\
[connect4_agent.players]
shy = others:Shy
left = others:make_leftmost
gone = others:Gone
broken = others_broken:Player
hard = others:Shy

[connect4_agent.evaluators]
height = others:height
enormous = others:enormous
"""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a program that finds a package with players and evaluators, some of them broken."""
    (tmp_path / "others.py").write_text(MODULE)
    (tmp_path / "others_broken.py").write_text("raise SystemExit('on import')\n")
    info = tmp_path / "other_players-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-players\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return clean_environment(PYTHONPATH=os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")])))


def run(environment: dict[str, str], *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment, check=False
    )
    assert result.returncode == status, result.stderr
    return result


def test_they_are_listed_with_their_package_and_broken_ones_cost_a_warning(installed: dict[str, str]) -> None:
    result = run(installed, "players")
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert "shy            Plays a column of its own choice. (other-players 1.5)" in lines
    assert "left           Plays as far to the left as possible. (other-players 1.5)" in lines
    assert "height         Counts the mover's discs. (other-players 1.5)" in lines
    assert "threat-parity" in result.stdout
    assert result.stderr.splitlines() == [
        "connect4-agent players: warning: 'gone' of other-players 1.5 cannot be loaded: "
        "AttributeError: module 'others' has no attribute 'Gone'",
        "connect4-agent players: warning: 'broken' of other-players 1.5 cannot be loaded: SystemExit: on import",
        "connect4-agent players: warning: 'hard' of other-players 1.5 is not used: the name is built in",
    ]


@pytest.mark.slow
def test_they_play_wherever_a_name_is_taken(installed: dict[str, str], tmp_path: Path) -> None:
    assert run(installed, "move", "--agent", "shy:column=5", "--moves", "4455").stdout == '{"move":5}\n'
    assert run(installed, "move", "--agent", "left", "--moves", "4455").stdout == '{"move":0}\n'
    answer = run(installed, "move", "--depth", "1", "--evaluator", "height", "--moves", "445")
    assert answer.stdout.startswith('{"move":')
    answer = run(installed, "move", "--agent", "negamax:depth=2,evaluator=height", "--moves", "445")
    assert answer.stdout.startswith('{"move":')
    match = run(installed, "match", "left", "first-open", "--games", "2", "--jobs", "2", "--out", str(tmp_path / "run"))
    assert "2 of 2 games" in match.stdout
    assert "fault" not in match.stdout


def test_what_is_wrong_with_one_is_said_to_who_asked_for_it(installed: dict[str, str]) -> None:
    for words, complaint in (
        (("--agent", "gone"), "'gone' of other-players 1.5 cannot be loaded: AttributeError"),
        (("--agent", "shy:colour=red"), "'shy' of other-players 1.5 cannot be made: TypeError"),
        (("--agent", "shy:column=red"), "'shy' of other-players 1.5 cannot be made: ValueError"),
        (("--agent", "nobody"), "there is no built-in player 'nobody'; there are easy, medium, hard"),
        (("--depth", "2", "--evaluator", "nothing"), "longest-run, height, enormous"),
    ):
        assert complaint in run(installed, "move", *words, "--moves", "4", status=2).stderr
    out_of_range = run(installed, "move", "--depth", "2", "--evaluator", "enormous", "--moves", "445")
    assert out_of_range.stdout.startswith('{"move":'), "a legal move, whatever the evaluator does"
    assert "evaluator enormous returned 1099511627776" in out_of_range.stderr


def test_other_packages_are_looked_for_only_if_a_name_is_not_built_in() -> None:
    program = (
        "import sys; from connect4_agent.engine.players.registry import parse_player; "
        "parse_player('negamax:depth=3,evaluator=windows'); print('importlib.metadata' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
