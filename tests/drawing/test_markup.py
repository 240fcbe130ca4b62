"""Markup: everything is escaped once, and only what is not markup yet."""

from __future__ import annotations

from connect4_agent.drawing.markup import Markup, element, join


def test_contents_and_attributes_are_escaped_once() -> None:
    link = element("a", '<b> & "c"', href='/?a=1&b="2"')
    assert link == '<a href="/?a=1&amp;b=&quot;2&quot;">&lt;b&gt; &amp; &quot;c&quot;</a>'
    assert element("p", link, " & ") == f"<p>{link} &amp; </p>"
    assert join([Markup("<br>"), "<br>"]) == "<br>&lt;br&gt;"


def test_attributes_are_left_out_bare_or_written_with_hyphens() -> None:
    assert element("td", class_=None, hidden=False, open=True, colspan=2) == '<td open colspan="2"></td>'
    assert element("circle", stroke_width=1.50, cx=1.0) == '<circle stroke-width="1.5" cx="1"/>'


def test_what_is_joined_by_hand_is_escaped_again() -> None:
    """Only what `element` and `join` return is markup: text with an element in it is text."""
    assert element("p", "see " + element("b", "x")) == "<p>see &lt;b&gt;x&lt;/b&gt;</p>"
