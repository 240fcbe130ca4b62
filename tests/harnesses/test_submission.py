"""The exported submission, run by a Python that cannot find this package."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import connect4_agent
from connect4_agent.engine.book import files
from connect4_agent.harnesses import submission
from connect4_agent.harnesses.kaggle import KaggleAgent
from connect4_agent.rules.position import Position
from tests.harnesses.test_kaggle import asked
from tests.processes import PATIENCE_SECONDS, REPOSITORY

pytestmark = pytest.mark.slow

# As Kaggle loads a file: its text is run in an empty namespace, and the last callable is the agent.
LOADER = """
import json, sys
namespace = {}
exec(compile(open(sys.argv[1]).read(), "submission", "exec"), namespace)
agent = [value for value in namespace.values() if callable(value)][-1]
columns = [agent(*question) for question in json.load(sys.stdin)]
foreign = {name.partition(".")[0] for name in sys.modules if "." in name} & {"connect4_agent", "pydantic", "orjson"}
print(json.dumps([agent.__name__, [type(column).__name__ for column in columns], columns, sorted(foreign)]))
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kaggle") / "submission.py"
    path.write_text(submission.submission()[0])
    return path


def answers(file: Path, *questions: tuple[Any, Any]) -> list[int]:
    # -I -S: no folder of installed packages and none of this checkout is looked at.
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADER, str(file)],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    name, types, columns, foreign = json.loads(result.stdout)
    assert (name, set(types), foreign) == ("agent", {"int"}, [])
    found: list[int] = columns
    return found


def test_the_last_callable_answers_without_this_package(file: Path) -> None:
    positions = [Position.from_moves(moves) for moves in ("", "414141", "41414", "4", "44")]
    columns = answers(file, *(asked(position, actTimeout=2.0) for position in positions))
    assert columns[:4] == [3, 3, 3, 3]
    assert columns[4] == KaggleAgent().choose(*asked(positions[4])), "the book is in the file"


def test_boards_of_other_sizes_work(file: Path) -> None:
    positions = [Position(4, 4), Position(8, 7).play(3), Position(10, 10).play(4), Position(1, 1)]
    columns = answers(file, *(asked(position, actTimeout=0.1) for position in positions))
    assert all(position.is_open(column) for position, column in zip(positions, columns, strict=True))


def test_a_late_position_is_played_as_the_compiled_agent_plays_it(file: Path) -> None:
    position = Position.from_moves("5554224333234511764415115")
    (column,) = answers(file, asked(position, actTimeout=20.0))
    assert column == KaggleAgent().choose(*asked(position, actTimeout=20.0))


def test_the_top_of_the_file_says_what_it_is(file: Path) -> None:
    head = file.read_text().partition('"""\n')[0]
    assert f"connect4-agent {connect4_agent.__version__}" in head
    assert "connect4-agent export kaggle" in head
    assert (REPOSITORY / "LICENSE").read_text().strip() in head


def test_two_submissions_live_in_one_process(file: Path) -> None:
    namespaces: list[dict[str, Any]] = [{}, {}]
    try:
        for namespace in namespaces:
            exec(compile(file.read_text(), "submission", "exec"), namespace)
        assert [namespace["agent"](*asked(Position())) for namespace in namespaces] == [3, 3]
        # With 10 discs, only the layer knows a score.
        position = Position.from_moves("4711772266")
        score = namespaces[0]["_book"].score(position.own, position.opponent)
        assert (score is None, score) == (False, files.book_for(7, 6).score(position.own, position.opponent))
    finally:
        for name in [name for name in sys.modules if name.startswith("connect4_agent_submission")]:
            del sys.modules[name]
        sys.meta_path.remove(next(finder for finder in sys.meta_path if type(finder).__name__ == "SourceFinder"))
