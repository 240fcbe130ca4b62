"""Judged moves: what the solver found about a run's games, kept beside the journal and added to the games.

RUN/judged.jsonl has a line for each game, `{"columns": [...], "scores": [...]}`: the moves, and the exact scores of
the positions before, between and after them, each from its side to move, or null if it could not be proven; for boards
other than 7x6 also `width` and `height`. Games with the same moves share a line, whoever played them. A line that does
not belong to any game does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from connect4_agent import errors
from connect4_agent.arena.run.journal import open_in_run, read_games
from connect4_agent.arena.run.record import GameRecord, MoveJudgement
from connect4_agent.engine.kernel import forms
from connect4_agent.rules.position import LARGEST_SIDE, USUAL_SIZE
from connect4_agent.rules.scores import mistake_of

Scores = tuple[int | None, ...]
"""Exact scores, and None for those that could not be proven."""

JUDGED_NAME = "judged.jsonl"

LARGEST_SCORE = max(forms.WORD_BITS.values()) // 2
"""No score of a board that is judged is larger: the winner has half of the cells."""

UNPROVEN = 255
"""The byte of a score that could not be proven."""

Judgements = dict[bytes, bytes]
"""By what `game_key` makes of a game: what `packed` makes of its scores. A journal may hold very many games."""

Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE)]


class JudgedGame(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: tuple[Annotated[int, Field(ge=0)], ...]
    scores: Scores
    width: Side = USUAL_SIZE[0]
    height: Side = USUAL_SIZE[1]

    @model_validator(mode="after")
    def _check(self) -> JudgedGame:
        if len(self.scores) != len(self.columns) + 1:
            raise ValueError(f"{len(self.columns)} columns have {len(self.scores)} scores; there must be one more")
        if not forms.fits_compiled(self.width, self.height):
            raise ValueError(f"a board of {self.width} columns and {self.height} rows is too large to be judged")
        if max(self.columns, default=0) >= self.width:
            raise ValueError(f"column {max(self.columns)} is not on a board of {self.width} columns")
        largest = (self.width * self.height + 1) // 2
        if any(score is not None and abs(score) > largest for score in self.scores):
            raise ValueError(f"no score on this board is beyond {largest}")
        return self


def can_be_judged(record: GameRecord) -> bool:
    """Whether there is a move of an agent, on a board that the solver can hold."""
    return (
        forms.fits_compiled(record.width, record.height)
        and len(record.columns) > len(record.opening)
        and all(0 <= column < record.width for column in record.columns)
    )


def game_key(width: int, height: int, columns: Iterable[int]) -> bytes:
    """The same for games of the same moves on the same board, a byte for each number."""
    return bytes((width, height, *columns))


def packed(scores: Scores) -> bytes:
    """The scores in a byte each."""
    return bytes(UNPROVEN if score is None else score + LARGEST_SCORE for score in scores)


def read_judgements(run: Path, note: Callable[[str], None]) -> Judgements:
    """What has been judged of a run; lines that cannot be used are left out and noted. Raises RunFolderError."""
    path = run / JUDGED_NAME
    found: Judgements = {}
    try:
        file = open_in_run(run, JUDGED_NAME)
    except FileNotFoundError:
        return found
    except OSError as error:
        raise errors.RunFolderError(f"{path} cannot be read: {error.strerror}") from None
    with file:
        for number, line in enumerate(file, 1):
            try:
                game = JudgedGame.model_validate_json(line)
            except ValidationError:
                note(f"line {number} of {path} cannot be used and was left out")
                continue
            found[game_key(game.width, game.height, game.columns)] = packed(game.scores)
    return found


def read_judged_games(
    run: Path, note: Callable[[str], None], bad_line: Callable[[str], None] | None = None
) -> Iterator[GameRecord]:
    """The games of a run's journal, as `read_games` gives them, with what has been judged of them."""
    judgements = read_judgements(run, note)
    for record in read_games(run, note, bad_line):
        yield with_judgement(record, judgements)


def with_judgement(record: GameRecord, judgements: Judgements) -> GameRecord:
    """The game with the judgement of its moves, if there is one."""
    if not can_be_judged(record):
        return record
    kept = judgements.get(game_key(record.width, record.height, record.columns))
    if kept is None:
        return record
    scores = [None if byte == UNPROVEN else byte - LARGEST_SCORE for byte in kept]
    judged: list[MoveJudgement | None] = []
    for ply, (before, left) in enumerate(pairwise(scores)):
        if before is None or left is None:
            judged.append(None)
            continue
        mistake = None if ply < len(record.opening) else mistake_of(before, -left)
        judged.append(MoveJudgement(score_before=before, score=-left, mistake=mistake))
    return record.model_copy(update={"judged": tuple(judged)})
