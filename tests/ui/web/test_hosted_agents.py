"""Command line agents at the web server's board."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from connect4_agent.arena.spec import AgentSpec, Isolation
from connect4_agent.rules.position import Position
from connect4_agent.server.request import make_request
from connect4_agent.ui.web.hosted_agents import MAX_WAITING, HostedAgent
from connect4_agent.ui.web.jobs import CallError
from tests.processes import PATIENCE_SECONDS, is_running, pids_in
from tests.ui.web.web_servers import AGENTS, WebServer

Result = TypeVar("Result")

NOTES_ITS_PROCESS = """
import json, os, sys, time
for line in sys.stdin:
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")
    grid = json.loads(line)["grid"]
    if len(grid) == 9:
        time.sleep(3600)
    print(json.dumps({"move": next(c for c, cells in enumerate(grid) if cells[0] == 0)}), flush=True)
"""
"""An agent that thinks for ever on boards of nine columns."""


def noting(path: Path) -> AgentSpec:
    command = (sys.executable, "-c", NOTES_ITS_PROCESS, str(path))
    return AgentSpec(name="noting", command=command, isolation=Isolation.NONE)  # for its real process number


def program(name: str) -> AgentSpec:
    return AgentSpec(name=name, command=(sys.executable, str(AGENTS / f"{name}.py")))


def with_hosted(agent: AgentSpec, use: Callable[[HostedAgent], Awaitable[Result]]) -> Result:
    async def body() -> Result:
        hosted = HostedAgent(agent)
        try:
            return await asyncio.wait_for(use(hosted), PATIENCE_SECONDS)
        finally:
            hosted.close()

    return asyncio.run(body())


def test_one_process_plays_a_game_and_ends_with_the_server(tmp_path: Path) -> None:
    async def use(hosted: HostedAgent) -> None:
        for moves in ("", "12", "1234"):
            assert await hosted.move(Position.from_moves(moves), 10) == 0

    with_hosted(noting(tmp_path / "pids"), use)
    pids = pids_in(tmp_path / "pids", 3)
    assert len(set(pids)) == 1
    assert not is_running(pids[0])


def test_another_game_a_move_taken_back_and_the_other_side_get_a_new_process(tmp_path: Path) -> None:
    games = ("12", "12", "", "1", "34", "3456", "34567")

    async def use(hosted: HostedAgent) -> None:
        for moves in games:
            await hosted.move(Position.from_moves(moves), 10)

    with_hosted(noting(tmp_path / "pids"), use)
    pids = pids_in(tmp_path / "pids", len(games))
    assert pids[4] == pids[5]
    assert len(set(pids)) == len(games) - 1


def test_an_agent_that_fails_is_told_about_and_started_anew() -> None:
    async def use(hosted: HostedAgent) -> None:
        for _ in range(2):
            assert await hosted.move(Position(), 10) == 0
            with pytest.raises(CallError, match=r"'crash_mid_game': crashed: .* exit status 4"):
                await hosted.move(Position.from_moves("12"), 10)

    with_hosted(program("crash_mid_game"), use)


def test_an_agent_that_thinks_for_too_long_is_stopped() -> None:
    async def use(hosted: HostedAgent) -> None:
        await hosted.move(Position(), 10)
        with pytest.raises(CallError, match="timed out"):
            await hosted.move(Position.from_moves("12"), 0.3)

    with_hosted(program("stall"), use)


def test_an_illegal_move_is_a_failure() -> None:
    full = Position.from_moves("111111")

    async def use(hosted: HostedAgent) -> None:
        with pytest.raises(CallError, match="illegal move: column 0 is full"):
            await hosted.move(full, 10)

    with_hosted(program("crash_mid_game"), use)


def test_a_caller_that_leaves_ends_the_process(tmp_path: Path) -> None:
    async def use(hosted: HostedAgent) -> None:
        task = asyncio.create_task(hosted.move(Position(9, 6), 1000))
        while not (tmp_path / "pids").exists():
            await asyncio.sleep(0.01)
        (pid,) = pids_in(tmp_path / "pids", 1)
        task.cancel()
        while is_running(pid):
            await asyncio.sleep(0.01)
        assert await hosted.move(Position(), 10) == 0

    with_hosted(noting(tmp_path / "pids"), use)


def test_when_enough_wait_for_an_agent_the_next_one_is_sent_away(tmp_path: Path) -> None:
    async def use(hosted: HostedAgent) -> None:
        tasks = [asyncio.create_task(hosted.move(Position(9, 6), 1000)) for _ in range(MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(CallError):
            await hosted.move(Position(), 10)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    with_hosted(noting(tmp_path / "pids"), use)


def test_agents_are_asked_by_their_name_and_answer_in_the_protocols_form(web: WebServer) -> None:
    empty = make_request(Position())
    assert web.ask("POST", "/api/move?player=good", empty).body == b'{"move":0}\n'
    explained = web.ask("POST", "/api/move?player=good&explain=true", empty).json
    assert (explained["move"], explained["score"], explained["exact"], explained["line"]) == (0, None, False, [0])


def test_a_failed_agent_is_an_error_of_the_interface(web: WebServer) -> None:
    first, second = (make_request(Position.from_moves(moves)) for moves in ("", "12"))
    assert web.ask("POST", "/api/move?player=crashes", first).status == 200
    answer = web.ask("POST", "/api/move?player=crashes", second)
    assert (answer.status, answer.code) == (502, "agent_failed")
    assert "exit status 4" in answer.json["error"]
    assert web.ask("POST", "/api/move?player=stalls", first).status == 200
    answer = web.ask("POST", "/api/move?player=stalls&time_limit=0.2", second)
    assert (answer.status, answer.code) == (502, "agent_failed")
