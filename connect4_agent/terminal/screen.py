"""Screen: everything that a person sees at once, laid out for the size of the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap

from connect4_agent.engine.analysis import Analysis
from connect4_agent.rules.reason_words import marked_drawing
from connect4_agent.rules.reasons import Explanation
from connect4_agent.terminal.drawing import LARGE_STYLES, NARROW_PITCH, Line, Signs, Style, board_lines, width_of
from connect4_agent.terminal.game import Game
from connect4_agent.terminal.seats import YOU, Seats

GAP = 3
"""The signs between the board and the panel beside it."""

PANEL_WIDTH = 38

PROMPT_ROWS = 1

KEYS = (
    ("1-{width}", "drop a disc"), ("h", "hints, w why"),
    ("u", "undo"), ("f", "flip sides"),
    ("r", "redo"), ("n", "new game"),
    ("s", "save"), ("v", "review"),
    ("l", "load"), ("?", "help, q quit"),
)  # fmt: skip
"""Read in pairs, from left to right."""


@dataclass(frozen=True, slots=True)
class View:
    """What there is to show."""

    game: Game
    seats: Seats
    hints: Analysis | None = None
    messages: tuple[str, ...] = ()
    """Messages for the person: an error, a fault, what can be done."""


def screen_lines(view: View, signs: Signs, columns: int, rows: int, *, may_grow: bool = True) -> list[Line]:
    """The largest layout that fits a window of this size; if none does, what can be said in words.

    A board that may not grow has no large cells, however large the window is.
    """
    smallest: list[Line] = []
    for lines in _layouts(view, signs, columns, LARGE_STYLES if may_grow else ()):
        if max(map(width_of, lines)) <= columns and len(lines) + PROMPT_ROWS <= rows:
            return lines
        smallest = lines
    needed = f"{max(map(width_of, smallest))} columns and {len(smallest) + PROMPT_ROWS} rows"
    words = f"The window has {columns} columns and {rows} rows; to show this board it needs {needed}."
    return page_lines("\n".join([words, status(view, signs), _moves(view.game), *view.messages]), columns)


def status(view: View, signs: Signs) -> str:
    """Whose turn it is, or how the game ended."""
    game = view.game
    if game.winner is not None:
        verb = "win" if view.seats[game.winner - 1].name == YOU else "wins"
        return f"{seat_label(view.seats, signs, game.winner)} {verb} on move {game.ply}"
    if game.is_over:
        return "Draw: the board is full"
    return f"To move: {seat_label(view.seats, signs, game.position.player)}"


def seat_label(seats: Seats, signs: Signs, player: int) -> str:
    """A player's disc and name."""
    return f"{signs.discs[player - 1]} {seats[player - 1].name}"


def page_lines(text: str, columns: int, role: str = "") -> list[Line]:
    """Words that are at most this wide."""
    return [((part, role),) for line in text.splitlines() for part in wrap(line, max(columns, 1)) or [""]]


def why_lines(explanation: Explanation, columns: int, rows: int) -> list[Line]:
    """A reason as a page: its summary, the board with marks, the text and the terms; as much as fits the window."""
    lines: list[Line] = []
    for body in _reason_layouts(explanation, columns):
        lines = [*page_lines(explanation.summary, columns), *body]
        if max(map(width_of, lines)) <= columns and len(lines) + PROMPT_ROWS <= rows:
            break
    return lines


def _reason_layouts(explanation: Explanation, columns: int) -> Iterator[list[Line]]:
    """What is below the summary, from the most to nothing."""
    drawing = marked_drawing(explanation)
    width = max(map(len, drawing.splitlines()[:-1]))  # the last line says what the marks mean, and can be wrapped
    board = page_lines(drawing, width)
    text_width = columns - width - GAP
    terms = "\n".join(explanation.legend.values())
    if text_width >= width:
        sentences = explanation.text.split(". ")
        cut = (f"{'. '.join(sentences[:count])}. ..." for count in range(len(sentences) - 1, 0, -1))
        for text in (f"{explanation.text}\n\n{terms}", explanation.text, *cut):
            yield [(), *_side_by_side(board, page_lines(text, text_width), width)]
    words = page_lines(explanation.text, columns)
    yield [(), *board, (), *words]
    yield [(), *words]
    yield [(), *board]
    yield []


def _layouts(view: View, signs: Signs, columns: int, large_styles: tuple[Style, ...]) -> Iterator[list[Line]]:
    """From the largest to the smallest; a line may be wider than the window only where the board is."""
    for style in large_styles:
        yield from _beside_panel(view, signs, columns, style)
        yield _above_keys(view, signs, columns, style)
    for style in (Style(), Style(is_tall=False)):
        yield from _beside_panel(view, signs, columns, style)
    for style in (Style(), Style(is_tall=False), Style(NARROW_PITCH, is_tall=False)):
        yield _above_keys(view, signs, columns, style)
    board = board_lines(view.game, view.hints, signs, style)
    yield [*board, *_words(view, signs, columns), *_messages(view, columns)]


def _beside_panel(view: View, signs: Signs, columns: int, style: Style) -> Iterator[list[Line]]:
    board = board_lines(view.game, view.hints, signs, style)
    board_width = max(map(width_of, board))
    if board_width + GAP + PANEL_WIDTH <= columns:
        yield [*_side_by_side(board, _panel(view, signs), board_width), *_messages(view, columns)]


def _above_keys(view: View, signs: Signs, columns: int, style: Style) -> list[Line]:
    heading: Line = (*_seat(view, signs, 1), ("   ", ""), *_seat(view, signs, 2))
    board = board_lines(view.game, view.hints, signs, style)
    keys = page_lines("  ".join(f"{key} {text}" for key, text in _keys(view.game)), columns)
    return [heading, *board, *_words(view, signs, columns), *keys, *_messages(view, columns)]


def _seat(view: View, signs: Signs, player: int) -> Line:
    is_on_turn = not view.game.is_over and view.game.position.player == player
    is_strong = is_on_turn or view.game.winner == player
    disc = (f" {signs.discs[player - 1]} ", f"disc-{player}")
    return (disc, (f" {view.seats[player - 1].name}", "strong" if is_strong else ""))


def _panel(view: View, signs: Signs) -> list[Line]:
    seats = [_seat(view, signs, player) for player in (1, 2)]
    keys = _keys(view.game)
    pairs = zip(keys[::2], keys[1::2], strict=True)
    rows: list[Line] = [((f"{key:<5}{text:<15}{other:<3}{words}", ""),) for (key, text), (other, words) in pairs]
    return [*seats, (), *_words(view, signs, PANEL_WIDTH, no_hints="\n"), (), *rows]


def _words(view: View, signs: Signs, columns: int, no_hints: str = "") -> list[Line]:
    """Whose turn it is, the hints in words, and the moves."""
    hints = no_hints if view.hints is None else view.hints.summary()
    texts = page_lines(hints, columns) + page_lines(_moves(view.game), columns)
    return page_lines(status(view, signs), columns, "strong") + texts


def _messages(view: View, columns: int) -> list[Line]:
    return page_lines("\n".join(view.messages), columns)


def _side_by_side(left: list[Line], right: list[Line], left_width: int) -> list[Line]:
    return [
        (*one, (" " * (left_width + GAP - width_of(one)), ""), *two) if two else one
        for one, two in zip_longest(left, right, fillvalue=())
    ]


def _moves(game: Game) -> str:
    behind = len(game.columns) - game.ply
    notes = [f"{behind} taken back"] if behind else []
    if game.variations:
        count = len(game.variations)
        notes.append(f"{count} other {'lines' if count > 1 else 'line'}")
    return f"Moves: {game.moves or 'none'}" + (f" ({', '.join(notes)})" if notes else "")


def _keys(game: Game) -> list[tuple[str, str]]:
    return [(key.format(width=game.width), text) for key, text in KEYS]
