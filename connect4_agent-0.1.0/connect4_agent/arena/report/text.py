"""Prints a report: with rich on a terminal if it is installed, otherwise as plain aligned text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import TextIO

from connect4_agent.arena.report.model import Report
from connect4_agent.arena.report.tables import Table, headline, make_tables, who_is_stronger
from connect4_agent.text import aligned, escaped

CAPTION_WIDTH = 100

MAX_ROWS = 10
"""Of a table of details; one with more is printed on request."""

FULL = ("Standings", "Did not play")
"""Tables that are always printed in full."""

CUT = ("Faults", "Sequential test")
"""Tables of which at least the first rows are printed."""


def print_report(report: Report, out: TextIO, *, verbose: bool = False) -> None:
    """Print the report; without `verbose`, long tables and those that say little are left out, and named."""
    tables = list(make_tables(report)) if verbose else list(short_tables(report))
    shown = {table.title for table in tables}
    left_out = [table.title.lower() for table in make_tables(report) if table.title not in shown]
    notes = [*report.notes, *([f"not shown here: {', '.join(left_out)}; use -v or --html"] if left_out else [])]
    if out.isatty() and _print_rich(headline(report), report.warnings, tables, notes, out):
        return
    out.write(f"{headline(report)}\n")
    for warning in report.warnings:
        out.write(f"warning: {warning}\n")
    for table in tables:
        out.write(f"\n{plain(table)}")
    if notes:
        out.write("\n")
    for note in notes:
        out.write(f"note: {note}\n")


def print_standings(report: Report, out: TextIO) -> None:
    """Print what a run ends with: who is how good, and what went wrong; of a match, the result in a sentence."""
    is_match = len(report.agents) == 2 and bool(report.pairings)
    if is_match:
        out.write(f"{result_line(report)}\n")
    for warning in report.warnings:
        out.write(f"warning: {warning}\n")
    for table in short_tables(report):
        if table.title in CUT or (table.title in FULL and not (is_match and table.title == "Standings")):
            out.write(f"{plain(table)}\n")


def result_line(report: Report) -> str:
    """The result of a match."""
    pairing = report.pairings[0]
    a, b = escaped(pairing.a), escaped(pairing.b)
    rates = [
        f"{escaped(agent.name)} {agent.judged.errors.per_100_moves:.1f}" for agent in report.agents if agent.judged
    ]
    errors = f"; errors per 100 moves: {', '.join(rates)}" if rates else ""
    return (
        f"{a} - {b}: {pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost by {a}; "
        f"{pairing.wins + pairing.draws + pairing.losses} games, {pairing.distinct_games} distinct; "
        f"{who_is_stronger(pairing)}{errors}"
    )


def short_tables(report: Report) -> Iterator[Table]:
    """The tables that a report on a terminal begins with."""
    for table in make_tables(report):
        if table.title in FULL or (len(table.rows) <= MAX_ROWS and not table.is_detail):
            yield table
        elif table.title in CUT:
            more = f"{len(table.rows) - MAX_ROWS} more rows with -v or --html. "
            yield replace(table, rows=table.rows[:MAX_ROWS], caption=more + table.caption)


def plain(table: Table) -> str:
    """The table as aligned lines."""
    lines = [*aligned([table.header, *table.rows], table.left), *textwrap.wrap(table.caption, CAPTION_WIDTH)]
    return "\n  ".join(line.rstrip() for line in (table.title, *lines)) + "\n"


def _print_rich(headline: str, warnings: list[str], tables: list[Table], notes: list[str], out: TextIO) -> bool:
    """Print with rich; False if it is not installed."""
    try:
        from rich import box, console, table, text  # noqa: PLC0415  # an extra
    except ImportError:
        return False
    Text = text.Text  # noqa: N806  # a class
    screen = console.Console(file=out)
    # Text, not str: an agent's name may look like rich's markup.
    screen.print(Text(headline, style="bold"))
    for warning in warnings:
        screen.print(Text(f"warning: {warning}", style="yellow"))
    for each in tables:
        drawn = table.Table(title=Text(each.title, style="bold cyan"), title_justify="left", box=box.SIMPLE_HEAD)
        drawn.padding, drawn.pad_edge = (0, 1, 0, 0), False
        drawn.caption = Text(each.caption) if each.caption else None
        drawn.caption_justify = "left"
        for index, name in enumerate(each.header):
            is_text = index in each.left
            # Figures stay whole; on a narrow terminal, names and sentences are wrapped.
            drawn.add_column(name, justify="left" if is_text else "right", no_wrap=not is_text, overflow="fold")
        for row in each.rows:
            drawn.add_row(*map(Text, row))
        screen.print(drawn)
    for note in notes:
        screen.print(Text(f"note: {note}", style="dim"))
    return True
