"""connect4-agent label: labels that are right, repeatable, resumed after an end at any moment."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import connect4_agent as c4
from connect4_agent.commands.shared.options import how_to_add
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab import label_files
from connect4_agent.lab.many import score_positions
from tests.processes import clean_environment, run_agent, started_agent

LATE = ("--discs", "26-36")


def label(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return run_agent("label", *words, folder=folder)


def test_the_file_holds_what_the_options_ask_for(tmp_path: Path) -> None:
    done = label(tmp_path, "--generate", "31", "--discs", "30", "--seed", "7", "--balanced", "--out", "a.npz")
    assert done.returncode == 0, done.stderr
    labels = c4.read_labels(tmp_path / "a.npz")
    assert (c4.analyze_many(labels.boards) == labels.scores).all()
    assert set(labels.discs.tolist()) == {30}
    assert Counter(np.sign(labels.score).tolist()) == {1: 11, 0: 10, -1: 10}
    with np.load(tmp_path / "a.npz") as stored:
        assert set(stored) == {*labels.arrays(), "made_from"}
        made_from = json.loads(str(stored["made_from"]))
    assert (made_from["drawn"], made_from["discs"], made_from["seed"], made_from["balanced"]) == (31, [30, 30], 7, True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_the_same_seed_writes_the_same_bytes_and_another_one_others(tmp_path: Path) -> None:
    names = {"a.npz": "1", "b.npz": "1", "c.npz": "2"}
    for name, seed in names.items():
        label(tmp_path, "--generate", "30", *LATE, "--seed", seed, "--out", name, "--jobs", seed)
    one, two, other = ((tmp_path / name).read_bytes() for name in names)
    assert one == two != other


def test_lines_that_cannot_be_read_are_named_and_left_out(tmp_path: Path) -> None:
    grid = c4.Position.from_moves("44").grid()
    lines = [
        "4455 18",
        "44444444",
        "",
        "hello",
        json.dumps({"grid": grid}),
        json.dumps({"grid": grid, "player": 3}),
        json.dumps({"grid": [[0, 1], [2, 0]]}),
        '{"gri',
        '{"board": 1}',
        "1212121",
        json.dumps({"grid": [[0] * 6] * 6 + [[0, 0, 0, 0, 1, 1]]}),
    ]
    (tmp_path / "games.txt").write_text("\n".join(lines))
    done = label(tmp_path, "games.txt", "--out", "a.npz")
    assert done.returncode == 1
    said = done.stderr.decode().splitlines()
    expected = {
        2: "move 7 of '44444444': column 4 is full",
        4: "move 1 of 'hello' is 'h'; the columns are 1 to 7",
        6: "player is 3; allowed are 1 and 2",
        7: "grid[1][0] is 2, a disc of player 2, but grid[1][1] below it is empty",
        8: "'{\"gri' is not JSON: ",
        9: "'{\"board\": 1}' has no grid",
        10: "the game is over: there is no column to score",
        11: "the player to move has 0 discs and the opponent 2; it may have as many, or one less",
    }
    for (number, reason), line in zip(expected.items(), said, strict=False):
        assert line.startswith(f"games.txt, line {number}: {reason}"), line
    assert c4.read_labels(tmp_path / "a.npz").discs.tolist() == [4, 2]


def test_positions_come_from_standard_input_too(tmp_path: Path) -> None:
    done = run_agent("label", "-", "--out", "a.npz", lines=b"4455\n", folder=tmp_path)
    assert done.returncode == 0
    assert c4.read_labels(tmp_path / "a.npz").scores.tolist() == [[-4, -3, 18, 2, 2, 18, -3]]


def test_other_boards_have_labels_too(tmp_path: Path) -> None:
    done = label(tmp_path, "--generate", "20", "--size", "5x4", "--discs", "4-12", "--out", "a.npz")
    assert done.returncode == 0
    assert c4.read_labels(tmp_path / "a.npz").boards.shape == (20, 4, 5)


@pytest.mark.skipif(sys.platform == "win32", reason="no process there can be sent a Ctrl-C of its own")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_after_an_end_at_any_moment_the_same_command_resumes(tmp_path: Path, number: signal.Signals) -> None:
    words = ("--generate", "6000", "--discs", "21-23", "--out")
    work = tmp_path / "a.npz.part"
    with started_agent("label", *words, "a.npz", cwd=tmp_path) as process:
        while not (work.exists() and work.stat().st_size > label_files.CHUNK * 7):
            assert process.poll() is None
        process.send_signal(number)
        process.communicate()
        assert process.returncode == (130 if number is signal.SIGINT else -number)
    begun = work.read_bytes()
    assert not (tmp_path / "a.npz").exists()
    work.write_bytes(begun[:-3])  # as if the last row had not been written in full
    assert label(tmp_path, *words, "a.npz").returncode == 0
    assert not work.exists()
    assert label(tmp_path, *words, "b.npz").returncode == 0
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_what_was_scored_is_not_scored_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = label_files.drawn_positions(60, (30, 34), 1, True, (7, 6))
    monkeypatch.setattr(label_files, "CHUNK", 16)
    scored: list[int] = []

    def counting(boards: Any, *rest: Any, **named: Any) -> Any:
        scored.append(len(boards))
        return score_positions(boards, *rest, **named)

    monkeypatch.setattr(label_files, "score_positions", counting)
    whole = label_files.label_source(source, tmp_path / "a.npz", 1, Progress(), lambda: False)
    total = sum(scored)
    scored.clear()
    begun = iter(range(3))
    out = tmp_path / "b.npz"
    assert label_files.label_source(source, out, 1, Progress(), lambda: next(begun, None) is None) is None
    assert scored == [16, 16, 16]
    resumed = label_files.label_source(source, out, 1, Progress(), lambda: False)
    assert sum(scored) == total
    assert whole is not None
    assert resumed is not None
    assert (resumed.boards == whole.boards).all()
    assert (resumed.scores == whole.scores).all()


def test_the_scores_of_other_positions_are_not_continued(tmp_path: Path) -> None:
    (tmp_path / "a.npz.part").write_bytes(b'{"drawn":5,"seed":1}\n')
    done = label(tmp_path, "--generate", "5", *LATE, "--seed", "2", "--out", "a.npz")
    assert done.returncode == 2
    assert (
        b"a.npz.part has the scores of other positions: balanced None -> False, discs None -> [26, 36]" in done.stderr
    )
    assert b"seed 1 -> 2" in done.stderr


def test_a_finished_file_is_left_alone(tmp_path: Path) -> None:
    words = ("--generate", "5", *LATE, "--out", "a.npz")
    label(tmp_path, *words)
    before = (tmp_path / "a.npz").stat().st_mtime_ns
    again = label(tmp_path, *words)
    assert (again.returncode, again.stderr) == (0, b"a.npz is complete: 5 positions\n")
    other = label(tmp_path, *words, "--seed", "9")
    assert other.returncode == 2
    assert b"a.npz exists and is another one: seed 0 -> 9; name another file" in other.stderr
    assert (tmp_path / "a.npz").stat().st_mtime_ns == before


@pytest.mark.parametrize("data", [b"", b"not labels"])
def test_another_file_is_left_alone(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.npz").write_bytes(data)
    done = label(tmp_path, "--generate", "5", *LATE, "--out", "a.npz")
    assert done.returncode == 2
    assert b"a.npz exists, and does not say how it was made" in done.stderr
    assert (tmp_path / "a.npz").read_bytes() == data


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "a.npz"], "give FILE or --generate N; there is neither"),
        (["games.txt", "--generate", "5", "--out", "a.npz"], "give FILE or --generate N; there is both"),
        (["games.txt", "--seed", "5", "--out", "a.npz"], "--seed goes with --generate"),
        (["games.txt", "--out", "a.npz"], "cannot read games.txt: No such file or directory"),
        (["--generate", "5", "--out", "a.txt"], "'a.txt' must end in .npz"),
        (["--generate", "5", "--out", "nowhere/a.npz"], "cannot write nowhere/a.npz.part: No such file or directory"),
        (["--generate", "0", "--out", "a.npz"], "'0' is not a whole number, 1 or more"),
        (["--generate", "5", "--discs", "9-8", "--out", "a.npz"], "'9-8' is not a number of discs"),
        (["--generate", "5", "--discs", "8-42", "--out", "a.npz"], "the board has 42 cells, and one must be empty"),
        (["--generate", "5", "--size", "8x8", "--out", "a.npz"], "--size needs --discs"),
        (
            ["--generate", "99", "--discs", "0-1", "--out", "a.npz"],
            "only 5 of 99 different positions were found (3 win,",
        ),
        (
            ["--generate", "9", "--discs", "2", "--size", "20x20", "--out", "a.npz"],
            "(rows + 1) x columns may be at most",
        ),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_nothing_behind(tmp_path: Path, words: list[str], message: str) -> None:
    done = label(tmp_path, *words)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['numpy'] = None; from connect4_agent.commands.label import run;"
        "sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--generate", "5", "--out", str(tmp_path / "a.npz")],
        capture_output=True, text=True, env=clean_environment(), check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"connect4-agent label: error: labels need the extra data: {how_to_add('data')}\n"


def test_labels_can_be_evaluated_on(tmp_path: Path) -> None:
    label(tmp_path, "--generate", "20", *LATE, "--out", "a.npz")
    assert c4.evaluate("perfect", c4.read_labels(tmp_path / "a.npz")).overall.optimal.value == 1.0
