"""The documentation site, built by `make docs` from the pages of this folder."""

import re
from typing import Any

from sphinx.util import logging

from connect4_agent import AgentReport, Estimate, GameRecord, Report, __version__
from connect4_agent.arena.report.model import FirstFault, Pairing

project = "connect4-agent"
author = "The connect4-agent developers"
release = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
myst_heading_anchors = 3  # page.md#a-heading works here as it does on GitHub
myst_enable_extensions = ["fieldlist"]
nb_execution_mode = "off"  # the notebook's file holds its outputs, and tests/test_notebook.py runs its cells

default_role = "code"  # single backquotes in docstrings, as in Markdown
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
add_module_names = False

copybutton_selector = "div:not(.highlight-text, .output) > div.highlight > pre"  # output is there to read

html_theme = "furo"
html_title = f"connect4-agent {release}"
html_logo = html_favicon = "../connect4_agent/ui/web/static/icon.svg"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_show_copyright = False


RESULTS = (GameRecord, Report, AgentReport, Pairing, FirstFault, Estimate)
"""Programs read these and never make them: the page lists their fields, and no arguments."""


def hide_signature_of_results(
    _app: Any, _what: str, _name: str, documented: Any, _options: Any, signature: str, returns: str
) -> tuple[str, str]:
    """The signature to show."""
    return ("", "") if documented in RESULTS else (signature, returns)


def refuse_colon(_app: Any, what: str, name: str, _documented: Any, _options: Any, lines: list[str]) -> None:
    """Warn of an attribute's docstring with a colon: napoleon would take the words before it for a type."""
    if what in ("attribute", "property", "data") and re.search(r":(\s|$)", lines[0] if lines else ""):
        logging.getLogger(__name__).warning("%s: the first line of its docstring has a colon", name)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", refuse_colon, priority=400)  # before napoleon's 500
    app.connect("autodoc-process-signature", hide_signature_of_results)
