"""Runs docs/notebook.ipynb without Jupyter: `python -m tests.notebook` writes what its cells show into the file.

A code cell shows what it prints, and then its last line if that is an expression: as a picture or table if the value
has one, otherwise as text.
"""

from __future__ import annotations

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from tests.processes import REPOSITORY

NOTEBOOK = REPOSITORY / "docs" / "notebook.ipynb"
RICH_FORMS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def run_cells(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs that its code cells give when they are run in order."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = outputs_of("".join(cell["source"]), names, count)
            cells.append({**cell, "execution_count": count, "outputs": outputs})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def outputs_of(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What one cell shows, as a notebook's file describes it."""
    *statements, last = ast.parse(source).body
    printed = StringIO()
    value = None
    with redirect_stdout(printed):
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(statements, []), "cell", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        else:
            exec(compile(source, "cell", "exec"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines_of(printed.getvalue())})
    if value is not None:
        data = {form: lines_of(getattr(value, name)()) for form, name in RICH_FORMS.items() if hasattr(value, name)}
        if not data:
            data["text/plain"] = lines_of(repr(value))
        outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return outputs


def lines_of(text: str) -> list[str]:
    """A text as a notebook's file has it."""
    return text.splitlines(keepends=True)


def read_notebook() -> dict[str, Any]:
    """The notebook of the documentation."""
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return notebook


if __name__ == "__main__":
    NOTEBOOK.write_text(json.dumps(run_cells(read_notebook()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
