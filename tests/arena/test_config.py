"""The description of a tournament: every complaint names its key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena.config import Format, make_config, read_config
from connect4_agent.arena.spec import Isolation, RequestForm, StartForm
from tests.processes import REPOSITORY

TWO = [{"name": "a", "player": "easy"}, {"name": "b", "command": "node agent.js --fast"}]


def test_defaults_and_what_agents_are_granted() -> None:
    config = make_config({"agents": TWO, "time_limit": 3}, "here")
    one, two = (agent.with_defaults(config) for agent in config.agents)
    assert (config.format, config.games, config.openings) == (Format.ROUND_ROBIN, 20, "random:4")
    assert (one.player, one.time_limit) == ("easy", 3.0)
    assert two.command == ("node", "agent.js", "--fast")
    assert (two.startup, two.grace) == (10.0, 1.5)
    assert one.startup is None  # it has no process


def test_every_key_of_an_agent() -> None:
    agent = {
        "name": "b", "command": ["x", "y z"], "env": {"K": "v"}, "directory": "/tmp", "start": "flags",
        "request": "grid", "time_limit": 0.5, "grace": 5.0, "startup": 2,
        "memory": "100M", "processes": 3, "isolation": "none",
    }  # fmt: skip
    config = make_config({"agents": [TWO[0], agent], "isolation": "full"}, "here")
    two = config.agents[1].with_defaults(config)
    assert two.command == ("x", "y z")
    assert two.env == {"K": "v"}
    assert (two.start, two.request) == (StartForm.FLAGS, RequestForm.GRID)
    assert (two.time_limit, two.grace, two.startup) == (0.5, 5.0, 2.0)
    assert (two.memory, two.processes, two.isolation) == ("100M", 3, Isolation.NONE)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, "agents is missing"),
        ({"agents": TWO[:1]}, "agents has 1; allowed: at least 2"),
        ({"agents": [TWO[0], {"name": "b"}]}, r"agents\[1\]: give either player or command"),
        ({"agents": [TWO[0], {"name": "b", "player": "easy", "command": "x"}]}, r"agents\[1\]: give either"),
        ({"agents": [TWO[0], {"name": "b", "player": "eesy"}]}, r"agents\[1\].player: there is no built-in player"),
        (
            {"agents": [TWO[0], {"name": "b", "player": "easy", "directory": "x"}]},
            r"agents\[1\]: a built-in player has no directory",
        ),
        ({"agents": [TWO[0], {"name": "b", "command": ""}]}, r"agents\[1\].command: the command is empty"),
        ({"agents": [TWO[0], {"name": "b", "command": "x 'y"}]}, r"agents\[1\].command: No closing quotation"),
        ({"agents": [TWO[0], {**TWO[1], "restart": True}]}, r"agents\[1\].restart is not a known key"),
        (
            {"agents": [TWO[0], {**TWO[1], "time_limit": 0}]},
            r"agents\[1\].time_limit is 0; allowed: numbers above 0",
        ),
        ({"agents": [TWO[0], {**TWO[1], "env": {"K": 1}}]}, r"agents\[1\].env.K is 1; allowed: a text"),
        ({"agents": [TWO[0], TWO[0]]}, "agents: more than one agent has the name 'a'"),
        ({"agents": TWO, "games": 5}, "games is 5; allowed: even numbers: every opening is played twice"),
        ({"agents": TWO, "format": "swiss"}, "format is 'swiss'; allowed: 'round-robin' or 'gauntlet'"),
        ({"agents": TWO, "games": 10**18}, "games is 1000000000000000000; allowed: numbers up to 100000"),
        (
            {"agents": TWO, "seed": 10**30},
            "seed is 1000000000000000000000000000000; allowed: numbers below 9223372036854775808",
        ),
        ({"agents": TWO, "widht": 7}, r"widht is not a known key \(did you mean width\?\)"),
        ({"agents": TWO, "games": True}, "games is True; allowed: a whole number"),
        ({"agents": TWO, "adjudicate": "yes"}, "adjudicate is 'yes'; allowed: true and false"),
    ],
)
def test_a_complaint_names_the_path_of_the_key(values: dict[str, Any], complaint: str) -> None:
    with pytest.raises(errors.ArenaError, match=f"^here: {complaint}"):
        make_config(values, "here")


def test_a_file_is_read_and_its_paths_are_seen_from_it(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(
        'seed = 1\nopenings = "book.txt"\n[[agents]]\nname = "a"\nplayer = "easy"\n'
        '[[agents]]\nname = "b"\ncommand = "x"\ndirectory = "sub"\n'
    )
    config = read_config(path, {"seed": 9})
    assert config.seed == 9
    assert config.openings == str(tmp_path / "book.txt")
    assert config.agents[1].directory == str(tmp_path / "sub")


@pytest.mark.parametrize(
    ("openings", "is_file"),
    [("empty", False), ("random:2-4", False), ("balanced:6", False), ("balanced", False), ("random.txt", True)],
)
def test_openings_without_a_file_are_left_as_they_are(openings: str, is_file: bool, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    agents = "".join(f'[[agents]]\nname = "{name}"\nplayer = "easy"\n' for name in "ab")
    path.write_text(f'openings = "{openings}"\n{agents}')
    assert read_config(path).openings == (str(tmp_path / openings) if is_file else openings)


def test_a_file_that_is_not_there_or_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.ArenaError, match="cannot read"):
        read_config(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("a = [")
    with pytest.raises(errors.ArenaError, match="is not TOML"):
        read_config(tmp_path / "bad.toml")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 10_000)
    with pytest.raises(errors.ArenaError, match=r"deep\.toml is nested too deeply"):
        read_config(tmp_path / "deep.toml")


def test_all_games_together_have_a_bound() -> None:
    agents = [{"name": str(number), "player": "easy"} for number in range(10)]
    with pytest.raises(errors.ArenaError, match="4500000 games in all; allowed are 100000"):
        make_config({"agents": agents, "games": 100_000}, "here")


def test_the_example_can_be_used() -> None:
    config = read_config(REPOSITORY / "examples" / "tournament.toml")
    assert len(config.agents) >= 3
