"""Evaluation: how well an agent plays on labelled positions, measured with their exact scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from connect4_agent import errors
from connect4_agent.arena.faults import FaultError
from connect4_agent.arena.statistics.ratings import Z_95, Estimate
from connect4_agent.drawing.markup import element, join
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab.labels import LabelledPositions
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Result
from connect4_agent.text import aligned, short

try:
    import numpy as np
except ImportError:
    if not TYPE_CHECKING:
        np = None  # an extra: the names here can be imported without it, but there is nothing to evaluate

if TYPE_CHECKING:
    import numpy.typing as npt

    Columns: TypeAlias = npt.NDArray[np.int16]

NO_COLUMN = -1
"""The sign of a choice that is not an open column."""

BAND = 6
"""The number of disc counts that a line of the table covers."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of an agent's choices with perfect play, on some of the positions."""

    positions: int
    """The number of these positions."""
    optimal: Estimate
    """The share of choices with the best score, which win as early or lose as late as possible."""
    keeps: Estimate
    """The share of choices that keep the result, so that no win becomes a draw or loss, and no draw a loss."""
    lost: Estimate
    """By how much the score of a choice is below the best one, on average."""
    faults: int
    """Choices that were not an open column, or did not come in time. They count as losses to the next disc."""


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """The strength of an agent. `print` and notebooks show a table. Intervals are 95 % intervals."""

    agent: str
    """The name of the agent."""
    positions: LabelledPositions
    """The positions."""
    columns: Columns
    """The agent's choices, in the same order; -1 for a fault."""
    fault: str | None = None
    """The first fault."""

    def where(self, chosen: npt.NDArray[np.bool_]) -> Agreement:
        """Return the agreement on some of the positions: a mask such as `evaluation.positions.distance < 9`."""
        labels = self.positions
        columns = self.columns[chosen]
        rows = np.flatnonzero(chosen)
        is_fault = columns == NO_COLUMN
        score = labels.score[rows].astype(np.int16)
        got = labels.scores[rows, columns].astype(np.int16)
        empty = labels.width * labels.height - labels.discs[rows]
        lost = score - np.where(is_fault, -np.maximum(1, empty // 2), got)
        keeps = labels.keeps[rows, columns] & ~is_fault
        return Agreement(
            len(rows),
            share(int(((lost == 0) & ~is_fault).sum()), len(rows)),
            share(int(keeps.sum()), len(rows)),
            mean(lost),
            int(is_fault.sum()),
        )

    @property
    def overall(self) -> Agreement:
        """The agreement on all positions."""
        return self.where(np.ones(len(self.positions), np.bool_))

    @property
    def by_discs(self) -> dict[int, Agreement]:
        """The agreement by the number of discs on the board."""
        discs = self.positions.discs
        return {int(number): self.where(discs == number) for number in np.unique(discs)}

    @property
    def by_result(self) -> dict[str, Agreement]:
        """The agreement by the result of the position under perfect play (win, draw and loss)."""
        signs = np.sign(self.positions.score)
        by_sign = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}
        return {result.value: self.where(signs == sign) for result, sign in by_sign.items() if (signs == sign).any()}

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for programs, without the choices themselves."""
        return {
            "agent": self.agent,
            "positions": self.positions.name,
            "overall": asdict(self.overall),
            "by_result": {name: asdict(part) for name, part in self.by_result.items()},
            "by_discs": {str(number): asdict(part) for number, part in self.by_discs.items()},
            "fault": self.fault,
        }

    def __repr__(self) -> str:
        optimal = self.overall.optimal.value or 0.0
        faults = f"; {count} faults" if (count := self.overall.faults) else ""
        number = len(self.positions)
        return f"<Evaluation {self.agent} on {self.positions.name}: {optimal:.1%} of {number} optimal{faults}>"

    def __str__(self) -> str:
        table = aligned([HEADER, *self._rows()])
        return "\n".join([f"{self.agent} on {self.positions.name}", "", *table, *self._notes()])

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        rows = [element("tr", *(element("td", cell) for cell in row)) for row in self._rows()]
        head = element("tr", *(element("th", cell) for cell in HEADER))
        title = element("caption", f"{self.agent} on {self.positions.name}")
        return join([element("table", title, head, *rows), *(element("p", note) for note in self._notes() if note)])

    def _rows(self) -> Iterator[tuple[str, ...]]:
        yield _row("all", self.overall)
        for name, agreement in self.by_result.items():
            yield _row(NAMES[name], agreement)
        discs = self.positions.discs
        for first in range(0, int(discs.max(initial=0)) + 1, BAND):
            band = (discs >= first) & (discs < first + BAND)
            if band.any():
                yield _row(f"{first} to {first + BAND - 1} discs", self.where(band))

    def _notes(self) -> list[str]:
        faults = self.overall.faults
        return ["", f"faults: {faults}; the first: {self.fault}"] if faults else []


HEADER = ("positions", "number", "optimal", "95 %", "keeps the result", "95 %", "score lost", "95 %")
NAMES = {"win": "won", "draw": "drawn", "loss": "lost"}


def _row(name: str, agreement: Agreement) -> tuple[str, ...]:
    return (
        name,
        str(agreement.positions),
        *_cells(agreement.optimal, "{:.1%}"),
        *_cells(agreement.keeps, "{:.1%}"),
        *_cells(agreement.lost, "{:.2f}"),
    )


def _cells(estimate: Estimate, form: str) -> tuple[str, str]:
    if estimate.value is None:
        return "n/a", ""
    value = form.format(estimate.value)
    if estimate.low is None or estimate.high is None:
        return value, ""
    return value, f"{form.format(estimate.low)} to {form.format(estimate.high)}"


def share(count: int, total: int) -> Estimate:
    """Return a share with its interval (Wilson, Probable Inference, 1927), which stays within 0 and 1."""
    if not total:
        return Estimate()
    value, z2 = count / total, Z_95**2
    centre = (value + z2 / (2 * total)) / (1 + z2 / total)
    margin = Z_95 / (1 + z2 / total) * math.sqrt(value * (1 - value) / total + z2 / (4 * total**2))
    return Estimate(value, max(0.0, centre - margin), min(1.0, centre + margin))


def mean(values: npt.NDArray[Any]) -> Estimate:
    """Return a mean with the interval of 1.96 standard errors on either side; none for a single value."""
    if not len(values):
        return Estimate()
    value = float(values.mean())
    if len(values) < 2:
        return Estimate(value)
    margin = Z_95 * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(value, value - margin, value + margin)


def ask_each(name: str, choose: Callable[[Position], int], labels: LabelledPositions, progress: Progress) -> Evaluation:
    """Ask about one position after the other.

    A FaultError counts as a fault, unless it comes at the first position: then it is raised, because an agent that
    does not even start is not worth asking again. Other errors are raised.
    """
    columns = np.full(len(labels), NO_COLUMN, np.int16)
    fault = None
    progress.begin(len(labels))
    try:
        for number, position in enumerate(labels.positions):
            try:
                column = choose(position)
            except FaultError as error:
                if number == 0:
                    raise
                fault = fault or f"{error}, in {position!r}"
            else:
                if position.is_open(column):
                    columns[number] = column
                else:
                    fault = fault or f"column {short(repr(column))} is not open in {position!r}"
            progress.count(number + 1)
    finally:
        progress.end()
    return Evaluation(name, labels, columns, fault)


def ask_in_batches(
    name: str,
    policy: Callable[[npt.NDArray[np.int8]], npt.ArrayLike],
    labels: LabelledPositions,
    batch: int,
    progress: Progress,
) -> Evaluation:
    """Ask about many positions at a time: planes in; columns, or a value for every column, out."""
    planes = labels.planes
    is_open = labels.boards[:, 0] == 0
    columns = np.full(len(labels), NO_COLUMN, np.int16)
    fault = None
    progress.begin(len(labels))
    try:
        for begin in range(0, len(labels), batch):
            part = slice(begin, begin + batch)
            chosen = _read_columns(policy(planes[part]), is_open[part], name)
            legal = (chosen >= 0) & (chosen < labels.width)
            legal[legal] = is_open[part][legal, chosen[legal]]
            columns[part] = np.where(legal, chosen, NO_COLUMN)
            if fault is None and not legal.all():
                bad = int(np.flatnonzero(~legal)[0])
                fault = f"column {chosen[bad]} is not open in {labels[begin + bad].positions[0]!r}"
            progress.count(min(begin + batch, len(labels)))
    finally:
        progress.end()
    return Evaluation(name, labels, columns, fault)


def _read_columns(answer: npt.ArrayLike, is_open: npt.NDArray[np.bool_], name: str) -> npt.NDArray[np.int64]:
    """Return the columns of a batch: as they are, or the open ones with the highest values. Raises ChoiceError."""
    given = np.asarray(answer)
    count, width = is_open.shape
    if given.shape == (count,) and given.dtype.kind in "iu":
        return given.astype(np.int64)
    if given.shape == (count, width) and given.dtype.kind in "iuf":
        if np.isnan(given).any():
            raise errors.ChoiceError(f"{name} gave values that are not numbers (nan)")
        chosen: npt.NDArray[np.int64] = np.where(is_open, given.astype(np.float64), -np.inf).argmax(axis=1)
        return chosen
    raise errors.ChoiceError(
        f"{name} gave an array of {given.dtype} with shape {given.shape} for {count} positions; allowed are whole "
        f"numbers with shape ({count},), its columns, and numbers with shape ({count}, {width}), values of all columns"
    )
