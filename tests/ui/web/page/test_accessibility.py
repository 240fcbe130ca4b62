"""axe-core looks at every page of the web server, in every state that it can be in."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import DESKTOP, LYING_PHONE, PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    Visit = Callable[..., Opened]

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")

RUN_AXE = """async () => {
    const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };
    const { violations } = await axe.run(document, { rules, resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
}"""

LATE = "4435444512532334122"

OVERLOOKED = "44332277661"
"""A game with two missed fours and a mistake of the player who began."""


def play_hints(page: Opened) -> None:
    page.page.get_by_label("Analysis").click()
    page.scores()


def reason(page: Opened) -> None:
    page.page.keyboard.press("w")
    expect(page.find("#why-more")).to_be_visible()
    page.find("#why-more summary").click()
    assert page.find("#board .reason").count() > 0


def plan(page: Opened) -> None:
    page.page.keyboard.press("w")
    page.find("#try-plan").click()
    expect(page.find("#message")).to_contain_text("follows its plan")


def refused(page: Opened) -> None:
    page.click_cell(4)
    expect(page.find("#detail.refused")).to_be_visible()


def mistake(page: Opened) -> None:
    page.find(".curve .mistake:not(.inaccuracy)").first.click()
    expect(page.find("#board .better").first).to_be_visible()
    page.tab("Mistakes")
    page.find("#grades-panel summary").click()


def hint(page: Opened) -> None:
    for _ in range(3):
        page.button("Hint").click()
        expect(page.find("#detail")).not_to_contain_text("Thinking")
    expect(page.find("#board .better")).to_have_count(1)


def sure(page: Opened) -> None:
    page.column(7).click()
    expect(page.find("#detail.refused")).to_contain_text("Are you sure?")


def moment(tries: str) -> Callable[[Opened], None]:
    """A moment after these tries; `+` goes to the next one, `!` shows the answer."""

    def reach(page: Opened) -> None:
        page.button("3 moments to look at").click()
        for sign in tries:
            if sign in "+!":
                page.find("#moments .actions button").nth(1 if sign == "!" else 2).click()
            else:
                page.page.keyboard.press(sign)
            expect(page.find(".moments-verdict")).not_to_have_class(re.compile("is-checking"))

    return reach


def tab(name: str) -> Callable[[Opened], None]:
    def choose(page: Opened) -> None:
        if "Mistakes" in name:
            expect(page.find(".curve")).to_be_attached()
        page.tab(name)

    return choose


def raised(page: Opened) -> None:
    page.page.set_viewport_size(PHONE)
    expect(page.find(".curve")).to_be_attached()
    page.find("#sheet-handle").click()


def analysed(page: Opened) -> None:
    expect(page.find("#best-line span").first).to_be_visible()


def impossible(page: Opened) -> None:
    page.page.keyboard.press("e")
    for number in (36, 37, 38):
        page.find("#cells button").nth(number).click()
    expect(page.find("#detail.refused")).to_be_visible()


def dialog(mode: str) -> Callable[[Opened], None]:
    def open_dialog(page: Opened) -> None:
        page.button("New game").click()
        page.page.get_by_label(mode).check()

    return open_dialog


def new_game(page: Opened) -> None:
    page.button("New game").click()
    page.button("Start").click()
    expect(page.button("Back to it")).to_be_visible()


def puzzle_wrong(page: Opened) -> None:
    expect(page.find("#solve")).to_be_enabled()
    page.column(1).click()
    expect(page.find("#result.wrong")).to_be_visible()


def puzzle_shown(page: Opened) -> None:
    page.button("Show the answer").click()
    expect(page.button("Back to the puzzle")).to_be_enabled()
    page.button("Back to the puzzle").click()
    page.scores()


def card_solved(page: Opened) -> None:
    expect(page.find("#solve")).to_be_enabled()
    page.column(4).click()
    expect(page.find("#result.right")).to_be_visible()


def curve(page: Opened) -> None:
    expect(page.find(".curve")).to_be_visible()


def nothing_to_solve(page: Opened) -> None:
    page.shows_turn_of_puzzle("Nothing to solve yet")


def no_page(page: Opened) -> None:
    page.is_spoiled = True  # the browser notes the status 404
    expect(page.find("h2")).to_have_text("There is no page here")


def message(page: Opened) -> None:
    expect(page.find("#message")).to_be_visible()


def nothing(page: Opened) -> None:
    page.shows_discs(0)


def listed(page: Opened) -> None:
    expect(page.find("#game-list button").first).to_be_visible()


STATES: dict[str, tuple[str, Callable[[Opened], None]]] = {
    "empty board": ("?first=1", nothing),
    "first visit": ("", lambda page: expect(page.find("#welcome")).to_be_visible()),
    "hints": (f"?two=person&moves={LATE}", play_hints),
    "reason": ("?two=person&moves=6442343433443263662", reason),
    "forced moves": ("?two=person&moves=734731563355", reason),
    "against a plan": ("?two=person&moves=1454444415", plan),
    "refused disc": ("?two=person&moves=444444", refused),
    "review": (f"?one=first-open&two=person&moves={LOST}&at=1", mistake),
    "hint": ("?two=level:1&moves=4455", hint),
    "are you sure": ("?two=level:1&moves=443322", sure),
    "moment": (f"?two=easy&moves={OVERLOOKED}", moment("")),
    "wrong try": (f"?two=easy&moves={OVERLOOKED}", moment("7")),
    "right try": (f"?two=easy&moves={OVERLOOKED}", moment("5")),
    "refuted try": (f"?two=easy&moves={OVERLOOKED}", moment("++3")),
    "shown answer": (f"?two=easy&moves={OVERLOOKED}", moment("!")),
    "end of the moments": (f"?two=easy&moves={OVERLOOKED}", moment("+++")),
    "variations": ("?two=person&moves=4453&also=2-21,3-7&line=1", lambda page: page.shows_discs(4)),
    "watching": ("?one=first-open&two=first-open&moves=11", lambda page: page.shows_discs(2)),
    "new game against a player": ("?two=person&moves=44", dialog("Me against the computer")),
    "new game of two people": ("?two=person&moves=44", dialog("Two people")),
    "new game to watch": ("?two=person&moves=44", dialog("Watch two players")),
    "game kept": ("?two=person&moves=44", new_game),
    "keys": ("?two=person&moves=44", lambda page: page.page.keyboard.press("?")),
    "bad address": ("?moves=9", message),
    "grades": (f"?one=first-open&two=person&moves={LOST}", tab("Mistakes")),
    "offered review": ("?two=person&moves=445", tab("Curve")),
    "raised sheet": (f"?one=first-open&two=person&moves={LOST}", raised),
    "analysis": (f"analyse?moves={LATE}", analysed),
    "analysis with a reason": ("analyse?moves=6442343433443263662", reason),
    "position set up": (f"analyse?moves={LATE}", lambda page: page.page.keyboard.press("e")),
    "impossible position": ("analyse", impossible),
    "bad position": ("analyse?start=XX.....", message),
    "wide board": ("?two=person&width=12&height=9&moves=6c", lambda page: page.shows_discs(2)),
    "puzzle": ("puzzles?theme=forced&level=easy&seed=3", lambda page: expect(page.find("#solve")).to_be_enabled()),
    "wrong answer": ("puzzles?theme=forced&level=easy&seed=3", puzzle_wrong),
    "puzzle with its answer": ("puzzles?theme=forced&level=easy&seed=3", puzzle_shown),
    "trap": ("puzzles?theme=trap&seed=1", puzzle_shown),
    "no puzzle of one's own": ("puzzles?mine=", nothing_to_solve),
    "bad puzzle link": ("puzzles?seed=abc", message),
    "card": ("learn#12", lambda page: expect(page.find("#columns .word")).to_have_count(7)),
    "wrong disc on a card": ("learn#5", puzzle_wrong),
    "solved card": ("learn#8", card_solved),
    "no page": ("puzle", no_page),
    "list of games": ("run", listed),
    "replay": ("run#game=3", listed),
    "unknown game": ("run#game=77777", message),
}


@pytest.mark.parametrize(("query", "reach"), STATES.values(), ids=STATES)
def test_axe_finds_nothing_to_complain_about(visit: Visit, query: str, reach: Callable[[Opened], None]) -> None:
    # In every window in turn: each state would have six looks otherwise.
    number = list(STATES.values()).index((query, reach))
    viewport: ViewportSize = (DESKTOP, PHONE, LYING_PHONE)[number % 3]
    page = visit(query, viewport=viewport, color_scheme="light")
    reach(page)
    page.page.evaluate(AXE)
    assert page.page.evaluate(RUN_AXE) == []
    page.page.emulate_media(color_scheme="dark")
    assert page.page.evaluate(RUN_AXE) == []


def test_axe_would_complain_about_a_bad_page(visit: Visit) -> None:
    page = visit("?first=1")
    page.page.evaluate("document.querySelector('#new-game').replaceChildren()")
    page.page.evaluate(AXE)
    assert [text.partition(":")[0] for text in page.page.evaluate(RUN_AXE)] == ["button-name"]
