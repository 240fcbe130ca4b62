"""A Kaggle submission: one Python file that holds the interpreted engine, the book, and the agent.

The file holds the source text of the modules, under a package name that no installed package has, with a small
finder that imports them, and the book and its layer, packed with zlib, as base64.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from pathlib import Path

from connect4_agent import __version__, errors
from connect4_agent.engine.book import files
from connect4_agent.engine.book.files import read_layer
from connect4_agent.rules.position import USUAL_SIZE

PACKAGE = "connect4_agent"

MODULES = {
    "": "errors text",
    "rules": "geometry notation position scores",
    "engine": "engine limits",
    "engine.kernel": ("word order values fours tuning evaluators search followup solver layer book oracle forms"),
    "engine.book": "files",
    "engine.players": "player negamax perfect",
    "harnesses": "kaggle",
}
"""The modules that the agent needs, by their packages; "" is the whole package."""

DATA_LINE = 100

LICENCE = """\
MIT License

Copyright (c) 2026 The connect4-agent developers

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the \"Software\"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""
"""The text of the file LICENSE, which an installed package does not have beside it."""

_HEAD = '''\
"""A Connect Four agent for Kaggle's ConnectX: connect4-agent {version} as one file.

Submit this file as it is. Kaggle takes the last callable, `agent(observation, configuration)`, which returns a
column. On 7 columns and 6 rows it plays from the book and then by exact search; on other boards, and if time is
short, it searches as deep as it can. It needs Python 3.11 or newer and the standard library only.

Made by `connect4-agent export kaggle`; {book}.
What to change, if anything: ACT_SHARE, OVERAGE_SHARE and OVERAGE_RESERVE_SECONDS below, in harnesses/kaggle.py.

{licence}"""

import base64
import importlib
import importlib.abc
import importlib.util
import sys
import zlib

PACKAGE = {package!r}

SOURCES = {{}}
'''

_TAIL = '''

class SourceFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules above."""

    def find_spec(self, name, path=None, target=None):
        if name not in SOURCES:
            return None
        is_package = any(other.startswith(name + ".") for other in SOURCES)
        spec = importlib.util.spec_from_loader(name, self, origin=name + ".py", is_package=is_package)
        spec.has_location = True
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compile(SOURCES[module.__name__], module.__name__ + ".py", "exec"), module.__dict__)


if PACKAGE not in sys.modules:
    sys.meta_path.insert(0, SourceFinder())
_files = importlib.import_module(PACKAGE + ".engine.book.files")
_book = _files.decode_book(
    zlib.decompress(base64.b64decode(BOOK)),
    "the book of this file",
    lambda: _files.decode_layer(zlib.decompress(base64.b64decode(LAYER)), "the layer of this file"),
)
_kaggle_agent = importlib.import_module(PACKAGE + ".harnesses.kaggle").KaggleAgent(_book)


def agent(observation, configuration):
    """The column to play, counted from 0."""
    return _kaggle_agent.choose(observation, configuration)
'''


def submission() -> tuple[str, str]:
    """Return the text of the file, and a description of its book."""
    path = files.file_for(*USUAL_SIZE)
    layer_path = path.with_suffix(files.LAYER_SUFFIX)
    book, layer = files.read_book(path), read_layer(layer_path)
    description = (
        f"with the whole book: {len(book.scores)} scores, {len(book.replies)} replies, and "
        f"{layer.count} scores of {layer.plies} plies"
    )
    data = {"BOOK": path.read_bytes(), "LAYER": layer_path.read_bytes()}
    return _join_file(description, data), description


def _join_file(description: str, data: dict[str, bytes]) -> str:
    names = [f"{package}.{name}".strip(".") for package, names in MODULES.items() for name in ("", *names.split())]
    sources = {name: _read_source(name) for name in names}
    digest = hashlib.sha256("".join(sources.values()).encode()).hexdigest()[:8]
    package = f"{PACKAGE}_submission_{digest}"
    parts = [_HEAD.format(version=__version__, book=description, package=package, licence=LICENCE)]
    for module, source in sources.items():
        name = f"{package}.{module}".rstrip(".")
        parts.append(f"\nSOURCES[{name!r}] = r'''{source.replace(PACKAGE, package)}'''\n")
    for name, content in data.items():
        text = base64.b64encode(zlib.compress(content, 9)).decode()
        lines = [text[start : start + DATA_LINE] for start in range(0, len(text), DATA_LINE)]
        parts.append(f'\n{name} = """\n' + "\n".join(lines) + '\n"""\n')
    return "".join([*parts, _TAIL])


def _read_source(module: str) -> str:
    """Return the text of a module; it must fit into a raw string in triple single quotes."""
    path = Path(__file__).parent.parent.joinpath(*module.split("."))
    source = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
    if "'''" in source or source.endswith(("'", "\\")):
        raise errors.BadValueError(f"{path} cannot be quoted in triple single quotes")
    return source
