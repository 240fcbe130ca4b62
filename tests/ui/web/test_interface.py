"""The web interface: what its page says of it, and answers to arbitrary and to nearly valid calls."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.rules.position import Position
from connect4_agent.server.request import make_request
from connect4_agent.ui.web.api import CALLS
from connect4_agent.ui.web.http_errors import STATUS
from connect4_agent.ui.web.runs import EVENTS
from tests.effort import examples
from tests.processes import REPOSITORY
from tests.ui.web.web_servers import Answer, WebServer, web_server

pytestmark = pytest.mark.slow

PAGE = REPOSITORY / "docs" / "web.md"

POSITION = json.loads(make_request(Position.from_moves("4453")))
GAME = {"columns": [3, 3, 4, 2], "width": 7, "height": 6, "first": 1, "grid": None}
PLAN = {"kept": [[1, 1]], "answers": [[[0, 0], [0, 1]]], "spare": 3}
BODIES: dict[str, Any] = {
    "/api/move": POSITION,
    "/api/analyze": POSITION,
    "/api/explain": POSITION,
    "/api/plan": {**GAME, "plan": PLAN},
    "/api/judge": GAME,
    "/api/puzzles": GAME,
}
"""A valid body for each call that takes one."""

KEYS = {
    "/api/move": ["player", "time_limit", "seed", "explain"],
    "/api/analyze": ["time_limit", "explain"],
    "/solve": ["pos"],
    "/api/explain": ["column", "time_limit"],
    "/api/puzzle": ["seed", "theme", "level"],
    "/api/puzzle/day": ["date"],
}
"""The keys that the address of a call may have."""

GOOD = {
    "player": ["easy", "level:1", "negamax:depth=2", "monte-carlo:playouts=5"],
    "pos": ["", "4455", "111111"],
    "time_limit": ["0.01", "1e300"],
    "seed": ["1", "999999999"],
    "explain": ["true", "false"],
    "column": ["0", "6"],
    "theme": ["trap", "double", "forced"],
    "level": ["easy", "medium", "hard"],
    "date": ["2027-01-31"],
}
BAD = ["", "0", "-1", "7", "1e400", "nan", str(1 << 70), "True", "nobody", "fork", "2025-12-31", "2027-02-30"]
"""Values of keys that call for others, most of them."""

small = st.integers(-1, 8)
numbers = st.integers(-3, 101) | st.integers() | st.floats()
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5) | st.sampled_from(["a1", "g6", "t9", 0, 1, 2]),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=20,
)


@st.composite
def spoiled_bodies(draw: st.DrawFn, valid: Any) -> bytes:
    """A valid body of which a few values are replaced, added or left out, numbers mostly by other small numbers."""
    body = deepcopy(valid)
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        found = list(places(body))
        if not found:
            break
        holder, key = draw(st.sampled_from(found))
        new = draw(small | small | values if isinstance(holder[key], int) else values)
        change = draw(st.sampled_from(["replace", "replace", "add", "remove"]))
        if change == "remove":
            del holder[key]
        elif change == "add" and isinstance(holder, list):
            holder.insert(key, new)
        elif change == "add":
            holder[draw(st.text(max_size=5))] = new
        else:
            holder[key] = new
    return json.dumps(body).encode()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value inside a document: the list or object that holds it, and its index or key there."""
    items = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, inner in items:
        yield value, key
        if isinstance(inner, list | dict):
            yield from places(inner)


@st.composite
def bodies(draw: st.DrawFn) -> tuple[str, bytes]:
    """A call's address, and a body that is nearly valid or arbitrary."""
    path = draw(st.sampled_from(sorted(BODIES)))
    spoiled = spoiled_bodies(BODIES[path])
    whole = values.map(json.dumps).map(str.encode)
    cut = st.tuples(spoiled, st.integers(1, 50)).map(lambda pair: pair[0][: -pair[1]])
    return path, draw(spoiled | spoiled | spoiled | whole | cut | st.binary(max_size=20))


@st.composite
def queries(draw: st.DrawFn) -> tuple[str, str, bytes | None]:
    """A method, an address whose query is good or bad, and a valid body."""
    method, path, _ = draw(st.sampled_from(CALLS))
    keys = st.sampled_from(KEYS.get(path, ["unknown"]))
    query = []
    for key in draw(st.lists(keys | keys | st.sampled_from([*GOOD, "unknown"]), max_size=2)):
        good = st.sampled_from(GOOD.get(key, ["1"]))
        query.append((key, draw(good | good | st.sampled_from(BAD) | st.text(max_size=5))))
    return method, f"{path}?{urlencode(query)}", json.dumps(BODIES[path]).encode() if path in BODIES else None


@pytest.fixture(scope="module")
def hasty() -> Iterator[WebServer]:
    """A server that searches for a moment only, and says nothing on standard error."""
    with web_server("--time-limit", "0.05") as server:
        yield server
        server.process.terminate()
        assert server.process.stderr is not None
        assert server.process.stderr.read() == b""


def check(answer: Answer) -> None:
    """Check that a call was answered with JSON, or refused with a documented code; never with an internal error."""
    assert answer.status < 500, answer
    assert answer.headers["content-type"] == "application/json"
    if answer.status == 200:
        assert isinstance(answer.json, dict)
    else:
        assert answer.status == STATUS[answer.code]


@pytest.mark.needs("compiled")
@given(call=bodies())
@examples(800)
def test_every_body_is_answered_or_refused_with_a_documented_code(hasty: WebServer, call: tuple[str, bytes]) -> None:
    path, body = call
    check(hasty.ask("POST", path, body))


@pytest.mark.needs("compiled")
@given(call=queries())
@examples(400)
def test_every_query_is_answered_or_refused_with_a_documented_code(
    hasty: WebServer, call: tuple[str, str, bytes | None]
) -> None:
    check(hasty.ask(*call))


@pytest.mark.needs("compiled")
@pytest.mark.parametrize("path", BODIES)
def test_the_bodies_that_are_spoiled_are_valid(hasty: WebServer, path: str) -> None:
    assert hasty.post(path, BODIES[path]).status == 200


def test_every_call_is_in_the_table_of_its_page() -> None:
    listed = re.findall(r"^\| `(GET|POST) (/[^|]*) \|", PAGE.read_text(), re.MULTILINE)
    documented = {(method, path.strip("`")) for method, paths in listed for path in paths.split(", ")}
    assert documented == {(method, path) for method, path, _ in CALLS} | {("GET", EVENTS)}


def test_every_code_of_the_interface_is_named_in_its_page() -> None:
    page = PAGE.read_text()
    documented = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.MULTILINE))
    assert {code: int(status) for code, status in documented.items()} == STATUS


def test_the_pages_examples_give_what_it_says(web: WebServer) -> None:
    page = PAGE.read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    for (language, code), (next_language, expected) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language == "sh":
            curl, option, body, url = shlex.split(code)
            assert (curl, option) == ("curl", "--json")
            answer = web.ask("POST", url.removeprefix("http://127.0.0.1:8076"), body.encode())
            assert answer.status == 200, code
            if next_language == "text":
                assert answer.body.decode() == expected
