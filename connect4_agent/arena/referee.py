"""The referee: two agents and an opening make a GameRecord, whatever the agents do."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from datetime import UTC, datetime

from connect4_agent import __version__
from connect4_agent.agents.confinement import check_isolation
from connect4_agent.agents.contestant import Contestant, new_contestant
from connect4_agent.agents.core_times import CoreTimes
from connect4_agent.agents.faults import FaultError
from connect4_agent.agents.orphans import end_crippled_worker
from connect4_agent.agents.spec import Agent
from connect4_agent.arena.adjudication import adjudicated_winner, is_near_end
from connect4_agent.arena.run.record import Ending, Fault, GameRecord, Overrun
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.rules.position import Position

VERSIONS = {"connect4-agent": __version__, "python": platform.python_version()}


@dataclass(slots=True)
class _Score:
    """A game in progress."""

    columns: list[int]
    times_ms: list[float]
    overruns: list[Overrun]
    ending: Ending = Ending.STOPPED
    winner: int | None = None
    fault: Fault | None = None
    machine_busy: bool = False
    cpu_ms: list[float | None] = field(default_factory=lambda: [None, None])
    waited_ms: list[float | None] = field(default_factory=lambda: [None, None])

    def lose(self, player: int, error: FaultError) -> None:
        """End the game by a player's fault."""
        self.ending, self.winner, self.machine_busy = Ending(error.kind), 3 - player, error.is_machine_busy
        self.fault = Fault(
            player=player,
            detail=error.detail,
            reply=None if error.reply is None else error.reply.decode(errors="replace"),
            stderr_tail=error.stderr_tail.decode(errors="replace"),
            exit_status=error.exit_status,
        )

    def note_core_times(self, player: int, times: CoreTimes) -> None:
        """Keep what a player had of the machine's cores."""
        self.cpu_ms[player - 1] = round(times.ran_seconds * 1000, 3)
        self.waited_ms[player - 1] = round(times.waited_seconds * 1000, 3)

    def note_time(self, agent: Agent, player: int, elapsed_seconds: float, ply: int) -> None:
        """Keep an overrun of the limit, whether or not the grace saved it."""
        if agent.limit_seconds is not None and elapsed_seconds > agent.limit_seconds:
            self.overruns.append(
                Overrun(
                    ply=ply,
                    player=player,
                    elapsed_ms=round(elapsed_seconds * 1000, 3),
                    limit_ms=round(agent.limit_seconds * 1000, 3),
                )
            )


def play_game(setup: GameSetup) -> GameRecord:
    """Play one game. What the agents do wrong is in the record; nothing of them is left afterwards."""
    try:
        return _played(setup)
    finally:
        end_crippled_worker()


def _played(setup: GameSetup) -> GameRecord:
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    game = setup.scheduled
    score = _Score(list(game.opening), [], [])
    contestants: list[Contestant] = []
    try:
        for player, agent in enumerate(setup.agents, 1):
            try:
                contestants.append(
                    new_contestant(
                        agent,
                        player,
                        game.width,
                        game.height,
                        setup.game_seed,
                        keep=setup.keep,
                        forgives_waiting=setup.is_last_attempt,
                    )
                )
            except FaultError as error:
                score.lose(player, error)
                break
        else:
            _play_moves(setup, contestants, score)
    finally:
        for player, each in enumerate(contestants, 1):
            each.end_game()
            if each.core_times is not None:
                score.note_core_times(player, each.core_times)
        for player, each in enumerate(contestants, 1):
            try:
                each.leave()
            except FaultError as error:
                if score.fault is None:
                    score.lose(player, error)
    return _record(setup, score, started)


def not_played(
    setup: GameSetup, reasons: tuple[str | None, str | None], ending: Ending = Ending.FORFEITED
) -> GameRecord:
    """The record of a game that is not started, for the reason why player 1, player 2 or both play no more."""
    loser = 1 if reasons[0] is not None else 2
    winner = None if None not in reasons else 3 - loser
    fault = Fault(player=loser, detail=reasons[loser - 1] or "")
    score = _Score(list(setup.scheduled.opening), [], [], ending, winner, fault)
    return _record(setup, score, datetime.now(UTC).isoformat(timespec="milliseconds"))


def _play_moves(setup: GameSetup, contestants: list[Contestant], score: _Score) -> None:
    game = setup.scheduled
    position = Position(game.width, game.height, game.first).after(game.opening)
    while not position.is_full:
        player = position.player
        agent = setup.agents[player - 1]
        try:
            column, elapsed_seconds = contestants[player - 1].move(position)
        except FaultError as error:
            if error.elapsed_seconds is not None:
                score.note_time(agent, player, error.elapsed_seconds, len(score.columns))
            score.lose(player, error)
            return
        score.note_time(agent, player, elapsed_seconds, len(score.columns))
        score.columns.append(column)
        score.times_ms.append(round(elapsed_seconds * 1000, 3))
        position = position.play(column)
        if position.winner is not None:
            score.ending, score.winner = Ending.FOUR, position.winner
            return
        if setup.adjudicate and not position.is_full and is_near_end(position):
            score.ending, score.winner = Ending.ADJUDICATED, adjudicated_winner(position)
            return
    score.ending = Ending.DRAW


def _isolation(setup: GameSetup) -> str:
    """What isolated the programs of a game."""
    is_isolated = any(agent.command and agent.confinement.isolate for agent in setup.agents)
    return check_isolation() if is_isolated else ""


def _record(setup: GameSetup, score: _Score, started: str) -> GameRecord:
    return GameRecord(
        **dict(setup.scheduled),
        columns=tuple(score.columns),
        times_ms=tuple(score.times_ms),
        ending=score.ending,
        winner=score.winner,
        fault=score.fault,
        overruns=tuple(score.overruns),
        seed=setup.seed,
        versions=VERSIONS,
        isolation=_isolation(setup),
        cpu_ms=(score.cpu_ms[0], score.cpu_ms[1]),
        waited_ms=(score.waited_ms[0], score.waited_ms[1]),
        attempt=setup.attempt,
        machine_busy=score.machine_busy,
        started=started,
    )
