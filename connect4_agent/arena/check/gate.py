"""The check: will this program play here? Tries the cases, then practice games, and sums up what is to be repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from connect4_agent.arena.agents.spec import (
    DEFAULT_GRACE_SECONDS,
    DEFAULT_LIMIT_SECONDS,
    DEFAULT_STARTUP_SECONDS,
    AgentSpec,
    Grants,
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
    all_cases,
)
from connect4_agent.arena.check.conversation import Case, Timing
from connect4_agent.arena.check.practice import DEFAULT_GAMES, play_practice
from connect4_agent.arena.check.result import CheckResult, Diagnosis, Finding, Kind, Problem, Tier
from connect4_agent.arena.worker import Worker
from connect4_agent.jobs.progress import Progress

DEFAULTS = Grants(
    limit_seconds=DEFAULT_LIMIT_SECONDS,
    grace_seconds=DEFAULT_GRACE_SECONDS,
    startup_seconds=DEFAULT_STARTUP_SECONDS,
)

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
    check = _Check(spec.granted(DEFAULTS), (width, height), sizes, skipped, progress or Progress())
    try:
        return check.run(practice_games, finds_start=finds_start)
    finally:
        check.worker.close()


@dataclass
class _Check:
    """One check while it runs."""

    spec: AgentSpec
    size: tuple[int, int]
    sizes: Sequence[tuple[int, int]]
    skipped: frozenset[str]
    progress: Progress
    worker: Worker = field(default_factory=Worker)
    findings: dict[str, Finding] = field(default_factory=dict)
    bare_side: Diagnosis | None = None
    """How it played for the wrong side when it was started without arguments."""

    def __post_init__(self) -> None:
        self.cases = {case.name: case for case in all_cases(*self.size, self.sizes)}
        limits = self.spec.time_limits
        move_seconds = (limits.limit_seconds or 0.0) + (limits.grace_seconds or 0.0)
        waiting_seconds = max(MIN_WAITING_SECONDS, limits.limit_seconds or 0.0)
        self.required = Timing((limits.startup_seconds or 0.0) + move_seconds, move_seconds, waiting_seconds)
        self.patience = self.required

    def run(self, practice_games: int, *, finds_start: bool) -> CheckResult:
        total = sum(name not in self.skipped for name in self.cases)
        self.progress.begin(total + practice_games, step="check")
        self._try_starts(finds_start=finds_start)
        first = [self.findings[name] for name in FIRST_CASES]
        is_sound = all(finding.status == "passed" for finding in first)
        is_alive = all(finding.kind in (None, *REPLIES) for finding in first)
        patience = PATIENCE_SECONDS + PATIENCE_FACTOR * max(finding.first_seconds or 0.0 for finding in first)
        patience = min(self.required.first_seconds, patience)
        self.patience = Timing(patience, patience)
        for name, case in self.cases.items():
            is_due = is_sound or (is_alive and case.tier is Tier.REQUIRED)
            if name in self.skipped and name not in self.findings:
                self.findings[name] = case.not_tried("skipped")
            elif name not in self.findings:
                self.findings[name] = self._tried(case, again=True) if is_due else case.not_tried("not run")
                self.progress.count(sum(each.status != "skipped" for each in self.findings.values()))
        if self.bare_side is not None and self.findings["bare"].status in ("passed", "failed"):
            self.findings["bare"] = self.findings["bare"].failed(self.bare_side)
        practice, lost = None, list[Finding]()
        if practice_games and is_sound:
            practice, lost = play_practice(
                self.spec, practice_games, *self.size, on_game=lambda done: self.progress.count(total + done)
            )
        self.progress.end()
        findings = [self.findings[name] for name in self.cases]
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
        is_good = self._try_start()
        given, before = self.spec, self.findings
        misses_arguments = any(finding.kind in (*ENDS, Kind.WRONG_SIDE) for finding in before.values())
        if is_good or given.start is not StartForm.BARE or not misses_arguments:
            return
        for form in (StartForm.FLAGS, StartForm.WORDS):
            self.spec = given.model_copy(update={"start": form})
            self.findings = {}
            if not self._try_start():
                continue
            if finds_start:
                self.bare_side = before[OWN_WIN].diagnosis if OWN_WIN in before else None
                return
            advice = f'start it with its arguments: start = "{form.value}" in the file of the tournament'
            for name, finding in before.items():
                if finding.diagnosis is not None:
                    before[name] = finding.failed(replace(finding.diagnosis, fix=advice))
            break
        self.spec, self.findings = given, before

    def _try_start(self) -> bool:
        """Whether the agent answers the first request in either seat, and plays for its own side."""
        one, two = FIRST_CASES
        self.findings[one] = first = self._try_first(self.cases[one])
        if first.kind in (None, *REPLIES, *ENDS):
            self.findings[two] = self._tried(self.cases[two], again=True)
        else:  # it is dead
            self.findings[two] = self.cases[two].not_tried("not run")
        self.progress.count(len(self.findings))
        if any(finding.status != "passed" for finding in self.findings.values()):
            return False
        if self.size == (7, 6):
            self.findings[OWN_WIN] = self._with_side(self._tried(self.cases[OWN_WIN]))
            return self.findings[OWN_WIN].kind is not Kind.WRONG_SIDE
        return True

    def _try_first(self, case: Case) -> Finding:
        """Soon finds out whether an answer waits for the end of input, and why."""
        found = self._ask(case, Timing(QUICK_SECONDS[0], QUICK_SECONDS[0]))
        if found.kind is Kind.HELD_BACK:
            found = self._ask(case, Timing(QUICK_SECONDS[1], QUICK_SECONDS[1]))
        if found.kind in (Kind.SILENT, Kind.NO_NEWLINE):
            found = self._ask(case, self.required)
        if found.kind is not Kind.HELD_BACK:
            return found
        seconds = QUICK_SECONDS[1]
        unbuffered = self._ask(case, Timing(seconds, seconds, is_unbuffered=True))
        several = self._ask(self.cases["requests-at-once"], Timing(seconds, seconds))
        answers_all = several.received.count("\n") >= len(FORCED)
        return found.failed(diagnosis.held_back(unbuffered_helps=unbuffered.kind is None, answers_all=answers_all))

    def _with_side(self, finding: Finding) -> Finding:
        if finding.diagnosis is not None or len(finding.answers) != len(OWN_WIN_BOARDS):
            return finding
        found = diagnosis.side_of(finding.answers, [wins for _, wins in OWN_WIN_BOARDS])
        return finding if found is None else finding.failed(found)

    # ---- the cases --------------------------------------------------------------------------------------------------

    def _tried(self, case: Case, *, again: bool = False) -> Finding:
        """A case; if time was the reason, `again`: the machine may have been busy."""
        timing = self.required if case.tier is Tier.REQUIRED else self.patience
        finding = self._ask(case, timing)
        if again and finding.kind in (Kind.SILENT, Kind.TOO_SLOW):
            finding = self._ask(case, timing)
        return self._with_side(finding) if case.name == OWN_WIN else finding

    def _ask(self, case: Case, timing: Timing) -> Finding:
        width, height = self.size
        job = {
            "do": "check", "spec": self.spec.model_dump(mode="json"), "case": case.name, "width": width,
            "height": height, "sizes": self.sizes, "timing": tuple(timing),
        }  # fmt: skip
        return Finding.model_validate(self.worker.ask(job))

    # ---- the problems -----------------------------------------------------------------------------------------------

    def _problems(self, findings: Sequence[Finding]) -> list[Problem]:
        """Each distinct problem once: the required ones by what they are, the others by what to do about them."""
        required = [finding for finding in findings if finding.tier is Tier.REQUIRED]
        robust = [finding for finding in findings if finding.tier is Tier.ROBUST]
        pattern = diagnosis.pattern_of([answer for finding in required for answer in finding.answers])
        groups: dict[object, list[tuple[Finding, Diagnosis]]] = {}
        for finding in (*required, *robust):
            if finding.diagnosis is None:
                continue
            found = _explained(finding, finding.diagnosis, pattern)
            key: object = (found.kind, found.text if found.kind is Kind.CRASHED else "")
            if finding.tier is Tier.ROBUST and key not in groups:
                found = replace(found, fix=self._fix_in(finding.name) or found.fix)
                key = found.fix
            groups.setdefault(key, []).append((finding, found))
        problems = map(_problem, groups.values())
        return sorted(problems, key=lambda problem: (problem.tier is not Tier.REQUIRED, -len(problem.cases)))

    def _fix_in(self, name: str) -> str:
        """What to do if nothing but this case shows a problem."""
        if name == "empty-argument" and self.spec.start is not StartForm.BARE:
            return BARE_FIX
        if name.startswith("flags") and self.findings["flags"].diagnosis is not None:
            return ARGUMENTS_FIX
        return self.cases[name].fix


def _explained(finding: Finding, found: Diagnosis, pattern: Diagnosis | None) -> Diagnosis:
    """What was found, or what all answers together tell about it."""
    if pattern is None:
        return found
    is_move = found.kind in (Kind.OUTSIDE, Kind.FULL_COLUMN)
    last = finding.answers[-1] if finding.answers else None
    is_unread = last is not None and last.move is None and diagnosis.fits_rows(last)
    return pattern if is_move or (is_unread and pattern.kind is Kind.ROWS) else found


def _problem(group: Sequence[tuple[Finding, Diagnosis]]) -> Problem:
    """The findings of one problem; the first one is of the highest tier."""
    tier = group[0][0].tier
    example, found = min(
        (pair for pair in group if pair[0].tier is tier), key=lambda pair: (pair[0].is_game, len(pair[0].sent))
    )
    return Problem(
        kind=found.kind,
        tier=tier,
        text=found.text,
        fix=found.fix,
        cases=tuple(finding.name for finding, _ in group if not finding.is_game),
        games=sum(finding.is_game for finding, _ in group),
        example=example,
    )
