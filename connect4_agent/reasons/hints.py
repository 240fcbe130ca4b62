"""Hints: what a player should think of before a move, the most urgent first, and how it is said in three steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from connect4_agent.engine.analysis import Analysis, analyze
from connect4_agent.engine.kernel import fours
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import Explanation, ReasonKind, cell_played, cells_of
from connect4_agent.reasons.words import COLOURS, Names, Part, at, columns_in_words, fill, parts
from connect4_agent.rules import geometry
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.oversights import Oversight, danger_cells, oversights
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from connect4_agent.text import counted

SHORT_MOVES = 2
"""A win or a loss within that many moves is urgent."""


class Urgency(StrEnum):
    """How soon a hint matters; a closed set."""

    NOW = "now"
    """The next disc decides."""
    SOON = "soon"
    """Within two moves."""
    LATER = "later"
    """A sequence or a plan."""
    NONE = "none"
    """Nothing urgent."""


class HintKind(StrEnum):
    """What a hint is about, the most urgent first; a closed set."""

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
    """A cell in which a four can be made later."""
    DENY = "deny"
    """A cell in which the other side would make one."""
    QUIET = "quiet"
    """Nothing urgent."""

    @property
    def urgency(self) -> Urgency:
        """How soon it matters."""
        if self in (HintKind.FOUR, HintKind.BLOCK):
            return Urgency.NOW
        if self in (HintKind.DOUBLE, HintKind.STOP):
            return Urgency.SOON
        return Urgency.NONE if self is HintKind.QUIET else Urgency.LATER


class Risk(NamedTuple):
    """What a column overlooks, and the cells that show it."""

    oversight: Oversight
    cells: tuple[Cell, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the risk for programs."""
        return {"oversight": self.oversight.value, "cells": self.cells}


Risks = list[Risk | None]
"""By column."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What to think of in a position, and the column that it leads to."""

    position: Position
    kind: HintKind
    column: int
    """The best column, counted from 0."""
    cells: tuple[Cell, ...]
    """The cells to look at."""
    avoid: tuple[int, ...] = ()
    """The columns that lose within two moves, if others do not."""
    oversight: Oversight | None = None
    """What those columns would overlook."""
    moves: int | None = None
    """In how many moves the position is won or lost, if that is known."""
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
            "proven": self.is_proven,
        }


def find_risks(position: Position) -> Risks:
    """Return what each column overlooks, found without a solver. The game must not be over."""
    found = oversights(position)
    return [
        Risk(found[column], danger_cells(position, column, found[column])) if column in found else None
        for column in range(position.width)
    ]


def find_hint(position: Position, limits: Limits = NO_LIMITS) -> Hint:
    """Return the most urgent hint for the side to move. Raises GameOverError."""
    position.check_unfinished("there is nothing to hint at")
    if wins := position.winning_columns():
        return Hint(position, HintKind.FOUR, wins[0], _four_cells(position, wins[0]), moves=1)
    if blocks := position.passed().winning_columns():
        return Hint(position, HintKind.BLOCK, blocks[0], _four_cells(position.passed(), blocks[0]), tuple(blocks[1:]))
    analysis = analyze(position, limits)
    risks = find_risks(position)
    safe = [column for column in analysis.best_columns if risks[column] is None]
    column = (safe or [each for each in position.legal_columns() if risks[each] is None] or analysis.best_columns)[0]
    for find in (_find_double, _find_danger, _find_later, _find_shape):
        if hint := find(analysis, column, risks, limits):
            return hint
    return Hint(
        position, HintKind.QUIET, column, (cell_played(position, column),), is_proven=analysis.score is not None
    )


def _find_double(analysis: Analysis, column: int, _: Risks, limits: Limits) -> Hint | None:
    """Return a win in two moves."""
    if (analysis.score or 0) <= 0 or (moves := _moves(analysis)) > SHORT_MOVES:
        return None
    position = analysis.position
    reason = explain(position, column, limits)
    cells = reason.reasons[0].threats if reason.reasons else ()
    return Hint(
        position, HintKind.DOUBLE, column, cells or (cell_played(position, column),), moves=moves, reason=reason
    )


def _find_danger(analysis: Analysis, column: int, risks: Risks, _: Limits) -> Hint | None:
    """Return what has to be stopped: columns that lose within two moves while others do not."""
    position, empty_count = analysis.position, analysis.position.empty_count
    losing = [
        each
        for each in position.legal_columns()
        if risks[each]
        or ((score := analysis.scores[each] or 0) < 0 and (moves_to_end(score, empty_count) or 0) <= SHORT_MOVES)
    ]
    if not losing or column in losing:
        return None
    # What most columns overlook is the most useful warning.
    found = [risk for each in losing if (risk := risks[each])]
    counts = Counter(risk.oversight for risk in found)
    shown = max(found, key=lambda risk: counts[risk.oversight], default=None)
    if shown is None:
        return Hint(
            position, HintKind.STOP, column, tuple(cell_played(position, each) for each in losing), tuple(losing)
        )
    avoid = tuple(each for each in losing if (risk := risks[each]) and risk.oversight is shown.oversight)
    return Hint(position, HintKind.STOP, column, shown.cells, avoid, shown.oversight)


def _find_later(analysis: Analysis, column: int, _: Risks, limits: Limits) -> Hint | None:
    """Return a chain of threats, a plan, or that the position is lost."""
    position, score = analysis.position, analysis.score
    if score is None:
        return None
    if score < 0:
        return Hint(position, HintKind.BEHIND, column, (cell_played(position, column),), moves=_moves(analysis))
    reason = explain(position, column, limits)
    if not reason.reasons:
        return None
    is_plan = reason.kind in (ReasonKind.ZUGZWANG, ReasonKind.HOLD, ReasonKind.NO_LINE)
    own = reason.reasons[0]
    cells = own.needed or own.threats or (cell_played(position, column),)
    kind = HintKind.PLAN if is_plan else HintKind.FORCED
    return Hint(position, kind, column, cells, moves=_moves(analysis) if score > 0 else None, reason=reason)


def _find_shape(analysis: Analysis, column: int, _: Risks, __: Limits) -> Hint | None:
    """Return the cells for a later four that the column makes, or takes from the other side."""
    position = analysis.position
    for kind, before in ((HintKind.BUILD, position), (HintKind.DENY, position.passed())):
        new = _threats(before.play(column)) & ~_threats(before.passed())
        if cells := cells_of(new, position.height):
            return Hint(position, kind, column, cells, is_proven=analysis.score is not None)
    return None


def _threats(position: Position) -> int:
    """Return the empty cells in which the side that is not to move makes four, now or later."""
    width, height = position.width, position.height
    found = fours.threats(position.opponent, geometry.line_stride(width, height))
    return found & geometry.board_cells(width, height) & ~position.occupied


def _moves(analysis: Analysis) -> int:
    assert analysis.score is not None
    return moves_to_end(analysis.score, analysis.position.empty_count) or 0


def _four_cells(position: Position, column: int) -> tuple[Cell, ...]:
    outcome = position.play(column).outcome
    assert outcome is not None
    return outcome.cells


# Words. A hint is given in three steps: a thought, where to look, and the column. {me} and {you} are the players,
# {look} the cells, {play} the column, {avoid} the columns to avoid, {moves} how many moves are left.

_STEPS = {
    HintKind.FOUR: (
        "Look closely: you can make four in a row.",
        "Three of yours are waiting for a fourth.",
        "{play} makes four.",
    ),
    HintKind.BLOCK: (
        "Watch out: {you} is about to make four in a row.",
        "Three discs of {you} are waiting for a fourth.",
        "{play} stops it.",
    ),
    HintKind.DOUBLE: ("Look closely: you can win in two moves.", "The end is at {look}.", "{play}."),
    HintKind.FORCED: ("You can force a win: begin with a threat.", "Look at {look}.", "{play}."),
    HintKind.PLAN: ("Nothing happens soon, but you have a long plan.", "It is about {look}.", "{play}. A long plan:"),
    HintKind.BEHIND: (
        "You are behind: with perfect play, {you} wins in {moves}. Make it last.",
        "This cell holds out longest.",
        "{play} lasts longest.",
    ),
    HintKind.BUILD: ("You can prepare a four for later.", "It could end at {look}.", "{play} prepares it."),
    HintKind.DENY: ("{you} would like to prepare a four.", "It could end at {look}.", "{play} prevents it."),
    HintKind.QUIET: ("Nothing urgent. The middle is worth most.", "This cell is a good one.", "{play} is best."),
}

_DANGERS = {
    Oversight.ALLOWED_DOUBLE: "{you} could make two fours at once. Which column stops it?",
    Oversight.GAVE_ABOVE: "in {avoid}, {you} could make four right above your disc.",
    None: "{avoid} would leave you without a safe move.",
}


def describe_hint(hint: Hint, names: Names = COLOURS) -> tuple[list[Part], list[Part], list[Part]]:
    """Return the three steps of a hint, in pieces: a thought, where to look, and the column."""
    thought, where, column = _steps(hint)
    return (
        list(fill(thought, names)),
        list(fill(where, names)),
        [*fill(column, names)] if hint.reason is None else _with_reason(column, hint.reason, names),
    )


def _with_reason(column: str, reason: Explanation, names: Names) -> list[Part]:
    """Return the column and why it is right, without naming the column twice."""
    why = parts(reason, names, brief=True)
    return why if why[0].text.startswith("After ") else [Part(f"{column} "), *why]


def add_hint_words(hint: Hint) -> dict[str, Any]:
    """Return `to_dict()` of a hint with its three steps in words."""
    steps = [[part.to_dict() for part in step] for step in describe_hint(hint)]
    return {**hint.to_dict(), "steps": steps, "risks": [risk and risk.to_dict() for risk in find_risks(hint.position)]}


def _steps(hint: Hint) -> tuple[str, str, str]:
    """Return the templates of the three steps."""
    steps = _STEPS.get(hint.kind) or (
        f"Careful: {_DANGERS.get(hint.oversight, _DANGERS[None])}",
        "Not in {avoid}: the rings show why.",
        "{play} is safe.",
    )
    values = {
        "you": f"{{{3 - hint.position.player}}}",
        "play": f"Column {hint.column + 1}",
        "look": at(hint.cells[:2]),
        "avoid": columns_in_words(hint.avoid) if hint.avoid else "",
        "moves": counted(hint.moves or 0, "move"),
    }
    thought, where, column = (step.format(**values) for step in steps)
    if hint.kind is HintKind.BLOCK and hint.avoid:
        column += f" But {values['you']} has another four: you are behind."
    if not hint.is_proven:
        column += " This is a guess: it is not proven."
    return thought, where, column
