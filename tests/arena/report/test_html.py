"""The page of a run, by its text and in a real browser: what it shows, and that agents cannot play with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.report import html
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.run import Entry
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.rules.position import Position
from tests.browsers import running_browser
from tests.colours import ENHANCED_CONTRAST, contrast, luminance
from tests.sample_runs import FAULTY_GAME, NASTY, judged_record, record_of, state_of, tournament

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 375, "height": 740}

JUDGED_GAME = judged_record(game=1000, agents=(NASTY, "b"))
ANTI_DIAGONAL_GAME = record_of("65544343353", game=1001, repeat=1, agents=("b", NASTY), begins=2)


def page_text(records: Iterable[GameRecord], **changes: Any) -> str:
    games = list(records)
    return "".join(html.build_page(report_on({"run": state_of(games, **changes)}), games))


def embedded(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="games-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def test_texts_of_agents_cannot_leave_their_places() -> None:
    fault = Fault(player=1, detail=NASTY, reply=f"<!--{NASTY}\u2028", stderr_tail=NASTY)
    record = record_of("33", agents=(NASTY, "{{script}}"), ending=Ending.CRASHED, winner=2, fault=fault)
    page = page_text([record])
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<!--" not in page.partition("<body>")[2]
    data = embedded(page)
    assert sorted(data["names"]) == [NASTY, "{{script}}"]
    assert data["games"][0][-1]["fault"]["reply"] == f"<!--{NASTY}\u2028"


def test_marks_that_would_reorder_the_line_are_written_out_in_names_and_lost_elsewhere() -> None:
    fault = Fault(player=1, detail="a\u202eevil\u2066")
    record = record_of("33", agents=("a\u202eevil\u2066", "b"), ending=Ending.CRASHED, winner=2, fault=fault)
    page = page_text([record])
    data = embedded(page)
    assert sorted(data["names"]) == ["a\\u202eevil\\u2066", "b"]
    assert data["games"][0][-1]["fault"]["detail"] == "aevil"
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)


def test_the_page_asks_for_nothing_from_elsewhere() -> None:
    page = page_text(tournament(rounds=1))
    assert re.findall(r'(?:src|href|action)="(?!#|data:,")', page) == []
    assert not re.search(r"url\((?!#)", page)  # but to parts of its own drawings
    assert "@import" not in page
    assert "default-src &#x27;none&#x27;" in page


def test_every_game_is_in_the_page_with_all_its_moves() -> None:
    records = list(tournament(rounds=2))
    games = embedded(page_text(records))["games"]
    assert [(game[0], game[7]) for game in games] == [(record.game, record.moves) for record in records]


def test_on_a_board_too_wide_for_move_strings_columns_are_numbers() -> None:
    (game,) = embedded(page_text([record_of("0011", width=40, height=4)]))["games"]
    assert game[7] == [0, 0, 1, 1]


def test_a_run_without_games_makes_a_page() -> None:
    page = page_text([], agents=("a", "b"), to_play=2)
    assert embedded(page)["games"] == []
    assert "no game has been played yet" in page


def test_the_page_of_an_agent_has_its_games_and_its_check_and_nothing_that_others_wrote(tmp_path: Path) -> None:
    crash = Fault(player=2, detail="OTHER-DETAIL", reply="OTHER-REPLY", stderr_tail="OTHER-STDERR")
    own = Fault(player=1, detail="OWN-DETAIL", reply="OWN-REPLY", stderr_tail="OWN-STDERR")
    records = [
        record_of("0101010", agents=("b", "a")),
        record_of("33", game=2, agents=("a", "b/c"), ending=Ending.CRASHED, winner=2, fault=own),
        record_of("3", game=3, agents=("a", "b"), ending=Ending.CRASHED, winner=1, fault=crash),
        record_of("0101010", game=4, agents=("b", "b/c")),
    ]
    entries = [
        Entry("a", "f00", "", is_ready=True, check=["ada <ready>"], is_present=True),
        Entry("z", "bad", "", problem="it does not start", check=["zoe: not ready"], is_present=True),
    ]
    state = state_of(records, agents=("a", "b", "b/c"))
    report = report_on({"run": replace(state, entries=entries)})
    html.write_pages(report, records, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "b.html", "b_c.html", "z.html"]
    page = (tmp_path / "a.html").read_text()
    assert [game[0] for game in embedded(page)["games"]] == [1, 2, 3]
    assert "OTHER" not in page
    assert all(f"OWN-{part}" in page for part in ("DETAIL", "REPLY", "STDERR"))
    assert page.index('<details id="check"><summary>') < page.index("ada &lt;ready&gt;") < page.index('id="standings"')
    assert '<th class="words" scope="row">a</th><td class="words">b</td><td>1</td><td>0</td><td>1</td>' in page
    assert "3 of 3 games finished" in page
    assert "OTHER-REPLY" in (tmp_path / "b.html").read_text()
    turned = '<th class="words" scope="row">b/c</th><td class="words">a</td><td>1</td><td>0</td><td>0</td>'
    assert turned in (tmp_path / "b_c.html").read_text()
    page = (tmp_path / "z.html").read_text()
    assert re.search(r'<details id="check" open[^>]*>.*zoe: not ready', page)
    assert "it does not start" in page
    assert embedded(page)["games"] == []


def test_a_large_run_makes_a_page_of_moderate_size() -> None:
    names = [f"agent {number}" for number in range(60)]
    game = record_of("146660203633536103043506522512202545444111", times_ms=(123.456,) * 42)
    records = [
        game.model_copy(update={"game": number, "key": game.key.model_copy(update={"agents": agents})})
        for number, agents in enumerate(permutations(names, 2), 1)
    ]
    assert len(page_text(records)) < 1_500_000


def test_every_rated_agent_has_a_dot_with_a_bar_inside_the_picture() -> None:
    page = page_text(tournament(rounds=3))
    plots = re.findall(r'<svg class="bar".*?</svg>', page)
    assert len(plots) == 5
    for plot in plots:
        low, high = re.findall(r'd="M([\d.]+) 8H([\d.]+)"', plot)[0]
        assert 0 <= float(low) < float(re.findall(r'cx="([\d.]+)"', plot)[0]) < float(high) <= 240


def test_faults_lead_to_their_games_and_a_run_in_progress_says_how_far_it_is() -> None:
    page = page_text([FAULTY_GAME], to_play=3)
    assert page.count(f'href="#game={FAULTY_GAME.game}"') >= 1
    assert "<progress" in page
    assert "<progress" not in page_text([FAULTY_GAME])


def test_a_page_from_the_server_has_no_scripts_of_its_own() -> None:
    records = [FAULTY_GAME]
    page = "".join(html.build_page(report_on({"run": state_of(records)}), records, "/events?from=1"))
    assert 'data-events="/events?from=1"' in page
    assert re.findall(r"<script([^>]*)>", page) == [
        ' type="application/json" id="games-data"',
        *(f' src="/static/{name}"' for name in ("board.js", "curve.js", "live.js", "report.js")),
    ]
    assert "<style" not in page
    assert not re.search(r"\son\w+=|style=", page)


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    return [*tournament(rounds=3), JUDGED_GAME, ANTI_DIAGONAL_GAME, FAULTY_GAME]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, records: list[GameRecord]) -> str:
    target = tmp_path_factory.mktemp("page") / "report.html"
    html.write_page(report_on({"run one": state_of(records)}), records, target)
    return target.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """The page in a window; it must not complain, and must not ask for anything but itself."""
    complaints: list[str] = []
    asked: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        complaints.append(message.text)

    def see(request: Request) -> None:
        asked.append(request.url)

    page = browser.new_page(viewport=request.param)
    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", see)
    page.goto(address)
    yield page
    assert page.title() == "Run run one"
    page.close()
    assert complaints == []
    assert {url.partition("#")[0] for url in asked} - {"data:,"} == {address}


def status(page: Page) -> str:
    return page.locator("#replay-status").inner_text()


def discs(page: Page) -> int:
    return page.locator("#replay-board .disc").count()


def open_game(page: Page, number: int) -> None:
    page.goto(f"{page.url.partition('#')[0]}#game={number}")
    page.reload()


def test_a_chosen_game_is_stepped_through_with_buttons(page: Page, records: list[GameRecord]) -> None:
    record = next(record for record in records if record.game == 2)
    page.get_by_role("button", name="replay game 2", exact=True).click()
    total = len(record.columns)
    assert discs(page) == total
    assert f"Move {total} of {total}" in status(page)
    page.get_by_role("button", name="start", exact=True).click()
    assert discs(page) == 0
    assert status(page) == f"Empty board. {record.agents[record.first - 1]} begins."
    page.get_by_role("button", name="forward", exact=True).click()
    page.get_by_role("button", name="forward", exact=True).click()
    assert discs(page) == 2
    assert f"plays column {record.columns[1] + 1}." in status(page)
    page.get_by_role("button", name="back", exact=True).click()
    assert discs(page) == 1
    page.get_by_role("button", name="end", exact=True).click()
    assert discs(page) == total


def test_keys_step_and_jump_and_stop_at_both_ends(page: Page, records: list[GameRecord]) -> None:
    record = next(record for record in records if record.game == 1)
    page.get_by_role("button", name="replay game 1", exact=True).click()
    for key, expected in (
        ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
        ("End", len(record.columns)), ("ArrowRight", len(record.columns)), ("ArrowLeft", len(record.columns) - 1),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert discs(page) == expected, key


def test_keys_still_work_after_a_button_has_become_useless(page: Page) -> None:
    page.get_by_role("button", name="replay game 1", exact=True).click()
    page.locator("#replay-start").focus()
    page.keyboard.press("Enter")
    page.locator("#replay-on").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    assert discs(page) == 0


def test_a_click_on_a_move_shows_it_and_marks_it(page: Page) -> None:
    page.get_by_role("button", name="replay game 1", exact=True).click()
    page.locator("#replay-moves button").nth(4).click()
    assert discs(page) == 5
    assert page.locator("#replay-moves button[aria-current]").count() == 1
    assert page.locator("#replay-moves button").nth(4).get_attribute("aria-current") == "step"
    assert page.locator("#replay-board .last.disc").count() == 1


def test_a_finished_four_and_the_last_disc_stand_out(page: Page) -> None:
    open_game(page, ANTI_DIAGONAL_GAME.game)
    assert page.locator("#replay-board .in-line").count() == 4
    assert page.locator("#replay-board .four").count() == 4
    assert page.locator("#replay-board .halo").count() == 1
    assert "Four in a row." in status(page)
    page.keyboard.press("ArrowLeft")
    assert page.locator("#replay-board .in-line").count() == 0


def test_players_differ_in_shape_besides_colour(page: Page) -> None:
    open_game(page, ANTI_DIAGONAL_GAME.game)
    assert page.locator("#replay-board .player-1 path.mark").count() == 5
    assert page.locator("#replay-board .player-2 circle.mark").count() == 6

    def brightness(player: int) -> float:
        colour = page.locator(f"#replay-board .player-{player} .body").first.evaluate(
            "disc => getComputedStyle(disc).fill"
        )
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (int(number) / 255 for number in re.findall(r"\d+", colour)[:3])
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue  # relative luminance, WCAG 2

    dark, light = sorted(map(brightness, (1, 2)))
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_drawing_and_rules_agree_on_every_game(page: Page, records: list[GameRecord]) -> None:
    for record in records:
        position = Position(record.width, record.height, record.first)
        for column in record.columns:
            position = position.play(column)
        game = {"width": 7, "height": 6, "first": record.first, "columns": record.columns}
        seen = page.evaluate("game => Connect4Board.positionAfter(game, game.columns.length)", game)
        cells = [column + [0] * (6 - len(column)) for column in seen["cells"]]
        assert [column[::-1] for column in cells] == position.grid()
        assert bool(seen["lines"]) == (position.winner is not None)


def test_the_drawing_is_told_in_words(page: Page) -> None:
    open_game(page, JUDGED_GAME.game)
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    label = page.locator("#replay-board svg").get_attribute("aria-label")
    assert label is not None
    assert "column 1: red, red; column 6: yellow" in label
    assert page.locator("#replay-status").get_attribute("aria-live") == "polite"


def test_judged_mistakes_are_marked_in_the_move_list(page: Page) -> None:
    open_game(page, JUDGED_GAME.game)
    moves = page.locator("#replay-moves li")
    assert [moves.nth(index).get_attribute("class") for index in range(7)] == [
        "mistake", "inaccuracy", "inaccuracy", "mistake", None, "blunder", None
    ]  # fmt: skip
    assert moves.nth(0).inner_text().endswith("1 ?")
    assert moves.nth(1).inner_text().endswith("6 ?!")
    assert moves.nth(5).inner_text().endswith("4 ??")
    assert "Blunder: does not block four in a row." in (moves.nth(5).locator("button").get_attribute("title") or "")
    assert page.locator("#replay-marks").is_visible()


def test_the_value_of_every_move_is_told(page: Page) -> None:
    open_game(page, JUDGED_GAME.game)
    assert f"With best play, {NASTY} wins in 1 move." in status(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert "Mistake: turns a win into a loss. Best play wins in 21 moves, this loses in 20 moves." in status(page)
    page.keyboard.press("ArrowRight")
    assert "Inaccuracy: wins more slowly. Best play wins in 20 moves, this wins in " in status(page)


def test_the_first_losing_move_is_one_click_away_from_the_replay_and_from_the_list(page: Page) -> None:
    open_game(page, JUDGED_GAME.game)
    assert (
        "b: accuracy 41.7 (0 best moves, 1 inaccuracy, 1 mistake, 1 blunder)"
        in page.locator("#replay-judged").inner_text()
    )
    page.get_by_role("button", name="First losing move: 6, b").click()
    assert discs(page) == 6
    assert "Best play draws, this loses in 1 move." in status(page)
    open_game(page, 1)
    page.locator("#filter-agent").select_option(NASTY)
    page.get_by_role("button", name="game 1000, first losing move: move 6, b").click()
    assert discs(page) == 6
    assert page.url.endswith("&game=1000")


def test_a_game_that_is_not_judged_says_so_where_others_are(page: Page) -> None:
    open_game(page, FAULTY_GAME.game)
    assert page.locator("#replay-judged").inner_text() == "This game is not judged."
    assert not page.locator("#replay-marks").is_visible()


def lost(page: Page, record: GameRecord, tmp_path: Path) -> str:
    """What the replay says of a lost game without a losing move."""
    (tmp_path / "page.html").write_text(page_text([record]), encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    said = page.locator("#replay-judged").inner_text()
    assert page.locator("#replay-judged button").count() == 0
    return said


def test_where_there_is_no_losing_move_the_reason_is_told(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    opened = judged_record(opening=(0, 5, 0, 4, 0, 3), times_ms=(1.0,))
    assert "The loser was already lost after the opening." in lost(page, opened, tmp_path)
    fault = Fault(player=1, detail="")
    timed_out = judged_record("33", ending=Ending.TIMED_OUT, winner=2, fault=fault)
    assert "The game was not lost before the fault." in lost(page, timed_out, tmp_path)
    page.close()


def test_the_reason_of_a_mistake_names_the_agents_whoever_began(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    for begins, names in ((1, ("anna", "ben")), (2, ("ben", "anna"))):
        record = record_of("0101010", agents=names, begins=begins)
        explanation = explain(Position(7, 6, begins).after(record.columns[:5]), 1)
        scores = (0, 0, 0, 0, 0, 0, 18, -18)
        judged = JudgedGame(Position(7, 6, begins), record.columns, scores, explanations={5: explanation})
        (tmp_path / "page.html").write_text(page_text([record.model_copy(update={"judged": judged})]), encoding="utf-8")
        page.goto((tmp_path / "page.html").as_uri())
        page.locator("#replay-moves button").nth(5).click()
        assert status(page).endswith("this loses in 1 move. After column 2, anna makes four at column 1, row 4.")
    page.close()


def test_a_run_that_is_not_judged_says_nothing_of_it(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    (tmp_path / "page.html").write_text(page_text([ANTI_DIAGONAL_GAME]), encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    assert not page.locator("#replay-judged").is_visible()
    assert not page.locator("#list-losing").is_visible()
    assert "Judged" not in page.inner_text("body")
    page.close()


def test_the_evidence_of_a_fault_is_shown_as_text(page: Page) -> None:
    page.get_by_role("link", name=str(FAULTY_GAME.game), exact=True).click()
    assert page.locator("#replay-title").inner_text() == f"Game {FAULTY_GAME.game}: b wins, malformed reply"
    assert page.locator("#replay-evidence pre").first.inner_text() == NASTY
    row = page.locator(f"#game-list tr[data-game='{FAULTY_GAME.game}']")
    assert NASTY in row.inner_text()


def test_mistakes_are_stepped_through_with_two_keys_and_a_click_on_the_curve_jumps(page: Page) -> None:
    open_game(page, JUDGED_GAME.game)
    page.keyboard.press("Home")
    seen = []
    for key in "...,":
        page.keyboard.press(key)
        seen.append(discs(page))
    assert seen == [1, 2, 3, 2]
    page.locator("#replay-curve svg").click()
    assert discs(page) in (3, 4)


def test_what_is_listed_is_in_the_address_and_back_leads_to_it(page: Page, records: list[GameRecord]) -> None:
    page.locator("#filter-agent").select_option("easy")
    page.locator("#filter-against").select_option("random")
    page.locator("#filter-result").select_option("won")
    won = [r for r in records if set(r.agents) == {"easy", "random"} and r.winner and r.agents[r.winner - 1] == "easy"]
    assert page.locator("#list-place").inner_text() == f"1 to {len(won)} of {len(won)}"
    assert page.url.endswith("#agent=easy&against=random&result=won")
    page.reload()
    assert page.locator("#list-place").inner_text() == f"1 to {len(won)} of {len(won)}"
    page.get_by_role("button", name="next game").click()
    assert page.url.endswith(f"&game={won[1].game}")
    page.go_back()
    assert page.locator("#replay-title").inner_text().startswith(f"Game {won[0].game}: ")


def test_a_fault_of_the_agent_is_not_one_of_its_opponent(page: Page) -> None:
    page.locator("#filter-agent").select_option("b")
    page.locator("#filter-result").select_option("fault")
    assert page.locator("#list-place").inner_text() == "0 to 0 of 0"
    page.locator("#filter-agent").select_option(NASTY)
    assert page.locator("#list-place").inner_text() == "1 to 1 of 1"


def test_a_cell_of_the_crosstable_and_a_name_of_the_standings_list_their_games(
    page: Page, records: list[GameRecord]
) -> None:
    page.locator(".matrix tbody tr").filter(has_text="easy").locator("td[class]").first.click()
    assert page.locator("#filter-agent").input_value() == "easy"
    other = page.locator("#filter-against").input_value()
    met = [record for record in records if set(record.agents) == {"easy", other}]
    assert page.locator("#list-place").inner_text() == f"1 to {len(met)} of {len(met)}"
    page.locator(".standings").get_by_role("link", name="random").click()
    assert page.locator("#filter-agent").input_value() == "random"
    assert page.locator("#filter-against").input_value() == ""


def test_a_game_that_is_not_there_is_said_so(page: Page) -> None:
    open_game(page, 77777)
    assert page.locator("#message").inner_text() == "There is no game 77777 in this run."


def test_the_list_can_be_filtered_and_turned_over(page: Page, records: list[GameRecord]) -> None:
    assert page.locator("#list-place").inner_text() == f"1 to 25 of {len(records)}"
    page.locator("#list-on").click()
    assert page.locator("#list-place").inner_text() == f"26 to 50 of {len(records)}"
    page.locator("#filter-agent").select_option(NASTY)
    assert page.locator("#list-place").inner_text() == "1 to 3 of 3"
    assert NASTY in page.locator("#game-list tbody").inner_text()


def test_nothing_sticks_out_of_the_window_but_inside_scrolling_tables(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_dark_and_light_differ_and_both_keep_text_readable(browser: Browser, address: str) -> None:
    colours = "[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.body).color]"
    for is_dark in (False, True):
        page = browser.new_page(viewport={"width": 375, "height": 740})
        page.emulate_media(color_scheme="dark" if is_dark else "light")
        page.goto(address)
        paper, ink = page.evaluate(colours)
        page.close()
        assert (luminance(paper) < luminance(ink)) == is_dark
        assert contrast(paper, ink) >= ENHANCED_CONTRAST
