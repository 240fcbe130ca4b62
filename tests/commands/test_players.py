"""The players do in every command what `connect4-agent players` says: plies, depth and playouts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

import connect4_agent as c4
from connect4_agent import cli
from connect4_agent.arena.agents import contestant
from connect4_agent.commands import play
from connect4_agent.commands.players import listing
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.levels import LADDER
from connect4_agent.engine.players.player import Choice, choose
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.console import Console

QUIET = "23135154667766"
"""A game after which nobody can make four at once, eight plies prove nothing, and all columns are open."""

COLUMNS = 7

LISTED = dict(re.findall(r"^  (\S+) +(.*)", listing().partition("\nevaluators")[0], re.MULTILINE))
"""What the table of players says about each."""


def stated(name: str) -> tuple[int | None, int]:
    """The plies that a player looks ahead, None if it proves, and the playouts that it makes from each column."""
    text = LISTED[name]
    if name.startswith("level:"):
        level = LADDER[int(name.removeprefix("level:"))]
        assert all(int(plies) == level.plies for plies in re.findall(r"looks (\d+) pl", text))
        return None if level.perfect == 1 else level.plies, 0
    plies = re.search(r"looks (\d+) pl|depth \((\d+)", text)
    playouts = re.search(r"playouts \((\d+)", text)
    if name == "perfect":
        return None, 0
    return int(plies[1] or plies[2]) if plies else 0, int(playouts[1]) if playouts else 0


class Done:
    """What was done about the quiet position."""

    def __init__(self) -> None:
        self.choices: list[tuple[int, bool]] = []
        """The depth of every choice, and whether it was proven."""
        self.playouts = 0

    def check(self, name: str) -> None:
        """Compare what was done with what the table says."""
        plies, playouts = stated(name)
        assert self.choices
        for depth, exact in self.choices:
            assert exact if plies is None else depth == plies or (exact and name.startswith("level:"))
        assert self.playouts == playouts * COLUMNS * len(self.choices)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Done:
    """Record the choices of seated players, and count the playouts of all."""
    seen = Done()
    position = Position.from_moves(QUIET)
    new_playouts = forms.new_playouts

    class Counted:
        def __init__(self, *arguments: Any) -> None:
            self.playouts = new_playouts(*arguments)

        @property
        def plies(self) -> int:
            return self.playouts.plies

        def finish(self, own: int, opponent: int) -> int:
            seen.playouts += 1
            return self.playouts.finish(own, opponent)

    def chosen(player: Any, asked: Position, limits: Limits) -> Choice:
        if asked.key != position.key:
            return Choice(asked.legal_columns()[0])  # the rest of the game does not matter
        choice = choose(player, asked, limits)
        seen.choices.append((choice.depth, choice.exact))
        return choice

    monkeypatch.setattr(forms, "new_playouts", Counted)
    monkeypatch.setattr(contestant, "choose", chosen)
    return seen


class LeavingConsole(Console):
    """A console whose person leaves as soon as it is their turn."""

    def read_line(self, prompt: str) -> str | None:  # noqa: ARG002
        return None


@pytest.fixture(params=[(), ("--time-limit", "60")], ids=["default limit", "limit of 60 s"])
def limit(request: pytest.FixtureRequest) -> tuple[str, ...]:
    words: tuple[str, ...] = request.param
    return words


each_player = pytest.mark.parametrize("name", LISTED)


@each_player
def test_move_plays_them_as_listed(
    name: str, limit: tuple[str, ...], done: Done, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["move", "--agent", name, "--moves", QUIET, "--explain", *limit]) == 0
    answer = orjson.loads(capfd.readouterr().out)
    done.choices.append((answer["depth"], answer["exact"]))
    done.check(name)


@each_player
def test_match_plays_them_as_listed(name: str, limit: tuple[str, ...], tmp_path: Path, done: Done) -> None:
    (tmp_path / "openings").write_text(QUIET)
    words = ["--games", "2", "--jobs", "1", "--openings", str(tmp_path / "openings"), "--out", str(tmp_path / "run")]
    assert cli.main(["match", name, name, *words, *limit]) == 0
    assert len(done.choices) == 2
    done.check(name)


@each_player
def test_play_plays_them_as_listed(
    name: str, limit: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, done: Done
) -> None:
    monkeypatch.setattr(play, "lacking_terminal", lambda: None)
    monkeypatch.setattr(play, "Console", LeavingConsole)
    assert cli.main(["play", "-p1", name, "--first", "1", "--moves", QUIET, *limit]) == 0
    done.check(name)


@each_player
@pytest.mark.parametrize("seconds", [None, 60.0])
def test_the_api_plays_them_as_listed(name: str, seconds: float | None, done: Done) -> None:
    choice = c4.player(name).choose(Position.from_moves(QUIET), Limits(seconds))
    done.choices.append((choice.depth, choice.exact))
    done.check(name)
