"""The page's files."""

from __future__ import annotations

import gzip
import re
from importlib.resources import files
from urllib.parse import urljoin

from connect4_agent.ui.web import pages
from tests.ui.web.web_servers import WebServer

CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "webmanifest": "application/manifest+json",
    "json": "application/json",
}


def test_every_file_of_both_folders_is_served_as_it_is(web: WebServer) -> None:
    names = 0
    for package in pages.PACKAGES:
        for file in files(package).joinpath("static").iterdir():
            answer = web.ask("GET", f"/static/{file.name}")
            assert answer.status == 200, file.name
            assert answer.body == file.read_bytes()
            assert answer.headers["content-type"] == CONTENT_TYPES[file.name.rpartition(".")[2]]
            names += 1
    assert names >= 2


def test_a_browser_keeps_a_file_and_asks_whether_it_is_still_the_same(web: WebServer) -> None:
    first = web.ask("GET", "/static/board.js")
    assert first.headers["cache-control"] == "no-cache"
    for sent in (first.headers["etag"], f'"other", W/{first.headers["etag"]}'):
        again = web.ask("GET", "/static/board.js", If_None_Match=sent)
        assert (again.status, again.body) == (304, b"")
    assert web.ask("GET", "/static/board.js", If_None_Match='"other"').status == 200


def test_the_pages_are_the_html_files(web: WebServer) -> None:
    for path, name in pages.PAGES.items():
        page, file = web.ask("GET", path), web.ask("GET", f"/static/{name}")
        assert (page.status, page.body) == (200, file.body)
        assert page.headers["cache-control"] == "no-cache"
        assert web.ask("GET", path, If_None_Match=page.headers["etag"]).status == 304
        assert web.ask("POST", path, b"").status == 405


def test_browsers_that_can_read_it_get_gzip(web: WebServer) -> None:
    for path in ("/", "/static/board.js", "/static/page.css"):
        whole = web.ask("GET", path)
        packed = web.ask("GET", path, Accept_Encoding="gzip")
        assert packed.headers["content-encoding"] == "gzip"
        assert "accept-encoding" in packed.headers["vary"].lower()
        assert gzip.decompress(packed.body) == whole.body
        assert len(packed.body) < len(whole.body) / 2
        again = web.ask("GET", path, Accept_Encoding="gzip", If_None_Match=packed.headers["etag"])
        assert (again.status, again.body) == (304, b"")


def test_the_manifest_names_files_that_are_there(web: WebServer) -> None:
    manifest = web.ask("GET", "/static/connect4.webmanifest").json
    addresses = [manifest["start_url"], *(each["src"] for each in manifest["icons"])]
    addresses += [each["url"] for each in manifest["shortcuts"]]
    for address in addresses:
        assert not address.startswith("/"), "the page also runs below the path of another site"
        assert web.ask("GET", urljoin("/static/connect4.webmanifest", address)).status == 200, address
    assert "manifest-src 'self'" in web.ask("GET", "/").headers["content-security-policy"]


def test_head_gives_the_headers_alone(web: WebServer) -> None:
    answer = web.ask("HEAD", "/static/board.js")
    assert answer.status == 200
    assert answer.body == b""
    assert int(answer.headers["content-length"]) == len(web.ask("GET", "/static/board.js").body)


def test_people_at_a_wrong_address_get_a_page_and_programs_an_error_object(web: WebServer) -> None:
    for path in ("/puzle", "/run/7", "/x/static/board.js"):
        answer = web.ask("GET", path, Accept="text/html,*/*;q=0.8")
        assert (answer.status, answer.headers["content-type"]) == (404, CONTENT_TYPES["html"])
        assert b"<title>Page not found" in answer.body
    for path, accept in (("/puzle", "*/*"), ("/api/nothing", "text/html"), ("/static/nothing.js", "text/html")):
        answer = web.ask("GET", path, Accept=accept)
        assert (answer.status, answer.code) == (404, "not_found")
    assert web.ask("POST", "/puzle", b"", Accept="text/html").code == "not_found"


def test_every_view_has_the_same_page_and_its_addresses_are_relative(web: WebServer) -> None:
    page = web.ask("GET", "/").body
    for path in ("/learn", "/puzzles", "/analyse"):
        assert web.ask("GET", path).body == page
    found = re.findall(rb'(?:href|src)="([^"]*)"', page)
    assert len(found) > 10
    assert [each for each in found if each.startswith((b"/", b"http"))] == []
    assert b"<script>" not in page  # its policy allows no script inside
