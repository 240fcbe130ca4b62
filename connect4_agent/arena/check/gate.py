"""The check: will this program play here? Tries the cases, then practice games, and sums up what is to be repaired."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from connect4_agent.arena.agents.process import Watch
from connect4_agent.arena.agents.spec import (
    DEFAULT_GRACE_SECONDS,
    DEFAULT_LIMIT_SECONDS,
    DEFAULT_STARTUP_SECONDS,
    AgentSpec,
    StartForm,
)
from connect4_agent.arena.check import diagnosis
from connect4_agent.arena.check.cases import (
    ARGUMENTS_FIX,
    BARE_FIX,
    FIRST_CASES,
    FORCED,
    OWN_WIN,
    OWN_WIN_BOARDS,
    Case,
    cases,
)
from connect4_agent.arena.check.conversation import Timing, hold
from connect4_agent.arena.check.extra_cases import extra_cases
from connect4_agent.arena.check.practice import DEFAULT_GAMES, play_practice
from connect4_agent.arena.check.result import CheckResult, Diagnosis, Finding, Kind, Practice, Problem, Tier, names_of
from connect4_agent.arena.worker import Worker
from connect4_agent.jobs.progress import Progress, Silent

QUICK_SECONDS = (2.0, 3.5)
"""When the input is ended to see whether the answer comes then; it must do so both times, but not in between."""

MIN_WAITING_SECONDS = 5.0
"""How much longer than allowed an answer is waited for before the input is ended, at the least."""

PATIENCE_SECONDS = 2.0
PATIENCE_FACTOR = 5
"""For cases that are not required: this much, and this many times what the first answer took."""

REPLIES = (
    Kind.CHATTER, Kind.TWO_ANSWERS, Kind.SINGLE_QUOTES, Kind.NOT_JSON, Kind.NO_MOVE, Kind.NOT_WHOLE, Kind.OUTSIDE,
    Kind.FULL_COLUMN,
)  # fmt: skip
"""Bad answers: an agent that gives them is alive."""

ENDS = (Kind.CRASHED, Kind.LEFT)
"""What a program does that misses its arguments."""

SELF_EXPLAINING = (Kind.LINGERS, Kind.EXIT_STATUS, Kind.NOISY, Kind.WRONG_SIDE)
"""These have the same fix in every case."""


def all_cases(width: int, height: int, sizes: Iterable[Sequence[int]] = ()) -> list[Case]:
    """The cases in their order, the extra ones last."""
    return [*cases(width, height, [(columns, rows) for columns, rows in sizes]), *extra_cases()]


def run_case(spec: AgentSpec, case: Case, timing: Timing, watch: Watch) -> Finding:
    """Try one case, in a worker: each of its sittings in a new process, until one fails."""
    finding = Finding(name=case.name, title=case.title, tier=case.tier, status="passed")
    for number, sitting in enumerate(case.sittings):
        if case.arguments is None:
            command = spec.command_for(sitting.player, case.width, case.height)
        else:
            command = (*(spec.command or ()), *case.arguments[number])
        finding = hold(spec, command, sitting.talk, timing, watch, finding)
        if finding.diagnosis is not None:
            break
    return finding


def check_agent(
    spec: AgentSpec,
    *,
    finds_start: bool = True,
    width: int = 7,
    height: int = 6,
    sizes: Sequence[tuple[int, int]] = (),
    skipped: frozenset[str] = frozenset(),
    practice_games: int = DEFAULT_GAMES,
    progress: Progress | None = None,
) -> CheckResult:
    """Check a program under its own limits, on boards of this size.

    With `finds_start`, it is started in the first form in which it answers; else as its description says. `sizes` are
    further boards to try. Raises WorkerLostError.
    """
    check = _Check(spec, width, height, sizes, skipped, practice_games, progress or Silent())
    try:
        return check.run(finds_start=finds_start)
    finally:
        check.worker.close()


class _Check:
    """One check while it runs."""

    def __init__(
        self,
        spec: AgentSpec,
        width: int,
        height: int,
        sizes: Sequence[tuple[int, int]],
        skipped: frozenset[str],
        practice_games: int,
        progress: Progress,
    ) -> None:
        self.spec = spec
        self.size = (width, height)
        self.sizes = sizes
        self.skipped = skipped
        self.practice_games = practice_games
        self.progress = progress
        self.worker = Worker()
        self.cases = {case.name: case for case in all_cases(width, height, sizes)}
        self.findings: dict[str, Finding] = {}
        self.without_arguments: Finding | None = None
        """How it played for the wrong side when it was started without arguments."""
        limit = spec.limit_seconds or DEFAULT_LIMIT_SECONDS
        grace = DEFAULT_GRACE_SECONDS if spec.grace_seconds is None else spec.grace_seconds
        startup = spec.startup_seconds or DEFAULT_STARTUP_SECONDS
        self.required = Timing(startup + limit + grace, limit + grace, max(MIN_WAITING_SECONDS, limit))
        self.patience = self.required

    def run(self, *, finds_start: bool) -> CheckResult:
        total = sum(name not in self.skipped for name in self.cases)
        self.progress.begin(total + self.practice_games, step="check")
        self._try_starts(finds_start=finds_start)
        first = [self.findings[name] for name in FIRST_CASES]
        is_sound = all(finding.status == "passed" for finding in first)
        is_alive = all(finding.diagnosis is None or finding.diagnosis.kind in REPLIES for finding in first)
        quickest = max((finding.first_seconds or 0.0 for finding in first), default=0.0)
        patience = min(self.required.first_seconds, PATIENCE_SECONDS + PATIENCE_FACTOR * quickest)
        self.patience = Timing(patience, patience)
        for name, case in self.cases.items():
            is_due = is_sound or (is_alive and case.tier is Tier.REQUIRED)
            if is_due and name not in self.findings and name not in self.skipped:
                self.findings[name] = self._tried(case, again=case.tier is not Tier.EXTRA)
                self.progress.count(len(self.findings))
        if OWN_WIN in self.findings:
            self.findings[OWN_WIN] = _with_side(self.findings[OWN_WIN])
        if self.without_arguments is not None and "bare" in self.findings:
            changes = {"status": "failed", "diagnosis": self.without_arguments.diagnosis}
            self.findings["bare"] = self.findings["bare"].model_copy(update=changes)
        findings = [
            self.findings.get(name)
            or Finding(
                name=name, title=case.title, tier=case.tier, status="skipped" if name in self.skipped else "not run"
            )
            for name, case in self.cases.items()
        ]
        practice: Practice | None = None
        lost: list[Finding] = []
        if self.practice_games and is_sound:
            done = iter(range(total + 1, total + self.practice_games + 1))
            practice, lost = play_practice(
                self.spec, self.practice_games, *self.size, on_game=lambda: self.progress.count(next(done))
            )
        self.progress.end()
        return CheckResult(
            agent=self.spec.name,
            command=self.spec.command_for(1, *self.size),
            directory=self.spec.directory,
            start=self.spec.start,
            problems=tuple(self._problems([*findings, *lost])),
            findings=tuple(findings),
            practice=practice,
        )

    # ---- the start --------------------------------------------------------------------------------------------------

    def _try_starts(self, *, finds_start: bool) -> None:
        """Try the first request in either seat; if the agent seems to miss its arguments, also the other starts."""
        self._try_first(self.spec)
        given, before = self.spec, self.findings
        if given.start is not StartForm.BARE or not (self._misses_arguments() or self._plays_for_the_wrong_side()):
            return
        for form in (StartForm.FLAGS, StartForm.WORDS):
            self.spec = given.model_copy(update={"start": form})
            self.findings = {}
            self._try_first(self.spec)
            passed = all(self.findings[name].status == "passed" for name in FIRST_CASES)
            if not passed or self._plays_for_the_wrong_side():
                continue
            if finds_start:
                self.without_arguments = before.get(OWN_WIN)
                return
            advice = f'start it with its arguments: start = "{form.value}" in the file of the tournament'
            self._advise(before, advice)
            break
        self.spec, self.findings = given, before

    def _advise(self, findings: dict[str, Finding], fix: str) -> None:
        for name, finding in findings.items():
            if finding.diagnosis is not None:
                found = finding.diagnosis.model_copy(update={"fix": fix})
                findings[name] = finding.model_copy(update={"diagnosis": found})

    def _misses_arguments(self) -> bool:
        found = (self.findings[name].diagnosis for name in FIRST_CASES)
        return any(diagnosed is not None and diagnosed.kind in ENDS for diagnosed in found)

    def _plays_for_the_wrong_side(self) -> bool:
        if self.size != (7, 6) or any(self.findings[name].status != "passed" for name in FIRST_CASES):
            return False
        self.findings[OWN_WIN] = _with_side(self._tried(self.cases[OWN_WIN]))
        found = self.findings[OWN_WIN].diagnosis
        return found is not None and found.kind is Kind.WRONG_SIDE

    def _try_first(self, spec: AgentSpec) -> None:
        """The first request in either seat. Soon finds out whether an answer waits for the end of input."""
        one, two = FIRST_CASES
        case = self.cases[one]
        found = self._ask(spec, case, Timing(QUICK_SECONDS[0], QUICK_SECONDS[0]))
        kind = found.diagnosis.kind if found.diagnosis else None
        if kind is Kind.HELD_BACK:
            found = self._ask(spec, case, Timing(QUICK_SECONDS[1], QUICK_SECONDS[1]))
            kind = found.diagnosis.kind if found.diagnosis else None
        if kind in (Kind.SILENT, Kind.NO_NEWLINE):
            found = self._ask(spec, case, self.required)
        if found.diagnosis is not None and found.diagnosis.kind is Kind.HELD_BACK:
            found = found.model_copy(update={"diagnosis": self._why_held_back(spec)})
        self.findings[one] = found
        is_dead = found.diagnosis is not None and found.diagnosis.kind not in (*REPLIES, *ENDS)
        other = self.cases[two]
        if is_dead:
            self.findings[two] = Finding(name=two, title=other.title, tier=other.tier, status="not run")
        else:
            self.findings[two] = self._tried(other, again=True)
        self.progress.count(len(self.findings))

    def _why_held_back(self, spec: AgentSpec) -> Diagnosis:
        seconds = QUICK_SECONDS[1]
        unbuffered = self._ask(spec, self.cases[FIRST_CASES[0]], Timing(seconds, seconds, is_unbuffered=True))
        several = self._ask(spec, self.cases["requests-at-once"], Timing(seconds, seconds))
        return diagnosis.held_back(
            unbuffered_helps=unbuffered.diagnosis is None, answers_all=several.received.count("\n") >= len(FORCED)
        )

    # ---- the cases --------------------------------------------------------------------------------------------------

    def _tried(self, case: Case, *, again: bool = False) -> Finding:
        """A case; if time was the reason, `again`: the machine may have been busy."""
        timing = self.required if case.tier is Tier.REQUIRED else self.patience
        finding = self._ask(self.spec, case, timing)
        if again and finding.diagnosis is not None and finding.diagnosis.kind in (Kind.SILENT, Kind.TOO_SLOW):
            finding = self._ask(self.spec, case, timing)
        return finding

    def _ask(self, spec: AgentSpec, case: Case, timing: Timing) -> Finding:
        width, height = self.size
        job = {
            "do": "check", "spec": spec.model_dump(mode="json"), "case": case.name, "width": width, "height": height,
            "sizes": self.sizes, "timing": tuple(timing),
        }  # fmt: skip
        return Finding.model_validate(self.worker.ask(job))

    # ---- the problems -----------------------------------------------------------------------------------------------

    def _problems(self, findings: Sequence[Finding]) -> list[Problem]:
        """Each distinct problem once: the required ones by what they are, the others by what to do about them."""
        failed = [finding for finding in findings if finding.diagnosis is not None and finding.tier is not Tier.EXTRA]
        required = [finding for finding in findings if finding.tier is Tier.REQUIRED]
        pattern = diagnosis.pattern_of([answer for finding in required for answer in finding.answers])
        groups: dict[tuple[object, ...], list[tuple[Finding, Diagnosis]]] = {}
        for finding in sorted(failed, key=lambda finding: finding.tier is not Tier.REQUIRED):
            found = self._explained(finding, pattern)
            key = _key_of(found)
            if finding.tier is Tier.ROBUST and key not in groups:
                found = self._as_remark(finding, found)
                key = (found.fix,)
            groups.setdefault(key, []).append((finding, found))
        problems = [_problem(group) for group in groups.values()]
        return sorted(problems, key=lambda problem: (problem.tier is not Tier.REQUIRED, -len(problem.cases)))

    def _explained(self, finding: Finding, pattern: Diagnosis | None) -> Diagnosis:
        """What was found, or what all answers together tell about it."""
        found = finding.diagnosis
        assert found is not None
        if pattern is None:
            return found
        is_move = found.kind in (Kind.OUTSIDE, Kind.FULL_COLUMN)
        last = finding.answers[-1] if finding.answers else None
        is_unread = last is not None and last.move is None and diagnosis.fits_rows(last)
        return pattern if is_move or (is_unread and pattern.kind is Kind.ROWS) else found

    def _as_remark(self, finding: Finding, found: Diagnosis) -> Diagnosis:
        """The same in terms of the case, which nothing but the case shows."""
        if found.kind in SELF_EXPLAINING and finding.name != "bare":
            return found
        fix = self.cases[finding.name].fix or found.fix
        if finding.name == "empty-argument" and self.spec.start is not StartForm.BARE:
            fix = BARE_FIX
        flags = self.findings.get("flags")
        if finding.name.startswith("flags") and flags is not None and flags.diagnosis is not None:
            fix = ARGUMENTS_FIX
        return found.model_copy(update={"fix": fix})


def _with_side(finding: Finding) -> Finding:
    if finding.diagnosis is not None or len(finding.answers) != len(OWN_WIN_BOARDS):
        return finding
    found = diagnosis.side_of(finding.answers, [wins for _, wins in OWN_WIN_BOARDS])
    return finding if found is None else finding.model_copy(update={"diagnosis": found, "status": "failed"})


def _key_of(found: Diagnosis) -> tuple[object, ...]:
    return (found.kind, found.text) if found.kind is Kind.CRASHED else (found.kind,)


def _problem(group: Sequence[tuple[Finding, Diagnosis]]) -> Problem:
    """The findings of one problem; the first one is of the highest tier."""
    tier = group[0][0].tier
    example, found = min(
        (pair for pair in group if pair[0].tier is tier), key=lambda pair: (pair[0].is_game, len(pair[0].sent))
    )
    findings = [finding for finding, _ in group]
    return Problem(
        kind=found.kind,
        tier=tier,
        text=found.text,
        fix=found.fix,
        cases=names_of(findings),
        games=sum(finding.is_game for finding in findings),
        example=example,
    )
