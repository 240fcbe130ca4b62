"""The tutorial on classes: its table of probabilities is computed, and its lines of Python give its grades."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import comb
from pathlib import Path

import pytest

from connect4_agent.arena.report.model import RESULTS
from connect4_agent.arena.statistics.ratings import likelihood_of_superiority, verdict_on
from tests.processes import REPOSITORY

PAGE = (REPOSITORY / "docs" / "tutorials" / "class.md").read_text()


def probability_of_yes(share: float, games: int) -> float:
    """The probability of the verdict yes after games without draws, each won with this probability: by enumeration."""
    pairs, (lost, split, won) = games // 2, ((1 - share) ** 2, 2 * share * (1 - share), share**2)
    return sum(
        comb(pairs, worst) * comb(pairs - worst, even) * lost**worst * split**even * won ** (pairs - worst - even)
        for worst in range(pairs + 1)
        for even in range(pairs - worst + 1)
        if verdict_on(likelihood_of_superiority((worst, 0, even, 0, pairs - worst - even))) == "yes"
    )


def test_the_table_of_probabilities_is_computed() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:2] == "| "]
    header, _, *lines = rows
    shares = [int(cell.removesuffix(" %")) / 100 for cell in header[1:]]
    assert len(lines) == 5
    for games, *cells in lines:
        assert cells == [f"{100 * probability_of_yes(share, int(games)):.0f}" for share in shares]


def shown_rows() -> Iterator[dict[str, str]]:
    """The columns of the worked example, as far as they are shown."""
    block = re.search(r"^    name .*\n(?:    .*\n)+", PAGE, re.MULTILINE)
    assert block is not None
    header, *lines = block[0].splitlines()
    names = header.split()
    assert set(names) <= set(RESULTS)
    for line in lines:
        yield dict(zip(names, line.split(), strict=False))


def test_its_lines_of_python_give_its_grades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"problem": "columns" if row["name"] == "fatima" else ""} | row for row in shown_rows()]
    names = ["name", "ready", "strongest_level_beaten", "problem"]
    lines = [",".join(row.get(name, "") for name in names) for row in rows]
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "results.csv").write_text("\n".join([",".join(names), *lines, ""]))
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 10
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    printed = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert printed == [
        ["chen", "70", ""], *([name, "40", ""] for name in ("ada", "dana", "bruno", "emil")), ["fatima", "0", "columns"]
    ]  # fmt: skip
