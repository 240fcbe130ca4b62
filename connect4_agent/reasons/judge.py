"""JudgedGame: what every move of a game did to the exact score of its position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.rules.oversights import Oversight, oversights
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import (
    Grade,
    GradeCounts,
    Mistake,
    finished_score,
    grade_of,
    mistake_of,
    moves_to_end,
    verdict,
)

if TYPE_CHECKING:
    from connect4_agent.engine.engine import Engine

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
    """What the position was worth; None if that, or what the move left, is not proven."""
    score: int | None
    """What the move left."""
    is_chosen: bool = True
    """False for a move of a given opening, which is nobody's mistake."""

    @property
    def player(self) -> int:
        """Who made it, 1 or 2."""
        return self.position.player

    @property
    def is_judged(self) -> bool:
        """Whether somebody chose it, and its scores are proven."""
        return self.is_chosen and self.score is not None

    @property
    def mistake(self) -> Mistake | None:
        """What the move gave away, if anything is proven."""
        if self.score_before is None or self.score is None or not self.is_chosen:
            return None
        return mistake_of(self.score_before, self.score)

    @property
    def _oversights(self) -> Mapping[int, Oversight]:
        return oversights(self.position) if self.is_chosen else {}

    @property
    def oversight(self) -> Oversight | None:
        """What the player could have seen, proven or not."""
        return self._oversights.get(self.column)

    @property
    def grade(self) -> Grade | None:
        """How good the move was; None if nothing is known of it, and for a move of an opening."""
        return grade_of(self.mistake, self.oversight) if self.is_judged or self.oversight else None

    @property
    def has_seen(self) -> bool:
        """Whether the player could have overlooked something and did not, and kept the result."""
        return bool(self._oversights) and self.oversight is None and not self.changes_result

    @property
    def explanation(self) -> str | None:
        """What was overlooked, or else what the move gave away, in words."""
        wrong = self.oversight or self.mistake
        return None if wrong is None else wrong.explanation

    @property
    def changes_result(self) -> bool:
        """Whether the mistake changes the result of the game under perfect play from here."""
        return self.mistake is not None and self.mistake.changes_result

    def to_dict(self) -> dict[str, Any]:
        """The move for programs, with its scores in words."""
        empty_count = self.position.empty_count
        words: list[str | None] = [None, None]
        ends: list[int | None] = [None, None]
        for index, score in enumerate((self.score_before, self.score)):
            if score is not None:
                words[index], ends[index] = verdict(score, empty_count), moves_to_end(score, empty_count)
        return {
            "column": self.column,
            "score_before": self.score_before,
            "score": self.score,
            "mistake": self.mistake,
            "oversight": self.oversight,
            "grade": self.grade,
            "explanation": self.explanation,
            "changes_result": self.changes_result,
            "verdict_before": words[0],
            "verdict": words[1],
            "moves_to_end_before": ends[0],
            "moves_to_end": ends[1],
        }


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """The moves of a game, with the exact scores of the positions that they lead through."""

    start: Position
    """Where the game began."""
    columns: tuple[int, ...]
    """The columns played from there, counted from 0."""
    scores: Scores
    """The scores of the positions before, between and after the moves, each from its side to move.

    None for those that could not be proven in time: the first ones.
    """
    opening: int = 0
    """How many of the first moves nobody chose."""
    reasons: Mapping[int, str] = field(default_factory=dict)
    """Why mistakes are ones, by the index of the move, in words in which player 1 is the one who began.

    Only of mistakes that changed the result, if somebody has looked for a short reason and found one.
    """

    @classmethod
    def from_end(cls, start: Position, columns: tuple[int, ...], backwards: Sequence[int]) -> JudgedGame:
        """A game with the scores of its last positions, the last one first; the others are not proven."""
        unproven = [None] * (len(columns) + 1 - len(backwards))
        return cls(start, columns, (*unproven, *reversed(backwards)))

    @property
    def is_exact(self) -> bool:
        """Whether every move is judged."""
        return None not in self.scores

    @property
    def moves(self) -> tuple[JudgedMove, ...]:
        """Every move, judged."""
        return tuple(self._moves())

    def _moves(self) -> Iterator[JudgedMove]:
        position = self.start
        for ply, (column, (before, left)) in enumerate(zip(self.columns, pairwise(self.scores), strict=True)):
            is_chosen = ply >= self.opening
            if before is None or left is None:
                yield JudgedMove(position, column, None, None, is_chosen)
            else:
                yield JudgedMove(position, column, before, -left, is_chosen)
            position = position.play(column)

    def grades(self, player: int) -> GradeCounts:
        """How many of a player's moves have each grade, and the player's accuracy."""
        own = [move for move in self._moves() if move.player == player]
        counts = Counter(move.grade for move in own)
        best, inaccuracy, mistake, blunder = (counts[grade] for grade in Grade)
        return GradeCounts(best, inaccuracy, mistake, blunder, seen=sum(move.has_seen for move in own))

    def moments(self, player: int) -> list[int]:
        """The indices of the player's moves to look at: oversights, the plainest first, then mistakes of theory.

        Among those of a kind, what cost most comes first.
        """
        kinds = [*Oversight, None]
        own = [(ply, move) for ply, move in enumerate(self._moves()) if move.player == player]
        found = [(ply, move) for ply, move in own if move.grade in (Grade.MISTAKE, Grade.BLUNDER)]
        found.sort(key=lambda each: (kinds.index(each[1].oversight), _rank(each[1].mistake)))
        return [ply for ply, _ in found]

    def _moment(self, ply: int) -> dict[str, Any]:
        position = self.start.after(self.columns[:ply])
        found = oversights(position)
        return {"ply": ply, "oversights": [found.get(column) for column in range(position.width)]}

    def losing_ply(self, player: int) -> int | None:
        """The index of the player's first move that is proven to have made its game a lost one, if there is one."""
        losing = (Mistake.DRAW_TO_LOSS, Mistake.WIN_TO_LOSS)
        plies = (ply for ply, move in enumerate(self._moves()) if move.player == player and move.mistake in losing)
        return next(plies, None)

    def to_dict(self) -> dict[str, Any]:
        """The judged game for programs. Columns are counted from 0."""
        players = []
        for player in (1, 2):
            grades = self.grades(player)
            players.append(
                {
                    "player": player,
                    "moves": grades.moves,
                    "best": grades.best,
                    "inaccuracies": grades.inaccuracy,
                    "mistakes": grades.mistake,
                    "blunders": grades.blunder,
                    "seen": grades.seen,
                    "to_see": grades.to_see,
                    "accuracy": grades.accuracy,
                    "moments": [self._moment(ply) for ply in self.moments(player)],
                }
            )
        return {"moves": [move.to_dict() for move in self._moves()], "players": players, "exact": self.is_exact}


def _rank(mistake: Mistake | None) -> int:
    """Which mistakes cost more: a whole point, then half of one, then time; unknown ones come last."""
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
    columns = tuple(columns)
    backwards: list[int] = []
    with suppress(errors.OutOfTimeError, errors.TooHardError):
        for score in scores_backwards(start, columns, poll=poll, engine=engine):
            backwards.append(score)
            after_score()
    return JudgedGame.from_end(start, columns, backwards)


def scores_backwards(
    start: Position,
    columns: Iterable[int],
    *,
    poll: Callable[[], None] = do_nothing,
    engine: Engine | None = None,
) -> Iterator[int]:
    """The scores of the positions after and between the moves and before them, the last one first.

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
