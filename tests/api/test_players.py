"""Players by their descriptions: one signature, and errors that say what was allowed."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS
from tests.api.players import own_discs

POSITION = c4.Position.from_moves("4455")
WON = c4.Position.from_moves("1212121")
FULL = c4.Position.from_drawing("XXOOXXO/OOXXOOX/XXOOXXO/OOXXOOX/XXOOXXO/OOXXOOX")


@pytest.mark.parametrize("spec", [*BUILT_IN_PLAYERS, "negamax:depth=3,evaluator=windows"])
def test_every_player_is_asked_in_the_same_way(spec: str) -> None:
    player = c4.player(spec, seed=1)
    choice = player.choose(POSITION)
    assert choice.column in POSITION.legal_columns()
    assert player.choose(POSITION, c4.Limits(seconds=0.2)).column in POSITION.legal_columns()
    for over in (WON, FULL):
        with pytest.raises(errors.GameOverError, match=r"no move can be chosen: (player 1 has four|the board is full)"):
            player.choose(over)


def test_a_player_says_how_it_was_made_and_travels_by_pickle() -> None:
    player = c4.player("negamax:depth=2", seed=3, evaluator=own_discs)
    assert repr(c4.player("hard")) == "player('hard')"
    assert repr(player) == "player('negamax:depth=2', seed=3, evaluator=own_discs)"
    player.choose(POSITION)
    assert pickle.loads(pickle.dumps(player)).choose(POSITION) == player.choose(POSITION)


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "words"),
    [
        (("nobody",), {}, errors.PlayerSpecError, "there is no built-in player 'nobody'; there are easy, medium"),
        ((7,), {}, errors.PlayerSpecError, "spec is 7; allowed is a text such as 'hard'"),
        (("negamax:depth=x",), {}, errors.PlayerSpecError, "depth is 'x'"),
        (("hard",), {"seed": "x"}, errors.PlayerSpecError, "seed is 'x'; allowed are whole numbers"),
        (
            ("hard",),
            {"evaluator": "nothing"},
            errors.PlayerSpecError,
            "evaluator is 'nothing'; there are threat-parity",
        ),
        (("hard",), {"evaluator": 3}, errors.EvaluatorError, "evaluator is 3; allowed are the name of an evaluator"),
        (("random",), {"evaluator": "windows"}, errors.PlayerSpecError, "player 'random' takes no evaluator"),
    ],
)
def test_a_bad_description_is_refused_with_what_is_allowed(
    arguments: tuple[Any, ...], keywords: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        c4.player(*arguments, **keywords)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("4455",), errors.BadValueError, "position is '4455'; allowed is a Position"),
        ((POSITION, 0.1), errors.BadValueError, "limits is 0.1; allowed is a Limits"),
    ],
)
def test_a_bad_question_is_refused(arguments: tuple[Any, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        c4.player("easy").choose(*arguments)


@pytest.mark.parametrize("seconds", [-1, 0, float("nan"), float("inf"), "1"])
def test_limits_refuse_a_time_in_which_nothing_can_be_done(seconds: Any) -> None:
    with pytest.raises(
        errors.BadValueError, match=r"seconds is .*; allowed are numbers above 0, and None for no limit"
    ):
        c4.Limits(seconds)
