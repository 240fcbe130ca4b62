"""Takes the pictures of the page in docs/pictures again: python -m tools.pictures [FOLDER]."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browsers import running_browser
from tests.system_tools import is_missing

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
COMMAND = str(Path(sys.executable).with_name("connect4-agent"))
COLOURS = 256
"""A palette is enough for such drawings, and shrinks the files to a third."""
PATIENCE_MS = 60_000
WINDOW: ViewportSize = {"width": 1260, "height": 760}
LOST = "444444656366663335555351137112222112277"
"""A game with mistakes by both sides, as a move string."""
PLACEHOLDER = re.compile(r"Working out|Looking for|Loading|…")
"""What the page shows until something has arrived."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A state of the page."""

    name: str
    query: str
    scheme: Literal["light", "dark"]
    window: ViewportSize
    shows: dict[str, int]
    """What its captions name: selectors, each with the number of parts that it finds."""


PICTURES = (
    Picture(
        "hints",
        "?moves=754545531322233&two=person&name1=Ada&name2=Ben",
        "light",
        WINDOW,
        {
            "#columns .is-win .word:text('win')": 1,
            "#columns .is-draw .word:text('draw')": 2,
            "#columns .is-loss .word:text('loss')": 4,
            "#columns .score": 7,
            "#detail:text('with best play')": 1,
        },
    ),
    Picture(
        "why",
        "?moves=6442343433443263662&two=person&name1=Ada&name2=Ben",
        "light",
        WINDOW,
        {
            "#detail:text('runs out of safe moves')": 1,
            "#board .reason.avoid": 1,
            "#board .reason .ring": 3,
            "#say-buttons button": 1,
        },
    ),
    Picture(
        "review",
        f"?moves={LOST}&one=hard&two=person&at=10",
        "dark",
        WINDOW,
        {
            "#board .badge": 1,
            "#board .better": 1,
            "#detail:text('Better: column 6.')": 1,
            ".connect4-curve .mistake": 1,
        },
    ),
    Picture(
        "analyse",
        "?view=analyse&moves=4435444512532334",
        "light",
        WINDOW,
        {
            "#columns .score": 6,
            "#board .reason.best": 9,
            "#best-line": 1,
            "#detail:text('Red loses in')": 1,
        },
    ),
    Picture(
        "puzzle",
        "?view=puzzles&theme=forced&level=easy&seed=3",
        "light",
        WINDOW,
        {"#turn:text('Win in 3 moves.')": 1, "#board .disc": 18, "#puzzle-show:enabled": 1, ".streaks dd": 3},
    ),
    Picture(
        "learn",
        "?view=learn&card=8",
        "dark",
        WINDOW,
        {
            "#turn:text('Odd and even rows')": 1,
            "#say.is-right": 1,
            "#detail:text('runs out of safe moves')": 1,
            "#board .reason.avoid": 1,
            "#cards a": 12,
        },
    ),
)


@contextmanager
def opened(browser: Browser, address: str, picture: Picture) -> Iterator[Page]:
    """The page, on its way to the state of a picture."""
    context = browser.new_context(viewport=picture.window, color_scheme=picture.scheme, reduced_motion="reduce")
    for name in {"hints": ["hints"], "why": ["hints", "why"]}.get(picture.name, []):
        context.add_init_script(f"localStorage.setItem('connect4-agent.{name}', 'true')")
    page = context.new_page()
    page.goto(address + picture.query)
    if picture.name == "learn":
        page.click("#learn-show:enabled")
    yield page
    context.close()


def wait_for(page: Page, picture: Picture, patience_ms: float = PATIENCE_MS) -> None:
    """Wait until the page shows what the captions name, whole, and nothing that is still to come."""
    for selector, count in picture.shows.items():
        parts = page.locator(selector)
        expect(parts).to_have_count(count, timeout=patience_ms)
        for part in parts.all():
            expect(part).to_be_in_viewport(ratio=1, timeout=patience_ms)
    expect(page.locator("#view").get_by_text(PLACEHOLDER).filter(visible=True)).to_have_count(0, timeout=patience_ms)


def small_png(taken: bytes) -> bytes:
    """The same picture with few colours."""
    image = Image.open(io.BytesIO(taken))
    small = io.BytesIO()
    image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    if is_missing("chromium"):
        sys.exit("pictures need Chromium: `make tools` installs it")
    with (
        subprocess.Popen([COMMAND, "web", "--port", "0"], stdout=subprocess.PIPE, text=True) as server,
        running_browser() as browser,
    ):
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        try:
            for picture in PICTURES:
                with opened(browser, address, picture) as page:
                    wait_for(page, picture)
                    content = small_png(page.screenshot())
                _write(folder / f"{picture.name}.png", content)
        except AssertionError as error:
            sys.exit(f"{picture.name} is not as its captions say: {error}")
        finally:
            server.terminate()


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    print(f"{path}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
