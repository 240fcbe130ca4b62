"""The result of a check as text: what to repair and how, then how much was tried, then the verdict."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from connect4_agent.arena.check.result import CheckResult, Kind, Problem, Tier, Verdict
from connect4_agent.arena.spec import StartForm
from connect4_agent.text import counted, escaped, short

MAX_NAMES = 4
STDERR_LINES = 5
MAX_LINE = 160

WAITING = (Kind.NOT_FLUSHED, Kind.TOO_SLOW, Kind.SILENT)
"""Kinds that do not show if the input ends at once."""

PRINTF = str.maketrans({"\\": r"\\", "%": "%%", "\n": r"\n", "\r": r"\r", "\ufeff": r"\357\273\277"})
"""The characters that are not plain in the format of printf, and how they are written."""


def format_result(result: CheckResult) -> Iterator[str]:
    """Give the lines for one agent."""
    for number, problem in enumerate(result.problems, 1):
        yield f"{number}. {'' if problem.tier is Tier.REQUIRED else 'remark: '}{problem.text}"
        for name, text in _parts(problem, result):
            yield f"   {name:<9} {text}"
        yield ""
    if result.start is not StartForm.BARE:
        yield f'start     {shlex.join(result.command)}   (in a tournament\'s file: start = "{result.start}")'
    for tier in Tier:
        if tried := [finding.kind for finding in result.findings if finding.tier is tier]:
            yield f"{tier.value:<9} {tried.count(None)} of {counted(len(tried), 'case')} passed"
    if result.games:
        yield f"practice  {_practice_text(result)}"
    if result.not_run:
        is_failed = result.verdict is Verdict.NOT_READY
        rest = (
            "and the practice games follow once this is repaired" if is_failed else "were not tried: it starts slowly"
        )
        yield f"{result.not_run} more cases {rest}"
    yield ""
    yield verdict_line(result)


def verdict_line(result: CheckResult) -> str:
    """Return the verdict with the numbers of problems and remarks."""
    to_repair = sum(problem.tier is Tier.REQUIRED for problem in result.problems)
    remarks = len(result.problems) - to_repair
    counts = [counted(to_repair, "problem")] * bool(to_repair) + [counted(remarks, "remark")] * bool(remarks)
    return f"{escaped(result.agent)}: {result.verdict.value}" + (f" ({', '.join(counts)})" if counts else "")


def _parts(problem: Problem, result: CheckResult) -> Iterator[tuple[str, str]]:
    """Give what there is to say of a problem, each part under its name."""
    example = problem.example
    yield "fix", problem.fix
    if len(problem.seen_in) > 1:
        names = ", ".join(problem.seen_in[:MAX_NAMES]) + (", ..." if len(problem.seen_in) > MAX_NAMES else "")
        yield "seen in", f"{len(problem.seen_in)}: {names}"
    what = example.diagnosis.text if example.diagnosis is not None else ""
    yield "example", f"{example.name}, {example.title}" + (f": {what}" if what != problem.text else "")
    if problem.tier is Tier.REQUIRED:
        yield "printed", escaped(example.received.rstrip("\n"))[-MAX_LINE:] or "(nothing)"
    yield "repeat", repeat_line(problem, result)
    if problem.tier is Tier.REQUIRED:
        for line in [line for line in example.stderr.splitlines() if line.strip()][-STDERR_LINES:]:
            yield "stderr", short(escaped(line.rstrip()), MAX_LINE)


def repeat_line(problem: Problem, result: CheckResult) -> str:
    """Return a line for the shell that shows the same."""
    command, sent = shlex.join(problem.example.command), problem.example.sent
    if result.directory is not None:
        command = f"(cd {shlex.quote(result.directory)} && {command})"
    if not sent:
        return f"{command} < /dev/null"
    said = shell_printf(sent)
    return f"({said}; sleep 5) | {command}" if problem.kind in WAITING else f"{said} | {command}"


def shell_printf(text: str) -> str:
    """Return a command for any POSIX shell that prints a text, which must not begin with `-`."""
    return f"printf {shlex.quote(text.translate(PRINTF))}"


def _practice_text(result: CheckResult) -> str:
    games, parts = result.games, []
    for title in dict.fromkeys(game.title for game in games):
        ends = [game.result for game in games if game.title == title]
        parts.append(f"{title.rpartition(' ')[2]} {ends.count('won')}-{ends.count('drawn')}-{ends.count('lost')}")
    faults = sum(game.diagnosis is not None for game in games)
    return (
        f"{len(games)} of {counted(result.wanted_games, 'game')}, {faults or 'none'} lost by faults; "
        f"won-drawn-lost against {', '.join(parts)}; slowest move {max(game.slowest_seconds for game in games):.3g} s"
    )
