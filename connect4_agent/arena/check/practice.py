"""Practice games: the agent against built-in players, played by the arena's own referee and workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from time import monotonic

from connect4_agent import errors
from connect4_agent.arena.agents.spec import AgentSpec, RequestForm
from connect4_agent.arena.check import diagnosis
from connect4_agent.arena.check.result import Answer, Diagnosis, Finding, Opponent, Practice, Tier
from connect4_agent.arena.config import DEFAULT_PLIES
from connect4_agent.arena.openings import random_openings
from connect4_agent.arena.run.record import Ending, Fault, GameKey, GameRecord
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.worker import Workers
from connect4_agent.server.replies import move_or_none
from connect4_agent.server.request import request_of

OPPONENTS = (*("random", "greedy", "hard") * 3, "hard")
"""The built-in players of ten practice games, so that few games or a short time meet all of them."""

DEFAULT_GAMES = 20
MAX_SECONDS = 120.0


def play_practice(
    spec: AgentSpec, games: int, width: int, height: int, on_game: Callable[[int], None]
) -> tuple[Practice, list[Finding]]:
    """Play until the games or the time are used up; what the agent did wrong is a finding for each game."""
    records: list[GameRecord] = []
    began_at = monotonic()
    workers = Workers()
    is_over = threading.Event()

    def stop() -> None:
        is_over.set()
        workers.close()

    timer = threading.Timer(MAX_SECONDS, stop)
    timer.start()
    try:
        for setup in _setups(spec, games, width, height):
            if is_over.is_set():
                break
            record = workers.play(setup)
            if record.ending is Ending.TIMED_OUT and _fault_in(record) is not None:
                # As in the arena: the machine may have been busy.
                record = workers.play(setup.model_copy(update={"before": record}))
            records.append(record)
            on_game(len(records))
    except (errors.WorkerLostError, ValueError, OSError):
        if not is_over.is_set():  # else the worker's pipes were closed in the midst of a game
            raise
    finally:
        timer.cancel()
        workers.close()
    findings = [_finding(spec, record, fault) for record in records if (fault := _fault_in(record)) is not None]
    return _practice(spec, games, records, len(findings), monotonic() - began_at), findings


def _opponent(game: int) -> str:
    return OPPONENTS[(game - 1) % len(OPPONENTS)]


def _seat(game: int) -> int:
    """The agent's player number."""
    return 1 + (game - 1) // 3 % 2


def _fault_in(record: GameRecord) -> Fault | None:
    """What the agent did wrong."""
    return record.fault if record.fault is not None and record.fault.player == _seat(record.game) else None


def _setups(spec: AgentSpec, games: int, width: int, height: int) -> Iterator[GameSetup]:
    """The games, with the agent in every seat and either player beginning."""
    try:
        openings = random_openings(range(DEFAULT_PLIES, DEFAULT_PLIES + 1), games, 0, width, height)
    except errors.ArenaError:  # the board is too small for that many plies
        openings = ((),)
    for game in range(1, games + 1):
        opponent = AgentSpec(name=_opponent(game), player=_opponent(game), limit_seconds=spec.limit_seconds)
        agents = (spec, opponent) if _seat(game) == 1 else (opponent, spec)
        key = GameKey(
            agents=(agents[0].name, agents[1].name), versions=("", ""), opening=openings[game % len(openings)],
            begins=1 + (game - 1) // 6 % 2, repeat=game,
        )  # fmt: skip
        yield GameSetup(game=game, key=key, width=width, height=height, seed=0, agents=agents)


def _practice(spec: AgentSpec, wanted: int, records: list[GameRecord], faults: int, elapsed_seconds: float) -> Practice:
    results = {_opponent(record.game): Opponent(name=_opponent(record.game)) for record in records}
    slowest_ms = 0.0
    for record in records:
        opponent, seat = results[_opponent(record.game)], _seat(record.game)
        opponent.wins += record.winner == seat
        opponent.draws += record.winner is None
        opponent.losses += record.winner == 3 - seat
        times = [ms for ply, ms in enumerate(record.times_ms, len(record.opening)) if record.mover_of(ply) == seat]
        late = [overrun.elapsed_ms for overrun in record.overruns if overrun.player == seat]
        slowest_ms = max([slowest_ms, *times, *late])
    return Practice(
        wanted=wanted, played=len(records), faults=faults, opponents=tuple(results.values()), slowest_ms=slowest_ms,
        limit_ms=1000 * (spec.limit_seconds or 0.0), elapsed_seconds=round(elapsed_seconds, 1),
        note=f"stopped after {MAX_SECONDS:g} s" if len(records) < wanted else "",
    )  # fmt: skip


def _finding(spec: AgentSpec, record: GameRecord, fault: Fault) -> Finding:
    position, opponent = record.position, _opponent(record.game)
    answers: tuple[Answer, ...] = ()
    if record.ending in (Ending.ILLEGAL_MOVE, Ending.CRASHED):
        move = move_or_none((fault.reply or "").encode())
        answers = (Answer(tuple(map(tuple, position.grid())), fault.player, move),)
    return Finding(
        name=f"practice against {opponent}",
        title=f"practice game against {opponent}, move {len(record.columns) // 2 + 1}",
        tier=Tier.REQUIRED,
        status="failed",
        diagnosis=_diagnosis(spec, record, fault, answers),
        command=spec.command_for(fault.player, record.width, record.height),
        sent=request_of(position, grid_only=spec.request is RequestForm.GRID).decode() + "\n",
        received=fault.reply or "",
        stderr=fault.stderr_tail,
        stderr_bytes=len(fault.stderr_tail.encode()),
        answers=answers,
        is_game=True,
    )


def _diagnosis(spec: AgentSpec, record: GameRecord, fault: Fault, answers: tuple[Answer, ...]) -> Diagnosis:
    reply = (fault.reply or "").encode()
    made = sum(record.mover_of(ply) == fault.player for ply in range(len(record.opening), len(record.columns)))
    if record.ending in (Ending.CRASHED, Ending.WOULD_NOT_START):
        return diagnosis.ended(spec, fault.exit_status, fault.stderr_tail or fault.detail, made)
    if record.ending is Ending.TIMED_OUT:
        elapsed_seconds = record.overruns[-1].elapsed_ms / 1000 if record.overruns else spec.limit_seconds or 0.0
        return diagnosis.too_slow(spec, elapsed_seconds, is_first=not made, more="more than ")
    if record.ending in (Ending.OUT_OF_MEMORY, Ending.TOO_MANY_PROCESSES):
        return diagnosis.too_much(fault.detail)
    if answers and (illegal := diagnosis.illegal_move(answers[0])) is not None:
        return illegal
    return diagnosis.diagnose_reply(reply) or diagnosis.two_answers(reply)
