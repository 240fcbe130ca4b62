"""Attacks: what a program does to the worker, to its opponent and to the machine, in each mode that matters."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection
from math import inf
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import psutil
import pytest

from connect4_agent import errors
from connect4_agent.arena import process
from connect4_agent.arena.agents.remote_program import RemoteProgram
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.process import Watch
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.referee import play_with_worker
from connect4_agent.arena.worker import Worker
from connect4_agent.rules.position import Position
from connect4_agent.server.request import make_request
from tests.arena.helping import built_in, command_of, play_game, program, setup_of
from tests.processes import running_with, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems have no namespaces, and nobody adopts orphans"),
]

NONE = "none"
PROCESSES = pytest.param("processes", marks=pytest.mark.needs("bwrap"))
FULL = pytest.param("full", marks=pytest.mark.needs("bwrap"))


def attacked(attack: str, isolation: str, mark: str | None = None, **settings: object) -> GameRecord:
    """A game in which player 1 attacks, and player 2 never leaves the last column."""
    attacker = program("attacks", mark or uuid4().hex, attack, isolation=isolation, **settings)
    victim = program("right", "victim", isolation=isolation)
    return play_game(setup_of(attacker, victim, opening=(6, 6, 6)))


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
@pytest.mark.parametrize(
    "attack",
    ["kill_parent", "limit_parent", "kill_opponent", "stop_opponent", "trace_opponent", "kill_group"],
)
def test_in_a_namespace_an_attack_on_other_processes_finds_nobody(attack: str, isolation: str) -> None:
    mark = uuid4().hex
    record = attacked(attack, isolation, mark)
    assert (record.ending, record.winner, record.isolation) == (Ending.FOUR, 1, isolation)
    assert running_with(mark) == []


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
def test_in_a_namespace_a_program_that_writes_a_result_writes_to_its_own_output(isolation: str) -> None:
    record = attacked("write_result", isolation)
    assert (record.ending, record.winner) == (Ending.MALFORMED_REPLY, 2)


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
def test_in_a_namespace_a_program_that_kills_all_it_can_hurts_nobody_else(isolation: str) -> None:
    record = attacked("kill_all", isolation)
    assert (record.ending, record.winner) == (Ending.FOUR, 1)


def test_without_isolation_a_killed_worker_is_lost_and_nothing_is_left() -> None:
    mark = uuid4().hex
    worker = Worker()
    with pytest.raises(errors.WorkerLostError, match=r"its worker process died \(signal 9\)"):
        play_with_worker(worker, setup_of(program("attacks", mark, "kill_parent"), built_in("first-open")))
    assert running_with(mark) == []
    worker.kill()


@pytest.mark.parametrize("isolation", [NONE, PROCESSES])
def test_nothing_is_left_of_a_program_that_forks_all_the_time(tmp_path: Path, isolation: str) -> None:
    mark = uuid4().hex
    agent = program("forks", str(tmp_path / "counter"), mark, isolation=isolation)
    record = play_game(setup_of(agent, built_in("first-open")))
    assert running_with(mark) == []
    assert (record.ending, record.winner) == (Ending.WOULD_NOT_START, 2)
    size = (tmp_path / "counter").stat().st_size
    time.sleep(0.1)  # no look at the process table shows who forks all the time
    assert (tmp_path / "counter").stat().st_size == size > 0


@pytest.mark.parametrize("isolation", [NONE, PROCESSES, FULL])
@pytest.mark.parametrize("attack", ["fill_memory", "fill_memfds"])
def test_memory_counts_whether_or_not_a_process_maps_it(attack: str, isolation: str) -> None:
    record = attacked(attack, isolation, memory="300M")
    assert (record.ending, record.winner) == (Ending.CRASHED, 2)
    assert record.fault is not None
    assert record.fault.detail.endswith(" MB of memory; its limit is 300 MB")


def test_memory_that_processes_share_counts_once() -> None:
    assert attacked("share_memory", NONE, memory="300M").ending is Ending.FOUR


@pytest.mark.parametrize("isolation", [NONE, PROCESSES])
def test_threads_count(isolation: str) -> None:
    record = attacked("start_threads", isolation)
    assert record.ending is Ending.CRASHED
    assert record.fault is not None
    assert record.fault.detail.endswith(" threads; the limit is 1000")


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
def test_in_a_namespace_files_in_memory_are_few_and_do_not_stay(isolation: str) -> None:
    mark = uuid4().hex
    assert refusals("fill_shared_files", isolation, mark) == "refused\n"
    assert not Path(f"/dev/shm/connect4-{mark}").exists()


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
def test_in_a_namespace_segments_of_shared_memory_do_not_stay(isolation: str) -> None:
    mark = uuid4().hex
    assert attacked("leave_segments", isolation, mark).ending is Ending.FOUR
    assert ctypes.CDLL(None).shmget(int(mark[:6], 16), 0, 0) < 0


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
def test_in_a_namespace_nobody_raises_its_priority(isolation: str) -> None:
    assert refusals("raise_priority", isolation) == "refused\n"


@pytest.mark.needs("bwrap")
def test_what_is_read_only_cannot_be_made_writable() -> None:
    mark = uuid4().hex
    assert refusals("remount", "full", mark) == "refused\n"
    assert not Path(f"/connect4-{mark}").exists()


@pytest.mark.parametrize("isolation", [NONE, PROCESSES, FULL])
def test_a_program_that_is_not_to_move_is_stopped_with_all_that_it_has_started(isolation: str) -> None:
    mark = uuid4().hex
    running = RemoteProgram(program("burns", mark, isolation=isolation))
    position = Position()
    for _ in range(2):
        assert running.move(position).column == 0
        wait_until(lambda: burners(mark) == [psutil.STATUS_STOPPED] * 3)
        position = position.play(0).play(3)
    running.close()
    assert running_with(mark) == []


def burners(mark: str) -> list[str]:
    """The states of an agent's processes, without bubblewrap's own."""
    processes = [psutil.Process(pid) for pid in running_with(mark)]
    return [process.status() for process in processes if process.name() != "bwrap"]


def test_a_program_that_makes_looks_slow_is_looked_at_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class Slow:
        def look(self) -> None:
            nonlocal now
            now += 10.0

    watch = Watch()
    monkeypatch.setattr(process, "perf_counter", lambda: now)
    monkeypatch.setattr(watch, "_processes", [Slow()])
    watch._look_if_due()
    assert watch._next_look == now + process.MAX_PAUSE_SECONDS < 11.0


def test_a_program_that_is_asked_again_at_once_is_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Collection[int], int]] = []
    monkeypatch.setattr(process, "send_signal", lambda pids, number: sent.append((pids, number)))
    watch = Watch()
    agent = process.Process(program("good"), command_of("good"), watch)
    agent.ask(make_request(Position()), 30.0, 0.0)
    agent.rest()
    agent.ask(make_request(Position()), 30.0, 0.0)
    assert sent == []
    agent.rest()
    while agent.stops_at < inf:
        watch.wait(agent.stops_at)
    assert [number for _, number in sent] == [signal.SIGSTOP]
    agent.ask(make_request(Position()), 30.0, 0.0)
    assert [number for _, number in sent] == [signal.SIGSTOP, signal.SIGCONT]
    monkeypatch.setattr(process, "end_all", lambda _: None)  # nothing else below this process is the worker's
    agent.end()
    os.waitpid(agent.pid, 0)


@pytest.mark.needs("bwrap")
def test_a_program_that_was_caught_computing_is_stopped_at_once_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    agent = process.Process(program("burns", "x", isolation="processes"), command_of("burns", "x"), watch)
    agent.ask(make_request(Position()), 30.0, 0.0)
    agent.rest()
    while agent.stops_at < inf:
        watch.wait(agent.stops_at)
    agent.ask(make_request(Position()), 30.0, 0.0)
    agent.rest()
    assert agent.stops_at <= perf_counter()
    monkeypatch.setattr(process, "end_all", lambda _: None)  # nothing else below this process is the worker's
    agent.is_broken = True
    agent.end()
    os.waitpid(agent.pid, 0)


def refusals(attack: str, isolation: str, mark: str | None = None) -> str:
    """What the attacker writes to standard error, in a game that it loses by an illegal move."""
    attacker = program("attacks", mark or uuid4().hex, attack, isolation=isolation)
    record = play_game(setup_of(attacker, built_in("first-open"), opening=(0, 0)))
    assert record.ending is Ending.ILLEGAL_MOVE
    assert record.fault is not None
    return record.fault.stderr_tail
