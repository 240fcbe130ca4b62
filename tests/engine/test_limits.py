"""The bound on the solver's nodes."""

from __future__ import annotations

import pytest

from connect4_agent import errors
from connect4_agent.engine.book.lookup import EMPTY_BOOK
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.limits import NodeBound
from connect4_agent.rules.position import Position

EMPTY = Position(5, 4)


def test_a_proof_that_takes_more_nodes_ends_and_one_that_takes_fewer_does_not() -> None:
    def new_engine() -> Engine:
        return Engine(EMPTY.width, EMPTY.height, book=EMPTY_BOOK)

    engine = new_engine()
    score = engine.score(EMPTY, NodeBound(engine, float("inf")).poll)
    needed = engine.nodes
    engine = new_engine()
    assert engine.score(EMPTY, NodeBound(engine, needed).poll) == score
    engine = new_engine()
    with pytest.raises(errors.TooHardError, match="more than 10 nodes"):
        engine.score(EMPTY, NodeBound(engine, 10).poll)


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
