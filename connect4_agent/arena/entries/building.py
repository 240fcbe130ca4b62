"""Building: an entry's own build command, run in isolation, with limits, and with a log of what it printed."""

from __future__ import annotations

import re
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from connect4_agent.arena.process import PIPE_BYTES, Process
from connect4_agent.arena.spec import AgentSpec, Isolation
from connect4_agent.arena.worker import SPARE_SECONDS, Worker, Workplace
from connect4_agent.text import escaped, short

BUILD_SECONDS = 60.0
BUILD_MEMORY = "1G"
MAX_LOG_BYTES = 1_000_000
MAX_QUOTED = 200
OF_MAKE = re.compile(r"make(\[\d+\])?: \*\*\* ")
"""The beginnings of lines in which make reports a failure; the line before says what failed."""

NO_NETWORK = "a build has no network here: put what it needs beside the program"
WANTS_NETWORK = re.compile(
    r"name resolution|resolve host|Network is unreachable|No matching distribution|ENOTFOUND|EAI_AGAIN|"
    r"UnknownHostException|could not be resolved|Could not resolve"
)
"""The messages of tools that miss the network: curl, pip, npm, Maven and others."""


class Built(NamedTuple):
    """The output of a build, and why it failed."""

    log: str
    problem: str | None = None


def build(folder: Path, command: str, isolation: Isolation, name: str) -> Built:
    """Run an entry's build command in its folder, which it may write to. Raises WorkerLostError."""
    spec = AgentSpec(
        name=name,
        command=("/bin/sh", "-c", f"({command}) 2>&1"),
        directory=str(folder),
        isolation=isolation,
        memory=BUILD_MEMORY,
    )
    worker = Worker()
    try:
        seconds = BUILD_SECONDS + SPARE_SECONDS
        answer = worker.call(run_build, seconds, spec=spec.model_dump(mode="json"), limit_seconds=BUILD_SECONDS)
    finally:
        worker.close()
    return Built(answer["log"], _problem(command, answer))


def _problem(command: str, answer: dict[str, Any]) -> str | None:
    status = answer["exit_status"]
    if answer["excess"] is not None:
        return f"building it failed: {answer['excess']}"
    if status is None:
        return f"building it took longer than {BUILD_SECONDS:.0f} s: {command}"
    if status:
        lines = [line.strip() for line in answer["log"].splitlines() if line.strip() and not OF_MAKE.match(line)]
        said = next((line for line in lines if "error:" in line), lines[-1] if lines else "")
        hint = f"; {NO_NETWORK}" if WANTS_NETWORK.search(answer["log"]) else ""
        return (
            f"building it failed: {command} ended with exit status {status}"
            + (f" ({short(escaped(said), MAX_QUOTED)})" if said else "")
            + hint
        )
    return None


def run_build(place: Workplace, spec: dict[str, Any], limit_seconds: float) -> dict[str, Any]:
    """Run a build in a worker until it ends, uses too much, or its time is up."""
    command = AgentSpec.model_validate(spec)
    process = Process(command, command.command or (), place.watch, is_writable=True)
    process.end_input()
    log = bytearray()
    deadline = perf_counter() + limit_seconds
    is_talking = is_running = True
    while is_running:
        is_running = process.exit_status is None and perf_counter() < deadline and process.excess is None
        if is_running:
            process.wait(deadline, for_output=is_talking)
        chunk = process.read(PIPE_BYTES)  # after the end, too: all that a pipe holds
        log += (chunk or b"")[: MAX_LOG_BYTES - len(log)]
        is_talking = is_talking and chunk is not None
    status, process.is_broken = process.exit_status, True
    process.end()
    excess = None if process.excess is None else process.excess.detail
    return {"exit_status": status, "excess": excess, "log": log.decode(errors="replace")}
