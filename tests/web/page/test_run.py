"""The page of a run, in a real browser: crosstable, list of games, replay, curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from connect4_agent.arena.report.tally import Tally
from connect4_agent.engine.judge import judge
from connect4_agent.rules.position import Position
from tests.sample_runs import NASTY
from tests.web.page.conftest import UNJUDGED_GAME
from tests.web.page.opened import DESKTOP, PHONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

    from connect4_agent.arena.run.record import GameRecord
    from tests.web.page.opened import Opened

    Visit = Callable[..., Opened]


def test_the_crosstable_has_the_reports_points_and_leads_to_its_games(visit: Visit, records: list[GameRecord]) -> None:
    page = visit()
    page.page.get_by_role("link", name="Run").click()
    expect(page.find("h1")).to_have_text("Run sample")
    page.button(crosstable_label(records)).click()
    met = [record for record in records if set(record.agents) == {"easy", "random"}]
    expect(page.find("#list-place")).to_have_text(f"1 to {len(met)} of {len(met)}")


def test_a_choice_made_before_the_games_are_there_is_kept(visit: Visit, records: list[GameRecord]) -> None:
    held: list[Route] = []
    page = visit()
    page.page.route("**/api/run/games*", lambda route: held.append(route))  # noqa: PLW0108 -- it marks what it is given, and cannot mark a built-in
    page.go("run")
    page.button(crosstable_label(records)).click()
    expect(page.find("#list-place")).to_have_text("Loading the games…")
    expect(page.button("Later")).to_be_disabled()
    held[0].continue_()
    met = [record for record in records if set(record.agents) == {"easy", "random"}]
    expect(page.find("#list-place")).to_have_text(f"1 to {len(met)} of {len(met)}")


def crosstable_label(records: list[GameRecord]) -> str:
    """The name of the button that lists the games of easy and random."""
    tally = Tally()
    for record in records:
        tally.add(record)
    pairing = next(each for each in tally.report("sample").pairings if {each.a, each.b} == {"easy", "random"})
    return f"{pairing.a} against {pairing.b}: {pairing.points:g} of {pairing.games} points; list these games"


def test_the_list_is_filtered_and_turned_over(visit: Visit, records: list[GameRecord]) -> None:
    page = visit("run")
    total = len(records)
    expect(page.find("#list-place")).to_have_text(f"1 to 10 of {total}")
    page.button("Later").click()
    expect(page.find("#list-place")).to_have_text(f"11 to 20 of {total}")
    page.find("#filter-agent").select_option("random")
    page.find("#filter-result").select_option("won")
    won = [each for each in records if each.winner and each.agents[each.winner - 1] == "random"]
    expect(page.find("#list-place")).to_have_text(f"{min(1, len(won))} to {len(won)} of {len(won)}")
    page.find("#filter-agent").select_option(NASTY)
    page.find("#filter-result").select_option("fault")
    expect(page.find("#list-place")).to_have_text("1 to 1 of 1")
    page.button("Replay game 1002").click()
    expect(page.find("#evidence pre").first).to_have_text(NASTY)
    expect(page.find("h2#replay-title")).to_have_text("Game 1002: b wins, malformed reply")
    assert page.page.title() == "Run sample · Connect Four"


def test_a_game_is_replayed_with_buttons_keys_and_its_address(visit: Visit, records: list[GameRecord]) -> None:
    page = visit("run?game=6")
    record = next(each for each in records if each.game == 6)
    total = len(record.columns)
    page.shows_discs(total)
    expect(page.find("#board .four")).to_have_count(1)
    page.button("To the start").click()
    page.shows_discs(0)
    page.button("One move forward").click()
    page.shows_discs(1)
    page.page.keyboard.press("ArrowRight")
    page.shows_discs(2)
    page.page.keyboard.press("End")
    page.shows_discs(total)
    page.button("One move back").click()
    page.shows_discs(total - 1)
    page.button("Next game").click()
    expect(page.find("h2#replay-title")).to_contain_text("Game 7: ")
    assert page.query == {"game": "7"}
    page.page.reload()
    expect(page.find("h2#replay-title")).to_contain_text("Game 7: ")


def test_back_leads_from_a_game_to_the_list(visit: Visit) -> None:
    page = visit("run", viewport=PHONE)
    page.button("Replay game 3").click()
    expect(page.find("h2#replay-title")).to_contain_text("Game 3: ")
    expect(page.find("#game-list")).to_be_hidden()  # a phone has room for one of them
    page.button("Next game").click()
    expect(page.find("h2#replay-title")).to_contain_text("Game 4: ")
    page.page.go_back()
    expect(page.find("#game-list")).to_be_visible()
    expect(page.find("#play")).to_be_hidden()
    page.page.go_forward()
    expect(page.find("h2#replay-title")).to_contain_text("Game 4: ")
    page.button("All games").click()
    expect(page.find("#game-list")).to_be_visible()


def test_on_a_wide_screen_a_game_opens_beside_the_list_and_keys_work_at_once(
    visit: Visit, records: list[GameRecord]
) -> None:
    page = visit("run?game=6")
    total = len(next(each for each in records if each.game == 6).columns)
    page.shows_discs(total)
    page.page.keyboard.press("ArrowLeft")
    page.shows_discs(total - 1)
    game, games = page.find("#play").bounding_box(), page.find("#games").bounding_box()
    assert game is not None
    assert games is not None
    assert games["x"] + games["width"] <= game["x"]
    assert games["y"] < DESKTOP["height"]


def test_the_curve_marks_mistakes_after_the_opening(visit: Visit, records: list[GameRecord]) -> None:
    record = next(each for each in records if each.game == UNJUDGED_GAME.game)
    page = visit(f"run?game={record.game}")
    expect(page.find(".curve")).to_be_visible()
    judged = judge(Position(player=record.first), record.columns)
    expected = [ply for ply, move in enumerate(judged.moves) if move.mistake and ply >= len(record.opening)]
    marked = page.find(".curve .mistake").evaluate_all("all => all.map((each) => Number(each.dataset.ply))")
    assert sorted(marked) == expected
    assert expected
    page.find(f".curve .mistake[data-ply='{expected[-1]}']").press("Enter")  # others may cover it
    page.shows_discs(expected[-1] + 1)
    assert page.find("#moves .given").count() == len(record.opening)


def test_a_judged_game_needs_no_second_judge(visit: Visit) -> None:
    page = visit("run?game=6")
    expect(page.find(".curve")).to_be_visible()
    assert not any(url.endswith("/api/judge") for url in page.asked)
    expect(page.find("#review-body")).to_contain_text(
        "No move after the opening did: both sides kept the result they had."
    )


def test_a_position_of_a_replay_can_be_played_on(visit: Visit, records: list[GameRecord]) -> None:
    page = visit("run?game=6")
    record = next(each for each in records if each.game == 6)
    for _ in range(3):
        page.button("One move back").click()
    page.page.get_by_role("link", name="Play on from here").click()
    page.shows_discs(len(record.columns) - 3)
    assert page.query["moves"] == "".join(str(column + 1) for column in record.columns[:-3])


def test_a_game_that_is_not_there_is_told(visit: Visit) -> None:
    page = visit("run?game=77777")
    expect(page.find("#message")).to_have_text("There is no game “77777” in this run.")
