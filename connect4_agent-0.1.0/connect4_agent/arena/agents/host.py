"""Run a Python file as an agent: PYTHON host.py FILE[:NAME]. It calls a function of the file for each request.

This file stands alone: the agent's own interpreter, Python 3.8 or later, starts it, perhaps where nothing else of this
package can be seen. Requests come from standard input and replies go to standard output; what the agent prints goes to
standard error, and what it reads is empty. A failure of the agent is reported in a reply and never replaced by a move.
"""

from __future__ import annotations

import ast
import inspect
import json
import operator
import os
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Grid = list[list[int]]

NAMES = ("agent", "choose", "move", "act", "play")
"""The names that are looked for, in this order."""

ACCEPTED = (
    "accepted are a function named agent, choose, move, act or play, or the only public function, with the parameters "
    "(grid, player) or (observation, configuration); the only public class, with act(board); a program that reads "
    "standard input. FILE:NAME names one of several"
)

EXIT_REFUSED = 65
"""The exit status for a file that cannot play; the last line of standard error says why."""

MAX_REPR = 100
MAX_MOVE = 1 << 31
"""Numbers from here on are not sent as moves: not every JSON reader takes them."""

KAGGLE_CONFIGURATION = {"inarow": 4, "timeout": 2, "actTimeout": 2, "agentTimeout": 60, "episodeSteps": 1000}
"""The defaults of Kaggle's ConnectX; `columns` and `rows` come with the request."""


class HostError(Exception):
    """A file that cannot play, or a request that cannot be answered."""


class Struct(dict):  # type: ignore[type-arg]  # Python 3.8 has no dict[str, Any] at run time
    """A dictionary whose items are attributes as well, as Kaggle passes them."""

    def __getattr__(self, name: str) -> Any:
        """Return the item of this name."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


# ---- the file: a program, or a function to call ---------------------------------------------------------------------


def is_program(tree: ast.Module) -> bool:
    """Return whether the file is to be started as a program, judging by its source alone.

    It is one if it reads standard input as soon as it is imported; if it reads standard input when it is started and
    imports JSON: it keeps the protocol by itself, and nothing says what its functions take; or if it reads standard
    input when it is started and holds nothing else that could be called.
    """
    if reads_input(tree, is_started=False):
        return True
    if not reads_input(tree, is_started=True):
        return False
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = [alias.name for node in imports for alias in node.names]
    modules += [node.module or "" for node in imports if isinstance(node, ast.ImportFrom)]
    if any("json" in module for module in modules):
        return True
    own = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.FunctionDef) and node.args.args)
    ]
    names = [alias.asname or alias.name for node in imports for alias in node.names] + own
    names += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return not set(NAMES).intersection(names) and len(public(own)) != 1


def public(names: Iterable[str]) -> list[str]:
    """Return the public names among these."""
    return [name for name in names if not name.startswith("_")]


def reads_input(tree: ast.Module, *, is_started: bool) -> bool:
    """Return whether a file reads standard input when it is started, or already when it is imported."""
    functions = {node.name: node.body for node in tree.body if isinstance(node, ast.FunctionDef)}
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        if is_input(node):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            waiting += functions.pop(node.func.id, [])
        if isinstance(node, ast.ClassDef) and is_started:  # which methods are called is not looked at
            waiting += [part for method in node.body for part in getattr(method, "body", [])]
        if isinstance(node, ast.If) and any(getattr(part, "id", "") == "__name__" for part in ast.walk(node.test)):
            waiting += node.body if is_started else node.orelse
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return False


def is_input(node: ast.AST) -> bool:
    """Return whether a node of the syntax tree is a use of standard input."""
    if isinstance(node, ast.Attribute):
        return node.attr == "stdin" and isinstance(node.value, ast.Name) and node.value.id == "sys"
    if isinstance(node, ast.ImportFrom):
        return node.module == "sys" and any(alias.name == "stdin" for alias in node.names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        first = node.args[0] if node.args else None
        is_zero = isinstance(first, ast.Constant) and first.value == 0
        return node.func.id == "input" or (node.func.id == "open" and is_zero)
    return False


def load(path: str, code: types.CodeType) -> types.ModuleType:
    """Run the file as a module of its own name, its folder first on the path. Raise HostError if that fails."""
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    module.__file__ = path
    sys.modules[module.__name__] = module
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        raise HostError(f"cannot be loaded: {describe_error(error, path)}") from None
    return module


def find_player(module: types.ModuleType, name: str) -> Any:
    """Return what to ask for moves: a function, a class or an object with act(board). Raise HostError if unclear."""
    values = vars(module)
    own = [
        key
        for key, value in values.items()
        if inspect.isroutine(value) or isinstance(value, type)
        if getattr(value, "__module__", None) == module.__name__
    ]
    only = [key for key in public(own) if isinstance(values[key], type) or parameters(values[key])]
    wanted = [name] if name else [*NAMES, *(only if len(only) == 1 else [])]
    for key in wanted:
        if key in values and find_form(values[key]):
            return values[key]
    found = ", ".join(f"{key}{describe_parameters(values[key])}" for key in own) or "no function and no class"
    if name:
        problem = f"{name} cannot be called" if name in values else f"it has no {name}"
    else:
        problem = "it has several functions or classes" if len(only) > 1 else "nothing in it can be asked for a move"
    raise HostError(f"{problem}; found: {found}; {ACCEPTED}")


def find_form(value: Any) -> str:
    """Return how a value is asked for moves: grid, kaggle or board; an empty text if it cannot be."""
    act = getattr(value, "act", None)
    if callable(act):
        return "board" if takes(act, 2 if isinstance(value, type) else 1) else ""
    if isinstance(value, type) or not callable(value):
        return ""
    names = [*parameters(value), "", ""]
    if names[0].lower().startswith("obs") or names[1].lower().startswith("conf"):
        return "kaggle" if takes(value, 2) or takes(value, 1) else ""
    return "grid" if takes(value, 2) else ""


def parameters(function: Any) -> list[str]:
    """Return the names of a function's parameters; none if they are unknown."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def takes(function: Any, count: int) -> bool:
    """Return whether a function can be called with that many arguments, as far as that is known."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True


def describe_parameters(value: Any) -> str:
    """Return the parameters of a function in parentheses, or the methods of a class."""
    if isinstance(value, type):
        methods = [name for name, item in vars(value).items() if inspect.isroutine(item)]
        return f" (a class with {', '.join(methods) or 'no methods'})"
    return f"({', '.join(parameters(value))})"


def make_chooser(value: Any, path: str) -> Callable[[Grid, int], Any]:
    """Return a function that asks for a move. Raise HostError if what it needs is missing or fails."""
    form = find_form(value)
    if form == "kaggle":
        return lambda grid, player: value(*kaggle_arguments(grid, player)[: 2 if takes(value, 2) else 1])
    if form == "grid":
        return value  # type: ignore[no-any-return]
    try:
        import numpy as np  # noqa: PLC0415  # only this form needs it
    except ImportError:
        raise HostError(
            f"act(board) takes a NumPy array, and {sys.executable} has no NumPy: install it there, or name the "
            "interpreter that has it"
        ) from None
    try:
        player = value() if isinstance(value, type) else value
        if callable(getattr(player, "mount", None)):
            player.mount()
    except (Exception, SystemExit) as error:
        raise HostError(f"cannot be prepared: {describe_error(error, path)}") from None

    def ask(grid: Grid, own: int) -> Any:
        rows = [[{0: 0, own: 1}.get(cell, -1) for cell in row] for row in zip(*grid)]
        return player.act(np.array(rows))

    return ask


def kaggle_arguments(grid: Grid, player: int) -> tuple[Struct, Struct]:
    """Return the observation and the configuration that Kaggle's ConnectX would pass."""
    board = [cell for row in zip(*grid) for cell in row]
    observation = Struct(board=board, mark=player, step=len(board) - board.count(0), remainingOverageTime=0)
    return observation, Struct(KAGGLE_CONFIGURATION, columns=len(grid), rows=len(grid[0]))


# ---- requests and replies -------------------------------------------------------------------------------------------


def answer(line: bytes, words: list[str], choose: Callable[[Grid, int], Any], where: str, path: str) -> dict[str, Any]:
    """Return the reply to a request: a move, or what went wrong."""
    try:
        grid, player = read_request(line, words)
    except HostError as error:
        return {"error": str(error)}
    last, open_columns = len(grid) - 1, [column for column, cells in enumerate(grid) if cells[0] == 0]
    try:
        value = choose(grid, player)
    except (Exception, SystemExit) as error:
        return {"error": describe_error(error, path)}
    shown = f"{where} returned {describe(value)}"
    try:
        column = operator.index(value)
    except TypeError:
        column = -MAX_MOVE
    if column <= -MAX_MOVE or column >= MAX_MOVE or type(value).__name__ in ("bool", "bool_"):
        return {"error": f"{shown}; a move is a whole number from 0 to {last}"}
    if not 0 <= column <= last:
        return {"move": column, "error": f"{shown}; columns are 0 to {last}"}
    if column not in open_columns:
        return {"move": column, "error": f"{shown}, a full column; open: {', '.join(map(str, open_columns))}"}
    return {"move": column}


def read_request(line: bytes, words: list[str]) -> tuple[Grid, int]:
    """Return the grid of a request and the player to move. Raise HostError if there is none."""
    try:
        request = json.loads(line.decode("utf-8-sig"))
    except ValueError as error:
        raise HostError(f"the request is not JSON: {error}") from None
    grid = request.get("grid") if isinstance(request, dict) else None
    columns = grid if isinstance(grid, list) else []
    cells = [cell for column in columns if isinstance(column, list) for cell in column]
    heights = {len(column) if isinstance(column, list) else 0 for column in columns}
    if len(heights) != 1 or 0 in heights or any(type(cell) is not int or cell not in (0, 1, 2) for cell in cells):
        raise HostError("the request has no grid of equal columns of 0, 1 and 2")
    if 0 not in cells:
        raise HostError("the board is full")
    player = request.get("player")
    if type(player) is not int or player not in (1, 2):  # --player 1 --width 7 --height 6, or 1 1 7 7 6 6
        numbers = [int(word) for word in words if word in ("1", "2")]
        player = numbers[0] if numbers else 2 if cells.count(2) < cells.count(1) else 1
    return columns, player


def describe(value: Any) -> str:
    """Return a value as a short text."""
    try:
        text = repr(value)
    except Exception:  # a defect of a foreign object
        text = f"an object of {type(value).__name__}"
    return text if len(text) <= MAX_REPR else text[: MAX_REPR - 3] + "..."


def describe_error(error: BaseException, path: str) -> str:
    """Return what was raised and where in the file; its traceback goes to standard error."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    lines = traceback.format_exception_only(type(error), error)
    sys.stderr.write("Traceback (most recent call last):\n" + "".join(traceback.format_list(frames) + lines))
    sys.stderr.flush()
    numbers = [frame.lineno for frame in frames if frame.filename == path]
    place = f" ({os.path.basename(path)}, line {numbers[-1]})" if numbers else ""
    return f"{lines[-1].strip()}{place}"


def describe_place(value: Any, path: str) -> str:
    """Return the name of a function and the line where it begins."""
    act = getattr(value, "act", value)
    code = getattr(inspect.unwrap(act), "__code__", None)
    name = getattr(act, "__qualname__", type(value).__name__)
    return f"{name} ({os.path.basename(path)}{f', line {code.co_firstlineno}' if code else ''})"


# ---- the process ----------------------------------------------------------------------------------------------------


def take_streams() -> tuple[Iterator[bytes], int]:
    """Return the request lines and the descriptor for replies, and hide both from the agent, C code included."""
    # First of all: on a file, it asks for the position, which a pipe does not have.
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    requests, replies = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        os.dup2(nothing, 1)
    return iter(requests), replies


def split_file(word: str) -> tuple[str, str]:
    """Return the file and the name of FILE[:NAME]."""
    path, colon, name = word.rpartition(":")
    return (path, name) if colon and name.isidentifier() else (word, "")


def play(path: str, name: str, words: list[str]) -> None:
    """Answer requests until the input ends. Raise HostError if the file cannot play."""
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(), path)
        code = compile(tree, path, "exec", dont_inherit=True)
    except OSError as error:
        raise HostError(f"cannot be read: {error.strerror}") from None
    except (SyntaxError, ValueError) as error:
        place = f"line {error.lineno}: " if isinstance(error, SyntaxError) else ""
        raise HostError(f"{place}{getattr(error, 'msg', error)}") from None
    if not name and is_program(tree):
        os.execv(sys.executable, [sys.executable, path, *words])
    sys.argv = [path, *words]
    if os.path.abspath(sys.path[0] or ".") == os.path.dirname(os.path.abspath(__file__)):
        del sys.path[0]  # the folder of this file
    sys.path.insert(0, os.path.dirname(path))
    requests, replies = take_streams()
    value = find_player(load(path, code), name)
    choose, where = make_chooser(value, path), describe_place(value, path)
    for line in requests:
        if line.strip():
            reply = json.dumps(answer(line, words, choose, where, path)).encode() + b"\n"
            while reply:
                reply = reply[os.write(replies, reply) :]


def main(words: list[str]) -> int:
    """Play for a file; the exit status."""
    if not words:
        sys.stderr.write("usage: PYTHON host.py FILE[:NAME]\n")
        return 2
    path, name = split_file(words[0])
    try:
        play(os.path.abspath(path), name, words[1:])
    except HostError as error:
        sys.stderr.write(f"{os.path.basename(path)}: {error}\n")
        return EXIT_REFUSED
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the manager has gone
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
