"""The web application: addresses, and what has to run while it does."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from connect4_agent import errors, server
from connect4_agent.play import pages, problems
from connect4_agent.play.api import Api, ClientGoneError
from connect4_agent.play.openapi import OPERATIONS
from connect4_agent.play.outsiders import Outsiders
from connect4_agent.play.searches import MOST_WAITING, Searches, default_parallel
from connect4_agent.play.security import Guard, HostNames

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from connect4_agent.arena.agents import Agent
    from connect4_agent.play.runs import OpenRun

LONGEST_SECONDS = 30.0
"""The longest time for a search, where the command line says nothing else."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the web server was started."""

    names: HostNames
    run: OpenRun | None = None
    agents: tuple[Agent, ...] = ()
    parallel: int = default_parallel()
    most_waiting: int = MOST_WAITING
    longest_seconds: float = LONGEST_SECONDS
    verbose: bool = False


def new_app(settings: Settings, when_ready: Callable[[], None] = lambda: None) -> ASGIApp:
    """The application; `when_ready` is called when it can answer."""
    api: Api | None = None

    def call(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            answer: Response = await getattr(api, name)(request)
            return answer

        return endpoint

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        nonlocal api
        searches = Searches(settings.parallel, settings.most_waiting)
        outsiders = Outsiders(settings.agents)
        api = Api(searches, outsiders, settings.run, settings.longest_seconds)
        when_ready()
        try:
            yield
        finally:
            searches.close()
            outsiders.close()

    routes = [
        *(Route(each.path, call(each.name), methods=[each.method]) for each in OPERATIONS),
        *pages.routes(),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            errors.RequestError: problems.answer_problem,
            errors.WebCallError: problems.answer_problem,
            ClientGoneError: _answer_nobody,
            ClientDisconnect: _answer_nobody,
            server.ReaderGoneError: _answer_nobody,
            HTTPException: problems.answer_routing,
            Exception: problems.answer_defect,
        },
    )
    app.router.redirect_slashes = False
    return Guard(app, settings.names, verbose=settings.verbose)


async def _answer_nobody(_: Request, __: Exception) -> Response:
    """For a client that has gone; nothing is sent."""
    return Response(status_code=204)
