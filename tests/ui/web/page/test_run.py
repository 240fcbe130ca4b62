"""The page of a run from the web server, in a real browser: it follows the run, and leads to the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from connect4_agent.arena.journal import JOURNAL_NAME, with_checksum
from tests.sample_runs import tournament, write_tournament
from tests.ui.web.page.opened import Opened
from tests.ui.web.web_servers import web_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from connect4_agent.arena.record import GameRecord

    Visit = Callable[..., Opened]


def test_the_page_of_the_run_is_one_click_from_the_board(visit: Visit, records: list[GameRecord]) -> None:
    page = visit()
    page.page.get_by_role("link", name="Run").click()
    expect(page.find("h1")).to_have_text("Run sample")
    expect(page.find("#list-place")).to_have_text(f"1 to 25 of {len(records)}")


def test_a_position_of_a_replay_can_be_played_on(visit: Visit, records: list[GameRecord]) -> None:
    record = records[5]
    page = visit(f"run#game={record.game}")
    for _ in range(3):
        page.page.get_by_role("button", name="back", exact=True).click()
    page.page.get_by_role("link", name="Play on from here").click()
    page.shows_discs(len(record.columns) - 3)
    assert page.query["moves"] == "".join(str(column + 1) for column in record.columns[:-3])


def test_a_position_of_a_replay_can_be_analysed_in_its_game(visit: Visit, records: list[GameRecord]) -> None:
    record = records[5]
    page = visit(f"run#game={record.game}")
    page.page.get_by_role("button", name="back", exact=True).click()
    page.page.get_by_role("link", name="Analyse", exact=True).last.click()
    page.shows_discs(len(record.columns) - 1)
    expect(page.find("#analyse-moves button")).to_have_count(len(record.columns))


def test_a_run_in_progress_is_followed_without_losing_the_place(browser: Browser, tmp_path: Path) -> None:
    games = list(tournament(rounds=2))
    run = write_tournament(tmp_path / "run", games[:5], rounds=2)
    with web_server(str(run)) as server:
        page = Opened(browser.new_page(), f"http://127.0.0.1:{server.port}/")
        page.go("run#agent=random&game=2")
        page.page.keyboard.press("Home")
        page.find("#details summary").first.click()
        opened = page.find("#details details[open]").first.get_attribute("id")
        with (run / JOURNAL_NAME).open("ab") as journal:
            journal.write(b"".join(with_checksum(game) + b"\n" for game in games[5:9]))
        expect(page.find("#overview-head")).to_contain_text("9 of ")
        expect(page.find("#replay-title")).to_contain_text("Game 2: ")
        expect(page.find("#replay-board .disc")).to_have_count(0)
        expect(page.find(f"#{opened}")).to_have_attribute("open", "")
        found = [game for game in games[:9] if "random" in game.agents]
        expect(page.find("#list-place")).to_have_text(f"1 to {len(found)} of {len(found)}")
        page.close()


def test_any_part_of_a_row_opens_its_game(visit: Visit, records: list[GameRecord]) -> None:
    page = visit("run")
    page.find(f"#game-list tr[data-game='{records[5].game}'] td").nth(1).click()
    expect(page.find("#replay-title")).to_contain_text(str(records[5].game))
