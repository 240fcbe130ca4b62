"""The bodies of the web interface's requests and replies, except those that it shares with the line protocol."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from connect4_agent.engine.puzzles import PuzzleKind, PuzzleLevel, PuzzleTheme  # the same
from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.position import LARGEST_SIDE
from connect4_agent.rules.reasons import Meaning, ReasonKind
from connect4_agent.rules.scores import Grade, Mistake, Result
from connect4_agent.server.readings import cell_content


def _read_whole(value: object) -> object:
    """The integer that a JSON number such as 7.0 stands for."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Side = Annotated[int, Field(strict=True, ge=1, le=LARGEST_SIDE), BeforeValidator(_read_whole)]
ColumnNumber = Annotated[int, Field(strict=True, ge=0, lt=LARGEST_SIDE), BeforeValidator(_read_whole)]
PlainCell = Annotated[int, Field(strict=True, ge=0, le=2), BeforeValidator(_read_whole)]
PlayerNumber = Annotated[int, Field(strict=True, ge=1, le=2), BeforeValidator(_read_whole)]


CellName = Annotated[str, Field(pattern=r"^[a-z]{1,2}[1-9][0-9]?$")]


class Model(BaseModel):
    """The body of a request or reply."""

    model_config = ConfigDict(defer_build=True, use_attribute_docstrings=True)


def _known_cell(value: object) -> object:
    """A cell's content as an integer, however it is written; anything else is returned as it is, to be refused."""
    content = cell_content(value)
    return value if content is None else content


Cell = Annotated[
    int,
    BeforeValidator(_known_cell),
    Field(strict=True, ge=0, le=2),
    WithJsonSchema(
        {
            "description": "0 empty, 1 and 2 the players; -1, null and text are read as well",
            "anyOf": [
                {"type": "integer", "enum": [0, 1, 2, -1]},
                {"type": "string", "enum": ["0", "1", "2", "-1"]},
                {"type": "null"},
            ],
        }
    ),
]
_SIDE: dict[str, Any] = {"minItems": 1, "maxItems": LARGEST_SIDE}
Column = Annotated[list[Cell], Field(json_schema_extra=_SIDE)]


class RequestModel(BaseModel):
    """What a manager asks. Only the grid is required; the rest is checked against it, with warnings."""

    grid: Annotated[list[Column], Field(json_schema_extra=_SIDE)]
    """The columns from left to right, each from its top cell to its bottom cell: 0 empty, 1 and 2 the players."""
    height: Any = None
    width: Any = None
    player: Any = None


class MoveReply(Model):
    """The line protocol's answer."""

    move: int


class ExplainedReply(MoveReply):
    """The line protocol's answer with `--explain`."""

    score: int | None
    exact: bool
    depth: int
    nodes: int
    elapsed_ms: float
    line: tuple[int, ...]


class ErrorReply(Model):
    """The line protocol's answer if there is no move."""

    error: str
    code: str


def encode(reply: Model) -> bytes:
    """A reply as one line."""
    return orjson.dumps(reply.model_dump(), option=orjson.OPT_APPEND_NEWLINE)


class AnalysisReply(Model):
    """The exact scores of a position, from the side to move; null where nothing is proven."""

    exact: bool
    """False if time ran out: `best` is then what a search prefers, and only proven scores are given."""
    score: int | None
    """0 is a draw, +k a win with the winner's k-th last disc, -k a loss to the opponent's k-th last disc."""
    verdict: str | None
    """The score in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
    scores: list[int | None]
    """The score if this column is played, from left to right."""
    verdicts: list[str | None]
    results: list[Result | None]
    """The same in one word."""
    moves_to_end: list[int | None]
    """The number of moves until the winner's last disc; also null for a draw."""
    best: list[int]
    """The columns that keep the score, counted from 0, nearest to the centre first."""
    line: list[int]
    """Best play by both sides; only its first column unless `explain` asks for more."""
    nodes: int
    elapsed_ms: float


_SIDES = Field(min_length=1, max_length=LARGEST_SIDE)


class JudgeRequest(Model):
    """A game from the empty board, or from a position that was set up."""

    model_config = ConfigDict(strict=True, extra="forbid")

    columns: list[ColumnNumber] = Field(max_length=LARGEST_SIDE * LARGEST_SIDE)
    """The columns played, counted from 0."""
    width: Side = 7
    height: Side = 6
    first: PlayerNumber = 1
    """The player who began."""
    grid: Annotated[list[Annotated[list[PlainCell], _SIDES]], _SIDES] | None = None
    """The position that was set up, as in the line protocol; `width` and `height` are then its own."""


class PlanModel(Model):
    """A rule that answers every move of the other side."""

    model_config = ConfigDict(strict=True, extra="forbid")

    kept: list[CellName] = Field(default_factory=list, max_length=LARGEST_SIDE)
    """The cells below the threats that are saved for later, such as `b2`."""
    answers: list[Annotated[list[CellName], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list, max_length=LARGEST_SIDE * LARGEST_SIDE
    )
    """Two cells each: if the other side takes the first, the plan takes the second."""
    spare: ColumnNumber | None = None
    """The column in which spare moves are played first; null is the nearest to the centre."""


class PlanRequest(JudgeRequest):
    """A game in which the plan's side is to move."""

    columns: list[ColumnNumber] = Field(min_length=1, max_length=LARGEST_SIDE * LARGEST_SIDE)
    plan: PlanModel


class MarkReply(Model):
    """A cell that a reason is about."""

    cell: str
    """Such as `e3`: column e, the third row from the bottom."""
    column: int
    row: int
    """Counted from 0, like the column."""
    player: int | None
    """Whose threat, need or move it is."""
    meaning: Meaning
    number: int | None
    """Of a move in the line, from 1 on, or of a pair."""


class ReasonReply(Model):
    """One side's proof that it wins, or that it does not lose."""

    kind: ReasonKind
    player: int
    proves: Result
    lead: list[int]
    """The columns that are played before it applies."""
    covered: bool
    """Whether every reply during the lead has a reason; otherwise only the best defence was followed."""
    cases: int
    line: list[int]
    """The forced sequence, or the longest play against the plan."""
    plan: PlanModel | None
    """What `/api/plan` plays."""
    threats: list[str]
    needed: list[str]
    checked: int


class ExplanationReply(Model):
    """Why a position, or a column in it, is worth what it is."""

    column: int | None
    result: Result | None
    """For the side to move; null if it could not be proven in the time."""
    kind: ReasonKind
    covered: bool
    mistake: Mistake | None
    """What the column gave away, if it changed the result."""
    summary: str
    """The reason in at most 20 words."""
    text: str
    marks: list[MarkReply]
    line: list[int]
    key_cell: str | None
    """The cell of a right move that the other side takes after a mistake."""
    best_columns: list[int]
    """The columns that keep the result."""
    best: ExplanationReply | None
    """For a mistake, the explanation of a right move."""
    reasons: list[ReasonReply]
    """The reason; for a draw, one of each side; empty if none was found."""
    checked: int
    """The number of positions in which plans and sequences were tried."""
    legend: dict[str, str] = Field(default_factory=dict)
    """The terms that the text uses, each explained in a sentence."""


class JudgedMoveReply(Model):
    """What a move did to the score of its position, from the side that made it."""

    column: int
    score_before: int | None
    """The position's score before the move; null if time ran out."""
    score: int | None
    """The score after the move."""
    mistake: Mistake | None
    oversight: Oversight | None
    """What a person could have seen before the move; known even if time ran out."""
    grade: Grade | None
    """How good the move was; null if nothing is known of it."""
    explanation: str | None
    """The oversight in words, or else the mistake: `misses four in a row`, `turns a win into a loss`."""
    changes_result: bool
    """Whether the mistake changes the result of the game with perfect play from here."""
    verdict_before: str | None
    """score_before in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
    verdict: str | None
    moves_to_end_before: int | None
    """How many discs the winner still plays in that position; null for a draw."""
    moves_to_end: int | None
    """The same once the column is chosen, counting this move's own disc."""


class MomentReply(Model):
    """A move to look at again."""

    ply: int
    """Its index among the moves."""
    oversights: list[Oversight | None]
    """What each column would have overlooked there."""


class PlayerGrades(Model):
    """One player's moves in a game, counted by their grades."""

    player: int
    moves: int
    """How many moves have a grade."""
    best: int
    inaccuracies: int
    """The result stays, but the win comes later or the loss sooner."""
    mistakes: int
    """They change the result, but nothing was overlooked that a person could see."""
    blunders: int
    """Oversights."""
    seen: int
    """How many moves kept the result where another column would have been an oversight."""
    to_see: int
    """These and the oversights."""
    accuracy: float | None
    """The mean of 100 for what was seen, 50 for mistakes and 0 for oversights; null without any of them."""
    moments: list[MomentReply]
    """The moves to look at: oversights, the plainest first, then mistakes."""


class JudgeReply(Model):
    """Every move of a game, judged."""

    moves: list[JudgedMoveReply]
    players: list[PlayerGrades]
    """Player 1 and player 2."""
    exact: bool
    """False if time ran out: the scores of the first moves are then not known."""


class PuzzleReply(Model):
    """A position in which exactly one column is right."""

    name: str
    """What people call it: `Tuesday, #321`, `Zugzwang, hard #17`."""
    kind: PuzzleKind
    """What to find: the only column that wins, the only one that keeps the draw, the only one that loses."""
    theme: PuzzleTheme | None
    """Why the answer is right; null for a puzzle from a game."""
    question: str
    """What to find as a sentence: `Win in 3 moves.`"""
    level: PuzzleLevel
    depth: int
    """How many moves ahead one has to look: discs of the winner."""
    seed: int | None
    """Its number."""
    date: str | None
    """The day whose puzzle it is."""
    width: int
    height: int
    first: int
    """The player who began."""
    player: int
    """The player to move."""
    columns: list[int]
    """The moves from the empty board, counted from 0."""
    grid: list[list[int]]
    """The position, as in the line protocol."""
    answer: int
    """The one right column."""
    explanation: str
    """What it leads to, as a sentence."""
    reason: ExplanationReply
    """Why it wins, draws or loses."""
    scores: list[int | None]
    """The score if this column is played; null if it is full."""
    results: list[Result | None]
    verdicts: list[str | None]
    moves_to_end: list[int | None]
    line: list[int]
    """Best play by both sides after the answer."""


class PuzzlesReply(Model):
    """The puzzles in the mistakes of a game, in the order of the moves."""

    puzzles: list[PuzzleReply]
    exact: bool
    """False if time ran out: the first moves were then not examined."""


class PlayerEntry(Model):
    """A built-in player."""

    name: str
    description: str
    is_level: bool
    settings: list[str]
    """The options that may follow the name, as in `negamax:depth=6`."""


class LimitsEntry(Model):
    """The server's limits."""

    largest_side: int
    longest_seconds: float


class PlayersReply(Model):
    """The players that can be asked for moves."""

    players: list[PlayerEntry]
    agents: list[str]
    """The command-line agents that the server was started with."""
    default_player: str
    has_run: bool
    """Whether the server was started with a run."""
    limits: LimitsEntry
    version: str


AnyJson = dict[str, Any]
