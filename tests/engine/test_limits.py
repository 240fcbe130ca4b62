"""The bound on the solver's nodes."""

from __future__ import annotations

import pytest

from connect4_agent import errors
from connect4_agent.engine.book.lookup import EMPTY_BOOK
from connect4_agent.engine.exact import ExactScores
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import NodeBound
from connect4_agent.rules.position import Position

EMPTY = Position(5, 4)


def test_a_proof_that_takes_more_nodes_ends_and_one_that_takes_fewer_does_not() -> None:
    solver = forms.new_solver(5, 4)
    bound = NodeBound(solver, float("inf"))
    score = ExactScores(solver, EMPTY_BOOK, bound.poll).score(EMPTY)
    needed = solver.nodes
    solver = forms.new_solver(5, 4)
    assert ExactScores(solver, EMPTY_BOOK, NodeBound(solver, needed).poll).score(EMPTY) == score
    solver = forms.new_solver(5, 4)
    with pytest.raises(errors.TooHardError, match="more than 10 nodes"):
        ExactScores(solver, EMPTY_BOOK, NodeBound(solver, 10).poll).score(EMPTY)


def test_each_position_has_its_own_nodes() -> None:
    class Counter:
        nodes = 5

    counter = Counter()
    bound = NodeBound(counter, 10)
    counter.nodes = 15
    bound.poll()
    counter.nodes = 16
    with pytest.raises(errors.TooHardError):
        bound.poll()
    bound.renew()
    bound.poll()
