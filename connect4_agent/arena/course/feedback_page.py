"""The private page of an entry: one file without scripts, which loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from html import escape

from connect4_agent.arena.check.result import Tier, Verdict
from connect4_agent.arena.check.text import repeat_line
from connect4_agent.arena.course.feedback import MAX_LINE, FaultReport, Feedback, Lesson, OwnPuzzle, Seated, tail_of
from connect4_agent.arena.report.html import OWN as REPORT
from connect4_agent.arena.report.html import SHARED, inlined_head
from connect4_agent.arena.report.tables import ranks_of
from connect4_agent.arena.run.record import Ending, GameRecord
from connect4_agent.rules.notation import moves_of
from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.svg import draw
from connect4_agent.text import counted, escaped, short

STYLES = ((SHARED, "colours.css"), (REPORT, "report.css"), ("connect4_agent.arena.course", "feedback.css"))
BOARD_PIXELS = 300
MAX_WHY = 100
MAX_OPEN_FAULTS = 1
MAX_STDERR_LINES = 15
DISCS = {1: "red (crosses)", 2: "yellow (rings)"}

LEGEND = (
    "The framed disc is the move; a diamond is where it should have gone. Numbers are the moves that follow, "
    "rings are cells in which a player makes four, dashed ones cells that are still needed for that, and nobody wants "
    "to be the first to play at “!”."
)
ERRORS = '<p class="caption">An error is a move that changes the result if both sides play perfectly from there on.</p>'
SEEN = {
    Oversight.MISSED_FOUR: "did not make four where it could",
    Oversight.UNBLOCKED_FOUR: "did not block a four",
    Oversight.ALLOWED_DOUBLE: "let the opponent make two fours at once",
    Oversight.GAVE_ABOVE: "let the opponent make four right above the disc",
    None: "gave something away that only a deeper search sees",
}


def page_of(feedback: Feedback) -> str:
    """The page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_line(feedback.graded.entry.name)}: feedback</title>\n{inlined_head(STYLES)}\n</head>\n<body>\n"
        f"{_header(feedback)}<main>\n{''.join(filter(None, _sections(feedback)))}</main>\n"
        f"<footer>For the author of this entry only. Written {_moment(feedback.written)} by connect4-agent.</footer>\n"
        "</body>\n</html>\n"
    )


def _sections(feedback: Feedback) -> Iterator[str]:
    yield _repairs(feedback)
    yield _figures(feedback)
    yield _faults(feedback) if feedback.is_paused else ""
    yield _grade(feedback)
    yield _lessons(feedback)
    yield _puzzles(feedback.puzzles)
    yield "" if feedback.is_paused else _faults(feedback)
    yield _remarks(feedback)
    yield _versions(feedback)
    yield _games(feedback.evidence.games)


def _header(feedback: Feedback) -> str:
    graded, version = feedback.graded, feedback.graded.version
    alias = f" Others see it as <strong>{_line(feedback.public_name)}</strong>."
    alias = alias if feedback.public_name != graded.entry.name else ""
    look, words = "good", version.verdict.value.upper()
    if version.verdict is Verdict.REMARKS:
        words = "READY, with remarks"
    if version.verdict is Verdict.NOT_READY or not version.counts:
        look, words = "bad", "NOT READY" if version.counts else "LATE"
    elif feedback.is_paused:
        look, words = "bad", "PAUSED"
    return (
        f'<header>\n<p class="course">{_line(feedback.title)}</p>\n'
        f'<div class="top"><h1>{_line(graded.entry.name)}</h1><strong class="badge {look}">{words}</strong></div>\n'
        f'<p class="when">Version {_line(version.name)}, handed in {_moment(version.handed_in)}.{alias}</p>\n'
        f"{_notice(feedback)}</header>\n"
    )


def _notice(feedback: Feedback) -> str:
    """What the author should know before anything else."""
    graded, agent = feedback.graded, feedback.graded.agent
    lines = []
    if not graded.version.counts:
        lines.append(
            "<strong>It was handed in after the deadline, and plays only if the organiser accepts it.</strong>"
        )
    elif graded.reason:
        if not any(problem.tier is Tier.REQUIRED for problem in feedback.problems):
            lines.append(f"<strong>{_sentence(graded.reason)}</strong>")
        lines.append("It does not play: all of its games count as lost. Try it at home before you hand it in again:")
        lines.append("<code>connect4-agent course check YOUR-FOLDER</code>")
    elif feedback.is_paused and agent is not None:
        lost = counted(agent.not_played, "game that was not played counts", "games that were not played count")
        lines.append(f"<strong>It was stopped after {_line(agent.status_reason)}.</strong> {lost} as lost.")
        lines.append("Hand in a version without the fault, or ask the organiser to let it play again.")
    newest = graded.entry.versions[-1]
    if newest is not graded.version:
        lines.append(f"Version {newest.number} was handed in late, {_moment(newest.handed_in)}, and does not play.")
    if feedback.open_games:
        lines.append(f"{feedback.open_games} games of the course are still to be played: the figures will change.")
    return f'<div class="notice">{"".join(f"<p>{line}</p>" for line in lines)}</div>\n' if lines else ""


def _figures(feedback: Feedback) -> str:
    graded, agent = feedback.graded, feedback.graded.agent
    found = [("grade", f"{graded.grade:g}", f"of {graded.best_grade:g}")]
    if agent is not None:
        if agent.ranks is not None:
            found.append(("rank", ranks_of(agent).replace("-", " to "), f"of {graded.ranked}"))
        found.append(("points in games", f"{agent.points:g}", f"of {agent.games}"))
        if agent.judged is not None:
            beside = "" if feedback.class_errors is None else f"class: {feedback.class_errors:.1f}"
            found.append(("errors per 100 moves", f"{agent.judged.errors.per_100_moves:.1f}", beside))
        if agent.slowest_ms is not None:
            spec = feedback.evidence.spec
            limit = "" if spec is None or spec.limit_seconds is None else f"of {spec.limit_seconds:g} s"
            limit += f"; {agent.overruns} over the limit" if agent.overruns else ""
            found.append(("slowest move", f"{agent.slowest_ms / 1000:.2f} s", limit))
    parts = (f"<div><dt>{name}</dt><dd>{value} <small>{beside}</small></dd></div>" for name, value, beside in found)
    return f'<dl class="figures">{"".join(parts)}</dl>\n{ERRORS if agent is not None and agent.judged else ""}'


def _grade(feedback: Feedback) -> str:
    graded, agent = feedback.graded, feedback.graded.agent
    rows = [
        (_line(part.name), _line(short(part.why, MAX_WHY)), f"{part.points:g}", f"{part.of:g}")
        for part in graded.parts
        if part.of
    ]
    graded_names = {part.name for part in graded.parts if part.of}
    for name, against in agent.references.items() if agent is not None else ():
        if f"beats {name}" not in graded_names:
            words = f"{against.points:g} : {against.games - against.points:g}, {against.beats}"
            rows.append((_line(f"beats {name}"), _line(words), "", ""))
    rows.append(("<strong>grade</strong>", "&nbsp;", f"<strong>{graded.grade:g}</strong>", f"{graded.best_grade:g}"))
    table = _table("grade", ("part", "result", "points", "of"), rows, {0, 1})
    return _section("grade", "Grade and results", table)


def _lessons(feedback: Feedback) -> str:
    if not feedback.lessons:
        return ""
    counts = [
        f"<li>{feedback.errors[kind]} {SEEN[kind]}</li>" for kind in (*Oversight, None) if feedback.errors.get(kind)
    ]
    total = sum(feedback.errors.values())
    words = ""
    if total:
        moves = counted(total, "move", "moves")
        words = f"<p>{moves} of your program changed the result of a game:</p><ul>{''.join(counts)}</ul>"
    boards = "".join(map(_lesson, feedback.lessons))
    return _section(
        "lessons", "Moves to learn from", f'{words}<ol class="boards">{boards}</ol><p class="legend">{LEGEND}</p>'
    )


def _lesson(lesson: Lesson) -> str:
    reason = f"<p>{_line(lesson.reason)}</p>" if lesson.reason else ""
    return (
        f"<li>{draw(lesson.position, None, BOARD_PIXELS, lesson.marks)}"
        f"<p><strong>{_line(lesson.headline)}</strong></p><p>{_line(lesson.cost)}</p>{reason}"
        f'<p class="from">Game {lesson.game} against {_line(lesson.opponent)}, move {lesson.move}; you were player '
        f"{lesson.position.player}, {DISCS[lesson.position.player]}.</p></li>"
    )


def _puzzles(puzzles: Iterable[OwnPuzzle]) -> str:
    items = []
    for number, own in enumerate(puzzles, 1):
        puzzle, player = own.puzzle, own.puzzle.position.player
        reason = f"<p>{_line(puzzle.reason.summary)}</p>" if puzzle.reason.reasons else ""
        items.append(
            f"<li><h3>{number}. {_line(puzzle.question)}</h3>{draw(puzzle.position, None, BOARD_PIXELS)}"
            f'<p class="from">You are player {player}, {DISCS[player]}.</p>'
            f"<details><summary>Answer to puzzle {number}</summary><p>{_line(puzzle.explanation())}</p>{reason}"
            f"<p>You played column {own.played + 1}, in game {own.game} against {_line(own.opponent)}.</p>"
            "</details></li>"
        )
    if not items:
        return ""
    words = "<p>Positions from your program's games in which one column was right, and it played another.</p>"
    return _section("puzzles", "Puzzles from your games", f'{words}<ol class="boards">{"".join(items)}</ol>')


def _faults(feedback: Feedback) -> str:
    if not feedback.faults:
        return ""
    lost = counted(len(feedback.faults), "game was", "games were")
    words = f"<p>{lost} lost by a fault. Run the commands in your own folder.</p>"
    cases = "".join(_fault(fault, number <= MAX_OPEN_FAULTS) for number, fault in enumerate(feedback.faults, 1))
    return _section("faults", "Faults", words + cases)


def _fault(report: FaultReport, is_open: bool) -> str:
    record, fault = report.record, report.fault
    parts = [f"<p>{_line(fault.words)}</p>"]
    if stderr := tail_of(fault.stderr_tail, MAX_STDERR_LINES):
        parts.append(f"<p>The last lines of standard error:</p>{_pre(stderr)}")
    if fault.reply is not None:
        parts.append(f"<p>The answer:</p>{_pre(short(fault.reply, MAX_LINE))}")
    if report.request is not None:
        parts.append(f"<p>The request:</p>{_pre(report.request)}")
    parts.append(f"<p>Repeat it:</p>{_pre(report.repeat)}")
    if report.repeat_all is not None:
        parts.append(
            "<details><summary>If that alone does not show it: the whole game</summary>"
            f"{_pre(report.repeat_all)}</details>"
        )
    move = len(record.columns) + 1
    what = f"Game {record.game} against {_line(report.opponent)}: {_line(record.ending.value)} at move {move}"
    look = ' class="case" open' if is_open else ' class="case"'
    return f"<details{look}><summary>{what}</summary>{''.join(parts)}</details>"


def _repairs(feedback: Feedback) -> str:
    """What keeps it from playing."""
    items = "".join(_repairs_of(feedback, is_required=True))
    log = f"<p>The end of what the build printed:</p>{_pre(feedback.build_log)}" if feedback.build_log else ""
    body = f'<ul class="repairs">{items}</ul>' if items else ""
    body += _pre(feedback.evidence.source) if feedback.evidence.source else ""
    return _section("repairs", "What to repair", body + log) if body or log else ""


def _remarks(feedback: Feedback) -> str:
    items = [f"<li>{_sentence(remark)}</li>" for remark in feedback.remarks]
    items += _repairs_of(feedback, is_required=False)
    words = "<p>It can play here all the same; other managers may be less patient.</p>"
    return _section("remarks", "Remarks", f'{words}<ul class="repairs">{"".join(items)}</ul>') if items else ""


def _repairs_of(feedback: Feedback, *, is_required: bool) -> Iterator[str]:
    """The problems that the check has found, or its remarks, with their fixes."""
    for problem in feedback.problems:
        if feedback.evidence.check is None or (problem.tier is Tier.REQUIRED) != is_required:
            continue
        printed = short(problem.example.received, MAX_LINE)
        stderr = tail_of(problem.example.stderr, MAX_STDERR_LINES)
        seen = f"<p>It printed:</p>{_pre(printed)}" if printed.strip() else ""
        seen += f"<p>Standard error:</p>{_pre(stderr)}" if stderr else ""
        seen += f"<p>Repeat it, in your own folder:</p>{_pre(repeat_line(problem, feedback.evidence.check))}"
        folded = f"<details{' open' if is_required else ''}><summary>What happened</summary>{seen}</details>"
        yield f"<li><strong>{_sentence(problem.text)}</strong><br>Fix: {_line(problem.fix)}{folded}</li>"


def _versions(feedback: Feedback) -> str:
    entry, rows = feedback.graded.entry, []
    for version in reversed(entry.versions):
        verdict = version.verdict.value + (f": {short(version.reason, MAX_WHY)}" if version.reason else "")
        verdict += "" if version.counts else " (late)"
        plays = version is entry.present and version.verdict is not Verdict.NOT_READY
        verdict += " (this one plays)" if plays else ""
        points, games = feedback.evidence.scores.get(version.number, (0.0, 0))
        score = f"{points:g} of {games}" if games else ""
        rows.append((_line(version.name), _moment(version.handed_in), _line(verdict), score))
    header = ("version", "handed in", "verdict", "points in games played")
    return _section("versions", "Versions", _table("versions", header, rows, {1, 2}))


def errors_in(record: GameRecord, seat: int) -> int | None:
    """How many moves of a player changed the result; None if the game was not judged."""
    if record.judged is None:
        return None
    return sum(move.player == seat and move.changes_result for move in record.judged.moves)


def _games(games: Iterable[Seated]) -> str:
    rows = []
    for record, seat in games:
        result = "drawn" if record.winner is None else "won" if record.winner == seat else "lost"
        errors = errors_in(record, seat)
        rows.append(
            (
                str(record.game),
                _line(record.agents[2 - seat]),
                "yes" if record.first == seat else "no",
                "void" if record.ending is Ending.VOID else result,
                _line(record.ending.value),
                "" if errors is None else str(errors),
                f'<span class="moves">{_line(moves_of(record.columns))}</span>',
            )
        )
    if not rows:
        return ""
    header = ("game", "opponent", "you began", "result", "ending", "errors", "moves")
    words = (
        '<p class="caption">Moves are columns from 1; the first ones may be a given opening. '
        "<code>connect4-agent analyze --moves MOVES --why</code> explains a position, and the board of "
        "<code>connect4-agent web</code> shows it at <code>/?moves=MOVES</code>.</p>"
    )
    table = _table("games", header, rows, {1, 2, 3, 4, 6})
    return _section(
        "games", f"All {len(rows)} games", f"<details><summary>Show the list</summary>{table}{words}</details>"
    )


def _table(name: str, header: Sequence[str], rows: Iterable[Sequence[str]], left: set[int]) -> str:
    """A table of cells that are escaped already; `left` are the columns that hold words."""
    looks = [' class="words"' if index in left else "" for index in range(len(header))]
    titles = "".join(f'<th{look} scope="col">{title}</th>' for look, title in zip(looks, header, strict=True))
    lines = ("".join(f"<td{look}>{cell}</td>" for look, cell in zip(looks, row, strict=True)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{name}-title">'
        f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}">\n<h2 id="{name}-title">{title}</h2>\n{body}\n</section>\n'


def _line(text: str) -> str:
    return escape(escaped(text))


def _sentence(text: str) -> str:
    """The text with a capital letter, unless it begins with the name of a file."""
    first = text.partition(" ")[0]
    return _line(text[:1].upper() + text[1:] if first.isalpha() else text)


def _pre(text: str) -> str:
    """Foreign lines; everything that could play with the page is written out."""
    return f"<pre>{escape(chr(10).join(map(escaped, text.splitlines())))}</pre>"


def _moment(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %Y, %H:%M}"
