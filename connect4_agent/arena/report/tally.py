"""Tally: turns a run's games into a report, in one pass."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import combinations

from connect4_agent.arena.report import bradley_terry, ratings
from connect4_agent.arena.report.model import (
    AgentReport,
    FirstFault,
    JudgedPlay,
    MistakeCount,
    Outcomes,
    Pairing,
    Report,
    SlowMove,
)
from connect4_agent.arena.report.ratings import Results, SprtBounds
from connect4_agent.arena.run.judged_moves import can_be_judged
from connect4_agent.arena.run.record import Ending, GameRecord, Opening
from connect4_agent.engine.judge import JudgedGame
from connect4_agent.rules.scores import Grade, GradeCounts, Mistake

SLOWEST_MOVES = 10
"""How many of the slowest moves a report names."""


@dataclass(slots=True)
class _AgentTally:
    first_seen: tuple[int, int]
    endings: defaultdict[str, Outcomes] = field(default_factory=lambda: defaultdict(Outcomes))
    faults: Counter[str] = field(default_factory=Counter)
    overruns: int = 0
    moves: int = 0
    elapsed_ms: float = 0.0
    slowest_ms: float | None = None
    startup_ms: float | None = None
    judged_moves: int = 0
    mistakes: Counter[Mistake] = field(default_factory=Counter)


@dataclass(slots=True)
class PairingTally:
    """The games of two agents, counted from one side."""

    results: Results = field(default_factory=Results)
    distinct: int = 0
    """Games that differ in seats, first player or moves."""
    plays: set[int] = field(default_factory=set)
    """Games that differ in first player or moves, whatever the seats, by a hash of both."""
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    open_pairs: dict[tuple[Opening, int, int], float] = field(default_factory=dict)

    def reversed(self) -> PairingTally:
        """The same games from the other side."""
        return replace(self, results=self.results.reversed(), pairs=self.pairs[::-1])


class Tally:
    """Counts games one by one; it keeps 16 bytes per game, to recognise repeated ones."""

    def __init__(self) -> None:
        self._agents: dict[str, _AgentTally] = {}
        self._pairings: defaultdict[tuple[str, str], PairingTally] = defaultdict(PairingTally)
        self._endings: Counter[Ending] = Counter()
        self._played: set[bytes] = set()
        self._slowest: list[SlowMove] = []
        self._first_faults: dict[tuple[str, Ending], tuple[int, str]] = {}
        self._isolation: Counter[str] = Counter()
        self._due: dict[int, GameRecord] = {}
        self._rated = 0
        self._self_games = 0
        self._judged = 0
        self._unjudged = 0

    def add(self, record: GameRecord) -> None:
        """Count one more game. One that is due counts as lost until a later record replaces it."""
        self._due.pop(record.game, None)
        if record.is_due:
            self._due[record.game] = record
        else:
            self._add(record)

    def _settled(self) -> Tally:
        """The tally with the games that are due."""
        if not self._due:
            return self
        settled = deepcopy(self)
        for record in self._due.values():
            settled._add(record)
        settled._due = {}
        return settled

    def _add(self, record: GameRecord) -> None:
        self._endings[record.ending] += 1
        if record.isolation is not None:
            self._isolation[record.isolation.value] += 1
        for seat, name in enumerate(record.agents, 1):
            seen = (record.game, seat)
            agent = self._agents.setdefault(name, _AgentTally(seen))
            agent.first_seen = min(agent.first_seen, seen)
            if (startup_ms := record.startup_ms[seat - 1]) is not None:
                agent.startup_ms = max(agent.startup_ms or 0.0, startup_ms)
            _count_outcome(agent.endings[record.ending], record, seat)
        self._add_fault(record)
        self._add_times(record)
        self._add_judgement(record)
        if record.agents[0] == record.agents[1]:
            self._self_games += 1
        else:
            self._add_result(record)

    def _add_fault(self, record: GameRecord) -> None:
        if record.fault is None:
            return
        name = record.agents[record.fault.player - 1]
        self._agents[name].faults[record.ending] += 1
        first = self._first_faults.get((name, record.ending))
        if first is None or record.game < first[0]:
            self._first_faults[name, record.ending] = (record.game, record.fault.detail)

    def _add_times(self, record: GameRecord) -> None:
        for index, elapsed_ms in enumerate(record.times_ms):
            ply = len(record.opening) + index
            name = record.agents[record.mover_of(ply) - 1]
            agent = self._agents[name]
            agent.moves += 1
            agent.elapsed_ms += elapsed_ms
            self._add_slow_move(SlowMove(elapsed_ms, record.game, ply, name, answered=ply < len(record.columns)))
        for overrun in record.overruns:
            name = record.agents[overrun.player - 1]
            self._agents[name].overruns += 1
            if overrun.ply >= len(record.opening) + len(record.times_ms):
                self._add_slow_move(SlowMove(overrun.elapsed_ms, record.game, overrun.ply, name, answered=False))

    def _add_judgement(self, record: GameRecord) -> None:
        self._unjudged += can_be_judged(record)
        if record.judged is not None:
            self.add_judged([(record.agents, record.judged)])

    def add_judged(self, games: Iterable[tuple[tuple[str, str], JudgedGame]]) -> None:
        """What the solver found about games that were added without that, with the agents of each."""
        for agents, game in games:
            self._unjudged -= 1
            self._judged += 1
            for move in game.moves:
                if move.grade is not None:
                    agent = self._agents[agents[move.player - 1]]
                    agent.judged_moves += 1
                    if move.mistake is not None:
                        agent.mistakes[move.mistake] += 1

    def judged_plays(self) -> Iterator[tuple[str, JudgedPlay]]:
        """What the solver found about every agent whose moves it has judged."""
        for name, agent in self._agents.items():
            if (play := _judged_play(agent)) is not None:
                yield name, play

    def _add_slow_move(self, move: SlowMove) -> None:
        agent = self._agents[move.agent]
        agent.slowest_ms = max(agent.slowest_ms or 0.0, move.elapsed_ms)
        if len(self._slowest) < SLOWEST_MOVES:
            heapq.heappush(self._slowest, move)
        elif move > self._slowest[0]:
            heapq.heapreplace(self._slowest, move)

    def _add_result(self, record: GameRecord) -> None:
        names = sorted(record.agents)
        tally = self._pairings[names[0], names[1]]
        if not record.ending.is_rated:
            return
        self._rated += 1
        side = record.agents.index(names[0]) + 1
        points = 0.5 if record.winner is None else float(record.winner == side)
        tally.results += Results(wins=int(points == 1), draws=int(points == 0.5), losses=int(points == 0))
        tally.plays.add(hash((record.agents[record.first - 1], record.columns)))
        pair = record.opening, record.first, record.key.repeat
        if pair in tally.open_pairs:
            tally.pairs[round(2 * (points + tally.open_pairs.pop(pair)))] += 1
        else:
            tally.open_pairs[pair] = points
        key = repr((record.agents, record.first, record.width, record.height, record.columns))
        digest = blake2b(key.encode(errors="surrogatepass"), digest_size=16).digest()
        if digest not in self._played:
            self._played.add(digest)
            tally.distinct += 1

    @property
    def has_faults(self) -> bool:
        """Whether any agent broke the protocol or its time limit."""
        return bool(self._first_faults or self._due)

    def pairing(self, a: str, b: str) -> PairingTally | None:
        """The games between two agents from the side of a; None if they did not meet."""
        tally = self._settled()._pairings.get((min(a, b), max(a, b)))
        return tally.reversed() if tally is not None and a > b else tally

    def report(
        self, run: str, anchor: str | None = None, sprt_bounds: SprtBounds | None = None, notes: Iterable[str] = ()
    ) -> Report:
        """The report on the games so far."""
        if self._due:
            due = f"{len(self._due)} games were lost on time and are to be continued: until then they count as lost"
            report = self._settled().report(run, anchor, sprt_bounds, [*notes, due])
            return replace(report, due_games=len(self._due))
        names = sorted(self._agents, key=lambda name: self._agents[name].first_seen)
        pairings = [
            _pairing(a, b, tally, sprt_bounds)
            for a, b in combinations(names, 2)
            if (tally := self.pairing(a, b)) is not None and tally.results.games
        ]
        points: dict[tuple[str, str], float] = {}
        for pairing in pairings:
            points[pairing.a, pairing.b] = pairing.points
            points[pairing.b, pairing.a] = pairing.games - pairing.points
        rated = bradley_terry.rate(names, points, anchor, prior=False)
        agents = [self._agent(name, pairings, rated[name]) for name in names]
        return Report(
            run=run,
            games=self._endings.total(),
            rated_games=self._rated,
            distinct_games=len(self._played),
            void_games=self._endings[Ending.VOID],
            due_games=0,
            isolation=dict(self._isolation),
            judged_games=self._judged,
            anchor=anchor,
            sprt_bounds=sprt_bounds,
            agents=sorted(agents, key=_strength, reverse=True),
            pairings=pairings,
            slowest=sorted(self._slowest, reverse=True),
            faults=[
                FirstFault(name, ending.value, game, self._agents[name].faults[ending], detail)
                for (name, ending), (game, detail) in sorted(self._first_faults.items(), key=lambda item: item[1])
            ],
            notes=[*notes, *self._notes(pairings)],
        )

    def _agent(self, name: str, pairings: list[Pairing], rating: bradley_terry.Rating) -> AgentReport:
        tally = self._agents[name]
        own = [pairing for pairing in pairings if name in (pairing.a, pairing.b)]
        results = Results(
            sum(pairing.wins if pairing.a == name else pairing.losses for pairing in own),
            sum(pairing.draws for pairing in own),
            sum(pairing.losses if pairing.a == name else pairing.wins for pairing in own),
        )
        return AgentReport(
            name=name,
            games=results.games,
            wins=results.wins,
            draws=results.draws,
            losses=results.losses,
            points=results.points,
            score=results.score,
            rating=rating.elo,
            rating_note=rating.note,
            endings={ending.value: tally.endings[ending] for ending in Ending if ending in tally.endings},
            faults=tally.faults.total(),
            overruns=tally.overruns,
            moves=tally.moves,
            mean_ms=tally.elapsed_ms / tally.moves if tally.moves else None,
            slowest_ms=tally.slowest_ms,
            startup_ms=tally.startup_ms,
            judged=_judged_play(tally),
        )

    def _notes(self, pairings: list[Pairing]) -> Iterator[str]:
        if not self._endings:
            yield "the journal has no games yet"
        yield from self._circumstances()
        repeated = self._rated - len(self._played)
        if repeated:
            yield (
                f"{repeated} of {self._rated} rated games repeat an earlier one move for move: they are counted, "
                "but add no evidence, so every interval is narrower than it should be"
            )
        unpaired = sum(pairing.unpaired_games for pairing in pairings)
        if unpaired:
            yield f"{unpaired} rated games have no rated partner with swapped sides: figures for pairs leave them out"
        if self._endings[Ending.VOID]:
            yield f"{self._endings[Ending.VOID]} games are void: they could not be played, and are not rated"
        if self._judged and self._unjudged:
            yield f"{self._unjudged} games are not judged yet; use --judge"
        if self._self_games:
            yield f"{self._self_games} games of an agent against itself are not rated"

    def _circumstances(self) -> Iterator[str]:
        """Notes on how the games were played."""
        for isolation, count in self._isolation.items():
            yield f"{count} of {self._endings.total()} games were played by programs with isolation {isolation!r}"


def _pairing(a: str, b: str, tally: PairingTally, bounds: SprtBounds | None) -> Pairing:
    results, pairs = tally.results, tally.pairs
    return Pairing(
        a=a,
        b=b,
        games=results.games,
        distinct_games=tally.distinct,
        wins=results.wins,
        draws=results.draws,
        losses=results.losses,
        points=results.points,
        score=results.score,
        elo=ratings.elo_difference(results.counts),
        superiority=ratings.likelihood_of_superiority(results.counts),
        pairs=(pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]),
        unpaired_games=len(tally.open_pairs),
        pair_elo=ratings.elo_difference(pairs),
        pair_superiority=ratings.likelihood_of_superiority(pairs),
        sprt=ratings.sprt(results.counts, bounds) if bounds else None,
        pair_sprt=ratings.sprt(pairs, bounds) if bounds else None,
    )


def _judged_play(tally: _AgentTally) -> JudgedPlay | None:
    moves = tally.judged_moves
    if not moves:
        return None
    errors = sum(count for mistake, count in tally.mistakes.items() if mistake.changes_result)
    counts = {mistake.value: tally.mistakes[mistake] for mistake in Mistake}
    given_away: dict[Mistake | None, int] = {mistake: tally.mistakes[mistake] for mistake in Mistake}
    grades = GradeCounts.of_counts(given_away | {None: moves - tally.mistakes.total()})
    assert grades.accuracy is not None  # there are moves
    return JudgedPlay(
        moves,
        MistakeCount(errors, 100 * errors / moves),
        {name: MistakeCount(count, 100 * count / moves) for name, count in counts.items()},
        {grade.value: grades.count(grade) for grade in Grade},
        grades.accuracy,
    )


def _count_outcome(outcomes: Outcomes, record: GameRecord, seat: int) -> None:
    if record.winner == seat:
        outcomes.won += 1
    elif record.winner is not None:
        outcomes.lost += 1
    else:
        outcomes.drawn += 1


def _strength(agent: AgentReport) -> tuple[float, float]:
    """For sorting: by rating; agents above or below the rated ones by their score."""
    score = agent.score if agent.score is not None else -1.0
    if agent.rating.value is not None:
        return agent.rating.value, score
    return (float("inf") if score > 0.5 else float("-inf")), score
