"""Lines of columns to the real server: a score for each, and an end at once."""

from __future__ import annotations

import signal
import subprocess

from tests.processes import PATIENCE_SECONDS, ask, started_agent


def tell(process: subprocess.Popen[bytes], line: str) -> None:
    """Send a line without waiting for its answer."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())


def ended_quietly(process: subprocess.Popen[bytes]) -> str:
    """Close the input: the server ends with 0 and has said nothing more."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.wait(PATIENCE_SECONDS) == 0
    return process.stderr.read().decode()


def test_a_script_around_the_solver_gets_a_line_for_every_game_and_none_for_others() -> None:
    line = b"2252576253462244111563365343671351441"
    with started_agent("--protocol", "solver") as process:
        assert ask(process, line) == line + b" -1\n"
        assert ask(process, b"2252576253462244111563365343671351441999\n" + line) == line + b" -1\n"
        assert "warning: line 2: move 38" in ended_quietly(process)
    with started_agent("--protocol", "solver", "--all") as process:
        assert len(ask(process, line).split()) == 8
        ended_quietly(process)


def test_a_signal_ends_the_solver_at_once() -> None:
    with started_agent("--protocol", "solver", "-v") as process:
        tell(process, "x")
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 143


def test_a_reader_that_leaves_ends_the_solver_in_the_middle_of_a_search() -> None:
    with started_agent("--protocol", "solver", "--width", "8", "--height", "7", "-v") as process:
        tell(process, "1")
        assert process.stderr is not None
        assert process.stdout is not None
        process.stderr.readline()
        process.stdout.close()
        assert process.wait(PATIENCE_SECONDS) == 0
