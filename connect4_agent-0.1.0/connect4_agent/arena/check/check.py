"""The check: will this program play here? Tries the cases, then practice games, and sums up what is to be repaired."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from time import monotonic
from typing import Any

from connect4_agent.arena.check.cases import FIRST_CASES, OWN_WIN, all_cases, find_case, practice_case
from connect4_agent.arena.check.conversation import Case, Timing, run_case
from connect4_agent.arena.check.diagnosis import diagnose_pattern, explain
from connect4_agent.arena.check.result import CheckResult, Diagnosis, Finding, Kind, Problem, Tier
from connect4_agent.arena.spec import AgentSpec, StartForm
from connect4_agent.arena.worker import Worker, Workplace
from connect4_agent.jobs.progress import Progress

MAX_PRACTICE_SECONDS = 120.0
"""No practice game begins later than this after the first one."""

DEFAULT_GAMES = 20
QUICK_SECONDS = (2.0, 3.5)
"""When the input is ended to see whether the answer comes then; it must do so both times, but not in between."""

MIN_WAITING_SECONDS = 5.0
"""How much longer than allowed an answer is waited for before the input is ended, at the least."""

PATIENCE_SECONDS = 2.0
PATIENCE_FACTOR = 5
"""For cases that are not required: this much, and this many times what the first answer took."""

LATE = (Kind.TOO_SLOW, Kind.SILENT, Kind.NOT_FLUSHED)
"""What a busy machine may cause: such a case is tried again. If it fails again, the others would take as long."""

DEAD = (*LATE, Kind.WOULD_NOT_START, Kind.CRASHED, Kind.LEFT, Kind.NO_NEWLINE, Kind.TOO_MUCH)
"""What makes further cases pointless if the first one shows it."""

MISSES_ARGUMENTS = (Kind.CRASHED, Kind.LEFT, Kind.WRONG_SIDE)
"""What a program does that needs words on its command line."""


def check_agent(
    spec: AgentSpec,
    *,
    finds_start: bool = True,
    size: tuple[int, int] = (7, 6),
    names: Collection[str] | None = None,
    practice_games: int = DEFAULT_GAMES,
    progress: Progress | None = None,
) -> CheckResult:
    """Check a program under the limits that it has, in all cases, or in the first two and those named.

    With `finds_start`, it is started in the form in which it answers best; else as its description says. Raises
    WorkerLostError.
    """
    cases = all_cases(*size)
    if names is not None:
        cases = {name: case for name, case in cases.items() if name in (*FIRST_CASES, *names)}
    progress = progress or Progress()
    progress.begin(len(cases) + practice_games, step="check")
    trial = _Trial(spec, size, cases)
    try:
        trial.try_starts(finds_start=finds_start)
        trial.try_cases(progress)
        games = trial.play(practice_games, progress) if trial.is_sound else []
    finally:
        trial.worker.close()
        progress.end()
    findings = [trial.findings[name] for name in cases if name in trial.findings]
    problems = _problems([*findings, *games], cases)
    return CheckResult(
        agent=spec.name,
        command=trial.spec.command_for(1, *size),
        directory=spec.directory,
        start=trial.spec.start,
        problems=tuple(problems),
        findings=tuple(finding.but(answers=()) for finding in findings),
        games=tuple(game.but(answers=()) for game in games),
        not_run=len(cases) - len(findings),
        wanted_games=practice_games,
    )


class _Trial:
    """The cases while they are tried."""

    def __init__(self, spec: AgentSpec, size: tuple[int, int], cases: Mapping[str, Case]) -> None:
        self.spec = spec
        self.findings: dict[str, Finding] = {}
        self.is_sound = False
        """Whether nothing speaks against further cases and practice games."""
        self.worker = Worker()
        self._size = size
        self._cases = cases
        limits = spec.time_limits
        assert limits.time_limit is not None
        limit_seconds = limits.time_limit + (limits.grace or 0.0)
        waiting_seconds = max(MIN_WAITING_SECONDS, limits.time_limit)
        self._timing = Timing(limit_seconds, limits.startup or 0.0, waiting_seconds)

    def try_starts(self, *, finds_start: bool) -> None:
        """Try the first cases; if the agent seems to miss its arguments, in the other forms, too. Keep the best one."""
        given = self.spec
        found = {given.start: self._try_start()}
        seems_to_miss = any(each.kind in MISSES_ARGUMENTS for each in found[given.start].values())
        if finds_start and given.start is StartForm.BARE and seems_to_miss:
            for form in (StartForm.FLAGS, StartForm.WORDS):
                self.spec = given.model_copy(update={"start": form})
                found[form] = self._try_start()
        best = max(found, key=lambda form: sum(finding.kind is None for finding in found[form].values()))
        self.spec, self.findings = given.model_copy(update={"start": best}), found[best]

    def _try_start(self) -> dict[str, Finding]:
        """Ask the first request in either seat; an agent that answers it may play for the wrong side."""
        one, two = (self._cases[name] for name in FIRST_CASES)
        found = {one.name: self._try_first(one)}
        if found[one.name].kind not in DEAD:
            found[two.name] = self._try_twice(two, self._timing)
        if OWN_WIN in self._cases and all(finding.kind is None for finding in found.values()):
            found[OWN_WIN] = self._try_twice(self._cases[OWN_WIN], self._timing)
        return found

    def _try_first(self, case: Case) -> Finding:
        """Try a case; find out soon whether an answer waits for the end of the input."""
        found = [self._try(case, Timing(QUICK_SECONDS[0]))]
        if found[0].kind is Kind.NOT_FLUSHED:
            found.append(self._try(case, Timing(QUICK_SECONDS[1])))
        return self._try(case, self._timing) if found[-1].kind in (Kind.SILENT, Kind.NO_NEWLINE) else found[-1]

    def try_cases(self, progress: Progress) -> None:
        """Try the cases that are left. Those that are not required need an agent that is sound so far."""
        first = [self.findings[name] for name in FIRST_CASES if name in self.findings]
        self.is_sound = all(finding.kind is None for finding in first)
        is_alive = all(finding.kind not in DEAD for finding in first)
        patience = PATIENCE_SECONDS + PATIENCE_FACTOR * max(finding.first_seconds or 0.0 for finding in first)
        for name, case in self._cases.items():
            is_required = case.tier is Tier.REQUIRED
            if name not in self.findings and (self.is_sound or (is_alive and is_required)):
                timing = self._timing if is_required else Timing(min(patience, sum(self._timing[:2])))
                self.findings[name] = self._try_twice(case, timing)
                if is_required and self.findings[name].kind in LATE:
                    self.is_sound = is_alive = False
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
        spec = self.spec.model_dump(mode="json")
        finding = self.worker.call(try_case, spec=spec, name=case.name, size=self._size, timing=tuple(timing))
        return Finding.model_validate(finding)


def try_case(
    place: Workplace, spec: dict[str, Any], name: str, size: tuple[int, int], timing: tuple[float, float, float]
) -> dict[str, Any]:
    """Try a case, in the worker."""
    case = find_case(name, *size)
    finding = run_case(AgentSpec.model_validate(spec), case, size, Timing(*timing), place.watch)
    return finding.model_dump(mode="json")


def _problems(findings: Sequence[Finding], cases: Mapping[str, Case]) -> list[Problem]:
    """Return each distinct problem once: the required ones by what they are, the others by what to do about them."""
    required = [finding for finding in findings if finding.tier is Tier.REQUIRED]
    pattern = diagnose_pattern([answer for finding in required for answer in finding.answers])
    groups: dict[object, list[tuple[Finding, Diagnosis]]] = {}
    for finding in (*required, *(finding for finding in findings if finding.tier is Tier.ROBUST)):
        if finding.diagnosis is None:
            continue
        found = explain(finding.diagnosis, finding.answers, pattern)
        key: object = (found.kind, found.text if found.kind is Kind.CRASHED else "")
        if finding.tier is Tier.ROBUST and key not in groups:
            found = replace(found, fix=cases[finding.name].fix or found.fix)
            key = found.fix
        groups.setdefault(key, []).append((finding, found))
    problems = []
    for group in groups.values():
        tier = group[0][0].tier
        example, found = min((pair for pair in group if pair[0].tier is tier), key=lambda pair: len(pair[0].sent))
        names = tuple(finding.name for finding, _ in group)
        problems.append(Problem(**asdict(found), tier=tier, seen_in=names, example=example.but(answers=())))
    return problems
