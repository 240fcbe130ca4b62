"""The greedy player, the registry of built-in players, and the command that lists them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from connect4_agent import cli, errors
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.monte_carlo import MonteCarloPlayer
from connect4_agent.engine.players.negamax import LEVELS, NegamaxPlayer
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS, parse_player
from connect4_agent.engine.players.simple import GreedyPlayer
from connect4_agent.rules.position import Position


def test_greedy_wins_rather_than_blocks() -> None:
    position = Position.from_moves("112233")
    assert GreedyPlayer().choose(position, Limits()).column == 3


def test_greedy_blocks_rather_than_builds() -> None:
    position = Position.from_moves("1122337")
    assert GreedyPlayer().choose(position, Limits()).column == 3


def test_greedy_makes_three_of_two_otherwise() -> None:
    # Two discs in the bottom row with room on either side: a third makes two windows of three, anything else none.
    position = Position.from_moves("3344")
    for seed in range(5):
        assert GreedyPlayer(seed).choose(position, Limits()).column in (1, 4)


def test_greedy_chooses_among_equals_at_random_but_repeatably() -> None:
    chosen = {GreedyPlayer(seed).choose(Position(), Limits()).column for seed in range(40)}
    assert chosen == set(range(7))
    for seed in range(10):
        assert GreedyPlayer(seed).choose(Position(), Limits()) == GreedyPlayer(seed).choose(Position(), Limits())


PROVING = ("perfect", "level:9", "level:10")
"""These may think for seconds on larger boards: test_perfect.py is about them."""


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        (name, *size)
        for name in BUILT_IN_PLAYERS
        for size in [(4, 4), (1, 5), *([(7, 6), (8, 7)] if name not in PROVING else [])]
    ],
)
def test_every_built_in_player_plays_open_columns_repeatably(name: str, width: int, height: int) -> None:
    spec = f"{name}:playouts=5" if name == "monte-carlo" else name
    random = Random(name)
    position = Position(width, height)
    while not position.is_over:
        choice = parse_player(spec, 3).choose(position, Limits())
        assert position.is_open(choice.column)
        again = parse_player(spec, 3).choose(position, Limits())
        # Perfect players share a solver, whose table has seen the position by now.
        assert choice == (replace(again, nodes=choice.nodes) if name in PROVING else again)
        position = position.play(random.choice([choice.column, *position.legal_columns()]))


def test_specs_carry_settings() -> None:
    player = parse_player("negamax:depth=6,evaluator=potential")
    assert isinstance(player, NegamaxPlayer)
    assert (player.depth, player.evaluator, player.seconds) == (6, "potential", None)
    player = parse_player("negamax:time-limit=0.5")
    assert isinstance(player, NegamaxPlayer)
    assert (player.depth, player.evaluator, player.seconds) == (None, DEFAULT_EVALUATOR, 0.5)
    sampler = parse_player("monte-carlo:playouts=1000,time-limit=0.1", 7)
    assert isinstance(sampler, MonteCarloPlayer)
    assert (sampler.playouts, sampler.seconds, sampler.seed) == (1000, 0.1, 7)


def test_levels_search_as_many_plies_as_they_say_with_the_default_evaluator() -> None:
    assert LEVELS == {"easy": 2, "medium": 5, "hard": 8}
    for name, depth in LEVELS.items():
        player = parse_player(name)
        assert isinstance(player, NegamaxPlayer)
        assert (player.depth, player.evaluator) == (depth, DEFAULT_EVALUATOR)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "no built-in player 'nobody'; there are easy, medium, hard, perfect, negamax, monte-carlo, greedy"),
        ("greedy:depth=2", "no setting 'depth'; allowed: none"),
        ("monte-carlo:depth=2", "no setting 'depth'; allowed: playouts, time-limit"),
        ("monte-carlo:playouts=0", "playouts is '0'"),
        ("negamax:time-limit=soon", "time limit is 'soon'"),
        ("negamax:evaluator=best", "evaluator is 'best'; there are threat-parity, windows"),
        ("negamax:order=threat", "order is 'threat' (did you mean threats?); there are threats, centre, open-chains"),
        ("negamax:depth", "'depth' in player 'negamax:depth' is not of the form name=value"),
        ("level", "there is no player 'level'; the levels are level:1 to level:10"),
        ("level:0", "there is no player 'level:0'; the levels are level:1 to level:10"),
        ("level:x", "there is no player 'level:x'; the levels are level:1 to level:10"),
        ("level:3,depth=2", "there is no player 'level:3,depth=2'; the levels are level:1 to level:10"),
        ("levl:4", "there is no built-in player 'levl' (did you mean level:4?); there are easy, medium"),
        ("nobody", "first-open, stupid, level:1 to level:10"),
    ],
)
def test_a_bad_spec_is_refused_with_what_is_allowed(spec: str, message: str) -> None:
    with pytest.raises(errors.PlayerSpecError) as caught:
        parse_player(spec)
    assert message in str(caught.value)


def test_the_players_command_lists_every_player_and_evaluator_on_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["players"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert named == [*BUILT_IN_PLAYERS, *EVALUATORS]
    assert all(len(line.split()) > 2 for line in lines if line.startswith("  "))
    assert sum("(the default)" in line for line in lines) == 2
