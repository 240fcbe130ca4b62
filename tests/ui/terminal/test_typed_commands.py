"""Typed commands: the lines that are understood, and the answers to the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.ui.terminal.typed_commands import Command, CommandError, Verb, read_command
from tests.effort import examples


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("1\n", Command(Verb.DROP, 0)),
        (" 07 \r\n", Command(Verb.DROP, 6)),
        ("", Command(Verb.NEXT)),
        ("  \n", Command(Verb.NEXT)),
        ("u", Command(Verb.UNDO)),
        ("UNDO", Command(Verb.UNDO)),
        ("undo 3", Command(Verb.UNDO, 3)),
        ("h", Command(Verb.HINT)),
        ("w", Command(Verb.WHY)),
        ("why 3", Command(Verb.WHY, 2)),
        ("s", Command(Verb.SCORES)),
        ("n", Command(Verb.NEW)),
        ("new 10", Command(Verb.NEW, 10)),
        ("v", Command(Verb.REVIEW)),
        ("q", Command(Verb.QUIT)),
    ],
)
def test_a_line_is_understood(line: str, command: Command) -> None:
    assert read_command(line, 7) == command


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("8", "there is no column '8': the columns are 1 to 7"),
        ("0", "there is no column '0': the columns are 1 to 7"),
        ("9" * 5000, "there is no column '99999999999999999999': the columns are 1 to 7"),
        (
            "hello",
            "'hello' is not a command: type a column, 1 to 7, or one of undo, hint, scores, why, review, new, quit",
        ),
        ("new game", "new 'game': allowed is a level, 1 to 10"),
        ("n 11", "new '11': allowed is a level, 1 to 10"),
        ("4 4", "'4 4' is not a command"),
        ("-1", "'-1' is not a command"),
        ("²", "'²' is not a command"),
        ("undo x", "undo 'x': allowed is a number of discs"),
        ("undo 0", "undo '0': allowed is a number of discs"),
        ("why not", "there is no column 'not': the columns are 1 to 7"),
        ("why 8", "there is no column '8': the columns are 1 to 7"),
    ],
)
def test_a_line_that_is_not_understood_gets_a_reason(line: str, complaint: str) -> None:
    with pytest.raises(CommandError) as caught:
        read_command(line, 7)
    assert str(caught.value).startswith(complaint)


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
