"""The web application: its addresses, and what runs alongside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from connect4_agent import errors
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.ui.web import http_errors, jobs, pages, runs
from connect4_agent.ui.web.api import CALLS, Api, ClientGoneError
from connect4_agent.ui.web.calls import Calls
from connect4_agent.ui.web.hosted_agents import HostedAgent
from connect4_agent.ui.web.origin_check import HostNames, OriginCheck
from connect4_agent.ui.web.runs import OpenRun
from connect4_agent.ui.web.searches import Searches


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings with which the web server was started."""

    names: HostNames
    run: OpenRun | None
    agents: tuple[AgentSpec, ...]
    parallel: int
    """The number of searches at a time."""
    longest_seconds: float
    """The longest time for a search."""
    verbose: bool


def new_app(settings: Settings, when_ready: Callable[[], None] = lambda: None) -> ASGIApp:
    """Return the application; `when_ready` is called when it can answer."""
    api: Api | None = None

    def call(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            assert api is not None  # it is there before the first call
            return await api.answer(name, request)

        return endpoint

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        nonlocal api
        searches = Searches(settings.parallel)
        agents = {agent.name: HostedAgent(agent) for agent in settings.agents}
        api = Api(Calls(settings.longest_seconds, tuple(agents), settings.run is not None), searches, agents)
        when_ready()
        try:
            yield
        finally:
            searches.close()
            for agent in agents.values():
                agent.close()

    routes = [
        *(Route(path, call(name), methods=[method]) for method, path, name in CALLS),
        *runs.routes(settings.run),
        *pages.routes(),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            errors.RequestError: http_errors.answer_error,
            jobs.CallError: http_errors.answer_error,
            ClientGoneError: _answer_nobody,
            ClientDisconnect: _answer_nobody,
            errors.ReaderGoneError: _answer_nobody,
            HTTPException: http_errors.answer_routing,
            Exception: http_errors.answer_defect,
        },
    )
    app.router.redirect_slashes = False
    return OriginCheck(app, settings.names, verbose=settings.verbose)


async def _answer_nobody(_: Request, __: Exception) -> Response:
    """For a client that has gone; nothing is sent."""
    return Response(status_code=204)
