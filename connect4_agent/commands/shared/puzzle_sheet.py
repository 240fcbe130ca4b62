"""Puzzles as a sheet to print: boards in black and white, and the answers with their reasons on a page of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from connect4_agent.engine.puzzles import Puzzle
from connect4_agent.rules.position import MOVE_SIGNS, Position
from connect4_agent.rules.reason_words import LEGEND
from connect4_agent.rules.reasons import column_letter

CELL, LABELS = 10, 7
"""The sizes of a cell and of the row of column numbers, in the drawing's own units."""

DISCS = ("empty", "cross", "ring")
"""What the cells look like, and what the players are called."""

STYLE = """\
@page { margin: 12mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 186mm; padding: 1mm; font: 10pt/1.35 system-ui, sans-serif; }
:root { color: #000; background: #fff; }
h1 { font-size: 13pt; margin: 0; }
p { margin: 0 0 2mm; font-size: 9.5pt; }
svg { display: block; width: 100%; }
.sign { display: inline; width: 1.2em; vertical-align: -0.2em; }
.defs { position: absolute; width: 0; height: 0; }
.boards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 2.5mm 20mm; }
.boards figure { margin: 0; break-inside: avoid; }
figcaption { min-height: 2.7em; font-size: 8.5pt; }
.answers { break-before: page; }
.answers ol { padding-left: 7mm; margin: 0 0 3mm; }
.answers li { margin-bottom: 1.6mm; break-inside: avoid; }
.name { display: block; color: #444; }"""

DEFS = """\
<svg class="defs" aria-hidden="true"><defs>
<circle id="empty" r="4" fill="#fff" stroke="#999" stroke-width="0.3"/>
<g id="cross"><circle r="4" fill="#333" stroke="#000" stroke-width="0.3"/>
<path d="M-1.9 -1.9L1.9 1.9M1.9 -1.9L-1.9 1.9" stroke="#fff" stroke-width="1.1" stroke-linecap="round"/></g>
<g id="ring"><circle r="4" fill="#fff" stroke="#000" stroke-width="0.7"/>
<circle r="1.9" fill="none" stroke="#000" stroke-width="1"/></g>
</defs></svg>
"""

INTRODUCTION = """\
<p>You play cross <svg class="sign" viewBox="-5 -5 10 10" aria-hidden="true"><use href="#cross"/></svg> or ring
<svg class="sign" viewBox="-5 -5 10 10" aria-hidden="true"><use href="#ring"/></svg>, as it says below the board.
Moves are your own discs. Which one is first?</p>
"""


def sheet(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """The page, part by part; a part comes as soon as its puzzle is known."""
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Connect Four puzzles</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<main>\n"
        f'<h1>Connect Four puzzles</h1>\n{DEFS}{INTRODUCTION}<div class="boards">\n'
    )
    answers = []
    for number, puzzle in enumerate(puzzles, 1):
        task = f"{number}. {DISCS[puzzle.position.player].capitalize()}: {puzzle.question}"
        caption = f'<b>{escape(task)}</b> <span class="name">{escape(puzzle.name)}</span>'
        yield f"<figure>{_board(puzzle.position)}<figcaption>{caption}</figcaption></figure>\n"
        answers.append(f"<li>{_answer(puzzle)}</li>\n")
    yield '</div>\n<section class="answers">\n<h1>Answers</h1>\n<ol>\n'
    yield from answers
    yield f"</ol>\n<p>{escape(LEGEND['cell'])}</p>\n</section>\n</main>\n</body>\n</html>\n"


def _board(position: Position) -> str:
    width, height = position.width * CELL, position.height * CELL
    parts = [
        f'<svg viewBox="-1 -1 {width + 2} {height + LABELS + 2}" role="img" aria-label="{_described(position)}">',
        f'<rect width="{width}" height="{height}" rx="2" fill="#e4e4e4" stroke="#000" stroke-width="0.6"/>',
    ]
    for column, cells in enumerate(position.grid()):
        x = (column + 0.5) * CELL
        parts += [
            f'<use href="#{DISCS[cell]}" x="{x:g}" y="{(row + 0.5) * CELL:g}"/>' for row, cell in enumerate(cells)
        ]
        parts.append(
            f'<text x="{x:g}" y="{height + 6}" font-size="5.5" text-anchor="middle">{MOVE_SIGNS[column]}</text>'
        )
    return "".join([*parts, "</svg>"])


def _described(position: Position) -> str:
    """The discs in words."""
    columns = [
        f"column {MOVE_SIGNS[column]} from the bottom: {' '.join(DISCS[cell] for cell in reversed(cells) if cell)}"
        for column, cells in enumerate(position.grid())
        if any(cells)
    ]
    return "; ".join(columns) or "an empty board"


def _answer(puzzle: Puzzle) -> str:
    answer = f"Column {MOVE_SIGNS[puzzle.answer]} ({column_letter(puzzle.answer)})."
    line = " ".join(MOVE_SIGNS[column] for column in (puzzle.answer, *puzzle.line))
    reason = re.sub(r"([Pp])layer ([12])", _disc_name, puzzle.reason.summary)
    return f"<b>{answer}</b> {escape(reason)} Best play: {line}."


def _disc_name(found: re.Match[str]) -> str:
    name = DISCS[int(found[2])]
    return name.capitalize() if found[1] == "P" else name
