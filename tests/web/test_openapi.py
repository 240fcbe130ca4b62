"""The description of the web interface, and calls with anything that it allows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from connect4_agent.web.http_errors import STATUS
from connect4_agent.web.openapi import OPERATIONS, description
from tests.effort import IS_THOROUGH
from tests.processes import REPOSITORY, clean_environment
from tests.web.web_servers import WebServer, web_server

pytestmark = pytest.mark.slow

SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))


def test_the_description_is_served(web: WebServer) -> None:
    assert web.ask("GET", "/api/openapi.json").body == description()


def test_every_call_is_described_with_its_replies_and_errors() -> None:
    document = orjson.loads(description())
    described = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}
    assert described == {(operation.path, operation.method) for operation in OPERATIONS}
    for operation in OPERATIONS:
        call = document["paths"][operation.path][operation.method.lower()]
        assert set(call["responses"]) >= {"200", "403", "421", "422", "500"}
        assert {str(STATUS[code]) for code in operation.codes} <= set(call["responses"])
        assert ("requestBody" in call) == (operation.method == "POST")


def test_every_reference_leads_to_a_model() -> None:
    document = orjson.loads(description())
    references = set(re.findall(rb'"\$ref": "#/components/schemas/(\w+)"', description()))
    assert {reference.decode() for reference in references} <= set(document["components"]["schemas"])
    assert {"RequestModel", "MoveReply", "ExplainedReply", "ErrorReply"} <= set(document["components"]["schemas"])


def test_every_code_of_the_interface_is_named_in_its_page() -> None:
    page = (REPOSITORY / "docs" / "web.md").read_text()
    documented = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.MULTILINE))
    assert {code: int(status) for code, status in documented.items()} == STATUS


def test_the_pages_examples_give_what_it_says(web: WebServer) -> None:
    page = (REPOSITORY / "docs" / "web.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    for (language, code), (next_language, expected) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language == "sh":
            curl, option, body, url = shlex.split(code)
            assert (curl, option) == ("curl", "--json")
            answer = web.ask("POST", url.removeprefix("http://127.0.0.1:8076"), body.encode())
            assert answer.status == 200, code
            if next_language == "text":
                assert answer.body.decode() == expected


@pytest.mark.needs("compiled")
def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    with web_server("--time-limit", "0.05") as server:
        words = [
            "run",
            f"http://127.0.0.1:{server.port}/api/openapi.json",
            "--max-examples",
            "10" if IS_THOROUGH else "3",
            "--seed",
            "4",
            "--no-color",
        ]
        result = subprocess.run(
            [SCHEMATHESIS, *words], cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        assert "No issues found" in result.stdout
        server.process.terminate()
        assert server.process.stderr is not None
        assert server.process.stderr.read() == b""
