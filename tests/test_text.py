"""Foreign text is shown short, on one line and harmless."""

from __future__ import annotations

import pytest

from connect4_agent.text import escaped, printable, short, short_json, short_line, without_bidi_marks


@pytest.mark.parametrize(("text", "shown"), [("", ""), ("x" * 60, "x" * 60), ("x" * 61, "x" * 57 + "...")])
def test_a_long_text_is_cut_and_marked(text: str, shown: str) -> None:
    assert short(text) == shown


def test_length_and_mark_can_be_chosen() -> None:
    assert short("abcdef", 5, "…") == "abcd…"


def test_a_value_is_shown_as_json() -> None:
    assert short_json({"a": [1, None]}) == '{"a":[1,null]}'
    assert short_json(["x" * 80]) == '["' + "x" * 55 + "..."
    nested: list[object] = []
    for _ in range(1000):
        nested = [nested]
    assert short_json(nested) == "a value that cannot be quoted"
    assert short_json("half a pair: \ud800") == '"half a pair: \\ud800"'


def test_a_long_line_is_shown_with_its_length() -> None:
    assert short_line(b"abc\n", 10) == "abc"
    assert short_line(b"x" * 12 + b"\n", 10) == "x" * 10 + "... (13 bytes)"


def test_control_characters_are_written_out() -> None:
    assert escaped("Ünï 漢") == "Ünï 漢"
    assert escaped("a\tb\ud800") == "a\\tb\\ud800"
    assert printable("a\tb\x1b[2J") == "a?b?[2J"


def test_marks_that_reorder_text_are_left_out_and_other_scripts_stay() -> None:
    assert without_bidi_marks("a\u202eb\u2066c\u2069d\u200f\u061c") == "abcd"
    assert without_bidi_marks("\u05d0\u05d1 \u0627\u0628 \u2019") == "\u05d0\u05d1 \u0627\u0628 \u2019"
