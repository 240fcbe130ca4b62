"""Judgements: the solver's word on a run's games, as it is kept beside the journal and added to the games.

RUN/judged.jsonl has a line for each game, `{"columns": [...], "scores": [...]}`: the moves, and the exact scores of
the positions before, between and after them, each from its side to move. Games with the same moves share a line,
whoever played them. A line that does not belong to any game does no harm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from connect4_agent import errors
from connect4_agent.arena.record import MoveJudgement
from connect4_agent.arena.report import read_games
from connect4_agent.engine.judging import JudgedMove

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from connect4_agent.arena.record import GameRecord

JUDGED_NAME = "judged.jsonl"

WIDTH, HEIGHT = 7, 6
"""The board on which every game can be judged in reasonable time."""

LARGEST_SCORE = WIDTH * HEIGHT // 2

Judgements = dict[bytes, bytes]
"""By a game's columns, a byte each: the scores, each with LARGEST_SCORE added. A journal may hold very many games."""


class JudgedGame(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: tuple[Annotated[int, Field(ge=0, lt=WIDTH)], ...]
    scores: tuple[Annotated[int, Field(ge=-LARGEST_SCORE, le=LARGEST_SCORE)], ...]

    @model_validator(mode="after")
    def _check_length(self) -> JudgedGame:
        if len(self.scores) != len(self.columns) + 1:
            raise ValueError(f"{len(self.columns)} columns have {len(self.scores)} scores; there must be one more")
        return self


def can_be_judged(record: GameRecord) -> bool:
    """Whether there is a move of an agent, on the board that is judged."""
    return (
        (record.width, record.height) == (WIDTH, HEIGHT)
        and len(record.columns) > len(record.opening)
        and all(0 <= column < WIDTH for column in record.columns)
    )


def read_judgements(run: Path, note: Callable[[str], None]) -> Judgements:
    """What has been judged of a run; lines that cannot be used are left out and noted. Raises RunFolderError."""
    path = run / JUDGED_NAME
    found: Judgements = {}
    try:
        file = path.open("rb")
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
            found[bytes(game.columns)] = bytes(score + LARGEST_SCORE for score in game.scores)
    return found


def read_judged_games(run: Path, note: Callable[[str], None]) -> Iterator[GameRecord]:
    """The games of a run's journal, one at a time, with what has been judged of them."""
    judgements = read_judgements(run, note)
    for record in read_games(run, note):
        yield with_judgement(record, judgements)


def with_judgement(record: GameRecord, judgements: Judgements) -> GameRecord:
    """The game with the judgement of its moves, where there is one."""
    if not can_be_judged(record) or (kept := judgements.get(bytes(record.columns))) is None:
        return record
    scores = [byte - LARGEST_SCORE for byte in kept]
    judged = []
    for ply, (column, before, left) in enumerate(zip(record.columns, scores, scores[1:], strict=False)):
        move = JudgedMove(column, before, -left)
        mistake = None if ply < len(record.opening) else move.mistake
        judged.append(MoveJudgement(score_before=before, score=-left, mistake=mistake))
    return record.model_copy(update={"judged": tuple(judged)})
