"""The form of a benchmark's figures, and the tables that show them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

Figures = list[dict[str, Any]]
"""Rows: `what` was measured, then the figures; None is shown as n/a, and figures named a share in percent."""


def as_tables(title: str, rows: Figures) -> str:
    """The rows as aligned Markdown; consecutive rows with the same keys form one table."""
    tables = ["\n".join(_table(names, list(group))) for names, group in groupby(rows, key=tuple)]
    return "\n\n".join([f"## {title}", *tables]) + "\n"


def _table(names: tuple[str, ...], rows: Figures) -> list[str]:
    cells = [[_shown(row[name], is_share=name.endswith("_share")) for name in names] for row in rows]
    header = [name.replace("_", " ") for name in names]
    widths = [max(3, *map(len, column)) for column in zip(header, *cells, strict=True)]
    lines = [header, ["-" * width for width in widths], *cells]
    return [f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |" for line in lines]


def _shown(value: object, *, is_share: bool) -> str:
    if value is None:
        return "n/a"
    if is_share:
        return f"{value:.2%}"
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
