"""The notebook of the documentation: it runs from top to bottom and shows what its file says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebook import NOTEBOOK, read_notebook
from tests.processes import REPOSITORY, clean_environment


@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_every_cell_runs_and_shows_what_the_file_says(tmp_path: Path) -> None:
    """A process of its own: the package sees IPython when it is imported, as in a notebook."""
    written = tmp_path / "notebook.ipynb"
    environment = clean_environment(IPYTHONDIR=str(tmp_path))
    subprocess.run([sys.executable, "-m", "tests.notebook", written], cwd=REPOSITORY, env=environment, check=True)
    assert written.read_bytes() == NOTEBOOK.read_bytes(), "python -m tests.notebook writes the file"


def test_the_notebook_has_pictures_and_tables() -> None:
    shown = [
        form
        for cell in read_notebook()["cells"]
        for output in cell.get("outputs", ())
        for form in output.get("data", ())
    ]
    assert shown.count("image/svg+xml") >= 4
    assert shown.count("text/html") >= 2
