"""The web server under load, beside a bare starlette echo, and while it thinks; the page in Chromium."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from connect4_agent.rules.position import Position
from connect4_agent.server.request import make_request
from tools.benchmarks.perfect import random_game
from tools.benchmarks.tables import Figures

CLIENTS = 50
LOAD_SECONDS = 30.0
QUICK_ECHO_SECONDS = 10.0
WHILE_THINKING_CALLS = 200
QUICK_VISITS = 5
FULL_VISITS = 30
CLICKS = 4
"""How many moves are played in a visit."""

POSITIONS = 400
MAX_DISCS = 20
HINT_DISCS = (8, 10, 12)

WEB = [str(Path(sys.executable).with_name("connect4-agent")), "web", "--port", "0"]

ECHO = """
import socket, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

async def echo(request):
    return Response(await request.body(), media_type="application/json")

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
app = Starlette(routes=[Route("/api/move", echo, methods=["POST"])])
uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False)).run(sockets=[listener])
"""

SLOW_POSITION = make_request(Position.from_moves("44", 8, 7))
"""A position that no exact search finishes."""


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    bodies = positions()
    with server(WEB) as port:
        rows = [load("moves at level hard", port, "/api/move?player=hard", bodies, LOAD_SECONDS)]
        for discs in HINT_DISCS:
            rows.append(load(f"hints at {discs} discs", port, "/api/analyze", positions_of(discs), LOAD_SECONDS))
    with server([sys.executable, "-c", ECHO]) as port:
        seconds = QUICK_ECHO_SECONDS if quick else LOAD_SECONDS
        rows.append(load("a bare starlette echo", port, "/api/move", bodies, seconds))
    with server(WEB) as port:
        rows += asyncio.run(while_thinking(port, WHILE_THINKING_CALLS))
        rows += page(f"http://127.0.0.1:{port}/", QUICK_VISITS if quick else FULL_VISITS)
    return rows


def positions() -> list[bytes]:
    """Requests from random unfinished games, the same in every run."""
    source = random.Random(1)
    bodies: list[bytes] = []
    while len(bodies) < POSITIONS:
        position = Position()
        for _ in range(source.randrange(MAX_DISCS)):
            if not position.is_over:
                position = position.play(source.choice(position.legal_columns()))
        if not position.is_over:
            bodies.append(make_request(position))
    return bodies


def positions_of(discs: int) -> list[bytes]:
    """Requests from random games of this many discs that are not over, the same in every run."""
    source = random.Random(discs)
    return [make_request(Position.from_moves(random_game(source, discs))) for _ in range(POSITIONS)]


@contextmanager
def server(command: list[str]) -> Iterator[int]:
    """The port of a server that has printed its address and answered; it is ended afterwards."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
            asyncio.run(_first_answers(port))
            yield port
        finally:
            process.terminate()


async def _first_answers(port: int) -> None:
    """Wait until every process behind the server has loaded what it needs."""
    body = make_request(Position.from_moves("44"))
    await asyncio.gather(*[_Client(port).ask("POST", "/api/move", body) for _ in range(8)])


class _Client:
    """A connection that is kept open, as browsers do."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """The status and the body of the answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        return int(head.split(maxsplit=2)[1]), await reader.readexactly(length)

    def leave(self) -> None:
        """Close the connection, even with data under way."""
        if self._streams is not None:
            self._streams[1].close()


def load(what: str, port: int, path: str, bodies: Sequence[bytes], seconds: float) -> dict[str, Any]:
    """Many clients at once, each asking again as soon as it is answered."""
    elapsed_ms: list[float] = []
    failed = 0

    async def ask_on(number: int, until: float) -> None:
        nonlocal failed
        client = _Client(port)
        source = random.Random(number)
        while perf_counter() < until:
            started = perf_counter()
            status, answer = await client.ask("POST", path, source.choice(bodies))
            elapsed_ms.append((perf_counter() - started) * 1000)
            failed += status != 200 or not answer.startswith((b'{"move":', b'{"grid":', b'{"exact":true'))
        client.leave()

    async def ask_all() -> None:
        until = perf_counter() + seconds
        await asyncio.gather(*[ask_on(number, until) for number in range(CLIENTS)])

    asyncio.run(ask_all())
    return {
        "what": what,
        "clients": CLIENTS,
        "seconds": seconds,
        "calls": len(elapsed_ms),
        "errors": failed,
        "calls_per_second": round(len(elapsed_ms) / seconds),
        "median_ms": median(elapsed_ms),
        "p95_ms": quantiles(elapsed_ms, n=20)[-1],
        "slowest_ms": max(elapsed_ms),
    }


async def while_thinking(port: int, calls: int) -> Figures:
    """GET /api/players with nothing else to do, and while every process searches."""
    client = _Client(port)

    async def times_ms() -> list[float]:
        taken = []
        for _ in range(calls):
            started = perf_counter()
            status, _ = await client.ask("GET", "/api/players")
            taken.append((perf_counter() - started) * 1000)
            if status != 200:
                raise RuntimeError(f"/api/players: {status}")
        return taken

    idle = await times_ms()
    thinkers = [_Client(port) for _ in range(8)]
    path = "/api/move?player=perfect&time_limit=20"
    thinking = [asyncio.create_task(thinker.ask("POST", path, SLOW_POSITION)) for thinker in thinkers]
    await asyncio.sleep(0.5)
    busy = await times_ms()
    for thinker, task in zip(thinkers, thinking, strict=True):
        if task.done():
            raise RuntimeError(f"a search that was to take 20 s is over: {task.result()}")
        task.cancel()
        thinker.leave()
    return [
        {"what": f"GET /api/players {when}", "calls": calls, "median_ms": median(taken), "slowest_ms": max(taken)}
        for when, taken in (("with no search", idle), ("while every process searches", busy))
    ]


CLICK_TO_DISC = """
async (column) => {
    const discs = () => document.querySelectorAll('#board .disc').length;
    const before = discs();
    const started = performance.now();
    document.querySelectorAll('#columns button')[column].click();
    while (discs() < before + 2) await new Promise(requestAnimationFrame);
    return performance.now() - started;
}
"""
"""From a click to the first frame in which the player's answer is on the board, in the page's own clock."""

FIRST_PAINT = """
() => new Promise((resolve) => {
    const look = () => {
        const paint = performance.getEntriesByName('first-contentful-paint')[0];
        if (paint) resolve(paint.startTime); else requestAnimationFrame(look);
    };
    look();
})
"""


def page(address: str, visits: int) -> Figures:
    """First paint, and the time from a click to the disc of a player at level hard, in Debian's Chromium."""
    from tests.browsers import running_browser  # noqa: PLC0415  # loads playwright

    paints: list[float] = []
    clicks: list[float] = []
    with running_browser() as browser:
        for _ in range(visits):
            visit = browser.new_page(reduced_motion="reduce")  # a disc counts when it appears, not when it has landed
            visit.goto(f"{address}?two=hard&first=1")
            paints.append(visit.evaluate(FIRST_PAINT))
            visit.locator("#columns button").nth(6).wait_for()
            clicks += [visit.evaluate(CLICK_TO_DISC, column) for column in range(CLICKS)]
            visit.close()
    return [
        {"what": what, "count": len(taken), "median_ms": median(taken), "slowest_ms": max(taken)}
        for what, taken in (("first contentful paint", paints), ("click to the agent's disc, level hard", clicks))
    ]
