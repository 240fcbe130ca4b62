"""The site of a course in a real browser: opened from a file, and from the web server, where it follows the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from connect4_agent.arena.course.site import site_files, write_site
from connect4_agent.arena.run.journal import JOURNAL_NAME, read_games, with_checksum
from connect4_agent.arena.run.state import read_run
from tests.sample_courses import CRASHES, NOT_READY, write_course
from tests.web.page.opened import DESKTOP, PHONE, SMALL_PHONE, Opened
from tests.web.page.test_accessibility import AXE, RUN_AXE
from tests.web.web_servers import web_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ViewportSize

    from connect4_agent.arena.run.record import GameRecord

    Visit = Callable[..., Opened]

ENTRIES = ("anna", "Ben Maier", "a#b?c&d", CRASHES, NOT_READY)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_course(tmp_path_factory.mktemp("course") / "run", ENTRIES, title="CSCI 4202")


@pytest.fixture(scope="module")
def games(course: Path) -> list[GameRecord]:
    return list(read_run(course, print).records)


@pytest.fixture(scope="module", params=["file", "served"])
def home(request: pytest.FixtureRequest, course: Path) -> Iterator[str]:
    """The address of the folder of the site."""
    if request.param == "file":
        write_site(course / "site", site_files(course))
        yield f"{(course / 'site').as_uri()}/"
    else:
        with web_server(str(course)) as server:
            assert server.address.endswith("/run")
            yield f"http://127.0.0.1:{server.port}/run/"


@pytest.fixture
def visit(browser: Browser, home: str) -> Iterator[Visit]:
    """Opens a page of the site, which must neither complain nor ask for anything elsewhere."""
    opened: list[Opened] = []

    def open_page(path: str = "index.html", viewport: ViewportSize = DESKTOP, color_scheme: str = "light") -> Opened:
        page = Opened(
            browser.new_context(viewport=viewport, color_scheme=color_scheme, reduced_motion="reduce").new_page(),  # type: ignore[arg-type]
            home.removesuffix("run/") if home.startswith("http") else home,
        )
        opened.append(page)
        page.page.goto(home + path)
        return page

    yield open_page
    for page in opened:
        page.asked = [url for url in page.asked if url != "data:,"]
        page.close()


def test_the_standings_lead_to_an_entry_and_a_game_is_replayed_by_click_and_by_key(
    visit: Visit, games: list[GameRecord]
) -> None:
    page = visit()
    expect(page.find("h1")).to_have_text("CSCI 4202")
    expect(page.find("#overview-head")).to_contain_text("5 entries, 4 ready, ")
    page.find(".standings").get_by_role("link", name="anna").click()
    expect(page.find("h1")).to_have_text("anna")
    mine = [game for game in games if "anna" in game.agents]
    expect(page.find("#list-place")).to_have_text(f"1 to {min(25, len(mine))} of {len(mine)}")
    chosen = next(game for game in reversed(mine[:25]) if game.losing_ply is not None)
    assert chosen.losing_ply is not None
    page.button(f"replay game {chosen.game}").click()
    expect(page.find("#replay-title")).to_contain_text(f"Game {chosen.game}: ")
    expect(page.find("#replay-board .disc")).to_have_count(len(chosen.columns))
    colours = [
        page.find(f"#replay-board .player-{player} .body").first.evaluate("disc => getComputedStyle(disc).fill")
        for player in (1, 2)
    ]
    assert colours == ["rgb(216, 51, 42)", "rgb(255, 201, 51)"]  # the site's style leaves the board alone
    for key, count in (("Home", 0), ("ArrowRight", 1), (".", chosen.losing_ply + 1)):
        page.page.keyboard.press(key)
        expect(page.find("#replay-board .disc")).to_have_count(count)
    reason = "First losing move, draw to loss: a draw before, a loss in "
    expect(page.find("#replay-status")).to_contain_text(reason)
    expect(page.find("#replay-status")).to_contain_text("now has a threat above")
    assert "Player 1" not in page.find("#replay-status").inner_text()
    page.page.get_by_role("link", name="CSCI 4202").click()
    expect(page.find("#standings-title")).to_be_visible()


def test_a_losing_move_in_the_list_is_one_click_away(visit: Visit, games: list[GameRecord]) -> None:
    page = visit("entries/anna.html")
    mine = [game for game in games if "anna" in game.agents]
    chosen = next(game for game in mine[1:25] if game.losing_ply is not None)
    assert chosen.losing_ply is not None
    page.find(f"#game-list tr[data-game='{chosen.game}'] td:last-child button").click()
    expect(page.find("#replay-board .disc")).to_have_count(chosen.losing_ply + 1)
    expect(page.find("#game-list tr[aria-current]")).to_have_attribute("data-game", str(chosen.game))


def test_only_what_is_opened_is_loaded(visit: Visit) -> None:
    page = visit()
    assert not [url for url in page.asked if "/games/" in url]
    page.find(".standings").get_by_role("link", name="anna").click()
    expect(page.find("#replay-judged")).to_contain_text("Judged")
    assert len([url for url in page.asked if "/games/" in url]) == 1


def test_a_cell_of_the_results_leads_to_its_games(visit: Visit, games: list[GameRecord]) -> None:
    page = visit()
    names = page.find(".matrix th a").all_inner_texts()
    row, column = names.index("anna"), names.index("a#b?c&d")
    cell = page.find(".matrix tbody tr").nth(row).locator("td").nth(column)
    cell.hover()
    expect(cell).to_have_attribute("title", f"anna against a#b?c&d: {cell.inner_text()} points")
    cell.click()
    expect(page.find("h1")).to_have_text("anna")
    met = [game for game in games if set(game.agents) == {"anna", "a#b?c&d"}]
    expect(page.find("#list-place")).to_have_text(f"1 to {len(met)} of {len(met)}")
    page.find(".opponents li").filter(has_text="Ben Maier").locator(".score").click()
    assert page.find("#filter-against").input_value() == "Ben Maier"
    page.find("#filter-result").select_option("won")
    won = [game for game in games if set(game.agents) == {"anna", "Ben Maier"} and game.winner]
    won = [game for game in won if game.winner and game.agents[game.winner - 1] == "anna"]
    expect(page.find("#list-place")).to_contain_text(f"of {len(won)}")


def test_the_cells_of_the_results_are_reached_with_the_keyboard(visit: Visit) -> None:
    page = visit()
    names = page.find(".matrix th a").all_inner_texts()
    links, cells = page.find(".matrix td a"), page.find(".matrix tbody tr")
    expect(links).to_have_count(1)  # Tab does not stop at every cell
    links.focus()
    # From the second cell of the first row, over the empty one of the diagonal, to the third row.
    for key, row, column in (("ArrowLeft", 0, 1), ("ArrowUp", 0, 1), ("ArrowDown", 2, 1), ("ArrowLeft", 2, 0)):
        page.page.keyboard.press(key)
        link = cells.nth(row).locator("td").nth(column).locator("a")
        expect(link).to_be_focused()
        words = f"{names[row]} against {names[column]}: {link.inner_text()} points"
        expect(link).to_have_attribute("aria-label", words)
        expect(links).to_have_count(1)
    page.page.keyboard.press("Enter")
    expect(page.find("h1")).to_have_text(names[2])
    expect(page.find("#filter-against")).to_have_value(names[0])


def test_a_fault_is_said_without_its_evidence(visit: Visit, games: list[GameRecord]) -> None:
    page = visit(f"entries/{CRASHES}.html")
    page.find("#filter-result").select_option("fault")
    faults = [game for game in games if game.fault is not None]
    expect(page.find("#list-place")).to_contain_text(f"of {len(faults)}")
    expect(page.find("#replay-title")).to_contain_text("crashed")
    assert page.find("#replay-evidence").inner_text() == ""


def test_who_did_not_play_has_a_page_that_says_why(visit: Visit) -> None:
    page = visit()
    page.find("#absent").get_by_role("link", name=NOT_READY).click()
    expect(page.find("#overview-head")).to_contain_text("Did not play (did not pass the check)")
    expect(page.find("#list-place")).to_have_text("0 to 0 of 0")


@pytest.mark.parametrize(
    ("viewport", "scheme"), [(DESKTOP, "light"), (PHONE, "dark"), (SMALL_PHONE, "light")], ids=["desk", "dark", "small"]
)
@pytest.mark.parametrize("path", ["index.html", "entries/anna.html", "entries/not-ready.html"])
def test_every_page_fits_the_window_and_axe_has_nothing_to_complain_about(
    visit: Visit, path: str, viewport: ViewportSize, scheme: str
) -> None:
    page = visit(path, viewport, scheme)
    expect(page.find("#replay-judged" if path == "entries/anna.html" else "h1")).to_be_visible()
    assert page.fits_the_window()
    assert viewport is not SMALL_PHONE or page.small_targets() == []
    assert page.complaints == []
    page.is_spoiled = True  # axe tries to read the style sheets, which is not possible from a file
    page.page.evaluate(AXE)
    assert page.page.evaluate(RUN_AXE) == []


def test_a_course_in_progress_is_followed(browser: Browser, tmp_path: Path) -> None:
    course = write_course(tmp_path / "run", ENTRIES, title="CSCI 4202")
    games = list(read_games(course, print))
    (course / JOURNAL_NAME).write_bytes(b"".join(with_checksum(game) + b"\n" for game in games[:6]))
    with web_server(str(course)) as server:
        index = Opened(browser.new_page(), f"http://127.0.0.1:{server.port}/")
        index.go("run")
        expect(index.find("#overview-head")).to_contain_text(", 18 of 40 games")
        entry = Opened(browser.new_page(), index.address)
        entry.go("run")
        name = games[0].agents[0]
        entry.find(".matrix").get_by_role("link", name=name, exact=True).click()
        expect(entry.find("#replay-judged")).to_contain_text("Judged")
        shown = entry.find("#replay-title").inner_text()
        entry.find("#replay").focus()
        entry.page.keyboard.press("Home")
        with (course / JOURNAL_NAME).open("ab") as journal:
            journal.write(b"".join(with_checksum(game) + b"\n" for game in games[6:]))
        expect(index.find("#overview-head")).to_contain_text(", 40 of 40 games")
        listed = [game for game in games if name in game.agents]
        expect(entry.find("#list-place")).to_have_text(f"1 to {len(listed)} of {len(listed)}")
        expect(entry.find("#replay-title")).to_have_text(shown)
        expect(entry.find("#replay-board .disc")).to_have_count(0)
        entry.page.get_by_role("link", name="Play on from here").click()
        expect(entry.find("#board")).to_be_visible()
        index.close()
        entry.close()
