"""The host: it plays for a Python file, as a process of its own."""

from __future__ import annotations

import ast
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import Position
from connect4_agent.arena.agents import host
from connect4_agent.server.request import make_request
from tests.processes import PATIENCE_SECONDS, clean_environment, wait_until

HOST = str(Path(host.__file__))
EMPTY = make_request(Position())
LEFT_IS_FULL = make_request(Position.from_moves("111111"))
MIDDLE_GAME = Position.from_moves("44534")
"""Player 2 is to move."""

PRINTS_GRID = "import json\ndef choose(grid, player):\n    print(json.dumps([grid, player]))\n    return 0\n"
HOLDS_MOVE = "def choose(grid, player):\n    return {}\n"


def start(
    folder: Path, source: str, *lines: bytes, name: str = "", words: tuple[str, ...] = (), python: str = sys.executable
) -> subprocess.CompletedProcess[bytes]:
    """Start the host for a file with this source, send it the lines, and wait for its end."""
    path = folder / "bot.py"
    path.write_text(source, encoding="utf-8")
    return subprocess.run(
        [python, HOST, f"{path}:{name}" if name else str(path), *words],
        input=b"".join(line + b"\n" for line in lines),
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        env=clean_environment(),
        cwd=folder.parent,
        check=False,
    )


def replies(folder: Path, source: str, *lines: bytes, **options: Any) -> list[dict[str, Any]]:
    """The replies of a file that plays; the host must end well."""
    done = start(folder, source, *lines, **options)
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def reply(folder: Path, source: str, line: bytes = EMPTY, **options: Any) -> dict[str, Any]:
    """The only reply."""
    (only,) = replies(folder, source, line, **options)
    return only


def refusal(folder: Path, source: str, **options: Any) -> str:
    """The last line of what is said about a file that cannot play."""
    done = start(folder, source, EMPTY, **options)
    assert (done.returncode, done.stdout) == (host.EXIT_REFUSED, b"")
    return done.stderr.decode().splitlines()[-1]


# ---- forms ----------------------------------------------------------------------------------------------------------


def test_a_function_gets_the_grid_of_the_request_and_its_player(tmp_path: Path) -> None:
    done = start(tmp_path, PRINTS_GRID, make_request(MIDDLE_GAME))
    assert json.loads(done.stdout) == {"move": 0}
    assert json.loads(done.stderr) == [MIDDLE_GAME.grid(), 2]


def test_a_kaggle_agent_gets_an_observation_and_a_configuration(tmp_path: Path) -> None:
    source = (
        "def agent(observation, configuration):\n"
        "    assert observation.board is observation['board']\n"
        "    print(observation.board, observation.mark, observation.step, configuration.columns, configuration.rows,\n"
        "          configuration['inarow'], configuration.get('missing'), sep='; ')\n"
        "    return 6\n"
    )
    done = start(tmp_path, source, make_request(MIDDLE_GAME))
    assert json.loads(done.stdout) == {"move": 6}
    cells = [cell for row in zip(*MIDDLE_GAME.grid(), strict=True) for cell in row]
    assert done.stderr.decode().strip() == f"{cells}; 2; 5; 7; 6; 4; None"


@pytest.mark.parametrize(
    "signature", ["obs, config", "observation, _", "obs", "o, conf", "obs, config, depth=4", "obs, *rest"]
)
def test_kaggles_form_is_known_by_its_parameters(tmp_path: Path, signature: str) -> None:
    source = f"def agent({signature}):\n    first, *_ = locals().values()\n    return first.mark + 3\n"
    assert reply(tmp_path, source) == {"move": 4}


@pytest.mark.parametrize("signature", ["grid, player", "board, me", "a, b, depth=4", "*both", "grid, /, player"])
def test_any_other_two_parameters_are_grid_and_player(tmp_path: Path, signature: str) -> None:
    source = f"def choose({signature}):\n    values = [*locals().values()]\n"
    source += f"    grid, player = {'both' if 'both' in signature else 'values[:2]'}\n    return len(grid) - player\n"
    assert reply(tmp_path, source) == {"move": 6}


CLASS = """\
import numpy as np

class Policy:
    def mount(self):
        self.mounted = True

    def act(self, board):
        assert self.mounted and isinstance(board, np.ndarray)
        print(board.tolist())
        return np.int64(5)
"""


def test_a_class_gets_rows_from_the_top_with_its_own_discs_as_1(tmp_path: Path) -> None:
    done = start(tmp_path, CLASS, make_request(MIDDLE_GAME))
    assert json.loads(done.stdout) == {"move": 5}
    rows = [[{0: 0, 2: 1, 1: -1}[cell] for cell in row] for row in zip(*MIDDLE_GAME.grid(), strict=True)]
    assert json.loads(done.stderr) == rows


def test_a_class_needs_no_mount_and_keeps_its_object_for_the_game(tmp_path: Path) -> None:
    source = "class Bot:\n    n = 0\n    def act(self, board):\n        self.n += 1\n        return self.n\n"
    assert replies(tmp_path, source, EMPTY, EMPTY) == [{"move": 1}, {"move": 2}]


def test_an_object_can_be_named(tmp_path: Path) -> None:
    source = (
        "class Bot:\n    def __init__(self, n):\n        self.n = n\n    def act(self, board):\n        return self.n\n"
    )
    assert reply(tmp_path, source + "one, two = Bot(1), Bot(2)\n", name="two") == {"move": 2}
    assert "missing 1 required positional argument: 'n'" in refusal(tmp_path, source)


def test_without_numpy_a_class_is_refused_in_words(tmp_path: Path) -> None:
    source = CLASS.replace("import numpy as np", "import sys\nsys.modules['numpy'] = None")
    assert refusal(tmp_path, source) == (
        f"bot.py: act(board) takes a NumPy array, and {sys.executable} has no NumPy: install it there, or name the "
        "interpreter that has it"
    )


# ---- what is looked for ---------------------------------------------------------------------------------------------


def test_the_names_are_looked_for_in_their_order(tmp_path: Path) -> None:
    names = ["play", "act", "move", "choose", "agent"]
    source = "def helper(a):\n    pass\n"
    for number, name in enumerate(names):
        source += f"def {name}(grid, player):\n    return {number}\n"
        assert reply(tmp_path, source) == {"move": number}
    assert reply(tmp_path, source, name="act") == {"move": 1}


@pytest.mark.parametrize(
    ("source", "move"),
    [
        ("def best(grid, player):\n    return _two()\ndef _two():\n    return 2\n", 2),
        ("from random import choice\nimport json\ndef best(grid, player):\n    return choice([4])\n", 4),
        ("best = lambda grid, player: 3\n", 3),
        ("def move(grid, column, player):\n    pass\ndef play(grid, player):\n    return 1\n", 1),
        ("agent = 4\nclass Mine:\n    def act(self, board):\n        return 5\n", 5),
        ("from helpers import choose\ndef other(a):\n    pass\n", 6),
        ("from helpers import *\n", 6),
        ("def _make():\n    return lambda grid, player: 2\nplay = _make()\n", 2),
        ("import functools\ndef _of(column, grid, player):\n    return column\nmove = functools.partial(_of, 1)\n", 1),
        ("act = None\ndef main():\n    pass\ndef only(g, p):\n    return 0\n", 0),
    ],
)
def test_what_plays_is_found(tmp_path: Path, source: str, move: int) -> None:
    (tmp_path / "helpers.py").write_text("def choose(grid, player):\n    return 6\n")
    assert reply(tmp_path, source) == {"move": move}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 3\n", "nothing in it can be asked for a move; found: no function and no class"),
        ("", "nothing in it can be asked for a move; found: no function and no class"),
        ("def a(x, y):\n    pass\ndef b(x):\n    pass\n", "it has several functions or classes; found: a(x, y), b(x)"),
        ("def best(grid):\n    pass\n", "nothing in it can be asked for a move; found: best(grid)"),
        (
            "def choose(grid, me, depth):\n    pass\n",
            "nothing in it can be asked for a move; found: choose(grid, me, depth)",
        ),
        (
            "class Bot:\n    def go(self):\n        pass\n    def choose(self, grid, player):\n        pass\n",
            "nothing in it can be asked for a move; found: Bot (a class with go, choose)",
        ),
        (
            "class Bot:\n    def act(self):\n        pass\n",
            "nothing in it can be asked for a move; found: Bot (a class with act)",
        ),
    ],
)
def test_a_file_that_cannot_play_is_refused_with_what_it_has_and_what_is_accepted(
    tmp_path: Path, source: str, found: str
) -> None:
    message = refusal(tmp_path, source)
    assert message.startswith(f"bot.py: {found}; accepted are ")
    for part in ("agent, choose, move, act or play", "(grid, player)", "act(board)", "standard input", "FILE:NAME"):
        assert part in message


def test_a_name_that_is_not_there_or_cannot_be_called_is_refused(tmp_path: Path) -> None:
    source = HOLDS_MOVE.format(3) + "size = 7\n"
    assert refusal(tmp_path, source, name="chose").startswith("bot.py: it has no chose; found: choose(grid, player)")
    assert refusal(tmp_path, source, name="size").startswith(
        "bot.py: size cannot be called; found: choose(grid, player)"
    )


# ---- programs -------------------------------------------------------------------------------------------------------

LOOP = "for line in sys.stdin:\n{0}    request = json.loads(line)\n{0}    print(json.dumps(dict(move=5)), flush=True)\n"
PROGRAMS = {
    "a loop": f"import json, sys\n{LOOP.format('')}",
    "a loop beside an imported function": f"import json, sys\nfrom helpers import choose\n{LOOP.format('')}",
    "a guarded loop": f"import json, sys\nif __name__ == '__main__':\n    {LOOP.format('    ')}",
    "a main function": f"import json, sys\ndef main():\n    {LOOP.format('    ')}main()\n",
    "a guarded main function beside choose": (
        f"import json, sys\ndef choose(rows, me):\n    return 1\ndef main():\n    {LOOP.format('    ')}"
        "if __name__ == '__main__':\n    main()\n"
    ),
    "a function play that reads": (
        "import sys\ndef play():\n    for line in sys.stdin:\n        print('{\"move\":5}', flush=True)\n"
        "if __name__ == '__main__':\n    play()\n"
    ),
    "input beside a helper": (
        "def move(grid):\n    return 5\ndef main():\n    while True:\n        try:\n            text = input()\n"
        "        except EOFError:\n            break\n        print('{\"move\":%d}' % move(text), flush=True)\nmain()\n"
    ),
    "a method that reads": (
        "import sys\nclass Bot:\n    def run(self):\n        from json import loads\n        for line in sys.stdin:\n"
        "            print('{\"move\":5}', flush=True)\nBot().run()\n"
    ),
    "stdin by another name": "from sys import stdin\nfor line in stdin:\n    print('{\"move\":5}', flush=True)\n",
    "open(0)": "for line in open(0):\n    print('{\"move\":5}', flush=True)\n",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_file_that_keeps_the_protocol_by_itself_is_started_as_a_program(tmp_path: Path, source: str) -> None:
    (tmp_path / "helpers.py").write_text("def choose(grid, player):\n    return 6\n")
    assert replies(tmp_path, source, EMPTY, EMPTY) == [{"move": 5}, {"move": 5}]


def test_a_program_gets_its_words_and_is_main(tmp_path: Path) -> None:
    source = "import sys\nsys.stdin.read()\nprint([__name__, *sys.argv[1:]])\n"
    done = start(tmp_path, source, EMPTY, words=("--player", "1"))
    assert done.stdout.decode().strip() == "['__main__', '--player', '1']"


@pytest.mark.parametrize(
    "source",
    [
        "def choose(grid, player):\n    return 2\nif __name__ == '__main__':\n    print(choose([], int(input())))\n",
        "def main():\n    input()\ndef best(grid, player):\n    return 2\nif __name__ == '__main__':\n    main()\n",
        "import json\nprint('loaded')\ndef choose(grid, player):\n    return 2\n",
    ],
)
def test_a_function_is_called_where_only_a_person_would_type(tmp_path: Path, source: str) -> None:
    assert reply(tmp_path, source) == {"move": 2}


def test_a_name_makes_any_file_a_function(tmp_path: Path) -> None:
    source = f"import json, sys\ndef choose(grid, player):\n    return 2\n{LOOP.format('')}"
    assert reply(tmp_path, source, name="choose") == {"move": 2}


# ---- faults ---------------------------------------------------------------------------------------------------------

NOT_MOVES = {
    "None": "None",
    "3.0": "3.0",
    "True": "True",
    "'3'": "'3'",
    "[3]": "[3]",
    "float('nan')": "nan",
    "10 ** 12": "1000000000000",
    "'x' * 300": "'" + "x" * 96 + "...",
    "type('Odd', (), {'__repr__': lambda self: 1 / 0})()": "an object of Odd",
}


@pytest.mark.parametrize(("value", "shown"), NOT_MOVES.items(), ids=NOT_MOVES)
def test_a_value_that_is_not_a_column_is_named_with_the_line(tmp_path: Path, value: str, shown: str) -> None:
    assert reply(tmp_path, "\n\n" + HOLDS_MOVE.format(value)) == {
        "error": f"choose (bot.py, line 3) returned {shown}; a move is a whole number from 0 to 6"
    }


def test_the_line_of_a_decorated_function_is_its_own(tmp_path: Path) -> None:
    source = (
        "import functools\ndef decorate(f):\n    @functools.wraps(f)\n    def g(*a):\n        return f(*a)\n"
        "    return g\n"
        "@decorate\ndef choose(grid, player):\n    pass\n"
    )
    assert reply(tmp_path, source)["error"].startswith("choose (bot.py, line 7) returned None")


def test_numpys_integers_are_moves_and_its_other_values_are_not(tmp_path: Path) -> None:
    for value in ("np.int8(3)", "np.uint64(3)", "np.argmax([0, 0, 0, 1])", "np.array(3)"):
        assert reply(tmp_path, "import numpy as np\n" + HOLDS_MOVE.format(value)) == {"move": 3}
    for value in ("np.float64(3)", "np.bool_(True)", "np.array([3])"):
        assert "a move is a whole number" in reply(tmp_path, "import numpy as np\n" + HOLDS_MOVE.format(value))["error"]


@pytest.mark.parametrize(
    ("column", "problem"),
    [(0, ", a full column; open: 1, 2, 3, 4, 5, 6"), (7, "; columns are 0 to 6"), (-1, "; columns are 0 to 6")],
)
def test_an_illegal_column_is_sent_as_it_is_with_what_is_wrong(tmp_path: Path, column: int, problem: str) -> None:
    assert reply(tmp_path, HOLDS_MOVE.format(column), LEFT_IS_FULL) == {
        "move": column,
        "error": f"choose (bot.py, line 1) returned {column}{problem}",
    }


def test_a_column_that_the_function_fills_itself_is_judged_by_the_request(tmp_path: Path) -> None:
    source = "def choose(grid, player):\n    grid[0][0] = player\n    grid[1][0] = 0\n    return 0\n"
    assert reply(tmp_path, source) == {"move": 0}


def test_an_exception_is_named_with_the_line_and_its_traceback_is_written(tmp_path: Path) -> None:
    source = "def choose(grid, player):\n    return helper(grid)\n\ndef helper(grid):\n    return grid[9][0]\n"
    done = start(tmp_path, source, EMPTY, EMPTY)
    error = {"error": "IndexError: list index out of range (bot.py, line 5)"}
    assert [json.loads(line) for line in done.stdout.splitlines()] == [error, error]
    written = done.stderr.decode()
    assert written.count("Traceback") == 2
    assert "return grid[9][0]" in written
    assert "host.py" not in written


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import sys; sys.exit()", "SystemExit"),
        ("input()", "EOFError: EOF when reading a line"),
        ("return choose(grid, player)", "RecursionError: maximum recursion depth exceeded"),
        ("raise type('Mine', (Exception,), {'__module__': 'bot'})", "bot.Mine"),
        ("raise ValueError('two\\nlines')", "ValueError: two\\nlines"),
    ],
)
def test_leaving_in_any_other_way_is_an_error_too(tmp_path: Path, statement: str, error: str) -> None:
    answered = reply(tmp_path, f"def choose(grid, player):\n    {statement}\n")
    assert list(answered) == ["error"]
    assert answered["error"].replace("\n", "\\n").startswith(error)
    assert answered["error"].endswith("(bot.py, line 2)")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def choose(grid, player)\n    return 1\n", "bot.py: line 1: "),
        ("x = 1\n  y = 2\n", "bot.py: line 2: unexpected indent"),
        ("return 3\n", "bot.py: line 1: 'return' outside function"),
        ("\nimport none\n", "bot.py: cannot be loaded: ModuleNotFoundError: No module named 'none' (bot.py, line 2)"),
        ("import sys\nsys.exit(0)\n", "bot.py: cannot be loaded: SystemExit: 0 (bot.py, line 2)"),
        (
            "class P:\n    def mount(self):\n        open('no-such-table')\n    def act(self, board):\n        pass\n",
            "bot.py: cannot be prepared: FileNotFoundError: [Errno 2] No such file or directory: 'no-such-table' "
            "(bot.py, line 3)",
        ),
    ],
)  # fmt: skip
def test_a_file_that_fails_at_the_start_is_refused_with_the_line(tmp_path: Path, source: str, message: str) -> None:
    assert refusal(tmp_path, source).startswith(message)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for word, message in (("none.py", "No such file"), (".", "Is a directory")):
        done = subprocess.run([sys.executable, HOST, word], capture_output=True, cwd=tmp_path, check=False)
        assert (done.returncode, done.stdout) == (host.EXIT_REFUSED, b"")
        assert message in done.stderr.decode()
    assert subprocess.run([sys.executable, HOST], capture_output=True, check=False).returncode == 2


# ---- streams, requests and surroundings -----------------------------------------------------------------------------


def test_what_a_file_prints_goes_to_standard_error_from_c_and_from_children_too(tmp_path: Path) -> None:
    source = (
        "import ctypes, os, subprocess, sys\n"
        "print('loading')\n"
        "def choose(grid, player):\n"
        "    print('thinking \\ud800')\n"
        "    ctypes.CDLL(None).puts(b'from C')\n"
        "    ctypes.CDLL(None).fflush(None)\n"
        "    os.write(1, b'raw\\n')\n"
        "    os.system('echo child')\n"
        "    sys.__stdout__.write('original\\n')\n"
        "    return len(sys.stdin.read())\n"
    )
    done = start(tmp_path, source, EMPTY, EMPTY)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [{"move": 0}] * 2
    for text in ("loading", "thinking \\ud800", "from C", "raw", "child", "original"):
        assert text.encode() in done.stderr


def test_replies_can_be_appended_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print('loading')\ndef choose(grid, player):\n    return 3\n")
    with (tmp_path / "replies").open("wb") as file:
        file.write(b"before\n")
        file.flush()
        done = subprocess.run(
            [sys.executable, HOST, "bot.py"], input=EMPTY, stdout=file, stderr=subprocess.PIPE, cwd=tmp_path, check=True
        )
    assert (tmp_path / "replies").read_bytes() == b'before\n{"move": 3}\n'
    assert done.stderr == b"loading\n"


def test_a_print_is_seen_before_the_reply(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(grid, player):\n    print('thinking')\n    return 3\n")
    with subprocess.Popen(
        [sys.executable, HOST, "bot.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=tmp_path, env=clean_environment(),
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(EMPTY + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"move": 3}
        assert select.select([process.stderr], [], [], PATIENCE_SECONDS)[0], "the print does not come"
        assert process.stderr.readline() == b"thinking\n"
        process.stdin.close()
        assert process.wait(PATIENCE_SECONDS) == 0


def test_the_folder_of_the_file_is_on_the_path_and_the_hosts_is_not(tmp_path: Path) -> None:
    (tmp_path / "process.py").write_text("column = 4\n")
    source = (
        "import os, sys, process\n"
        "def choose(grid, player):\n"
        f"    assert os.getcwd() == {str(tmp_path.parent)!r}\n"
        f"    assert sys.path[0] == {str(tmp_path)!r} and {str(Path(HOST).parent)!r} not in sys.path\n"
        "    assert (__name__, __file__, sys.argv) == ('bot', sys.path[0] + '/bot.py', [__file__, '1'])\n"
        "    return process.column\n"
    )
    assert reply(tmp_path, source, words=("1",)) == {"move": 4}


def test_a_file_does_not_inherit_the_hosts_settings(tmp_path: Path) -> None:
    assert reply(tmp_path, "def choose(grid, player: 4):\n    return choose.__annotations__['player']\n") == {"move": 4}


def test_dataclasses_and_pickles_find_their_module(tmp_path: Path) -> None:
    source = (
        "from __future__ import annotations\nimport pickle\nfrom dataclasses import dataclass\n@dataclass\n"
        "class _Node:\n    column: int\ndef choose(grid, player):\n"
        "    return pickle.loads(pickle.dumps(_Node(4))).column\n"
    )
    assert reply(tmp_path, source) == {"move": 4}


def test_a_signal_ends_the_host_without_a_traceback(tmp_path: Path) -> None:
    source = "import pathlib, time\ndef choose(grid, player):\n    pathlib.Path('asked').touch()\n    time.sleep(999)\n"
    (tmp_path / "bot.py").write_text(source)
    with subprocess.Popen(
        [sys.executable, HOST, "bot.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:  # fmt: skip
        assert process.stdin
        process.stdin.write(EMPTY + b"\n")
        process.stdin.flush()
        try:
            wait_until((tmp_path / "asked").exists)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=PATIENCE_SECONDS) == (b"", b"")
        finally:
            process.kill()
        assert process.returncode == 130


def test_a_reader_that_has_gone_ends_the_host_silently(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(HOLDS_MOVE.format(3))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, HOST, "bot.py"], input=EMPTY + b"\n", stdout=writing, stderr=subprocess.PIPE, cwd=tmp_path,
        check=False,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


GRID = b'{"grid":[[0,0],[0,0],[1,2]]}'


@pytest.mark.parametrize(
    ("words", "line", "player"),
    [
        ((), GRID, 1),
        ((), b'{"grid":[[0,1],[0,0],[1,2]]}', 2),
        (("--player", "2", "--width", "3", "--height", "2"), GRID, 2),
        (("2", "2", "3", "3", "2", "2"), GRID, 2),
        (("",), GRID, 1),
        (("--player", "1"), b'{"grid":[[0,0]],"player":2,"clock":{"left":[1.5,null]}}', 2),
        ((), b"\xef\xbb\xbf" + GRID + b"\r", 1),
    ],
)
def test_what_managers_send_is_read(tmp_path: Path, words: tuple[str, ...], line: bytes, player: int) -> None:
    source = "def choose(grid, player):\n    print(player)\n    return 0\n"
    done = start(tmp_path, source, b"", line, words=words)
    assert (json.loads(done.stdout), done.stderr.strip()) == ({"move": 0}, b"%d" % player)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "the request is not JSON"),
        (b"\xff", "the request is not JSON"),
        (b"[]", "the request has no grid"),
        (b"{}", "the request has no grid"),
        (b'{"grid":[[0,0],[0]]}', "the request has no grid"),
        (b'{"grid":[[],[]]}', "the request has no grid"),
        (b'{"grid":[[0,3]]}', "the request has no grid"),
        (b'{"grid":[[0,true]]}', "the request has no grid"),
        (b'{"grid":[[1,2]]}', "the board is full"),
    ],
)
def test_a_bad_request_gets_an_error_and_the_next_one_its_move(tmp_path: Path, line: bytes, problem: str) -> None:
    error, move = replies(tmp_path, HOLDS_MOVE.format(3), line, EMPTY)
    assert error["error"].startswith(problem)
    assert move == {"move": 3}


# ---- other interpreters ---------------------------------------------------------------------------------------------


def other_pythons() -> list[str]:
    """The interpreters from 3.8 on that are installed beside this one."""
    named = [shutil.which(f"python3.{minor}") for minor in range(8, 20)]
    paths = [Path(name) for name in named if name] + [*Path.home().glob(".pyenv/versions/3.*/bin/python3")]
    program = "import sys; print(*sys.version_info[:2])"
    versions = {}
    for path in paths:
        done = subprocess.run([path, "-c", program], capture_output=True, text=True, check=False)
        version = tuple(map(int, done.stdout.split()))
        if (3, 8) <= version != sys.version_info[:2]:
            versions[version] = str(path)
    return list(versions.values())


def test_the_host_plays_under_every_other_python_that_is_installed(tmp_path: Path) -> None:
    for python in other_pythons():
        assert reply(tmp_path, HOLDS_MOVE.format("3 + (grid[0][0] == 0)"), python=python) == {"move": 4}, python
        kaggle = "def agent(obs, config):\n    return config.columns - obs.mark\n"
        assert reply(tmp_path, kaggle, python=python) == {"move": 6}, python
        assert reply(tmp_path, PROGRAMS["a guarded loop"], python=python) == {"move": 5}, python
        assert "(bot.py, line 2)" in reply(tmp_path, HOLDS_MOVE.format("1 / 0"), python=python)["error"], python


def test_the_host_is_python_3_8_and_imports_the_standard_library_alone() -> None:
    tree = ast.parse(Path(HOST).read_text(), feature_version=(3, 8))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {str(name).partition(".")[0] for name in imported} - sys.stdlib_module_names == {"numpy"}
