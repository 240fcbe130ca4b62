"""connect4-agent judge: the exact judgement of games that were played anywhere."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median_low
from typing import Any, NamedTuple

import orjson

from connect4_agent import errors
from connect4_agent.arena.report.tables import MISSING, percent
from connect4_agent.arena.report.tally import count_mistakes
from connect4_agent.commands.shared.options import EXIT_FAILED, EXIT_USAGE, board_size, integer, new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab.game_files import FORMS, PlayedGame, judge_games, read_games
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.rules.position import USUAL_SIZE
from connect4_agent.rules.scores import Mistake, signed
from connect4_agent.text import aligned, escaped

MAX_NAMED_LINES = 20
MIN_SHOWN = 20
"""The number of games from which progress is shown."""

DESCRIPTION = f"""\
Judge every move of games that were played anywhere by its exact score. Each line of FILE is a game: {FORMS}; a
replay may also span the whole file. Lines that are not games are named and skipped. On boards other than 7x6, the
last moves are judged, as far back as their scores can be proven.
"""

EXAMPLES = """\
examples:
  connect4-agent judge games.txt
  connect4-agent judge runs/spring/games.jsonl --json
  echo 44455554221 | connect4-agent judge --moves

exit status: 0, or 1 if a line is not a game or there is none, 2 for a bad command line.
"""

CAPTION = """\
not best: moves that give something away. errors/100: moves per 100 that change the result under perfect play.
optimal (or: perfect move rate): the share of moves that win as early or lose as late as possible. keeps (or: good
move rate): the share that keeps the result. accuracy: 100 for a best move, 75 for a slower win or a sooner loss, 25
for half a point given away, 0 for a whole point. first losing move: the number of the first move that made the game
a lost one; of several games, the median, and how many they are."""


class _Found(NamedTuple):
    """A game of a file."""

    file: str
    line: int
    game: PlayedGame


def run(words: list[str]) -> int:
    """Judge; the exit status."""
    parser = new_parser("connect4-agent judge", DESCRIPTION, EXAMPLES)
    option = parser.group()
    option("FILE", "the games; - is standard input (the default)", nargs="*", default=["-"], dest="files")
    option("--moves", "show every move with its scores")
    option("--json", "print one JSON object a line for each game; columns count from 0")
    option("--size WxH", "the board of move strings (default: 7x6)", board_size, default=USUAL_SIZE)
    option("--jobs N", "games judged at a time (default: all cores, %(default)s)", integer(1), default=core_count())
    options = parser.parse_args(words)
    found, bad = _read(options, parser)
    progress = Progress("games", "judge", sys.stderr if len(found) >= MIN_SHOWN else None)
    try:
        judged = judge_games([each.game for each in found], options.jobs, progress)
    except errors.WorkerLostError as error:
        sys.stderr.write(f"{parser.prog}: error: {error}\n")
        return EXIT_FAILED
    pairs = list(zip(found, judged, strict=True))
    with reader_may_leave():
        if options.json:
            for each, game in pairs:
                sys.stdout.buffer.write(orjson.dumps(_document(each, game), option=orjson.OPT_APPEND_NEWLINE))
        else:
            for each, game in pairs if options.moves else ():
                sys.stdout.write("\n".join(_move_lines(each, game)) + "\n\n")
            sys.stdout.write("".join(f"{line}\n" for line in _player_lines(pairs)))
    return EXIT_FAILED if bad or not found else 0


def _read(options: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[list[_Found], int]:
    """Return the games of the files, and how many lines are none, which are named; a bad file ends the program."""
    found, bad = [], 0
    for name in options.files:
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            parser.exit(EXIT_USAGE, f"{parser.prog}: error: cannot read {name}: {error.strerror}\n")
        for line, game in read_games(data, options.size):
            if isinstance(game, PlayedGame):
                found.append(_Found(name, line, game))
                continue
            bad += 1
            if bad <= MAX_NAMED_LINES:
                sys.stderr.write(f"{escaped(name)}, line {line}: {escaped(str(game))}\n")
    if bad > MAX_NAMED_LINES:
        sys.stderr.write(f"{bad - MAX_NAMED_LINES} more lines are not games\n")
    if not found:
        sys.stderr.write(f"{parser.prog}: there is no game to judge; each line is {FORMS}\n")
    return found, bad


def _document(found: _Found, judged: JudgedGame) -> dict[str, Any]:
    """Return a game for programs."""
    game, document = found.game, judged.to_dict()
    for player in document["players"]:
        counts = _count(judged, player["player"])
        optimal, keeps = _shares(counts)
        player |= {
            "name": game.players[player["player"] - 1],
            "judged_moves": counts.total(),
            "errors_per_100_moves": count_mistakes(counts).errors.per_100_moves if counts else None,
            "optimal": optimal,
            "keeps": keeps,
            "first_losing_ply": judged.losing_ply(player["player"]),
        }
    place = {"file": found.file, "line": found.line, "width": game.size[0], "height": game.size[1]}
    return {**place, "columns": game.columns, "opening": game.opening, **document}


def _count(judged: JudgedGame, player: int) -> Counter[Mistake | None]:
    return Counter(move.mistake for move in judged.moves if move.is_judged and move.player == player)


def _shares(counts: Counter[Mistake | None]) -> tuple[float | None, float | None]:
    """Return the share of optimal moves and that of moves that keep the result; None without a judged move."""
    moves = counts.total()
    if not moves:
        return None, None
    return counts[None] / moves, 1 - sum(counts[mistake] for mistake in Mistake if mistake.changes_result) / moves


def _move_lines(found: _Found, judged: JudgedGame) -> Iterator[str]:
    """Yield a game move by move; columns count from 1."""
    names = [escaped(name) for name in found.game.players]
    yield f"{escaped(found.file)}, line {found.line}: {' - '.join(names)}"
    rows = [("move", "player", "column", "before", "after", "judgement")]
    for number, move in enumerate(judged.moves, 1):
        before, after = (MISSING if score is None else signed(score) for score in (move.score_before, move.score))
        words = "" if move.is_chosen else "opening"
        if move.mistake is not None:
            words = f"{move.mistake}; better: {', '.join(str(column + 1) for column in move.better)}"
        rows.append((str(number), names[move.player - 1], str(move.column + 1), before, after, words))
    yield from (line.rstrip() for line in aligned(rows, {1, 5}))


def _player_lines(pairs: list[tuple[_Found, JudgedGame]]) -> Iterator[str]:
    """Yield the table of the players, the best one first."""
    counts: defaultdict[str, Counter[Mistake | None]] = defaultdict(Counter)
    games: Counter[str] = Counter()
    losing: defaultdict[str, list[int]] = defaultdict(list)
    for found, judged in pairs:
        for player, name in enumerate(found.game.players, 1):
            games[name] += 1
            counts[name] += _count(judged, player)
            if (ply := judged.losing_ply(player)) is not None:
                losing[name].append(ply + 1)
    rows = []
    for name in sorted(games, key=lambda name: -(_shares(counts[name])[1] or 0)):
        moves = counts[name]
        optimal, keeps = _shares(moves)
        play = count_mistakes(moves) if moves else None
        at = losing[name]
        first = f"{median_low(at)}" + (f" ({len(at)})" if games[name] > 1 else "") if at else "-"
        figures = (f"{play.errors.per_100_moves:.1f}", f"{play.accuracy:.1f}") if play else (MISSING, MISSING)
        number = (str(games[name]), str(moves.total()), str(moves.total() - moves[None]))
        rows.append((escaped(name), *number, *figures, percent(optimal), percent(keeps), first))
    if rows:
        header = ("player", "games", "moves", "not best", "errors/100", "accuracy", "optimal", "keeps")
        yield from (line.rstrip() for line in aligned([(*header, "first losing move"), *rows]))
        yield from ("", *CAPTION.split("\n"))
