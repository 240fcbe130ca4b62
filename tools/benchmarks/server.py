"""The server beside the bare cost of Python and pipes: start, round trip, and how soon it ends."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from tools.benchmarks.tables import Figures

STARTS = 25
ROUND_TRIPS = 2000
BLOCKS = 10
ENDS = 20
FULL_TIMES = 4
"""How many times more a full run measures of each."""

AGENT = [str(Path(sys.executable).with_name("connect4-agent"))]
EMPTY_BOARD = json.dumps({"grid": [[0] * 6] * 7, "height": 6, "player": 1, "width": 7}).encode() + b"\n"
MIDDLE_GAME = (
    b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,2,1,2,1],[0,0,0,0,0,1],[0,0,0,0,0,0],'
    b'[0,0,0,0,0,0]],"height":6,"player":2,"width":7}\n'
)

ONE_DISC = json.dumps({"grid": [[0] * 6] * 3 + [[0] * 5 + [1]] + [[0] * 6] * 3, "height": 6, "player": 2, "width": 7})

FIRST_ANSWER_GOALS = {"easy": 2.0, "hard": 2.0, "perfect": 2.6}
"""The processor time of a whole process with one request, as a multiple of `python -c "import orjson"`."""

ECHO = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    times = 1 if quick else FULL_TIMES
    return [*starts(times * STARTS), *round_trips(times * ROUND_TRIPS), *ends(times * ENDS)]


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """A process with pipes, in an environment that neither hides a missing flush nor disables Python's code cache."""
    hidden = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0, env=environment
    )


def ask(process: subprocess.Popen[bytes], line: bytes) -> None:
    """One round trip."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    if not process.stdout.readline():
        raise RuntimeError(f"no answer from {process.args!r}")


def starts(count: int) -> Figures:
    """Processor time of whole processes that answer one request, best of many, in turns with a bare one."""
    floor = "import orjson"
    commands = {floor: [sys.executable, "-c", floor]}
    commands |= {level: [*AGENT, "--level", level] for level in FIRST_ANSWER_GOALS}
    seconds = {name: [processor_seconds(command) for _ in range(2)] for name, command in commands.items()}
    for _ in range(count):
        for name, command in commands.items():
            seconds[name].append(processor_seconds(command))
    best = {name: min(values) * 1e3 for name, values in seconds.items()}
    return [
        {
            "what": f"first answer at level {level}, ms of processor time",
            "agent": best[level],
            "beside": floor,
            "base": best[floor],
            "ratio": best[level] / best[floor],
            "goal": goal,
        }
        for level, goal in FIRST_ANSWER_GOALS.items()
    ]


def processor_seconds(command: list[str]) -> float:
    """The processor time of a process that reads one request and then the end of its input."""
    with start(command) as process:
        assert process.stdin is not None
        process.stdin.write(ONE_DISC.encode())
        process.stdin.close()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0  # already waited for
    return used.ru_utime + used.ru_stime


def first_answers(commands: dict[str, list[str]], line: bytes, count: int) -> dict[str, list[float]]:
    """The seconds from the start of each process to its answer to a line; the commands take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(count + 1):  # the first start of each fills Python's cache and does not count
        for name, command in commands.items():
            begun = perf_counter()
            with start(command) as process:
                ask(process, line)
                if number > 0:
                    seconds[name].append(perf_counter() - begun)
                assert process.stdin is not None
                process.stdin.close()
    return seconds


def round_trips(count: int) -> Figures:
    """A request without a search over a pipe, in turns with an echo of the same line."""
    commands = {"echo": [sys.executable, "-c", ECHO], "agent": AGENT}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    processes = {name: start(command) for name, command in commands.items()}
    for process in processes.values():
        ask(process, EMPTY_BOARD)
    for _ in range(BLOCKS):
        for name, process in processes.items():
            begun = perf_counter()
            for _ in range(count // BLOCKS):
                ask(process, EMPTY_BOARD)
            seconds[name].append((perf_counter() - begun) / (count // BLOCKS))
    for process in processes.values():
        with process:
            assert process.stdin is not None
            process.stdin.close()
    return [compared("round trip, us", seconds, "agent", "echo", 1e6, goal=3)]


def ends(count: int) -> Figures:
    """The time from a signal or a closed pipe, in the middle of a search, to the end of the process."""
    rows: Figures = []
    for what in ("SIGTERM", "reader gone"):
        seconds = []
        for _ in range(count):
            with start([*AGENT, "--depth", "40"]) as process:
                ask(process, EMPTY_BOARD)
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(MIDDLE_GAME)
                with_search_begun = perf_counter() + 0.05
                while perf_counter() < with_search_begun:
                    pass
                begun = perf_counter()
                if what == "SIGTERM":
                    process.send_signal(signal.SIGTERM)
                else:
                    process.stdout.close()
                process.wait()
                seconds.append(perf_counter() - begun)
        rows.append({"what": f"{what} in a search to the end, ms (longest)", "agent": max(seconds) * 1e3, "goal": 100})
    return rows


def compared(
    what: str, seconds: dict[str, list[float]], name: str, base: str, unit: float, goal: float
) -> dict[str, object]:
    """The medians of both, and their ratio."""
    medians = {key: statistics.median(values) * unit for key, values in seconds.items()}
    return {
        "what": what,
        "agent": medians[name],
        "beside": base,
        "base": medians[base],
        "ratio": medians[name] / medians[base],
        "goal": goal,
    }
