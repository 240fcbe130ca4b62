"""The states of the page that are looked at: how each one is reached, and what shows that it is there."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import expect

from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import Opened

LATE = "4435444512532334122"

LOSING = "33447"
"""Five of seven columns lose to an open three; column 2 or 5 stops it."""

OVERLOOKED = "44332277661"
"""A game with two missed fours of the player who began."""


@dataclass(frozen=True, slots=True)
class State:
    """One state of the page."""

    query: str
    seen: str
    """What is seen, as a selector."""
    keys: str = ""
    pressed: tuple[str, ...] = ()
    """What is pressed after the keys, as selectors."""
    has_played: bool = True
    """False for the first visit."""
    settings: tuple[str, ...] = ()
    """What is switched on."""

    def open(self, page: Opened) -> None:
        """Bring an open page into the state."""
        values = dict.fromkeys(self.settings, "true") | ({"game": '"moves=4"'} if self.has_played else {})
        page.page.evaluate(
            """(values) => { localStorage.clear(); for (const [name, value] of Object.entries(values))
            localStorage.setItem(`connect4-agent.${name}`, value); }""",
            values,
        )
        page.go(self.query)
        if "view=puzzles" in self.query:
            expect(page.find("#puzzle-show")).to_be_enabled()
        for key in self.keys:
            page.page.keyboard.press(key)
            expect(page.find("#detail")).not_to_contain_text("…")
        for each in self.pressed:
            page.find(each).click()
        expect(page.find(self.seen).first).to_be_visible()


STATES = {
    "first visit": State("", "#welcome", has_played=False),
    "playing": State(f"?moves={LOSING}&one=level:4&two=person", "#undo:enabled"),
    "hint 1": State(f"?moves={LOSING}&one=level:4&two=person", "#hint:text('1/3')", "h"),
    "hint 2": State(f"?moves={LOSING}&one=level:4&two=person", "#board .light", "hh"),
    "hint 3": State(f"?moves={LOSING}&one=level:4&two=person", "#board .better", "hhh"),
    "are you sure": State("?moves=343536&two=level:1", "#say.is-warning", "7"),
    "won": State("?moves=343434&two=level:1", "#say.is-right", "3"),
    "lost": State(f"?moves={OVERLOOKED}&one=level:1&two=person", ".connect4-curve"),
    "mistake": State(f"?one=hard&two=person&moves={LOST}&at=10", "#board .better"),
    "moment": State(f"?moves={OVERLOOKED}&two=level:1", "#moment-show", pressed=("#look",)),
    "watching": State("?one=level:1&two=level:2&moves=44", "#go"),
    "analysis": State(f"?two=person&moves={LATE}", "#columns .score", settings=("hints",)),
    "reason": State("?two=person&moves=6442343433443263662", "#board .reason", settings=("hints", "why")),
    "more": State("?two=person&moves=44", "#more-dialog", pressed=("#more",)),
    "new game": State("?two=person&moves=44", "#setup-dialog", pressed=("#more", "#new-game")),
    "bad link": State("?moves=99", "#say.is-warning"),
    "card": State("?view=learn&card=8", "#say.is-right", pressed=("#learn-show",)),
    "card with scores": State("?view=learn&card=12", "#columns .word"),
    "puzzle": State("?view=puzzles&theme=forced&level=easy&seed=3", "#puzzle-show:enabled"),
    "wrong try": State("?view=puzzles&theme=forced&level=easy&seed=3", "#say.is-warning", "1"),
    "shown puzzle": State("?view=puzzles&theme=double&seed=7", "#puzzle-done", pressed=("#puzzle-show",)),
    "analyse": State(f"?view=analyse&moves={LATE}", "#best-line span"),
    "why": State("?view=analyse&moves=6442343433443263662", "#why", settings=("why",)),
    "set up": State(f"?view=analyse&moves={LATE}", "#editing", pressed=("#edit",)),
}
