"""The calls of the web interface: what each one reads, and how it is answered."""

from __future__ import annotations

import asyncio
from codecs import BOM_UTF8
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import date
from functools import partial
from random import randint
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from connect4_agent import __version__, errors
from connect4_agent.engine.analysis import known_analysis
from connect4_agent.engine.players.negamax import DEFAULT_LEVEL
from connect4_agent.engine.players.player import Choice
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS, parse_player
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.rules.position import Position
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.loose_json import bad_json
from connect4_agent.server.replies import explained_reply, move_reply
from connect4_agent.server.understand import read_request
from connect4_agent.text import short_json
from connect4_agent.ui.puzzles import draw_puzzle, puzzle_of_the_day
from connect4_agent.ui.web import http_errors, inputs, jobs
from connect4_agent.ui.web.hosted_agents import HostedAgent
from connect4_agent.ui.web.http_errors import JSON_TYPE
from connect4_agent.ui.web.origin_check import SOLVE
from connect4_agent.ui.web.searches import Searches

ENOUGH_DIGITS = 18
"""The most digits of a Content-Length that are parsed to see whether the body is too long."""

MAX_RANDOM_PUZZLE = 9999
"""The highest number of a puzzle that is chosen at random: people should be able to remember it."""

AnyModel = TypeVar("AnyModel", bound=BaseModel)
AnyGame = TypeVar("AnyGame", bound=inputs.GameBody)
Result = TypeVar("Result")


class ClientGoneError(Exception):
    """The client is no longer waiting for the answer."""


@dataclass(frozen=True, slots=True)
class Api:
    """Every call is a method."""

    searches: Searches
    agents: dict[str, HostedAgent]
    has_run: bool
    longest_seconds: float

    async def players(self, request: Request) -> Response:
        """The players that can be asked for moves, and the server's limits."""
        _read_query(request, inputs.Query)
        players = [
            {
                "name": name,
                "description": player.summary,
                "is_level": player.is_level,
                "settings": list(player.settings),
            }
            for name, player in BUILT_IN_PLAYERS.items()
        ]
        reply = {
            "players": players,
            "agents": list(self.agents),
            "default_player": DEFAULT_LEVEL,
            "has_run": self.has_run,
            "limits": {"largest_side": LARGEST_SIDE, "longest_seconds": self.longest_seconds},
            "version": __version__,
        }
        return _answer(jobs.encode(reply))

    async def move(self, request: Request) -> Response:
        """A move in a position, as the line protocol asks for it and answers."""
        query = _read_query(request, inputs.MoveQuery)
        hosted = self.agents.get(query.player)
        if hosted is None:
            _check_player(query.player, list(self.agents))
        position = read_request(await _read_body(request)).position
        if hosted is not None:
            limit_seconds = min(query.time_limit or self.longest_seconds, self.longest_seconds)
            column = await while_wanted(request, hosted.move(position, limit_seconds))
            choice = Choice(column, line=(column,))  # agents report no scores
            return _answer(explained_reply(choice, 0) if query.explain else move_reply(column))
        limits = query.time_limit, self.longest_seconds
        job = partial(jobs.find_move, position, query.player, query.seed, *limits, query.explain)
        return await self._search(request, job, is_move=True)

    async def analyze(self, request: Request) -> Response:
        """The exact score of every column."""
        query = _read_query(request, inputs.AnalyzeQuery)
        position = read_request(await _read_body(request)).position
        if position.winner is not None:
            winner = position.winner
            raise http_errors.WebError("game_over", f"there is nothing to analyze: player {winner} has four in a row")
        if not query.explain and (analysis := known_analysis(position)):
            return _answer(jobs.analysis_reply(analysis, ()))
        job = partial(jobs.score_columns, position, query.time_limit, self.longest_seconds, query.explain)
        return await self._search(request, job)

    async def solve(self, request: Request) -> Response:
        """The exact score of every column after a move string, as gamesolver.org answers it."""
        moves = _read_query(request, inputs.SolveQuery).pos
        try:
            position = Position.from_moves(moves)
            position.check_unfinished("there is nothing to solve")
        except errors.NotationError as error:
            raise http_errors.WebError("bad_query", f"in the address, pos: {error}") from None
        except errors.GameOverError as error:
            raise http_errors.WebError("game_over", str(error)) from None
        return await self._search(request, partial(jobs.solve, moves, position, self.longest_seconds))

    async def explain(self, request: Request) -> Response:
        """Why a position, or a column in it, is worth what it is."""
        query = _read_query(request, inputs.ExplainQuery)
        position = read_request(await _read_body(request)).position
        if position.winner is not None:
            winner = position.winner
            raise http_errors.WebError("game_over", f"there is nothing to explain: player {winner} has four in a row")
        if query.column is not None and query.column not in position.legal_columns():
            raise http_errors.WebError("illegal_move", f"column {query.column} is full, or not on the board")
        job = partial(jobs.find_reason, position, query.column, query.time_limit, self.longest_seconds)
        return await self._search(request, job)

    async def plan(self, request: Request) -> Response:
        """The reply of a plan to the last move of a game."""
        position, game = await _read_game(request, inputs.PlanBody)
        try:
            position = position.after(game.columns)
            return _answer(move_reply(game.plan.plan().reply(position, game.columns[-1])))
        except errors.GameOverError as error:
            raise http_errors.WebError("game_over", str(error)) from None
        except errors.BadValueError as error:
            raise http_errors.WebError("bad_field", f"in the body, {error}") from None

    async def judge(self, request: Request) -> Response:
        """What every move of a game did to the exact score."""
        position, game = await _read_game(request, inputs.GameBody)
        return await self._search(
            request, partial(jobs.judge_game, position, tuple(game.columns), self.longest_seconds)
        )

    async def puzzle(self, request: Request) -> Response:
        """A puzzle of a theme."""
        query = _read_query(request, inputs.PuzzleQuery)
        seed = randint(1, MAX_RANDOM_PUZZLE) if query.seed is None else query.seed
        draw = partial(draw_puzzle, seed, query.theme, query.level)
        return await self._search(request, partial(jobs.find_puzzle, draw, self.longest_seconds))

    async def puzzle_of_the_day(self, request: Request) -> Response:
        """The puzzle of a day."""
        day = _read_query(request, inputs.DayQuery).date or date.today()
        draw = partial(puzzle_of_the_day, day)
        return await self._search(request, partial(jobs.find_puzzle, draw, self.longest_seconds))

    async def game_puzzles(self, request: Request) -> Response:
        """The puzzles in a game's mistakes."""
        position, game = await _read_game(request, inputs.GameBody)
        job = partial(jobs.find_puzzles, position, tuple(game.columns), self.longest_seconds)
        return await self._search(request, job)

    async def _search(self, request: Request, job: jobs.Job, *, is_move: bool = False) -> Response:
        return _answer(await while_wanted(request, self.searches.run(job, is_move=is_move)))


CALLS = (
    ("GET", "/api/players", Api.players),
    ("POST", "/api/move", Api.move),
    ("POST", "/api/analyze", Api.analyze),
    ("GET", SOLVE, Api.solve),
    ("POST", "/api/explain", Api.explain),
    ("POST", "/api/plan", Api.plan),
    ("POST", "/api/judge", Api.judge),
    ("GET", "/api/puzzle", Api.puzzle),
    ("GET", "/api/puzzle/day", Api.puzzle_of_the_day),
    ("POST", "/api/puzzles", Api.game_puzzles),
)
"""Every call: its method, its address and what answers it."""


def _answer(body: bytes) -> Response:
    return Response(body, media_type=JSON_TYPE, headers={"Cache-Control": "no-store"})


def _read_query(request: Request, model: type[AnyModel]) -> AnyModel:
    """The query of the address. Raises WebError."""
    items = request.query_params.multi_items()
    values = dict(items)
    allowed = ", ".join(model.model_fields) or "none"
    if any(name not in model.model_fields for name in values):  # not quoted: a page might show it
        raise http_errors.WebError("bad_query", f"in the address, a key is not known; the known keys are: {allowed}")
    if len(values) < len(items):
        names = [name for name, _ in items]
        twice = next(name for name in names if names.count(name) > 1)
        raise http_errors.WebError(
            "bad_query", f"{short_json(twice)} is given {names.count(twice)} times in the address"
        )
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise http_errors.WebError("bad_query", f"in the address, {_found(error)}") from None


def _read_model(body: bytes, model: type[AnyModel]) -> AnyModel:
    """A body that only this interface has. Raises RequestError, WebError."""
    try:
        return model.model_validate(orjson.loads(body.removeprefix(BOM_UTF8)))
    except orjson.JSONDecodeError as flaw:
        raise bad_json(body, flaw) from None
    except ValidationError as error:
        raise http_errors.WebError("bad_field", f"in the body, {_found(error)}") from None


async def _read_game(request: Request, model: type[AnyGame]) -> tuple[Position, AnyGame]:
    """The position in which a game began, and the game. Raises WebError, RequestError."""
    _read_query(request, inputs.Query)
    game = _read_model(await _read_body(request), model)
    if game.grid is None:
        position = Position(game.width, game.height, game.first)
    else:
        position = Position.from_grid(game.grid, game.first)
    await asyncio.to_thread(_check_game, position, game.columns)  # thousands of moves take a while
    return position, game


def _found(error: ValidationError) -> str:
    first: Any = error.errors(include_url=False, include_context=False)[0]
    path = ".".join(map(str, first["loc"]))
    return f"{path or 'the value'} is {short_json(first['input'])}: {first['msg'].removeprefix('Value error, ')}"


async def _read_body(request: Request) -> bytes:
    """The body, if it is JSON and not too long. Raises WebError, RequestError."""
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != JSON_TYPE:
        # Browsers let any site send the content types of forms without asking this server first.
        raise http_errors.WebError(
            "unsupported_media_type", f"Content-Type is {short_json(content_type)}; allowed is {JSON_TYPE}"
        )
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:ENOUGH_DIGITS]) > MAX_LINE_BYTES:
        raise _too_long()
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_LINE_BYTES:
            raise _too_long()
    return bytes(body)


def _too_long() -> errors.RequestError:
    return errors.RequestError(
        "line_too_long", f"the body is longer than {MAX_LINE_BYTES} bytes, the most that is read"
    )


def _check_player(spec: str, agents: list[str]) -> None:
    """Raise WebError if there is no such player."""
    try:
        parse_player(spec)
    except errors.PlayerSpecError as error:
        others = f"; agents of this server: {', '.join(agents)}" if agents else ""
        raise http_errors.WebError("unknown_player", f"{error}{others}") from None


def _check_game(position: Position, columns: list[int]) -> None:
    """Raise WebError if the columns are not a game."""
    for number, column in enumerate(columns):
        if position.is_over:
            raise http_errors.WebError("game_over", f"columns[{number}] is {column}, but the game was over before it")
        try:
            position = position.play(column)
        except errors.IllegalMoveError as error:
            raise http_errors.WebError("illegal_move", f"columns[{number}]: {error}") from None


async def while_wanted(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The work's result. If the client leaves, the work ends and ClientGoneError is raised."""
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
