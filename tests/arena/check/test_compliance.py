"""An agent that breaks a rule fails the case that tries it, with the reason; processes never stay behind."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.agents.spec import AgentSpec, Isolation
from connect4_agent.arena.check import compliance
from connect4_agent.arena.check.cases import cases, full_but
from connect4_agent.arena.check.check_process import MAX_OUTPUT_BYTES
from connect4_agent.arena.check.compliance import Finding, check_reply, run_cases
from connect4_agent.arena.check.extra_cases import extra_cases
from connect4_agent.cli import main
from tests.arena.helping import STUBBORN_PROCESSES, command_of
from tests.processes import PATIENCE_SECONDS, is_running, pids_in, started_agent, wait_until

pytestmark = pytest.mark.slow

SIZES = [(8, 7), (4, 4)]
CASES = {case.name: case for case in cases(SIZES)}
LIMIT_SECONDS = 30.0
"""Generous: only agents that never answer are made to reach a limit, and they get a short one."""

SHORT_SECONDS = 0.5
"""For agents that need not even have started."""

PATIENT_SECONDS = 4.0
"""For agents that must start and answer in it, and then are waited for in vain."""

AGENT = """
import json, os, sys, time
def reply(line):
    columns = [index for index, cells in enumerate(json.loads(line)["grid"]) if cells[0] == 0]
    return {"move": columns[0]}
for line in sys.stdin:
    ACT
"""

MISBEHAVIOURS = {
    "crashes": ("sys.exit(3)", "ordinary", "exit status 3", compliance.ENDS),
    "float": ('print(json.dumps({"move": 3.0}), flush=True)', "ordinary", "move is 3.0, not", compliance.NOT_WHOLE),
    "string": ('print(json.dumps({"move": "3"}), flush=True)', "ordinary", 'move is "3", not', compliance.NOT_WHOLE),
    "boolean": ('print(json.dumps({"move": True}), flush=True)', "ordinary", "move is true, not", compliance.NOT_WHOLE),
    "error": ('print(json.dumps({"error": "x"}), flush=True)', "ordinary", 'an error, "x"', compliance.NO_MOVE),
    "not JSON": ("print('three', flush=True)", "ordinary", "not JSON", compliance.NO_MOVE),
    "always column 0": ("print('{\"move\":0}', flush=True)", "right-edge", "column 0 cannot", compliance.PASSES),
    "two lines": (
        "print(json.dumps(reply(line)) + '\\n{}', flush=True)", "ordinary", "beyond the answers", compliance.SHIFTS,
    ),
    "says good-bye": (
        "print(json.dumps(reply(line)), flush=True)\nprint('bye')", "no-request", "beyond", compliance.SHIFTS,
    ),
    "bad exit status": (
        "print(json.dumps(reply(line)), flush=True)\nsys.exit(4)", "end-of-input", "status is 4", compliance.UNCLEAN,
    ),
    "answers blank lines": (
        "print(json.dumps(reply(line) if line.strip() else {'move': 0}), flush=True)",
        "blank-lines", "beyond", compliance.SHIFTS,
    ),
    "noisy": (
        "print(json.dumps(reply(line)), flush=True); sys.stderr.write('x' * 50000); sys.stderr.flush()",
        "quiet-stderr", "50000 bytes go to standard error", compliance.CLOGS,
    ),
    "no newline": (
        "sys.stdout.write(json.dumps(reply(line))); sys.stdout.flush(); break",
        "ordinary", "not ended by a newline", compliance.HANGS,
    ),
    "gives up on bad JSON": (
        "print(json.dumps(reply(line)), flush=True)", "not-json", "exit status 1", compliance.ENDS,
    ),
}  # fmt: skip


def agent_command(folder: Path, act: str) -> list[str]:
    """A Python agent that does this with every line; text after a line break is done at the end of input."""
    act, _, afterwards = act.partition("\n")
    program = folder / "agent.py"
    program.write_text(AGENT.replace("ACT", act) + afterwards)
    return [sys.executable, "-S", "-E", str(program)]


def spec_of(command: Sequence[str]) -> AgentSpec:
    return AgentSpec(name="agent", command=tuple(command), isolation=Isolation.NONE)


def finding_of(command: Sequence[str], name: str, limit_seconds: float = LIMIT_SECONDS) -> Finding:
    """What comes of one case."""
    (finding,) = run_cases(spec_of(command), [CASES[name]], SIZES, limit_seconds)
    return finding


@pytest.mark.parametrize("kind", MISBEHAVIOURS)
def test_a_broken_rule_is_found_and_its_effect_is_told(tmp_path: Path, kind: str) -> None:
    act, name, text, effect = MISBEHAVIOURS[kind]
    finding = finding_of(agent_command(tmp_path, act), name)
    assert finding.status == "failed"
    assert finding.problem is not None
    assert text in finding.problem.text
    assert finding.problem.effect == effect


@pytest.mark.parametrize(
    ("act", "limit_seconds", "text"),
    [
        ("print(json.dumps(reply(line)))", PATIENT_SECONDS, "the answer is not flushed"),
        ("time.sleep(1000)", SHORT_SECONDS, "no whole line within 0.5 s"),
        ("while True: sys.stdout.write('x' * 65536)", SHORT_SECONDS, "no whole line within 0.5 s"),
    ],
    ids=["no flush", "stalls", "endless line"],
)
def test_an_agent_that_does_not_answer_is_given_up_and_nothing_else_is_tried(
    tmp_path: Path, act: str, limit_seconds: float, text: str
) -> None:
    findings = list(run_cases(spec_of(agent_command(tmp_path, act)), list(CASES.values()), SIZES, limit_seconds))
    assert findings[0].problem is not None
    assert text in findings[0].problem.text
    assert findings[0].problem.effect == compliance.HANGS
    assert len(findings[0].received) <= MAX_OUTPUT_BYTES
    assert {finding.status for finding in findings[1:]} == {"not run"}


def test_an_agent_that_does_not_end_is_waited_for_only_once(tmp_path: Path) -> None:
    command = agent_command(tmp_path, "print(json.dumps(reply(line)), flush=True)\ntime.sleep(1000)")
    tried = [CASES[name] for name in ("end-of-input", "other-player-first", "crlf", "left-edge")]
    findings = list(run_cases(spec_of(command), tried, SIZES, PATIENT_SECONDS))
    assert findings[0].problem is not None
    assert findings[0].problem.effect == compliance.LINGERS
    assert [finding.status for finding in findings] == ["failed", "passed", "passed", "passed"]


def test_what_cannot_be_started_fails_with_the_systems_reason() -> None:
    finding = finding_of(["/nonexistent/agent"], "ordinary")
    assert finding.problem is not None
    assert "cannot be started: [Errno 2] No such file" in finding.problem.text


def test_exact_bytes_in_and_out_are_kept(tmp_path: Path) -> None:
    finding = finding_of(agent_command(tmp_path, "print('{\"move\": 9}', flush=True)"), "crlf")
    assert finding.sent.endswith(b'"width":7}\r\n')
    assert finding.received == b'{"move": 9}\n'


def test_the_built_in_server_passes_everything_and_what_only_tolerant_agents_handle_is_listed_apart(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compliance, "MAX_EXTRA_SECONDS", PATIENCE_SECONDS)  # a busy machine is slow to start it
    assert main(["check", "first-open", "--sizes", "8x7,4x4", "--time-limit", str(PATIENCE_SECONDS)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[-1] == f"{len(CASES)} passed"
    assert [line.split()[0] for line in lines[: len(CASES)]] == list(CASES)
    extra = lines[lines.index("extra: forms that only tolerant agents understand; none is required") + 1 : -2]
    assert [line.split()[:2] for line in extra] == [[case.name, "yes"] for case in extra_cases()]


def test_an_agent_that_handles_nothing_extra_has_not_failed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    act = (
        "print(json.dumps(reply(line) if all(type(c) is int for c in json.loads(line)['grid'][0]) else {}), flush=True)"
    )
    skipped = ",".join(name for name in CASES if name != "ordinary" and not name.startswith("size"))
    assert main(["check", shlex.join(agent_command(tmp_path, act)), "--skip", skipped]) == 0
    printed = capfd.readouterr().out
    assert "float-cells          no " in printed
    assert "problem" not in printed
    assert printed.endswith("\n\n1 passed, 31 skipped\n")


def test_the_command_prints_evidence_and_exits_1(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = agent_command(tmp_path, "print(json.dumps({'move': 0}), flush=True)")
    skipped = ",".join(name for name in CASES if name not in ("ordinary", "right-edge") and not name.startswith("size"))
    assert main(["check", " ".join(command), "--skip", skipped]) == 1
    printed = capfd.readouterr().out
    assert "right-edge           failed   only the rightmost column is open" in printed
    assert "  problem  column 0 cannot be played; open are 6" in printed
    assert f"  effect   {compliance.PASSES}" in printed
    assert '  out      {"move": 0}\\n' in printed
    assert '"width":7}\\n' in printed
    assert printed.endswith("1 passed, 1 failed, 30 skipped\n")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["check"], "AGENT"),
        (["check", "no-such-program"], "neither a command that can be found nor a built-in player"),
        (["check", "'unclosed"], "is not a command line"),
        (["check", "negamax:depth=0"], "depth is '0'"),
        (["check", "random", "--sizes", "8by7"], "'8by7' is not a size"),
        (["check", "random", "--sizes", "8x1000"], "sides 1 to 100"),
        (["check", "random", "--time-limit", "0"], "time limit is '0'"),
        (["check", "random", "--skip", "nonsense"], "--skip names nonsense; the cases are ordinary, "),
    ],
)
def test_a_command_line_that_cannot_be_used_exits_2(
    capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert named in capsys.readouterr().err


def test_boards_for_edges_are_over_for_nobody_and_open_only_where_told() -> None:
    for width, height in ((7, 6), (8, 7), (4, 4), (10, 10), (1, 1), (100, 3)):
        for column in {0, width // 2, width - 1}:
            position = full_but(width, height, {column: 1})
            assert position.winner is None
            assert position.legal_columns() == [column]


@given(st.binary(max_size=60))
def test_any_line_is_judged_without_an_exception(line: bytes) -> None:
    problem = check_reply(line, frozenset({0}))
    assert problem is not None or b'"move"' in line


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGINT, 128 + signal.SIGINT), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_signal_ends_the_check_and_all_of_the_agent_with_it(tmp_path: Path, number: int, status: int) -> None:
    pids_file = tmp_path / "pids"
    agent = shlex.join(command_of("stubborn", str(pids_file)))
    # Its first answer is right, but it does not end: the check waits for that.
    with started_agent("check", agent, "--time-limit", "1000", "--isolation", "none") as process:
        pids = pids_in(pids_file, STUBBORN_PROCESSES)
        assert all(map(is_running, pids))
        process.send_signal(number)
        assert process.wait() == status
    wait_until(lambda: not any(map(is_running, pids)))


def test_nothing_of_a_stubborn_agent_is_left_after_its_case(tmp_path: Path) -> None:
    finding_of(command_of("stubborn", str(tmp_path / "pids")), "no-request", SHORT_SECONDS)
    assert not any(map(is_running, pids_in(tmp_path / "pids", STUBBORN_PROCESSES)))


def test_a_missing_flush_is_not_hidden_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    program = agent_command(tmp_path, "print(json.dumps(reply(line)))")[-1]
    finding = finding_of([sys.executable, program], "ordinary", PATIENT_SECONDS)
    assert finding.problem is not None
    assert "the answer is not flushed" in finding.problem.text
