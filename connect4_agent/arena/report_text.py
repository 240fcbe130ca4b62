"""Prints tables: with rich on a terminal where it is installed, as plain aligned text anywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from connect4_agent.arena.tables import Table

CAPTION_WIDTH = 100


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
    import textwrap  # noqa: PLC0415  # a terminal with rich never needs it

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
    """Print with rich; False where it is not installed."""
    try:
        from rich import box  # noqa: PLC0415  # an extra
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table as RichTable  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415
    except ImportError:
        return False
    console = Console(file=out)
    # Text, not str: an agent's name may look like rich's markup.
    console.print(Text(headline, style="bold"))
    for note in notes:
        console.print(Text(f"note: {note}", style="yellow"))
    for table in tables:
        drawn = RichTable(title=Text(table.title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD)
        drawn.padding, drawn.pad_edge = (0, 1, 0, 0), False
        drawn.caption = Text(table.caption) if table.caption else None
        drawn.caption_justify = "left"
        for index, name in enumerate(table.header):
            is_text = index in table.left
            # Figures stay whole; names and sentences give way where the terminal is narrow.
            drawn.add_column(name, justify="left" if is_text else "right", no_wrap=not is_text, overflow="fold")
        for row in table.rows:
            drawn.add_row(*map(Text, row))
        console.print(drawn)
    return True
