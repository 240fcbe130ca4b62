"""Reasons: each is proven, and its words say what was proven."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.drawing.marks import Meaning
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.engine.limits import Limits
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import (
    Explanation,
    Reason,
    ReasonKind,
    cells_of,
    played_cells,
)
from connect4_agent.reasons.words import LEGEND, NO_REASON, PLAYERS, Part, at, describe, fill, find_terms, parts
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Mistake, Result, finished_score, result_of
from tests.effort import examples
from tests.late import late_positions
from tests.plan_referee import Referee

SIZES = [(7, 6), (7, 6), (7, 5), (6, 7), (5, 4), (4, 5), (9, 7)]


def explained(moves: str, column: int | None = None) -> Explanation:
    return explain(Position.from_moves(moves), None if column is None else column - 1)


@cache
def solver_for(width: int, height: int) -> Solver:
    return forms.new_solver(width, height, with_rules=False)


def score_of(position: Position) -> int:
    if position.is_over:
        return finished_score(position)
    return solver_for(position.width, position.height).score(position.own, position.opponent, do_nothing)


def result_for(explanation: Explanation) -> Result:
    """The true result for the side to move."""
    position, column = explanation.position, explanation.column
    return result_of(score_of(position) if column is None else -score_of(position.play(column)))


def check(reason: Reason, position: Position) -> int:
    """Prove a reason again, where it applies, with other code; the number of plies until the four."""
    position = position.after(reason.lead)
    if position.is_over:
        assert (reason.kind, position.winner) == (ReasonKind.NO_LINE, None)
        return 0
    if reason.plan is not None:
        return check_plan(reason, position)
    if reason.kind is ReasonKind.NO_LINE:
        other = 3 - reason.player
        filled = Position.from_grid([[cell or other for cell in column] for column in position.grid()], 1)
        assert filled.outcome is None or filled.winner != other
        return 0
    for number, column in enumerate(reason.line):
        if position.player == reason.player:
            assert number == len(reason.line) - 1 or position.winning_columns() == []
        else:
            wins = position.passed().winning_columns()
            assert position.winning_columns() == []
            assert column in wins
        position = position.play(column)
    assert position.winner == reason.player
    return len(reason.line)


def check_plan(reason: Reason, position: Position) -> int:
    assert reason.plan is not None
    assert position.player != reason.player
    plan = reason.plan
    size = position.width, position.height
    referee = Referee(*size, plan.kept, plan.answers, plan.spare, wins=reason.proves is Result.WIN)
    own = frozenset(cells_of(position.opponent, position.height))
    plies = referee.longest(own, frozenset(cells_of(position.own, position.height)))
    assert plies > 0
    return plies


# The kinds.


@pytest.mark.parametrize(
    ("moves", "column", "kind", "result", "summary"),
    [
        ("121212", 1, "four", "win", "Player 1 makes four at column 1, row 4."),
        (
            "4455",
            None,
            "double threat",
            "win",
            "After column 3, Player 1 can make four at column 2 or 6, row 1 (double threat).",
        ),
        (
            "644444667676615",
            None,
            "threat above a threat",
            "loss",
            "Player 2 must block column 5, below a four in row 3.",
        ),
        (
            "734731563355",
            None,
            "forced",
            "win",
            "After column 4, the forced moves of Player 1 end with four at column 5, row 4.",
        ),
    ],
)
def test_each_kind_of_sequence_has_its_name_and_its_words(
    moves: str, column: int | None, kind: str, result: str, summary: str
) -> None:
    explanation = explained(moves, column)
    assert (explanation.kind, explanation.result) == (kind, result)
    assert describe(explanation, brief=True) == summary
    assert explanation.is_covered
    check(explanation.reasons[0], explanation.position)


@pytest.mark.parametrize(
    ("moves", "column", "kind", "result"),
    [
        ("6442343433443263662", 2, "zugzwang", "win"),
        ("145444441", 5, "zugzwang", "win"),
        ("45144444113235", None, "zugzwang", "win"),
        ("344444333343", None, "hold", "draw"),
    ],
)
def test_a_plan_wins_or_holds(moves: str, column: int | None, kind: str, result: str) -> None:
    explanation = explained(moves, column)
    assert (explanation.kind, explanation.result) == (kind, result)
    for reason in explanation.reasons:
        check(reason, explanation.position)
    assert len(explanation.reasons) == (2 if result == "draw" else 1)


def test_a_mistake_has_its_key_cell_and_the_reason_of_the_right_move() -> None:
    explanation = explained("2222244654445554655", 1)
    assert explanation.mistake is Mistake.WIN_TO_DRAW
    assert explanation.key_cell == (1, 5)
    assert explanation.best is not None
    assert (explanation.best.column, explanation.best.kind) == (1, "zugzwang")
    assert [mark.meaning for mark in explanation.marks[:2]] == [Meaning.MOVE, Meaning.KEY]


def test_the_column_that_was_asked_about_is_explained_and_no_other() -> None:
    position = Position.from_moves("4455")
    for column in position.legal_columns():
        explanation = explain(position, column)
        assert explanation.line[0] == column
        assert (explanation.best is None) == (explanation.mistake is None)


def test_without_a_reason_it_says_what_is_known_and_when_one_applies() -> None:
    explanation = explain(Position())
    assert explanation.kind == "none"
    assert explanation.reasons == ()
    assert explanation.later[0].lead == explanation.best_play[: len(explanation.later[0].lead)]
    summary = describe(explanation, brief=True)
    assert summary.startswith(NO_REASON)
    assert f"after {len(explanation.later[0].lead)} discs" in summary
    check(explanation.later[0], explanation.position)


def test_without_enough_time_nothing_is_claimed() -> None:
    ticks = iter(range(10_000_000))
    explanation = explain(Position(9, 9), limits=Limits(0.001, clock=lambda: next(ticks)))
    assert (explanation.result, explanation.kind) == (None, "none")
    assert "could not be proven" in describe(explanation)


def test_a_finished_game_and_a_full_column_have_nothing_to_explain() -> None:
    with pytest.raises(errors.GameOverError, match="nothing to explain"):
        explained("1212121")
    with pytest.raises(errors.IllegalMoveError, match="column 0 is full"):
        explained("111111", 1)
    with pytest.raises(errors.BadValueError, match="position is 3"):
        explain(3)  # type: ignore[arg-type]


def test_of_three_fours_at_once_two_are_named() -> None:
    position = Position.from_drawing("....O./...OO./X..XX./O.OXO./XXXOXO", player=2)
    explanation = explain(position, 2)
    assert explanation.reasons[0].threats == ((1, 3), (2, 4))  # column 4, row 5 would make four, too
    where = "column 2, row 4 or column 3, row 5"
    assert f"can make four at {where}: Player 1 can block only one (double threat)" in describe(explanation)


def test_after_a_drawn_position_was_lost_only_the_safety_of_the_loser_is_explained() -> None:
    position = Position.from_drawing("..../..../.XXX/OXOO", player=2)
    explanation = explain(position, 3)
    assert explanation.mistake is Mistake.DRAW_TO_LOSS
    assert explanation.best is not None
    assert len(explanation.best.reasons) == 2
    assert "The plan of Player 2" in describe(explanation).partition("The right move was")[2]
    assert " is safe" not in describe(explanation)


def test_fours_are_over_only_if_no_disc_is_needed_any_more_to_block_them() -> None:
    position = Position.from_drawing("XOXO./XOXX./XOOX./OXOXO", player=2)
    stopped = "After column 5, each side can stop every line of the other."
    assert describe(explain(position, 4), brief=True) == stopped  # by column 5 again
    assert describe(explain(position.play(4), 4), brief=True) == "After column 5, nobody can make four any more."


# Soundness.


@examples(250)
@given(late_positions(SIZES, 24), st.integers(0, 100))
def test_every_explanation_is_true(position: Position, pick: int) -> None:
    if position.is_over:
        return
    columns = [None, *position.legal_columns()]
    explanation = explain(position, columns[pick % len(columns)])
    document = json.loads(json.dumps(explanation.to_dict()))
    assert Explanation.from_dict(position, document) == explanation
    result = result_for(explanation)
    assert explanation.result is result
    for reason in explanation.reasons:
        wins = {Result.WIN: position.player, Result.LOSS: 3 - position.player}.get(result)
        assert wins == (reason.player if reason.proves is Result.WIN else None)
        if explanation.column is not None and position.play(explanation.column).is_over:
            continue
        plies = check(reason, position)
        if reason.kind is ReasonKind.ZUGZWANG:
            assert plies == len(reason.line)


@examples(250)
@given(late_positions(SIZES, 26), st.integers(0, 100))
def test_words_name_only_what_the_certificate_has(position: Position, pick: int) -> None:
    if position.is_over:
        return
    columns = [None, *position.legal_columns()]
    explanation = explain(position, columns[pick % len(columns)])
    summary, text = describe(explanation, brief=True), describe(explanation)
    assert len(summary.split()) <= 25, summary
    allowed = cells_in(explanation) | (cells_in(explanation.best) if explanation.best else set())
    for part in (*parts(explanation, PLAYERS), *parts(explanation, PLAYERS, brief=True)):
        check_part(part, allowed)
    for moves in re.findall(r"makes four within (\d+) moves?", text):
        proven = [reason for each in (explanation, explanation.best) if each for reason in each.reasons]
        assert int(moves) in {len(reason.line) // 2 for reason in proven}
    above = r"block column (\d+), but then Player . makes four right above, at column (\d+), row"
    assert all(block == four for block, four in re.findall(above, text))
    assert not re.search(
        r"\bplies\b|\bply\b|key cell|\ball [012] |\b1 (disc|move|line|position|case)s|\bcolumns? or\b", text + summary
    )
    covered = sum(reason.is_covered for reason in explanation.reasons)
    assert text.partition("The right move was")[0].count("was checked (") <= covered
    assert "orced" not in text or explanation.is_covered or "The right move was" in text
    assert set(find_terms(explanation)) <= set(LEGEND.values())


def check_part(part: Part, allowed: set[Cell]) -> None:
    """Check that a part of a sentence names what it is about, and nothing else: columns and rows from 1."""
    assert part.text.isascii()
    if part.player is not None:
        assert part.text == PLAYERS[part.player - 1]
    elif part.cells:
        assert set(part.cells) <= allowed, part
        numbers = {int(number) for number in re.findall(r"\d+", part.text)}
        assert part.cells[0][0] + 1 in numbers
        assert numbers <= {side + 1 for cell in part.cells for side in cell}
    else:
        assert "layer 1" not in part.text
        assert "layer 2" not in part.text


def cells_in(explanation: Explanation) -> set[Cell]:
    """All cells that an explanation may speak of."""
    position = explanation.position
    found = set(played_cells(position, explanation.line))
    for column in explanation.keeping_columns:
        found |= set(played_cells(position, [column]))
    if explanation.column is not None:
        found |= set(played_cells(position, [explanation.column]))
    for reason in (*explanation.reasons, *explanation.later):
        found |= {*reason.threats, *reason.opponent_threats, *reason.four, *reason.needed}
        found |= set(played_cells(position, reason.lead + reason.line))
        if reason.plan is not None:
            found |= {*reason.plan.kept, *(cell for pair in reason.plan.answers for cell in pair)}
    return found | {(column, row + 1) for column, row in found}  # a plan keeps cells below threats


@examples(150)
@given(late_positions([(7, 6), (8, 7)], 28))
def test_marks_lie_on_empty_cells_one_on_each(position: Position) -> None:
    if position.is_over:
        return
    explanation = explain(position)
    cells = [(mark.column, mark.row) for mark in explanation.marks]
    assert len(set(cells)) == len(cells)
    grid = position.grid()
    assert all(grid[column][position.height - 1 - row] == 0 for column, row in cells)


def test_an_explanation_is_the_same_for_the_other_player() -> None:
    moves = "2222244654445554655"
    explanation = explained(moves, 1)
    swapped = explanation.with_players_swapped()
    other = Position(7, 6, 2).after(parse_moves(moves))
    assert swapped == explain(other, 0)
    assert describe(swapped, ("b", "a")) == describe(explanation, ("a", "b"))
    assert swapped.with_players_swapped() == explanation


@pytest.mark.parametrize("change", [{"result": "won"}, {"reasons": [{"kind": "four"}]}, {"keeping_columns": "1"}])
def test_what_is_not_an_explanation_is_refused(change: dict[str, object]) -> None:
    explanation = explained("4455", 3)
    with pytest.raises(ValueError, match="validation error"):
        Explanation.from_dict(explanation.position, {**explanation.to_dict(), **change})


# Words.


def test_names_and_cells_are_filled_in_last_and_are_not_read_again() -> None:
    explanation = explained("4455", 3)
    assert describe(explanation, ("{2}", "%s"), brief=True).startswith(
        "After column 3, {2} can make four at column 2 or 6"
    )
    assert [part.to_dict() for part in parts(explanation, PLAYERS, brief=True)] == [
        "After ",
        {"text": "column 3", "cells": ((2, 0),)},
        ", ",
        {"text": "Player 1", "player": 1},
        " can make four at ",
        {"text": "column 2 or 6, row 1", "cells": ((1, 0), (5, 0))},
        " (double threat).",
    ]


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (at([(1, 0)]), "column 2, row 1"),
        (at([(1, 0), (5, 0)]), "columns 2 and 6, row 1"),
        (at([(1, 0), (1, 2)], "or"), "column 2, row 1 or 3"),
        (at([(1, 0), (2, 3)], "or"), "column 2, row 1 or column 3, row 4"),
        (at([(1, 0), (2, 3), (4, 4)]), "column 2, row 1; column 3, row 4; and column 5, row 5"),
        (at([(0, 9), (10, 9), (34, 9)]), "columns 1, 11 and 35, row 10"),
    ],
)
def test_cells_are_named_by_columns_and_rows_from_1(template: str, text: str) -> None:
    assert "".join(part.text for part in fill(template, PLAYERS)) == text
