"""An agent process: one line out, one line in, and its clock."""

from __future__ import annotations

import pytest

from connect4_agent.agents.agent_process import LONGEST_REPLY_BYTES, AgentProcess
from connect4_agent.agents.faults import FaultError, FaultKind
from connect4_agent.agents.guarded_process import SEES_READS
from connect4_agent.rules.position import Position
from connect4_agent.wire.request import request_of
from tests.arena.helping import command_of

REQUEST = request_of(Position())


def process_of(name: str, *arguments: str) -> AgentProcess:
    return AgentProcess(command_of(name, *arguments), {}, None, 60.0)


def test_answers_come_in_order_and_nothing_is_left_over() -> None:
    process = process_of("good")
    assert [process.ask(REQUEST, 60.0, 0.0).line for _ in range(3)] == [b'{"move": 0}'] * 3
    assert process.is_usable
    assert process.stop() == []
    assert not process.is_usable


@pytest.mark.skipif(not SEES_READS, reason="only Linux tells what an agent has not read")
def test_a_paused_agent_goes_on_when_its_request_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    process = process_of("good")
    process.ask(REQUEST, 60.0, 0.0)
    process.pause()
    unread = []
    resume = process.resume

    def noted() -> None:
        unread.append(process._process.unread_bytes())
        resume()

    monkeypatch.setattr(process, "resume", noted)
    assert process.ask(REQUEST, 60.0, 0.0).line == b'{"move": 0}'
    assert unread == [len(REQUEST) + 1]
    process.stop()


def test_without_a_limit_an_answer_is_waited_for() -> None:
    process = process_of("late", "0.3")
    assert process.ask(REQUEST, None, 0.0).line == b'{"move":0}'
    reply = process.ask(REQUEST, None, 0.0)
    assert reply.line == b'{"move":0}'
    assert reply.elapsed_seconds >= 0.3
    process.stop()


def test_the_time_of_the_first_answer_leaves_out_the_start() -> None:
    process = process_of("slow_start", "2")
    assert process.ask(REQUEST, 60.0, 0.0).elapsed_seconds < 2
    process.stop()


def test_after_a_fault_an_agent_is_not_asked_again() -> None:
    process = process_of("stall")
    process.ask(REQUEST, 60.0, 0.0)
    with pytest.raises(FaultError) as caught:
        process.ask(REQUEST, 0.01, 0.0)
    assert caught.value.kind is FaultKind.TIMED_OUT
    assert not process.is_usable
    with pytest.raises(AssertionError):
        process.ask(REQUEST, 0.01, 0.0)
    process.stop()


@pytest.mark.usefixtures("long_farewell")
def test_what_is_printed_after_the_end_of_the_input_is_given_back() -> None:
    process = process_of("doubles_last")
    process.ask(REQUEST, 60.0, 0.0)
    process.end_input()
    assert process.stop() == [b'{"move":0}']


def test_no_more_than_the_longest_line_is_held() -> None:
    process = process_of("endless_line")
    with pytest.raises(FaultError) as caught:
        process.ask(REQUEST, 60.0, 0.0)
    assert caught.value.kind is FaultKind.MALFORMED_REPLY
    assert sum(map(len, process.stop())) <= LONGEST_REPLY_BYTES


def test_an_answer_and_then_an_exit_are_an_answer_and_then_a_crash() -> None:
    process = process_of("crash_mid_game")
    assert process.ask(REQUEST, 60.0, 0.0).line == b'{"move":0}'
    with pytest.raises(FaultError) as caught:
        process.ask(REQUEST, 60.0, 0.0)
    assert caught.value.kind is FaultKind.CRASHED
    process.stop()
