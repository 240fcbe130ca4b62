"""Screen: the pages that a person sees, laid out for the size of the window."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from connect4_agent.engine.analysis import Analysis
from connect4_agent.reasons.explanation import Explanation
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.reasons.words import (
    describe,
    describe_mistakes,
    describe_players,
    find_terms,
    marked_drawing,
    name_colours,
)
from connect4_agent.rules.geometry import Cell
from connect4_agent.ui.terminal.drawing import Line, Signs, board_lines, width_of
from connect4_agent.ui.terminal.seats import YOU, Seats
from connect4_agent.ui.terminal.session import Game

PROMPT_ROWS = 1

KEYS = "1-{width} drop a disc  u undo  h hint  s scores  w why  v review  n new, n 3  q quit"


@dataclass(frozen=True, slots=True)
class View:
    """The board and the words beside it."""

    game: Game
    seats: Seats
    scores: Analysis | None = None
    messages: tuple[str, ...] = ()
    """Messages for the person: a hint, an error, a fault, what can be done."""
    marked: frozenset[Cell] = frozenset()
    """The cells that a hint is about."""


def screen_lines(view: View, signs: Signs, columns: int, rows: int) -> list[Line]:
    """Return the largest layout that fits a window of this size; if none does, what can be said in words."""
    game = view.game
    scores = "" if view.scores is None else f"{view.scores.summary()}\n"
    words = [
        *page_lines(status(view, signs), columns, "strong"),
        *page_lines(f"{scores}Moves: {game.moves or 'none'}", columns),
        *page_lines("\n".join(view.messages), columns),
    ]
    players: Line = (*_seat(view, signs, 1), ("   ", ""), *_seat(view, signs, 2))
    keys = page_lines(KEYS.format(width=game.width), columns)
    lines: list[Line] = []
    for is_tall in (True, False):
        board = board_lines(game, view.scores, signs, view.marked, is_tall=is_tall)
        for lines in ([players, *board, *keys, *words], [*board, *words]):
            if max(map(width_of, lines)) <= columns and len(lines) + PROMPT_ROWS <= rows:
                return lines
    needed = f"{max(map(width_of, lines))} columns and {len(lines) + PROMPT_ROWS} rows"
    too_small = f"The window has {columns} columns and {rows} rows; to show this board it needs {needed}."
    return [*page_lines(too_small, columns), *words]


def status(view: View, signs: Signs) -> str:
    """Say whose turn it is, or how the game ended."""
    position = view.game.position
    if position.winner is not None:
        verb = "win" if view.seats[position.winner - 1].name == YOU else "wins"
        return f"{seat_label(view.seats, signs, position.winner)} {verb} on move {position.disc_count}"
    if position.is_over:
        return "Draw: the board is full"
    return f"To move: {seat_label(view.seats, signs, position.player)}"


def seat_label(seats: Seats, signs: Signs, player: int) -> str:
    """Return a player's disc and name."""
    return f"{signs.discs[player - 1]} {seats[player - 1].name}"


def page_lines(text: str, columns: int, role: str = "") -> list[Line]:
    """Return words as lines that are at most this wide."""
    joined = text.replace("[ ]", "[\xa0]")  # a sign of the legend is not broken
    lines = (part for line in joined.splitlines() for part in wrap(line, max(columns, 1)) or [""])
    return [((part.replace("\xa0", " "), role),) for part in lines]


def why_lines(explanation: Explanation, signs: Signs, columns: int, rows: int) -> list[Line]:
    """Return a reason as a page: in a sentence, as a board with marks, in full, and the terms; as much as fits."""
    names = name_colours(signs.discs)
    summary = page_lines(describe(explanation, names, brief=True), columns)
    text = page_lines(describe(explanation, names), columns)
    *drawn, key = marked_drawing(explanation, signs.discs, signs.threats).splitlines()
    board: list[Line] = [*(((line, ""),) for line in drawn), *page_lines(key, columns)]
    terms = page_lines("\n".join(find_terms(explanation)), columns)
    for parts in ((board, text, terms), (board, text), (board,)):
        lines = [*summary, *(line for part in parts for line in ((), *part))]
        if max(map(width_of, lines)) <= columns and len(lines) + PROMPT_ROWS <= rows:
            return lines
    return summary


def review_lines(game: JudgedGame, seats: Seats, signs: Signs, columns: int, rows: int) -> list[Line]:
    """Return the mistakes and blunders, and the accuracy of both; of the mistakes, the last ones that fit."""
    names = seat_label(seats, signs, 1), seat_label(seats, signs, 2)
    last = describe_players(game, names)
    if unknown := sum(move.score is None for move in game.moves):
        last.append(f"The first {unknown} moves take too long to judge on this board.")
    last_lines = page_lines("\n".join(last), columns)
    mistakes = [page_lines(line, columns) for line in describe_mistakes(game, names)]
    while sum(map(len, mistakes)) > max(1, rows - PROMPT_ROWS - len(last_lines)):
        del mistakes[0]  # the last ones decided the game
    return [*(line for mistake in mistakes for line in mistake), *last_lines]


def _seat(view: View, signs: Signs, player: int) -> Line:
    position = view.game.position
    is_strong = position.winner == player or not (position.is_over or position.player != player)
    disc = (f" {signs.discs[player - 1]} ", f"disc-{player}")
    return (disc, (f" {view.seats[player - 1].name}", "strong" if is_strong else ""))
