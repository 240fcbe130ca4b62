"""Takes the pictures of the page in docs/pictures again: python -m benchmarks.pictures [FOLDER]."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, ViewportSize

from tests.browsers import running_browser
from tests.tools import is_missing

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
COMMAND = str(Path(sys.executable).with_name("connect4-agent"))
COLOURS = 128
"""A palette is enough for flat drawings, and shrinks the files to a quarter."""
PATIENCE_MS = 300_000
WINDOW: ViewportSize = {"width": 1200, "height": 760}
LOST = "444444656366663335555351137112222112277"
"""A game with mistakes by both sides, as a move string."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A state of the page, and the size of the window."""

    name: str
    query: str
    scheme: Literal["light", "dark"]
    wait_for: str
    part: str | None = None
    """The part of the page to show; None for the whole window."""


PICTURES = (
    Picture("hints", "?moves=754545531322233&two=person&name1=Ada&name2=Ben", "light", ".column .word"),
    Picture("review", f"?moves={LOST}&one=hard&two=person&at=10", "dark", "#board .better"),
    Picture("puzzle", "puzzles?seed=7&kind=win&level=easy", "light", "#solve:enabled"),
)


def take(browser: Browser, address: str, picture: Picture) -> bytes:
    """The picture as PNG."""
    context = browser.new_context(
        viewport=WINDOW,
        color_scheme=picture.scheme,
        reduced_motion="reduce",
    )
    if picture.name == "hints":
        context.add_init_script("localStorage.setItem('connect4-agent.hints', 'true')")
    page = context.new_page()
    page.goto(address + picture.query)
    page.wait_for_selector(picture.wait_for, timeout=PATIENCE_MS)
    taken = page.locator(picture.part).screenshot() if picture.part else page.screenshot()
    image = Image.open(io.BytesIO(taken))
    context.close()
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
        for picture in PICTURES:
            content = take(browser, address, picture)
            (folder / f"{picture.name}.png").write_bytes(content)
            print(f"{folder / picture.name}.png: {len(content):,} bytes")
        server.terminate()


if __name__ == "__main__":
    main()
