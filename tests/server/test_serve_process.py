"""The real server as managers drive it: pipes, signals, ends of input and odd lines."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import threading
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from connect4_agent.rules.position import Position
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.request import make_request
from tests.boards import Grid, games, settled_grids
from tests.effort import examples
from tests.processes import (
    COMMAND,
    PATIENCE_SECONDS,
    ask,
    clean_environment,
    processor_seconds,
    run_agent,
    started_agent,
    wait_until,
)
from tools.benchmarks.positions.make import FOLDER

pytestmark = pytest.mark.slow

EMPTY = b'{"grid":' + json.dumps([[0] * 6] * 7).encode() + b',"height":6,"player":1,"width":7}'
CENTRE = b'{"move":3}\n'
ENDLESS = ("--depth", "40", "-v")
"""Options with which the position below takes hours: whatever ends the search ends it from outside."""
HARD = json.dumps({"grid": Position.from_moves("4444").grid(), "player": 1}).encode()

with_and_without_switch = pytest.mark.parametrize("interpreted", ["0", "1"], ids=["compiled", "interpreted"])


def answers(output: bytes) -> list[Any]:
    assert output.endswith(b"\n") or not output
    return [json.loads(line) for line in output.splitlines()]


def request(grid: Grid, **others: object) -> bytes:
    return json.dumps({"grid": grid, **others}).encode()


def keep_busy(process: subprocess.Popen[bytes]) -> None:
    """Send a request that takes hours to a server that echoes, and wait until it is at work on it."""
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(HARD + b"\n")
    while HARD not in process.stderr.readline():
        pass
    begun = processor_seconds(process.pid)
    wait_until(lambda: processor_seconds(process.pid) > begun + 0.05)  # only a search takes that much


def test_an_answer_comes_before_the_next_request_without_any_unbuffering() -> None:
    assert "PYTHONUNBUFFERED" not in clean_environment()
    with started_agent() as process:
        assert ask(process, EMPTY) == CENTRE
        assert ask(process, b"oops").startswith(b'{"error":')
        assert ask(process, EMPTY) == CENTRE
        process.stdin.close()  # type: ignore[union-attr]
        assert process.stdout.read() == b""  # type: ignore[union-attr]
        assert process.wait(PATIENCE_SECONDS) == 0


@with_and_without_switch
def test_the_worked_example_is_blocked(interpreted: str) -> None:
    line = (
        b'{"grid":[[0,0,0,0,0,0],[0,0,0,2,2,2],[1,2,2,1,2,1],[0,0,0,0,2,1],[0,0,0,0,1,1],[0,0,0,1,2,2],'
        b'[0,0,0,0,1,1]],"height":6,"player":1,"width":7}\n'
    )
    result = run_agent(lines=line, environment=clean_environment(CONNECT4_AGENT_INTERPRETED=interpreted))
    assert (result.returncode, result.stdout) == (0, b'{"move":1}\n')


def test_every_line_that_is_not_blank_gets_exactly_one_line() -> None:
    lines = [EMPTY, b"", b"   ", b"nonsense", b"\r", b"[]", EMPTY + b"\r", b"\t", b'{"grid":[[0,5]]}', b"{}"]
    result = run_agent(lines=b"\n".join(lines) + b"\n")
    assert [list(answer) for answer in answers(result.stdout)] == [
        ["move"],
        ["error", "code"],
        ["error", "code"],
        ["move"],
        ["error", "code"],
        ["error", "code"],
    ]
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    "lines",
    [
        EMPTY,
        EMPTY + b"\r\n",
        b"\xef\xbb\xbf" + EMPTY + b"\n",
        b"\n\n\xef\xbb\xbf\n" + EMPTY,
        EMPTY.replace(b",", b" , ").replace(b":", b": ") + b"\n",
        EMPTY.replace(b'"height"', b'"game":{"id":[1,2]},"height"') + b"\n",
    ],
    ids=["no newline at the end", "CRLF", "byte order mark", "blank lines", "blanks", "unknown keys"],
)
def test_what_real_managers_send_is_answered_with_a_move(lines: bytes) -> None:
    result = run_agent(lines=lines)
    assert (result.returncode, result.stdout, result.stderr) == (0, CENTRE, b"")


def test_many_requests_at_once_are_all_answered_before_the_end_of_input_ends_the_server() -> None:
    count = 3000
    result = run_agent(lines=(EMPTY + b"\nx\n") * count)
    found = answers(result.stdout)
    assert result.returncode == 0
    assert len(found) == 2 * count
    assert found[::2] == [{"move": 3}] * count
    assert {answer["code"] for answer in found[1::2]} == {"bad_json"}


def test_an_empty_input_is_answered_with_nothing() -> None:
    result = run_agent(lines=b"")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@given(played=st.lists(games(st.sampled_from([(7, 6), (8, 7), (4, 4), (6, 7)])), min_size=3, max_size=3))
@examples(3)
def test_the_requests_of_several_games_in_one_process_are_answered_with_legal_moves(
    played: list[list[Position]],
) -> None:
    positions = [position for game in played for position in game if not position.is_full]
    lines = [
        request(position.grid(), height=position.height, player=position.player, width=position.width)
        for position in positions
    ]
    result = run_agent("--level", "easy", lines=b"\n".join(lines))
    found = answers(result.stdout)
    assert len(found) == len(positions)
    for position, answer in zip(positions, found, strict=True):
        assert type(answer["move"]) is int
        assert position.is_open(answer["move"])


@given(grids=st.lists(settled_grids(), min_size=20, max_size=40))
@examples(3, HealthCheck.large_base_example)
def test_a_grid_with_an_open_column_gets_a_legal_move_however_odd_it_is(grids: list[Grid]) -> None:
    result = run_agent("--depth", "3", lines=b"\n".join(request(grid) for grid in grids))
    for grid, answer in zip(grids, answers(result.stdout), strict=True):
        if any(cells[0] == 0 for cells in grid):
            assert grid[answer["move"]][0] == 0
        else:
            assert answer["code"] == "board_full"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.sampled_from(["grid", "player", "x"]), inner),
    max_leaves=30,
)


@given(values=st.lists(json_values, min_size=30, max_size=60), junk=st.lists(st.binary(max_size=40), max_size=20))
@examples(3, HealthCheck.large_base_example)
def test_any_json_value_and_any_bytes_get_one_valid_line_each(values: list[object], junk: list[bytes]) -> None:
    lines = [json.dumps(value).encode() for value in values] + junk
    result = run_agent("--level", "easy", lines=b"".join(line + b"\n" for line in lines))
    sent = [line for line in b"\n".join(lines).split(b"\n") if line.removeprefix(BOM_UTF8).strip()]
    found = answers(result.stdout)
    assert len(found) == len(sent)
    for answer in found:
        assert list(answer) in (["move"], ["error", "code"])
    assert result.returncode == 0


@pytest.mark.needs("ps")
def test_a_line_of_100_mb_takes_little_memory_and_the_next_line_is_answered() -> None:
    with started_agent(stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ask(process, EMPTY)
        piece = b'{"grid":' + b"[0]," * 250_000
        for _ in range(100):
            process.stdin.write(piece)
        resident = subprocess.run(["ps", "-o", "rss=", "-p", str(process.pid)], capture_output=True, check=True)
        assert json.loads(ask(process, b"")) == {
            "error": "the line is longer than 262144 bytes, the most that is read",
            "code": "line_too_long",
        }
        assert ask(process, EMPTY) == CENTRE
    assert int(resident.stdout) < 100_000  # KiB


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
@pytest.mark.parametrize("kib", [36_000, 48_000, 61_440])
def test_a_shortage_of_memory_costs_answers_but_not_the_server(kib: int) -> None:
    size = MAX_LINE_BYTES - 100
    hungry = [
        b'{"grid":[' + b"[]," * (size // 3) + b"[]]}",
        b'{"grid":[' + b'["1"],' * (size // 6) + b"[1]]}",
        b'{"grid":[' + b"{}," * (size // 3) + b'[]],"x":NaN}',
        b'{"a":[' + b"[[]]," * (size // 5),
    ]
    lines = [line for each in hungry for line in (each, EMPTY)]
    limited = ["sh", "-c", f'ulimit -v {kib}; exec "$0"', COMMAND]
    with subprocess.Popen(
        limited, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=clean_environment()
    ) as process:
        try:
            output, _ = process.communicate(b"\n".join([EMPTY, *lines]), timeout=PATIENCE_SECONDS)
        finally:
            process.kill()
    if not output and process.returncode:
        pytest.skip("Python itself does not start with that little")
    first, *found = answers(output)
    assert (first, found[1::2]) == ({"move": 3}, [{"move": 3}] * len(hungry))
    assert all("error" in answer for answer in found[::2])
    assert process.returncode == 0


@pytest.mark.needs("ps")
@pytest.mark.parametrize(("level", "most_mb"), [("easy", 120), ("medium", 120), ("hard", 120), ("perfect", 250)])
def test_the_memory_of_a_server_is_bounded(level: str, most_mb: int) -> None:
    with started_agent("--level", level, stderr=subprocess.DEVNULL) as process:
        games = [line.split()[0] for line in (FOLDER / "early-far.txt").read_text().splitlines()]
        for moves in [moves for moves in games if len(moves) >= 12][:15]:  # in no book: the tables fill up
            position = Position.from_moves(moves)
            assert position.is_open(json.loads(ask(process, make_request(position)))["move"])
        resident = subprocess.run(["ps", "-o", "rss=", "-p", str(process.pid)], capture_output=True, check=True)
    assert int(resident.stdout) * 1024 < most_mb * 1_000_000


def test_a_line_of_blanks_is_blank_however_long_it_is() -> None:
    result = run_agent(lines=b" " * 3_000_000 + b"\n" + EMPTY + b"\n")
    assert result.stdout == CENTRE


@with_and_without_switch
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("busy", [False, True], ids=["waiting", "searching"])
def test_a_signal_ends_the_server_at_once_without_a_word(
    number: signal.Signals, status: int, busy: bool, interpreted: str
) -> None:
    environment = clean_environment(CONNECT4_AGENT_INTERPRETED=interpreted)
    with started_agent(*ENDLESS, env=environment) as process:
        assert ask(process, EMPTY) == CENTRE
        if busy:
            keep_busy(process)
        process.send_signal(number)
        output, messages = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == status
    assert output == b""
    assert b"Traceback" not in messages


@with_and_without_switch
@pytest.mark.parametrize("busy", [False, True], ids=["waiting", "searching"])
def test_a_reader_that_goes_away_ends_the_server_with_0(busy: bool, interpreted: str) -> None:
    environment = clean_environment(CONNECT4_AGENT_INTERPRETED=interpreted)
    with started_agent(*ENDLESS, env=environment) as process:
        assert ask(process, EMPTY) == CENTRE
        if busy:
            keep_busy(process)
        process.stdout.close()  # type: ignore[union-attr]
        assert process.wait(PATIENCE_SECONDS) == 0
        assert b"Traceback" not in process.stderr.read()  # type: ignore[union-attr]


@pytest.mark.needs("compiled")
def test_a_reader_that_goes_away_before_the_first_answer_ends_the_server_with_0() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with started_agent(stdout=writing) as process:
        os.close(writing)
        process.stdin.write(EMPTY + b"\n")  # type: ignore[union-attr]
        assert process.wait(PATIENCE_SECONDS) == 0
        assert process.stderr.read() == b""  # type: ignore[union-attr]


ODD_REQUEST = request([[0, 1, 1, 1, 1], [0, 0, 2, 2, 2], [0, 0, 0, 0, 1]], width=9, height=9, player=9)


def test_warnings_go_to_standard_error_in_little_space() -> None:
    result = run_agent(lines=ODD_REQUEST)
    assert answers(result.stdout) == [{"move": 1}]
    warnings = result.stderr.decode().splitlines()
    assert [line.partition(" is ")[0] for line in warnings] == [
        "connect4-agent: warning: width",
        "connect4-agent: warning: height",
        "connect4-agent: warning: player",
        "connect4-agent: warning: the game",
        "connect4-agent: warning: odd disc counts: player 1 has 5, player 2 has 3, and player 2",
    ]
    assert len(result.stderr) < 3000


def test_an_ordinary_game_leaves_standard_error_empty() -> None:
    assert run_agent(lines=(EMPTY + b"\n" + HARD + b"\n") * 3).stderr == b""


def test_an_unread_standard_error_never_hangs_the_server() -> None:
    with started_agent("-v") as process:
        for _ in range(2000):  # about a megabyte of messages into a pipe that holds 64 KiB
            assert json.loads(ask(process, ODD_REQUEST)) == {"move": 1}
        process.stdin.close()  # type: ignore[union-attr]
        assert process.wait(PATIENCE_SECONDS) == 0


def test_what_python_itself_says_never_hangs_the_server() -> None:
    program = (
        "import warnings\n"
        "from connect4_agent.cli import main\n"
        "from connect4_agent.engine.players import simple\n"
        "def choose(self, *_):\n"
        "    warnings.warn('x' * 1000, stacklevel=1)\n"
        "    raise ValueError\n"
        "simple.FirstOpenPlayer.choose = choose\n"
        "warnings.simplefilter('always')\n"
        "main(['--agent', 'first-open'])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        bufsize=0,
    ) as process:
        try:
            for _ in range(200):
                assert ask(process, EMPTY) == CENTRE
        finally:
            process.kill()


def test_a_standard_error_whose_reader_has_gone_does_not_matter() -> None:
    with started_agent("-v") as process:
        process.stderr.close()  # type: ignore[union-attr]
        assert json.loads(ask(process, ODD_REQUEST)) == {"move": 1}
        assert ask(process, EMPTY) == CENTRE


@pytest.mark.needs("compiled")
def test_a_standard_error_in_a_file_holds_the_messages(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file, started_agent("-v", stderr=file) as process:
        assert ask(process, EMPTY) == CENTRE
    assert log.read_bytes() == b"connect4-agent: in:  " + EMPTY + b"\nconnect4-agent: out: " + CENTRE


@pytest.mark.parametrize("closed", ["2>&-", "2</dev/null", "2>/dev/full"])
def test_a_closed_or_unwritable_standard_error_does_not_matter(closed: str) -> None:
    lines = b"\n".join([ODD_REQUEST, EMPTY])
    result = subprocess.run(
        ["sh", "-c", f'exec "$0" -v {closed}', COMMAND],
        input=lines,
        stdout=subprocess.PIPE,
        timeout=PATIENCE_SECONDS,
        env=clean_environment(),
        check=False,
    )
    assert (result.returncode, answers(result.stdout)) == (0, [{"move": 1}, {"move": 3}])


def test_the_managers_descriptors_stay_blocking() -> None:
    reading, writing = os.pipe()
    with started_agent("-v", stderr=writing) as process:
        assert ask(process, ODD_REQUEST)
        assert os.get_blocking(writing)
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.needs("compiled")
def test_a_server_started_with_closed_streams_ends_with_0(closed: str) -> None:
    result = subprocess.run(
        ["sh", "-c", f'exec "$0" {closed}', COMMAND],
        input=EMPTY,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        env=clean_environment(),
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@pytest.mark.parametrize("command", [[], ["move"], ["analyze"]])
@pytest.mark.needs("compiled")
def test_an_answer_that_cannot_be_written_is_told_and_fails(command: list[str]) -> None:
    with open("/dev/full", "wb") as full, started_agent(*command, stdout=full) as process:
        _, messages = process.communicate(b'{"grid":[[0,0],[0,0]]}', timeout=PATIENCE_SECONDS)
        assert process.returncode == 1
    assert messages == b"connect4-agent: error: cannot write the answer: No space left on device\n"


def test_a_socket_serves_as_well_as_two_pipes() -> None:
    ours, theirs = socket.socketpair()
    with ours, started_agent(stdin=theirs, stdout=theirs) as process:
        theirs.close()
        ours.sendall(EMPTY + b"\n")
        assert ours.makefile("rb").readline() == CENTRE
        ours.sendall(EMPTY + b"\n")
        ours.shutdown(socket.SHUT_WR)
        assert ours.makefile("rb").read() == CENTRE
        assert process.wait(PATIENCE_SECONDS) == 0


@pytest.mark.needs("compiled")
def test_a_terminal_as_standard_input_gets_a_hint() -> None:
    ours, theirs = pty.openpty()
    with started_agent(stdin=theirs) as process:
        os.close(theirs)
        hint = process.stderr.readline()  # type: ignore[union-attr]
        os.write(ours, EMPTY + b"\n\x04")
        assert process.stdout.read() == CENTRE  # type: ignore[union-attr]
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(ours)
    assert b"reading requests from the terminal" in hint


def test_a_request_written_byte_by_byte_is_answered() -> None:
    with started_agent() as process:
        for byte in EMPTY + b"\n":
            process.stdin.write(bytes([byte]))  # type: ignore[union-attr]
        assert process.stdout.readline() == CENTRE  # type: ignore[union-attr]


def test_the_beginning_of_a_document_waits_for_its_rest_but_not_for_ever() -> None:
    pretty = json.dumps(json.loads(EMPTY), indent=2).encode()
    with started_agent() as process:
        assert process.stdin is not None
        assert json.loads(ask(process, EMPTY[:40]))["code"] == "bad_json"
        assert ask(process, EMPTY) == CENTRE
        assert ask(process, pretty) == CENTRE
        assert ask(process, EMPTY[:40] + b"\n" + EMPTY).startswith(b'{"error":')
        assert process.stdout.readline() == CENTRE  # type: ignore[union-attr]
        process.stdin.write(pretty)  # its last line has no end
        assert process.stdout.readline() == CENTRE  # type: ignore[union-attr]
        assert ask(process, b"\n" + EMPTY) == CENTRE


@pytest.mark.parametrize("blocking", [True, False], ids=["blocking", "non-blocking"])
def test_a_slow_reader_gets_every_answer(blocking: bool) -> None:
    count = 20_000  # far more than a pipe holds
    reading, writing = os.pipe()
    os.set_blocking(writing, blocking)
    with started_agent(stdout=writing, stderr=subprocess.DEVNULL) as process, os.fdopen(reading, "rb") as reader:

        def send() -> None:
            assert process.stdin is not None
            process.stdin.write(b"x\n" * count)
            process.stdin.close()

        sender = threading.Thread(target=send)
        sender.start()
        wait_until(lambda: not select.select([], [writing], [], 0)[1])  # the pipe is full
        os.close(writing)
        output = reader.read()
        sender.join()
        assert process.wait(PATIENCE_SECONDS) == 0
    assert len(output.splitlines()) == count


@pytest.mark.needs("compiled")
def test_the_module_runs_like_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "connect4_agent", "--level", "easy"],
        input=EMPTY,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        env=clean_environment(),
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, CENTRE, b"")


@pytest.mark.needs("compiled")
def test_plain_requests_load_nothing_that_reads_odd_ones() -> None:
    program = "import sys; from connect4_agent.cli import main; main([]); print(*sys.modules, file=sys.stderr)"
    position = Position.from_moves("4453")
    plain = json.loads(make_request(position))
    lines = [plain, {"grid": position.grid()}, {**plain, "game": {"id": 1}}, {**plain, "grid": Position().grid()}]
    result = subprocess.run(
        [sys.executable, "-c", program],
        input="\n".join(map(json.dumps, lines)).encode(),
        capture_output=True,
        env=clean_environment(),
        check=True,
    )
    assert [list(answer) for answer in answers(result.stdout)] == [["move"]] * len(lines)
    loaded = set(result.stderr.decode().split())
    assert "connect4_agent.server.lines" in loaded
    assert not loaded & {"pydantic", "connect4_agent.server.model", "connect4_agent.server.readings"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fast"], b"unknown arguments: --fast"),
        (["1", "1", "7", "7", "6", "six"], b"unknown arguments: 1 1 7 7 6 six"),
        (["--player", "3"], b"--player '3': allowed are 1 and 2"),
        (["--height", "x"], b"--height 'x': allowed are whole numbers from 1 to 100"),
        (["--protocol", "solver"], b"--strict does not work with --protocol solver"),
    ],
)
def test_a_strict_server_refuses_words_that_it_does_not_know(words: list[str], said: bytes) -> None:
    result = run_agent("--strict", *words, lines=EMPTY)
    assert (result.returncode, result.stdout) == (2, b"")
    assert said in result.stderr


def test_a_strict_server_answers_each_line_with_a_move_or_an_error_and_no_warning() -> None:
    pretty = json.dumps(json.loads(EMPTY), indent=None).replace(",", ",\n", 1).encode()
    grid_alone = request([[0] * 6] * 7)
    lines = [EMPTY, grid_alone, pretty, b'{"grid":[[0,0],[1,0]],"height":2,"width":2,"player":2}', EMPTY + EMPTY, EMPTY]
    result = run_agent("--strict", lines=b"\n".join(lines))
    codes = [answer.get("code", answer.get("move")) for answer in answers(result.stdout)]
    assert codes == [3, "missing_key", "bad_json", "bad_json", "floating_disc", "bad_json", 3]
    assert (result.returncode, result.stderr) == (0, b"")
    named = run_agent("--strict", "--player", "1", "--width", "7", "--height", "6", lines=grid_alone)
    assert (named.stdout, named.stderr) == (CENTRE, b"")


def test_interpreted_mode_says_so_and_why_once() -> None:
    result = run_agent(lines=(EMPTY + b"\n") * 3, environment=clean_environment(CONNECT4_AGENT_INTERPRETED="1"))
    assert result.stdout == CENTRE * 3
    assert result.stderr == (
        b"connect4-agent: the search runs as plain Python, about a hundred times slower than compiled:"
        b" CONNECT4_AGENT_INTERPRETED is set\n"
    )


@pytest.mark.parametrize(("width", "height"), [(8, 7), (9, 8), (10, 10), (4, 4), (1, 1), (3, 2)])
def test_boards_of_other_sizes_are_answered(width: int, height: int) -> None:
    position = Position(width, height)
    if width > 1:
        position = position.play(0).play(1).play(width - 1)
    line = request(position.grid(), height=height, width=width, player=position.player)
    result = run_agent("--depth", "4", lines=line)
    assert position.is_open(answers(result.stdout)[0]["move"])
    assert result.stderr == b""
