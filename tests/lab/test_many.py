"""analyze_many: the same scores as analyze gives, for every kind of input, each position solved once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import FULL, analyze, analyze_many, errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.rules.position import Position
from tests.boards import games
from tests.effort import examples
from tests.kernel_forms import forms_for
from tests.late import late_positions, nearly_full, random_position
from tests.processes import PATIENCE_SECONDS, clean_environment, output_of

late = late_positions([(7, 6)], most_empties=16)
of_any_size = st.sampled_from([(7, 6), (5, 4), (4, 7), (8, 8), (9, 8), (3, 5)]).flatmap(
    lambda size: st.lists(late_positions([size], most_empties=12), min_size=1, max_size=8)
)


def one_by_one(positions: list[Position]) -> list[list[int]]:
    found = []
    for position in positions:
        scores = [None] * position.width if position.is_over else analyze(position).scores
        found.append([FULL if score is None else score for score in scores])
    return found


def words_of(positions: list[Position]) -> npt.NDArray[np.uint64]:
    return np.array([[position.own, position.opponent] for position in positions], np.uint64)


def boards_of(positions: list[Position]) -> npt.NDArray[np.int8]:
    return np.array([list(zip(*position.grid(), strict=True)) for position in positions], np.int8)


@given(of_any_size, st.integers(1, 3))
@examples(60)
def test_many_positions_have_the_scores_that_each_has_alone(positions: list[Position], jobs: int) -> None:
    found = analyze_many(positions, jobs=jobs)
    assert found.dtype == np.int8
    assert found.tolist() == one_by_one(positions)


@given(st.lists(nearly_full([(10, 8), (12, 9)], most_empties=12), min_size=1, max_size=3))
@examples(20)
def test_boards_of_up_to_128_bits_can_be_many(positions: list[Position]) -> None:
    positions = [each for each in positions if (each.width, each.height) == (positions[0].width, positions[0].height)]
    assert analyze_many(positions).tolist() == one_by_one(positions)
    assert analyze_many(boards_of(positions)).tolist() == one_by_one(positions)


@given(st.lists(late, min_size=1, max_size=8))
@examples(40)
def test_arrays_are_read_like_positions(positions: list[Position]) -> None:
    expected = one_by_one(positions)
    assert analyze_many(words_of(positions)).tolist() == expected
    assert analyze_many(boards_of(positions)).tolist() == expected
    assert analyze_many(boards_of(positions).astype(np.int64)).tolist() == expected


@given(late)
@examples(40)
def test_mirror_images_have_mirrored_scores(position: Position) -> None:
    found = analyze_many([position, position.mirrored()])
    assert found[0].tolist() == found[1, ::-1].tolist()


@given(st.lists(late, min_size=1, max_size=8))
@examples(40)
def test_weak_scores_are_the_signs(positions: list[Position]) -> None:
    exact = analyze_many(positions)
    assert analyze_many(positions, weak=True).tolist() == np.where(exact == FULL, FULL, np.sign(exact)).tolist()


@given(games(st.just((5, 4))))
@examples(20)
def test_games_that_are_over_have_no_scores(played: list[Position]) -> None:
    late_half = [position for position in played if position.empty_count <= 12 or position.is_over]
    assert analyze_many(late_half).tolist() == one_by_one(late_half)


def test_the_book_knows_early_positions() -> None:
    positions = [Position.from_moves(moves) for moves in ("", "4", "44", "445532", "44444412")]
    assert analyze_many(positions).tolist() == one_by_one(positions)


def test_no_positions_have_no_scores() -> None:
    assert analyze_many([]).shape == (0, 7)
    assert analyze_many(np.empty((0, 5, 4), np.int8)).shape == (0, 4)


def test_a_position_and_its_mirror_image_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []
    new_oracle = forms.new_oracle

    class Counting:
        def __init__(self, *arguments: Any) -> None:
            self._oracle = new_oracle(*arguments)

        def score_many(self, owns: list[int], *rest: Any) -> list[int]:
            solved.extend(owns)
            return self._oracle.score_many(owns, *rest)

    monkeypatch.setattr(forms, "new_oracle", Counting)
    position, other = random_position(1, 7, 6, empties=12), random_position(2, 7, 6, empties=12)
    analyze_many([position, other, position.mirrored(), position, other] * 20, jobs=2)
    assert len(solved) == 2


@given(late_positions([(7, 6), (5, 4), (8, 8), (9, 8)], most_empties=13))
@examples(60)
@pytest.mark.needs("compiled")
def test_all_forms_give_the_same_scores_with_as_many_nodes(position: Position) -> None:
    answers = []
    size = position.width, position.height
    for form in forms_for(*size):
        alone, together = forms.new_solver(*size, form), forms.new_solver(*size, form)
        scores: list[int | None] = [None] * position.width
        assert forms.new_oracle(*size, None, alone, 0, form).score_columns(
            position.own, position.opponent, do_nothing, scores
        )
        oracle = forms.new_oracle(*size, None, None, 0, form)
        found = oracle.score_many([position.own], [position.opponent], together, do_nothing, False)
        assert found == [FULL if score is None else score for score in scores]
        assert alone.nodes == together.nodes
        answers.append((found, alone.nodes))
    assert answers == answers[:1] * len(answers)


def test_what_a_poll_raises_ends_it_and_the_solver_can_be_used_again() -> None:
    class EnoughError(Exception):
        pass

    def stop() -> None:
        raise EnoughError

    position = Position.from_moves("521612263155")
    solver: Solver = forms.new_solver(7, 6)
    oracle = forms.new_oracle(7, 6, None, None, 0)
    with pytest.raises(EnoughError):
        oracle.score_many([position.own], [position.opponent], solver, stop, False)
    late_one = random_position(3, 7, 6, empties=10)
    found = oracle.score_many([late_one.own], [late_one.opponent], solver, do_nothing, False)
    assert [found] == one_by_one([late_one])


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        (lambda: 7, "positions is 7; allowed are a sequence of Position, an array of uint64"),
        (Position, "positions is Position(); allowed are a sequence of Position"),
        (lambda: ["4455"], "positions[0] is '4455'; allowed are"),
        (
            lambda: [Position(), Position(8, 7)],
            "positions[1] has 8 columns and 7 rows, positions[0] has 7 and 6; all must have the same size",
        ),
        (
            lambda: [Position(100, 100)],
            "positions have 100 columns and 100 rows; (rows + 1) x columns may be at most 128",
        ),
        (lambda: np.zeros((3, 2)), "positions is an array of float64 with shape (3, 2); allowed are"),
        (lambda: np.zeros((3, 2), np.int64), "positions is an array of int64 with shape (3, 2); allowed are"),
        (lambda: np.zeros((3, 6, 0), np.int8), "with shape (3, 6, 0); a board has 1 to 100 columns and rows"),
        (
            lambda: np.array([[0, 0], [1, 1]], np.uint64),
            "positions[1], own and opponent as discs_1 and discs_2: both players have a disc on column 0, row 0",
        ),
        (lambda: np.array([[2, 0]], np.uint64), "positions[0], own and opponent as discs_1 and discs_2: the disc on"),
        (lambda: np.array([[1 << 6, 0]], np.uint64), "discs_1 is 0x40, with bits outside a board of 7x6"),
        (lambda: np.full((2, 6, 7), 3, np.int8), "positions[0]: grid[5][0] is 3; a cell is 0, 1 or 2"),
        (
            lambda: np.array([[[1, 0], [0, 0]]], np.int8),
            "positions[0]: grid[0][0] is 1, a disc of player 1, but grid[1][0] below it is empty",
        ),
    ],
)
def test_what_is_no_position_is_refused(positions: Callable[[], Any], message: str) -> None:
    with pytest.raises(errors.BadValueError) as caught:
        analyze_many(positions())
    assert message in str(caught.value)


@pytest.mark.parametrize("jobs", [0, -1, 1.5])
def test_a_number_of_threads_that_makes_no_sense_is_refused(jobs: Any) -> None:
    with pytest.raises(errors.BadValueError, match=rf"jobs is {jobs}; allowed are whole numbers from 1 on"):
        analyze_many([], jobs=jobs)


def test_progress_is_shown_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    analyze_many([random_position(1, 7, 6, empties=8)], progress=True)
    assert capsys.readouterr().err.startswith("1 of 1 positions to score\n1 of 1 positions, ")


def test_without_numpy_the_error_says_how_to_install_it() -> None:
    program = (
        "import sys\nsys.modules['numpy'] = None\nfrom connect4_agent import *\n"
        "try:\n    analyze_many([])\nexcept ImportError as error:\n    print(error)"
    )
    assert output_of(program) == (
        "analyze_many needs NumPy, which the extra data installs: pip install 'connect4-agent[data]'"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no process there can be sent a Ctrl-C of its own")
def test_ctrl_c_ends_it() -> None:
    program = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background job ignores it
        "import connect4_agent as c4\n"
        "print('begun', flush=True)\n"
        "c4.analyze_many([c4.Position.from_moves('44', 9, 8)], jobs=2)"  # takes days
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while process.poll() is None:
            os.kill(process.pid, signal.SIGINT)
            try:
                process.wait(1.0)  # an interrupt while modules are loaded would not prove much
            except subprocess.TimeoutExpired:
                continue
        _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
    assert complaint.rstrip().endswith(b"KeyboardInterrupt")
