"""What the organiser is told: about late, withdrawn, copied and slow entries, and how long the games will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from statistics import median

from connect4_agent.arena.agents.versions import version_of
from connect4_agent.arena.check.result import Kind, Verdict
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.course.intake import Workplace, command, late_line, read_check
from connect4_agent.arena.course.roll import Roll
from connect4_agent.arena.entries.recipes import KINDS
from connect4_agent.arena.progress import duration
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.run.description import RunDescription, read_description, read_run_openings
from connect4_agent.arena.run.journal import JOURNAL_NAME
from connect4_agent.arena.run.record import Ending, GameRecord
from connect4_agent.arena.run.state import Ledger, RunState, read_into
from connect4_agent.arena.schedule import Names, Schedule, max_seconds
from connect4_agent.rules.position import Position

JUDGING_SECONDS = 0.1
"""For the moves of one game: the solver judges ten games a second on one core of an old machine."""

MIN_ALIKE = 25
"""How many positions with the same answers are worth a word.

Two copies in the small class of examples/course/ meet 27 common positions. Different programs meet fewer than 10, as
they soon part; even two that agree in 8 of 10 positions answer alike in 25 of 25 once in 260 times.
"""


# ---- entries --------------------------------------------------------------------------------------------------------


def roll_lines(roll: Roll, folder: Path) -> Iterator[str]:
    """What the standings do not say about the entries: who is withdrawn or late, and which programs are the same."""
    for entry in roll.entries:
        newest = entry.versions[-1]
        if entry.is_withdrawn:
            yield f"{entry.name}: withdrawn; its games are kept, but do not count"
        elif not newest.counts:
            yield late_line(entry, roll.config, folder)
    for names in _copies(roll):
        yield f"{', '.join(names[:-1])} and {names[-1]} handed in the same program (only you are told)"


def _copies(roll: Roll) -> list[list[str]]:
    """The names of entries whose programs are equal, byte for byte, whatever else is beside them."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for entry in roll.taking_part:
        files = entry.versions[-1].files if entry.versions[-1].is_copied else {}
        programs = [digest for name, digest in files.items() if Path(name).suffix in KINDS] or list(files.values())
        if programs:
            groups.setdefault(tuple(sorted(programs)), []).append(entry.name)
    return [names for names in groups.values() if len(names) > 1]


def alike_lines(records: Iterable[GameRecord], roll: Roll) -> Iterator[str]:
    """Which entries gave the same answers in all positions that both met, though their files differ."""
    names = [entry.name for entry in roll.taking_part]
    met: dict[Position, dict[str, set[int]]] = {}
    for record in records:
        position = Position(record.width, record.height, record.first).after(record.opening)
        for column in record.columns[len(record.opening) :]:
            met.setdefault(position, {}).setdefault(record.agents[position.player - 1], set()).add(column)
            position = position.play(column)
    common, alike = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for position, answers in met.items():
        both = [name for name in names if name in answers] if len(answers) > 1 else []
        for one, two in combinations(both, 2) if len(both) > 1 and _leaves_a_choice(position) else ():
            common[one, two] += 1
            alike[one, two] += answers[one] == answers[two]
    known = {pair for copies in _copies(roll) for pair in combinations(copies, 2)}
    for (one, two), count in alike.items():
        if count == common[one, two] >= MIN_ALIKE and (one, two) not in known:
            yield f"{one} and {two} answered alike in {count} of {count} positions (only you are told)"


def _leaves_a_choice(position: Position) -> bool:
    """Whether sensible programs may differ: several columns are open, and nobody can make four at once."""
    if len(position.legal_columns()) < 2:
        return False
    return not position.winning_columns() and not position.passed().winning_columns()


def paused_lines(state: RunState, roll: Roll, folder: Path) -> Iterator[str]:
    """Which entries are paused, and what to do about it."""
    for entry in roll.taking_part:
        out = state.out.get(entry.name)
        if out is not None and out.kind == "paused":
            retry = command("retry", folder, entry)
            yield f"{entry.name}: paused after {out.reason}; its other games count as lost (to let it play on: {retry})"


def slow_lines(state: RunState, report: Report, roll: Roll) -> Iterator[str]:
    """Which entries the time limit stops, and what a higher one would cost."""
    timed_out = {
        agent.name: agent.endings[Ending.TIMED_OUT].lost for agent in report.agents if Ending.TIMED_OUT in agent.endings
    }
    refused = [entry.name for entry in roll.taking_part if entry.versions[-1].problem is Kind.TOO_SLOW]
    slow = {name for name, games in timed_out.items() if games} | set(refused)
    if not slow:
        return
    usual = [
        agent.mean_ms for agent in report.agents if agent.mean_ms is not None and agent.name not in report.references
    ]
    limit = state.config.limit_seconds
    for agent in report.agents:
        if agent.name in slow and agent.moves:
            games = timed_out.get(agent.name, 0)
            yield (
                f"{agent.name}: {agent.overruns} of {agent.moves + games} moves took longer than the limit of "
                f"{limit:g} s; {games} of its games {'is' if games == 1 else 'are'} lost on time"
            )
    again = sum(timed_out.values()) + sum(
        slow.issuperset(name for name in key.agents if name in state.out) for key in state.lost
    )
    median_words = f"a usual move of the class takes {median(usual) / 1000:.2g} s; " if usual else ""
    yield (
        f"too slow for {limit:g} s: {', '.join(sorted(slow))}; {median_words}with a higher limit_seconds in "
        f"course.toml, only the games that were lost on time are played again, here {again}"
    )


# ---- how long it takes ----------------------------------------------------------------------------------------------


def plan_line(workplace: Workplace, roll: Roll, config: RunConfig) -> str:
    """How much there is to play, how long that will take, and how long at the most."""
    games = _games_left(config, workplace.folder)
    ready = sum(entry.name not in config.not_ready for entry in roll.taking_part)
    are = "is" if ready == 1 else "are"
    says = f"{ready} of {len(roll.taking_part)} entries {are} ready; {sum(games.values())} games to play"
    if not games:
        return says
    agents = {agent.name: agent.granted(config) for agent in config.agents if agent.is_program}
    longest = 0.0
    for names, count in games.items():
        players = [agents[name] for name in names if name in agents]
        longest += count * (max_seconds(players, config.width, config.height) or 0.0)
    at_most = f"at most {duration(longest / workplace.jobs)} if every program used all of its time"
    seconds = _usual_seconds(workplace, roll)
    at_a_time = f"with {workplace.jobs} game{'s' if workplace.jobs > 1 else ''} at a time"
    if not seconds:
        return f"{says}: {at_most}, {at_a_time}"
    middle = median(seconds.values())
    about = sum(
        count * (JUDGING_SECONDS + sum(seconds.get(name, middle) for name in names if name in agents))
        for names, count in games.items()
    )
    return f"{says}: about {duration(about / workplace.jobs)} {at_a_time}, {at_most}"


def _usual_seconds(workplace: Workplace, roll: Roll) -> dict[str, float]:
    """How long a practice game of each entry took, as far as that is known."""
    found = {}
    for entry in roll.taking_part:
        version = entry.present
        if version is not None and version.verdict is not Verdict.NOT_READY:
            result = read_check(workplace.copy_of(entry, version))
            if result is not None and result.practice is not None and result.practice.played:
                found[entry.name] = result.practice.elapsed_seconds / result.practice.played
    return found


def _games_left(config: RunConfig, folder: Path) -> Mapping[Names, int]:
    """How many games of each pairing the next start will play."""
    before = read_description(folder)
    if before is None or not (folder / JOURNAL_NAME).exists():
        return Ledger(Schedule(config, {}, ()), RunDescription(config=config, agents={})).open_games
    versions = {agent.name: version_of(agent, folder)[0].version for agent in config.agents}
    description = before.model_copy(update={"config": config})
    ledger = Ledger(Schedule(config, versions, read_run_openings(folder, config)), description)
    for _ in read_into(ledger, folder, lambda _: None):
        pass
    return ledger.open_games
