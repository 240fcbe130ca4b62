"""Ctrl-C: the first one asks, the second one ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED, Stop, stop_on_interrupt


def test_the_first_interrupt_asks_to_stop_and_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    stop = Stop()
    with stop_on_interrupt(stop, "Stopping."):
        assert not stop.is_asked
        signal.raise_signal(signal.SIGINT)
        assert stop.is_asked
    assert capfd.readouterr().err == "\nStopping.\n"
    assert signal.getsignal(signal.SIGINT) is before


def test_the_second_interrupt_ends_the_program() -> None:
    program = (
        "import signal\n"
        "from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt\n"
        "with stop_on_interrupt(Stop(), 'Stopping.'):\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    print('not reached')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (EXIT_INTERRUPTED, "", "\nStopping.\n")


def test_other_threads_leave_signals_alone() -> None:
    handler = signal.getsignal(signal.SIGINT)
    seen: list[object] = []

    def body() -> None:
        with stop_on_interrupt(Stop(), ""):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert seen == [handler]
