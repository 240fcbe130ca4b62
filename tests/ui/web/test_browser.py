"""The calls as a worker in the browser makes them: the server's answers, without what the server needs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any
from urllib.parse import urlencode

import pytest

from connect4_agent.ui.web import browser
from connect4_agent.ui.web.calls import CALLS
from tests.processes import REPOSITORY
from tests.ui.web.web_servers import ENDLESS, WebServer

LATE = "4435444512532334122"
POSITION = {"grid": [[0] * 6 for _ in range(7)], "height": 6, "player": 1, "width": 7}
GAME = {"columns": [int(sign) - 1 for sign in LATE], "width": 7, "height": 6, "first": 1}
PLAN: dict[str, Any] = {"kept": [], "answers": [], "spare": None}
LOST_GRID = {"grid": [[0, 0, 1, 1, 1, 1], *([0] * 6 for _ in range(6))], "player": 2}

Look = Callable[[], Any]


@pytest.fixture(autouse=True)
def ffi(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Pyodide's bridge, where promises are plain values."""
    module = ModuleType("pyodide.ffi")
    vars(module).update(can_run_sync=lambda: True, run_sync=lambda promise: promise)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", module)
    return module


def ask(name: str, query: dict[str, Any] | None = None, body: Any = None, look: Look = lambda: False) -> Any:
    return json.loads(browser.answer(name, json.dumps({"query": query or {}, "body": body}), look))


ASKED: list[tuple[str, dict[str, Any], Any]] = [
    ("move", {"player": "level:3", "seed": 5}, POSITION),
    ("move", {"player": "perfect", "explain": "true"}, POSITION),
    ("move", {"player": "nobody"}, POSITION),
    ("analyze", {}, POSITION),
    ("analyze", {"explain": "true", "time_limit": "2.5"}, POSITION),
    ("analyze", {}, LOST_GRID),
    ("explain", {"column": 3}, POSITION),
    ("explain", {"column": 9}, POSITION),
    ("hint", {}, POSITION),
    ("risks", {}, POSITION),
    ("plan", {}, {**GAME, "plan": PLAN}),
    ("judge", {}, GAME),
    ("judge", {}, {**GAME, "columns": [0] * 7}),
    ("puzzle", {"seed": 7, "theme": "double", "level": "easy"}, None),
    ("puzzle/day", {"date": "2027-01-31"}, None),
    ("puzzles", {}, GAME),
]


@pytest.mark.parametrize(("name", "query", "body"), ASKED)
def test_the_answers_are_those_of_the_server(web: WebServer, name: str, query: dict[str, Any], body: Any) -> None:
    path = f"/api/{name}?{urlencode(query)}"
    sent = None if body is None else json.dumps(body).encode()
    answer = web.ask("POST" if sent else "GET", path, sent, content_type="application/json").json
    found = ask(name, query, body)
    for each in (answer, found):  # what depends on time, and on tables that are warm
        for key in ("elapsed_ms", "nodes"):
            each.pop(key, None)
    if answer.get("code") == "unknown_player":  # the server names its programs, too
        assert answer["error"].startswith(found["error"])
        assert found["code"] == "unknown_player"
    else:
        assert found == answer


def test_every_call_but_those_of_other_programs_is_compared() -> None:
    assert {name for name, _, _ in ASKED} == CALLS.keys() - {"players", "solve"}


def test_the_players_are_built_in() -> None:
    found = ask("players")
    assert (found["agents"], found["has_run"]) == ([], False)
    assert "perfect" in [player["name"] for player in found["players"]]


@pytest.mark.parametrize(
    ("name", "query", "said"),
    [
        ("puzzle", {"seed": "x"}, 'in the address, seed is "x": invalid literal'),
        ("puzzle", {"theme": "trick"}, 'in the address, theme is "trick": allowed are double, above'),
        ("puzzle/day", {"date": "yesterday"}, "in the address, date is \"yesterday\": 'yesterday' is not a date"),
    ],
)
def test_a_bad_query_is_named(name: str, query: dict[str, str], said: str) -> None:
    found = ask(name, query)
    assert found["error"].startswith(said)
    assert found["code"] == "bad_query"


def test_a_search_that_is_no_longer_wanted_ends() -> None:
    looks = iter([False, True])
    found = ask("analyze", {}, json.loads(ENDLESS), lambda: next(looks))
    assert found["code"] == "gone"
    assert list(looks) == []


def test_without_promises_in_webassembly_nobody_looks(ffi: ModuleType) -> None:
    vars(ffi)["can_run_sync"] = lambda: False

    def look() -> bool:
        raise AssertionError

    assert ask("analyze", {"time_limit": 0.2}, json.loads(ENDLESS), look)["exact"] is False


def test_it_needs_nothing_that_is_not_in_python() -> None:
    code = "import sys, connect4_agent.ui.web.browser as b; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "connect4_agent" in loaded
    assert not loaded & {"orjson", "pydantic", "starlette", "uvicorn", "anyio", "multiprocessing"}
    assert "connect4_agent.arena" not in done.stdout.split()
