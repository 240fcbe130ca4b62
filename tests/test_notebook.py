"""The notebook of the documentation: it runs from top to bottom and shows what its file says."""

from __future__ import annotations

import pytest

from tests.notebook import read_notebook, run_cells


@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_every_cell_runs_and_shows_what_the_file_says() -> None:
    notebook = read_notebook()
    assert run_cells(notebook) == notebook, "python -m tests.notebook writes the file"


def test_the_notebook_has_pictures_and_tables() -> None:
    shown = [
        form
        for cell in read_notebook()["cells"]
        for output in cell.get("outputs", ())
        for form in output.get("data", ())
    ]
    assert shown.count("image/svg+xml") >= 4
    assert shown.count("text/html") >= 2
