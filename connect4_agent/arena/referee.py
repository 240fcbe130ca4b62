"""The referee: two agents and an opening make a GameRecord, whatever the agents do."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connect4_agent import __version__
from connect4_agent.arena.adjudication import adjudicated_winner, is_near_end
from connect4_agent.arena.child import FaultError
from connect4_agent.arena.contestants import contestant
from connect4_agent.arena.record import Ending, Fault, GameRecord, Overrun
from connect4_agent.position import Position

if TYPE_CHECKING:
    from connect4_agent.arena.agents import Agent
    from connect4_agent.arena.contestants import Contestant

VERSIONS = {"connect4-agent": __version__, "python": platform.python_version()}


@dataclass(frozen=True, slots=True)
class GameSetup:
    """All that a game depends on; its fields are those of the record."""

    game: int
    round: int
    pair: int
    agents: tuple[Agent, Agent]
    first: int
    width: int
    height: int
    opening: tuple[int, ...]
    seed: int
    game_seed: int
    """For whatever is random in the players of this game."""
    adjudicate: bool = False
    """Whether the game ends by its exact result as soon as it is near its end."""
    keep: bool = True
    """Whether processes that need not restart may wait here for their next game."""


@dataclass(slots=True)
class _Score:
    """A game as it goes on."""

    columns: list[int]
    times_ms: list[float]
    overruns: list[Overrun]
    ending: Ending = Ending.STOPPED
    winner: int | None = None
    fault: Fault | None = None

    def lose(self, player: int, error: FaultError) -> None:
        """End the game by a player's fault."""
        self.ending, self.winner = error.ending, 3 - player
        self.fault = Fault(
            player=player,
            detail=error.detail,
            reply=None if error.reply is None else error.reply.decode(errors="replace"),
            stderr_tail=error.stderr_tail.decode(errors="replace"),
            exit_status=error.exit_status,
        )

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
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    score = _Score(list(setup.opening), [], [])
    contestants: list[Contestant] = []
    try:
        for player, agent in enumerate(setup.agents, 1):
            try:
                contestants.append(
                    contestant(agent, player, setup.width, setup.height, setup.game_seed, keep=setup.keep)
                )
            except FaultError as error:
                score.lose(player, error)
                break
        else:
            _play_moves(setup, contestants, score)
    finally:
        for each in contestants:
            each.end_game()
        for player, each in enumerate(contestants, 1):
            try:
                each.leave()
            except FaultError as error:
                if score.fault is None:
                    score.lose(player, error)
    return _record(setup, score, started)


def forfeited(setup: GameSetup, reasons: tuple[str | None, str | None]) -> GameRecord:
    """The record of a game that is not started, for the reason why player 1, player 2 or both play no more."""
    loser = 1 if reasons[0] is not None else 2
    winner = None if None not in reasons else 3 - loser
    fault = Fault(player=loser, detail=reasons[loser - 1] or "")
    score = _Score(list(setup.opening), [], [], Ending.FORFEITED, winner, fault)
    return _record(setup, score, datetime.now(UTC).isoformat(timespec="milliseconds"))


def _play_moves(setup: GameSetup, contestants: list[Contestant], score: _Score) -> None:
    position = Position(setup.width, setup.height, setup.first)
    for column in setup.opening:
        position = position.play(column)
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


def _record(setup: GameSetup, score: _Score, started: str) -> GameRecord:
    return GameRecord(
        game=setup.game,
        round=setup.round,
        pair=setup.pair,
        agents=(setup.agents[0].name, setup.agents[1].name),
        first=setup.first,
        width=setup.width,
        height=setup.height,
        opening=setup.opening,
        columns=tuple(score.columns),
        times_ms=tuple(score.times_ms),
        ending=score.ending,
        winner=score.winner,
        fault=score.fault,
        overruns=tuple(score.overruns),
        seed=setup.seed,
        versions=VERSIONS,
        started=started,
    )
