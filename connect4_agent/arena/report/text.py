"""Prints tables: with rich on a terminal if it is installed, otherwise as plain aligned text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from io import StringIO
from typing import TextIO

from connect4_agent.arena.report.model import Report
from connect4_agent.arena.report.tables import Table, headline, tables_of

CAPTION_WIDTH = 100


def text_of(report: Report) -> str:
    """A report as plain text."""
    out = StringIO()
    print_tables(headline(report), report.notes, tables_of(report), out)
    return out.getvalue()


def print_tables(headline: str, notes: Iterable[str], tables: Iterable[Table], out: TextIO) -> None:
    """Print the headline, the notes and the tables."""
    if out.isatty() and _print_rich(headline, notes, tables, out):
        return
    out.write(f"{headline}\n")
    for note in notes:
        out.write(f"note: {note}\n")
    for table in tables:
        out.write(f"\n{plain(table)}")


def plain(table: Table) -> str:
    """The table as aligned lines."""
    lines = [table.header, *table.rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(table.header))]
    text = [table.title]
    for line in lines:
        cells = [
            cell.ljust(width) if index in table.left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  " + "  ".join(cells).rstrip())
    text += [f"  {line}" for line in textwrap.wrap(table.caption, CAPTION_WIDTH)]
    return "\n".join(text) + "\n"


def _print_rich(headline: str, notes: Iterable[str], tables: Iterable[Table], out: TextIO) -> bool:
    """Print with rich; False if it is not installed."""
    try:
        from rich import box, console, table, text  # noqa: PLC0415  # an extra
    except ImportError:
        return False
    Text = text.Text  # noqa: N806  # a class
    screen = console.Console(file=out)
    # Text, not str: an agent's name may look like rich's markup.
    screen.print(Text(headline, style="bold"))
    for note in notes:
        screen.print(Text(f"note: {note}", style="yellow"))
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
    return True
