"""JudgedGame: the moves of a game, with what each did to the exact score of its position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.reasons.explanation import Explanation, ReasonKind
from connect4_agent.rules.oversights import Oversight, oversights
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import (
    Grade,
    Mistake,
    accuracy,
    finished_score,
    grade_of,
    mistake_of,
    moves_to_end,
    verdict,
)

if TYPE_CHECKING:
    from connect4_agent.engine.engine import Engine

MAX_MOMENTS = 3
"""The most moves of a game that a player is shown again."""

OPENING_DISCS = 6
"""The number of first discs that are not shown again: hardly anybody can see what they do."""

SEEN_KINDS = (ReasonKind.FOUR, ReasonKind.DOUBLE, ReasonKind.ABOVE, ReasonKind.FORCED)
"""The reasons that a person can see."""

Scores = tuple[int | None, ...]
"""Exact scores, and None for those that could not be proven."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of a game. Scores are from the side that made it."""

    position: Position
    """The position before it."""
    column: int
    """Counted from 0."""
    score_before: int | None
    """The score of the position; None if that, or the score of the move, is not proven."""
    score: int | None
    """The score of the position after the move."""
    is_chosen: bool = True
    """False for a move of a given opening, which is nobody's mistake."""
    better: tuple[int, ...] = ()
    """The columns that would have kept the score, nearest to the centre first."""
    explanation: Explanation | None = None
    """Why the move is a mistake, if a short reason was looked for and found."""

    @property
    def player(self) -> int:
        """The player who made it, 1 or 2."""
        return self.position.player

    @property
    def is_judged(self) -> bool:
        """Check whether a player chose the move, and its scores are proven."""
        return self.is_chosen and self.score is not None

    @property
    def mistake(self) -> Mistake | None:
        """The kind of mistake, if one is proven."""
        if self.score_before is None or self.score is None or not self.is_chosen:
            return None
        return mistake_of(self.score_before, self.score)

    @property
    def _oversights(self) -> Mapping[int, Oversight]:
        return oversights(self.position) if self.is_chosen else {}

    @property
    def oversight(self) -> Oversight | None:
        """Return what the player could have seen, proven or not."""
        return self._oversights.get(self.column)

    @property
    def grade(self) -> Grade | None:
        """The grade; None if nothing is known of the move, and for a move of an opening."""
        return grade_of(self.mistake, self.oversight) if self.is_judged or self.oversight else None

    @property
    def has_seen(self) -> bool:
        """Check whether the move kept the result, and another column would have been an oversight."""
        return bool(self._oversights) and self.oversight is None and not self.changes_result

    @property
    def can_be_seen(self) -> bool:
        """Check whether the move is an oversight, or a mistake for a reason that a person can see."""
        if self.oversight is not None:
            return True
        why = self.explanation
        reasons = () if why is None or not self.changes_result else (why.kind, why.best and why.best.kind)
        return any(kind in SEEN_KINDS for kind in reasons)

    @property
    def alternatives(self) -> tuple[int, ...]:
        """The columns that overlook nothing, and of those the ones that keep the score if any does."""
        open_columns = [column for column in self.position.legal_columns() if column not in self._oversights]
        return tuple(column for column in self.better if column in open_columns) or tuple(open_columns)

    @property
    def changes_result(self) -> bool:
        """Check whether the mistake changes the result of the game under perfect play."""
        return self.mistake is not None and self.mistake.changes_result

    def to_dict(self) -> dict[str, Any]:
        """Return the move for programs. Columns count from 0."""
        before, after = (
            (None, None) if score is None else (verdict(score, empty), moves_to_end(score, empty))
            for empty in [self.position.empty_count]
            for score in (self.score_before, self.score)
        )
        return {
            "column": self.column,
            "score_before": self.score_before,
            "score": self.score,
            "mistake": self.mistake,
            "oversight": self.oversight,
            "grade": self.grade,
            "mark": self.grade and self.grade.mark,
            "changes_result": self.changes_result,
            "verdict_before": before[0],
            "verdict": after[0],
            "moves_to_end_before": before[1],
            "moves_to_end": after[1],
            "better": self.better,
            "explanation": self.explanation and self.explanation.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class PlayersMoves:
    """One player's moves in a judged game, counted."""

    grades: Mapping[Grade, int]
    """The number of moves with each grade."""
    accuracy: float | None
    """The mean percentage of the judged moves; None without one."""
    seen: int
    """The number of moves that kept the result where another column would have been an oversight."""
    moments: tuple[int, ...]
    """The indices of the moves to look at again, in order: oversights, and mistakes with a reason that can be seen."""

    @property
    def to_see(self) -> int:
        """The number of moves that could have been an oversight, or were one."""
        return self.seen + self.grades[Grade.BLUNDER]


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """The moves of a game, with the exact scores of the positions that they lead through."""

    start: Position
    """The position in which the game began."""
    columns: tuple[int, ...]
    """The columns played from there, counted from 0."""
    scores: Scores
    """The scores of the positions before, between and after the moves, each from its side to move.

    None for those that could not be proven in time: the first ones.
    """
    opening: int = 0
    """The number of first moves that were given, not chosen."""
    better: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The columns that would have kept the score, by the index of a move that did not."""
    explanations: Mapping[int, Explanation] = field(default_factory=dict)
    """The reasons of errors that were looked for and found, by the index of the move."""

    @property
    def is_exact(self) -> bool:
        """Check whether every move is judged."""
        return None not in self.scores

    @property
    def moves(self) -> tuple[JudgedMove, ...]:
        """Every move, judged."""
        return tuple(self._moves())

    def _moves(self) -> Iterator[JudgedMove]:
        position = self.start
        for ply, (column, (before, left)) in enumerate(zip(self.columns, pairwise(self.scores), strict=True)):
            is_known = before is not None and left is not None
            yield JudgedMove(
                position,
                column,
                before if is_known else None,
                None if before is None or left is None else -left,
                ply >= self.opening,
                self.better.get(ply, ()),
                self.explanations.get(ply),
            )
            position = position.play(column)

    def count(self, player: int) -> PlayersMoves:
        """Count the moves of a player."""
        own = [(ply, move) for ply, move in enumerate(self._moves()) if move.player == player]
        grades = Counter(move.grade for _, move in own)
        moments = [(ply, move) for ply, move in own if ply >= OPENING_DISCS and move.can_be_seen]
        kinds = [*Oversight, None]
        moments.sort(key=lambda moment: (kinds.index(moment[1].oversight), _rank(moment[1].mistake)))
        return PlayersMoves(
            {grade: grades[grade] for grade in Grade},
            accuracy(move.mistake for _, move in own if move.is_judged),
            sum(move.has_seen for _, move in own),
            tuple(sorted(ply for ply, _ in moments[:MAX_MOMENTS])),
        )

    def played_by(self, first: int, opening: int) -> JudgedGame:
        """Return the same moves as a game in which this player began, with a given opening."""
        explanations = self.explanations
        if first != self.start.player:
            explanations = {ply: each.with_players_swapped() for ply, each in explanations.items()}
        start = Position(self.start.width, self.start.height, first)
        return replace(self, start=start, opening=opening, explanations=explanations)

    def losing_ply(self, player: int) -> int | None:
        """Return the index of the player's first move that is proven to have made its game a lost one, if any."""
        losing = (Mistake.DRAW_TO_LOSS, Mistake.WIN_TO_LOSS)
        plies = (ply for ply, move in enumerate(self._moves()) if move.player == player and move.mistake in losing)
        return next(plies, None)

    def to_dict(self) -> dict[str, Any]:
        """Return the judged game for programs. Columns count from 0."""
        moves = self.moves
        players = []
        for player in (1, 2):
            counts = self.count(player)
            players.append(
                {
                    "player": player,
                    "moves": sum(counts.grades.values()),
                    **{grade.plural: count for grade, count in counts.grades.items()},
                    "seen": counts.seen,
                    "to_see": counts.to_see,
                    "accuracy": counts.accuracy,
                    "moments": [{"ply": ply, "better": moves[ply].alternatives} for ply in counts.moments],
                }
            )
        return {"moves": [move.to_dict() for move in moves], "players": players, "exact": self.is_exact}


def _rank(mistake: Mistake | None) -> int:
    """Rank mistakes by what they cost: a whole point, then half of one, then time; unknown ones come last."""
    return 101 if mistake is None else mistake.percent


def judge(
    start: Position,
    columns: Iterable[int],
    *,
    poll: Callable[[], None] = do_nothing,
    after_score: Callable[[], None] = do_nothing,
    engine: Engine | None = None,
) -> JudgedGame:
    """Judge moves played one after the other from a position, as far back from the last one as the poll allows.

    On the usual board that takes at most a second for nearly every game. `poll` is called frequently; once it raises
    OutOfTimeError or TooHardError, the moves before are left unproven. `after_score` is called after every score.
    `engine` is by default this thread's.
    Raises IllegalMoveError for a column that is full or does not exist, GameOverError for a move after the end.
    """
    from connect4_agent.engine.engine import engine_for  # noqa: PLC0415  # reading a run's games loads no solver

    engine = engine or engine_for(start.width, start.height)
    columns = tuple(columns)
    backwards: list[int] = []
    better: dict[int, tuple[int, ...]] = {}
    with suppress(errors.OutOfTimeError, errors.TooHardError):
        for score in scores_backwards(start, columns, poll=poll, engine=engine):
            backwards.append(score)
            after_score()
    unproven = [None] * (len(columns) + 1 - len(backwards))
    judged = JudgedGame(start, columns, (*unproven, *reversed(backwards)))
    with suppress(errors.OutOfTimeError, errors.TooHardError):
        for ply, move in enumerate(judged.moves):
            if move.score_before is not None and move.mistake is not None:
                better[ply] = tuple(engine.best_columns(move.position, move.score_before, poll))
                after_score()
    return replace(judged, better=better)


def scores_backwards(
    start: Position,
    columns: Iterable[int],
    *,
    poll: Callable[[], None] = do_nothing,
    engine: Engine | None = None,
) -> Iterator[int]:
    """Yield the scores of the positions after and between the moves and before them, the last one first.

    Each comes as soon as it is known: early positions of large boards may take days. Raises as `judge` does.
    """
    from connect4_agent.engine.engine import engine_for  # noqa: PLC0415  # reading a run's games loads no solver

    reached = [start]
    for ply, column in enumerate(columns):
        poll()  # a large board has thousands of moves, and most of the last ones are known without a search
        if reached[-1].is_over:
            raise errors.GameOverError(f"move {ply + 1} is column {column}, but the game was over before it")
        reached.append(reached[-1].play(column))
    engine = engine or engine_for(start.width, start.height)
    # The end of a game first: the table then holds what the positions before lead to.
    for position in reversed(reached):
        poll()
        yield finished_score(position) if position.is_over else engine.score(position, poll)
