"""The result of a check as text: what to repair and how, then how much was tried, then the verdict."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from connect4_agent.arena.agents.spec import StartForm
from connect4_agent.arena.check.result import CheckResult, Finding, Kind, Practice, Problem, Tier
from connect4_agent.text import counted, escaped, short

MAX_CASE_NAMES = 4
HEAD_LINES = 5
TAIL_LINES = 5
"""How much of standard error is shown, from its beginning and from its end."""

MAX_LINE = 160
SHOWN_CHARACTERS = 400

WAITING = (Kind.NOT_FLUSHED, Kind.READS_ALL, Kind.HELD_BACK, Kind.TOO_SLOW, Kind.SILENT)
"""Kinds that do not show if the input ends at once."""

WAITING_SECONDS = 5

PLAIN_LINE = re.compile(r"[ !-,.-\[\]-~][ -\[\]-~]*\n")
"""What every `echo` prints as it is: no backslash, and no `-` at its beginning."""

PRINTF = {byte: f"\\{byte:03o}" for byte in range(256) if not 32 <= byte < 127}
PRINTF |= {ord("-"): "\\055", ord("%"): "%%", ord("\\"): r"\\", ord("\n"): r"\n", ord("\r"): r"\r"}
"""How bytes are written in the format of printf, unless as they are."""

NAME_WIDTH = 9


def lines_of(result: CheckResult, *, verbose: bool = False) -> Iterator[str]:
    """The lines for one agent; `verbose` shows every case and all that failed."""
    if verbose:
        yield from _case_lines(result)
    for number, problem in enumerate(result.problems, 1):
        yield from _problem_lines(number, problem, result)
        yield ""
    if result.start is not StartForm.BARE:
        yield _field("start", f'{shlex.join(result.command)}   (in a tournament\'s file: start = "{result.start}")', 0)
    for tier in Tier:
        if any(result.count(tier, status) for status in ("passed", "failed", "skipped")):
            yield _field(tier.value, _tier_text(result, tier), 0)
    if result.practice is not None:
        yield _field("practice", _practice_text(result.practice), 0)
    elif not_run := sum(finding.status == "not run" for finding in result.findings):
        yield f"{not_run} more cases and the practice games follow once this is repaired"
    yield ""
    yield verdict_line(result)


def verdict_line(result: CheckResult) -> str:
    """The verdict with the numbers of problems and remarks."""
    to_repair = sum(problem.tier is Tier.REQUIRED for problem in result.problems)
    remarks = len(result.problems) - to_repair
    counts = [counted(to_repair, "problem")] * bool(to_repair) + [counted(remarks, "remark")] * bool(remarks)
    return f"{escaped(result.agent)}: {result.verdict.value}" + (f" ({', '.join(counts)})" if counts else "")


def _field(name: str, text: str, indent: int = 3) -> str:
    return f"{'':{indent}}{name:<{NAME_WIDTH}} {text}"


# ---- problems -------------------------------------------------------------------------------------------------------


def _problem_lines(number: int, problem: Problem, result: CheckResult) -> Iterator[str]:
    is_required = problem.tier is Tier.REQUIRED
    yield f"{number}. {'' if is_required else 'remark: '}{problem.text}"
    yield _field("fix", problem.fix)
    yield _field("seen in", _seen_in(problem, result))
    if not is_required:
        return
    example = problem.example
    found = example.diagnosis
    what = f": {found.text}" if found is not None and found.text != problem.text else ""
    name = "" if example.is_game else f"{example.name}, "
    yield _field("example", f"{name}{example.title}{what}")
    yield _field("printed", _end_of(escaped(example.received.rstrip("\n")), MAX_LINE) or "(nothing)")
    yield _field("repeat", repeat_line(problem, result))
    yield from _stderr_lines(example)


def _seen_in(problem: Problem, result: CheckResult) -> str:
    parts = []
    if len(problem.cases) == 1:
        title = "" if problem.tier is Tier.REQUIRED else f" ({problem.example.title})"
        parts.append(f"{problem.cases[0]}{title}")
    elif problem.cases:
        names = ", ".join(problem.cases[:MAX_CASE_NAMES]) + (", ..." if len(problem.cases) > MAX_CASE_NAMES else "")
        parts.append(f"{counted(len(problem.cases), 'case')} ({names})")
    if problem.games and result.practice is not None:
        parts.append(f"{problem.games} of {counted(result.practice.played, 'practice game')}")
    return ", ".join(parts)


def repeat_line(problem: Problem, result: CheckResult) -> str:
    """A line for the shell that shows the same."""
    finding = problem.example
    command = shlex.join(finding.command)
    if result.directory is not None:
        command = f"(cd {shlex.quote(result.directory)} && {command})"
    return fed(command, finding.sent, WAITING_SECONDS if problem.kind in WAITING else 0)


def fed(command: str, text: str, seconds: int = 0) -> str:
    """A line for any POSIX shell that gives a command this input, byte for byte, and ends it some seconds later."""
    if not text:
        return f"{command} < /dev/null"
    if PLAIN_LINE.fullmatch(text):
        said = f"echo {shlex.quote(text[:-1])}"
    else:
        said = f"printf {shlex.quote(''.join(PRINTF.get(byte, chr(byte)) for byte in text.encode()))}"
    return f"({said}; sleep {seconds}) | {command}" if seconds else f"{said} | {command}"


def _stderr_lines(finding: Finding) -> Iterator[str]:
    lines = [short(escaped(line.rstrip()), MAX_LINE) for line in finding.stderr.splitlines() if line.strip()]
    if not lines:
        return
    left_out = len(lines) - HEAD_LINES - TAIL_LINES
    if left_out > 1:
        lines = [*lines[:HEAD_LINES], f"... {left_out} lines", *lines[-TAIL_LINES:]]
    before = finding.stderr_bytes - len(finding.stderr.encode())
    yield _field("stderr", f"(after {before} bytes)" if before > 0 else "").rstrip()
    for line in lines:
        yield f"     | {line}"


# ---- how much was tried ---------------------------------------------------------------------------------------------


def _tier_text(result: CheckResult, tier: Tier) -> str:
    passed, failed = result.count(tier, "passed"), result.count(tier, "failed")
    tried = passed + failed
    text = f"{passed} of {counted(tried, 'case')} passed"
    if skipped := result.count(tier, "skipped"):
        text += f", {skipped} skipped"
    return text


def _practice_text(practice: Practice) -> str:
    if not practice.played:
        return f"no game of {practice.wanted} came to its end: {practice.note}"
    faults = f"{practice.faults} lost by faults" if practice.faults else "no faults"
    results = ", ".join(f"{them.name} {them.wins}-{them.draws}-{them.losses}" for them in practice.opponents)
    text = (
        f"{counted(practice.played, 'game')}, {faults}; won-drawn-lost against {results}; "
        f"slowest move {practice.slowest_ms / 1000:.3g} s, limit {practice.limit_ms / 1000:g} s"
    )
    return f"{text}; {practice.note}, {practice.wanted} were wanted" if practice.note else text


# ---- everything -----------------------------------------------------------------------------------------------------


def _case_lines(result: CheckResult) -> Iterator[str]:
    width = max(len(finding.name) for finding in result.findings)
    for finding in result.findings:
        yield f"{finding.tier.value:<8}  {finding.name:<{width}}  {finding.status:<7}  {finding.title}"
        if finding.diagnosis is not None:
            yield _field("problem", finding.diagnosis.text)
            yield _field("command", shlex.join(finding.command))
            yield _field("sent", _end_of(escaped(finding.sent), SHOWN_CHARACTERS) or "(nothing)")
            yield _field("received", _end_of(escaped(finding.received), SHOWN_CHARACTERS) or "(nothing)")
            yield from _stderr_lines(finding)
    yield ""


def _end_of(text: str, most: int) -> str:
    return text if len(text) <= most else f"... {text[-most:]}"
