"""The check tells whether an agent can play, what is wrong, and what to do; processes never stay behind."""

from __future__ import annotations

import io
import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.check import check
from connect4_agent.arena.check.cases import all_cases, full_but, practice_case
from connect4_agent.arena.check.check import DEFAULT_GAMES, check_agent
from connect4_agent.arena.check.diagnosis import (
    diagnose,
    diagnose_fault,
    diagnose_pattern,
    diagnose_reply,
    find_language,
    quoted,
)
from connect4_agent.arena.check.result import LANGUAGES, Answer, CheckResult, Kind, Tier, Verdict
from connect4_agent.arena.check.text import format_result, repeat_line, shell_printf
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.spec import AgentSpec, StartForm
from connect4_agent.cli import main
from connect4_agent.jobs import progress
from connect4_agent.rules.position import Position
from tests.arena.check.faulty import FAULTY, GOOD_ANSWER, REMARKS, answering, written
from tests.arena.helping import STUBBORN_PROCESSES, command_of
from tests.processes import PATIENCE_SECONDS, REPOSITORY, is_running, pids_in, started_agent, wait_until

pytestmark = pytest.mark.slow

CASES = all_cases()
REQUIRED = [name for name, case in CASES.items() if case.tier is Tier.REQUIRED]

LIMIT_SECONDS = 30.0
"""Generous: only agents that never answer are made to reach a limit, and they get a short one."""


def result_of(command: Sequence[str], tried: Collection[str] = (), **settings: Any) -> CheckResult:
    """What a check of these cases finds; without practice games unless the settings differ."""
    options: dict[str, Any] = {"names": tried, "practice_games": 0}
    options |= {name: settings.pop(name) for name in ("size", "practice_games") if name in settings}
    values = {"time_limit": LIMIT_SECONDS, "startup": 10.0, "isolation": "none", **settings}
    spec = AgentSpec(name="agent", command=tuple(command), **values)
    return check_agent(spec, **options)


def text_of(result: CheckResult) -> str:
    return "\n".join(format_result(result))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer in cases that are not required: a busy machine is slow to start agents."""
    monkeypatch.setattr(check, "PATIENCE_SECONDS", PATIENCE_SECONDS)


@given(st.text(st.sampled_from("%\\\n\r\ufeff\"'{a-é \x01"), max_size=20).map("{".__add__))
def test_the_shell_prints_exactly_what_was_sent(text: str) -> None:
    for shell in ("sh", "bash"):
        said = subprocess.run(
            [shell, "-c", shell_printf(text)], capture_output=True, check=True, timeout=PATIENCE_SECONDS
        )
        assert said.stdout == text.encode()


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("case", "fault"), [("byte-order-mark", "BOM"), ("blank-lines", "Expecting value"), ("not-json", "Expecting")]
)
def test_the_line_that_repeats_a_remark_shows_the_same_fault(tmp_path: Path, case: str, fault: str) -> None:
    result = result_of(written(tmp_path, answering(GOOD_ANSWER)), [*REQUIRED, case])
    (problem,) = result.problems
    repeated = subprocess.run(
        ["sh", "-c", repeat_line(problem, result)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert fault in problem.example.stderr
    assert fault in repeated.stderr


# ---- diagnoses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_one_problem_with_its_fix_in_few_lines(tmp_path: Path, name: str) -> None:
    faulty = FAULTY[name]
    result = result_of(written(tmp_path, faulty.source), REQUIRED)
    assert result.verdict is Verdict.NOT_READY
    (problem,) = result.problems
    assert problem.kind is faulty.kind
    assert faulty.text in problem.text
    assert faulty.fix in problem.fix
    assert problem.tier is Tier.REQUIRED
    assert problem.text in text_of(result)
    assert f"fix       {problem.fix}" in text_of(result)
    assert len(text_of(result).splitlines()) <= 25


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("name", REMARKS)
def test_what_only_some_managers_do_is_a_remark(tmp_path: Path, name: str) -> None:
    faulty = REMARKS[name]
    result = result_of(written(tmp_path, faulty.source), CASES)
    assert result.verdict is Verdict.REMARKS
    (problem,) = (problem for problem in result.problems if faulty.fix in problem.fix)
    assert problem.kind is faulty.kind
    assert faulty.text in problem.text
    assert problem.tier is Tier.ROBUST


def test_a_slow_agent_is_slow_and_not_unflushed(tmp_path: Path) -> None:
    act = f"time.sleep(1.5); {GOOD_ANSWER}"
    result = result_of(written(tmp_path, answering(act)), ["second-move"], time_limit=0.4, startup=60.0)
    (problem,) = result.problems
    assert problem.kind is Kind.TOO_SLOW
    assert problem.text.startswith("too slow: 1.")
    assert problem.text.endswith("s, limit 0.4 s")
    assert result.not_run == 0


def test_a_slow_start_has_its_allowance(tmp_path: Path) -> None:
    command = written(tmp_path, answering(GOOD_ANSWER, "import time\ntime.sleep(2.5)\n"))
    assert result_of(command, time_limit=5.0, startup=60.0).verdict is Verdict.READY


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import time\ntime.sleep(1000)\n", "it is waiting for something"),
        ("while True: pass\n", "it is still computing"),
        (
            "import sys\nfor line in sys.stdin: pass\n",
            "0.5 s to start, 5 s to be sure); it ends with its input",
        ),
        ("import sys\ninput()\nwhile True: sys.stdout.write('x' * 65536)\n", "is not ended by a newline"),
    ],
    ids=["waits", "computes", "reads", "endless line"],
)
def test_an_agent_that_does_not_answer_is_given_up_and_nothing_else_is_tried(
    tmp_path: Path, source: str, text: str
) -> None:
    result = result_of(written(tmp_path, source), CASES, time_limit=0.5, startup=0.5, practice_games=2)
    (problem,) = result.problems
    assert text in problem.text
    assert [finding.name for finding in result.findings] == ["ordinary"]
    assert result.games == ()
    assert f"{len(CASES) - 1} more cases and the practice games follow once this is repaired" in text_of(result)


def test_an_agent_that_is_too_slow_later_is_not_tried_in_all_cases(tmp_path: Path) -> None:
    act = f"time.sleep(1.5 if any(map(any, grid)) else 0); {GOOD_ANSWER}"
    result = result_of(written(tmp_path, answering(act)), CASES, time_limit=0.4, startup=60.0)
    assert [problem.kind for problem in result.problems] == [Kind.TOO_SLOW]
    assert result.not_run > 20


def test_memory_is_limited_as_in_the_arena(tmp_path: Path) -> None:
    source = answering("table = b'x' * 600_000_000; time.sleep(1000)")
    (problem,) = result_of(written(tmp_path, source), memory="200M").problems
    assert problem.kind is Kind.TOO_MUCH
    assert "MB of memory; its limit is 200 MB" in problem.text
    assert "does a table grow without end?" in problem.fix


def test_a_program_that_does_not_start_is_told_with_the_systems_reason(tmp_path: Path) -> None:
    (problem,) = result_of(["/nonexistent/agent"]).problems
    assert "it does not start: /nonexistent/agent: not found" in problem.text
    (tmp_path / "data").write_text("x")
    (problem,) = result_of([str(tmp_path / "data")]).problems
    assert problem.kind is Kind.WOULD_NOT_START
    assert "Permission denied" in problem.text
    assert "chmod +x" in problem.fix


def test_a_first_line_with_windows_line_ends_is_recognized(tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_bytes(b"#!/usr/bin/env python3\r\nimport sys\r\n")
    program.chmod(0o755)
    (problem,) = result_of([str(program)]).problems
    assert problem.kind is Kind.WOULD_NOT_START
    assert "CR LF (Windows)" in problem.fix


def test_a_missing_flush_is_not_hidden_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    program = written(tmp_path, FAULTY["unflushed"].source)[-1]
    (problem,) = result_of([sys.executable, program]).problems
    assert problem.kind is Kind.NOT_FLUSHED


def test_an_agent_that_does_not_end_gets_a_remark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "PATIENCE_SECONDS", 4.0)
    source = answering(GOOD_ANSWER) + "time.sleep(1000)\n"
    result = result_of(written(tmp_path, source), ["end-of-input", "left-edge"])
    assert [problem.kind for problem in result.problems] == [Kind.BAD_END]
    assert result.verdict is Verdict.REMARKS


@given(st.binary(max_size=60))
def test_any_line_is_judged_without_an_exception(line: bytes) -> None:
    assert diagnose_reply(line) is not None or b'"move"' in line
    assert quoted(line).isprintable()


@given(st.text(max_size=200), st.sampled_from([None, 0, 1, -11, 127]), st.integers(0, 2))
def test_an_end_is_told_in_one_harmless_line(stderr: str, status: int | None, answers: int) -> None:
    fault = FaultError(Ending.CRASHED, "it ended", stderr_tail=stderr, exit_status=status)
    assert diagnose_fault(fault, answers).text.isprintable()


@given(st.data())
def test_an_agent_whose_moves_are_legal_has_no_pattern(data: st.DataObject) -> None:
    boards = [full_but(7, 6, {column: 2}) for column in range(7)] + [Position()] * 3
    moves = [data.draw(st.sampled_from(board.legal_columns())) for board in boards]
    grids = [tuple(map(tuple, board.grid())) for board in boards]
    answers = [Answer(grid=grid, player=1, move=move) for grid, move in zip(grids, moves, strict=True)]
    assert diagnose_pattern(answers) is None


LANGUAGE_OF = {
    ("python3", "agent"): "Python",
    ("bot.py:choose",): "Python",
    ("/usr/bin/node", "agent.js"): "JavaScript",
    ("java", "-cp", "out", "Agent"): "Java",
    ("racket", "agent.rkt"): "Racket",
    ("./agent",): "C and C++",
    ("script",): "JavaScript",
}


@pytest.mark.parametrize("words", LANGUAGE_OF, ids=" ".join)
def test_fixes_are_in_the_language_of_the_program(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "script").write_text("#!/usr/bin/env node\n")
    language = find_language(words, str(tmp_path))
    assert language == LANGUAGE_OF[words]
    fixes = [diagnose(kind, "").in_language(language).fix for kind in (Kind.NOT_FLUSHED, Kind.NOT_JSON, Kind.LEFT)]
    for key, fix in zip(("flush", "json", "loop"), fixes, strict=True):
        assert f"({language}: {LANGUAGES[language][key]})" in fix
    assert "$" not in "".join(fixes)


def test_a_slow_program_is_estimated_in_a_pipe_and_not_tried_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "MAX_ROBUST_SECONDS", 0.0)
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    shown = io.StringIO()
    values = {"name": "agent", "command": written(tmp_path, answering(GOOD_ANSWER)), "isolation": "none"}
    spec = AgentSpec.model_validate(values | {"time_limit": LIMIT_SECONDS, "startup": 10.0})
    result = check_agent(spec, practice_games=0, progress=progress.Progress("cases", "try", shown))
    assert f"check: 2 of {len(CASES)} cases, " in shown.getvalue()
    assert " to go" in shown.getvalue()
    assert (result.verdict, result.not_run) == (Verdict.READY, len(CASES) - len(REQUIRED))
    assert f"{result.not_run} more cases were not tried: it starts slowly" in text_of(result)


# ---- the start ------------------------------------------------------------------------------------------------------


def test_a_start_that_is_given_is_kept(tmp_path: Path) -> None:
    command = written(tmp_path, answering(GOOD_ANSWER, "import sys\nsys.argv[2]\n"))
    result = result_of(command, REQUIRED, start=StartForm.WORDS)
    assert (result.start, result.verdict) == (StartForm.WORDS, Verdict.READY)
    assert 'start = "words"' in text_of(result)


# ---- practice games -------------------------------------------------------------------------------------------------


def test_a_crash_that_no_case_shows_is_found_in_practice_games(tmp_path: Path) -> None:
    late = "sum(cell > 0 for cells in grid for cell in cells) in (9, 10)"
    source = answering(f"move = open_columns(grid)[0]; None > 1 if {late} else {GOOD_ANSWER}")
    result = result_of(written(tmp_path, source), REQUIRED, practice_games=3)
    assert {finding.kind for finding in result.findings} == {None}
    (problem,) = result.problems
    assert problem.kind is Kind.CRASHED
    assert problem.seen_in == tuple(game.name for game in result.games if game.diagnosis is not None)
    assert f"{len(problem.seen_in)} lost by faults" in text_of(result)
    grid = json.loads(problem.example.sent)["grid"]
    assert sum(cell > 0 for cells in grid for cell in cells) in (9, 10)
    assert f"printf {shlex.quote(problem.example.sent.strip() + chr(92) + 'n')} | " in text_of(result)


def test_twenty_games_are_six_against_random_six_against_greedy_and_eight_against_hard() -> None:
    titles = [practice_case(number, 7, 6).title for number in range(DEFAULT_GAMES)]
    assert {title.split()[-1]: titles.count(title) for title in titles} == {"random": 6, "greedy": 6, "hard": 8}


def test_no_practice_game_begins_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MAX_PRACTICE_SECONDS", 0.0)
    result = result_of(written(tmp_path, answering(GOOD_ANSWER)), practice_games=20)
    assert len(result.games) == 1
    assert "practice  1 of 20 games, none lost by faults; won-drawn-lost against random " in text_of(result)


# ---- agents that are ready ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("patient")
def test_the_server_is_ready_and_passes_everything(capfd: pytest.CaptureFixture[str]) -> None:
    server = shlex.join([sys.executable, "-m", "connect4_agent", "--agent", "first-open"])
    assert main(["check", server, "--time-limit", str(PATIENCE_SECONDS), "--practice", "2"]) == 0
    assert capfd.readouterr().out.splitlines()[:2] == [
        f"required  {len(REQUIRED)} of {len(REQUIRED)} cases passed",
        f"robust    {len(CASES) - len(REQUIRED)} of {len(CASES) - len(REQUIRED)} cases passed",
    ]


@pytest.mark.needs("node")
@pytest.mark.usefixtures("patient")
def test_the_example_in_javascript_is_ready_without_remarks() -> None:
    result = result_of(["node", str(REPOSITORY / "examples" / "random-agent.js")], CASES, practice_games=3)
    assert result.verdict is Verdict.READY
    assert len(result.games) == 3


def test_another_board_is_checked_with_its_own_cases() -> None:
    result = result_of(command_of("good"), list(all_cases(9, 5)), size=(9, 5), practice_games=1)
    assert result.verdict is Verdict.READY
    assert result.findings[0].sent.count("[0,0,0,0,0]") == 9


def test_boards_for_edges_are_over_for_nobody_and_open_only_as_asked() -> None:
    for width, height in ((7, 6), (8, 7), (4, 4), (10, 10), (1, 1), (100, 3)):
        for column in {0, width // 2, width - 1}:
            position = full_but(width, height, {column: 1})
            assert position.winner is None
            assert position.legal_columns() == [column]


# ---- the command ----------------------------------------------------------------------------------------------------


def test_the_command_prints_the_problem_once_and_exits_1(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = shlex.join(written(tmp_path, answering('print(json.dumps({"move": 0}), flush=True)')))
    assert main(["check", command, "--practice", "0"]) == 1
    printed, progress_lines = capfd.readouterr()
    assert progress_lines.startswith(f"check: {len(CASES)} of {len(CASES)} cases and games to try\n")
    assert printed.count("column is full") == 1
    assert "1. move is 0, but that column is full; open " in printed
    assert 'printed   {"move": 0}' in printed
    assert ": not ready (1 problem, " in printed


def test_json_holds_the_verdict_the_problems_and_every_case(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = shlex.join(written(tmp_path, FAULTY["float"].source))
    assert main(["check", command, "--practice", "0", "--json"]) == 1
    (line,) = capfd.readouterr().out.splitlines()
    result = json.loads(line)
    assert result["verdict"] == "not ready"
    assert result["problems"][0]["kind"] == "move is not an integer"
    assert result["problems"][0]["fix"] == 'move is a whole number without quotes: {"move": 3}'
    assert result["problems"][0]["example"]["received"] == '{"move": 3.0}\n'
    assert [finding["name"] for finding in result["findings"]] == REQUIRED
    assert result["not_run"] == len(CASES) - len(REQUIRED)


def test_a_tournaments_file_names_agents_limits_and_starts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good, bad = (shlex.join(command_of(name)) for name in ("good", "crash_at_start"))
    (tmp_path / "t.toml").write_text(
        "time_limit = 20.0\n"
        f'[[agents]]\nname = "Anna"\ncommand = {json.dumps(good)}\n'
        f'[[agents]]\nname = "Ben"\ncommand = {json.dumps(bad)}\n'
        '[[agents]]\nname = "hard"\nplayer = "hard"\n'
    )
    words = ["check", str(tmp_path / "t.toml"), "--practice", "1"]
    assert main([*words, "Anna"]) == 0
    assert "Anna: ready" in capfd.readouterr().out
    assert main(words) == 1
    verdicts = capfd.readouterr().out.splitlines()[-2:]
    assert verdicts[0].startswith("Anna: ready")
    assert verdicts[1] == "Ben: not ready (1 problem)"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["check"], "AGENT"),
        (["check", "no-such-program"], "neither a command that can be found nor a built-in player"),
        (["check", "'unclosed"], "is not a command line"),
        (["check", "negamax:depth=0"], "depth is '0'"),
        (["check", "random", "Anna"], "'random' is not a TOML file; put a command in quotes: \"random Anna\""),
        (["check", "python3", "agent.py"], 'put the command in quotes: "python3 agent.py"'),
        (["check", "/usr/bin/java", "-cp", "out", "Agent"], 'in quotes: "/usr/bin/java -cp"'),
        (["match", "python3", "agent.py", "easy"], 'put the command in quotes: "python3 agent.py"'),
        (["match", "easy", "python3"], "python3 needs a program"),
        (["match", "python3", "easy"], "python3 needs a program"),
        (["check", "no-such.toml"], "cannot read no-such.toml"),
        (["check", "examples/tournament.toml", "Anna"], "has no agent 'Anna'; its agents are hard, easy,"),
        (["check", "examples/tournament.toml", "hard"], "built-in players, which need no check"),
        (["check", "random"], "random: only built-in players, which need no check"),
        (["check", "random", "--time-limit", "0"], "time limit is '0'"),
        (["check", "random", "--practice", "-1"], "'-1' is not a whole number from 0 to 1000"),
        (["check", "random", "--start", "x"], "bare, flags, words"),
    ],
)
def test_a_command_line_that_cannot_be_used_exits_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], named: str
) -> None:
    monkeypatch.chdir(REPOSITORY)
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert named in capsys.readouterr().err


def test_a_file_that_may_not_be_executed_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "agent"
    program.write_text(answering(GOOD_ANSWER))
    with pytest.raises(SystemExit):
        main(["check", str(program)])
    assert "may not be executed: chmod +x it, or name its interpreter" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGINT, 128 + signal.SIGINT), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_signal_ends_the_check_and_all_of_the_agent_with_it(tmp_path: Path, number: int, status: int) -> None:
    pids_file = tmp_path / "pids"
    agent = shlex.join(command_of("stubborn", str(pids_file)))
    with started_agent("check", agent, "--time-limit", "1000", "--isolation", "none") as process:
        pids = pids_in(pids_file, STUBBORN_PROCESSES)
        process.send_signal(number)
        assert process.wait() == status
    wait_until(lambda: not any(map(is_running, pids)))


def test_nothing_of_a_stubborn_agent_is_left_after_the_check(tmp_path: Path) -> None:
    result_of(command_of("stubborn", str(tmp_path / "pids")))
    assert not any(map(is_running, pids_in(tmp_path / "pids", STUBBORN_PROCESSES)))
