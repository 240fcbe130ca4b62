"""The schedule: which agents meet in which game, with which opening; a pure function of its fields."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations

from pydantic import BaseModel, ConfigDict

from connect4_agent.arena.agents.spec import AgentSpec, Isolation
from connect4_agent.arena.config import Format, RunConfig
from connect4_agent.arena.run.record import GameRecord, Opening, ScheduledGame


class GameSetup(BaseModel):
    """All that a game depends on, as it is sent to a worker."""

    model_config = ConfigDict(frozen=True)

    scheduled: ScheduledGame
    agents: tuple[AgentSpec, AgentSpec]
    adjudicate: bool = False
    """Whether the game ends by its exact result as soon as it is near its end."""
    before: GameRecord | None = None
    """A game that was lost on time, to be continued from its last position."""

    @property
    def game_seed(self) -> int:
        """The game's own seed, for everything that is random in its players."""
        return int.from_bytes(sha256(f"{self.scheduled.seed} {self.scheduled.game}".encode()).digest()[:6])

    @property
    def max_seconds(self) -> float | None:
        """The longest that the game can take if everything works; None without time limits."""
        total = 0.0
        for agent in self.agents:
            if agent.limit_seconds is None:
                return None
            moves = self.scheduled.width * self.scheduled.height / 2 + 1
            total += moves * (agent.limit_seconds + (agent.grace_seconds or 0.0)) + (agent.startup_seconds or 0.0)
        return total


@dataclass(frozen=True)
class Schedule:
    """Round after round, every pairing plays the round's opening twice, with sides swapped.

    In the second game of such a pair the agents exchange their player numbers, and the same number begins:
    player 1 in even rounds, player 2 in odd ones.
    """

    config: RunConfig
    openings: tuple[Opening, ...]
    """Used again from the first one if there are more rounds."""
    isolation: Isolation | None = None
    """What isolates programs that say nothing about it themselves."""

    @cached_property
    def agents(self) -> tuple[AgentSpec, ...]:
        """Who plays, with what the run grants to all of them."""
        grants = self.config.model_copy(update={"isolation": self.config.isolation or self.isolation})
        return tuple(agent.granted(grants) for agent in self.config.agents)

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairs of agents, by their indices in `agents`, that meet in every round."""
        is_round_robin = self.config.format is Format.ROUND_ROBIN
        return [pair for pair in combinations(range(len(self.agents)), 2) if is_round_robin or pair[0] == 0]

    def __len__(self) -> int:
        """The number of games."""
        return self.config.games * len(self.pairings)

    def setup(self, game: int, before: GameRecord | None = None) -> GameSetup:
        """The game with this number, perhaps continued."""
        pair, is_second = divmod(game, 2)
        round_, pairing = divmod(pair, len(self.pairings))
        one, two = self.pairings[pairing]
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
            seed=self.config.seed,
        )
        return GameSetup(scheduled=scheduled, agents=agents, adjudicate=self.config.adjudicate, before=before)
