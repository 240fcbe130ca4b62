"""Pictures: the look of the page, readable without colours, for every program that shows SVG."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.drawing import svg as picture
from connect4_agent.drawing.marks import Mark, Meaning
from tests.processes import REPOSITORY, output_of

SVG = "{http://www.w3.org/2000/svg}"
STATIC = REPOSITORY / "connect4_agent" / "drawing" / "static"
POSITION = c4.Position.from_moves("4455")


def elements(text: str, tag: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(text).findall(f"{SVG}{tag}")


def circles(text: str, radius: float) -> list[ElementTree.Element]:
    return [each for each in elements(text, "circle") if each.get("r") == str(radius)]


def texts(text: str) -> list[str | None]:
    return [each.text for each in elements(text, "text")]


def test_every_disc_has_its_players_mark_and_place() -> None:
    svg = c4.svg(POSITION)
    crosses = [each.get("d") for each in elements(svg, "path") if each.get("fill-rule") is None]
    assert crosses == ["M67.2 107.2L72.8 112.8M72.8 107.2L67.2 112.8", "M87.2 107.2L92.8 112.8M92.8 107.2L87.2 112.8"]
    assert [(each.get("cx"), each.get("cy")) for each in circles(svg, picture.RING)] == [("70", "90"), ("90", "90")]
    assert len(circles(svg, picture.BODY)) == 4
    assert len(circles(svg, picture.HOLE)) == 42
    assert texts(svg) == ["1", "2", "3", "4", "5", "6", "7"]


def test_notebooks_show_every_value_that_has_a_position_as_its_picture(tmp_path: Path) -> None:
    program = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "import connect4_agent as c4\n"
        "position = c4.Position.from_moves('4455')\n"
        "game = c4.play_match('greedy', 'random', games=2, seed=1).games[0]\n"
        "for value in (position, c4.analyze(position), c4.explain(position, 0), c4.judge(position, 0), game):\n"
        "    assert shell.display_formatter.format(value)[0]['image/svg+xml'] == c4.svg(value)\n"
        "    print(type(value).__name__)"
    )
    shown = output_of(program, IPYTHONDIR=str(tmp_path))
    assert shown.split() == ["Position", "Analysis", "Explanation", "JudgedMove", "GameRecord"]


@pytest.mark.parametrize("value", [5, None, "4455"])
def test_a_value_without_a_position_has_no_picture(value: Any) -> None:
    with pytest.raises(errors.BadValueError, match=r"position is .*; allowed is a Position"):
        c4.svg(value)


def test_a_finished_game_shows_its_line() -> None:
    svg = c4.svg(c4.Position.from_moves("1212121"))
    rings = circles(svg, picture.FOUR)
    assert [(ring.get("cx"), ring.get("cy")) for ring in rings] == [("10", y) for y in ("110", "90", "70", "50")]
    assert circles(c4.svg(POSITION), picture.FOUR) == []


def test_scores_stand_under_their_columns_and_the_best_in_a_frame() -> None:
    analysis = c4.analyze(POSITION)
    svg = c4.svg(analysis)
    assert texts(svg)[7:] == ["-4", "-3", "+18", "+2", "+2", "+18", "-3"]
    bold = [each.text for each in elements(svg, "text") if each.get("font-weight") == "bold"]
    assert bold == ["+18", "+18"]
    assert len(elements(svg, "rect")) == len(elements(c4.svg(POSITION), "rect")) + 2
    full = c4.Position.from_moves("121212")
    assert "Scores: " in ElementTree.fromstring(c4.svg(c4.analyze(full))).attrib["aria-label"]


def test_the_picture_is_described_in_the_words_of_the_page() -> None:
    label = ElementTree.fromstring(c4.svg(POSITION)).get("aria-label")
    assert label == (
        "Board of 7 columns and 6 rows. Discs by player number, "
        "column 4 from the bottom: 1 2; column 5 from the bottom: 1 2."
    )
    script = (STATIC / "board.js").read_text()
    for words in ("Board of ${game.width} columns and ${game.height} rows. ", "No discs."):
        assert words in script
    assert picture.describe(c4.Position()) == "Board of 7 columns and 6 rows. No discs."


def test_sizes_and_colours_are_those_of_the_page() -> None:
    script, style = (STATIC / "board.js").read_text(), (STATIC / "board.css").read_text()
    for name in ("CELL", "LABELS", "EDGE", "HOLE"):
        assert f"const {name} = {getattr(picture, name)};" in script
    assert f"class: 'body', r: {picture.BODY} " in script
    assert f"class: 'rim', r: {picture.RIM} " in script
    assert f"class: 'mark', r: {picture.RING} " in script
    assert f"class: 'four', cx, cy, r: HOLE + {picture.FOUR - picture.HOLE:g} " in script
    assert f"d: 'M-{picture.CROSS} -{picture.CROSS}L{picture.CROSS} {picture.CROSS}M" in script
    assert f"const corner = {picture.CORNER};" in script
    light = style.partition("@media")[0]
    for name, colour in picture.COLOURS.items():
        assert re.search(rf"^  --{name}: (light-dark\()?{colour}[,;]", light, re.MULTILINE)
    for part, width in (("hole", 0.9), ("rim", 0.9), ("mark", 1.5), ("four", 1.8)):
        assert re.search(rf"^\.connect4-board \.{part} \{{.*stroke-width: {width};", light, re.MULTILINE)
    used = re.findall(r"#[0-9a-f]{6}", c4.svg(POSITION))
    assert set(used) <= {*picture.COLOURS.values(), picture.INK, picture.PAPER}
    assert len(set(used)) > 8


def test_the_two_players_differ_far_in_lightness() -> None:
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
        return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 + 0.05)

    dark, light = sorted({each.get("fill", "") for each in circles(c4.svg(POSITION), picture.BODY)}, key=lightness)
    assert lightness(light) / lightness(dark) > 3, "as graphics have to, and each disc has its player's mark as well"


@pytest.mark.parametrize("size", [(1, 1), (4, 5), (12, 10), (40, 3)])
def test_boards_of_any_size_are_drawn(size: tuple[int, int]) -> None:
    svg = c4.svg(c4.Position(*size), pixels=200)
    root = ElementTree.fromstring(svg)
    assert root.get("width") == "200"
    assert len(circles(svg, picture.HOLE)) == size[0] * size[1]


@pytest.mark.parametrize("pixels", [0, 39, 10_001, 3.5, "320"])
def test_a_size_that_cannot_be_is_refused(pixels: Any) -> None:
    with pytest.raises(errors.BadValueError, match=r"pixels is .*; allowed are whole numbers from 40 to 10000"):
        c4.svg(POSITION, pixels=pixels)


def test_marked_cells_are_drawn_and_described_and_the_rows_get_numbers() -> None:
    explanation = c4.explain(c4.Position.from_moves("6442343433443263662"), 1)
    svg = c4.svg(explanation)
    assert texts(svg) == ["!", *"1234567", *"123456"]
    label = ElementTree.fromstring(svg).attrib["aria-label"]
    assert "column 2, row 4: move of player 2; column 1, row 3: avoid; column 1, row 4: threat of player 2" in label
    assert len(circles(svg, picture.BODY)) == 20, "the explained move, too"


def test_every_meaning_has_its_own_look() -> None:
    marks = [Mark(0, 0, 1, meaning, 1 if meaning in (Meaning.LINE, Meaning.PAIR) else None) for meaning in Meaning]
    drawn = [re.sub("aria-label=.*", "", picture.draw(c4.Position(), None, [mark], 320)) for mark in marks]
    assert len(set(drawn)) == len(marks)
