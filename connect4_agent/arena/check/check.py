"""The check: will this program play here? Tries the cases, then practice games, and sums up what is to be repaired."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from time import monotonic
from typing import Any

from connect4_agent.arena.check.cases import FIRST_CASES, all_cases, find_case, practice_case
from connect4_agent.arena.check.conversation import Case, Timing, run_case
from connect4_agent.arena.check.diagnosis import diagnose_pattern, explain, find_language
from connect4_agent.arena.check.result import CheckResult, Diagnosis, Finding, Kind, Problem, Tier
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.arena.worker import Worker, Workplace
from connect4_agent.jobs.progress import Progress

MAX_PRACTICE_SECONDS = 120.0
"""No practice game begins later than this after the first one."""

DEFAULT_GAMES = 20
QUICK_SECONDS = (2.0, 3.5)
"""When the input is ended to see whether the answer comes then; it must do so both times, but not in between."""

MIN_WAITING_SECONDS = 5.0
"""The least time for a late answer before the input is ended, in seconds."""

PATIENCE_SECONDS = 2.0
PATIENCE_FACTOR = 5
"""For cases that are not required: this much, and this many times what the first answer took."""

MAX_ROBUST_SECONDS = 120.0
"""No case that is not required begins later than this after the first one: some programs take long to start."""

LATE = (Kind.TOO_SLOW, Kind.SILENT, Kind.NOT_FLUSHED)
"""Problems that a busy machine may cause: the case is tried again. If it fails again, the others would take as long."""

DEAD = (*LATE, Kind.WOULD_NOT_START, Kind.CRASHED, Kind.LEFT, Kind.NO_NEWLINE, Kind.TOO_MUCH)
"""Problems that make further cases pointless if the first case shows them."""


def check_agent(
    spec: AgentSpec,
    *,
    size: tuple[int, int] = (7, 6),
    names: Collection[str] | None = None,
    practice_games: int = DEFAULT_GAMES,
    progress: Progress | None = None,
) -> CheckResult:
    """Check a program under its limits, in all cases, or in the first two and those named. Raises WorkerLostError."""
    cases = all_cases(*size)
    if names is not None:
        cases = {name: case for name, case in cases.items() if name in (*FIRST_CASES, *names)}
    progress = progress or Progress()
    progress.begin(len(cases) + practice_games, step="check")
    trial = _Trial(spec, size, cases)
    try:
        trial.try_cases(progress)
        games = trial.play(practice_games, progress) if trial.is_sound else []
    finally:
        trial.worker.close()
        progress.end()
    findings = [trial.findings[name] for name in cases if name in trial.findings]
    problems = _problems([*findings, *games], cases, trial.language)
    return CheckResult(
        agent=spec.name,
        command=spec.command_for(1, *size),
        directory=spec.directory,
        start=spec.start,
        problems=tuple(problems),
        findings=tuple(finding.but(answers=()) for finding in findings),
        games=tuple(game.but(answers=()) for game in games),
        not_run=len(cases) - len(findings),
        wanted_games=practice_games,
    )


class _Trial:
    """The cases while they are tried."""

    def __init__(self, spec: AgentSpec, size: tuple[int, int], cases: Mapping[str, Case]) -> None:
        self.language = find_language(spec.words, spec.directory)
        self.findings: dict[str, Finding] = {}
        self.is_sound = True
        """True while nothing speaks against further cases and practice games."""
        self.worker = Worker()
        self._spec = spec
        self._size = size
        self._cases = cases
        limits = spec.time_limits
        assert limits.time_limit is not None
        limit_seconds = limits.time_limit + (limits.grace or 0.0)
        waiting_seconds = max(MIN_WAITING_SECONDS, limits.time_limit)
        self._timing = Timing(limit_seconds, limits.startup or 0.0, waiting_seconds)

    def _try_first(self, case: Case) -> Finding:
        """Try a case; find out soon whether an answer waits for the end of the input."""
        found = [self._try(case, Timing(QUICK_SECONDS[0]))]
        if found[0].kind is Kind.NOT_FLUSHED:
            found.append(self._try(case, Timing(QUICK_SECONDS[1])))
        return self._try(case, self._timing) if found[-1].kind in (Kind.SILENT, Kind.NO_NEWLINE) else found[-1]

    def try_cases(self, progress: Progress) -> None:
        """Try the cases in their order. Those that are not required need an agent that is sound so far."""
        is_alive, began_at, patience = True, monotonic(), PATIENCE_SECONDS
        for name, case in self._cases.items():
            is_first, is_required = name in FIRST_CASES, case.tier is Tier.REQUIRED
            in_time = monotonic() - began_at <= MAX_ROBUST_SECONDS
            if not (is_alive if is_required else self.is_sound and in_time):
                continue
            timing = self._timing if is_required else Timing(min(patience, sum(self._timing[:2])))
            found = self._try_first(case) if not self.findings else self._try_twice(case, timing)
            self.findings[name] = found
            if is_first:
                self.is_sound &= found.kind is None
                patience = max(patience, PATIENCE_SECONDS + PATIENCE_FACTOR * (found.first_seconds or 0.0))
            if is_required and found.kind in (DEAD if is_first else LATE):
                is_alive = self.is_sound = False
            progress.count(len(self.findings))

    def play(self, games: int, progress: Progress) -> list[Finding]:
        """Play practice games, as many as the time allows."""
        began_at, played = monotonic(), list[Finding]()
        for number in range(games):
            if played and monotonic() - began_at > MAX_PRACTICE_SECONDS:
                break
            played.append(self._try_twice(practice_case(number, *self._size), self._timing))
            progress.count(len(self.findings) + len(played))
        return played

    def _try_twice(self, case: Case, timing: Timing) -> Finding:
        found = self._try(case, timing)
        return self._try(case, timing) if found.kind in LATE else found

    def _try(self, case: Case, timing: Timing) -> Finding:
        spec = self._spec.model_dump(mode="json")
        finding = self.worker.call(try_case, spec=spec, name=case.name, size=self._size, timing=tuple(timing))
        found = Finding.model_validate(finding)
        return found.but(diagnosis=found.diagnosis and found.diagnosis.in_language(self.language))


def try_case(
    place: Workplace, spec: dict[str, Any], name: str, size: tuple[int, int], timing: tuple[float, float, float]
) -> dict[str, Any]:
    """Try a case, in the worker."""
    case = find_case(name, *size)
    finding = run_case(AgentSpec.model_validate(spec), case, size, Timing(*timing), place.watch)
    return finding.model_dump(mode="json")


def _problems(findings: Sequence[Finding], cases: Mapping[str, Case], language: str) -> list[Problem]:
    """Return each distinct problem once: the required ones by what they are, the others by what to do about them."""
    required = [finding for finding in findings if finding.tier is Tier.REQUIRED]
    pattern = diagnose_pattern([answer for finding in required for answer in finding.answers])
    groups: dict[object, list[tuple[Finding, Diagnosis]]] = {}
    for finding in (*required, *(finding for finding in findings if finding.tier is Tier.ROBUST)):
        if finding.diagnosis is None:
            continue
        found = explain(finding.diagnosis, finding.answers, pattern, finding.command)
        key: object = (found.kind, found.text if found.kind is Kind.CRASHED else "")
        if finding.tier is Tier.ROBUST and key not in groups:
            found = replace(found, fix=cases[finding.name].fix or found.fix).in_language(language)
            key = found.fix
        groups.setdefault(key, []).append((finding, found))
    problems = []
    for group in groups.values():
        tier = group[0][0].tier
        example, found = min((pair for pair in group if pair[0].tier is tier), key=lambda pair: len(pair[0].sent))
        names = tuple(finding.name for finding, _ in group)
        problems.append(Problem(**asdict(found), tier=tier, seen_in=names, example=example.but(answers=())))
    return problems
