"""The names of the package: what they load, and the tour that uses them all."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import connect4_agent as c4
from tests.api.players import Leftmost, rightmost
from tests.arena.helping import command_of
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment

BOT = shlex.join(command_of("good"))
POSITION = c4.Position.from_moves("4455")


def test_an_analysis_prints_for_people_and_an_explanation_in_one_line() -> None:
    lines = str(c4.analyze(POSITION)).splitlines()
    assert lines[5].split() == list("...XX..")
    assert lines[7].split() == ["-4", "-3", "+18", "+2", "+2", "+18", "-3"]
    assert lines[9] == "Player 1 (X) to move: wins in 2 moves."
    assert lines[13] == "* column 3  +18  wins in 2 moves"
    explanation = c4.explain(POSITION)
    assert str(explanation) == "position: win, reason: double threat of player 1, line: (2, 1, 5)"
    assert explanation.keeping_columns == (3, 2, 4, 5)


def test_a_file_that_cannot_be_loaded_says_why(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import no_such_module\n")
    with (
        c4.agent(str(tmp_path / "bot.py"), time_limit=30.0) as bot,
        pytest.raises(c4.FaultError, match=r"No module named 'no_such_module' \(bot.py, line 1\)"),
    ):
        bot.choose(POSITION)


def test_an_evaluation_is_repeatable_and_says_when_it_saw_a_part() -> None:
    part = c4.evaluation_set()[::100]
    one, same, other = (c4.evaluate("random", part, seed=seed) for seed in (0, 0, 1))
    assert one.columns.tolist() == same.columns.tolist() != other.columns.tolist()
    assert c4.evaluate("random", part).columns.tolist() == one.columns.tolist()
    assert repr(one).startswith("<Evaluation random on part of evaluation set 1: ")
    assert repr(c4.evaluate(lambda _: 99, part[:3])).endswith("0.0% of 3 optimal; 3 faults>")
    assert part[:3].name == "part of evaluation set 1"
    assert c4.evaluation_set()[:].name == "evaluation set 1"


@pytest.mark.needs("compiled")
def test_three_lines_are_enough_for_everything(tmp_path: Path) -> None:
    position = c4.Position.from_moves("4455")
    assert position.play(3).outcome is None
    assert c4.analyze(position).scores == (-4, -3, 18, 2, 2, 18, -3)
    assert c4.analyze(position).best_columns == (2, 5)
    assert c4.analyze(position).line[0] == 2
    hard = c4.player("hard")
    assert hard.choose(position, c4.Limits(seconds=0.1)).column == 2
    with c4.agent(BOT, time_limit=30.0) as bot:
        assert bot.choose(position).column == 0
    result = c4.play_match(hard, Leftmost(), games=20, openings="balanced:4", seed=1)
    assert (result.wins, result.draws, result.losses) == (20, 0, 0)
    assert result.elo.value is None  # no game was lost: there is no upper end
    end = c4.Position.from_moves(result.games[0].moves, player=result.games[0].first)
    assert end == result.games[0].position
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.reason) == (result.games[0].winner, "four in a row")
    agents: dict[str, c4.Contestant] = {"hard": hard, "mine": Leftmost(), "right": rightmost, "bot": BOT}
    tournament = c4.play_tournament(agents, games=4, out=tmp_path / "spring")
    assert tournament.standings[0].name == "hard"
    run = c4.read_run(tmp_path / "spring")
    assert run.games == tournament.games
    assert run.report() == tournament.report()
    assert "hard" in [agent.name for agent in run.report().agents]


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


@pytest.mark.parametrize("name", c4.__all__)
def test_no_signature_shows_an_address(name: str) -> None:
    public = getattr(c4, name)
    methods = vars(public).values() if inspect.isclass(public) else ()
    for value in (public, *methods):
        if (inspect.isclass(value) and not issubclass(value, Exception)) or inspect.isfunction(value):
            assert " at 0x" not in str(inspect.signature(value))


def test_help_begins_with_an_overview_of_every_public_name() -> None:
    overview = str(c4.__doc__)
    assert set(c4.__all__) - {"__version__"} <= set(re.findall(r"\w+", overview))
    assert len(overview.splitlines()) < 30  # a screen


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (c4.Position, "width is {}; allowed are 1 to 100"),
        (lambda value: c4.Position(7, value), "height is {}; allowed are 1 to 100"),
        (lambda value: c4.Position(7, 6, value), "player is {}; allowed are 1 and 2"),
        (lambda value: c4.Position.from_grid([[0, value]]), "grid[0][1] is {}; a cell is 0, 1 or 2"),
        (lambda value: c4.Position.from_grid(POSITION.grid(), value), "player is {}; allowed are 1 and 2"),
        (POSITION.play, "column {} is not a whole number"),
        (POSITION.is_open, "column {} is not a whole number"),
        (lambda value: c4.judge(POSITION, value), "column {} is not a whole number"),
        (c4.Limits, "seconds is {}; allowed are numbers above 0"),
        (lambda value: c4.analyze(POSITION, value), "limits is {}; allowed is a Limits, such as Limits(seconds=0.1)"),
        (lambda value: c4.judge(POSITION, 3, value), "limits is {}; allowed is a Limits, such as Limits(seconds=0.1)"),
        (lambda value: c4.player("hard", seed=value), "seed is {}; allowed are whole numbers"),
        (lambda value: c4.play_match("easy", "easy", games=value), "games is {}; allowed: a whole number"),
        (lambda value: c4.play_match("easy", "easy", seed=value), "seed is {}; allowed: a whole number"),
        (lambda value: c4.play_match("easy", "easy", width=value), "width is {}; allowed: a whole number"),
        (lambda value: c4.play_match("easy", "easy", time_limit=value), "time_limit is {}; allowed: a number"),
        (lambda value: c4.play_match("easy", "easy", jobs=value), "jobs is {}; allowed are whole numbers"),
        (lambda value: c4.play_tournament({}, games=value), "games is {}; allowed: a whole number"),
    ],
)
@pytest.mark.parametrize("value", [True, "2"])
def test_a_truth_value_or_a_text_instead_of_a_number_is_refused_by_name(
    call: Callable[[Any], object], said: str, value: object
) -> None:
    with pytest.raises(c4.Connect4Error, match=re.escape(said.format(repr(value)))):
        call(value)


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    two = numpy.int64(2)
    assert len(c4.play_match("random", "random", games=two, seed=two, openings="empty").games) == 2
    assert c4.Position().play(two) == c4.Position().play(2)


class TestJudge:
    @pytest.mark.parametrize("column", range(7))
    def test_a_move_is_worth_what_the_analysis_says(self, column: int) -> None:
        analysis = c4.analyze(POSITION)
        move = c4.judge(POSITION, column)
        assert (move.score_before, move.score) == (analysis.score, analysis.scores[column])
        assert (move.mistake is None) == (column in analysis.best_columns)

    def test_what_cannot_be_proven_in_time_is_unknown(self) -> None:
        move = c4.judge(c4.Position(15, 8), 3, c4.Limits(seconds=0.001))
        assert (move.score_before, move.score, move.mistake, move.grade) == (None, None, None, None)

    def test_a_game_that_is_over_and_a_full_column_are_refused(self) -> None:
        with pytest.raises(c4.errors.GameOverError, match="player 1 has four in a row"):
            c4.judge(c4.Position.from_moves("1212121"), 3)
        with pytest.raises(c4.errors.IllegalMoveError, match="column 3 is full"):
            c4.judge(c4.Position.from_moves("444444"), 3)


def test_the_examples_in_docstrings_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(REPOSITORY / ".venv" / "bin"), prepend=":")
    found = doctest.testmod(import_module("connect4_agent.api"))
    assert found.attempted > 0
    assert found.failed == 0
