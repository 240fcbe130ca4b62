"""Culprits: which of a game's agents kills the worker process that plays it."""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import replace

from connect4_agent.agents.spec import Agent
from connect4_agent.arena import referee
from connect4_agent.arena.run.record import GameRecord
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.jobs.executor import in_processes, is_lost_worker


def play_alone(setup: GameSetup) -> Future[GameRecord]:
    """Play a game in a worker of its own, to its end."""
    executor = in_processes(1)
    try:
        future = executor.submit(referee.play_game, setup)
        wait([future])
        return future
    finally:
        executor.close()


def programs_of(setup: GameSetup) -> list[str]:
    """The names of the programs in a game, or of both agents if there are none."""
    return [agent.name for agent in setup.agents if agent.command] or list(setup.scheduled.agents)


def culprits_of(setup: GameSetup) -> list[str]:
    """Who of a game's agents kills workers: the program, or of two programs those that do so against a built-in player.

    If that does not tell, both: one of them does it, and the run has to end.
    """
    suspects = programs_of(setup)
    if len(suspects) == 1:
        return suspects
    bystander = Agent("first-open", player="first-open")
    games = (setup.agents[0], bystander), (bystander, setup.agents[1])
    found = []
    for name, agents in zip(setup.scheduled.agents, games, strict=True):
        error = play_alone(replace(setup, agents=agents)).exception()
        if error is not None and is_lost_worker(error):
            found.append(name)
    return found or suspects
