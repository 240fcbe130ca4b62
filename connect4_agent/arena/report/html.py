"""One self-contained page for a run: its tables, a plot of the ratings, and a replay of every game.

The page loads nothing, and its policy forbids it: only the two scripts written here run.
Everything that agents wrote appears as escaped text or as JSON data.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import orjson

from connect4_agent.arena.report.model import AgentReport, Report
from connect4_agent.arena.report.tables import Table, crosstable, headline, interval, ratings_table, signed, tables_of
from connect4_agent.arena.run.record import GameRecord
from connect4_agent.rules.scores import verdict_noun
from connect4_agent.text import escaped, short, without_bidi_marks

MEMORY_BYTES = 1 << 24
"""How many bytes of games are kept in memory; beyond that they go to a file."""

PIECE_CHARACTERS = 1 << 16


class PageGames:
    """The games of a page, kept aside until the tables above them are known, so that the journal is read once."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(MEMORY_BYTES, "w+", encoding="utf-8", newline="")  # noqa: SIM115  # closed at exit
        self._separator = ""

    def add(self, record: GameRecord) -> None:
        """Add a game. Raises OSError."""
        self._file.write(self._separator + _game_data(record))
        self._separator = ",\n"

    def text(self) -> Iterator[str]:
        """All games, piece by piece."""
        self._file.seek(0)
        while piece := self._file.read(PIECE_CHARACTERS):
            yield piece

    def __enter__(self) -> PageGames:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()


def write_page(report: Report, games: PageGames, target: Path) -> None:
    """Write the page; the target is replaced only once the page is complete. Raises OSError."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(page_of(report, games.text()))
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def page_of(report: Report, games: Iterable[str]) -> Iterator[str]:
    """The page piece by piece; the games are given as pieces of text."""
    shared = _static("connect4_agent", "colours.css") + _static("connect4_agent", "board.css")
    style = shared + _static("connect4_agent.arena.report", "report.css")
    script = _static("connect4_agent", "board.js") + _static("connect4_agent.arena.report", "report.js")
    before, _, after = _static("connect4_agent.arena.report", "report.html").partition("{{games}}")
    first, second = crosstable(report), ratings_table(report)
    tables = list(tables_of(report))
    pieces = {
        "policy": _policy(style, script),
        "title": escape(f"Run {escaped(report.run)}"),
        "style": style,
        "headline": escape(headline(report)),
        "notes": _notes(report.notes),
        "links": "".join(f'<a href="#{_anchor(table)}">{escape(table.title)}</a> ' for table in tables),
        "crosstable": _table(first),
        "plot": rating_plot(report.agents),
        "ratings": _table(second),
        "tables": "".join(_table(table) for table in tables if table not in (first, second)),
        "script": script,
    }
    yield _filled(before, pieces)
    yield from games
    yield _filled(after, pieces)


def _game_data(record: GameRecord) -> str:
    """A game as JSON that is safe inside a script element."""
    data: dict[str, Any] = record.model_dump(mode="json", exclude={"key", "seed", "limits", "started", "judged"})
    data |= {"agents": record.agents, "first": record.first, "opening": len(record.opening)}
    data["times_ms"] = [round(elapsed_ms, 1) for elapsed_ms in record.times_ms]
    data["judged"] = _judged_data(record)
    text = without_bidi_marks(orjson.dumps(data).decode())
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _judged_data(record: GameRecord) -> dict[str, Any] | None:
    """The result after every move, in words from the mover's side (null if not proven), and the mistakes, by ply."""
    if record.judged is None:
        return None
    moves = record.judged.moves
    mistakes = {
        str(ply): {
            "kind": move.mistake,
            "changes_result": move.changes_result,
            "before": verdict_noun(move.score_before, move.empty_count),
        }
        for ply, move in enumerate(moves)
        if move.mistake is not None and move.score_before is not None
    }
    return {
        "values": [None if move.score is None else verdict_noun(move.score, move.empty_count) for move in moves],
        "mistakes": mistakes,
        "losing_ply": record.losing_ply,
        "opening_score": moves[len(record.opening)].score_before,  # from the side to move
    }


def rating_plot(agents: Iterable[AgentReport]) -> str:
    """The ratings as dots with error bars, a row for each rated agent; empty if no agent is rated."""
    rated = [agent for agent in agents if agent.rating.value is not None]
    if not rated:
        return ""
    ends = [
        end for agent in rated for end in (agent.rating.value, agent.rating.low, agent.rating.high) if end is not None
    ]
    step = _grid_step(max(ends) - min(ends))
    low, high = (min(ends) // step) * step, -(-max(ends) // step) * step
    high = max(high, low + step)
    width, margin, row = 420, 24, 40
    bottom = row * len(rated) + 6

    def x(elo: float) -> str:
        return f"{margin + (elo - low) / (high - low) * (width - 2 * margin):.1f}"

    parts = []
    for index in range(round((high - low) / step) + 1):
        elo = low + index * step
        name = "zero" if elo == 0 else "grid"
        parts.append(f'<line class="{name}" x1="{x(elo)}" x2="{x(elo)}" y1="4" y2="{bottom}"/>')
        parts.append(f'<text class="figure" x="{x(elo)}" y="{bottom + 18}">{format(elo, "+.0f") if elo else 0}</text>')
    for index, agent in enumerate(rated):
        parts.append(_plot_row(agent, row * index + 30, x))
    words = "; ".join(f"{escaped(a.name)} {signed(a.rating.value)}, {interval(a.rating)}" for a in rated)
    return (
        '<section aria-labelledby="plot-title"><h2 id="plot-title">Ratings with 95 % intervals</h2>'
        f'<svg class="plot" viewBox="0 0 {width} {bottom + 26}" role="img" aria-label="{escape(words)}">'
        f"{''.join(parts)}</svg></section>"
    )


def _plot_row(agent: AgentReport, y: int, x: Callable[[float], str]) -> str:
    elo, low, high = agent.rating.value, agent.rating.low, agent.rating.high
    assert elo is not None  # only rated agents are plotted
    name = escaped(agent.name)
    label = short(name, 48, "…")
    bar = ""
    if low is not None and high is not None:
        caps = "".join(
            f'<line class="bar" x1="{x(end)}" x2="{x(end)}" y1="{y - 6}" y2="{y + 6}"/>' for end in (low, high)
        )
        bar = f'<line class="bar" x1="{x(low)}" x2="{x(high)}" y1="{y}" y2="{y}"/>{caps}'
    title = escape(f"{name}: {signed(elo)}, {interval(agent.rating)}")
    return (
        f'<g class="agent"><title>{title}</title><text class="name" x="0" y="{y - 12}">{escape(label)}</text>{bar}'
        f'<circle class="dot" cx="{x(elo)}" cy="{y}" r="5"/></g>'
    )


def _grid_step(span: float) -> float:
    """A round distance between grid lines that gives at most about eight of them."""
    for step in (10, 20, 50, 100, 200, 500):
        if span / step <= 8:
            return step
    return 1000


def _table(table: Table) -> str:
    name = _anchor(table)
    caption = f'<p class="caption">{escape(table.caption)}</p>' if table.caption else ""
    return (
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{escape(table.title)}</h2>'
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{name}-title">{_cells(table)}</div>'
        f"{caption}</section>\n"
    )


def _cells(table: Table, words: str = ' class="words"', figures: str = "") -> str:
    """The table itself; `words` and `figures` are the attributes of its cells."""

    def cell(tag: str, index: int, text: str) -> str:
        look = words if index in table.left else figures
        return f"<{tag}{look}>{escape(text)}</{tag.split(maxsplit=1)[0]}>"

    header = "".join(cell('th scope="col"', index, text) for index, text in enumerate(table.header))
    rows = "".join(
        "<tr>"
        + "".join(cell("td" if index else 'th scope="row"', index, text) for index, text in enumerate(row))
        + "</tr>"
        for row in table.rows
    )
    return f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"


def fragment_of(report: Report) -> str:
    """The headline, the notes, the crosstable and the ratings for a notebook, without our style sheet."""
    words, figures = ' style="text-align: left"', ' style="text-align: right"'
    tables = [
        f"<h4>{escape(table.title)}</h4>{_cells(table, words, figures)}<p><small>{escape(table.caption)}</small></p>"
        for table in (crosstable(report), ratings_table(report))
        if table.rows
    ]
    return f"<div><p><strong>{escape(headline(report))}</strong></p>{_notes(report.notes)}{''.join(tables)}</div>"


def _anchor(table: Table) -> str:
    """The name of the table's section, for links."""
    return table.title.lower().replace(",", "").replace(" ", "-")


def _notes(notes: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded; only this style and this script may run."""

    def fingerprint(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    return escape(
        f"default-src 'none'; img-src data:; style-src {fingerprint(style)}; script-src {fingerprint(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _filled(template: str, pieces: dict[str, str]) -> str:
    """The template with its {{names}} filled in, in one pass: text that was filled in is not searched again."""
    text, *rest = template.split("{{")
    for part in rest:
        name, _, after = part.partition("}}")
        text += pieces[name] + after
    return text


def _static(package: str, name: str) -> str:
    return files(package).joinpath("static", name).read_text(encoding="utf-8")
