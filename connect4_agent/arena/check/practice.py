"""Practice games: the agent against built-in players, played by the arena's own referee and workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from time import monotonic

from connect4_agent import errors
from connect4_agent.arena.agents.spec import DEFAULT_LIMIT_SECONDS, DEFAULT_STARTUP_SECONDS, AgentSpec, RequestForm
from connect4_agent.arena.check import diagnosis
from connect4_agent.arena.check.conversation import end_of
from connect4_agent.arena.check.result import Answer, Diagnosis, Finding, Opponent, Practice, Tier
from connect4_agent.arena.config import DEFAULT_PLIES
from connect4_agent.arena.openings import random_openings
from connect4_agent.arena.run.record import Ending, GameKey, GameRecord, Opening
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.worker import Workers
from connect4_agent.wire.replies import read_move
from connect4_agent.wire.request import request_of

OPPONENTS = (*("random", "greedy", "hard") * 3, "hard")
"""The built-in players of ten practice games, so that few games or a short time meet all of them."""

DEFAULT_GAMES = 20
MAX_SECONDS = 120.0


def play_practice(
    spec: AgentSpec, games: int, width: int, height: int, on_game: Callable[[], None]
) -> tuple[Practice, list[Finding]]:
    """Play until the games or the time are used up; what the agent did wrong is a finding for each game."""
    records: list[tuple[str, int, GameRecord]] = []
    began_at = monotonic()
    workers = Workers()
    is_over = threading.Event()

    def stop() -> None:
        is_over.set()
        workers.close()

    timer = threading.Timer(MAX_SECONDS, stop)
    timer.start()
    try:
        for name, seat, setup in _setups(spec, games, width, height):
            if is_over.is_set():
                break
            record = workers.play(setup)
            if record.ending is Ending.TIMED_OUT and record.fault is not None and record.fault.player == seat:
                # As in the arena: the machine may have been busy.
                record = workers.play(setup.model_copy(update={"before": record}))
            records.append((name, seat, record))
            on_game()
    except (errors.WorkerLostError, ValueError, OSError):
        if not is_over.is_set():  # else the worker's pipes were closed in the midst of a game
            raise
    finally:
        timer.cancel()
        workers.close()
    findings = [
        _finding(spec, name, seat, record)
        for name, seat, record in records
        if record.fault is not None and record.fault.player == seat
    ]
    return _practice(spec, games, records, len(findings), monotonic() - began_at), findings


def _setups(spec: AgentSpec, games: int, width: int, height: int) -> Iterator[tuple[str, int, GameSetup]]:
    """The games with the opponent's name and the agent's player number: every seat, either player beginning."""
    openings = _openings(games, width, height)
    for game in range(games):
        name = OPPONENTS[game % len(OPPONENTS)]
        seat, first = 1 + game // 3 % 2, 1 + game // 6 % 2
        opponent = AgentSpec(name=name, player=name, limit_seconds=spec.limit_seconds)
        agents = (spec, opponent) if seat == 1 else (opponent, spec)
        names = (agents[0].name, agents[1].name)
        opening = openings[game % len(openings)]
        key = GameKey(agents=names, versions=("", ""), opening=opening, begins=first, repeat=game)
        yield name, seat, GameSetup(game=game + 1, key=key, width=width, height=height, seed=0, agents=agents)


def _openings(games: int, width: int, height: int) -> tuple[Opening, ...]:
    try:
        openings = random_openings(range(DEFAULT_PLIES, DEFAULT_PLIES + 1), games, 0, width, height)
    except errors.ArenaError:  # the board is too small for that many plies
        openings = ()
    return openings or ((),)


def _practice(
    spec: AgentSpec, wanted: int, records: list[tuple[str, int, GameRecord]], faults: int, elapsed_seconds: float
) -> Practice:
    results: dict[str, list[int]] = {}
    slowest_ms = 0.0
    for name, seat, record in records:
        place = 1 if record.winner is None else 0 if record.winner == seat else 2
        results.setdefault(name, [0, 0, 0])[place] += 1
        begins = len(record.opening)
        times = [ms for ply, ms in enumerate(record.times_ms, begins) if record.mover_of(ply) == seat]
        late = [overrun.elapsed_ms for overrun in record.overruns if overrun.player == seat]
        slowest_ms = max([slowest_ms, *times, *late])
    note = f"stopped after {MAX_SECONDS:g} s" if len(records) < wanted else ""
    opponents = tuple(
        Opponent(name=name, wins=wins, draws=draws, losses=losses) for name, (wins, draws, losses) in results.items()
    )
    return Practice(
        wanted=wanted, played=len(records), faults=faults, opponents=opponents, slowest_ms=slowest_ms,
        limit_ms=1000 * (spec.limit_seconds or DEFAULT_LIMIT_SECONDS), elapsed_seconds=round(elapsed_seconds, 1),
        note=note,
    )  # fmt: skip


def _finding(spec: AgentSpec, opponent: str, seat: int, record: GameRecord) -> Finding:
    fault, position = record.fault, record.position
    assert fault is not None
    reply = (fault.reply or "").encode()
    move = len(record.columns) // 2 + 1
    answers: tuple[Answer, ...] = ()
    if record.ending in (Ending.ILLEGAL_MOVE, Ending.CRASHED):
        grid = tuple(map(tuple, position.grid()))
        answers = (Answer(grid=grid, player=seat, move=_column(reply)),)
    made = sum(record.mover_of(ply) == seat for ply in range(len(record.opening), len(record.columns)))
    return Finding(
        name=f"practice against {opponent}",
        title=f"practice game against {opponent}, move {move}",
        tier=Tier.REQUIRED,
        status="failed",
        diagnosis=_diagnosis(spec, record, made, answers),
        command=spec.command_for(seat, record.width, record.height),
        sent=request_of(position, grid_only=spec.request is RequestForm.GRID).decode() + "\n",
        received=fault.reply or "",
        stderr=fault.stderr_tail,
        stderr_bytes=len(fault.stderr_tail.encode()),
        answers=answers,
        is_game=True,
    )


def _diagnosis(spec: AgentSpec, record: GameRecord, made: int, answers: tuple[Answer, ...]) -> Diagnosis:
    fault = record.fault
    assert fault is not None
    reply = (fault.reply or "").encode()
    if record.ending in (Ending.CRASHED, Ending.WOULD_NOT_START):
        return diagnosis.ended(end_of(spec, fault.exit_status, fault.stderr_tail or fault.detail, made))
    if record.ending is Ending.TIMED_OUT:
        limit = spec.limit_seconds or DEFAULT_LIMIT_SECONDS
        elapsed = record.overruns[-1].elapsed_ms / 1000 if record.overruns else limit
        startup = 0.0 if made else spec.startup_seconds or DEFAULT_STARTUP_SECONDS
        return diagnosis.too_slow(elapsed, limit, startup, at_least=True)
    if record.ending in (Ending.OUT_OF_MEMORY, Ending.TOO_MANY_PROCESSES):
        return diagnosis.too_much(fault.detail)
    if answers and (illegal := diagnosis.illegal_move(answers[0])) is not None:
        return illegal
    return diagnosis.diagnose_reply(reply) or diagnosis.two_answers(reply)


def _column(reply: bytes) -> int | None:
    try:
        return read_move(reply)
    except errors.ReplyError:
        return None
