"""Core times: what agents had of the machine, and whether they were late because others had it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import psutil
import pytest

from connect4_agent.agents import core_times
from connect4_agent.agents.core_times import CoreClock, CoreTimes, Lateness
from connect4_agent.agents.guard import known_descendants
from connect4_agent.arena.referee import play_game
from connect4_agent.arena.run.record import MOST_ATTEMPTS, Ending, GameRecord
from connect4_agent.arena.schedule import GameSetup
from tests.arena.helping import built_in, program, setup_of
from tests.processes import wait_until

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts how long threads wait")


class Scripted(CoreClock):
    """Gives these times, one after the other."""

    is_ready = False
    has_thief = True

    def __init__(self, *times: CoreTimes | None) -> None:
        super().__init__(0)
        self._times = list(times)

    def has_ready_thread(self) -> bool:
        """As it was set."""
        return self.is_ready

    def is_time_stolen(self) -> bool:
        """As it was set."""
        return self.has_thief

    def look(self) -> CoreTimes | None:
        """The next ones."""
        return self._times.pop(0)


START = CoreTimes(5.0, 7.0, 9)


def times_after(ran_seconds: float, waited_seconds: float, sleeps: int = 1) -> CoreTimes:
    return CoreTimes(START.ran_seconds + ran_seconds, START.waited_seconds + waited_seconds, START.sleeps + sleeps)


def late(
    *after: CoreTimes | None, before: CoreTimes | None = START, is_ready: bool = False, has_thief: bool = True
) -> Lateness:
    """An answer that is late at a limit of 1 s, with the times at the looks that follow."""
    clock = Scripted(before, *after)
    clock.is_ready, clock.has_thief = is_ready, has_thief
    lateness = Lateness(clock, 1.0)
    assert lateness.watch(0.0) == core_times.LOOK_AFTER_SECONDS
    assert lateness.watch(0.002) == float("inf")
    return lateness


def test_an_agent_that_waited_for_a_core_is_waited_for_and_was_late_by_the_machine() -> None:
    lateness = late(times_after(0.4, 0.6), times_after(0.5, 0.9))
    assert lateness.more_seconds(1.0) == pytest.approx(0.6)
    lateness.end(1.4)
    assert lateness.is_machine_busy
    assert lateness.waited_seconds == pytest.approx(0.9)
    assert lateness.elapsed_seconds == 1.0


def test_an_agent_that_did_not_wait_was_late_by_itself_even_if_it_answers_soon() -> None:
    lateness = late(times_after(1.0, 0.0), times_after(1.01, 0.001))
    assert lateness.more_seconds(1.0) == core_times.LATE_SECONDS
    lateness.end(1.01)
    assert not lateness.is_machine_busy


def test_an_agent_that_needs_all_its_time_and_more_is_given_up() -> None:
    lateness = late(times_after(0.5, 0.5), times_after(0.8, 0.7), times_after(1.1, 0.8))
    assert lateness.more_seconds(1.0) == pytest.approx(0.5)
    assert lateness.more_seconds(1.5) == pytest.approx(0.2)
    assert lateness.more_seconds(1.9) <= 0


def test_an_agent_whose_own_threads_kept_each_other_waiting_is_late_by_itself() -> None:
    lateness = late(times_after(2.0, 3.0), times_after(2.1, 3.0))
    assert lateness.more_seconds(1.0) == core_times.LATE_SECONDS
    lateness.end(1.01)
    assert not lateness.is_machine_busy


def test_nobody_is_waited_for_without_end() -> None:
    lateness = late(times_after(0.0, 1.0), times_after(0.0, 50.0))
    assert lateness.more_seconds(1.0) == pytest.approx(1.0)
    assert lateness.more_seconds(11.0) == 0
    assert lateness.is_machine_busy  # it never had a core


def test_an_agent_that_slept_was_late_by_itself() -> None:
    lateness = late(times_after(0.1, 1.0), times_after(0.1, 2.0))
    assert lateness.more_seconds(1.0) == pytest.approx(0.9)
    assert lateness.more_seconds(11.0) == 0
    assert not lateness.is_machine_busy


def test_an_agent_that_never_slept_and_hardly_ran_was_kept_from_running_by_the_host() -> None:
    times = times_after(0.4, 0.0, sleeps=0), times_after(0.7, 0.0, sleeps=0), times_after(0.8, 0.0, sleeps=1)
    lateness = late(*times, is_ready=True)
    assert lateness.more_seconds(1.0) == pytest.approx(0.6)
    assert lateness.more_seconds(1.6) == pytest.approx(0.3)
    lateness.end(1.7)  # it sleeps after its answer, which does not matter
    assert lateness.is_machine_busy
    assert lateness.waited_seconds == pytest.approx(0.9)


def test_an_agent_that_never_slept_and_ran_for_all_its_time_was_late_by_itself() -> None:
    lateness = late(times_after(0.9, 0.0, sleeps=0), times_after(1.05, 0.0, sleeps=0), is_ready=True)
    assert lateness.more_seconds(1.0) == pytest.approx(0.1)
    assert lateness.more_seconds(1.1) < 0


@pytest.mark.parametrize(("is_ready", "has_thief"), [(False, True), (True, False)])
def test_an_agent_that_was_asleep_all_the_time_or_from_which_nobody_took_a_core_was_late_by_itself(
    is_ready: bool, has_thief: bool
) -> None:
    times = times_after(0.0, 0.0, sleeps=0), times_after(0.1, 0.0, sleeps=0)
    lateness = late(*times, is_ready=is_ready, has_thief=has_thief)
    assert lateness.more_seconds(1.0) == core_times.LATE_SECONDS
    lateness.end(1.01)
    assert not lateness.is_machine_busy


def test_an_agent_that_slept_before_its_time_was_over_was_late_by_itself_though_it_hardly_ran() -> None:
    lateness = late(times_after(0.4, 0.0, sleeps=1), times_after(0.5, 0.0, sleeps=2), is_ready=True)
    assert lateness.more_seconds(1.0) == core_times.LATE_SECONDS
    lateness.end(1.01)
    assert not lateness.is_machine_busy


def test_a_system_that_does_not_tell_gives_no_time() -> None:
    assert late(None, before=None).more_seconds(1.0) == 0


@only_linux
def test_the_record_holds_what_programs_had_of_the_cores() -> None:
    record = play_game(setup_of(program("spins", "0.02"), built_in("first-open")))
    moves = sum(record.mover_of(ply) == 1 for ply in range(len(record.columns)))
    ran, waited = record.cpu_ms[0], record.waited_ms[0]
    assert ran is not None
    assert ran >= moves * 20
    assert waited is not None
    assert waited >= 0
    assert (record.cpu_ms[1], record.waited_ms[1]) == (None, None)
    assert not record.machine_busy


@only_linux
@pytest.mark.parametrize(
    ("code", "sleeps"), [("while time.process_time() < 0.3: pass", 0), ("for _ in range(20): time.sleep(0.001)", 20)]
)
def test_sleeps_are_counted_and_computing_is_not(code: str, sleeps: int) -> None:
    # The parent is this process's child, as a guard is; what is looked at is the grandchild.
    spin = "while True: pass"
    child = f"import os, time\nos.write(1, b'x'); os.read(0, 1)\n{code}\nos.write(1, b'x')\n{spin}"
    parent = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {child!r}]))"
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        clock = CoreClock(process.pid)
        process.stdout.read(1)
        while clock.has_ready_thread():  # until it waits for its input
            pass
        before = clock.look()
        process.stdin.write(b"x")
        process.stdin.flush()
        process.stdout.read(1)
        after = clock.look()
        (child_pid,) = known_descendants(process.pid)
        os.kill(child_pid, signal.SIGKILL)
    assert before is not None
    assert after is not None
    assert after.since(before).sleeps == sleeps


@only_linux
def test_the_times_of_a_kept_process_are_those_of_the_game() -> None:
    agent = program("spins", "0.02", restart=False)
    records = [play_game(setup_of(agent, built_in("first-open"))) for _ in range(2)]
    first, second = (record.cpu_ms[0] or 0.0 for record in records)
    moves = sum(records[1].mover_of(ply) == 1 for ply in range(len(records[1].columns)))
    assert first >= moves * 20
    assert moves * 20 <= second < moves * 40


@pytest.fixture
def busy_core() -> Iterator[None]:
    """This process and all that it starts have a single core, with five processes that compute."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    spin = [sys.executable, "-S", "-E", "-c", "while True: pass"]
    hogs = [subprocess.Popen(spin, start_new_session=True) for _ in range(5)]
    for hog in hogs:
        wait_until(lambda hog=hog: psutil.Process(hog.pid).cpu_times().user > 0.1)  # type: ignore[misc]
    yield
    for hog in hogs:
        hog.kill()
        hog.wait()
    os.sched_setaffinity(0, cores)


def played_until(is_as_expected: Callable[[GameRecord], bool], setup: GameSetup) -> GameRecord:
    """The game's record, played again a few times: which process gets the core, and when, is up to the system."""
    for _ in range(12):
        record = play_game(setup)
        if is_as_expected(record):
            break
    return record


@only_linux
@pytest.mark.slow
@pytest.mark.usefixtures("busy_core")
def test_an_honest_agent_on_a_busy_core_is_late_by_the_machine_and_a_slow_one_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(core_times, "MOST_PATIENCE", 1000)  # others may use the core as well
    settings = {"limit_seconds": 0.3, "grace_seconds": 0.0}  # it also starts in that time
    honest = setup_of(program("spins", "0.1", **settings), built_in("first-open"))
    record = played_until(lambda record: record.machine_busy, honest)
    assert (record.ending, record.winner, record.machine_busy) == (Ending.TIMED_OUT, 2, True)
    assert record.fault is not None
    assert "for a core, and answered in time without that" in record.fault.detail
    assert record.is_replayed
    record = play_game(setup_of(program("spins", "0.8", **settings), built_in("first-open")))
    assert (record.ending, record.machine_busy) == (Ending.TIMED_OUT, False)


def test_an_agent_that_may_be_waiting_at_the_moment_is_not_given_up() -> None:
    clock = Scripted(START, times_after(0.5, 0.1), times_after(0.5, 0.1), times_after(0.6, 0.6))
    clock.is_ready = True
    lateness = Lateness(clock, 1.0)
    lateness.watch(0.002)
    assert lateness.more_seconds(1.0) > 0
    assert lateness.more_seconds(1.2) == core_times.LATE_SECONDS
    lateness.end(1.3)
    assert lateness.is_machine_busy


@only_linux
@pytest.mark.slow
@pytest.mark.usefixtures("busy_core")
def test_in_the_last_attempt_the_wait_for_a_core_does_not_count_but_thinking_does() -> None:
    settings = {"limit_seconds": 0.3, "grace_seconds": 0.0}  # it also starts in that time
    honest = setup_of(program("spins", "0.1", **settings), built_in("first-open"), opening=(1, 2, 1, 2))
    honest = replace(honest, attempt=MOST_ATTEMPTS)
    record = played_until(lambda record: len(record.overruns) > 0 and not record.fault, honest)
    assert (record.ending, record.fault, record.machine_busy) == (Ending.FOUR, None, False)
    assert len(record.overruns) > 0
    slow = setup_of(program("spins", "0.8", **settings), built_in("first-open"))
    record = play_game(replace(slow, attempt=MOST_ATTEMPTS))
    assert (record.ending, record.winner, record.machine_busy) == (Ending.TIMED_OUT, 2, False)
