"""Punctuality: how long after its time limit an answer comes, over many positions.

    python -m benchmarks.time_limit          a short run
    python -m benchmarks.time_limit --full   1,000 positions for each limit, board and form (about 15 minutes)

The server answers requests in this process, from the line's arrival to the reply: what a manager's clock sees but
for the pipe. On a busy machine much of a delay is waiting for a processor: a second figure counts, from the search's
last look at the clock before the limit, only the time that the process itself ran.
"""

from __future__ import annotations

import argparse
import gc
import sys
from random import Random
from time import perf_counter, process_time
from typing import Any

import orjson

from connect4_agent.engine import speed
from connect4_agent.engine.negamax import NegamaxPlayer
from connect4_agent.position import Position
from connect4_agent.server import Server

ALLOWANCE_SECONDS = 0.020
LIMITS_SECONDS = (0.05, 0.1)
BOARDS = ((7, 6), (10, 10), (100, 100))


class Quiet:
    """A connection that nobody reads and nobody leaves; it notes when it was last asked before a deadline."""

    def __init__(self) -> None:
        self.deadline = 0.0
        self.last_wall = 0.0
        self.last_processor = 0.0

    def begin(self, limit_seconds: float) -> None:
        """A new request arrives."""
        self.last_wall, self.last_processor = perf_counter(), process_time()
        self.deadline = self.last_wall + limit_seconds

    def read(self) -> bytes:
        """No input."""
        return b""

    def write(self, data: bytes) -> None:
        """Drop it."""

    def note(self, message: str) -> None:
        """Drop it."""

    def check_reader(self) -> None:
        """There is one. The search asks every millisecond or so."""
        now = perf_counter()
        if now < self.deadline:
            self.last_wall, self.last_processor = now, process_time()


def random_requests(width: int, height: int, count: int) -> list[bytes]:
    """Requests for positions of random games, of all lengths up to half a board, in which nobody can win at once."""
    random = Random(f"{width} {height}")
    requests: list[bytes] = []
    while len(requests) < count:
        position = Position(width, height)
        for _ in range(random.randrange(min(60, width * height // 2))):
            after = position.play(random.choice(position.legal_columns()))
            if after.is_over:
                break
            position = after
        if position.winning_columns() or position.passed().winning_columns():
            continue
        requests.append(
            orjson.dumps({"grid": position.grid(), "height": height, "player": position.player, "width": width})
        )
    return requests


def measure(width: int, height: int, limit_seconds: float, compiled: bool, count: int) -> dict[str, Any]:
    """The delays of the answers to so many requests."""
    server = Server(NegamaxPlayer(None, compiled=compiled), seconds=limit_seconds)
    connection = Quiet()
    delays = []
    own_delays = []
    for request in random_requests(width, height, count):
        connection.begin(limit_seconds)
        _, is_move = server.answer(request, connection)
        delay = perf_counter() - connection.deadline
        assert is_move
        delays.append(delay)
        own_delays.append(connection.last_wall - connection.deadline + process_time() - connection.last_processor)
    delays.sort()
    return {
        "board": f"{width}x{height}",
        "form": "compiled" if compiled else "interpreted",
        "limit_ms": 1000 * limit_seconds,
        "positions": count,
        "in_time_share": sum(delay <= ALLOWANCE_SECONDS for delay in delays) / count,
        "in_time_share_alone": sum(delay <= ALLOWANCE_SECONDS for delay in own_delays) / count,
        "median_ms": round(1000 * delays[count // 2], 2),
        "slowest_ms": round(1000 * delays[-1], 2),
        "slowest_ms_alone": round(1000 * max(own_delays), 2),
    }


def run(positions: int = 30) -> dict[str, Any]:
    """Measure every board, form and limit; print a table."""
    print(f"answers within the limit plus {1000 * ALLOWANCE_SECONDS:.0f} ms")
    print("| board | form | limit ms | positions | in time | alone | median delay ms | slowest ms | alone |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    rows = []
    for width, height in BOARDS:
        forms = (True, False) if speed.runs_compiled(width, height) else (False,)
        for compiled in forms:
            for limit_seconds in LIMITS_SECONDS:
                gc.collect()
                row = measure(width, height, limit_seconds, compiled, positions)
                rows.append(row)
                print(
                    f"| {row['board']} | {row['form']} | {row['limit_ms']:.0f} | {row['positions']} "
                    f"| {row['in_time_share']:.2%} | {row['in_time_share_alone']:.2%} "
                    f"| {row['median_ms']} | {row['slowest_ms']} | {row['slowest_ms_alone']} |",
                    flush=True,
                )
    return {"time_limit": rows}


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.time_limit", description=__doc__.partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="1,000 positions for each line of the table")
    run(1000 if parser.parse_args().full else 30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
