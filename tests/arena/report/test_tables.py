"""Tables say n/a where there is no figure, and whose side a figure is from; terminals are not played with."""

from __future__ import annotations

import io
import sys

import pytest

from connect4_agent.arena.report.ratings import SprtBounds
from connect4_agent.arena.report.tables import headline, tables_of
from connect4_agent.arena.report.tally import Tally
from connect4_agent.arena.report.text import plain, print_tables
from tests.sample_runs import judged_record, record_of, tournament

NASTY_NAME = "\x1b[31m[bold]evil\u202e\n</b>"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(out: io.StringIO, *names: str) -> str:
    tally = Tally()
    agents = (names[0], names[1]) if names else ("a", "b")
    for game in range(1, 5):
        tally.add(record_of("0101010", game=game, repeat=game, agents=agents))
    report = tally.report("run", None, SprtBounds(0, 10))
    print_tables(headline(report), report.notes, tables_of(report), out)
    return out.getvalue()


def test_a_clean_sweep_is_printed_as_not_available() -> None:
    text = printed(io.StringIO())
    rows = [line.split() for line in text.splitlines() if line.startswith("  a  b ")]
    assert ["a", "b", "4", "1", "4", "0", "0", "100.0", "%", "n/a", "n/a", "n/a"] in rows
    assert "a has no rating: it won every point." in " ".join(text.split())
    assert "from A's side" in text


def test_columns_are_aligned_in_plain_text() -> None:
    tally = Tally()
    for record in tournament(rounds=2):
        tally.add(record)
    for table in tables_of(tally.report("run")):
        header, *rows = plain(table).splitlines()[1 : len(table.rows) + 2]
        end = header.index(table.header[1]) + len(table.header[1])
        if 1 not in table.left:
            assert all(row[:end].rstrip().endswith(cells[1]) for row, cells in zip(rows, table.rows, strict=True))


def test_judged_moves_are_told_per_100_and_in_numbers() -> None:
    tally = Tally()
    tally.add(judged_record())
    text = "".join(plain(table) for table in tables_of(tally.report("run")))
    rows = [line.split() for line in text.splitlines() if "(" in line]
    assert [
        "a",
        "4",
        "68.8",
        "25.00",
        "(1)",
        "0.00",
        "(0)",
        "25.00",
        "(1)",
        *["0.00", "(0)"] * 2,
        "25.00",
        "(1)",
    ] in rows
    assert [
        "b",
        "3",
        "41.7",
        "66.67",
        "(2)",
        "33.33",
        "(1)",
        "0.00",
        "(0)",
        *["33.33", "(1)"] * 2,
        "0.00",
        "(0)",
    ] in rows
    assert "Judged moves" not in printed(io.StringIO())


@pytest.mark.parametrize("out", [io.StringIO(), Terminal()])
def test_names_cannot_send_control_signs_to_a_terminal(out: io.StringIO) -> None:
    text = printed(out, NASTY_NAME, "b")
    assert "\x1b[31m[bold]evil" not in text
    assert "\u202e" not in text
    assert "[bold]evil" in text.replace("\n", "")


def test_a_terminal_gets_tables_from_rich_and_a_pipe_plain_text() -> None:
    assert "─" in printed(Terminal())
    assert "─" not in printed(io.StringIO())


def test_without_rich_a_terminal_gets_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert printed(Terminal()) == printed(io.StringIO())
