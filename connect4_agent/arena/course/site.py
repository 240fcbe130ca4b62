"""The site of a course: pages for everybody, as files by their paths. Nothing private gets there.

The standings are in index.html, and each agent has a page with its games, which is the page of a report. What is known
of a game beyond its moves is in a small script for each pairing, which such a page loads when one of its games is
opened: scripts, since browsers let a page that was opened from a file fetch nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path
from random import Random
from urllib.parse import quote

from connect4_agent import errors
from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.course.roll import Entry, Roll, read_roll
from connect4_agent.arena.report.html import (
    ENDINGS,
    PAGES,
    PLAY_ON,
    SCRIPTS,
    STYLES,
    filled,
    game_details,
    game_row,
    json_text,
    matrix_html,
    standings_html,
    static_text,
)
from connect4_agent.arena.report.html import OWN as REPORT
from connect4_agent.arena.report.model import AgainstReference, AgentReport, Report
from connect4_agent.arena.report.tables import margin, percent, ranks_of, results_of, signed, standings
from connect4_agent.arena.report.tally import report_on, strength
from connect4_agent.arena.run.description import write_whole
from connect4_agent.arena.run.record import Fault, GameRecord
from connect4_agent.arena.run.state import read_run
from connect4_agent.text import counted, escaped

SITE_NAME = "site"
INDEX = "index.html"
OWN = "connect4_agent.arena.course"
ASSETS = (*STYLES, (OWN, "site.css"), *SCRIPTS, (OWN, "site.js"))

GENERATOR = '<meta name="generator" content="connect4-agent course">'
"""What tells a site of ours from other people's files."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)

SIGNS = {"yes": "●", "unclear": "◐", "no": "○"}
"""Whether an agent beats a reference."""

PARTS = '<a href="#results">Results</a> <a href="#games">Games</a>'
SLUG_CHARACTERS = 40
FEWEST_DIGITS = 5
"""Of the numbers of games, if others are shown."""

TIE_DIGITS = 6
"""Ratings that differ in later digits are equal: those come from the order of a sum."""

FOLDERS = "entries", "games", "assets"
"""The folders of a site, in which nothing else is kept."""


@dataclass(frozen=True)
class _Class:
    """A course as everybody may see it."""

    title: str
    headline: str
    report: Report
    absent: list[tuple[str, str]]
    """Who did not play, and why, in a few words."""
    slugs: Mapping[str, str]
    """The name of every agent's page."""
    results: Mapping[tuple[str, str], tuple[float, int]]
    """The points and games of every agent against every other."""
    events: str

    @property
    def playing(self) -> Report:
        """The report with those that did play only."""
        return replace(self.report, agents=[agent for agent in self.report.agents if agent.did_play])


def site_files(folder: Path, events: str = "") -> dict[str, bytes]:
    """The files of the site of the course in a folder, by their paths. Raises RunFolderError."""
    roll, state = read_roll(folder), read_run(folder, lambda _: None, lambda _: None)
    return site_of(roll, report_on({roll.config.title: state}), state.records, events)


def site_of(roll: Roll, report: Report, records: Iterable[GameRecord], events: str = "") -> dict[str, bytes]:
    """The files of the site by their paths.

    `events` is the address at which the pages hear that their run has changed, if they come from the web server.
    """
    names = [*(agent.name for agent in report.agents), *(entry.name for entry in roll.entries)]
    shown = {name: roll.public_name(name) for name in names}
    games = _public_games(records, shown, roll)
    public = _public_report(report, shown)
    course = _Class(
        title=roll.config.title,
        headline=_headline(roll, report, max((game.started for game in games), default="")),
        report=public,
        absent=sorted(_absent(roll, report, shown), key=lambda each: each[0]),
        slugs=slugs_of([agent.name for agent in public.agents]),
        results=results_of(public),
        events=events,
    )
    pairings: defaultdict[str, list[GameRecord]] = defaultdict(list)
    by_agent: defaultdict[str, list[GameRecord]] = defaultdict(list)
    for game in games:
        pairings[_pairing_file(course, *game.agents)].append(game)
        for name in game.agents:
            by_agent[name].append(game)
    texts = {f"assets/{name}": static_text(package, name) for package, name in ASSETS}
    texts |= {path: _details(found) for path, found in pairings.items()}
    for agent in public.agents:
        texts[_page_path(course, agent.name)] = _agent_page(course, agent, by_agent[agent.name])
    texts[INDEX] = _index(course)
    return {path: text.encode(errors="backslashreplace") for path, text in texts.items()}


def write_site(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a site, each of them whole, and remove what an earlier one had. Raises ArenaError.

    Files that stay the same are left alone.
    """
    index = folder / INDEX
    try:
        is_ours = index.exists() and GENERATOR.encode() in index.read_bytes()
        if taken := [name for name in (INDEX, *FOLDERS) if not is_ours and (folder / name).exists()]:
            raise errors.ArenaError(f"{folder / taken[0]} is not part of a course's site; choose another folder")
        for name in (*[INDEX] * (not is_ours), *files):  # if the disk is full, the folder is known again by its index
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_bytes() != files[name]:
                write_whole(path, files[name])
        for old in [old for name in FOLDERS for old in (folder / name).glob("*")]:
            if old.relative_to(folder).as_posix() not in files:
                old.unlink()
    except OSError as error:
        raise errors.ArenaError(f"cannot write {error.filename or folder}: {error.strerror}") from None


def _public_report(report: Report, shown: Mapping[str, str]) -> Report:
    """The report with the names that are shown, and without everything that is not for everybody."""
    agents = [
        replace(
            agent,
            name=shown[agent.name],
            status="reference" if agent.name in report.references else agent.status,
            status_reason="",
        )
        for agent in report.agents
    ]
    # Of two that are equally strong, the first in the folder of submissions must not come first.
    agents.sort(key=lambda agent: agent.name)
    agents.sort(key=lambda agent: [round(part, TIE_DIGITS) for part in strength(agent)], reverse=True)
    return replace(
        report,
        agents=agents,
        pairings=[replace(pairing, a=shown[pairing.a], b=shown[pairing.b]) for pairing in report.pairings],
        slowest=[],
        faults=[],
        last_games=[],
        warnings=[],
        notes=[],
    )


def _public_games(records: Iterable[GameRecord], shown: Mapping[str, str], roll: Roll) -> list[GameRecord]:
    """The games with the names and numbers that are shown, and without the evidence of faults."""
    return [
        renamed(game, shown).model_copy(
            update={"fault": game.fault and Fault(player=game.fault.player, detail=""), "overruns": (), "reason": ""}
        )
        for game in numbered(records, roll)
    ]


def renamed(game: GameRecord, shown: Mapping[str, str]) -> GameRecord:
    """The game with the names that are shown."""
    agents = tuple(shown[name] for name in game.agents)
    return game.model_copy(update={"key": game.key.model_copy(update={"agents": agents})})


def numbered(records: Iterable[GameRecord], roll: Roll) -> list[GameRecord]:
    """The games with the numbers under which they are shown, in the order of these.

    A game's number tells when it was to be played, and so the order of the entries. With aliases it is another one,
    always the same.
    """
    games = list(records)
    if roll.config.names == "alias":
        last = max((game.game for game in games), default=0)
        numbers = range(1, 10 ** max(FEWEST_DIGITS, len(str(last))))
        drawn = Random(roll.secret).sample(numbers, len(numbers))
        games = [game.model_copy(update={"game": drawn[game.game - 1]}) for game in games]
    return sorted(games, key=lambda game: game.game)


def _headline(roll: Roll, report: Report, last: str) -> str:
    entries = [entry for entry in roll.entries if not entry.is_withdrawn]
    ready = sum(entry.present is not None and entry.present.verdict is not Verdict.NOT_READY for entry in entries)
    finished = report.wanted_games - report.to_play
    words = f"{counted(len(entries), 'entry', 'entries')}, {ready} ready, {finished:,} of {report.wanted_games:,} games"
    return f"{words}; the last one began {last[:16].replace('T', ' ')} UTC" if last else words


def _absent(roll: Roll, report: Report, shown: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The entries that did not play, with a reason for everybody; the whole reason is for the author."""
    agents = {agent.name: agent for agent in report.agents}
    for entry in roll.entries:
        agent = agents.get(entry.name)
        if entry.is_withdrawn or agent is None or not agent.did_play:
            endings = [fault.ending for fault in report.faults if fault.agent == entry.name]
            yield shown[entry.name], _public_reason(entry, endings)


def _public_reason(entry: Entry, endings: list[str]) -> str:
    version = entry.present
    if entry.is_withdrawn:
        return "withdrawn"
    if version is None:
        return "handed in late"
    if version.verdict is Verdict.NOT_READY:
        return "did not pass the check" if version.command else "could not be built or started"
    return f"{endings[0]} before its first move" if endings else "has not played yet"


def slugs_of(names: list[str]) -> dict[str, str]:
    """A name for the files of every agent that any file system and any address can hold."""
    plain = {name: _plain(name) for name in names}
    counts = Counter(plain.values())
    return {
        name: slug if slug and counts[slug] == 1 else f"{slug}-{sha256(name.encode()).hexdigest()[:10]}".lstrip("-")
        for name, slug in plain.items()
    }


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters)[:SLUG_CHARACTERS].strip("-")


def _page_path(course: _Class, name: str) -> str:
    return f"entries/{course.slugs[name]}.html"


def _pairing_file(course: _Class, one: str, two: str) -> str:
    return f"games/{'.'.join(sorted((course.slugs[one], course.slugs[two])))}.js"


def _details(games: Iterable[GameRecord]) -> str:
    """The script with what is known of the games of a pairing beyond their moves."""
    details = {str(game.game): game_details(game) for game in games}
    for each in details.values():
        each.pop("fault", None)  # the page itself has the one who made it
    return f"connect4Games({json_text(details)});\n"


def _head(up: str = "") -> str:
    links = (f'<link rel="stylesheet" href="{up}assets/{name}">' for _, name in (*STYLES, (OWN, "site.css")))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n{GENERATOR}\n'
    return f'{policy}<link rel="icon" href="data:,">\n' + "\n".join(links)


def _scripts(names: Iterable[str], up: str = "") -> str:
    return "\n".join(f'<script src="{up}assets/{name}"></script>' for name in names)


def _index(course: _Class) -> str:
    report = course.report
    finished = report.wanted_games - report.to_play
    link_of = partial(_page_path, course)
    progress = f'<progress value="{finished}" max="{report.wanted_games}" aria-label="games finished"></progress>'
    return filled(
        static_text(OWN, "site.html"),
        {
            "events": escape(course.events),
            "title": escape(escaped(course.title)),
            "head": _head(),
            "pages": PAGES if course.events else "",
            "headline": escape(course.headline),
            "progress": progress if report.to_play else "",
            "standings": standings_html(course.playing, link_of, _dot),
            "caption": escape(standings(course.playing).caption),
            "absent": _absent_html(course),
            "matrix": matrix_html(course.playing, link_of),
            "scripts": _scripts(("live.js", "matrix.js", "site.js")),
        },
    )


def _dot(against: AgainstReference | None) -> str:
    if against is None:
        return ""
    score = f"{against.points:g}/{against.games}"
    return (
        f'<span class="dot {against.beats}" title="{against.beats}: {score}">{SIGNS[against.beats]}'
        f'<span class="unseen"> {against.beats}</span></span>'
    )


def _absent_html(course: _Class) -> str:
    if not course.absent:
        return ""
    items = []
    for name, reason in course.absent:
        words = escape(escaped(name))
        link = f'<a href="{_page_path(course, name)}">{words}</a>' if name in course.slugs else words
        items.append(f"<li>{link}: {escape(reason)}</li>")
    return f'<section id="absent"><h2>Did not play</h2><ul>{"".join(items)}</ul></section>'


def _agent_page(course: _Class, agent: AgentReport, games: list[GameRecord]) -> str:
    names = {each.name: index for index, each in enumerate(course.report.agents)}
    rows = []
    for game in games:
        losing = {} if game.judged is None else {"losing": game.losing_ply}
        fault = {} if game.fault is None else {"fault": {"player": game.fault.player}}
        rows.append([*game_row(game, names), losing | fault])
    files = [f"../{_pairing_file(course, agent.name, name)}" if name != agent.name else "" for name in names]
    data = {"endings": ENDINGS, "names": list(names), "agent": agent.name, "files": files, "games": rows}
    home = f'<a href="../{INDEX}">{escape(escaped(course.title))}</a>'
    pieces = {
        "head": _head("../"),
        "events": escape(course.events),
        "title": escape(f"{escaped(agent.name)}, {escaped(course.title)}"),
        "heading": escape(escaped(agent.name)),
        "pages": f"{PAGES if course.events else ''}{home} {PARTS}",
        "filters_agent": " hidden",
        "play_on": PLAY_ON if course.events else "",
        "headline": escape(_standing(course, agent)),
        "progress": _figures(course, agent),
        "warnings": "",
        "overview": _results(course, agent),
        "details": "",
        "notes": "",
        "games": json_text(data),
        "scripts": _scripts((name for _, name in SCRIPTS), "../"),
    }
    return filled(static_text(REPORT, "report.html"), pieces)


def _standing(course: _Class, agent: AgentReport) -> str:
    if agent.status == "reference":
        return "A reference: a player that comes with connect4-agent."
    reason = next((reason for name, reason in course.absent if name == agent.name), "")
    if reason:
        return f"Did not play ({reason}); its games count as lost."
    return f"{agent.status.capitalize()}: the rest of its games count as lost." if agent.status else ""


def _figures(course: _Class, agent: AgentReport) -> str:
    """The row of the standings, with words."""
    ranked = sum(each.ranks is not None for each in course.report.agents)
    figures = {
        "rank": f"{ranks_of(agent)} of {ranked}" if agent.ranks else "",
        "points": f"{agent.points:g}/{agent.games}",
        "score": percent(agent.score) if agent.games else "",
        "rating": f"{signed(agent.rating.value)} ± {margin(agent.rating)}" if agent.rating.high is not None else "",
        "errors per 100 moves": f"{agent.judged.errors.per_100_moves:.1f}" if agent.judged else "",
        "won, drawn, lost": f"{agent.wins}, {agent.draws}, {agent.losses}",
        "not played": str(agent.not_played or ""),
        "faults": str(agent.faults),
    }
    cells = (f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures.items() if value)
    return f'<dl class="figures">{"".join(cells)}</dl>'


def _results(course: _Class, agent: AgentReport) -> str:
    """The results against every opponent: first the references, then the others in the order of the standings."""
    met = [each for each in course.report.agents if (agent.name, each.name) in course.results]
    met.sort(key=lambda each: each.status != "reference")
    cells = []
    for each in met:
        score, games = course.results[agent.name, each.name]
        name = escape(escaped(each.name))
        dot = _dot(agent.references.get(each.name))
        cells.append(
            f'<li class="h{round(10 * score / games)}"><a href="{course.slugs[each.name]}.html">{name}</a> {dot}'
            f'<a class="score" href="#against={escape(quote(each.name, safe=""))}" '
            f'aria-label="{score:g}/{games}, games against {name}">{score:g}/{games}</a></li>'
        )
    return (
        f'<section id="results"><h2>Results</h2><ul class="opponents">{"".join(cells)}</ul>'
        '<p class="caption">Points/games against every opponent; a click on them lists the games.</p></section>'
    )
