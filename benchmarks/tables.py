"""The form of a benchmark's figures, and the table that shows them."""

from __future__ import annotations

from typing import Any

Figures = list[dict[str, Any]]
"""Rows with the same keys: `what` was measured, then the figures; None is shown as n/a."""


def as_table(title: str, rows: Figures) -> str:
    """The rows as aligned text; a key that not every row has is a column with gaps."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([_shown(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(line[index]) for line in lines) for index in range(len(names))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([f"== {title}", *text, ""])


def _shown(value: object) -> str:
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
