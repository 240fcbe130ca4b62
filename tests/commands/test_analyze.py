"""connect4-agent analyze, as people and programs call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from connect4_agent.engine.analysis import analyze
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import Explanation
from connect4_agent.rules.position import Position
from tests.processes import PATIENCE_SECONDS, run_agent, started_agent

LATE = "4444445225636133112"


def request(position: Position) -> bytes:
    return json.dumps({"grid": position.grid(), "player": position.player}).encode()


def test_a_game_is_drawn_with_the_scores_under_the_columns() -> None:
    result = run_agent("analyze", "--moves", "121212")
    text = result.stdout.decode()
    assert result.returncode == 0
    assert "Red (X) to move: wins in 1 move." in text
    assert "* column 1  +18  wins in 1 move" in text
    assert text.splitlines()[6].split() == ["1", "2", "3", "4", "5", "6", "7"]
    assert text.splitlines()[7].split()[0] == "+18"
    assert "best play: 1\n" in text


def test_json_is_one_line_with_columns_from_0() -> None:
    result = run_agent("analyze", "--moves", LATE, "--json")
    found = json.loads(result.stdout)
    assert result.stdout.count(b"\n") == 1
    assert found["score"] == max(score for score in found["scores"] if score is not None)
    assert found["scores"][3] is None
    assert found["verdicts"][3] is None
    assert found["line"][0] == found["best"][0]
    assert found["exact"] is True
    assert found.keys() == {"moves", *analyze(Position.from_moves(LATE)).to_dict()}


def test_a_file_may_hold_a_position_on_every_line(tmp_path: Path) -> None:
    position = Position.from_moves(LATE)
    path = tmp_path / "positions.jsonl"
    path.write_bytes(request(position) + b"\n\n" + request(position.mirrored()) + b"\n")
    result = run_agent("analyze", str(path), "--json")
    one, other = map(json.loads, result.stdout.splitlines())
    assert one["scores"] == other["scores"][::-1]


def test_lines_of_moves_are_repeated_in_their_answers() -> None:
    lines = b"4455\n" + request(Position.from_moves("44")) + b"\n459\n44\n"
    result = run_agent("analyze", "--json", lines=lines)
    first, plain, wrong, last = map(json.loads, result.stdout.splitlines())
    assert (first["moves"], first["scores"]) == ("4455", [-4, -3, 18, 2, 2, 18, -3])
    assert wrong == {"error": "move 3 of '459' is '9'; the columns are 1 to 7", "code": "illegal_move"}
    assert "moves" not in plain
    assert last == plain | {"moves": "44", "nodes": last["nodes"], "elapsed_ms": last["elapsed_ms"]}
    assert run_agent("analyze", lines=b"4455\n").stdout.startswith(b"4455\n\n")


def test_a_single_position_may_be_spread_over_lines() -> None:
    document = json.dumps({"grid": Position.from_moves(LATE).grid()}, indent=2).encode()
    result = run_agent("analyze", "--json", lines=document)
    assert json.loads(result.stdout)["line"]


def test_what_cannot_be_analyzed_is_said_and_the_exit_status_is_1() -> None:
    over = request(Position.from_moves("1212121"))
    result = run_agent("analyze", "--json", lines=over + b"\n" + b"no json\n" + request(Position.from_moves(LATE)))
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert (first["code"], second["code"]) == ("game_over", "bad_json")
    assert "player 1 has four in a row" in first["error"]
    assert "scores" in third
    assert result.returncode == 1


def test_every_line_is_answered_before_the_next_one_comes() -> None:
    line = request(Position.from_moves(LATE))
    with started_agent("analyze", "--json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            assert "scores" in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(PATIENCE_SECONDS) == 0


def test_boards_of_several_sizes_may_be_mixed() -> None:
    positions = [Position(4, 4), Position.from_moves(LATE), Position(4, 4), Position(3, 5)]
    result = run_agent("analyze", "--json", lines=b"\n".join(map(request, positions)))
    assert [len(json.loads(line)["scores"]) for line in result.stdout.splitlines()] == [4, 7, 4, 3]


def test_what_is_not_proven_in_time_says_so() -> None:
    words = ("analyze", "--width", "9", "--height", "8", "--moves", "44", "--time-limit", "0.2")
    found = json.loads(run_agent(*words, "--json").stdout)
    assert (found["exact"], found["score"], found["verdict"]) == (False, None, None)
    assert found["scores"] == found["verdicts"] == [None] * 9
    assert found["line"] == found["best"][:1]
    text = run_agent(*words).stdout.decode()
    assert "Red (X) to move: not proven." in text
    assert text.count("  ~") >= 9
    assert "best play" not in text


def test_a_large_board_is_answered_in_time_if_nobody_sets_a_limit() -> None:
    """2 seconds a position by default: without a limit this would take years."""
    result = run_agent("analyze", "--width", "10", "--height", "10", "--moves", "5", "--json")
    assert json.loads(result.stdout)["exact"] is False


@pytest.mark.needs("compiled")  # the default limit is 2 s
@pytest.mark.parametrize("words", [(), ("--time-limit", "none"), ("--time-limit", "30")])
def test_what_can_be_proven_is_exact_with_any_limit(words: tuple[str, ...]) -> None:
    result = run_agent("analyze", "--width", "5", "--height", "4", "--moves", "1", "--json", *words)
    found = json.loads(result.stdout)
    assert (found["exact"], found["verdict"]) == (True, "wins in 10 moves")


def test_a_folder_exits_2_and_what_is_no_json_does_not_point_elsewhere() -> None:
    result = run_agent("analyze", "/")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"cannot read /: " in result.stderr
    assert b"connect4-agent move" not in run_agent("analyze", lines=b"no json").stdout


def test_wrong_moves_and_missing_files_exit_2() -> None:
    for arguments, message in (
        (("--moves", "18"), "move 2 of '18' is '8'"),
        (("/nowhere/at-all",), "cannot read /nowhere/at-all"),
        (("--moves", "1", "file"), "give one of the two"),
        (("--moves", "1", "--time-limit", "0"), "time limit is '0'; allowed is a number of seconds above 0"),
    ):
        result = run_agent("analyze", *arguments)
        assert (result.returncode, result.stdout) == (2, b"")
        assert message in result.stderr.decode()


def test_why_shows_the_reason_in_words_and_on_the_board() -> None:
    text = run_agent("analyze", "--moves", "2222244654445554655", "--why", "1").stdout.decode()
    assert "After columns 1 and 2, the plan of Red (X) stops all 16 lines that Yellow (O) has left." in text
    assert "  6  .  *  .  O  X  .  .\n" in text
    assert "  1 [O] X  .  O  X  O  .\n" in text
    assert "Playing column 1 turns a win into a draw. Red (X) plays column 2." in text
    assert "- Zugzwang is" in text
    assert "- Columns count from the left, rows from the bottom." in text


def test_why_without_a_column_explains_the_position() -> None:
    text = run_agent("analyze", "--moves", "4455", "--why").stdout.decode()
    assert "After column 3, Red (X) can make four at column 2 or 6, row 1 (double threat)." in text
    assert "Why?" not in run_agent("analyze", "--moves", "4455").stdout.decode()


def test_why_as_json_is_the_reason_or_null() -> None:
    found = json.loads(run_agent("analyze", "--moves", "4455", "--why", "3", "--json").stdout)
    explanation = explain(Position.from_moves("4455"), 2)
    assert Explanation.from_dict(explanation.position, found["reason"]) == explanation
    assert (found["reason"]["kind"], len(found["reason"]["marks"])) == ("double threat", 3)
    assert json.loads(run_agent("analyze", "--moves", "4", "--why", "--json").stdout)["reason"] is None
    assert "reason" not in json.loads(run_agent("analyze", "--moves", "4", "--json").stdout)


def test_why_of_a_column_that_cannot_be_played_is_refused() -> None:
    result = run_agent("analyze", "--moves", "111111", "--why", "1")
    assert json.loads(result.stdout)["error"] == "--why: column 1 is full or not on the board"
    assert result.returncode == 1
    assert b"'10' is not a column" in run_agent("analyze", "--moves", "4", "--why", "10").stderr
