"""The documentation site, built by `make docs` from the pages of this folder."""

from connect4_agent import __version__

project = "connect4-agent"
author = "The connect4-agent developers"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3  # page.md#a-heading works here as it does on GitHub
myst_enable_extensions = ["fieldlist"]

default_role = "code"  # single backquotes in docstrings, as in Markdown
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
add_module_names = False

html_theme = "furo"
html_title = f"connect4-agent {release}"
html_show_copyright = False
