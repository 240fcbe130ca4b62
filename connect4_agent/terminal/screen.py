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
    told = [words, status(view, signs), _moves(view.game), *view.messages]
    return [((part, ""),) for text in told for part in _wrapped(text, columns)]


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


def page_lines(text: str, columns: int) -> list[Line]:
    """A page of words in place of the board."""
    return [((part, ""),) for line in text.splitlines() for part in _wrapped(line, columns)]


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
    board = board_lines(view.game, view.hints, signs, style)
    keys: list[Line] = [((line, "quiet"),) for line in _wrapped(_keys_in_a_row(view.game), columns)]
    return [*_heading(view, signs), *board, *_words(view, signs, columns), *keys, *_messages(view, columns)]


def _heading(view: View, signs: Signs) -> list[Line]:
    return [tuple(span for player in (1, 2) for span in (*_seat(view, signs, player), ("   ", "")))]


def _seat(view: View, signs: Signs, player: int) -> Line:
    is_on_turn = not view.game.is_over and view.game.position.player == player
    is_strong = is_on_turn or view.game.winner == player
    disc = (f" {signs.discs[player - 1]} ", f"disc-{player}")
    return (disc, (f" {view.seats[player - 1].name}", "strong" if is_strong else ""))


def _panel(view: View, signs: Signs) -> list[Line]:
    words = [((part, ""),) for part in _wrapped(_hint_line(view), PANEL_WIDTH)]
    moves = [((part, ""),) for part in _wrapped(_moves(view.game), PANEL_WIDTH)]
    keys = [((part, "quiet"),) for part in _keys_in_pairs(view.game)]
    lines: list[Line] = [_seat(view, signs, 1), _seat(view, signs, 2), (), ((status(view, signs), "strong"),)]
    return [*lines, *words, *moves, (), *keys]


def _words(view: View, signs: Signs, columns: int) -> list[Line]:
    lines: list[Line] = [((part, "strong"),) for part in _wrapped(status(view, signs), columns)]
    texts = [_hint_line(view), _moves(view.game)]
    return lines + [((part, ""),) for text in texts if text for part in _wrapped(text, columns)]


def _messages(view: View, columns: int) -> list[Line]:
    return [((part, "notice"),) for text in view.messages for part in _wrapped(text, columns)]


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


def _hint_line(view: View) -> str:
    return view.hints.summary() if view.hints is not None else ""


def _keys_in_pairs(game: Game) -> Iterator[str]:
    texts = [(key.format(width=game.width), text) for key, text in KEYS]
    for (key, text), (other_key, other_text) in zip(texts[::2], texts[1::2], strict=True):
        yield f"{key:<5}{text:<15}{other_key:<3}{other_text}"


def _keys_in_a_row(game: Game) -> str:
    return "  ".join(f"{key.format(width=game.width)} {text}" for key, text in KEYS)


def _wrapped(text: str, columns: int) -> list[str]:
    return wrap(text, max(columns, 1)) or [""]
