"""Runs docs/notebook.ipynb without Jupyter: `python -m tests.notebook [FILE]` writes it with what its cells show.

A code cell shows what it prints, and then its last line if that is an expression: as a picture or table if IPython
shows one, otherwise as text.
"""

from __future__ import annotations

import ast
import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from tests.processes import REPOSITORY

NOTEBOOK = REPOSITORY / "docs" / "notebook.ipynb"


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
        shell: Any = InteractiveShell.instance()
        forms, _ = shell.display_formatter.format(value)
        data = {form: lines_of(text) for form, text in forms.items() if form != "text/plain" or len(forms) == 1}
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
    InteractiveShell.instance()  # before the first cell imports the package
    path = Path(sys.argv[1]) if sys.argv[1:] else NOTEBOOK
    path.write_text(json.dumps(run_cells(read_notebook()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
