"""The arena: overhead, speed, false time-outs, resuming after a kill, and memory."""

from __future__ import annotations

import io
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.confinement import why_not
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.journal import read_games
from connect4_agent.arena.spec import Isolation
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.jobs.progress import Progress
from tools.benchmarks.tables import Figures

INSTANT_PLAYERS = [{"name": name, "player": name} for name in ("random", "first-open")]

INSTANT_C = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    static char line[1 << 16];
    unsigned state = 12345;
    while (fgets(line, sizeof line, stdin)) {
        int open[64], count = 0;
        char *cell = strchr(line, '[') + 1;
        for (int column = 0; (cell = strchr(cell, '[')) && count < 64; column++)
            if (*++cell == '0') open[count++] = column;
        state = state * 1103515245u + 12345u;
        printf("{\"move\":%d}\n", open[(state >> 16) % count]);
        fflush(stdout);
    }
}
"""
"""An agent that plays a random open column at once."""

TWENTY_LINES = """
import json, random, subprocess, sys
def has_four(grid, player):
    for column in range(7):
        for row in range(6):
            for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(0 <= column + k * right < 7 and 0 <= row + k * down < 6
                       and grid[column + k * right][row + k * down] == player for k in range(4)):
                    return True
    return False
for game in range(int(sys.argv[2])):
    pair = [subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    grid, player, source = [[0] * 6 for _ in range(7)], 1, random.Random(game)
    for ply in range(42):
        agent, move = pair[player - 1], source.randrange(7)
        if ply >= 4:  # after a random opening
            agent.stdin.write(json.dumps({"grid": grid, "height": 6, "player": player, "width": 7}).encode() + b"\\n")
            agent.stdin.flush()
            move = json.loads(agent.stdout.readline())["move"]
        grid[move][grid[move].count(0) - 1] = player
        if has_four(grid, player):
            break
        player = 3 - player
    for agent in pair:
        agent.stdin.close()
        agent.wait()
"""
"""A manager that does nothing but play."""

PARTS = 3
"""The number of turns of a comparison."""

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
    run_tournament(config, Path(folder), Progress("games", "play", io.StringIO()), jobs)
    return perf_counter() - started


def compiled_agent(folder: str) -> str | None:
    """A program in C that answers at once; None without a compiler."""
    source, target = Path(folder) / "instant.c", Path(folder) / "instant"
    source.write_text(INSTANT_C)
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    subprocess.run([compiler, "-O2", "-o", target, source], check=True)
    return str(target)


def processor_ms(words: list[str]) -> float:
    """The processor time of a command with everything that it starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def overhead_per_game(games: int) -> Iterator[dict[str, Any]]:
    """A match of two programs that answer at once beside a manager of twenty lines, in processor time, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        agent = compiled_agent(folder)
        if agent is None:
            yield {"manager": "not measured: there is no C compiler"}
            return
        managers = {"twenty lines": [sys.executable, "-c", TWENTY_LINES, agent]}
        for isolation in Isolation:
            if why_not(isolation) is None:
                words = [sys.executable, "-m", "connect4_agent", "match", agent, agent, "--jobs", "1"]
                managers[f"isolation {isolation.value}"] = [*words, "--isolation", isolation.value]
        totals = dict.fromkeys(managers, 0.0)
        for part in range(PARTS):
            for name, words in managers.items():
                out = ["--out", f"{folder}/{name}-{part}"] if "match" in words else []
                number = ["--games", str(games)] if out else [str(games)]
                totals[name] += processor_ms([*words, *number, *out]) / PARTS
        base = totals["twenty lines"]
        for name, total in totals.items():
            yield {"manager": name, "games": games, "cpu_ms": round(total / games, 2), "ratio": round(total / base, 2)}


def instant_games(games: int) -> dict[str, Any]:
    """Games between two instant built-in players, in one process."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = play(config_of(INSTANT_PLAYERS, games=games), folder, 1)
    return {"games": games, "seconds": round(seconds, 2), "games_per_second": round(games / seconds)}


def false_time_outs(games: int) -> dict[str, Any]:
    """Games at 50 ms a move between programs that answer at once, on all cores; any time-out is a false one."""
    agents = [{"name": name, "command": program(INSTANT)} for name in ("one", "two")]
    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        seconds = play(config_of(agents, games=games, time_limit=0.05), folder, jobs)
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
            complete += len(games) == len(set(games)) == 2000
    return {"runs": runs, "kills": kills, "half_written_lines": dropped, "complete_runs": complete}


def memory_over(games: int) -> dict[str, Any]:
    """The peak memory of this process after a tenth of the games and after all of them."""
    with tempfile.TemporaryDirectory() as folder:
        config = config_of(INSTANT_PLAYERS, games=games)
        peaks: list[int] = []

        class Watch(Progress):
            """Records the memory as the games are played."""

            def count(self, done: int, note: str = "") -> None:
                """Remember the peak at a tenth, and after every other tenth."""
                super().count(done, note)
                if done % (games // 10) == 0:
                    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

        run_tournament(config, Path(folder), Watch("games", "play", io.StringIO()), 1)
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    mebibytes = [round(peak * unit / 2**20, 1) for peak in peaks]
    return {"games": games, "peak_mib_at_each_tenth": mebibytes, "growth_mib": round(mebibytes[-1] - mebibytes[0], 1)}


def run(*, quick: bool = True) -> Figures:
    """All of it; `quick` with fewer games."""
    share = 20 if quick else 1
    # Memory comes first: an earlier peak would hide any growth.
    return [
        {"what": "memory over many games", **memory_over(100_000 // share)},
        *({"what": "programs that answer at once", **figures} for figures in overhead_per_game(100)),
        {"what": "instant built-in players", **instant_games(10_000 // share)},
        {"what": "programs at 50 ms a move", **false_time_outs(1000 // share)},
        {"what": "SIGKILL and resume", **killed_and_resumed(2 if quick else 20)},
    ]
