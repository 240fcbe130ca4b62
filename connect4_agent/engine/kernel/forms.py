"""Forms of the kernel: which ones are available, and which one runs for a board size.

The kernel's modules are plain Python. The packages `narrow` and `wide` have the same modules compiled for boards
of up to 64 and up to 128 bits, at (height + 1) bits a column. All forms give the same answers with the same
number of nodes.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import TYPE_CHECKING, Any

from .order import DEFAULT_ORDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from .book import Book
    from .evaluators import Evaluator
    from .oracle import Oracle
    from .plans import Plans
    from .playouts import Playouts
    from .search import Search
    from .solver import Solver

PLAIN = "plain"
NARROW = "narrow"
WIDE = "wide"

WORD_BITS = {NARROW: 64, WIDE: 128}
"""The compiled forms, the fastest first, and the bits of the largest board that each can hold."""

MODULES = {
    "narrow": ("evaluators", "playouts", "search", "followup", "solver", "layer", "book", "oracle", "plans"),
    "wide": ("evaluators", "playouts", "search", "followup", "solver", "oracle", "plans"),
}
"""The modules of each compiled form, in the order in which they import each other; setup.py reads this.

Books and layers exist only for boards of up to 64 bits.
"""

ON_DEMAND = {"plans"}
"""The modules of which no search needs one: a server starts without them."""

SWITCH = "CONNECT4_AGENT_INTERPRETED"
"""The environment variable that, set and not 0, chooses the plain form."""


def form_for(width: int, height: int) -> str:
    """Return the form that runs for boards of this size."""
    return next((form for form in WORD_BITS if fits(form, width, height) and is_available(form)), PLAIN)


def is_compiled() -> bool:
    """Check whether a compiled form is available and not switched off."""
    return any(is_available(form) for form in WORD_BITS)


def fits(form: str, width: int, height: int) -> bool:
    """Check whether a form can hold a board of this size."""
    return form == PLAIN or (height + 1) * width <= WORD_BITS[form]


def fits_compiled(width: int, height: int) -> bool:
    """Check whether a compiled form could hold a board of this size if it were available."""
    return any(fits(form, width, height) for form in WORD_BITS)


def is_slow(width: int, height: int, form: str | None = None) -> bool:
    """Check whether boards of this size are searched by plain code, and are so large that it needs a time limit."""
    return (form or form_for(width, height)) == PLAIN and not fits(NARROW, width, height)


@cache
def is_available(form: str) -> bool:
    """Check whether a compiled form is not switched off and all of its modules load."""
    return not is_switched_off() and load_error(form) is None


def is_switched_off() -> bool:
    """Check whether the environment chooses the plain form."""
    return os.environ.get(SWITCH, "0") not in ("", "0")


def load_error(form: str) -> ImportError | None:
    """Return why a compiled form cannot be loaded, if it cannot.

    A form counts only if it is complete: without a working compiler, an installation may lack some of its modules.
    """
    try:
        for name in MODULES[form]:
            if name not in ON_DEMAND:
                module(name, form)
    except ImportError as error:
        return error
    return None


def module(name: str, form: str) -> ModuleType:
    """Return one of the kernel's modules in a form."""
    return importlib.import_module(f"{__package__}.{name}" if form == PLAIN else f"{__package__}.{form}.{name}")


def new_evaluator(
    evaluator: str | Callable[[int, int], int], width: int, height: int, form: str | None = None
) -> Evaluator:
    """Return an evaluator of boards of this size, by its name or a function of the mover's and the opponent's discs.

    Here and below, `form` None means the form that runs for the size.
    """
    evaluators = module("evaluators", form or form_for(width, height))
    made: Evaluator
    if isinstance(evaluator, str):
        made = evaluators.EVALUATORS[evaluator](width, height)
    else:
        made = evaluators.FunctionEvaluator(width, height, evaluator)
    return made


def new_search(
    width: int,
    height: int,
    evaluator: str | Callable[[int, int], int],
    table_size: int,
    form: str | None = None,
    move_order: str = DEFAULT_ORDER,
    rates_full_boards: bool = False,
) -> Search:
    """Return a search over boards of this size; search.py explains the last two arguments."""
    form = form or form_for(width, height)
    search: Search = module("search", form).Search(
        width,
        height,
        new_evaluator(evaluator, width, height, form),
        table_size,
        # A Python function takes about as long as a node of plain code, or longer.
        _poll_interval(width, height, form if isinstance(evaluator, str) else PLAIN),
        move_order,
        rates_full_boards,
    )
    return search


def new_playouts(width: int, height: int, seed: int, poll: Callable[[], None], form: str | None = None) -> Playouts:
    """Return random playouts on boards of this size."""
    form = form or form_for(width, height)
    playouts: Playouts = module("playouts", form).Playouts(
        width, height, seed, poll, _poll_interval(width, height, form)
    )
    return playouts


@cache
def solver_form(width: int, height: int, form: str | None = None) -> str:
    """Return the form of the solver for boards of this size; the plain one if the form asked for cannot do it.

    Compiled code shifts by three steps at once; boards of one to three columns may be too high for that.
    """
    wanted = WORD_BITS if form is None else [form]
    able = (
        name
        for name in wanted
        if name != PLAIN and 3 * (height + 2) < WORD_BITS[name] and fits(name, width, height) and is_available(name)
    )
    return next(able, PLAIN)


def new_solver(
    width: int, height: int, form: str | None = None, with_rules: bool = True, index_bits: int = 18
) -> Solver:
    """Return an exact solver for boards of this size.

    Its table takes 8 MB once it is filled: a larger one saves hardly any nodes, and misses the caches more often. It
    pays from some hundred million nodes on; each of the `index_bits` more doubles it.
    """
    form = solver_form(width, height, form)
    solver: Solver = module("solver", form).Solver(
        width, height, index_bits - (form == PLAIN), _poll_interval(width, height, form), with_rules
    )
    return solver


def book_module(name: str, width: int, height: int, form: str | None = None) -> Any:
    """Return one of the modules with which a book for boards of this size is looked up: `book` or `layer`."""
    return module(name, solver_form(width, height, form or NARROW))


def new_oracle(
    width: int, height: int, book: Book | None, solver: Solver | None, max_bounded: int, form: str | None = None
) -> Oracle:
    """Return exact scores of boards of this size from a book and a solver, either of which may be missing."""
    oracle: Oracle = module("oracle", solver_form(width, height, form)).Oracle(width, height, book, solver, max_bounded)
    return oracle


def new_plans(width: int, height: int, form: str | None = None) -> Plans:
    """Return forced sequences and plans on boards of this size."""
    plans: Plans = module("plans", solver_form(width, height, form)).Plans(width, height)
    return plans


def _poll_interval(width: int, height: int, form: str) -> int:
    """Return the nodes between two polls: about a millisecond's, a power of two."""
    if form != PLAIN:
        return 1 << 12
    # The larger the board, the longer its integers take: one by one on the largest.
    return 1 << max(0, 11 - ((height + 1) * width - 1).bit_length())
