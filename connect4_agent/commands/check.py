"""connect4-agent check: checks whether an agent keeps the protocol."""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from itertools import groupby
from types import FrameType
from typing import NoReturn

from connect4_agent import errors
from connect4_agent.arena.agents.confinement import choose_isolation
from connect4_agent.arena.agents.spec import AgentSpec, command_words, new_spec
from connect4_agent.arena.check.compliance import Finding, run_cases
from connect4_agent.arena.check.extra_cases import all_cases
from connect4_agent.commands.shared.arena_options import add_confinement_options, values_of
from connect4_agent.commands.shared.options import EXIT_FAILED, board_size, new_parser, seconds
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.text import escaped_end

DESCRIPTION = """\
Send an agent what tournament managers send, usual and unusual, and print which cases passed and which failed.
Failures come with the bytes sent and received, and with what would happen in a real manager. AGENT is a
command line, or a built-in player, which this program's own server then plays. Every case runs in a new process.
Extra cases show what else the agent understands; they never count as failures.
The exit status is 0 if all cases passed, 1 if any failed, 2 for a bad command line.
"""

EXAMPLES = """\
examples:
  connect4-agent check "node my-agent/agent.js"
  connect4-agent check "python3 my_agent.py" --sizes 8x7,10x10 --time-limit 2
  connect4-agent check negamax:depth=4
  connect4-agent check ./my_agent --skip byte-order-mark,positional
"""

DEFAULT_LIMIT_SECONDS = 10.0
SHOWN_BYTES = 400

EXTRA_HEADING = "\nextra: forms that only tolerant agents understand; none is required\n"
EXTRA_WORDS = {"passed": "yes", "failed": "no"}
"""The status of an extra case: an agent that does not handle it has not failed."""


def run(words: list[str]) -> int:
    """Check; the exit status."""
    parser = new_parser("connect4-agent check", DESCRIPTION, EXAMPLES)
    parser.add_argument("agent", metavar="AGENT", help="a command line in quotes, or a built-in player")
    parser.add_argument("--sizes", metavar="WxH,...", type=_sizes, default=[], help="try these boards, too: 8x7,10x10")
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=seconds,
        default=DEFAULT_LIMIT_SECONDS,
        help=f"for every answer, and for the agent to exit (default: {DEFAULT_LIMIT_SECONDS:g})",
    )
    parser.add_argument("--skip", metavar="NAME,...", default="", help="skip these cases")
    add_confinement_options(parser)
    options = parser.parse_args(words)
    if sys.platform == "win32":
        parser.error("check needs a POSIX system: Windows cannot wait for several pipes at once")
    spec = _spec(options, parser)
    tried = all_cases(options.sizes)
    skipped = frozenset(filter(None, options.skip.split(",")))
    unknown = skipped - {case.name for case in tried}
    if unknown:
        names = ", ".join(case.name for case in tried)
        parser.error(f"--skip names {', '.join(sorted(unknown))}; the cases are {names}")
    # A signal must run the code that ends the agent; by default it ends the program at once.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    width = max(len(case.name) for case in tried)
    findings: list[Finding] = []
    with reader_may_leave():
        results = run_cases(spec, tried, options.sizes, options.time_limit, skipped)
        for is_extra, group in groupby(results, key=lambda finding: finding.is_extra):
            if is_extra:
                sys.stdout.write("".join(map(_details, findings)) + EXTRA_HEADING)
            for finding in group:
                status = EXTRA_WORDS.get(finding.status, finding.status) if is_extra else finding.status
                sys.stdout.write(f"{finding.name:<{width}}  {status:<7}  {finding.title}\n")
                sys.stdout.flush()
                if not is_extra:
                    findings.append(finding)
        counts = ", ".join(
            f"{count} {status}"
            for status in ("passed", "failed", "skipped", "not run")
            if (count := sum(finding.status == status for finding in findings))
        )
        sys.stdout.write(f"\n{counts}\n")
    return EXIT_FAILED if any(finding.status == "failed" for finding in findings) else 0


def _spec(options: argparse.Namespace, parser: argparse.ArgumentParser) -> AgentSpec:
    """The agent to check; one that cannot be run as asked ends the program."""
    try:
        command = command_words(options.agent) or (sys.executable, "-m", "connect4_agent", "--agent", options.agent)
        grants = values_of(options) | {"isolation": choose_isolation(options.isolation)}
        return new_spec({"name": "agent", "command": command, **grants})
    except errors.ArenaError as error:
        parser.error(str(error))


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # the signature of a handler
    raise SystemExit(128 + number)


def _details(finding: Finding) -> str:
    if finding.problem is None:
        return ""
    parts = [
        ("command", shlex.join(finding.command)),
        ("problem", finding.problem.text),
        ("effect", finding.problem.effect),
        ("in", _shown(finding.sent)),
        ("out", _shown(finding.received) or "(nothing)"),
    ]
    if finding.stderr_tail:
        parts.append(("stderr", _shown(finding.stderr_tail)))
    return f"\n{finding.name}: {finding.title}\n" + "".join(f"  {name:<8} {text}\n" for name, text in parts)


def _shown(data: bytes) -> str:
    return escaped_end(data, SHOWN_BYTES)


def _sizes(text: str) -> list[tuple[int, int]]:
    return [board_size(part) for part in text.split(",")]
