"""Evaluators as Python functions: asked as the built-in ones are, and never believed blindly."""

from __future__ import annotations

from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.values import VALUE_LIMIT
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.position_evaluator import PositionEvaluator
from connect4_agent.rules.position import Position
from tests.kernel_forms import each_form

POSITIONS = [Position.from_moves("4455"), Position.from_moves("44445"), Position.from_moves("123", 5, 4, player=2)]


def windows(position: Position) -> int:
    evaluator = forms.new_evaluator("windows", position.width, position.height, forms.PLAIN)
    return evaluator.value(position.own, position.opponent)


@each_form
@pytest.mark.parametrize("position", POSITIONS)
def test_a_function_searches_as_a_built_in_evaluator_of_the_same_values_does(position: Position, form: str) -> None:
    built_in = NegamaxPlayer(3, "windows", form=form)
    own = NegamaxPlayer(3, PositionEvaluator(windows), form=form)
    assert own.choose(position) == built_in.choose(position)


@pytest.mark.parametrize("position", POSITIONS)
def test_a_function_sees_unfinished_positions_with_the_right_player_to_move(position: Position) -> None:
    seen: list[Position] = []

    def evaluator(leaf: Position) -> int:
        seen.append(leaf)
        return 0

    NegamaxPlayer(3, PositionEvaluator(evaluator)).choose(position)
    assert seen
    for leaf in seen:
        assert not leaf.is_over
        assert leaf.disc_count == position.disc_count + 3
        assert leaf.player == 3 - position.player
        for player in (1, 2):
            before, after = (discs_of(each, player) for each in (position, leaf))
            assert before & after == before


def discs_of(position: Position, player: int) -> int:
    return position.discs_1 if player == 1 else position.discs_2


@pytest.mark.parametrize("value", [VALUE_LIMIT, -VALUE_LIMIT, 2**40, 1.0, "5", None, float("nan")])
def test_a_value_out_of_range_is_refused_with_the_range(value: Any) -> None:
    player = NegamaxPlayer(2, PositionEvaluator(lambda position: value))  # noqa: ARG005
    words = rf"evaluator <lambda> returned .* for Position\.from_drawing\(.* between -{VALUE_LIMIT} and {VALUE_LIMIT}"
    with pytest.raises(errors.EvaluatorError, match=words):
        player.choose(POSITIONS[0])


@pytest.mark.parametrize("value", [VALUE_LIMIT - 1, 1 - VALUE_LIMIT])
def test_the_largest_values_are_opinions_and_not_proofs(value: int) -> None:
    player = NegamaxPlayer(2, PositionEvaluator(lambda position: value))  # noqa: ARG005
    choice = player.choose(POSITIONS[1])
    assert (abs(choice.score or 0), choice.exact) == (VALUE_LIMIT - 1, False)


def test_what_a_function_raises_reaches_the_caller_and_the_player_can_be_asked_again() -> None:
    is_broken = [True]

    def evaluator(position: Position) -> int:
        if is_broken[0]:
            raise ZeroDivisionError("on purpose")
        return windows(position)

    player = NegamaxPlayer(3, PositionEvaluator(evaluator))
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        player.choose(POSITIONS[0])
    is_broken[0] = False
    assert player.choose(POSITIONS[0]) == NegamaxPlayer(3, "windows").choose(POSITIONS[0])


def test_a_slow_function_is_asked_no_longer_than_the_limit() -> None:
    now = [0.0]

    def evaluator(position: Position) -> int:  # noqa: ARG001  # the interface of an evaluator
        now[0] += 1.0
        return 0

    choice = NegamaxPlayer(None, PositionEvaluator(evaluator)).choose(
        POSITIONS[1], Limits(seconds=500.0, clock=lambda: now[0])
    )
    assert choice.column in POSITIONS[1].legal_columns()
    assert now[0] < 600, "a Python function may take long: the clock is looked at often"


@pytest.mark.parametrize("thing", [3, None, int, "windows"])
def test_what_is_not_a_function_is_refused(thing: Any) -> None:
    with pytest.raises(
        errors.EvaluatorError, match=r"evaluator is .*; allowed are the name of an evaluator and a function"
    ):
        PositionEvaluator(thing)
