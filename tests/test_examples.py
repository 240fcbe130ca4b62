"""The examples: a real Racket manager, a Node opponent and a shell script, with the real server."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from typing import Any

import pytest

from connect4_agent import Position
from connect4_agent.server.understand import read_request
from tests.endpoints import send, serving
from tests.processes import COMMAND, PATIENCE_SECONDS, REPOSITORY, clean_environment, run_agent

pytestmark = pytest.mark.slow

EXAMPLES = REPOSITORY / "examples"
GAME_LINE = r"game \d+: [AB] began, (A won|B won|draw), \d+ plies(, fault by [AB]: .*)?"


def run(*command: str, lines: bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        input=lines.decode(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS * 5,
        cwd=REPOSITORY,
        env=clean_environment(**environment),
        check=False,
    )


def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("racket", "examples/manager.rkt", *arguments)


@pytest.mark.needs("racket", "node")
def test_the_racket_manager_plays_the_server_against_a_random_agent() -> None:
    result = manage(
        "--games", "6", "--seed", "3", f"{COMMAND} --level medium", "node examples/random-agent.js --seed 5"
    )
    assert result.returncode == 0, result.stdout + result.stderr
    *games, totals = result.stdout.splitlines()
    assert len(games) == 6
    assert all(re.fullmatch(GAME_LINE, line) for line in games)
    assert {line.split(": ")[1][0] for line in games} == {"A", "B"}, "either player begins some of six games"
    assert totals == "A wins 6, B wins 0, draws 0, faults 0"
    assert result.stderr == ""


@pytest.mark.needs("racket")
@pytest.mark.parametrize("size", [("8", "7"), ("4", "5")])
def test_the_racket_manager_plays_two_servers_on_other_boards(size: tuple[str, str]) -> None:
    width, height = size
    result = manage("--width", width, "--height", height, f"{COMMAND} --level easy", f"{COMMAND} --agent random")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith("faults 0\n")


@pytest.mark.needs("racket")
def test_the_racket_manager_names_a_fault() -> None:
    result = manage("echo hello", f"{COMMAND} --level easy")
    assert result.returncode == 1
    assert "fault by A" in result.stdout
    assert result.stdout.endswith("A wins 0, B wins 1, draws 0, faults 1\n")


@pytest.mark.needs("racket")
def test_the_racket_manager_refuses_bad_usage() -> None:
    result = manage("--games", "none", "a", "b")
    assert result.returncode == 2
    assert '--games is "none"; allowed: a whole number' in result.stderr


def test_the_example_requests_are_answered_as_their_readme_says() -> None:
    requests = (EXAMPLES / "requests.jsonl").read_bytes()
    result = run_agent(lines=requests)
    moves = [json.loads(line)["move"] for line in result.stdout.splitlines()]
    assert (moves[:6], moves[10]) == ([3, 3, 3, 3, 4, 1], 4)
    assert result.stderr == b""


def play_in_python(*commands: str, move_seconds: int = PATIENCE_SECONDS) -> subprocess.CompletedProcess[str]:
    program = (EXAMPLES / "manager.py").read_text()
    assert "MOVE_SECONDS, FAREWELL_SECONDS = 10, 2" in program
    return run(sys.executable, "-c", program.replace("= 10, 2", f"= {move_seconds}, 0.1"), *commands)


def python(program: str) -> str:
    return shlex.join([sys.executable, "-c", program])


RANDOM_AGENT = f"{sys.executable} examples/random_agent.py"


def test_the_python_manager_plays_the_server_against_the_random_agent() -> None:
    result = play_in_python(f"{COMMAND} --level easy", RANDOM_AGENT)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.fullmatch(r"player [12] wins: four in a line|draw: the board is full", result.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "moves", ["1412171", "1647362", "34366546655", "352244334322", "126613431456475467333341527215612225546777"]
)
def test_the_python_manager_sees_the_end_of_a_game(moves: str) -> None:
    plays_moves = python(
        "import json\n"
        "for line in open(0):\n"
        "    discs = sum(cell != 0 for cells in json.loads(line)['grid'] for cell in cells)\n"
        f"    print(json.dumps(dict(move=int('{moves}'[discs]) - 1)), flush=True)"
    )
    result = play_in_python(plays_moves, plays_moves)
    assert (result.returncode, result.stderr) == (0, "")
    *rows, announcement = result.stdout.splitlines()
    shown = [list(map(int, column)) for column in zip(*map(str.split, rows), strict=True)]
    first, second = (Position.from_moves(moves, player=beginner) for beginner in (1, 2))
    game = first if first.grid() == shown else second
    assert (game.grid(), game.is_over) == (shown, True)
    assert announcement == (f"player {game.winner} wins: four in a line" if game.winner else "draw: the board is full")


@pytest.mark.parametrize(
    "answer",
    [
        *["hello", "", "3", "[3]", "null", '{"column":3}', '{"move":7}', '{"move":-1}', '{"move":3.0}'],
        *['{"move":true}', '{"move":"3"}', '{"move":1}{"move":2}', "[" * 999, "9" * 999, "\\xff", "x" * 100_000],
    ],
)
def test_an_answer_that_is_not_an_open_column_loses_in_the_python_manager(answer: str) -> None:
    answers = python(f"import os\nfor line in open(0): os.write(1, b'{answer}\\n')")
    result = play_in_python(answers, RANDOM_AGENT)
    assert (result.returncode, result.stderr) == (0, "")
    announcement = result.stdout.splitlines()[-1]
    assert re.fullmatch("player 2 wins: player 1 answered .+, not an open column", announcement)
    assert len(announcement) < 1100


def test_a_disc_in_a_full_column_loses_in_the_python_manager() -> None:
    always_left = python("for line in open(0): print('{\"move\":0}', flush=True)")
    result = play_in_python(always_left, always_left)
    announcement = result.stdout.splitlines()[-1]
    assert re.fullmatch(r'player ([12]) wins: player (?!\1). answered {"move": ?0}, not an open column', announcement)


@pytest.mark.parametrize(
    ("program", "move_seconds"),
    [
        ("", PATIENCE_SECONDS),
        ("open(0).readline()", PATIENCE_SECONDS),
        ("import os; os.close(1); import time; time.sleep(9999)", PATIENCE_SECONDS),
        ("import time; time.sleep(9999)", 1),
        ("import time; print(end='0', flush=True); time.sleep(9999)", 1),
    ],
)
def test_a_program_without_an_answer_loses_in_the_python_manager(program: str, move_seconds: int) -> None:
    result = play_in_python(python(program), python(program), move_seconds=move_seconds)
    assert (result.returncode, result.stderr) == (0, "")
    announcement = result.stdout.splitlines()[-1]
    assert re.fullmatch(r"player ([12]) wins: player (?!\1). answered (nothing|0), not an open column", announcement)


def test_the_python_manager_explains_its_usage() -> None:
    result = run(sys.executable, "examples/manager.py", "one program")
    assert result.returncode == 1
    assert "Usage: python3 examples/manager.py" in result.stderr


def test_the_random_agent_in_python_plays_legal_moves_at_random() -> None:
    requests = (EXAMPLES / "requests.jsonl").read_bytes()
    answers = run(sys.executable, "examples/random_agent.py", lines=requests).stdout
    for line, answer in zip(requests.splitlines(), answers.splitlines(), strict=True):
        assert read_request(line).position.is_open(json.loads(answer)["move"])
    many = run(sys.executable, "examples/random_agent.py", lines=requests.splitlines(keepends=True)[0] * 200).stdout
    assert len(set(many.splitlines())) == 7


def test_the_http_agent_passes_requests_and_answers_on() -> None:
    pretty = json.dumps({"move": 2, "stats": {"nodes": 9}}, indent=1).encode()
    lines = (EXAMPLES / "requests.jsonl").read_bytes().splitlines(keepends=True)[:2]
    with serving(lambda handler: send(handler, 200, {}, pretty)) as bot:
        done = run(sys.executable, "examples/http_agent.py", bot.url, lines=b"".join(lines))
    assert [json.loads(line) for line in done.stdout.splitlines()] == [json.loads(pretty)] * 2
    assert bot.requests == [json.loads(line) for line in lines]
    assert bot.headers[0]["Content-Type"] == "application/json"


@pytest.mark.parametrize(("answer", "problem"), [(500, "HTTP Error 500"), (b"<html>", "JSONDecodeError")])
def test_the_http_agent_ends_with_an_error_if_the_bot_does_not_answer(answer: Any, problem: str) -> None:
    reply = (lambda handler: send(handler, 200, {}, answer)) if isinstance(answer, bytes) else answer
    with serving(reply) as bot:
        done = run(sys.executable, "examples/http_agent.py", bot.url, lines=b'{"grid":[[0,0]]}\n')
    assert (done.returncode, done.stdout) == (1, "")
    assert problem in done.stderr


def conformance_cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLES / "conformance.jsonl").read_text().splitlines()]


def conformance_answers(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What our server answers, in the order of the cases: one process for each set of options."""
    answers = {}
    for options in {tuple(case["options"]) for case in cases}:
        asked = [case for case in cases if tuple(case["options"]) == options]
        result = run(COMMAND, *options, lines="".join(case["request"] + "\n" for case in asked).encode())
        for case, line in zip(asked, result.stdout.splitlines(), strict=True):
            answers[case["name"]] = json.loads(line)
    return [answers[case["name"]] for case in cases]


def conforms(expected: dict[str, Any], answer: dict[str, Any]) -> bool:
    if "error" in expected:
        return "move" not in answer and answer["code"] == expected["error"]
    return type(answer.get("move")) is int and answer["move"] in expected["moves"]


def test_the_server_conforms_to_the_published_cases() -> None:
    cases = conformance_cases()
    assert len({case["name"] for case in cases}) == len(cases)
    answers = conformance_answers(cases)
    assert not [(case, answer) for case, answer in zip(cases, answers, strict=True) if not conforms(case, answer)]


def test_a_case_with_a_wrong_expectation_is_noticed() -> None:
    cases = conformance_cases()
    for case, answer in zip(cases, conformance_answers(cases), strict=True):
        wrong_moves = sorted(set(range(10)) - set(case.get("moves", ())))
        assert not conforms({"moves": wrong_moves}, answer), case["name"]
        assert not conforms({"error": "line_too_long"}, answer), case["name"]


@pytest.mark.needs("node")
def test_the_random_agent_in_javascript_plays_legal_moves_and_repeats_itself() -> None:
    requests = (EXAMPLES / "requests.jsonl").read_bytes()
    first, again, other = (
        run("node", "examples/random-agent.js", "--seed", seed, lines=requests).stdout for seed in ("1", "1", "2")
    )
    assert first == again != other
    for line, answer in zip(requests.splitlines(), first.splitlines(), strict=True):
        assert read_request(line).position.is_open(json.loads(answer)["move"])


@pytest.mark.needs("node")
def test_the_random_agent_in_javascript_says_what_it_cannot_read() -> None:
    lines = b'nonsense\n\n{"grid":[[1,0]]}\n{"grid":[[1]]}'
    answers = run("node", "examples/random-agent.js", lines=lines).stdout.splitlines()
    assert [json.loads(answer)["code"] for answer in answers] == ["bad_json", "bad_grid", "board_full"]


def test_the_shell_script_prints_an_answer_to_each_position() -> None:
    result = run("sh", "examples/ask.sh")
    assert result.returncode == 0, result.stderr
    answers = [line.split()[-1] for line in result.stdout.splitlines()]
    assert answers == ['{"move":3}', '{"move":3}', '{"move":3}', '{"move":1}']


@pytest.mark.parametrize("agent", ["no-such-agent", "true", "echo hello"])
def test_the_shell_script_says_when_an_agent_does_not_answer(agent: str) -> None:
    result = run("sh", "examples/ask.sh", AGENT=agent)
    assert result.returncode == 1
    assert agent in result.stderr


@pytest.mark.needs("racket", "node")
def test_every_command_of_the_examples_readme_works() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", (EXAMPLES / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        result = run("sh", "-ec", block)
        assert result.returncode == 0, block + result.stderr
