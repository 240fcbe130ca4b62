"""connect4-agent puzzle, as people call it."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from tests.commands.terminals import playing
from tests.processes import COMMAND, run_agent

pytestmark = pytest.mark.needs("compiled")

DOUBLE = ("--seed", "7", "--theme", "double")


def documents(*arguments: str) -> list[dict[str, Any]]:
    result = run_agent("puzzle", "--json", *arguments)
    assert result.returncode == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_json_has_a_puzzle_with_its_answer_and_reason() -> None:
    first, second = documents("--seed", "7", "--count", "2", "--level", "easy")
    assert (first["seed"], second["seed"]) == (7, 8)
    assert set(first) == {
        "name", "kind", "theme", "question", "level", "depth", "seed", "date", "width", "height", "first", "player",
        "columns", "grid", "answer", "explanation", "reason", "scores", "results", "verdicts", "moves_to_end", "line",
    }  # fmt: skip
    assert first == documents("--seed", "7", "--level", "easy")[0]
    assert {"kind", "summary", "text", "marks", "line", "legend"} < set(first["reason"])
    assert first["reason"]["column"] == first["answer"]


def test_without_an_option_it_is_todays_puzzle() -> None:
    before = date.today()
    (found,) = documents()
    assert found["date"] in (before.isoformat(), date.today().isoformat())


def test_the_puzzle_is_printed_without_its_answer_unless_asked_for() -> None:
    text = run_agent("puzzle", *DOUBLE).stdout.decode()
    assert text.startswith("Double threat #7: Yellow (O) to move. Win in 2 moves.\n")
    assert "1 2 3 4 5 6 7" in text
    assert "wins in" not in text
    with_answer = run_agent("puzzle", *DOUBLE, "--answer").stdout.decode()
    assert with_answer.startswith(text)
    assert "no other column wins." in with_answer
    assert "Best play: " in with_answer
    assert "(double threat).\n" in with_answer
    assert "Why: " not in text


def test_the_mistakes_of_a_game_become_puzzles() -> None:
    found = documents("--moves", "44444162353")
    assert found
    assert [len(each["columns"]) for each in found] == sorted(len(each["columns"]) for each in found)
    result = run_agent("puzzle", "--moves", "4444")
    assert (result.returncode, result.stdout) == (1, b"")
    assert b"no mistake that changed the result" in result.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--date", "31.1.2027"), "--date: '31.1.2027' is not a date such as 2027-01-31"),
        (("--date", "2027-02-30"), "'2027-02-30'"),
        (("--seed", "x"), "'x' is not a whole number"),
        (("--seed=-1",), "'-1' is not a whole number from 1 to 999999999"),
        (("--date", "2025-12-31"), "--date: 2025-12-31 has no puzzle; the first is that of 2026-01-01"),
        (("--date", "2027-02-30"), "'2027-02-30' is not a date such as 2027-01-31"),
        (("--seed", "1", "--date", "2027-01-31"), "--date and --seed contradict each other"),
        (("--level", "hard"), "--level hard needs --seed"),
        (("--count", "3"), "--count 3 needs --seed"),
        (("--theme", "hold"), "--theme hold needs --seed"),
        (("--seed", "1", "--theme", "fork"), "'fork' is not one of double, above, forced, zugzwang, hold, trap"),
        (("--seed", "1", "--theme", "above", "--level", "hard"), "no puzzles of --level hard; allowed is easy"),
        (("--seed", "1", "--count", "0"), "'0' is not a whole number from 1 to 1000"),
        (("--moves", "48"), "--moves: move 2 of '48' is '8'; the columns are 1 to 7"),
        (("--width", "8"), "only --moves takes another board than 7x6"),
        (("--moves", "1", "--width", "36"), "'36' is not a whole number from 1 to 35"),
        (("--moves", "1", "--width", "0"), "'0' is not a whole number from 1 to 35"),
    ],
)
def test_a_command_line_that_cannot_be_used_is_explained(words: tuple[str, ...], complaint: str) -> None:
    result = run_agent("puzzle", *words)
    assert (result.returncode, result.stdout) == (2, b"")
    assert complaint in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1


def test_in_a_terminal_the_whole_line_is_played_and_a_wrong_column_explained() -> None:
    (puzzle,) = documents(*DOUBLE)
    wrong = next(column for column, score in enumerate(puzzle["scores"]) if score is not None and score <= 0)
    reply, four = puzzle["line"]
    with playing(*DOUBLE, command=(COMMAND, "puzzle")) as terminal:
        terminal.wait_for("Win in 2 moves.", "Your column")
        terminal.type("9")
        terminal.wait_for("'9' is not an open column")
        terminal.type(str(wrong + 1))
        terminal.wait_for(f"Column {wrong + 1} {puzzle['verdicts'][wrong]}. Try again.")
        terminal.type(str(puzzle["answer"] + 1))
        terminal.wait_for(f"Right. Red (X) answers {reply + 1}.", "1 move to go.")
        terminal.type(str(four + 1))
        terminal.wait_for(f"Solved. {puzzle['explanation']}")
        assert terminal.end() == 0


def test_a_theme_chooses_puzzles_by_the_reason_of_their_answer() -> None:
    result = run_agent("puzzle", "--seed", "2", "--count", "2", "--theme", "forced", "--level", "easy", "--answer")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.count(b"the forced moves of ") == 2


@pytest.mark.parametrize("keys", [b"\n", b"\x04"])
def test_enter_and_the_end_of_input_show_the_answer(keys: bytes) -> None:
    with playing(*DOUBLE, command=(COMMAND, "puzzle")) as terminal:
        terminal.wait_for("Your column")
        terminal.send(keys)
        terminal.wait_for("Best play: ")
        assert terminal.end() == 0
