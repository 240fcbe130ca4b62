"""The schedule: which agents meet in which game, with which opening; a pure function of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import combinations

from connect4_agent.agents.spec import Agent
from connect4_agent.arena.run.config import Format, RunConfig
from connect4_agent.arena.run.record import MOST_ATTEMPTS, Opening, ScheduledGame
from connect4_agent.engine.players.player import Player


@dataclass(frozen=True, slots=True)
class GameSetup:
    """All that a game depends on."""

    scheduled: ScheduledGame
    agents: tuple[Agent, Agent]
    seed: int
    """The seed of the whole schedule."""
    adjudicate: bool = False
    """Whether the game ends by its exact result as soon as it is near its end."""
    keep: bool = True
    """Whether processes that need not restart may wait here for their next game."""
    attempt: int = 1
    """More than 1 if the machine was too busy for an agent before."""

    @property
    def is_last_attempt(self) -> bool:
        """Whether the game counts, however busy the machine is; then the time that agents wait for a core does not."""
        return self.attempt == MOST_ATTEMPTS

    @property
    def game_seed(self) -> int:
        """The game's own seed, for everything that is random in its players."""
        return int.from_bytes(sha256(f"{self.seed} {self.scheduled.game}".encode()).digest()[:6])


@dataclass(frozen=True)
class Schedule:
    """Round after round, every pairing plays the round's opening twice, with sides swapped.

    In the second game of such a pair the agents exchange their player numbers, and the same number begins:
    player 1 in even rounds, player 2 in odd ones.
    """

    config: RunConfig
    openings: tuple[Opening, ...]
    """Used again from the first one where there are more rounds."""
    players: Mapping[str, Player] = field(default_factory=dict)
    """The agents that are Python objects, by name."""
    kept_safe: tuple[str, ...] = ()
    """Folders that isolated agents cannot write to."""

    @cached_property
    def agents(self) -> tuple[Agent, ...]:
        """Who plays."""
        return tuple(
            replace(agent, python=self.players.get(agent.name)) for agent in self.config.agents_to_play(self.kept_safe)
        )

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairs of agents, by their places in `agents`, that meet in every round."""
        is_round_robin = self.config.format is Format.ROUND_ROBIN
        return [pair for pair in combinations(range(len(self.agents)), 2) if is_round_robin or pair[0] == 0]

    def __len__(self) -> int:
        """The number of games."""
        return self.config.games * len(self.pairings)

    def setup(self, game: int, *, keep: bool = True) -> GameSetup:
        """The game at this place."""
        pair, is_second = divmod(game, 2)
        round_, place = divmod(pair, len(self.pairings))
        one, two = self.pairings[place]
        if is_second:
            one, two = two, one
        agents = (self.agents[one], self.agents[two])
        scheduled = ScheduledGame(
            game=game,
            round=round_,
            pair=pair,
            agents=(agents[0].name, agents[1].name),
            first=1 + round_ % 2,
            width=self.config.width,
            height=self.config.height,
            opening=self.openings[round_ % len(self.openings)],
        )
        return GameSetup(scheduled, agents, self.config.seed, self.config.adjudicate, keep)
