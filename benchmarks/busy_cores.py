"""How often an honest agent is late on busy cores, with and without what the arena does about it."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.arena import config_of, program
from benchmarks.tables import Figures
from connect4_agent.arena.progress import PLAYING
from connect4_agent.arena.run.journal import read_games
from connect4_agent.arena.run.record import Ending
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.jobs.progress import PlainLines

LIMIT_SECONDS = 0.05

HONEST = """
import json, os, time
while data := os.read(0, 65536):
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    columns = [column for column, cells in enumerate(json.loads(data)["grid"]) if not cells[0]]
    os.write(1, b'{"move":%d}\\n' % columns[0])
"""
"""An agent that computes for 60 % of its limit."""

ANSWERS = """
while data := os.read(0, 65536):
    columns = [column for column, cells in enumerate(json.loads(data)["grid"]) if not cells[0]]
    os.write(1, b'{"move":%d}\\n' % columns[-1])
"""

HOGS = {
    "two processes": """
import json, os
for _ in range(2):
    if not os.fork():
        while True:
            pass
"""
    + ANSWERS,
    "spawns and wakes": """
import ctypes, json, os, signal
def wake_every_ms():
    # A timer of the system continues a process that was stopped.
    event, timer, every = (ctypes.c_int * 16)(), ctypes.c_void_p(), (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000)
    event[2] = signal.SIGCONT
    libc = ctypes.CDLL(None)
    libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer))
    libc.timer_settime(timer, 0, ctypes.byref(every), None)
try:
    os.nice(-20)
except OSError:
    pass
for _ in range(8):
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        wake_every_ms()
        while True:
            pass
"""
    + ANSWERS,
}
"""Agents that answer at once and compute all the time: two processes, or eight daemons that do not stay stopped."""


def late_games(hog: str, games: int, *, jobs: int, pause_waiting: bool, pin: bool) -> dict[str, Any]:
    """Games between an honest agent and a hog, on a board on which they are short."""
    agents = [
        {"name": name, "command": program(code), "restart_per_game": False, "time_limit_seconds": seconds}
        for name, code, seconds in (("honest", HONEST, LIMIT_SECONDS), ("hog", HOGS[hog], 10.0))
    ]
    board = {"width": 4, "height": 4, "openings": "empty"}
    config = config_of(agents, games=games, grace_seconds=0.0, pause_waiting=pause_waiting, **board)
    load = os.getloadavg()[0]
    started = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        run_tournament(config, Path(folder), PlainLines(PLAYING, io.StringIO()), jobs, pin=pin)
        records = list(read_games(Path(folder), print))
    counted = [record for record in records if not record.is_replayed]
    return {
        "hog": hog,
        "games": len(counted),
        "jobs": jobs,
        "pause_waiting": pause_waiting,
        "pin": pin,
        "first_attempts_late": sum(record.ending is Ending.TIMED_OUT for record in records if record.attempt == 1),
        "attempts_machine_busy": sum(record.machine_busy for record in records),
        "games_lost_on_time": sum(record.ending is Ending.TIMED_OUT for record in counted),
        "games_forfeited": sum(record.ending is Ending.FORFEITED for record in counted),
        "load_before": round(load, 1),
        "seconds": round(perf_counter() - started, 1),
    }


def run(*, quick: bool = True) -> Figures:
    """One game for each core at a time, so that every core has its hogs, with each of the remedies and both."""
    games = 20 if quick else 200
    jobs = os.cpu_count() or 1
    return [
        {"what": "an honest agent and a hog", **late_games(hog, games, jobs=jobs, pause_waiting=pause, pin=pin)}
        for hog in HOGS
        for pause, pin in ((False, False), (True, False), (False, True), (True, True))
    ]
