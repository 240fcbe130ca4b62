"""Evaluations: shares, means and their intervals; what counts as a fault; batches and single positions alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from connect4_agent import FULL, LabelledPositions, Position, errors
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab.evaluation import Evaluation, ask_each, ask_in_batches, mean, share
from connect4_agent.lab.labels import label
from tests.effort import examples

MOVES = ("", "4", "44", "4455", "445561", "44444415", "121212")


def some_labels() -> LabelledPositions:
    return label([Position.from_moves(moves) for moves in MOVES], 1, Progress(), "some")


def evaluation_of(columns: npt.ArrayLike) -> Evaluation:
    return Evaluation("me", some_labels(), np.asarray(columns, np.int16))


@given(st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
@examples(100)
def test_shares_have_the_interval_of_wilson(counts: tuple[int, int]) -> None:
    found = share(*counts)
    expected = stats.binomtest(*counts).proportion_ci(method="wilson")
    assert found.value == counts[0] / counts[1]
    assert found.low == pytest.approx(expected.low, abs=1e-9)
    assert found.high == pytest.approx(expected.high, abs=1e-9)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=50))
@examples(50)
def test_means_have_the_interval_of_their_standard_error(values: list[int]) -> None:
    found = mean(np.array(values))
    margin = stats.norm.ppf(0.975) * stats.sem(values)
    assert found.value == pytest.approx(np.mean(values))
    assert found.low == pytest.approx(np.mean(values) - margin)
    assert found.high == pytest.approx(np.mean(values) + margin)


def test_there_is_no_figure_without_positions_and_no_interval_of_one_value() -> None:
    assert share(0, 0).value is None
    assert mean(np.array([])).value is None
    assert (mean(np.array([3])).value, mean(np.array([3])).low) == (3.0, None)


def test_the_best_columns_are_optimal_and_lose_nothing() -> None:
    evaluation = evaluation_of(some_labels().scores.argmax(axis=1))
    overall = evaluation.overall
    assert (overall.optimal.value, overall.keeps.value, overall.lost.value, overall.faults) == (1.0, 1.0, 0.0, 0)


def test_choices_are_measured_by_their_scores() -> None:
    labels = some_labels()
    worst = np.where(labels.scores == FULL, 99, labels.scores).argmin(axis=1)
    evaluation = evaluation_of(worst)
    got = labels.scores[np.arange(len(labels)), worst]
    assert evaluation.overall.lost.value == pytest.approx(float((labels.score - got).mean()))
    assert evaluation.overall.keeps.value == (np.sign(got) == np.sign(labels.score)).mean()
    assert evaluation.overall.optimal.value == (got == labels.score).mean()


def test_parts_are_counted_by_discs_and_by_result() -> None:
    evaluation = evaluation_of(some_labels().scores.argmax(axis=1))
    assert {discs: part.positions for discs, part in evaluation.by_discs.items()} == {
        0: 1,
        1: 1,
        2: 1,
        4: 1,
        6: 2,
        8: 1,
    }
    assert sum(part.positions for part in evaluation.by_result.values()) == len(MOVES)
    assert set(evaluation.by_result) <= {"win", "draw", "loss"}
    figures = evaluation.to_dict()
    assert figures["overall"]["optimal"]["value"] == 1.0
    assert figures["by_discs"]["6"]["positions"] == 2
    assert figures["fault"] is None


def test_a_fault_is_neither_optimal_nor_kept_and_loses_as_early_as_possible() -> None:
    columns = some_labels().scores.argmax(axis=1)
    columns[0] = -1  # the empty board: a win with the last disc
    overall = evaluation_of(columns).overall
    count = len(MOVES)
    assert overall.faults == 1
    assert overall.optimal.value == overall.keeps.value == (count - 1) / count
    assert overall.lost.value == pytest.approx((1 + 21) / count)


def test_the_table_has_a_line_for_all_results_and_bands_of_discs() -> None:
    text = str(evaluation_of(some_labels().scores.argmax(axis=1)))
    first, _, header, *rows = text.splitlines()
    assert first == "me on some"
    assert header.split()[:3] == ["positions", "number", "optimal"]
    assert [row.partition("  ")[0] for row in rows] == ["all", "won", "lost", "0 to 5 discs", "6 to 11 discs"]
    assert rows[0].split()[:3] == ["all", "7", "100.0%"]
    assert len({len(line) for line in (header, *rows)}) == 1


def test_notebooks_get_a_table_with_foreign_names_escaped() -> None:
    evaluation = Evaluation("<b>", some_labels(), np.full(len(MOVES), -1, np.int16), "column '<i>' is not open")
    shown = evaluation._repr_html_()
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "faults: 7; the first: column" in shown


def test_columns_that_are_not_open_are_faults_one_by_one_and_in_batches() -> None:
    labels = some_labels()
    one_by_one = ask_each("three", lambda _: 3, labels, Progress())
    batched = ask_in_batches("three", lambda planes: np.full(len(planes), 3), labels, 2, Progress())
    assert one_by_one.columns.tolist() == batched.columns.tolist() == [3, 3, 3, 3, 3, -1, 3]
    assert one_by_one.fault == batched.fault
    assert str(one_by_one.fault).startswith("column 3 is not open in Position.from_drawing(")


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_values_choose_the_best_open_column_and_planes_come_in_order(batch: int) -> None:
    labels = some_labels()
    asked: list[Any] = []

    def policy(planes: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        asked.append(planes)
        return np.tile([0.0, 1, 2, 9, 2, 1, 0], (len(planes), 1))

    evaluation = ask_in_batches("centre", policy, labels, batch, Progress())
    assert evaluation.columns.tolist() == [3, 3, 3, 3, 3, 2, 3]
    assert (np.concatenate(asked) == labels.planes).all()
    assert max(map(len, asked)) <= batch
    assert evaluation.fault is None


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros(3), "odd gave an array of float64 with shape (3,) for 7 positions; allowed are whole numbers with"),
        (np.zeros((7, 6)), "with shape (7, 6) for 7 positions"),
        (np.full((7, 7), np.nan), "odd gave values that are not numbers (nan)"),
        (None, "odd gave an array of object with shape ()"),
    ],
)
def test_other_answers_to_a_batch_are_refused(answer: Any, message: str) -> None:
    with pytest.raises(errors.ChoiceError) as caught:
        ask_in_batches("odd", lambda _: answer, some_labels(), 100, Progress())
    assert message in str(caught.value)


def test_a_program_that_fails_later_has_a_fault_and_one_that_fails_at_first_is_an_error() -> None:
    def fails_at(moves: str) -> Any:
        def choose(position: Position) -> int:
            if position == Position.from_moves(moves):
                raise FaultError(Ending.CRASHED, "it ended")
            return position.legal_columns()[0]

        return choose

    evaluation = ask_each("late", fails_at("4455"), some_labels(), Progress())
    assert evaluation.overall.faults == 1
    assert str(evaluation.fault).startswith("crashed: it ended, in Position.from_drawing(")
    with pytest.raises(FaultError):
        ask_each("early", fails_at(""), some_labels(), Progress())
