"""A run as the page shows it, also while it is being played."""

from __future__ import annotations

import http.client
import json
import re
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena.journal import JOURNAL_NAME, with_checksum
from connect4_agent.arena.judged_moves import JUDGED_NAME, format_game
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.rules.position import Position
from connect4_agent.ui.web import runs
from connect4_agent.ui.web.runs import EVENTS, OpenRun
from tests.processes import PATIENCE_SECONDS
from tests.sample_runs import tournament, write_tournament
from tests.ui.web.web_servers import WebServer

GAMES = list(tournament())


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes are looked for at every call."""
    monkeypatch.setattr(runs, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(runs, "SHARE", 1e9)


def games_in(page: bytes) -> list[Any]:
    found = re.search(rb'id="games-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    games: list[Any] = json.loads(found.group(1))["games"]
    return games


def test_the_page_of_the_run_has_all_its_games(web: WebServer) -> None:
    answer = web.ask("GET", "/run")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert [game[0] for game in games_in(answer.body)] == [record.game for record in GAMES]
    assert b'id="standings"' in answer.body


def test_a_client_that_has_seen_another_version_hears_of_the_present_one(web: WebServer) -> None:
    page = web.ask("GET", "/run").body.decode()
    version = re.search(rf'data-events="{EVENTS}\?from=(\w+)"', page)
    assert version is not None
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=PATIENCE_SECONDS)
    connection.request("GET", f"{EVENTS}?from=another")
    answer = connection.getresponse()
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert [answer.readline() for _ in range(4)] == [
        b"event: change\n", b"id: %s\n" % version[1].encode(), b"data: %s\n" % version[1].encode(), b"\n"
    ]  # fmt: skip
    connection.close()


def test_other_sites_hear_nothing(web: WebServer) -> None:
    answer = web.ask("GET", EVENTS, sec_fetch_site="cross-site")
    assert (answer.status, answer.code) == (403, "cross_origin")


@pytest.mark.usefixtures("at_once")
def test_games_and_judgements_that_are_added_later_are_seen(tmp_path: Path) -> None:
    run = OpenRun(write_tournament(tmp_path, GAMES[:3]))
    seen = run.version()
    assert len(games_in(run.page())) == 3
    assert run.version() == seen
    with (tmp_path / JOURNAL_NAME).open("ab") as journal:
        journal.write(with_checksum(GAMES[3]) + b"\n" + with_checksum(GAMES[4])[:50])
    assert run.version() != seen
    page = run.page()
    assert len(games_in(page)) == 4
    assert b"half-written" in page
    judged = JudgedGame(Position(), GAMES[0].columns, (0,) * (len(GAMES[0].columns) + 1))
    (tmp_path / JUDGED_NAME).write_bytes(format_game(judged) + b"\n")
    assert games_in(run.page())[0][-1]["scores"] == [0] * (len(GAMES[0].columns) + 1)


def test_between_two_looks_the_page_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LEAST_SECONDS", 1e9)
    run = OpenRun(write_tournament(tmp_path, GAMES[:3]))
    seen = run.version()
    with (tmp_path / JOURNAL_NAME).open("ab") as journal:
        journal.write(with_checksum(GAMES[3]) + b"\n")
    assert run.version() == seen
    assert len(games_in(run.page())) == 3


@pytest.mark.usefixtures("at_once")
def test_a_line_that_does_not_hold_is_said_on_the_page(tmp_path: Path) -> None:
    write_tournament(tmp_path, GAMES[:2])
    with (tmp_path / JOURNAL_NAME).open("ab") as journal:
        journal.write(b"no game\n")
    assert b"line 3 of" in OpenRun(tmp_path).page()


def test_what_is_no_run_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(errors.RunFolderError, match="no such folder"):
        OpenRun(tmp_path / "nothing")
    with pytest.raises(errors.RunFolderError, match="is not a run folder"):
        OpenRun(tmp_path)


def test_a_run_without_a_game_yet_is_a_run(tmp_path: Path) -> None:
    assert games_in(OpenRun(write_tournament(tmp_path, [])).page()) == []
