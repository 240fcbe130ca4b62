"""The referee: two agents and an opening make a GameRecord, even if the agents fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from connect4_agent.arena.agents.contestant import Contestant, PlayerContestant, seat_player
from connect4_agent.arena.agents.program import ProgramContestant
from connect4_agent.arena.agents.remote_program import RemoteProgram
from connect4_agent.arena.faults import Ending, Fault, FaultError
from connect4_agent.arena.record import GameRecord, Stats, add_stats
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.spec import AgentSpec, Isolation
from connect4_agent.arena.worker import SPARE_SECONDS, Worker, Workers, Workplace
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.players.player import Player
from connect4_agent.jobs.cores import load_per_core
from connect4_agent.rules.position import Position
from connect4_agent.server.replies import read_stats

MAX_EMPTY = 16
"""A game is adjudicated with this few empty cells. The solver takes a tenth of a millisecond then on 7x6, and 12 ms at
worst on the oddest board.

A bound in cells, not in seconds or nodes: what is adjudicated must not depend on the machine, or on what the
solver's table happens to hold.
"""


@dataclass(slots=True)
class _Score:
    """A game in progress."""

    columns: list[int]
    times_ms: list[float]
    ending: Ending = Ending.FULL
    winner: int | None = None
    fault: Fault | None = None
    startup_ms: list[float | None] = field(default_factory=lambda: [None, None])
    stats: tuple[Stats, Stats] = field(default_factory=lambda: ({}, {}))

    def lose(self, player: int, error: FaultError) -> None:
        """End the game by a player's fault."""
        self.ending, self.winner = error.kind, 3 - player
        self.fault = Fault(
            player=player,
            detail=error.detail,
            elapsed_ms=None if error.elapsed_seconds is None else _ms(error.elapsed_seconds),
            reply=error.reply,
            stderr_tail=error.stderr_tail,
            exit_status=error.exit_status,
        )
        add_stats(self.stats[player - 1], read_stats((error.reply or "").encode()))


Seat = Callable[[AgentSpec, int], Contestant]
"""Makes a contestant of an agent and its player number."""


def play_game(setup: GameSetup, seat: Seat) -> GameRecord:
    """Play one game. The record says what the agents did wrong; nothing of them is left afterwards."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    score = _Score(list(setup.key.opening), [])
    contestants = [seat(agent, player) for player, agent in enumerate(setup.agents, 1)]
    try:
        _play_moves(setup, contestants, score)
    finally:
        for contestant in contestants:
            contestant.dismiss()  # both at once: each has a moment to end
        for player, contestant in enumerate(contestants, 1):
            try:
                contestant.end()
            except FaultError as error:
                if score.fault is None:
                    score.lose(player, error)
    return _record(setup, score, started)


def play_with_worker(worker: Worker | Workers, setup: GameSetup) -> GameRecord:
    """Play a game between built-in players and programs, which run below a worker. Raises WorkerLostError."""
    seconds = None if setup.max_seconds is None else setup.max_seconds + SPARE_SECONDS
    record = worker.call(play_there, seconds, setup=setup.model_dump(mode="json"))
    return GameRecord.model_validate(record)


def play_there(place: Workplace, setup: dict[str, Any]) -> dict[str, Any]:
    """Play a game, in the worker."""
    game = GameSetup.model_validate(setup)

    def seat(spec: AgentSpec, player: int) -> Contestant:
        if spec.player is not None:
            return seat_player(spec, game.seed_for(player), place.watch.tend)
        return ProgramContestant(spec, spec.command_for(player, game.width, game.height), place.watch)

    return play_game(game, seat).model_dump(mode="json")


def play_with_own_worker(setup: GameSetup) -> GameRecord:
    """Play a game below a worker that ends with it, as on a cluster."""
    workers = Workers()
    try:
        return play_with_worker(workers, setup)
    finally:
        workers.close()


class LocalGames:
    """Games in this process: Python objects and built-in players play here, programs below workers of their own."""

    def __init__(self, players: Mapping[str, Player] = MappingProxyType({})) -> None:
        self._players = players
        self._programs: dict[str, RemoteProgram] = {}
        """The programs by their names: their workers play game after game."""

    def play(self, setup: GameSetup) -> GameRecord:
        """Play a game."""

        def seat(spec: AgentSpec, player: int) -> Contestant:
            if spec.name in self._players:
                return PlayerContestant(spec, self._players[spec.name])
            if spec.player is not None:
                return seat_player(spec, setup.seed_for(player))
            return self._programs.setdefault(spec.name, RemoteProgram(spec))

        for name in self._programs.keys() - {spec.name for spec in setup.agents}:
            self._programs.pop(name).close()
        return play_game(setup, seat)

    def close(self) -> None:
        """End the workers."""
        while self._programs:
            self._programs.popitem()[1].close()


def play_locally(players: Mapping[str, Player], setup: GameSetup) -> GameRecord:
    """Play one game in this process, and end its programs with their workers."""
    with closing(LocalGames(players)) as games:
        return games.play(setup)


def _play_moves(setup: GameSetup, contestants: list[Contestant], score: _Score) -> None:
    position = Position(setup.width, setup.height, setup.key.begins).after(score.columns)
    while not position.is_full:
        player = position.player
        agent = setup.agents[player - 1]
        try:
            move = contestants[player - 1].move(position)
        except FaultError as error:
            score.lose(player, error)
            return
        if agent.is_program:
            score.startup_ms[player - 1] = (score.startup_ms[player - 1] or 0.0) + _ms(move.startup_seconds)
        add_stats(score.stats[player - 1], move.stats)
        score.columns.append(move.column)
        score.times_ms.append(_ms(move.elapsed_seconds))
        position = position.play(move.column)
        if position.winner is not None:
            score.ending, score.winner = Ending.FOUR, position.winner
            return
        if setup.adjudicate and not position.is_full and is_near_end(position):
            score.ending, score.winner = Ending.ADJUDICATED, adjudicated_winner(position)
            return


def is_near_end(position: Position) -> bool:
    """Return whether a game may be adjudicated: few cells are empty, and on small boards no more than half."""
    return position.empty_count <= min(MAX_EMPTY, position.width * position.height // 2)


def adjudicated_winner(position: Position) -> int | None:
    """Return the player who wins an unfinished game if both play perfectly from here on; None for a draw."""
    score = engine_for(position.width, position.height).score(position)
    if score == 0:
        return None
    return position.player if score > 0 else 3 - position.player


def _isolation(setup: GameSetup) -> Isolation | None:
    """Return the weakest isolation among the programs of a game."""
    modes = [agent.isolation or Isolation.NONE for agent in setup.agents if agent.is_program]
    return min(modes, key=list(Isolation).index, default=None)


def _record(setup: GameSetup, score: _Score, started: str) -> GameRecord:
    isolation = _isolation(setup)
    return GameRecord(
        game=setup.game,
        key=setup.key,
        width=setup.width,
        height=setup.height,
        seed=setup.seed,
        columns=tuple(score.columns),
        times_ms=tuple(score.times_ms),
        ending=score.ending,
        winner=score.winner,
        fault=score.fault,
        limits=(setup.agents[0].time_limits, setup.agents[1].time_limits),
        isolation=isolation,
        load=None if isolation is None else round(load_per_core(), 2),
        startup_ms=(score.startup_ms[0], score.startup_ms[1]),
        stats=score.stats,
        started=started,
    )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
