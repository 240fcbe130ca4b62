"""One page for a run: standings, tables, and a replay of every game; in one file, or from the web server and live.

As a file, the page loads nothing, and its policy forbids it: only the two scripts written here run. Everything that
agents wrote appears as escaped text or as JSON data.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from connect4_agent.arena.faults import Ending
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.report.model import AgentReport, Pairing, Report
from connect4_agent.arena.report.tables import (
    Table,
    collect_results,
    crosstable,
    headline,
    make_tables,
    percent,
    progress_words,
    standings,
    taking_part,
)
from connect4_agent.arena.spec import distinct_names
from connect4_agent.arena.statistics.ratings import Estimate
from connect4_agent.drawing.markup import Markup, element, join
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.reasons.words import describe, describe_players
from connect4_agent.rules.notation import MOVE_SIGNS, format_moves
from connect4_agent.text import escaped, without_bidi_marks

OWN = "connect4_agent.arena.report"
SHARED = "connect4_agent.drawing"
STYLES = ((SHARED, "colours.css"), (SHARED, "board.css"), (OWN, "report.css"))
SCRIPTS = ((SHARED, "board.js"), (SHARED, "curve.js"), (OWN, "live.js"), (OWN, "report.js"))

SMALL_RUN = 12
"""The crosstable of that many agents shows points and games; of more agents, only percents."""

MAX_FILE_NAME = 60
MAX_OPEN_AGENTS = 30
MAX_OPEN_ROWS = 10
"""Longer tables are folded."""

MATRIX_CAPTION = (
    "Points/games of the row's agent against the column's; for many agents, percents. Click a cell to list its games."
)

ENDINGS = [ending.value for ending in Ending]

PAGES = '<a href="/">Play</a> <a href="/learn">Learn</a> <a href="/puzzles">Puzzles</a> <a href="/analyse">Analyse</a> '
PARTS = '<a href="#standings">Standings</a> <a href="#games">Games</a> <a href="#details">Details</a>'
PLAY_ON = '<a id="play-on" href="/">Play on from here</a> <a id="analyse" href="/analyse">Analyse</a>'


def write_page(report: Report, records: Iterable[GameRecord], target: Path) -> None:
    """Write the page; the target is replaced only once the page is complete. Raises OSError."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(build_page(report, records))
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def write_pages(report: Report, records: Sequence[GameRecord], folder: Path) -> None:
    """Write a page for each agent: its games alone, with its check on top. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    names = distinct_names([re.sub(r"[^\w.-]+", "_", agent.name)[:MAX_FILE_NAME] for agent in report.agents])
    for agent, name in zip(report.agents, names, strict=True):
        own = [record for record in records if agent.name in record.agents]
        write_page(focus(report, agent), own, folder / f"{name}.html")


def focus(report: Report, agent: AgentReport) -> Report:
    """Return the part of a report that concerns one agent."""
    return replace(
        report,
        run=f"{report.run}: {agent.name}" + (f", version {agent.version}" if agent.version else ""),
        wanted_games=agent.games,
        to_play=0,
        not_played=agent.not_played,
        agents=[agent],
        pairings=[
            pairing if pairing.a == agent.name else _turn(pairing)
            for pairing in report.pairings
            if agent.name in (pairing.a, pairing.b)
        ],
        faults=[fault for fault in report.faults if fault.agent == agent.name],
        warnings=[agent.status_reason] if agent.did_play and agent.status else [],
        notes=[],
    )


def _turn(pairing: Pairing) -> Pairing:
    """Return a pairing from the other side."""
    low, high = ((None if end is None else -end) for end in (pairing.elo.high, pairing.elo.low))
    return replace(
        pairing,
        a=pairing.b,
        b=pairing.a,
        points=pairing.points_b,
        points_b=pairing.points,
        wins=pairing.losses,
        losses=pairing.wins,
        pairs=pairing.pairs[::-1],
        elo=Estimate(pairing.elo.value and -pairing.elo.value, low, high),
        superiority=None if pairing.superiority is None else 1 - pairing.superiority,
        sprt=None,
    )


def build_page(report: Report, records: Iterable[GameRecord], events: str = "") -> Iterator[str]:
    """Yield the page piece by piece; of a report on one agent, without what others wrote.

    `events` is the address at which the page hears that its run has changed, if it comes from the web server, which has
    its styles and scripts, too.
    """
    before, _, after = _static_text(OWN, "report.html").partition("{{games}}")
    tables = {table.title: table for table in make_tables(report)}
    own = report.agents[0].name if len(report.agents) == 1 else None
    titles = ("Standings", "Not ready", "Did not play", "Crosstable", "Faults", *(("Pairings",) if own else ()))
    main = [tables.pop(title, None) for title in titles]
    check = [] if own is None else report.agents[0].check
    pieces = {
        "head": _served_head() if events else _inlined_head(),
        "events": escape(events),
        "title": escape(f"Run {escaped(report.run)}"),
        "pages": f"{PAGES if events else ''}{PARTS}",
        "play_on": PLAY_ON if events else "",
        "headline": escape(progress_words(report)),
        "progress": join(_progress(report)),
        "warnings": _list(report.warnings, "warnings"),
        "overview": _check(report, check) + "".join(_section(report, table) for table in main if table is not None),
        "details": "".join(_section(report, table) for table in tables.values()),
        "notes": _list(report.notes, "notes"),
        "scripts": _served_scripts() if events else element("script", Markup(_joined(SCRIPTS))),
    }
    yield _filled(before, pieces)
    met = [name for pairing in report.pairings for name in (pairing.a, pairing.b)]
    names = {name: index for index, name in enumerate(dict.fromkeys([*(agent.name for agent in report.agents), *met]))}
    yield f'{{"endings":{_json_text(ENDINGS)},\n"names":{_json_text(list(names))},\n"games":[\n'
    sentences: dict[str, int] = {}
    separator = ""
    for record in records:
        yield separator + _json_text(_game_row(record, names, sentences, own))
        separator = ",\n"
    yield f'],\n"sentences":{_json_text(list(sentences))}}}'
    yield _filled(after, pieces)


def _game_row(record: GameRecord, names: Mapping[str, int], sentences: dict[str, int], own: str | None) -> list[Any]:
    """Return a game as report.js reads it: short, since there may be thousands. What else is known comes last."""
    fits = record.width <= len(MOVE_SIGNS)
    return [
        record.game,
        *(names[name] for name in record.agents),
        record.width,
        record.height,
        record.first,
        len(record.opening),
        format_moves(record.columns) if fits else record.columns,
        ENDINGS.index(record.ending),
        record.winner or 0,
        {**_game_details(record, own), **_judgement(record, sentences)},
    ]


def _game_details(record: GameRecord, own: str | None) -> dict[str, Any]:
    """Return what else is known of a game; on the page of one agent, nothing that another one wrote."""
    fault = record.fault and record.fault.model_dump()
    if fault and own not in (None, record.agent_at_fault):
        fault |= {"detail": "", "reply": None, "stderr_tail": ""}
    details = {
        "times_ms": [round(elapsed_ms, 1) if elapsed_ms < 10 else round(elapsed_ms) for elapsed_ms in record.times_ms],
        "fault": fault,
        "overruns": [overrun._asdict() for overrun in record.overruns],
    }
    return {key: value for key, value in details.items() if value}


def _judgement(record: GameRecord, sentences: dict[str, int]) -> dict[str, Any]:
    """Return what the solver found about a game; the sentence of a move is a number, since many are the same."""
    if record.judged is None:
        return {}
    names = escaped(record.agents[0]), escaped(record.agents[1])
    moves = record.judged.moves
    unproven = sum(move.score is None for move in moves)
    words = [
        *describe_players(record.judged, names),
        *([f"The solver could not prove the moves up to {unproven}."] if unproven else []),
        *_lost_without_a_mistake(record, record.judged),
    ]
    return {
        "scores": record.judged.scores,
        "words": [sentences.setdefault(describe(move, names), len(sentences)) for move in moves],
        "marks": [[move.grade, move.grade.mark] if move.grade and move.grade.mark else 0 for move in moves],
        "losing": record.losing_ply,
        "judgement": words,
    }


def _lost_without_a_mistake(record: GameRecord, judged: JudgedGame) -> Iterator[str]:
    """Say why a game was lost without a losing move, as far as that is known."""
    score = judged.scores[len(record.opening)]
    if record.winner is not None and record.losing_ply is None and score is not None:
        is_won = score > 0 if record.mover_of(len(record.opening)) == record.winner else score < 0
        yield "The loser was already lost after the opening." if is_won else "The game was not lost before the fault."


def _json_text(value: object) -> str:
    """Return JSON that is safe inside a script element."""
    text = without_bidi_marks(orjson.dumps(value).decode())
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _progress(report: Report) -> Iterator[str]:
    """Yield how far the run is."""
    if report.to_play:
        finished, wanted = report.wanted_games - report.to_play, report.wanted_games
        yield element("progress", value=str(finished), max=str(wanted), aria_label="games finished")
        yield f" {finished} of {wanted} games"


def _check(report: Report, lines: Sequence[str]) -> Markup | str:
    """Return the check of an entry, open if it is not ready."""
    if not lines:
        return ""
    summary = element("summary", element("h2", "Check"))
    return element(
        "details", summary, element("pre", "\n".join(lines)), id="check", open=report.agents[0].ready == "no"
    )


def _section(report: Report, table: Table) -> Markup:
    """Return a table under its title, folded if it is long or a detail."""
    name = table.title.lower().replace(" ", "-")
    words = MATRIX_CAPTION if table.title == "Crosstable" else table.caption
    make = {"Standings": _standings_html, "Crosstable": _matrix_html}.get(table.title, lambda _: _plain_html(table))
    most = {"Standings": 1 << 30, "Crosstable": MAX_OPEN_AGENTS}.get(table.title, MAX_OPEN_ROWS)
    return element(
        "details",
        element("summary", element("h2", table.title, id=f"{name}-title")),
        element("div", make(report), class_="scroll", tabindex="0", role="region", aria_labelledby=f"{name}-title"),
        element("p", words, class_="caption") if words else "",
        id=name,
        open=not table.is_detail and len(table.rows) <= most,
    )


def _games_link(name: str, shown: str) -> Markup:
    return element("a", shown, href=f"#agent={quote(name, safe='')}")


def _standings_html(report: Report) -> Markup:
    """Return the standings with a plot of the ratings, and a link from every agent to its games."""
    table = standings(report)
    playing = [agent for agent in report.agents if agent.did_play]
    at = table.header.index("±") + 1
    head = _head(table)
    head.insert(at, element("th", "Elo with its range", scope="col", class_="words"))
    rows = []
    for agent, row, bar in zip(playing, table.rows, _bars(report), strict=True):
        cells = [_cell("td", table, index, text) for index, text in enumerate(row)]
        reason = escaped(agent.status_reason) if agent.status_reason else None
        cells[1] = _cell("th", table, 1, _games_link(agent.name, row[1]), scope="row", title=reason)
        cells.insert(at, element("td", bar))
        rows.append(element("tr", *cells, class_="marked" if agent.status else None))
    return _table(head, rows, "standings")


def _bars(report: Report) -> list[str]:
    """Return the rating of each agent that played as a dot with its interval, all on one scale."""
    rated = [agent.rating for agent in report.agents if agent.did_play]
    ends = [end for each in rated for end in (each.value, each.low, each.high) if end is not None]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    scale = 230 / max(high - low, 1.0)

    def x(elo: float) -> str:
        return f"{5 + (elo - low) * scale:.1f}"

    zero = element("path", class_="zero", d=f"M{x(0)} 0V16") if low <= 0 <= high else ""
    bars = []
    for each in rated:
        if each.value is None:
            bars.append("")
            continue
        bar = ""
        if each.low is not None and each.high is not None:
            bar = element("path", d=f"M{x(each.low)} 8H{x(each.high)}")
        dot = element("circle", cx=x(each.value), cy="8", r="3.5")
        bars.append(element("svg", zero, bar, dot, class_="bar", viewBox="0 0 240 16", aria_hidden="true"))
    return bars


def _matrix_html(report: Report) -> Markup:
    """Return the crosstable with a shade for every share of the points; a script leads from a cell to its games."""
    found, agents = collect_results(report), taking_part(report)
    is_small = len(agents) <= SMALL_RUN
    text = crosstable(report)
    rows = []
    for place, (agent, row) in enumerate(zip(agents, text.rows, strict=True), 1):
        link = _games_link(agent.name, escaped(agent.name))
        cells = [element("th", f"{place} ", link, scope="row", class_="words")]
        for other, shown in zip(agents, row[1:], strict=True):
            points, games = found.get((agent.name, other.name), (0.0, 0))
            if not games:
                cells.append(element("td", "" if agent is other else "-"))
            else:
                label = shown if is_small else percent(points / games).split(".")[0]
                cells.append(element("td", label, class_=f"h{round(10 * points / games)}"))
        rows.append(element("tr", *cells))
    head = [element("th", str(place), scope="col", title=escaped(agent.name)) for place, agent in enumerate(agents, 1)]
    return _table([element("th", "agent", class_="words"), *head], rows, "matrix" if is_small else "matrix dense")


def _plain_html(table: Table) -> Markup:
    rows = []
    for row in table.rows:
        cells = [_cell("td", table, index, text) for index, text in enumerate(row)]
        cells[0] = _cell("th", table, 0, row[0], scope="row")
        if (at := table.game_column) is not None:
            cells[at] = _cell("td", table, at, element("a", row[at], href=f"#game={row[at]}"))
        rows.append(element("tr", *cells))
    return _table(_head(table), rows)


def _head(table: Table) -> list[Markup]:
    return [_cell("th", table, index, text, scope="col") for index, text in enumerate(table.header)]


def _cell(tag: str, table: Table, index: int, content: str, **attributes: str | None) -> Markup:
    return element(tag, content, class_="words" if index in table.left else None, **attributes)


def _table(head: Iterable[str], rows: Iterable[str], look: str | None = None) -> Markup:
    return element("table", element("thead", element("tr", *head)), element("tbody", *rows), class_=look)


def build_fragment(report: Report) -> Markup:
    """Return the headline, the warnings and the standings for a notebook, without our style sheet."""
    table = standings(report)

    def cells(tag: str, row: Iterable[str]) -> list[Markup]:
        looks = (f"text-align: {'left' if index in table.left else 'right'}" for index in range(len(table.header)))
        return [element(tag, cell, style=look) for look, cell in zip(looks, row, strict=True)]

    return element(
        "div",
        element("p", element("strong", headline(report))),
        _list(report.warnings, "warnings"),
        _table(cells("th", table.header), [element("tr", *cells("td", row)) for row in table.rows]),
        element("p", element("small", table.caption)),
    )


def _list(sentences: Iterable[str], look: str) -> str:
    items = [element("li", sentence) for sentence in sentences]
    return element("ul", *items, class_=look) if items else ""


def _inlined_head() -> str:
    """Return the policy, the icon and the style of a page that loads nothing."""
    style = _joined(STYLES)
    return "\n".join(
        (
            element("meta", http_equiv="Content-Security-Policy", content=_policy(style, _joined(SCRIPTS))),
            element("link", rel="icon", href="data:,"),
            element("style", Markup(style)),
        )
    )


def _served_head() -> str:
    icon = element("link", rel="icon", href="/static/icon.svg", type="image/svg+xml")
    styles = (element("link", rel="stylesheet", href=f"/static/{name}") for _, name in STYLES)
    return "\n".join((icon, *styles))


def _served_scripts() -> str:
    return "\n".join(element("script", src=f"/static/{name}") for _, name in SCRIPTS)


def _policy(style: str, script: str) -> str:
    """Return the policy by which nothing may be loaded, and only this style and this script may run."""

    def fingerprint(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; img-src data:; style-src {fingerprint(style)}; script-src {fingerprint(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _filled(template: str, pieces: dict[str, str]) -> str:
    """Return the template with its {{names}} filled in, in one pass: what was filled in is not searched again."""
    text, *rest = template.split("{{")
    for part in rest:
        name, _, after = part.partition("}}")
        text += pieces[name] + after
    return text


def _joined(names: Iterable[tuple[str, str]]) -> str:
    return "".join(_static_text(package, name) for package, name in names)


def _static_text(package: str, name: str) -> str:
    """Return a file of a package's folder `static`."""
    return files(package).joinpath("static", name).read_text(encoding="utf-8")
