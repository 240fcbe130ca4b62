"""The arena: overhead, speed, false time-outs, resuming after a kill, and memory."""

from __future__ import annotations

import io
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

from benchmarks.tables import Figures
from connect4_agent.agents.contestant import Program
from connect4_agent.agents.spec import Agent
from connect4_agent.arena.progress import PLAYING
from connect4_agent.arena.run.config import RunConfig, make_config
from connect4_agent.arena.run.journal import read_games
from connect4_agent.arena.run.record import Ending
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.jobs.progress import PlainLines
from connect4_agent.rules.position import Position
from connect4_agent.wire.request import request_of

INSTANT_PLAYERS = [{"name": name, "player": name} for name in ("random", "first-open")]

ECHO = "import os\nwhile os.read(0, 65536):\n    os.write(1, b'{\"move\":3}\\n')\n"
"""An agent that does next to nothing, so that only the pipes and the manager are measured."""

INSTANT = """
import os, json, zlib
while data := os.read(0, 65536):
    grid = json.loads(data)["grid"]
    columns = [column for column, cells in enumerate(grid) if not cells[0]]
    move = columns[(zlib.crc32(data) + os.getpid()) % len(columns)]
    os.write(1, b'{"move":%d}\\n' % move)
"""
"""An agent that answers at once with a legal move; which one depends on its process."""


def program(code: str) -> list[str]:
    """The command line of a small agent."""
    return [sys.executable, "-I", "-S", "-c", code]


def config_of(agents: list[dict[str, Any]], **values: Any) -> RunConfig:
    """A run."""
    return make_config({"agents": agents, **values}, "benchmark")


def play(config: RunConfig, folder: str, jobs: int) -> float:
    """Run a tournament; returns the seconds it took."""
    started = perf_counter()
    run_tournament(config, Path(folder), PlainLines(PLAYING, io.StringIO()), jobs)
    return perf_counter() - started


def overhead_per_move(moves: int) -> dict[str, Any]:
    """A move through the manager beside a bare ping-pong over the same kind of pipes, measured in turns."""
    request = request_of(Position())
    agent = Agent("echo", command=tuple(program(ECHO)), limit_seconds=10.0)
    contestant = Program(agent, agent.command, keep=False)
    bare = subprocess.Popen(program(ECHO), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert bare.stdin is not None
    assert bare.stdout is not None
    through, beside = [], []
    position = Position()
    contestant.move(position)
    for _ in range(moves):
        started = perf_counter()
        bare.stdin.write(request + b"\n")
        bare.stdout.read(65536)
        beside.append(perf_counter() - started)
        started = perf_counter()
        contestant.move(position)
        through.append(perf_counter() - started)
    contestant.leave()
    bare.stdin.close()
    bare.wait()
    bare.stdout.close()
    return {
        "moves": moves,
        "bare_ping_pong_ms": round(median(beside) * 1000, 4),
        "manager_ms": round(median(through) * 1000, 4),
        "overhead_ms": round((median(through) - median(beside)) * 1000, 4),
    }


def instant_games(games: int) -> dict[str, Any]:
    """Games between two instant built-in players, in one process."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = play(config_of(INSTANT_PLAYERS, games=games), folder, 1)
    return {"games": games, "seconds": round(seconds, 2), "games_per_second": round(games / seconds)}


def false_time_outs(games: int) -> dict[str, Any]:
    """Games at 50 ms a move between programs that answer at once, on all cores; any time-out is a false one."""
    agents = [{"name": name, "command": program(INSTANT), "restart_per_game": False} for name in ("one", "two")]
    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        seconds = play(config_of(agents, games=games, time_limit_seconds=0.05), folder, jobs)
        records = list(read_games(Path(folder), print))
    return {
        "games": len(records),
        "moves": sum(len(record.times_ms) for record in records),
        "jobs": jobs,
        "seconds": round(seconds, 1),
        "false_time_outs": sum(record.ending is Ending.TIMED_OUT for record in records),
        "overruns_within_the_grace": sum(len(record.overruns) for record in records),
        "other_faults": sum(record.ending.is_fault and record.ending is not Ending.TIMED_OUT for record in records),
        "slowest_move_ms": max(time for record in records for time in record.times_ms),
    }


def killed_and_resumed(runs: int) -> dict[str, Any]:
    """Runs killed with SIGKILL at random moments, several times each, and then finished."""
    complete = kills = dropped = 0
    for run_number in range(runs):
        source = random.Random(run_number)
        with tempfile.TemporaryDirectory() as folder:
            words = ["match", "random", "first-open", "--games", "2000", "--jobs", str(1 + run_number % 2)]
            command = [sys.executable, "-m", "connect4_agent", *words, "--out", folder]
            while True:
                runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                if source.random() < 0.7:
                    path = Path(folder) / "games.jsonl"
                    size = (path.stat().st_size if path.exists() else 0) + source.randrange(400_000)
                    while runner.poll() is None and not (path.exists() and path.stat().st_size > size):
                        sleep(0.001)
                    runner.send_signal(signal.SIGKILL)
                told = runner.communicate()[1]
                dropped += b"half-written" in told
                if runner.returncode == 0:
                    break
                if runner.returncode != -signal.SIGKILL:
                    raise RuntimeError(f"a run failed by itself: {told.decode()}")
                kills += 1
            games = sorted(record.game for record in read_games(Path(folder), print))
            complete += games == list(range(2000))
    return {"runs": runs, "kills": kills, "half_written_lines": dropped, "complete_runs": complete}


def memory_over(games: int) -> dict[str, Any]:
    """The peak memory of this process after a tenth of the games and after all of them."""
    with tempfile.TemporaryDirectory() as folder:
        config = config_of(INSTANT_PLAYERS, games=games)
        peaks: list[int] = []

        class Watch(PlainLines):
            """Records the memory as the games are played."""

            def count(self, done: int) -> None:
                """Remember the peak at a tenth, and after every other tenth."""
                super().count(done)
                if done % (games // 10) == 0:
                    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

        run_tournament(config, Path(folder), Watch(PLAYING, io.StringIO()), 1)
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    mebibytes = [round(peak * unit / 2**20, 1) for peak in peaks]
    return {"games": games, "peak_mib_at_each_tenth": mebibytes, "growth_mib": round(mebibytes[-1] - mebibytes[0], 1)}


def run(*, quick: bool = True) -> Figures:
    """All of it; `quick` with fewer games."""
    share = 20 if quick else 1
    # Memory comes first: an earlier peak would hide any growth.
    return [
        {"what": "memory over many games", **memory_over(100_000 // share)},
        {"what": "a move beside a bare ping-pong", **overhead_per_move(5000 // share)},
        {"what": "instant built-in players", **instant_games(10_000 // share)},
        {"what": "programs at 50 ms a move", **false_time_outs(1000 // share)},
        {"what": "SIGKILL and resume", **killed_and_resumed(2 if quick else 20)},
    ]
