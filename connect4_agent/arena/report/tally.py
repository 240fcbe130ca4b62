"""Counts the games of a run into a report, in one pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations

from connect4_agent import errors
from connect4_agent.arena.config import Format
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.record import GameKey, GameRecord, add_stats
from connect4_agent.arena.report.model import (
    DID_NOT_PLAY,
    NOT_READY,
    AgainstReference,
    AgentReport,
    FirstFault,
    JudgedPlay,
    MistakeCount,
    Pairing,
    Report,
)
from connect4_agent.arena.run import RunState
from connect4_agent.arena.statistics import bradley_terry, ratings
from connect4_agent.arena.statistics.ratings import UNKNOWN, Estimate
from connect4_agent.arena.statistics.sprt import SprtBounds, sprt
from connect4_agent.rules.scores import Mistake, accuracy
from connect4_agent.text import escaped


@dataclass(slots=True)
class _Seen:
    """The games of two agents so far, to pair them and to recognise repeated ones."""

    plays: set[bytes] = field(default_factory=set)
    """Played games by a hash of seats, first player and columns."""
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    open_pairs: dict[tuple[object, ...], float] = field(default_factory=dict)


def report_on(
    states: Mapping[str, RunState],
    *,
    anchor: str | None = None,
    sprt_bounds: SprtBounds | None = None,
    warnings: Iterable[str] = (),
) -> Report:
    """Return the report on the games of runs, by name, which may still be in progress.

    Raises BadValueError if the anchor cannot be rated, or if the runs are of different boards.
    """
    tally = _Tally(states)
    for run, record in number_games(states):
        tally.add(record, run)
    for state in states.values():
        for key in state.lost:
            tally.add_lost(key, state)
    return tally.report(anchor, sprt_bounds, warnings)


def number_games(states: Mapping[str, RunState]) -> Iterator[tuple[str, GameRecord]]:
    """Give the games of runs, with the run of each; those of a second run are numbered from the next thousand on."""
    offset = highest = 0
    for run, state in states.items():
        for record in state.records:
            number = offset + record.game
            highest = max(highest, number)
            yield run, record.model_copy(update={"game": number}) if offset else record
        offset = -(-highest // 1000) * 1000


class _Tally:
    """Counts games one by one; it keeps 16 bytes per game, to recognise repeated ones."""

    def __init__(self, states: Mapping[str, RunState]) -> None:
        self._states = states
        first, *others = [state.config for state in states.values()]
        for config in others:
            if (config.width, config.height) != (first.width, first.height):
                raise errors.BadValueError(
                    f"the boards differ: {first.width}x{first.height} and {config.width}x{config.height}; "
                    "only runs of one board can be joined"
                )
        self._references = list(
            dict.fromkeys(
                name
                for config in (first, *others)
                if config.format is Format.GAUNTLET
                for name in config.reference_names
            )
        )
        self._specs = {spec.name: spec for config in (first, *others) for spec in config.agents}
        self._places = {name: place for place, name in enumerate(self._specs)}
        self._exclusions = {name: each for state in states.values() for name, each in state.exclusions.items()}
        self._agents = {name: AgentReport(name) for name in self._specs}
        self._pairings: dict[tuple[str, str], Pairing] = {}
        self._seen: defaultdict[tuple[str, str], _Seen] = defaultdict(_Seen)
        self._answers: Counter[str] = Counter()
        """Moves that count; those that never came do not."""
        self._elapsed_ms: defaultdict[str, float] = defaultdict(float)
        self._judged_moves: defaultdict[str, Counter[Mistake | None]] = defaultdict(Counter)
        self._limits: dict[str, Counter[float | None]] = {name: Counter() for name in self._specs}
        """The number of games that each agent played with each time limit."""
        self._openings: set[tuple[int, ...]] = set()
        self._first_faults: dict[tuple[str, Ending], FirstFault] = {}
        self._isolation: Counter[str] = Counter()
        self._busy = 0
        """The number of games during which more ran on the machine than it has cores."""
        self._first_games: dict[str, int] = {}
        """The lowest number of every run's games."""
        self._played = 0
        self._judged = 0

    def add(self, record: GameRecord, run: str) -> None:
        """Count a game that was played."""
        pairing = self._count(record.key)
        self._first_games[run] = min(record.game, self._first_games.get(run, record.game))
        self._played += 1
        self._openings.add(record.opening)
        if record.isolation is not None:
            self._isolation[record.isolation.value] += 1
        self._busy += (record.load or 0.0) > 1
        for seat, name in enumerate(record.agents, 1):
            self._add_seat(self._agents[name], record, seat)
        self._add_times(record)
        self._add_fault(record)
        self._add_judgement(record)
        self._add_result(pairing, record, run)

    def add_lost(self, key: GameKey, state: RunState) -> None:
        """Count a game that is lost without being played: an agent that is not excluded gets the point."""
        pairing = self._count(key)
        for name in key.agents:
            self._agents[name].not_played += 1
            if name not in state.exclusions:
                self._agents[name].points += 1
                pairing.points += name == pairing.a
                pairing.points_b += name == pairing.b

    def _count(self, key: GameKey) -> Pairing:
        for name in key.agents:
            self._agents[name].games += 1
        first, second = sorted(key.agents, key=self._places.__getitem__)
        if (first, second) not in self._pairings:
            self._pairings[first, second] = Pairing(first, second)
        self._pairings[first, second].games += 1
        return self._pairings[first, second]

    def _add_seat(self, agent: AgentReport, record: GameRecord, seat: int) -> None:
        points = _add_outcome(agent, record, seat)
        add_stats(agent.stats, record.stats[seat - 1])
        agent.points += points
        self._limits[agent.name][record.limits[seat - 1].time_limit] += 1
        if (startup_ms := record.startup_ms[seat - 1]) is not None:
            agent.startup_ms = max(agent.startup_ms or 0.0, startup_ms)
        outcomes = agent.endings[record.ending]
        outcomes.won += points == 1
        outcomes.drawn += points == 0.5
        outcomes.lost += points == 0

    def _add_result(self, pairing: Pairing, record: GameRecord, run: str) -> None:
        side = record.agents.index(pairing.a) + 1
        points = _add_outcome(pairing, record, side)
        pairing.points += points
        pairing.points_b += 1 - points
        seen = self._seen[pairing.a, pairing.b]
        key = record.key
        pair = run, key.opening, key.begins, key.repeat, key.versions if side == 1 else key.versions[::-1]
        if pair in seen.open_pairs:
            seen.pairs[round(2 * (points + seen.open_pairs.pop(pair)))] += 1
        else:
            seen.open_pairs[pair] = points
        play = repr((side, record.first, record.columns))
        seen.plays.add(blake2b(play.encode(), digest_size=16).digest())

    def _add_fault(self, record: GameRecord) -> None:
        if record.fault is None:
            return
        name = record.agents[record.fault.player - 1]
        self._agents[name].faults += 1
        fault = FirstFault(name, record.ending.value, record.game, 0, record.fault_words(self._specs[name].command))
        first = self._first_faults.setdefault((name, record.ending), fault)
        first.count += 1
        if record.game < first.game:
            first.game, first.detail = fault.game, fault.detail

    def _add_times(self, record: GameRecord) -> None:
        for index, elapsed_ms in enumerate(record.times_ms):
            ply = len(record.opening) + index
            name = record.agents[record.mover_of(ply) - 1]
            agent = self._agents[name]
            agent.moves += 1
            self._elapsed_ms[name] += elapsed_ms
            self._answers[name] += ply < len(record.columns)
            agent.slowest_ms = max(agent.slowest_ms or 0.0, elapsed_ms)
        for overrun in record.overruns:
            agent = self._agents[record.agents[overrun.player - 1]]
            agent.overruns += overrun.ply < len(record.columns)
            if overrun.ply >= len(record.opening) + len(record.times_ms):
                agent.slowest_ms = max(agent.slowest_ms or 0.0, overrun.elapsed_ms)

    def _add_judgement(self, record: GameRecord) -> None:
        if record.judged is None:
            return
        self._judged += 1
        for move in record.judged.moves:
            if move.is_judged:
                name = record.agents[move.player - 1]
                self._judged_moves[name][move.mistake] += 1

    def _did_play(self, name: str) -> bool:
        """Return whether the agent has made a move, or neither failed nor is excluded before its first one."""
        return bool(self._answers[name]) or not (self._agents[name].faults or name in self._exclusions)

    def report(self, anchor: str | None, sprt_bounds: SprtBounds | None, warnings: Iterable[str]) -> Report:
        """Return the report on the games so far."""
        pairings = [self._pairings[pair] for pair in combinations(self._places, 2) if pair in self._pairings]
        for pairing in pairings:
            self._finish_pairing(pairing, sprt_bounds)
        rated = [pairing for pairing in pairings if self._did_play(pairing.a) and self._did_play(pairing.b)]
        points = {(pairing.a, pairing.b): pairing.wins + pairing.draws / 2 for pairing in rated}
        points |= {(pairing.b, pairing.a): pairing.losses + pairing.draws / 2 for pairing in rated}
        rated_games = sum(pairing.wins + pairing.draws + pairing.losses for pairing in rated)
        distinct_games = sum(pairing.distinct_games for pairing in rated)
        playing = [name for name in self._places if self._did_play(name)]
        references = {name for state in self._states.values() for name in state.config.references}
        found = bradley_terry.rate(playing, points, anchor, unranked=references)
        for agent in self._agents.values():
            self._finish_agent(agent, found.get(agent.name))
        played_again: Counter[str] = Counter()
        for state in self._states.values():
            played_again.update(state.played_again)
        return Report(
            run=" + ".join(self._states),
            wanted_games=sum(state.wanted for state in self._states.values()),
            to_play=sum(state.to_play for state in self._states.values()),
            played_games=self._played,
            not_played=sum(len(state.lost) for state in self._states.values()),
            rated_games=rated_games,
            distinct_games=distinct_games,
            played_again=dict(played_again),
            other_games=sum(state.other_games for state in self._states.values()),
            isolation=dict(self._isolation),
            judged_games=self._judged,
            anchor=anchor,
            references=self._references,
            sprt_bounds=sprt_bounds,
            agents=[*sorted(self._agents.values(), key=strength, reverse=True), *self._entries()],
            pairings=pairings,
            faults=sorted(self._first_faults.values(), key=lambda fault: fault.game),
            warnings=[
                *(note for state in self._states.values() for note in state.notes),
                *warnings,
                *self._warnings(rated_games - distinct_games),
            ],
            notes=list(self._notes(pairings)),
        )

    def _entries(self) -> Iterator[AgentReport]:
        """Note the checks of a folder's entries, and give those that are not ready."""
        for entry in (entry for state in self._states.values() for entry in state.entries):
            agent = self._agents.get(entry.name)
            if entry.is_ready and agent is not None:
                agent.ready, agent.remark, agent.check = "yes", entry.problem, list(entry.check)
            elif agent is None:
                yield AgentReport(
                    entry.name, entry.version, NOT_READY, entry.problem, ready="no", check=list(entry.check)
                )

    def _finish_pairing(self, pairing: Pairing, bounds: SprtBounds | None) -> None:
        seen = self._seen[pairing.a, pairing.b]
        pairing.distinct_games = len(seen.plays)
        if self._did_play(pairing.a) and self._did_play(pairing.b):
            pairing.pairs = tuple(seen.pairs)
            pairing.unpaired_games = len(seen.open_pairs)
        pairing.elo = ratings.elo_difference(pairing.pairs)
        pairing.superiority = ratings.likelihood_of_superiority(pairing.pairs)
        pairing.note = ratings.TOO_FEW if pairing.superiority is None else ""
        pairing.sprt = sprt(pairing.pairs, bounds) if bounds else None

    def _finish_agent(self, agent: AgentReport, rating: bradley_terry.Rating | None) -> None:
        name = agent.name
        agent.version = self._versions(name)[-1]
        if name in self._exclusions:
            agent.status, agent.status_reason = self._exclusions[name].status, self._exclusions[name].reason
        if not self._did_play(name):
            agent.status = DID_NOT_PLAY
            faults = [fault for fault in self._first_faults.values() if fault.agent == name]
            if faults:
                first = min(faults, key=lambda fault: fault.game)
                agent.status_reason = f"{first.ending}: {first.detail}"
        if rating is not None:
            agent.rating, agent.ranks, agent.rating_note = rating.elo, rating.ranks, rating.note
        agent.share = self._find_share(agent)
        agent.references = dict(self._against_references(name))
        agent.endings = {ending.value: agent.endings[ending] for ending in Ending if ending in agent.endings}
        agent.mean_ms = self._elapsed_ms[name] / agent.moves if agent.moves else None
        if moves := self._judged_moves[name]:
            agent.judged = count_mistakes(moves)

    def _find_share(self, agent: AgentReport) -> Estimate:
        """Return an agent's share of the points; of games that were not played, two count as a pair."""
        if not agent.games:
            return UNKNOWN
        won_unplayed = round(agent.points - agent.draws / 2) - agent.wins
        pairs = [(agent.not_played - won_unplayed) // 2, 0, 0, 0, won_unplayed // 2]
        for (one, two), seen in self._seen.items():
            if agent.name in (one, two):
                own = seen.pairs if agent.name == one else seen.pairs[::-1]
                pairs = [before + count for before, count in zip(pairs, own, strict=True)]
        return Estimate(agent.points / agent.games, *(ratings.share_interval(pairs) or (None, None)))

    def _versions(self, name: str) -> list[str]:
        """Return the versions of an agent in the runs, each once."""
        found = (state.versions[name] for state in self._states.values() if name in state.versions)
        return list(dict.fromkeys(found))

    def _against_references(self, name: str) -> Iterator[tuple[str, AgainstReference]]:
        for reference in self._references:
            first, second = sorted((name, reference), key=self._places.__getitem__)
            pairing = self._pairings.get((first, second))
            if pairing is not None and self._did_play(name) and self._did_play(reference):
                games = pairing.wins + pairing.draws + pairing.losses
                points = pairing.draws / 2 + (pairing.wins if pairing.a == name else pairing.losses)
                likelihood = pairing.superiority
                if likelihood is not None and pairing.b == name:
                    likelihood = 1 - likelihood
                beats = ratings.verdict_on(likelihood)
                wanted = ratings.games_to_decide(pairing.pairs) if beats == "unclear" else None
                yield reference, AgainstReference(points, games, beats, wanted)

    def _warnings(self, repeated: int) -> Iterator[str]:
        """Yield what weakens the figures, the worst first."""
        if not self._played:
            yield "no game has been played yet"
        for name, exclusion in self._exclusions.items():
            count = sum(name in key.agents for state in self._states.values() for key in state.lost)
            since = "" if exclusion.since is None else f", since game {exclusion.since}"
            yield f"{escaped(name)} is {exclusion.reason}{since}: {_games(count)} lost without being played"
        for name in self._agents:
            if len(self._versions(name)) > 1:
                yield f"{escaped(name)} is not the same version in all runs: its figures mix them"
        for name, limits in self._limits.items():
            if len(limits) > 1:
                parts = (f"{count} with {_seconds(limit)}" for limit, count in limits.items())
                yield f"{escaped(name)} played games under different time limits: {', '.join(parts)}"
        if self._busy:
            yield f"the load of the machine was above its cores in {_games(self._busy)}: programs may have lost on time"
        if repeated:
            yield (
                f"{repeated} rated games repeat an earlier one move for move: they are counted, but add no evidence, "
                "so every interval is narrower than it should be"
            )

    def _notes(self, pairings: list[Pairing]) -> Iterator[str]:
        """Yield how the games were played."""
        for state in self._states.values():
            if state.sprt_words:
                yield state.sprt_words
        if self._openings:
            yield f"{_games(self._played)} began from {len(self._openings)} different openings"
        unpaired = sum(pairing.unpaired_games for pairing in pairings)
        if unpaired:
            yield f"{_games(unpaired)} without a partner with swapped sides: figures by game pairs leave them out"
        yield from self._notes_on_counting()
        unjudged = sum(len(state.unjudged) for state in self._states.values())
        if self._judged and unjudged:
            yield f"{_games(unjudged)} not judged yet; use --judge"
        for run in [*self._states][1:]:
            if run in self._first_games:
                yield f"the games of {escaped(run)} have the numbers from {self._first_games[run]} on"
        for isolation, count in self._isolation.items():
            yield f"{_games(count)} played by programs with isolation {isolation!r}"

    def _notes_on_counting(self) -> Iterator[str]:
        """Give what is to know about which games and answers count."""
        for state in self._states.values():
            for name, count in state.played_again.items():
                yield f"{_games(count)} played again after {escaped(name)} had lost them by faults"
        if late := [agent for agent in self._agents.values() if agent.overruns]:
            counts = ", ".join(f"{escaped(agent.name)} {agent.overruns}" for agent in late)
            yield f"answers after the time limit but within the grace, which count: {counts}"
        if others := sum(state.other_games for state in self._states.values()):
            yield f"{_games(others)} of earlier versions, other agents or other openings are kept and not counted"


def _add_outcome(counted: AgentReport | Pairing, record: GameRecord, seat: int) -> float:
    """Count a game as won, drawn or lost by the agent in this seat; its points."""
    counted.wins += record.winner == seat
    counted.draws += record.winner is None
    counted.losses += record.winner == 3 - seat
    return 0.5 if record.winner is None else float(record.winner == seat)


def count_mistakes(counts: Counter[Mistake | None]) -> JudgedPlay:
    """Return the judgement of an agent's moves, counted by their mistakes."""
    moves = counts.total()
    errors = sum(counts[mistake] for mistake in Mistake if mistake.changes_result)
    return JudgedPlay(
        moves,
        MistakeCount(errors, 100 * errors / moves),
        {mistake.value: MistakeCount(counts[mistake], 100 * counts[mistake] / moves) for mistake in Mistake},
        accuracy(counts.elements()) or 0.0,
    )


def strength(agent: AgentReport) -> tuple[bool, float, float]:
    """Return a key for sorting: by rating, then by share of the points; agents beyond the rated ones by that."""
    share = agent.share.value if agent.share.value is not None else -1.0
    if agent.rating.value is not None:
        return agent.did_play, agent.rating.value, share
    return agent.did_play, (float("inf") if share > 0.5 else float("-inf")), share


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(escaped, names))


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _seconds(limit: float | None) -> str:
    return "no limit" if limit is None else f"{limit:g} s"
