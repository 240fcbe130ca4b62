"""Reasons: what proves a result, which cells it is about, and the rule of a plan, which anybody can follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from connect4_agent import errors
from connect4_agent.drawing.marks import Mark, Meaning
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.rules import geometry
from connect4_agent.rules.geometry import Cell, stride_of
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Mistake, Result

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class ReasonKind(StrEnum):
    """The kinds of reason; a closed set."""

    FOUR = "four"
    """Four in a row with the next disc."""
    DOUBLE = "double threat"
    """Two cells make four, and only one can be blocked."""
    ABOVE = "threat above a threat"
    """The block lets the other disc in right above it."""
    FORCED = "forced"
    """A chain of threats; every reply is the only one."""
    ZUGZWANG = "zugzwang"
    """A plan that wins: the other side runs out of good moves."""
    HOLD = "hold"
    """A plan with which a side never loses."""
    NO_LINE = "no line"
    """The other side has no open line left."""
    NONE = "none"
    """No short reason is known."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A rule that answers every move of the other side.

    1. Make four if you can. 2. Block a four if you must. 3. If the other side took a cell that has its own answer, play
    that. 4. Otherwise play right on top of its disc. 5. Otherwise play a spare move: in a column with an odd number of
    free cells (counted up to a kept cell), or else in any. Of several, the spare column comes first, then those near
    the centre. Moves by rules 3 to 5 are never right below a four of the other side, those by rules 4 and 5 not in a
    kept cell, unless nothing else is left.
    """

    kept: tuple[Cell, ...] = ()
    """The cells right below the threats that are saved for later."""
    answers: tuple[tuple[Cell, Cell], ...] = ()
    """Cells with their own answer: if the other side takes the first one, the player takes the second."""
    spare: int | None = None
    """The column in which spare moves are played first; None is the nearest to the centre."""

    @property
    def pairs(self) -> tuple[tuple[Cell, Cell], ...]:
        """The answers without those that only turn another one round."""
        return tuple(answer for number, answer in enumerate(self.answers) if answer[::-1] not in self.answers[:number])

    def reply(self, position: Position, last: int) -> int:
        """Return the column to play if the other side's last disc is in column `last`; columns count from 0.

        Raises GameOverError, or BadValueError if the last disc cannot have been played there.
        """
        from connect4_agent.engine.engine import engine_for  # noqa: PLC0415  # reading a run's games loads no solver

        position.check_unfinished("the plan has no reply")
        width, height = position.width, position.height
        column, row = cell_played(position, last) if 0 <= last < width else (0, 0)
        top = 1 << column * stride_of(height) + row >> 1
        if not (row and top & position.opponent):
            raise errors.BadValueError(f"last is {last!r}; allowed are columns with the other side's disc on top")

        def bit(cell: Cell) -> int:
            return 1 << cell[0] * stride_of(height) + cell[1] if 0 <= cell[0] < width and 0 <= cell[1] < height else 0

        columns = sorted(middle_first(width), key=lambda each: each != self.spare)
        plans = engine_for(width, height).plans
        plans.use(
            sum(map(bit, set(self.kept))), [(bit(one), bit(two)) for one, two in self.answers if bit(one)], columns
        )
        return cells_of(plans.reply(position.own, position.opponent, top), height)[0][0]


@dataclass(frozen=True, slots=True)
class Reason:
    """One side's proof that it wins, or that it does not lose. It proves the result, never how soon it comes."""

    kind: ReasonKind
    player: int
    """Whose reason it is."""
    proves: Result
    """`win`, or `draw` if the player does not lose."""
    lead: tuple[int, ...] = ()
    """The columns that are played before it applies, from the explained position on."""
    cases: int = 1
    """In how many positions the lead may end, each with its own reason; 0 if only the best defence was followed."""
    line: tuple[int, ...] = ()
    """The columns after the lead, the forced sequence or the longest play against the plan."""
    plan: Plan | None = None
    """The rule, if the reason is a plan."""
    threats: tuple[Cell, ...] = ()
    """The cells in which the player can make four once the lead has been played, now or later."""
    opponent_threats: tuple[Cell, ...] = ()
    """The cells of the other side's threats."""
    four: tuple[Cell, ...] = ()
    """The four at the end of the line."""
    needed: tuple[Cell, ...] = ()
    """The cells of it that the player still needs after the lead."""
    is_sure: bool = False
    """True if the other side can never take a needed cell, so that this very four is certain to stay possible."""
    is_only_end: bool = False
    """True if every play against the plan ends with a disc in the same cell."""
    avoid: Cell | None = None
    """The cell right below the last cell of the four, if the other side has to take it in the end."""
    waiting: int | None = None
    """The number of cells that both sides fill first, if their even number alone decides who has to take `avoid`."""
    uses_spares: bool = False
    """True if the plan ever needs a spare move."""
    open_lines: int = 0
    """The number of lines of four still open to the other side, none of which a plan that holds lets it get."""
    checked: int = 0
    """The number of positions in which it was checked."""

    @property
    def is_covered(self) -> bool:
        """Check whether every reply during the lead has a reason; otherwise only the best defence was followed."""
        return self.cases > 0

    @property
    def is_double(self) -> bool:
        """Check whether a sequence ends with two fours at once, `threats`, neither right above the other."""
        if self.plan is not None or len(self.threats) != 2 or not self.line:
            return False
        (column, row), above = self.threats
        return above != (column, row + 1)


@dataclass(frozen=True)
class Explanation:
    """Why a position, or a column in it, is worth what it is; `describe` puts it into words.

    Cells are pairs of a column and a row, both counted from 0, the row from the bottom. Notebooks show the marks.
    """

    __pydantic_config__: ClassVar = {"arbitrary_types_allowed": True}

    position: Position
    column: int | None
    """The column that is explained, counted from 0; None for the position."""
    result: Result | None
    """`win`, `draw` or `loss` for the side to move; None if it could not be proven in the time."""
    reasons: tuple[Reason, ...] = ()
    """The reason; for a draw, one of each side, that of the side to move first; empty if none was found."""
    mistake: Mistake | None = None
    """The mistake, if the column changed the result."""
    best: Explanation | None = None
    """The explanation of a right move, if the column is a mistake."""
    keeping_columns: tuple[int, ...] = ()
    """The columns that keep the result, nearest to the centre first."""
    best_play: tuple[int, ...] = ()
    """Best play by both sides, if there is no reason."""
    later: tuple[Reason, ...] = ()
    """The reasons that apply after some plies of the best play, if there is none yet."""
    checked: int = 0
    """The number of positions in which plans and sequences were tried."""

    def __str__(self) -> str:
        """Return the structure in one line, columns counted from 0; `describe` has the words."""
        what = "position" if self.column is None else f"column {self.column}"
        found = " and ".join(f"{reason.kind} of player {reason.player}" for reason in self.reasons) or self.kind
        return f"{what}: {self.result or 'not proven'}, reason: {found}, line: {self.line}"

    @property
    def kind(self) -> ReasonKind:
        """The kind of reason; `none` if none was found."""
        kinds = [reason.kind for reason in self.reasons]
        return ReasonKind.HOLD if ReasonKind.HOLD in kinds else kinds[0] if kinds else ReasonKind.NONE

    @property
    def is_covered(self) -> bool:
        """Check whether there is a reason, and every reply has been covered."""
        return bool(self.reasons) and all(reason.is_covered for reason in self.reasons)

    @property
    def line(self) -> tuple[int, ...]:
        """The play to show from the position on, with the forced sequence or the longest defence at its end."""
        if not self.reasons:
            return self.best_play
        return self.reasons[0].lead + self.reasons[0].line

    @cached_property
    def key_cell(self) -> Cell | None:
        """The cell of a right move that the other side takes after a mistake."""
        if self.mistake is None or not self.reasons or self.column is None:
            return None
        after = self.line[1:2]
        return (
            cell_played(self.position.play(self.column), after[0]) if set(after) & set(self.keeping_columns) else None
        )

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The cells to mark on the board, at most one mark each."""
        return tuple(_marks(self))

    def with_players_swapped(self) -> Explanation:
        """Return the same explanation of the same game played by the other player."""
        old = self.position
        return replace(
            self,
            position=Position(old.width, old.height, 3 - old.player, old.discs_2, old.discs_1),
            reasons=tuple(replace(reason, player=3 - reason.player) for reason in self.reasons),
            later=tuple(replace(reason, player=3 - reason.player) for reason in self.later),
            best=self.best and self.best.with_players_swapped(),
        )

    def to_dict(self, *, with_marks: bool = True) -> dict[str, Any]:
        """Return the explanation for programs. Columns and rows count from 0; `from_dict` needs no marks."""
        document = {
            field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("position", "best")
        }
        document |= {
            "reasons": [asdict(reason) for reason in self.reasons],
            "later": [asdict(reason) for reason in self.later],
            "best": self.best and self.best.to_dict(with_marks=with_marks),
        }
        if with_marks:
            document |= {
                "kind": self.kind.value,
                "covered": self.is_covered,
                "line": self.line,
                "key_cell": self.key_cell,
                "marks": [mark.to_dict() for mark in self.marks],
            }
        return document

    @classmethod
    def from_dict(cls, position: Position, document: Mapping[str, Any]) -> Explanation:
        """Return the explanation of a position that `to_dict` has written. Raises ValueError."""
        return _reader().validate_python(_with_position(position, document))


@cache
def _reader() -> TypeAdapter[Explanation]:
    from pydantic import TypeAdapter  # noqa: PLC0415  # most explanations are never read again

    return TypeAdapter(Explanation)


def _with_position(position: Position, document: Mapping[str, Any]) -> dict[str, Any]:
    best = document["best"]
    return {**document, "position": position, "best": best and _with_position(position, best)}


_Candidate = tuple[Cell, int | None, Meaning, int | None]
"""A cell with the player, the meaning and the number of its mark."""


def cell_played(position: Position, column: int) -> Cell:
    """Return the cell that a disc in this column lands on."""
    stride = stride_of(position.height)
    return column, (position.occupied >> column * stride & (1 << position.height) - 1).bit_count()


def played_cells(position: Position, columns: Iterable[int]) -> list[Cell]:
    """Return the cells that these columns fill, one after the other."""
    cells = []
    for column in columns:
        cells.append(cell_played(position, column))
        position = position.drop(column)
    return cells


def cells_of(mask: int, height: int) -> tuple[Cell, ...]:
    """Return the cells of a bit mask."""
    found = []
    while mask:
        found.append(divmod((mask & -mask).bit_length() - 1, stride_of(height)))
        mask &= mask - 1
    return tuple(found)


def fours_on(width: int, height: int) -> list[int]:
    """Return the bit masks of all lines of four cells."""
    board = geometry.board_cells(width, height)
    bits = range(stride_of(height) * width)
    lines = (
        sum(1 << bit + step * number for number in range(4)) for bit in bits for step in geometry.steps_of(height + 1)
    )
    return sorted({line for line in lines if line & board == line})


def _marks(explanation: Explanation) -> Iterator[Mark]:
    """Yield one mark for a cell: what comes first in the list covers what comes later."""
    seen = set()
    candidates = [*_moves_to_mark(explanation)]
    for reason in explanation.reasons:
        candidates += _plan_to_mark(reason)
    for reason in explanation.reasons:
        candidates += _threats_to_mark(reason)
    for cell, player, meaning, number in candidates:
        if cell not in seen:
            seen.add(cell)
            yield Mark(*cell, player, meaning, number)


def _moves_to_mark(explanation: Explanation) -> Iterator[_Candidate]:
    position, key_cell = explanation.position, explanation.key_cell
    if explanation.column is not None:
        yield cell_played(position, explanation.column), position.player, Meaning.MOVE, None
    if key_cell is not None:
        yield key_cell, None, Meaning.KEY, None
    for reason in explanation.reasons[:1]:
        line = reason.line[:-2] if reason.is_double else reason.line  # of two fours at once, neither comes first
        shown = reason.lead if reason.plan is not None else reason.lead + line
        for number, cell in enumerate(played_cells(position, shown), 1):
            yield cell, position.player if number % 2 else 3 - position.player, Meaning.LINE, number


def _plan_to_mark(reason: Reason) -> Iterator[_Candidate]:
    if reason.avoid is not None:
        yield reason.avoid, None, Meaning.AVOID, None
    for number, pair in enumerate(reason.plan.pairs if reason.plan else (), 1):
        yield from ((cell, reason.player, Meaning.PAIR, number) for cell in pair)


def _threats_to_mark(reason: Reason) -> Iterator[_Candidate]:
    yield from ((cell, reason.player, Meaning.THREAT, None) for cell in reason.threats)
    yield from ((cell, reason.player, Meaning.NEEDED, None) for cell in reason.needed)
    yield from ((cell, 3 - reason.player, Meaning.THREAT, None) for cell in reason.opponent_threats)
