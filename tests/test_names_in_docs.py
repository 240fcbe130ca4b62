"""What the pages name exists: tables, buttons and texts in italics or quotes, options, and names of the Python API.

A page puts the name of a table, a button or a message in italics or in quotes, as the product shows it. A single word
in italics without a capital is a term that the page explains.
"""

from __future__ import annotations

import ast
import html
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import connect4_agent as c4
from tests.processes import REPOSITORY

DOCS = REPOSITORY / "docs"
PACKAGE = REPOSITORY / "connect4_agent"
PAGES = [REPOSITORY / "README.md", *sorted(DOCS.rglob("*.md"))]

CODE = re.compile(r"^```.*?^```|^ {4}[^\n]*$|`[^`\n]+`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
ITALIC = re.compile(r"(?<![*\w])\*(?!\*)([^*\n]+)\*(?!\*)")
QUOTED = re.compile(r'"([^"]+)"')

TERMS = {
    "statistics.md": {"Biometrika", "Sequential Analysis"},
    "strength.md": {"90.3 % optimal on evaluation set 1 of connect4-agent", "Fresh"},
    "tutorials/how-the-solver-works.md": {"following up"},
}
"""Words in italics or quotes that are not names in the product, by the page that has them."""

VALUE = "\N{REPLACEMENT CHARACTER}"
"""Stands for a value in a text."""

FOREIGN_OPTIONS = {"--no-deps", "--nthreads", "--nworkers", "--fast", "--user", "--scope"}
"""Options of pip, of Dask, of systemd-run, and of a program in an example."""


@cache
def shown_texts() -> tuple[set[str], list[re.Pattern[str]]]:
    """Return the texts that the product shows: whole ones, and patterns of those with a value in them."""
    texts = [text for path in PACKAGE.rglob("*.py") for text in texts_of_python(path.read_text())]
    for path in PACKAGE.rglob("static/*"):
        if path.suffix in (".js", ".html"):
            texts += texts_of_page(path.read_text())
    parts = [" ".join(text.split()).split(VALUE) for text in texts]
    whole = {part[0] for part in parts if len(part) == 1}
    return whole, [
        re.compile(".+?".join(map(re.escape, part))) for part in parts if len(part) > 1 and len("".join(part)) > 8
    ]


def texts_of_python(source: str) -> Iterator[str]:
    """Give the strings of a module, with VALUE where an f-string has a value."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in node.values)


def texts_of_page(source: str) -> list[str]:
    """Return the texts between tags and in quotes of a page or script, with VALUE where a template has a value."""
    templates = [re.sub(r"\$\{[^}]*\}", VALUE, text) for text in re.findall(r"`([^`]+)`", source)]
    return [*map(html.unescape, re.findall(r">([^<>{}]+)<", source)), *re.findall(r'"([^"\n]+)"', source), *templates]


def is_shown(name: str) -> bool:
    """Check whether the product shows this text, with a capital or a full stop more or less."""
    whole, patterns = shown_texts()
    return any(
        text in whole or any(pattern.fullmatch(text) for pattern in patterns)
        for word in (name, name[:1].upper() + name[1:], name[:1].lower() + name[1:])
        for text in (word, f"{word}.")
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_in_italics_or_quotes_are_shown_by_the_product(page: Path) -> None:
    prose = CODE.sub("`", page.read_text())
    italic = [name for name in ITALIC.findall(prose) if not re.fullmatch("[a-z]+", name)]
    names = {" ".join(name.split()) for name in italic + QUOTED.findall(prose)}
    terms = TERMS.get(os.path.relpath(page, DOCS), set())
    assert terms <= names
    assert [name for name in names - terms if not is_shown(name)] == []


def test_options_of_the_pages_exist() -> None:
    sources = [*PACKAGE.rglob("*.py"), *(REPOSITORY / "tools").rglob("*.py")]
    known = {option for path in sources for option in re.findall(r"\"(--[a-z][a-z-]*)[\"= ]", path.read_text())}
    for page in PAGES:
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page.read_text()))
        assert options - known - FOREIGN_OPTIONS == set(), page.name


def test_names_of_the_api_exist_wherever_they_are_mentioned() -> None:
    for path in [*PAGES, *PACKAGE.rglob("*.py")]:
        for name in re.findall(r"\bc4\.(\w+)", path.read_text()):
            assert hasattr(c4, name), f"{path.name}: c4.{name}"
