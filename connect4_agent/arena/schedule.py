"""The schedule: which agents meet in which game, with which opening; a pure function of its fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING

from connect4_agent.arena.referee import GameSetup

if TYPE_CHECKING:
    from connect4_agent.arena.agents import Agent
    from connect4_agent.arena.openings import Opening


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody."""
    GAUNTLET = "gauntlet"
    """The first agent meets all others."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Round after round, every pairing plays the round's opening twice, with sides swapped.

    In the second game of such a pair the agents exchange their player numbers, and the same number begins:
    player 1 in even rounds, player 2 in odd ones.
    """

    agents: tuple[Agent, ...]
    openings: tuple[Opening, ...]
    """Used again from the first one where there are more rounds."""
    rounds: int
    seed: int = 0
    format: Format = Format.ROUND_ROBIN
    width: int = 7
    height: int = 6
    adjudicate: bool = False

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairs of agents, by their places in `agents`, that meet in every round."""
        return _pairings(len(self.agents), self.format)

    def __len__(self) -> int:
        """The number of games."""
        return 2 * self.rounds * len(self.pairings)

    def setup(self, game: int, *, keep: bool = True) -> GameSetup:
        """The game at this place."""
        pairings = self.pairings
        pair, is_second = divmod(game, 2)
        round_, place = divmod(pair, len(pairings))
        one, two = pairings[place]
        if is_second:
            one, two = two, one
        return GameSetup(
            game=game,
            round=round_,
            pair=pair,
            agents=(self.agents[one], self.agents[two]),
            first=1 + round_ % 2,
            width=self.width,
            height=self.height,
            opening=self.openings[round_ % len(self.openings)],
            seed=self.seed,
            game_seed=seed_of_game(self.seed, game),
            adjudicate=self.adjudicate,
            keep=keep,
        )


@lru_cache(maxsize=8)
def _pairings(count: int, format_: Format) -> list[tuple[int, int]]:
    return [pair for pair in combinations(range(count), 2) if format_ is Format.ROUND_ROBIN or pair[0] == 0]


def seed_of_game(seed: int, game: int) -> int:
    """A game's own seed."""
    return int.from_bytes(sha256(f"{seed} {game}".encode()).digest()[:6])
