"""The protocol of lines of columns: exact scores by the line."""

from __future__ import annotations

import pytest

from connect4_agent.errors import ReaderGoneError
from connect4_agent.rules.position import Position
from connect4_agent.server import columns
from connect4_agent.server.lines import MAX_LINE_BYTES
from tests.server.scripts import scored

LATE = "2252576253462244111563365343671351441"
"""Thirty-seven plies, from the first test set of PascalPons/connect4, whose score there is -1."""


def test_a_line_comes_back_with_its_score() -> None:
    assert scored(LATE).answers == [f"{LATE} -1"]


def test_every_column_has_a_score_and_a_full_one_minus_1000() -> None:
    line, *found = scored(LATE, all_columns=True).answers[0].split()
    assert line == LATE
    position = Position.from_moves(LATE)
    assert [score == "-1000" for score in found] == [not position.is_open(column) for column in range(7)]
    assert max(map(int, found)) == -1


def test_an_empty_line_is_the_empty_board() -> None:
    assert scored("", "1", width=4, height=4).answers == [" 0", "1 0"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("8", "move 1 of '8' is '8'"),
        ("44x", "move 3 of '44x' is 'x'"),
        ("4444444", "column 4 is full"),
        ("1212121", "'1212121' is over: player 1 has four in a row"),
        ("12121212", "comes after the end"),
        (f"{LATE} -1", "is ' '"),
    ],
)
def test_a_line_that_is_no_game_in_progress_is_told_and_not_answered(line: str, said: str) -> None:
    connection = scored(LATE, line, LATE)
    assert connection.answers == [f"{LATE} -1"] * 2
    (note,) = connection.notes
    assert note.startswith("warning: line 2: ")
    assert said in note


def test_a_full_board_without_a_four_is_a_draw_in_which_nothing_can_be_played() -> None:
    full = "112233112233"
    assert scored(full, width=3, height=4).answers == [f"{full} 0"]
    assert scored(full, width=3, height=4, all_columns=True).answers == [f"{full} -1000 -1000 -1000"]


def test_carriage_returns_are_no_part_of_the_line() -> None:
    assert scored(f"{LATE}\r").answers == [f"{LATE} -1"]


def test_a_line_that_is_too_long_is_refused_whatever_it_says() -> None:
    longest = LATE.ljust(MAX_LINE_BYTES)
    connection = scored(f"{longest} ", longest)
    assert connection.answers == [f"{LATE} -1"]
    assert connection.notes == [f"warning: line 1: it is longer than {MAX_LINE_BYTES} bytes"]


@pytest.mark.parametrize("failure", [MemoryError(), ZeroDivisionError("division by zero")])
def test_a_failure_costs_one_answer_and_the_next_line_is_read(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([failure])

    def fail_once(position: Position, *_: object) -> list[int]:
        for each in failures:
            raise each
        return [position.disc_count]

    monkeypatch.setattr(columns, "_scores", fail_once)
    connection = scored("44", "4455")
    assert connection.answers == ["4455 4"]
    assert connection.notes == [f"warning: line 1: the server failed: {type(failure).__name__}: {failure}"]


def test_a_reader_that_leaves_ends_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object) -> list[int]:
        raise ReaderGoneError

    monkeypatch.setattr(columns, "_scores", leave)
    with pytest.raises(ReaderGoneError):
        scored("44")
