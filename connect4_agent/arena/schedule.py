"""The schedule: which games a run wants, in which order; a pure function of its description.

A cycle is a pair of games for every pairing: the same opening, with sides swapped. Inside a cycle, the circle method
orders the pairings in rounds in which nobody plays twice, so that a run that is stopped is fair to everybody. The
openings of a pairing depend on the seed and its two names alone: who else takes part, and how many games are wanted,
changes no game.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from operator import itemgetter
from random import Random

import orjson
from pydantic import BaseModel, ConfigDict

from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.run.record import GameKey, GameRecord, Opening

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
    before: GameRecord | None = None
    """A game that was lost on time, to be continued from its last position."""

    @property
    def game_seed(self) -> int:
        """The game's own seed, for everything that is random in its players."""
        return int.from_bytes(sha256(f"{self.seed} {self.key.model_dump_json()}".encode()).digest()[:6])

    @property
    def max_seconds(self) -> float | None:
        """The longest that the game can take if everything works; None without time limits."""
        return max_seconds(self.agents, self.width, self.height)


def max_seconds(agents: Iterable[AgentSpec], width: int, height: int) -> float | None:
    """The longest that a game can take if everything works; None without time limits."""
    total = 0.0
    for agent in agents:
        if agent.limit_seconds is None:
            return None
        moves = width * height / 2 + 1
        total += moves * (agent.limit_seconds + (agent.grace_seconds or 0.0)) + (agent.startup_seconds or 0.0)
    return total


class Schedule(Sequence[GameKey]):
    """The wanted games in their order. The two games of a pair follow each other.

    In the second one the agents exchange their player numbers, and the same number begins: player 1 in even cycles,
    player 2 in odd ones.
    """

    def __init__(self, config: RunConfig, versions: Mapping[str, str], openings: Sequence[Opening]) -> None:
        self.config = config
        self.versions = versions
        self.openings = openings
        self.agents = {agent.name: agent.granted(config) for agent in config.agents}
        """Who plays, with what the run grants to all of them."""
        self._plans: dict[int, _Plan] = {}

    @cached_property
    def pairings(self) -> list[Names]:
        """Who meets whom, round after round."""
        return [pair for round_ in circle_rounds(list(self.agents)) for pair in round_ if self.config.games_of(*pair)]

    @cached_property
    def _pairing_numbers(self) -> dict[frozenset[str], int]:
        return {frozenset(pair): number for number, pair in enumerate(self.pairings)}

    @cached_property
    def _cycles(self) -> list[tuple[int, list[int]]]:
        """For every cycle, the number of pairs of games before it, and the pairings that play in it, in order."""
        counts = [self.config.games_of(*pair) // 2 for pair in self.pairings]
        playing = list(range(len(counts)))
        cycles = []
        before = 0
        for cycle in range(max(counts)):
            if cycle in counts:
                playing = [pairing for pairing in playing if counts[pairing] > cycle]
            cycles.append((before, playing))
            before += len(playing)
        return cycles

    def _pair(self, index: int) -> tuple[int, int]:
        """The cycle and the pairing of the game at this place of the order."""
        cycle = bisect_right(self._cycles, index // 2, key=itemgetter(0)) - 1
        before, playing = self._cycles[cycle]
        return cycle, playing[index // 2 - before]

    def __len__(self) -> int:
        """The number of games."""
        return self.config.game_count

    def __getitem__(self, index: int) -> GameKey:  # type: ignore[override]  # nobody needs slices
        """The game at this place of the order."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        cycle, pairing = self._pair(index)
        one, two = self.pairings[pairing]
        plan = self._plan(pairing)
        agents = (two, one) if index % 2 else (one, two)
        opening, repeat = plan.openings[cycle]
        return GameKey(
            agents=agents,
            versions=(self.versions[agents[0]], self.versions[agents[1]]),
            opening=self.openings[opening],
            begins=1 + cycle % 2,
            repeat=repeat,
        )

    def place_of(self, key: GameKey) -> int | None:
        """Where the order has this game; None if it is not wanted."""
        pairing = self._pairing_numbers.get(frozenset(key.agents))
        if pairing is None or key.versions != (self.versions[key.agents[0]], self.versions[key.agents[1]]):
            return None
        cycle = self._plan(pairing).cycles.get((key.opening, key.begins, key.repeat))
        if cycle is None:
            return None
        before, playing = self._cycles[cycle]
        return 2 * (before + bisect_left(playing, pairing)) + (key.agents != self.pairings[pairing])

    def pairing(self, index: int) -> Names:
        """Who plays at this place of the order, as `pairings` has it."""
        return self.pairings[self._pair(index)[1]]

    def _plan(self, pairing: int) -> _Plan:
        if pairing not in self._plans:
            self._plans[pairing] = _Plan(self.config, self.pairings[pairing], self.openings)
        return self._plans[pairing]


class _Plan:
    """The openings of a pairing."""

    def __init__(self, config: RunConfig, names: Names, openings: Sequence[Opening]) -> None:
        self.openings: list[tuple[int, int]] = []
        """For every cycle, the number of the opening, and how often it was begun by the same player before."""
        used: Counter[tuple[int, int]] = Counter()
        for cycle, opening in enumerate(opening_order(config.seed, names, len(openings), config.games_of(*names) // 2)):
            use = opening, cycle % 2
            self.openings.append((opening, used[use]))
            used[use] += 1
        self.cycles = {
            (openings[opening], 1 + cycle % 2, repeat): cycle for cycle, (opening, repeat) in enumerate(self.openings)
        }


def opening_order(seed: int, names: Names, count: int, cycles: int) -> Iterator[int]:
    """The opening of each cycle of a pairing, out of `count`: one permutation after another."""
    source = Random(orjson.dumps(["openings", seed, *sorted(names)]))
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
