"""Words: what is understood, and what is said about the rest."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.play.words import HELP, LARGEST_NUMBER, SYNONYMS, Command, Verb, read_command


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
        ("flip", Command(Verb.FLIP)),
        ("s", Command(Verb.SAVE)),
        ("save  my game.txt ", Command(Verb.SAVE, "my game.txt")),
        ("l 4453", Command(Verb.LOAD, "4453")),
        ("n", Command(Verb.NEW)),
        ("go", Command(Verb.GO)),
        ("?", Command(Verb.HELP)),
        ("q", Command(Verb.QUIT)),
        ("exit", Command(Verb.QUIT)),
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
        ("hello", "'hello' is not understood: type a column, 1 to 7, or one of undo, redo, hint, flip, save, load"),
        ("new game", "'new game' is not understood"),
        ("4 4", "'4 4' is not understood"),
        ("-1", "'-1' is not understood"),
        ("²", "'²' is not understood"),
        ("undo x", "undo 'x': allowed are a number of discs and all"),
        ("redo 0", "redo '0': allowed are a number of discs and all"),
        ("load", "load what?"),
    ],
)
def test_a_line_that_is_not_understood_says_what_is(line: str, complaint: str) -> None:
    with pytest.raises(errors.WordsError) as caught:
        read_command(line, 7)
    assert str(caught.value).startswith(complaint)


@settings(deadline=None, max_examples=50)
@given(st.text(), st.integers(1, 35))
def test_any_line_is_a_command_or_an_explanation_that_can_be_printed(line: str, width: int) -> None:
    explanation = ""
    try:
        read_command(line, width)
    except errors.WordsError as error:
        explanation = str(error)
    assert explanation.isprintable()
    assert len(explanation) < 300


def test_the_help_has_every_word_and_fits_80_columns_and_24_rows() -> None:
    lines = HELP.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < 24
    for verb in SYNONYMS.values():
        assert verb.value in HELP
