"""Judged moves: the solver's judgements of a run's games, kept beside the journal and added to the games.

RUN/judged.jsonl has a line for each game, `{"columns": [...], "scores": [...]}`: the moves, and the exact scores of
the positions before, between and after them, each from its side to move, or null if it could not be proven. For boards
other than 7x6 it also has `width` and `height`. By the index of the move, `better` has the columns that would have kept
the score, and `explanations` the short reasons for mistakes; player 1 is the one who began. Games with the same moves
share a line. A line that does not belong to any game does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import orjson

from connect4_agent import errors
from connect4_agent.arena.journal import open_in_run
from connect4_agent.arena.record import GameRecord
from connect4_agent.engine.kernel import forms
from connect4_agent.reasons.explanation import Explanation
from connect4_agent.reasons.judge import JudgedGame
from connect4_agent.reasons.words import describe
from connect4_agent.rules.position import USUAL_SIZE, Position

JUDGED_NAME = "judged.jsonl"

Judgements = dict[bytes, JudgedGame]
"""Judged games, each as if player 1 had begun, by what `game_key` makes of them."""


def format_game(game: JudgedGame) -> bytes:
    """Return a game as a line of the file, without its end."""
    line: dict[str, object] = {"columns": game.columns, "scores": game.scores}
    size = game.start.width, game.start.height
    if size != USUAL_SIZE:
        line |= {"width": size[0], "height": size[1]}
    if game.better:
        line["better"] = {str(ply): columns for ply, columns in game.better.items()}
    if game.explanations:
        line["explanations"] = {
            str(ply): explanation.to_dict(with_marks=False) for ply, explanation in game.explanations.items()
        }
    return orjson.dumps(line)


def parse_game(line: bytes) -> JudgedGame:
    """Return the game of a line of the file. Raises ValueError."""
    document = orjson.loads(line)
    try:
        size = document.get("width", USUAL_SIZE[0]), document.get("height", USUAL_SIZE[1])
        start = Position(*size)
        columns, scores = tuple(document["columns"]), tuple(document["scores"])
        explanations = {
            int(ply): Explanation.from_dict(start.after(columns[: int(ply)]), explanation)
            for ply, explanation in document.get("explanations", {}).items()
        }
        better = {int(ply): tuple(found) for ply, found in document.get("better", {}).items()}
        largest = (size[0] * size[1] + 1) // 2
        is_good = (
            forms.fits_compiled(*size)
            and len(scores) == len(columns) + 1
            and all(type(column) is int and 0 <= column < size[0] for column in columns)
            and all(score is None or (type(score) is int and abs(score) <= largest) for score in scores)
            and all(type(column) is int for found in better.values() for column in found)
            and all(describe(explanation, brief=True) for explanation in explanations.values())
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, errors.Connect4Error) as error:
        raise ValueError(f"this is not a judged game: {error!r}") from None
    if not is_good:
        raise ValueError("columns and scores do not belong to each other or to the board")
    return JudgedGame(start, columns, scores, better=better, explanations=explanations)


def can_be_judged(record: GameRecord) -> bool:
    """Return whether there is a move of an agent, on a board that the solver can hold."""
    return (
        forms.fits_compiled(record.width, record.height)
        and len(record.columns) > len(record.opening)
        and all(0 <= column < record.width for column in record.columns)
    )


def game_key(width: int, height: int, columns: Iterable[int]) -> bytes:
    """Return the same bytes for games of the same moves on the same board, a byte for each number."""
    return bytes((width, height, *columns))


def read_judgements(run: Path, note: Callable[[str], None]) -> Judgements:
    """Return the judged games of a run; lines that cannot be used are left out and noted. Raises RunFolderError."""
    path = run / JUDGED_NAME
    judgements: Judgements = {}
    try:
        file = open_in_run(run, JUDGED_NAME)
    except FileNotFoundError:
        return judgements
    except OSError as error:
        raise errors.RunFolderError(f"{path} cannot be read: {error.strerror}") from None
    with file:
        for number, line in enumerate(file, 1):
            try:
                game = parse_game(line)
            except ValueError:
                note(f"line {number} of {path} cannot be used and was left out")
                continue
            judgements[game_key(game.start.width, game.start.height, game.columns)] = game
    return judgements


def with_judgement(record: GameRecord, judgements: Judgements) -> GameRecord:
    """Return the game with the judgement of its moves, if there is one."""
    if not can_be_judged(record):
        return record
    found = judgements.get(game_key(record.width, record.height, record.columns))
    if found is None:
        return record
    return record.model_copy(update={"judged": found.played_by(record.first, len(record.opening))})
