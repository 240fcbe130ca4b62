"""The schedule: which games a run wants, in which order; a pure function of its description.

A cycle is a pair of games for every pairing: the same opening, with sides swapped. Inside a cycle, the circle method
orders the pairings in rounds in which no agent plays twice, so that a stopped run is fair to every agent.

No game depends on the other pairings or on the number of games. The openings against a reference depend on the seed and
the reference's name: its opponents all meet the same ones. Those of other pairings depend on both names: if all
pairings shared their openings, ratings would vary more than their intervals claim. Versions decide nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from random import Random

import orjson
from pydantic import BaseModel, ConfigDict

from connect4_agent.arena.config import First, Format, RunConfig
from connect4_agent.arena.record import GameKey, Opening
from connect4_agent.arena.spec import AgentSpec

Names = tuple[str, str]


class GameSetup(BaseModel):
    """All that a game depends on, as it is sent to a worker."""

    model_config = ConfigDict(frozen=True)

    game: int
    key: GameKey
    width: int
    height: int
    seed: int
    """The seed of the whole run."""
    agents: tuple[AgentSpec, AgentSpec]
    adjudicate: bool = False
    """Whether the game ends by its exact result as soon as it is near its end."""

    def seed_for(self, player: int) -> int:
        """Return the seed of a player number's random moves; the opponent has no influence on it."""
        key = self.key
        values = [self.seed, key.agents[player - 1], player, key.opening, key.begins, key.repeat]
        return int.from_bytes(sha256(orjson.dumps(values)).digest()[:6])

    @property
    def max_seconds(self) -> float | None:
        """The longest that the game can take if everything works; None without time limits."""
        return max_seconds(self.agents, self.width, self.height)


def max_seconds(agents: Iterable[AgentSpec], width: int, height: int) -> float | None:
    """The longest that a game can take if everything works; None without time limits."""
    total = 0.0
    for agent in agents:
        if agent.time_limit is None:
            return None
        moves = width * height / 2 + 1
        total += moves * (agent.time_limit + (agent.grace or 0.0)) + (agent.startup or 0.0)
    return total


class Schedule(Sequence[GameKey]):
    """The wanted games in their order. The two games of a pair follow each other.

    In the second one the agents exchange their player numbers, and the same number begins: player 1 in even cycles,
    player 2 in odd ones. If who begins is drawn, that decides which of the two games comes first.
    """

    def __init__(self, config: RunConfig, versions: Mapping[str, str], openings: Sequence[Opening]) -> None:
        self.config = config
        self.versions = versions
        self.openings = openings
        self.agents = {agent.name: agent.with_defaults(config) for agent in config.agents}
        """Who plays, with what the run grants to all of them."""
        self._plans: dict[Names, _Plan] = {}

    @cached_property
    def pairings(self) -> list[Names]:
        """Who meets whom, round after round."""
        return [
            pair for round_ in circle_rounds(list(self.agents)) for pair in round_ if self.config.has_pairing(*pair)
        ]

    @cached_property
    def _pairs(self) -> list[tuple[Names, int]]:
        """The pairs of games in their order: who plays, and in which cycle."""
        return [(names, cycle) for cycle in range(self.config.games // 2) for names in self.pairings]

    @cached_property
    def _first_index(self) -> dict[tuple[Names, int], int]:
        """The index of the first game of every pair."""
        return {pair: 2 * number for number, pair in enumerate(self._pairs)}

    def __len__(self) -> int:
        return self.config.game_count

    def __getitem__(self, index: int) -> GameKey:  # type: ignore[override]  # nobody needs slices
        if not 0 <= index < len(self):
            raise IndexError(index)
        names, cycle = self._pairs[index // 2]
        opening, repeat = self._plan(names).openings[cycle]
        one, two = names[::-1] if index % 2 != self._plan(names).swaps[cycle] else names
        return GameKey(
            agents=(one, two),
            versions=(self.versions[one], self.versions[two]),
            opening=self.openings[opening],
            begins=1 + cycle % 2,
            repeat=repeat,
        )

    def find_index(self, key: GameKey) -> int | None:
        """Return the index of a game in the order; None if the game is not wanted."""
        names = next((names for names in (key.agents, key.agents[::-1]) if (names, 0) in self._first_index), None)
        if names is None or key.versions != (self.versions[key.agents[0]], self.versions[key.agents[1]]):
            return None
        cycle = self._plan(names).cycles.get((key.opening, key.begins, key.repeat))
        if cycle is None:
            return None
        return self._first_index[names, cycle] + ((key.agents != names) != self._plan(names).swaps[cycle])

    def pairing(self, index: int) -> Names:
        """Return who plays the game with this index, in the order of `pairings`."""
        return self._pairs[index // 2][0]

    def _plan(self, names: Names) -> _Plan:
        if names not in self._plans:
            references = set(names) & set(self.config.reference_names)
            has_reference = self.config.format is Format.GAUNTLET and len(references) == 1
            self._plans[names] = _Plan(self.config, sorted(references if has_reference else names), self.openings)
        return self._plans[names]


class _Plan:
    """The openings of a pairing, drawn from the seed and these names."""

    def __init__(self, config: RunConfig, names: Sequence[str], openings: Sequence[Opening]) -> None:
        self.openings: list[tuple[int, int]] = []
        """For every cycle, the number of the opening, and how often it was begun by the same player before."""
        used: Counter[tuple[int, int]] = Counter()
        for cycle, opening in enumerate(opening_order(config.seed, names, len(openings), config.games // 2)):
            use = opening, cycle % 2
            self.openings.append((opening, used[use]))
            used[use] += 1
        source = Random(orjson.dumps(["first", config.seed, *names]))
        self.swaps = [config.first is First.RANDOM and source.random() < 0.5 for _ in self.openings]
        """For every cycle, whether the second agent is player 1 in the first game."""
        self.cycles = {
            (openings[opening], 1 + cycle % 2, repeat): cycle for cycle, (opening, repeat) in enumerate(self.openings)
        }


def opening_order(seed: int, names: Sequence[str], count: int, cycles: int) -> Iterator[int]:
    """Yield the number of each cycle's opening, out of `count`: one permutation after another."""
    source = Random(orjson.dumps(["openings", seed, *names]))
    while cycles > 0:
        left = list(range(count))
        for place in range(min(count, cycles)):
            other = source.randrange(place, count)
            left[place], left[other] = left[other], left[place]
            yield left[place]
        cycles -= count


def circle_rounds(names: Sequence[str]) -> Iterator[list[Names]]:
    """Rounds in which everybody meets somebody else, until all have met: one seat stays, the others go round."""
    seats: list[str | None] = [*names, *[None] * (len(names) % 2)]
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        facing = zip(seats[:half], seats[: half - 1 : -1], strict=True)
        yield [(one, two) for one, two in facing if one is not None and two is not None]
        seats.insert(1, seats.pop())
