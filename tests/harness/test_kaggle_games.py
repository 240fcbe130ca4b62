"""ConnectX games in Kaggle's own environment, with the module's agent and with the exported file."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from kaggle_environments import make

from connect4_agent.harnesses.kaggle import agent
from tests.processes import PATIENCE_SECONDS, REPOSITORY, run_agent

OTHER_PYTHON = REPOSITORY / ".venv-kaggle" / "bin" / "python"
"""Of an environment that has kaggle-environments, and not this package."""

PLAYED_ELSEWHERE = """
import importlib.util, json, random, sys
from kaggle_environments import make
assert importlib.util.find_spec("connect4_agent") is None, "this package is installed here"
results = []
for opponent in ("negamax", "random"):
    for agents in ([sys.argv[1], opponent], [opponent, sys.argv[1]]):
        random.seed(1)
        environment = make("connectx")
        environment.run(agents)
        final = environment.steps[-1]
        own = final[agents.index(sys.argv[1])]
        results.append([own.reward, [state.status for state in final]])
print(json.dumps(results))
"""


def played(agents: list[Any], **configuration: Any) -> Any:
    """The environment after a game."""
    random.seed(1)  # the built-in agents draw from this
    environment = make("connectx", configuration=configuration)
    environment.run(agents)
    return environment


@pytest.mark.parametrize("opponent", ["negamax", "random"])
@pytest.mark.parametrize("side", [0, 1])
def test_the_agent_beats_the_built_in_ones_from_either_side(opponent: str, side: int) -> None:
    agents = [agent, opponent] if side == 0 else [opponent, agent]
    final = played(agents).steps[-1]
    assert [state.status for state in final] == ["DONE", "DONE"]
    assert final[side].reward == 1


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (8, 7), (9, 9), (5, 3)])
def test_boards_of_other_sizes_are_played_to_their_end(columns: int, rows: int) -> None:
    final = played([agent, "random"], columns=columns, rows=rows, actTimeout=0.2).steps[-1]
    assert [state.status for state in final] == ["DONE", "DONE"]
    assert final[0].reward in (0, 1)


@pytest.mark.filterwarnings("ignore:inarow is 3")
def test_another_number_in_a_row_is_played_with_legal_moves() -> None:
    final = played([agent, "random"], inarow=3).steps[-1]
    assert [state.status for state in final] == ["DONE", "DONE"]


def test_a_game_against_itself_is_won_by_whoever_begins() -> None:
    final = played([agent, agent]).steps[-1]
    assert [state.status for state in final] == ["DONE", "DONE"]
    assert [state.reward for state in final] == [1, -1]


def test_the_exported_file_wins_where_this_package_is_not_installed(tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    assert run_agent("export", "kaggle", str(file)).returncode == 0
    result = subprocess.run(
        [str(OTHER_PYTHON), "-I", "-c", PLAYED_ELSEWHERE, str(file)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS * 5,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    for reward, statuses in json.loads(result.stdout.splitlines()[-1]):
        assert (reward, statuses) == (1, ["DONE", "DONE"])
