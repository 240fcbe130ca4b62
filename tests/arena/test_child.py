"""A child: one line out, one line in, and its clock."""

from __future__ import annotations

import pytest

from connect4_agent.arena.child import LONGEST_REPLY_BYTES, Child, FaultError
from connect4_agent.arena.record import Ending
from connect4_agent.position import Position
from connect4_agent.protocol import request_of

from .helping import command_of

REQUEST = request_of(Position())


def child_of(name: str, *arguments: str) -> Child:
    return Child(command_of(name, *arguments), {}, None, 60.0)


def test_answers_come_in_order_and_nothing_is_left_over() -> None:
    child = child_of("good")
    assert [child.ask(REQUEST, 60.0, 0.0).line for _ in range(3)] == [b'{"move": 0}'] * 3
    assert child.is_usable
    assert child.stop() == []
    assert not child.is_usable


def test_without_a_limit_an_answer_is_waited_for() -> None:
    child = child_of("late", "0.3")
    assert child.ask(REQUEST, None, 0.0).line == b'{"move":0}'
    reply = child.ask(REQUEST, None, 0.0)
    assert reply.line == b'{"move":0}'
    assert reply.elapsed_seconds >= 0.3
    child.stop()


def test_the_time_of_the_first_answer_leaves_out_the_start() -> None:
    child = child_of("slow_start", "0.5")
    assert child.ask(REQUEST, 60.0, 0.0).elapsed_seconds < 0.5
    child.stop()


def test_after_a_fault_an_agent_is_not_asked_again() -> None:
    child = child_of("stall")
    child.ask(REQUEST, 60.0, 0.0)
    with pytest.raises(FaultError) as caught:
        child.ask(REQUEST, 0.01, 0.0)
    assert caught.value.ending is Ending.TIMED_OUT
    assert not child.is_usable
    with pytest.raises(AssertionError):
        child.ask(REQUEST, 0.01, 0.0)
    child.stop()


def test_what_is_printed_after_the_end_of_the_input_is_given_back() -> None:
    child = child_of("doubles_last")
    child.ask(REQUEST, 60.0, 0.0)
    child.end_input()
    assert child.stop() == [b'{"move":0}']


def test_no_more_than_the_longest_line_is_held() -> None:
    child = child_of("endless_line")
    with pytest.raises(FaultError) as caught:
        child.ask(REQUEST, 60.0, 0.0)
    assert caught.value.ending is Ending.MALFORMED_REPLY
    assert sum(map(len, child.stop())) <= LONGEST_REPLY_BYTES


def test_an_answer_and_then_an_exit_are_an_answer_and_then_a_crash() -> None:
    child = child_of("crash_mid_game")
    assert child.ask(REQUEST, 60.0, 0.0).line == b'{"move":0}'
    with pytest.raises(FaultError) as caught:
        child.ask(REQUEST, 60.0, 0.0)
    assert caught.value.ending is Ending.CRASHED
    child.stop()
