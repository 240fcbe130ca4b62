"""The calls over HTTP: what each one reads of an address and a body, and how its reply is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import orjson
from starlette.requests import Request
from starlette.responses import Response

from connect4_agent.engine.players.player import Choice
from connect4_agent.server.understand import read_request
from connect4_agent.ui.web import inputs
from connect4_agent.ui.web.calls import Calls
from connect4_agent.ui.web.hosted_agents import HostedAgent
from connect4_agent.ui.web.http_errors import JSON_TYPE
from connect4_agent.ui.web.jobs import Reply
from connect4_agent.ui.web.origin_check import SOLVE
from connect4_agent.ui.web.searches import Searches

Result = TypeVar("Result")


class ClientGoneError(Exception):
    """The client is no longer waiting for the answer."""


class Form(NamedTuple):
    """The input of a call: the keys in its address, and a position or the body of a model."""

    query: type[inputs.Query] = inputs.Query
    body: type[inputs.Body] | None = None
    has_position: bool = False


FORMS = {
    "players": Form(),
    "move": Form(inputs.MoveQuery, has_position=True),
    "analyze": Form(inputs.AnalyzeQuery, has_position=True),
    "solve": Form(inputs.SolveQuery),
    "explain": Form(inputs.ExplainQuery, has_position=True),
    "hint": Form(has_position=True),
    "risks": Form(has_position=True),
    "plan": Form(body=inputs.PlanBody),
    "judge": Form(body=inputs.GameBody),
    "puzzle": Form(inputs.PuzzleQuery),
    "puzzle/day": Form(inputs.DayQuery),
    "puzzles": Form(body=inputs.GameBody),
}
"""Every call by its name."""

CALLS = tuple(
    ("POST" if form.has_position or form.body else "GET", SOLVE if name == "solve" else f"/api/{name}", name)
    for name, form in FORMS.items()
)
"""The method, the address and the name of every call."""

MOVES = {"move", "plan"}
"""The calls that pass others which wait."""


@dataclass(frozen=True, slots=True)
class Api:
    """Reads calls, and sends what `calls` finds."""

    calls: Calls
    searches: Searches
    agents: dict[str, HostedAgent]

    async def answer(self, name: str, request: Request) -> Response:
        """Answer a call by its name. Raises RequestError, CallError, ClientGoneError."""
        form = FORMS[name]
        values = inputs.read_query(request, form.query).model_dump()
        if form.has_position:
            values["position"] = read_request(await inputs.read_body(request)).position
        elif form.body is not None:
            values |= inputs.read_model(await inputs.read_body(request), form.body).model_dump()
        if hosted := self.agents.get(values.get("player", "")):
            reply = await self._ask(hosted, request, **values)
        elif callable(found := self.calls.start(name, values)):
            reply = await while_wanted(request, self.searches.run(found, is_move=name in MOVES))
        else:
            reply = found
        body = orjson.dumps(reply, option=orjson.OPT_APPEND_NEWLINE)
        return Response(body, media_type=JSON_TYPE, headers={"Cache-Control": "no-store"})

    async def _ask(
        self, agent: HostedAgent, request: Request, *, position: Any, time_limit: float | None, explain: bool, **_: Any
    ) -> Reply:
        """Ask a program for a move."""
        limit_seconds = min(time_limit or self.calls.longest_seconds, self.calls.longest_seconds)
        column = await while_wanted(request, agent.move(position, limit_seconds))
        # Programs report no scores.
        return Choice(column).to_dict(0) if explain else {"move": column}


async def while_wanted(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Return the work's result. If the client leaves, the work ends and ClientGoneError is raised."""
    task = asyncio.create_task(work)
    leaving = asyncio.create_task(_client_leaves(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientGoneError
    finally:
        leaving.cancel()
        task.cancel()


async def _client_leaves(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
