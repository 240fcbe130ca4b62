"""The calls of the web interface: what each reads, and what answers it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.responses import Response

from connect4_agent import __version__, errors, protocol
from connect4_agent.engine.players import BUILT_IN_PLAYERS, DEFAULT_LEVEL, parse_player
from connect4_agent.play import models, openapi
from connect4_agent.play.jobs import AnalyzeJob, JudgeJob, MoveJob
from connect4_agent.play.problems import JSON_TYPE
from connect4_agent.position import LARGEST_SIDE, Position

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.requests import Request

    from connect4_agent.play.outsiders import Outsiders
    from connect4_agent.play.runs import OpenRun
    from connect4_agent.play.searches import Searches

ENOUGH_DIGITS = 18
"""Of the length that a body is said to have, to know whether it is too long."""

GAME_NUMBER = re.compile(r"[0-9]{1,18}")

AnyModel = TypeVar("AnyModel", bound=BaseModel)
Result = TypeVar("Result")


class ClientGoneError(Exception):
    """Whoever asked does not wait for the answer any more."""


@dataclass(frozen=True, slots=True)
class Api:
    """Every call is a method."""

    searches: Searches
    outsiders: Outsiders
    run: OpenRun | None
    longest_seconds: float

    async def players(self, request: Request) -> Response:
        """Who can be asked for moves, and what the server grants."""
        read_query(request, models.Query)
        return answer(
            models.PlayersReply(
                players=[
                    models.PlayerEntry(
                        name=name, description=player.summary, is_level=player.is_level, settings=list(player.settings)
                    )
                    for name, player in BUILT_IN_PLAYERS.items()
                ],
                agents=self.outsiders.names,
                default_player=DEFAULT_LEVEL,
                has_run=self.run is not None,
                limits=models.LimitsEntry(largest_side=LARGEST_SIDE, longest_seconds=self.longest_seconds),
                version=__version__,
            )
        )

    async def move(self, request: Request) -> Response:
        """A move in a position, as the line protocol asks for it and answers."""
        query = read_query(request, models.MoveQuery)
        outsider = self.outsiders.get(query.player)
        if outsider is None:
            check_player(query.player, self.outsiders.names)
        position = protocol.read_question(await read_body(request)).position
        if outsider is not None:
            limit_seconds = min(query.time_limit or self.longest_seconds, self.longest_seconds)
            column = await while_wanted(request, outsider.move(position, limit_seconds))
            return answer(_outsiders_reply(column, explain=query.explain))
        job = MoveJob(position, query.player, query.seed, query.time_limit, self.longest_seconds, query.explain)
        return raw_answer(await while_wanted(request, self.searches.run(job)))

    async def analyze(self, request: Request) -> Response:
        """The exact score of every column."""
        query = read_query(request, models.AnalyzeQuery)
        position = protocol.read_question(await read_body(request)).position
        if position.winner is not None:
            raise errors.GameIsOverError(f"there is nothing to analyze: player {position.winner} has four in a row")
        job = AnalyzeJob(position, query.time_limit, self.longest_seconds)
        return raw_answer(await while_wanted(request, self.searches.run(job)))

    async def judge(self, request: Request) -> Response:
        """What every move of a game did to the exact score."""
        read_query(request, models.Query)
        game = read_model(await read_body(request), models.JudgeRequest)
        position = Position(game.width, game.height, game.first)
        await asyncio.to_thread(check_game, position, game.columns)  # thousands of moves take a while
        job = JudgeJob(position, tuple(game.columns), self.longest_seconds)
        return raw_answer(await while_wanted(request, self.searches.run(job)))

    async def report(self, request: Request) -> Response:
        """What the run's games add up to so far."""
        read_query(request, models.Query)
        return raw_answer(await self._ask_run(lambda run: run.report()))

    async def games(self, request: Request) -> Response:
        """Some of the run's games."""
        query = read_query(request, models.GamesQuery)
        return raw_answer(await self._ask_run(lambda run: run.games(query.offset, query.limit)))

    async def game(self, request: Request) -> Response:
        """One of the run's games."""
        read_query(request, models.Query)
        text: str = request.path_params["game"]
        if not GAME_NUMBER.fullmatch(text):
            raise errors.NoSuchGameError(f"{protocol.shown(text)} is no number of a game")
        number = int(text)
        return raw_answer(await self._ask_run(lambda run: run.game(number)))

    async def openapi(self, request: Request) -> Response:
        """The description of this interface."""
        read_query(request, models.Query)
        return raw_answer(openapi.description())

    async def _ask_run(self, question: Callable[[OpenRun], bytes]) -> bytes:
        if self.run is None:
            raise errors.NoRunError("this server was started without a run: connect4-agent web RUN")
        try:
            return await asyncio.to_thread(question, self.run)
        except (errors.RunFolderError, OSError) as error:
            raise errors.BadRunError(f"the run cannot be read any more: {error}") from None


def _outsiders_reply(column: int, *, explain: bool) -> protocol.MoveReply:
    """An agent's move; what it thinks of it, nobody knows."""
    if not explain:
        return protocol.MoveReply(move=column)
    return protocol.ExplainedReply(
        move=column, score=None, exact=False, depth=0, nodes=0, elapsed_ms=0.0, line=[column]
    )


def answer(reply: BaseModel) -> Response:
    """A reply as an answer."""
    return raw_answer(protocol.encode(reply))


def raw_answer(body: bytes) -> Response:
    """A reply that is JSON already."""
    return Response(body, media_type=JSON_TYPE, headers={"Cache-Control": "no-store"})


def read_query(request: Request, model: type[AnyModel]) -> AnyModel:
    """What follows the question mark. Raises BadQueryError."""
    items = request.query_params.multi_items()
    values = dict(items)
    if len(values) < len(items):
        names = [name for name, _ in items]
        twice = next(name for name in names if names.count(name) > 1)
        raise errors.BadQueryError(f"{protocol.shown(twice)} is given {names.count(twice)} times in the address")
    try:
        return model.model_validate(values)
    except ValidationError as error:
        allowed = ", ".join(model.model_fields) or "none"
        raise errors.BadQueryError(f"in the address, {_found(error)}; there are: {allowed}") from None


def read_model(body: bytes, model: type[AnyModel]) -> AnyModel:
    """A body of the interface's own. Raises BadJsonError, BadFieldError."""
    try:
        return model.model_validate(protocol.load(body))
    except ValidationError as error:
        raise errors.BadFieldError(f"in the body, {_found(error)}") from None


def _found(error: ValidationError) -> str:
    first: Any = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place or 'the value'} is {protocol.shown(first['input'])}: {first['msg']}"


async def read_body(request: Request) -> bytes:
    """The body, as far as it is JSON and not too long. Raises NotJsonError, LineTooLongError."""
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != JSON_TYPE:
        # A page of another server could send the types that forms have without being asked first.
        raise errors.NotJsonError(f"Content-Type is {protocol.shown(content_type)}; allowed is {JSON_TYPE}")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:ENOUGH_DIGITS]) > protocol.LONGEST_LINE_BYTES:
        raise _too_long()
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > protocol.LONGEST_LINE_BYTES:
            raise _too_long()
    return bytes(body)


def _too_long() -> errors.LineTooLongError:
    return errors.LineTooLongError(
        f"the body is longer than {protocol.LONGEST_LINE_BYTES} bytes, the most that is read"
    )


def check_player(spec: str, agents: list[str]) -> None:
    """Raise UnknownPlayerError where there is no such player."""
    try:
        parse_player(spec)
    except errors.PlayerSpecError as error:
        others = f"; agents of this server: {', '.join(agents)}" if agents else ""
        raise errors.UnknownPlayerError(f"{error}{others}") from None


def check_game(position: Position, columns: list[int]) -> None:
    """Raise IllegalColumnError or GameIsOverError where the columns are no game."""
    for number, column in enumerate(columns):
        if position.is_over:
            raise errors.GameIsOverError(f"columns[{number}] is {column}, but the game was over before it")
        try:
            position = position.play(column)
        except errors.IllegalMoveError as error:
            raise errors.IllegalColumnError(f"columns[{number}]: {error}") from None


async def while_wanted(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The work's result; a client that leaves ends the work. Raises ClientGoneError then."""
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
