"""Compiled or interpreted: which form of the engine's files runs.

Both forms come from the same source. An extension module hides the .py file beside it, so the
interpreted form is loaded from that file under a second name, `connect4_agent.engine.interpreted.*`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from connect4_agent.engine.bits import MACHINE_BITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.lines import Evaluator
    from connect4_agent.engine.playouts import Playouts
    from connect4_agent.engine.search import Search
    from connect4_agent.engine.solver import Solver

SWITCH = "CONNECT4_AGENT_INTERPRETED"
"""The environment variable that, set to anything but nothing or 0, chooses the interpreted form."""

_HOT_MODULES = (
    "lines",
    "chains",
    "parity",
    "evaluate",
    "playouts",
    "search",
)  # in the order in which they import each other
_SOLVER_MODULES = ("followup", "solver")  # the same; loaded only where exact scores are asked for


@cache
def is_compiled() -> bool:
    """Whether the compiled form is there and not switched off."""
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        return False
    return all(_is_library(name) for name in _HOT_MODULES)


def fits_machine_word(width: int, height: int) -> bool:
    """Whether compiled code can hold a board of this size."""
    return (height + 1) * width <= MACHINE_BITS


def runs_compiled(width: int, height: int) -> bool:
    """Whether boards of this size are searched by compiled code."""
    return fits_machine_word(width, height) and is_compiled()


def hot_module(name: str, compiled: bool) -> ModuleType:
    """One of the engine's hot modules in the form asked for."""
    if compiled or not _is_any_library():
        return importlib.import_module(f"{__package__}.{name}")
    return _interpreted_modules()[name]


def new_evaluator(name: str, width: int, height: int, compiled: bool) -> Evaluator:
    """An evaluator of boards of this size, in the form asked for."""
    evaluator: Evaluator = hot_module("evaluate", compiled).EVALUATORS[name](width, height)
    return evaluator


def new_search(
    width: int, height: int, evaluator: str, table_size: int, compiled: bool, ordering: str = "threats"
) -> Search:
    """A search over boards of this size, in the form asked for; `ordering` is one of search.ORDERINGS."""
    search: Search = hot_module("search", compiled).Search(
        width,
        height,
        new_evaluator(evaluator, width, height, compiled),
        table_size,
        _poll_interval(width, height, compiled),
        ordering,
    )
    return search


def new_playouts(width: int, height: int, seed: int, poll: Callable[[], None], compiled: bool) -> Playouts:
    """Random playouts on boards of this size, in the form asked for."""
    playouts: Playouts = hot_module("playouts", compiled).Playouts(
        width, height, seed, poll, _poll_interval(width, height, compiled)
    )
    return playouts


def _poll_interval(width: int, height: int, compiled: bool) -> int:
    """The nodes between two polls: about a millisecond's, a power of two."""
    if compiled:
        return 1 << 12
    # The larger the board, the longer its integers take: one by one on the largest.
    return 1 << max(0, 11 - ((height + 1) * width - 1).bit_length())


def new_solver(width: int, height: int, compiled: bool | None = None, with_rules: bool = True) -> Solver:
    """An exact solver for boards of this size, in the form asked for, None being what runs here.

    Its table takes 16 MB where it is filled: a larger one saves hardly any nodes, and misses the caches more often.
    """
    if compiled is None:
        compiled = runs_compiled(width, height)
    # Compiled code shifts by three steps at once; only boards of one to three columns are too high for that.
    compiled = compiled and 3 * (height + 2) < MACHINE_BITS
    solver: Solver = hot_module("solver", compiled).Solver(
        width, height, 19 if compiled else 17, _poll_interval(width, height, compiled), with_rules
    )
    return solver


def _is_library(name: str) -> bool:
    spec = importlib.util.find_spec(f"{__package__}.{name}")  # found, not loaded: most servers never need them all
    return spec is not None and not str(spec.origin).endswith(".py")


@cache
def _is_any_library() -> bool:
    """Whether a library hides a .py file; where none does, the modules under their own names are interpreted."""
    return any(_is_library(name) for name in (*_HOT_MODULES, *_SOLVER_MODULES))


@cache
def _interpreted_modules() -> dict[str, ModuleType]:
    package = ModuleType(f"{__package__}.interpreted", "The engine's source files, never compiled.")
    package.__path__ = []
    for name in ("bits", "fours"):  # never compiled: `from . import` finds them here
        setattr(package, name, importlib.import_module(f"{__package__}.{name}"))
    sys.modules[package.__name__] = package
    modules = {}
    for name in (*_HOT_MODULES, *_SOLVER_MODULES):
        full_name = f"{package.__name__}.{name}"
        spec = importlib.util.spec_from_file_location(full_name, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full_name] = module
        spec.loader.exec_module(module)
        modules[name] = module
    return modules
