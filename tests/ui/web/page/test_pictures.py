"""The pictures in the documentation: the page reaches the states that their captions describe."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tools.pictures import FOLDER, PICTURES, Picture, opened, wait_for

HINTS = PICTURES[0]
NOT_PATIENT_MS = 1
SHORT: ViewportSize = {"width": 1200, "height": 200}


@pytest.mark.parametrize("picture", PICTURES, ids=[picture.name for picture in PICTURES])
def test_the_page_shows_what_the_captions_name(browser: Browser, address: str, picture: Picture) -> None:
    assert (FOLDER / f"{picture.name}.png").exists()
    with opened(browser, address, picture) as page:
        wait_for(page, picture)


def test_no_picture_is_taken_too_early(browser: Browser, address: str) -> None:
    with opened(browser, address, HINTS) as page:
        page.route("**/api/analyze*", lambda _: None)  # nobody ever answers
        page.reload()
        expect(page.locator("#detail")).to_have_text("Working out exact scores…")
        with pytest.raises(AssertionError, match="is-win"):
            wait_for(page, HINTS, NOT_PATIENT_MS)
        with pytest.raises(AssertionError, match="Working out"):
            wait_for(page, replace(HINTS, shows={}), NOT_PATIENT_MS)


def test_no_picture_cuts_off_what_it_shows(browser: Browser, address: str) -> None:
    with opened(browser, address, replace(HINTS, window=SHORT)) as page:
        expect(page.locator("#columns .score")).to_have_count(7)
        with pytest.raises(AssertionError, match="viewport"):
            wait_for(page, replace(HINTS, shows={"#columns": 1}), NOT_PATIENT_MS)
