"""connect4-agent check: whether an agent keeps the protocol."""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from connect4_agent import errors
from connect4_agent.arena.agents import command_words
from connect4_agent.commands.options import EXIT_FAILED, new_parser, seconds
from connect4_agent.commands.output import reader_may_leave
from connect4_agent.position import LARGEST_SIDE

if TYPE_CHECKING:
    from types import FrameType

    from connect4_agent.arena.compliance import Finding

DESCRIPTION = """\
Send an agent what tournament managers send, the ordinary and the odd, and print what passed, what failed
with the bytes that went in and came out, and what the failure would do in a real manager. AGENT is a command
line, or a built-in player, which is run by this program's own server. Every case has a process of its own.
The exit status is 0 if all passed, 1 if anything failed, 2 for a command line that cannot be used.
"""

EXAMPLES = """\
examples:
  connect4-agent check "node examples/random-agent.js"
  connect4-agent check "python3 my_agent.py" --sizes 8x7,10x10 --time-limit 2
  connect4-agent check negamax:depth=4
  connect4-agent check ./my_agent --skip byte-order-mark,positional
"""

DEFAULT_LIMIT_SECONDS = 10.0


def run(words: list[str]) -> int:
    """Check; the exit status."""
    parser = new_parser("connect4-agent check", DESCRIPTION, EXAMPLES)
    parser.add_argument("agent", metavar="AGENT", help="a command line in one word (quoted), or a built-in player")
    parser.add_argument("--sizes", metavar="WxH,...", type=_sizes, default=[], help="other boards to try: 8x7,10x10")
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=seconds,
        default=DEFAULT_LIMIT_SECONDS,
        help=f"for every answer and for the end (default: {DEFAULT_LIMIT_SECONDS:g})",
    )
    parser.add_argument("--skip", metavar="NAME,...", default="", help="cases to leave out")
    options = parser.parse_args(words)
    if sys.platform == "win32":
        parser.error("check needs a POSIX system: Windows cannot wait for several pipes at once")
    try:
        command = command_words(options.agent)
    except errors.AgentError as error:
        parser.error(str(error))
    if command is None:
        command = (sys.executable, "-m", "connect4_agent", "--agent", options.agent)

    from connect4_agent.arena.compliance import run_cases  # noqa: PLC0415  # pydantic only for good options
    from connect4_agent.arena.compliance_cases import cases  # noqa: PLC0415

    tried = list(cases(options.sizes))
    skipped = frozenset(filter(None, options.skip.split(",")))
    unknown = skipped - {case.name for case in tried}
    if unknown:
        names = ", ".join(case.name for case in tried)
        parser.error(f"--skip names {', '.join(sorted(unknown))}; the cases are {names}")
    # The way out must lead through the code that ends the agent; by default a signal ends the program at once.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    width = max(len(case.name) for case in tried)
    findings = []
    with reader_may_leave():
        for finding in run_cases(command, tried, options.time_limit, skipped):
            findings.append(finding)
            sys.stdout.write(f"{finding.name:<{width}}  {finding.status:<7}  {finding.title}\n")
            sys.stdout.flush()
        for finding in findings:
            sys.stdout.write(_details(finding))
        counts = ", ".join(
            f"{count} {status}"
            for status in ("passed", "failed", "skipped", "not run")
            if (count := sum(finding.status == status for finding in findings))
        )
        sys.stdout.write(f"\n{counts}\n")
    return EXIT_FAILED if any(finding.status == "failed" for finding in findings) else 0


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # the signature of a handler
    raise SystemExit(128 + number)


def _details(finding: Finding) -> str:
    from connect4_agent.arena.compliance import shown_bytes  # noqa: PLC0415

    if finding.problem is None:
        return ""
    parts = [
        ("command", shlex.join(finding.command)),
        ("problem", finding.problem.text),
        ("effect", finding.problem.effect),
        ("in", shown_bytes(finding.sent)),
        ("out", shown_bytes(finding.received) or "(nothing)"),
    ]
    if finding.stderr_tail:
        parts.append(("stderr", shown_bytes(finding.stderr_tail)))
    return f"\n{finding.name}: {finding.title}\n" + "".join(f"  {name:<8} {text}\n" for name, text in parts)


def _sizes(text: str) -> list[tuple[int, int]]:
    sizes = []
    for part in text.split(","):
        width, _, height = part.partition("x")
        if not (
            width.isdecimal() and height.isdecimal() and all(1 <= int(side) <= LARGEST_SIDE for side in (width, height))
        ):
            raise argparse.ArgumentTypeError(
                f"{part!r} is no size; allowed is WxH, such as 8x7, sides 1 to {LARGEST_SIDE}"
            )
        sizes.append((int(width), int(height)))
    return sizes
