"""The page's files."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from connect4_agent.play import pages

if TYPE_CHECKING:
    from tests.play.web_servers import WebServer


def test_every_file_of_both_folders_is_served_as_it_is(web: WebServer) -> None:
    names = 0
    for package in pages.PACKAGES:
        for file in files(package).joinpath("static").iterdir():
            answer = web.ask("GET", f"/static/{file.name}")
            assert answer.status == 200, file.name
            assert answer.body == file.read_bytes()
            assert answer.headers["content-type"] == pages.CONTENT_TYPES[file.name.rpartition(".")[2]]
            names += 1
    assert names >= 2


def test_a_browser_keeps_a_file_and_asks_whether_it_is_still_the_same(web: WebServer) -> None:
    first = web.ask("GET", "/static/board.js")
    assert first.headers["cache-control"] == "no-cache"
    for sent in (first.headers["etag"], f'"other", W/{first.headers["etag"]}'):
        again = web.ask("GET", "/static/board.js", If_None_Match=sent)
        assert (again.status, again.body) == (304, b"")
    assert web.ask("GET", "/static/board.js", If_None_Match='"other"').status == 200


def test_head_gives_the_headers_alone(web: WebServer) -> None:
    answer = web.ask("HEAD", "/static/board.js")
    assert answer.status == 200
    assert answer.body == b""
    assert int(answer.headers["content-length"]) == len(web.ask("GET", "/static/board.js").body)
