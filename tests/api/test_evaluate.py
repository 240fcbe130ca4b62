"""evaluate: every kind of policy, on the evaluation set or on positions of one's own."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import connect4_agent as c4
from connect4_agent.lab.labels import evaluation_set
from tests.processes import COMMAND, output_of

LATE = evaluation_set()[-40:]


def first_open(position: c4.Position) -> int:
    return position.legal_columns()[0]


class FirstOpen:
    def choose(self, position: c4.Position, limits: c4.Limits) -> c4.Choice:
        assert limits is not None
        return c4.Choice(first_open(position))


def first_of_planes(planes: npt.NDArray[np.int8]) -> Any:
    return np.argmin(planes[:, 0].max(axis=2), axis=1)


def test_every_kind_of_policy_is_measured_alike() -> None:
    policies: list[Any] = ["first-open", c4.player("first-open"), first_open, FirstOpen()]
    found = [c4.evaluate(policy, LATE) for policy in policies]
    found.append(c4.evaluate(first_of_planes, LATE, batch=7))
    assert len({str(each.columns.tolist()) for each in found}) == 1
    assert [each.agent for each in found] == ["first-open", "first-open", "first_open", "FirstOpen", "first_of_planes"]


def test_programs_are_asked_over_their_protocol() -> None:
    command = f"{COMMAND} --agent first-open"
    expected = c4.evaluate("first-open", LATE[:10]).columns.tolist()
    assert c4.evaluate(command, LATE[:10]).columns.tolist() == expected
    with c4.agent(command) as bot:
        assert c4.evaluate(bot, LATE[:10]).columns.tolist() == expected


def test_a_program_that_does_not_start_is_an_error() -> None:
    with pytest.raises(c4.FaultError):
        c4.evaluate(f"{sys.executable} -c pass", LATE)
    with pytest.raises(c4.errors.AgentError):
        c4.evaluate("no-such-player", LATE)


def test_perfect_players_are_optimal() -> None:
    evaluation = c4.evaluate("perfect", LATE)
    assert evaluation.overall.optimal.value == 1.0
    assert repr(evaluation) == "<Evaluation perfect on part of evaluation set 1: 100.0% of 40 optimal>"


def test_positions_of_ones_own_are_solved_first() -> None:
    own = c4.evaluate(first_open, list(LATE.positions))
    assert own.positions.name == "positions"
    assert own.to_dict()["overall"] == c4.evaluate(first_open, LATE).to_dict()["overall"]
    assert c4.evaluate(first_open, LATE.boards).columns.tolist() == own.columns.tolist()


def test_without_positions_it_is_the_evaluation_set() -> None:
    evaluation = c4.evaluate(first_of_planes, batch=1000)
    assert (evaluation.positions.name, evaluation.overall.positions) == ("evaluation set 1", 6999)


def test_what_a_function_raises_reaches_the_caller() -> None:
    def buggy(position: c4.Position) -> int:
        return position.legal_columns()[7]

    with pytest.raises(IndexError):
        c4.evaluate(buggy, LATE)


@pytest.mark.parametrize("batch", [0, -1, 1.5, True, "7"])
def test_a_batch_that_makes_no_sense_is_refused(batch: Any) -> None:
    with pytest.raises(c4.errors.BadValueError, match=r"batch is .*; allowed are whole numbers from 1 on, and None"):
        c4.evaluate(first_of_planes, LATE, batch=batch)


@pytest.mark.parametrize("policy", ["hard", 7, FirstOpen()])
def test_only_functions_take_batches(policy: Any) -> None:
    with pytest.raises(c4.errors.BadValueError, match="with batch, it must be a function of an array"):
        c4.evaluate(policy, LATE, batch=10)


@pytest.mark.parametrize("policy", [7, None, FirstOpen])
def test_what_cannot_choose_is_refused(policy: Any) -> None:
    with pytest.raises(c4.errors.BadValueError):
        c4.evaluate(policy, LATE)


def test_progress_is_shown_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    c4.evaluate(first_open, LATE, progress=True)
    assert capsys.readouterr().err.startswith("40 of 40 positions to score\n40 of 40 positions, ")


@pytest.mark.parametrize("call", ["evaluation_set()", "evaluate('hard')", "read_labels('a.npz')"])
def test_without_numpy_the_error_says_how_to_install_it(call: str) -> None:
    program = (
        "import sys\nsys.modules['numpy'] = None\nfrom connect4_agent import *\n"
        f"try:\n    {call}\nexcept ImportError as error:\n    print(error)"
    )
    name = call.partition("(")[0]
    assert (
        output_of(program) == f"{name} needs NumPy, which the extra data installs: pip install 'connect4-agent[data]'"
    )


def test_players_and_matches_load_no_numpy() -> None:
    program = "import sys, connect4_agent as c4; c4.player('easy'); c4.play_match; print('numpy' in sys.modules)"
    assert output_of(program) == "False"
