"""The referee: two agents and an opening make a GameRecord, whatever the agents do."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from datetime import UTC, datetime

from connect4_agent import __version__
from connect4_agent.arena.adjudication import adjudicated_winner, is_near_end
from connect4_agent.arena.agents.contestant import Contestant, Seats
from connect4_agent.arena.agents.faults import FaultError
from connect4_agent.arena.agents.spec import AgentSpec, Isolation
from connect4_agent.arena.run.record import Ending, Fault, GameRecord, Overrun, Replay
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.rules.position import Position

VERSIONS = {"connect4-agent": __version__, "python": platform.python_version()}


@dataclass(slots=True)
class _Score:
    """A game in progress."""

    columns: list[int]
    times_ms: list[float]
    overruns: list[Overrun]
    ending: Ending = Ending.DRAW
    winner: int | None = None
    fault: Fault | None = None
    cpu_ms: list[float | None] = field(default_factory=lambda: [None, None])
    startup_ms: list[float | None] = field(default_factory=lambda: [None, None])

    def lose(self, player: int, error: FaultError) -> None:
        """End the game by a player's fault."""
        self.ending, self.winner = Ending(error.kind), 3 - player
        self.fault = Fault(
            player=player,
            detail=error.detail,
            reply=error.reply,
            stderr_tail=error.stderr_tail,
            exit_status=error.exit_status,
        )

    def note_time(self, agent: AgentSpec, player: int, elapsed_seconds: float) -> None:
        """Keep an overrun of the limit, whether or not the grace saved it."""
        if agent.limit_seconds is not None and elapsed_seconds > agent.limit_seconds:
            self.overruns.append(
                Overrun(
                    ply=len(self.columns),
                    player=player,
                    elapsed_ms=_ms(elapsed_seconds),
                    limit_ms=_ms(agent.limit_seconds),
                )
            )


def play_game(setup: GameSetup, seats: Seats) -> GameRecord:
    """Play one game. What the agents do wrong is in the record; nothing of them is left afterwards."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    game, before = setup.scheduled, setup.before
    if before is None:
        score = _Score(list(game.opening), [], [])
    else:
        score = _Score(list(before.columns), list(before.times_ms), list(before.overruns))
    contestants: list[Contestant] = []
    seats.begin_game(setup.agents)
    try:
        for player, agent in enumerate(setup.agents, 1):
            try:
                contestants.append(seats.seat(agent, player, game.width, game.height, setup.game_seed))
            except FaultError as error:
                score.lose(player, error)
                break
        else:
            _play_moves(setup, contestants, score)
    finally:
        faults = seats.end_game()
    for index, contestant in enumerate(contestants):
        if contestant.cpu_seconds is not None:
            score.cpu_ms[index] = _ms(contestant.cpu_seconds)
    for player, fault in faults.items():
        if score.fault is None:
            score.lose(player, fault)
    return _record(setup, score, started)


def not_played(setup: GameSetup, reasons: tuple[str | None, str | None], ending: Ending) -> GameRecord:
    """The record of a game that is not started, for the reason why player 1, player 2 or both play no more."""
    loser = 1 if reasons[0] is not None else 2
    winner = None if None not in reasons else 3 - loser
    fault = Fault(player=loser, detail=reasons[loser - 1] or "")
    score = _Score(list(setup.scheduled.opening), [], [], ending, winner, fault)
    return _record(setup, score, datetime.now(UTC).isoformat(timespec="milliseconds"))


def _play_moves(setup: GameSetup, contestants: list[Contestant], score: _Score) -> None:
    game = setup.scheduled
    position = Position(game.width, game.height, game.first).after(score.columns)
    while not position.is_full:
        player = position.player
        agent = setup.agents[player - 1]
        try:
            move = contestants[player - 1].move(position)
        except FaultError as error:
            if error.elapsed_seconds is not None:
                score.note_time(agent, player, error.elapsed_seconds)
            score.lose(player, error)
            return
        score.note_time(agent, player, move.elapsed_seconds)
        if agent.is_program:
            score.startup_ms[player - 1] = (score.startup_ms[player - 1] or 0.0) + _ms(move.startup_seconds)
        score.columns.append(move.column)
        score.times_ms.append(_ms(move.elapsed_seconds))
        position = position.play(move.column)
        if position.winner is not None:
            score.ending, score.winner = Ending.FOUR, position.winner
            return
        if setup.adjudicate and not position.is_full and is_near_end(position):
            score.ending, score.winner = Ending.ADJUDICATED, adjudicated_winner(position)
            return


def _isolation(setup: GameSetup) -> Isolation | None:
    """The weakest isolation among the programs of a game."""
    modes = [agent.isolation or Isolation.NONE for agent in setup.agents if agent.is_program]
    return min(modes, key=list(Isolation).index, default=None)


def _record(setup: GameSetup, score: _Score, started: str) -> GameRecord:
    return GameRecord(
        **dict(setup.scheduled),
        columns=tuple(score.columns),
        times_ms=tuple(score.times_ms),
        ending=score.ending,
        winner=score.winner,
        fault=score.fault,
        overruns=tuple(score.overruns),
        versions=VERSIONS,
        isolation=_isolation(setup),
        cpu_ms=(score.cpu_ms[0], score.cpu_ms[1]),
        startup_ms=(score.startup_ms[0], score.startup_ms[1]),
        replay=None if setup.before is None else Replay.CONTINUED,
        started=started,
    )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
