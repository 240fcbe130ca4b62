"""Prints a report as aligned text."""

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
"""The most rows of a table of details; one with more is printed on request."""

FULL = ("Standings", "Not ready", "Did not play")
"""Tables that are always printed in full."""

CUT = ("Faults", "Sequential test")
"""Tables of which at least the first rows are printed."""


def print_report(report: Report, out: TextIO, *, verbose: bool = False) -> None:
    """Print the report; without `verbose`, long tables and those that say little are left out, and named."""
    tables = list(make_tables(report)) if verbose else list(short_tables(report))
    shown = {table.title for table in tables}
    left_out = [table.title.lower() for table in make_tables(report) if table.title not in shown]
    notes = [*report.notes, *([f"not shown here: {', '.join(left_out)}; use -v or --html"] if left_out else [])]
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
    """Print the result of a run: standings and faults; for a match, the result in a sentence."""
    is_match = len(report.agents) == 2 and bool(report.pairings)
    if is_match:
        out.write(f"{result_line(report)}\n")
    for warning in report.warnings:
        out.write(f"warning: {warning}\n")
    for table in short_tables(report):
        if table.title in CUT or (table.title in FULL and not (is_match and table.title == "Standings")):
            out.write(f"{plain(table)}\n")


def result_line(report: Report) -> str:
    """Return the result of a match in a sentence."""
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
    """Yield the tables that a report on a terminal begins with."""
    for table in make_tables(report):
        if table.title in FULL or (len(table.rows) <= MAX_ROWS and not table.is_detail):
            yield table
        elif table.title in CUT:
            more = f"{len(table.rows) - MAX_ROWS} more rows with -v or --html. "
            yield replace(table, rows=table.rows[:MAX_ROWS], caption=more + table.caption)


def plain(table: Table) -> str:
    """Return the table as aligned lines."""
    lines = [*aligned([table.header, *table.rows], table.left), *textwrap.wrap(table.caption, CAPTION_WIDTH)]
    return "\n  ".join(line.rstrip() for line in (table.title, *lines)) + "\n"
