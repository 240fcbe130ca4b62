"""HTML and SVG as text: elements, whose contents and attributes are escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

EMPTY_TAGS = {"circle", "line", "link", "meta", "path", "rect"}


class Markup(str):
    """Text that is markup already: `element` does not escape it again."""

    __slots__ = ()


def element(tag: str, *contents: str, **attributes: str | float | None) -> Markup:
    """Return an element. An attribute is written with - for _, as a bare name for True; None and False leave it out.

    Attributes that are words of Python end with _, such as `class_`.
    """
    start = tag
    for name, value in attributes.items():
        if value is not None and value is not False:
            text = value if isinstance(value, str) else f"{value:g}"
            start += f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(text)}"')
    return Markup(f"<{start}/>" if tag in EMPTY_TAGS else f"<{start}>{join(contents)}</{tag}>")


def join(contents: Iterable[str]) -> Markup:
    """Return the contents one after the other, escaped unless they are markup."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in contents))
