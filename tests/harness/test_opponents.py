"""The players of other packages as opponents in the arena."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from connect4_agent.rules.position import Position
from connect4_agent.server.replies import read_move
from connect4_agent.server.request import make_request
from connect4_agent.server.understand import read_request
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment, run_agent

OPPONENTS = REPOSITORY / "examples" / "opponents"
PROGRAMS = ["kaggle_negamax.py", "openspiel_mcts.py", "bitbully_perfect.py"]


def answers(program: str, lines: bytes) -> list[dict[str, object]]:
    result = subprocess.run(
        [sys.executable, str(OPPONENTS / program)],
        input=lines,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        env=clean_environment(),
        check=False,
    )
    assert result.returncode == 0, result.stderr.decode()
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_example_requests_are_answered_with_legal_moves_and_wins_are_taken(program: str) -> None:
    lines = (REPOSITORY / "examples" / "requests.jsonl").read_bytes()
    found = answers(program, lines)
    for line, answer in zip(lines.splitlines(), found, strict=True):
        position = read_request(line).position
        if program == "bitbully_perfect.py" and (position.width, position.height) != (7, 6):
            assert "BitBully plays on 7 and 6" in str(answer["error"])
        else:
            assert position.is_open(read_move(json.dumps(answer).encode()))
    assert [answer["move"] for answer in found[2:6]] == [3, 3, 4, 1]


@pytest.mark.parametrize("program", PROGRAMS)
def test_either_player_may_have_begun_and_a_grid_alone_is_enough(program: str) -> None:
    position = Position.from_moves("414141", player=2)  # player 2 began, and wins in column 3
    line = make_request(position) + b"\n" + make_request(Position.from_moves("41414"), grid_only=True)
    assert answers(program, b"nonsense\n\n" + line)[1:] == [{"move": 3}, {"move": 3}]


def test_the_arena_pits_them_against_a_level(tmp_path: Path) -> None:
    agents = [{"name": "easy", "player": "easy"}]
    agents += [{"name": name, "command": f"{sys.executable} {OPPONENTS / name}"} for name in PROGRAMS]
    tables = "\n".join(
        "[[agents]]\n" + "\n".join(f"{key} = {json.dumps(agent[key])}" for key in agent) for agent in agents
    )
    config = tmp_path / "short.toml"
    head = 'format = "gauntlet"\ngames = 2\nstartup = 60\ntime_limit = 30\n'
    config.write_text(f"{head}{tables}\n")
    result = run_agent("tournament", str(config), "--out", str(tmp_path / "run"))
    assert result.returncode == 0, result.stderr.decode()
    assert len((tmp_path / "run" / "games.jsonl").read_text().splitlines()) >= 6


def test_the_tournament_pits_every_opponent_against_every_level() -> None:
    config = tomllib.loads((OPPONENTS / "tournament.toml").read_text())
    players = {agent.get("player") for agent in config["agents"]}
    commands = {agent["command"][1].rpartition("/")[2] for agent in config["agents"] if "command" in agent}
    assert players >= {"easy", "medium", "hard", "perfect"}
    assert commands == set(PROGRAMS)
