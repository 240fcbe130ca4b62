"""The names of the package: what they load, and the tour that uses them all."""

from __future__ import annotations

import ast
import doctest
import inspect
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import connect4_agent as c4
from tests.api.players import Leftmost, rightmost
from tests.arena.helping import command_of
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment

BOT = shlex.join(command_of("good"))


@pytest.mark.needs("compiled")
def test_three_lines_are_enough_for_everything(tmp_path: Path) -> None:
    position = c4.Position.from_moves("4455")
    assert position.play(3).outcome is None
    assert c4.analyze(position).scores == (-4, -3, 18, 2, 2, 18, -3)
    assert c4.analyze(position).best_columns == (2, 5)
    assert c4.analyze(position).line[0] == 2
    hard = c4.player("hard")
    assert hard.choose(position, c4.Limits(seconds=0.1)).column == 2
    with c4.agent(BOT, limit_seconds=30.0) as bot:
        assert bot.choose(position).column == 0
    result = c4.play_match(hard, Leftmost(), games=20, openings="balanced:4", seed=1)
    assert (result.wins, result.draws, result.losses) == (20, 0, 0)
    assert result.elo.value is None  # no game was lost: there is no upper end
    end = c4.Position.from_moves(result.games[0].moves, player=result.games[0].first)
    assert end == result.games[0].position
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.reason) == (result.games[0].winner, "four in a row")
    agents: dict[str, c4.Contestant] = {"hard": hard, "mine": Leftmost(), "right": rightmost, "bot": BOT}
    tournament = c4.play_tournament(agents, rounds=2, out=tmp_path / "spring")
    assert tournament.standings[0].name == "hard"
    run = c4.read_run(tmp_path / "spring")
    assert run.games == tournament.games
    assert run.report() == tournament.report()
    assert "hard" in str(run.report())


def test_the_tour_among_the_examples_runs() -> None:
    tour = REPOSITORY / "examples" / "python_api.py"
    result = subprocess.run(
        [sys.executable, tour, BOT],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS * 5,
        env=clean_environment(),
        check=True,
    )
    assert result.stdout.splitlines()[8:] == [
        "over? None",
        "won: Outcome(winner=1, reason='four in a row', cells=((0, 0), (0, 1), (0, 2), (0, 3)))",
        "exact scores: (-4, -3, 18, 2, 2, 18, -3) best: (2, 5) line: (2, 3, 1)",
        "hard plays 2",
        "negamax with its own evaluator plays 2",
        "the program plays 0",
        "hard: 4 won, 0 drawn, 0 lost; Elo None",
        "first game: 225334344454343",
        "12 games; winner: hard",
        "1.0",
    ]


def test_importing_the_package_loads_nothing_else() -> None:
    program = (
        "import sys, importlib, typing; before = set(sys.modules); "
        "import connect4_agent; print(*set(sys.modules) - before)"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["connect4_agent"]


def test_the_types_and_the_loader_know_the_same_names() -> None:
    """What a type checker sees is what a program gets."""
    source = ast.parse((REPOSITORY / "connect4_agent" / "__init__.py").read_text())
    imported = {
        alias.name: getattr(import_module(str(node.module)), alias.name)
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("connect4_agent.")
        for alias in node.names
    }
    assert {name: getattr(c4, name) for name in imported} == imported
    assert set(c4.__all__) == {*imported, "__version__", "errors"}
    assert dir(c4) == sorted(c4.__all__)


@pytest.mark.parametrize("name", [name for name in c4.__all__ if not name.startswith("_")])
def test_every_public_name_and_method_has_a_docstring(name: str) -> None:
    public = getattr(c4, name)
    if inspect.isclass(public) or inspect.isfunction(public):
        assert public.__doc__
        assert public.__module__.startswith("connect4_agent.")
    for member, value in vars(public).items() if inspect.isclass(public) else ():
        if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, (property, classmethod))):
            assert value.__doc__, f"{name}.{member}"


def test_the_examples_in_docstrings_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(REPOSITORY / ".venv" / "bin"), prepend=":")
    found = doctest.testmod(import_module("connect4_agent.api"))
    assert found.attempted > 0
    assert found.failed == 0
