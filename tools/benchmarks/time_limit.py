"""Punctuality: how long after its time limit an answer comes, over many positions.

It measures the player of `--time-limit` alone (book, solver and search together) and that of `--time-limit` with
`--evaluator` (the search by itself, which always uses the whole time).
The server answers requests in this process, timed from the line's arrival to the reply: what a manager's clock sees
except the pipe. On a busy machine much of a delay is waiting for a processor: a second figure counts, from the
search's last look at the clock before the limit, only the time that the process itself ran.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from time import perf_counter, process_time
from typing import Any

import orjson

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.player import Player
from connect4_agent.rules.position import Position
from connect4_agent.server.connection import Connection
from connect4_agent.server.loop import choose_for, reply_with
from connect4_agent.server.replies import read_move
from connect4_agent.server.understand import read_request
from tools.benchmarks.tables import Figures

ALLOWANCE_SECONDS = 0.020
LIMITS_SECONDS = (0.05, 0.1)
BOARDS = ((7, 6), (10, 10), (100, 100))
PLAYERS: dict[str, Callable[[str], Player]] = {
    "alone": lambda form: PerfectPlayer(form=form),
    "with an evaluator": lambda form: NegamaxPlayer(None, form=form),
}
"""The player that a time limit selects, for each form of the kernel."""


class Quiet(Connection):
    """A connection that never closes; it records when it was last polled before a deadline."""

    def __init__(self) -> None:
        super().__init__()
        self.deadline = 0.0
        self.last_wall = 0.0
        self.last_processor = 0.0

    def begin(self, limit_seconds: float) -> None:
        """A new request arrives."""
        self.last_wall, self.last_processor = perf_counter(), process_time()
        self.deadline = self.last_wall + limit_seconds

    def note(self, message: str) -> None:
        """Drop it."""

    def check_reader(self) -> None:
        """Always connected. The search polls every millisecond or so."""
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


def measure(player: str, size: tuple[int, int], limit_seconds: float, form: str, count: int) -> dict[str, Any]:
    """The delays of the answers to this many requests."""
    width, height = size
    opponent, connection = PLAYERS[player](form), Quiet()
    limits = Limits(limit_seconds, connection.check_reader)
    delays = []
    own_delays = []
    for request in random_requests(width, height, count):
        connection.begin(limit_seconds)
        started = limits.clock()
        choice = choose_for(read_request(request), opponent, limits.since(started), connection)
        answer = reply_with(choice, limits, started)
        delay = perf_counter() - connection.deadline
        read_move(answer)
        delays.append(delay)
        own_delays.append(connection.last_wall - connection.deadline + process_time() - connection.last_processor)
    delays.sort()
    return {
        "what": f"{width}x{height}, {form}, limit {1000 * limit_seconds:.0f} ms {player}",
        "positions": count,
        "in_time_share": sum(delay <= ALLOWANCE_SECONDS for delay in delays) / count,
        "alone_in_time_share": sum(delay <= ALLOWANCE_SECONDS for delay in own_delays) / count,
        "median_delay_ms": 1000 * delays[count // 2],
        "slowest_ms": 1000 * delays[-1],
        "alone_slowest_ms": 1000 * max(own_delays),
    }


def run(*, quick: bool = True) -> Figures:
    """Every board, form and limit; 1,000 positions for each in a full run, which takes half an hour."""
    rows = []
    for player in PLAYERS:
        for size in BOARDS:
            for form in dict.fromkeys((forms.form_for(*size), forms.PLAIN)):
                for limit_seconds in LIMITS_SECONDS:
                    gc.collect()
                    rows.append(measure(player, size, limit_seconds, form, 30 if quick else 1000))
    return rows
