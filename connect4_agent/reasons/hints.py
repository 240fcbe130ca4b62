"""Hints: what a player should think of before a move, the most urgent first, and how it is said in three steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from connect4_agent.engine.analysis import Analysis, analyze
from connect4_agent.engine.kernel import fours
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import Explanation, ReasonKind, cell_played, cells_of
from connect4_agent.reasons.words import COLOURS, Names, Part, at, column_reason, columns_in_words, fill, line_at
from connect4_agent.rules import geometry
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.oversights import Oversight, danger_cells, oversights
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from connect4_agent.text import counted

SHORT_MOVES = 2
"""A win or a loss within that many moves is urgent."""

LONG_MOVES = 5
"""A plan that needs more moves is a long one."""


class Urgency(StrEnum):
    """The urgency of a hint; a closed set."""

    NOW = "now"
    """The next disc decides."""
    SOON = "soon"
    """Within two moves."""
    LATER = "later"
    """A sequence or a plan."""
    NONE = "none"
    """Nothing urgent."""


class HintKind(StrEnum):
    """The subjects of hints, the most urgent first; a closed set."""

    FOUR = "four"
    """Make four."""
    BLOCK = "block"
    """Stop a four."""
    DOUBLE = "double threat"
    """Threaten two fours at once."""
    STOP = "stop"
    """Stop a double threat, or avoid the cell below a four."""
    FORCED = "forced"
    """A chain of threats wins."""
    PLAN = "plan"
    """A plan wins, or holds the draw."""
    BEHIND = "behind"
    """Every column loses: play what lasts longest."""
    BUILD = "build"
    """Three of a line, with room for the fourth."""
    DENY = "deny"
    """The same for the other side."""
    QUIET = "quiet"
    """Nothing urgent."""

    @property
    def urgency(self) -> Urgency:
        """Return how soon the hint matters."""
        if self in (HintKind.FOUR, HintKind.BLOCK):
            return Urgency.NOW
        if self in (HintKind.DOUBLE, HintKind.STOP):
            return Urgency.SOON
        return Urgency.NONE if self is HintKind.QUIET else Urgency.LATER


class Risk(NamedTuple):
    """The oversight of a column, and the cells that show it."""

    column: int
    oversight: Oversight
    cells: tuple[Cell, ...]


Risks = list[Risk | None]
"""By column."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A thought for a position, and the column that it leads to."""

    position: Position
    kind: HintKind
    column: int
    """The best column, counted from 0."""
    cells: tuple[Cell, ...]
    """The cells to look at; none gives the column away."""
    avoid: tuple[int, ...] = ()
    """The columns that lose within two moves, if others do not."""
    risk: Risk | None = None
    """The oversight of one of those columns."""
    moves: int | None = None
    """In how many moves the position is won or lost, if that is known."""
    is_behind: bool = False
    """True if the position is lost."""
    reason: Explanation | None = None
    """Why the column is right, for a chain or a plan."""
    is_proven: bool = True
    """False if the column is a guess."""

    def to_dict(self) -> dict[str, Any]:
        """Return the hint for programs. Columns and rows count from 0."""
        return {
            "kind": self.kind.value,
            "urgency": self.kind.urgency.value,
            "column": self.column,
            "cells": self.cells,
            "avoid": self.avoid,
            "moves": self.moves,
            "behind": self.is_behind,
            "proven": self.is_proven,
        }


def find_risks(position: Position) -> Risks:
    """Return what each column overlooks, found without a solver. The game must not be over."""
    found = oversights(position)
    return [
        Risk(column, found[column], danger_cells(position, column, found[column])) if column in found else None
        for column in range(position.width)
    ]


def find_hint(position: Position, limits: Limits = NO_LIMITS) -> Hint:
    """Return the most urgent hint for the side to move. Raises GameOverError."""
    position.check_unfinished("there is nothing to hint at")
    if wins := position.winning_columns():
        return Hint(position, HintKind.FOUR, wins[0], _four_cells(position, wins[0]), moves=1)
    passed = position.passed()
    if blocks := passed.winning_columns():
        is_behind = bool(position.play(blocks[0]).winning_columns())
        return Hint(position, HintKind.BLOCK, blocks[0], _four_cells(passed, blocks[0]), is_behind=is_behind)
    analysis = analyze(position, limits)
    risks = find_risks(position)
    safe = [column for column in analysis.best_columns if risks[column] is None]
    column = (safe or [each for each in position.legal_columns() if risks[each] is None] or analysis.best_columns)[0]
    score = analysis.score
    hint = Hint(
        position,
        HintKind.QUIET,
        column,
        _landing_cells(position, column),
        moves=moves_to_end(score, position.empty_count) if score else None,
        is_behind=score is not None and score < 0,
        is_proven=score is not None,
    )
    return _warn(hint, risks, analysis) or _explain(hint, score, limits) or _shape(hint) or hint


def _warn(hint: Hint, risks: Risks, analysis: Analysis) -> Hint | None:
    """Return what has to be stopped: columns that lose within two moves while others do not."""
    position = hint.position
    losing = tuple(
        column
        for column in position.legal_columns()
        if risks[column] or ends_soon(analysis.scores[column], position.empty_count, is_loss=True)
    )
    if not losing or hint.column in losing:
        return None
    # What most columns overlook is the most useful warning.
    found = [risk for column in losing if (risk := risks[column])]
    counts = Counter(risk.oversight for risk in found)
    shown = max(found, key=lambda risk: counts[risk.oversight], default=None)
    cells = shown.cells if shown else tuple(cell_played(position, column) for column in losing)
    return replace(hint, kind=HintKind.STOP, cells=cells, avoid=losing, risk=shown)


def _explain(hint: Hint, score: int | None, limits: Limits) -> Hint | None:
    """Return a win in two moves, a chain of threats, a plan, or that the position is lost."""
    if score is None:
        return None
    reason = explain(hint.position, hint.column, limits)
    own = reason.reasons[0] if reason.reasons else None
    cells = (own.needed or own.threats if own else ()) or hint.cells
    if score < 0:
        return replace(hint, kind=HintKind.BEHIND, cells=cells, reason=reason)
    is_soon = ends_soon(score, hint.position.empty_count)
    if own is None:
        return replace(hint, kind=HintKind.DOUBLE) if is_soon else None
    is_plan = reason.kind in (ReasonKind.ZUGZWANG, ReasonKind.HOLD, ReasonKind.NO_LINE)
    kind = HintKind.DOUBLE if is_soon else HintKind.PLAN if is_plan else HintKind.FORCED
    return replace(hint, kind=kind, cells=own.threats if is_soon and own.threats else cells, reason=reason)


def _shape(hint: Hint) -> Hint | None:
    """Return where the column makes three of a line with room for the fourth, or keeps the other side from that."""
    position, column = hint.position, hint.column
    after, passed = position.play(column), position.passed()
    made = _threats(after) & ~_threats(passed)
    denied = _threats(passed.play(column)) & ~_threats(position)
    for reply in after.legal_columns():
        denied &= ~_threats(after.play(reply))
    for kind, mask in ((HintKind.BUILD, made), (HintKind.DENY, denied)):
        if cells := cells_of(mask, position.height):
            return replace(hint, kind=kind, cells=cells)
    return None


def ends_soon(score: int | None, empty_count: int, *, is_loss: bool = False) -> bool:
    """Check whether a score is a win, or a loss, within two moves."""
    if score is None or score == 0 or (score < 0) != is_loss:
        return False
    return (moves_to_end(score, empty_count) or 0) <= SHORT_MOVES


def _threats(position: Position) -> int:
    """Return the empty cells in which the side that is not to move makes four, now or later."""
    width, height = position.width, position.height
    found = fours.threats(position.opponent, geometry.line_stride(width, height))
    return found & geometry.board_cells(width, height) & ~position.occupied


def _four_cells(position: Position, column: int) -> tuple[Cell, ...]:
    """Return the line that a column completes."""
    after = position.play(column)
    return tuple(next(geometry.find_lines(after.opponent, geometry.line_stride(after.width, after.height))))


def _landing_cells(position: Position, column: int) -> tuple[Cell, ...]:
    """Return where discs would land in a column and in those beside it."""
    near = (each for each in position.legal_columns() if abs(each - column) <= 1)
    return tuple(cell_played(position, each) for each in near)


# Words: a thought, where to look, and the column.


def describe_hint(hint: Hint, names: Names = COLOURS) -> tuple[list[Part], ...]:
    """Return the three steps of a hint, in pieces: a thought, where to look, and the column."""
    return tuple(list(fill(step, names)) for step in _steps(hint))


def add_hint_words(hint: Hint) -> dict[str, Any]:
    """Return `to_dict()` of a hint with its three steps in words."""
    steps = [[part.to_dict() for part in step] for step in describe_hint(hint)]
    return {**hint.to_dict(), "steps": steps, "risks": describe_risks(hint.position)}


def describe_risks(position: Position) -> list[dict[str, Any] | None]:
    """Return what each column overlooks, with the cells that show it and a sentence; None if it overlooks nothing."""
    you = f"{{{3 - position.player}}}"
    words = {
        Oversight.MISSED_FOUR: "You can make four in a row now.",
        Oversight.UNBLOCKED_FOUR: f"{you} can make four in a row, and that does not stop it.",
        Oversight.ALLOWED_DOUBLE: f"{you} could make two fours at once then.",
        Oversight.GAVE_ABOVE: f"{you} could make four right above then.",
    }
    return [
        risk
        and {
            "oversight": risk.oversight.value,
            "cells": risk.cells,
            "words": [part.to_dict() for part in fill(words[risk.oversight], COLOURS)],
        }
        for risk in find_risks(position)
    ]


def _steps(hint: Hint) -> tuple[str, str, str]:
    """Return the templates of the three steps."""
    you, column = f"{{{3 - hint.position.player}}}", f"Column {hint.column + 1}"
    look, line, moves = (
        at(hint.cells[:2]),
        f"Look at the line: {line_at(hint.cells)}.",
        counted(hint.moves or 0, "move"),
    )
    is_middle = abs(2 * hint.column - hint.position.width + 1) <= 2  # the columns beside the middle, too
    three, fourth = "get three in a line, with room for the fourth.", f"The fourth would be at {look}."
    if hint.kind is HintKind.STOP:
        thought, where = _warning(hint, you)
        safe = f"is safe, and wins in {moves}" if 0 < (hint.moves or 0) <= LONG_MOVES else "is safe"
        lasts = f"lasts longest, but you are behind: with perfect play, {you} wins in {moves}"
        return thought, where, f"{column} {lasts if hint.is_behind else safe}."
    why = column_reason(hint.reason, hint.column) if hint.reason and hint.reason.reasons else f"{column}."
    return {
        HintKind.FOUR: ("Look closely: you can make four in a row.", line, f"{column} makes four."),
        HintKind.BLOCK: (
            f"Watch out: {you} is about to make four in a row.",
            line,
            f"{column} stops it." + (f" But {you} can make another four: you are behind." if hint.is_behind else ""),
        ),
        HintKind.DOUBLE: (f"Look closely: you can win in {moves}.", f"The end is at {look}.", why),
        HintKind.FORCED: (f"You can force a win in {moves}.", f"Look at {look}.", why),
        HintKind.PLAN: (_plan(hint), f"It is about {look}.", why),
        HintKind.BEHIND: (
            f"You are behind: with perfect play, {you} wins in {moves}. Make it last.",
            f"Look at {look}.",
            f"{column} lasts longest.",
        ),
        HintKind.BUILD: (f"You can {three}", fourth, f"{column} does."),
        HintKind.DENY: (f"{you} could {three}", fourth, f"{column} prevents it."),
        HintKind.QUIET: (
            "Nothing urgent. The middle is worth most." if is_middle else "Nothing urgent.",
            f"Look at {columns_in_words([each for each, _ in hint.cells], 'and')}.",
            f"{column} is best." if hint.is_proven else f"{column}. This is a guess: it is not proven.",
        ),
    }[hint.kind]


def _plan(hint: Hint) -> str:
    """Return what a plan is for."""
    if not hint.moves:
        return "Nothing happens soon. With care, you can hold the draw."
    if hint.moves > LONG_MOVES:
        return "Nothing happens soon, but you have a long plan."
    return f"You have a plan that wins in {counted(hint.moves, 'move')}."


def _warning(hint: Hint, you: str) -> tuple[str, str]:
    """Return what has to be stopped, and the columns that do not."""
    if hint.risk is None:
        thought = "Careful: not every column leaves you a safe move."
        return thought, f"Not in {columns_in_words(hint.avoid)}."
    shown = hint.risk.column + 1
    if hint.risk.oversight is Oversight.GAVE_ABOVE:
        thought = f"Careful: {you} could make four right above your disc. Where is it safe?"
        return thought, f"Not in column {shown}: above it, {you} makes four."
    reply, *ends = hint.cells
    thought = f"Careful: {you} could make two fours at once. Which column stops it?"
    return thought, f"After column {shown}, {you} plays {reply[0] + 1} and makes four at {at(ends, 'or')}."
