"""Words: what is understood, and what is said about the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.terminal.typed_commands import (
    HELP,
    LARGEST_NUMBER,
    SHORT_HELP,
    SYNONYMS,
    Command,
    CommandError,
    Verb,
    read_command,
)
from tests.effort import examples


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("1\n", Command(Verb.DROP, number=0)),
        (" 07 \r\n", Command(Verb.DROP, number=6)),
        ("", Command(Verb.NEXT)),
        ("  \n", Command(Verb.NEXT)),
        ("u", Command(Verb.UNDO)),
        ("UNDO", Command(Verb.UNDO)),
        ("undo 3", Command(Verb.UNDO, "3", 3)),
        ("redo all", Command(Verb.REDO, "all", LARGEST_NUMBER)),
        ("h", Command(Verb.HINT)),
        ("hints", Command(Verb.HINT)),
        ("w", Command(Verb.WHY)),
        ("why 3", Command(Verb.WHY, "3", 2)),
        ("flip", Command(Verb.FLIP)),
        ("s", Command(Verb.SAVE)),
        ("save  my game.txt ", Command(Verb.SAVE, "my game.txt")),
        ("l 4453", Command(Verb.LOAD, "4453")),
        ("n", Command(Verb.NEW)),
        ("go", Command(Verb.GO)),
        ("?", Command(Verb.HELP)),
        ("q", Command(Verb.QUIT)),
        ("exit", Command(Verb.QUIT)),
        ("back", Command(Verb.BACK)),
        ("v", Command(Verb.REVIEW)),
        ("lines", Command(Verb.LINES)),
        ("lines 2", Command(Verb.LINES, "2", 2)),
    ],
)
def test_a_line_is_understood(line: str, command: Command) -> None:
    assert read_command(line, 7) == command


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("8", "there is no column 8: the columns are 1 to 7"),
        ("0", "there is no column 0: the columns are 1 to 7"),
        ("9" * 5000, "there is no column 99999999999999999999: the columns are 1 to 7"),
        ("hello", "'hello' is not a command: type a column, 1 to 7, or one of undo, redo, hint, why, flip, save, load"),
        ("new game", "'new game' is not a command"),
        ("4 4", "'4 4' is not a command"),
        ("-1", "'-1' is not a command"),
        ("²", "'²' is not a command"),
        ("undo x", "undo 'x': allowed are a number of discs and all"),
        ("redo 0", "redo '0': allowed are a number of discs and all"),
        ("load", "load needs a file or moves"),
        ("lines x", "lines 'x': allowed is the number of a line"),
        ("why not", "why 'not': allowed is a column, 1 to 7"),
        ("why 8", "there is no column 8: the columns are 1 to 7"),
        ("a", "there is no column a: the columns are 1 to 7"),
    ],
)
def test_a_line_that_is_not_understood_says_what_is(line: str, complaint: str) -> None:
    with pytest.raises(CommandError) as caught:
        read_command(line, 7)
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize(("line", "column"), [("a", 9), ("A", 9), ("10", 9), ("b", 10), ("e", 13)])
def test_columns_beyond_the_ninth_have_letters_as_on_the_page(line: str, column: int) -> None:
    assert read_command(line, 14) == Command(Verb.DROP, number=column)


def test_a_letter_that_is_a_key_stays_one_on_the_widest_board() -> None:
    keys = {word for word in SYNONYMS if len(word) == 1}
    assert all(read_command(key, 35).verb is not Verb.DROP for key in keys if key != "l")
    assert read_command("15", 35) == Command(Verb.DROP, number=14)


@examples(50)
@given(st.text(), st.integers(1, 35))
def test_any_line_is_a_command_or_an_explanation_that_can_be_printed(line: str, width: int) -> None:
    explanation = ""
    try:
        read_command(line, width)
    except CommandError as error:
        explanation = str(error)
    assert explanation.isprintable()
    assert len(explanation) < 300


@pytest.mark.parametrize(("text", "columns", "rows"), [(HELP, 80, 24), (SHORT_HELP, 40, 15)])
def test_the_help_has_every_word_and_fits_its_window(text: str, columns: int, rows: int) -> None:
    lines = text.splitlines()
    assert max(map(len, lines)) <= columns
    assert len(lines) < rows
    for verb in SYNONYMS.values():
        assert verb.value in text
