"""Review: the course of a game as a curve of text, how accurate both sides were, and its mistakes, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from connect4_agent import errors
from connect4_agent.engine.effort import default_seconds
from connect4_agent.engine.exact import exact_scores
from connect4_agent.engine.judge import JudgedGame, JudgedMove, scores_backwards
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.reasons import Explainer
from connect4_agent.rules.position import MOVE_SIGNS, Position
from connect4_agent.rules.reasons import Explanation
from connect4_agent.rules.scores import Grade, moves_to_end
from connect4_agent.terminal.drawing import Line, Signs
from connect4_agent.terminal.game import Game
from connect4_agent.terminal.screen import page_lines, seat_label, why_lines
from connect4_agent.terminal.seats import Seats

STEPS = ((3, 3), (8, 2))
"""How far from the middle a decided position is drawn: 3 rows with up to 3 moves to the end, 2 with up to 8, else 1."""

HIGHEST = 3
LABEL_WIDTH = 8
PROMPT_ROWS = 1
MOMENTS = 3
"""The most mistakes of a person that are looked at one by one."""

MARKS = {Grade.BEST: " ", Grade.INACCURACY: ".", Grade.MISTAKE: "?", Grade.BLUNDER: "?"}
"""Below the curve; the list says which is which."""


@dataclass(frozen=True, slots=True)
class Review:
    """A judged game, and for every mistake and blunder, by its index, what was better, and why."""

    game: JudgedGame
    better: dict[int, int]
    """A best column."""
    why: dict[int, Explanation]
    """What the move of a mistake leads to; some have no short reason."""

    @property
    def unknown(self) -> int:
        """How many of the first moves are not judged."""
        return next((ply for ply, move in enumerate(self.game.moves) if move.score is not None), len(self.game.moves))


def review_game(game: Game, poll: Callable[[], None]) -> Review:
    """The moves of the whole game; where time does not suffice for the first ones, the others. `poll` may raise."""
    start = Position(game.width, game.height, game.first)
    columns = game.columns
    limits = Limits(default_seconds(game.width, game.height), poll)
    started = limits.clock()
    poll = limits.started_poll()
    exact = exact_scores(game.width, game.height, poll)
    backwards: list[int] = []
    better: dict[int, int] = {}
    with suppress(errors.OutOfTimeError):
        for score in scores_backwards(start, columns, poll=poll):
            ply = len(columns) - len(backwards)
            if backwards:
                move = JudgedMove(start.after(columns[:ply]), columns[ply], score, -backwards[-1])
                if move.grade in (Grade.MISTAKE, Grade.BLUNDER):
                    better[ply] = exact.first_best_column(move.position, score)
            backwards.append(score)
    why = {}
    for ply in better:  # from the end, where reasons are found soonest
        explainer = Explainer(start.after(columns[:ply]), limits.since(started), looks_on=False)
        why[ply] = explainer.explain(columns[ply])
    return Review(JudgedGame.from_end(start, columns, backwards), better, why)


def moments_of(review: Review, seats: Seats) -> list[int]:
    """The mistakes to look at, by their index: of each person, or of both agents, up to three, the plainest first."""
    people = [player for player in (1, 2) if seats[player - 1].is_person] or [1, 2]
    moments = (ply for player in people for ply in review.game.moments(player)[:MOMENTS])
    return [ply for ply in moments if ply in review.why]


def moment_lines(review: Review, ply: int, seats: Seats, signs: Signs, columns: int, rows: int) -> list[Line]:
    """A mistake as a page: what it was, the board before it with marks, and why it was one; as much as fits."""
    label = seat_label(seats, signs, review.game.moves[ply].player)
    words = page_lines(_in_words(ply, review.game.moves[ply], review.better[ply], label), columns)
    return [*words, (), *why_lines(review.why[ply], columns, rows - len(words) - 1)]


def review_lines(review: Review, seats: Seats, signs: Signs, columns: int, rows: int) -> list[Line]:
    """The curve, the mistakes and blunders, and the accuracy; as many reasons and mistakes as fit."""
    moves = review.game.moves[review.unknown :]
    lines = [*_curve(moves, signs, columns - LABEL_WIDTH)]
    accuracy = [_accuracy(review.game, player, seat_label(seats, signs, player)) for player in (1, 2)]
    if review.unknown:
        accuracy.append(f"The first {review.unknown} moves take too long to judge on this board.")
    last = [part for text in accuracy for part in page_lines(text, columns)]
    mistakes: dict[int, list[Line]] = {}
    reasons: dict[int, list[Line]] = {}
    for ply in sorted(review.better):
        move = review.game.moves[ply]
        words = _in_words(ply, move, review.better[ply], seat_label(seats, signs, move.player))
        mistakes[ply] = page_lines(words, columns)
        if review.why[ply].reasons:
            reasons[ply] = page_lines(f"  {review.why[ply].summary}", columns)
    room = rows - PROMPT_ROWS - len(lines) - len(last)
    for shown in (reasons, mistakes):  # a mistake matters more than its reason, and the last ones decided the game
        for ply in [*shown]:
            if sum(map(len, (*mistakes.values(), *reasons.values()))) > max(room, 1):
                del shown[ply]
    told = [line for ply in mistakes for line in (*mistakes[ply], *reasons.get(ply, ()))]
    return [*lines, *told, *last]


def _height(move: JudgedMove) -> int:
    """Where the curve is after a move: above 0 player 1 wins, the further out the sooner."""
    assert move.score is not None
    count = moves_to_end(move.score, move.position.empty_count)
    if count is None:
        return 0
    height = next((height for most, height in STEPS if count <= most), 1)
    return height if (move.score > 0) == (move.player == 1) else -height


def _curve(moves: Sequence[JudgedMove], signs: Signs, width: int) -> Iterator[Line]:
    """Seven rows and the marks below them; in a narrow window a place stands for several moves."""
    share = max(1, -(-len(moves) // max(width, 1)))
    groups = [moves[begin : begin + share] for begin in range(0, len(moves), share)]
    labels = {HIGHEST: f"{signs.discs[0]} wins", 0: "draw", -HIGHEST: f"{signs.discs[1]} wins"}
    for height in range(HIGHEST, -HIGHEST - 1, -1):
        row = "".join(signs.discs[group[-1].player - 1] if _height(group[-1]) == height else " " for group in groups)
        yield ((f"{labels.get(height, ''):<{LABEL_WIDTH - 1}}{signs.upright}{row}".rstrip(), ""),)
    grades = list(Grade)
    worst = (max((move.grade for move in group if move.grade), key=grades.index) for group in groups)
    yield ((f"{'':<{LABEL_WIDTH}}{''.join(MARKS[grade] for grade in worst)}".rstrip(), "strong"),)


def _in_words(ply: int, move: JudgedMove, better: int, label: str) -> str:
    column, better_column = MOVE_SIGNS[move.column], MOVE_SIGNS[better]
    return f"Move {ply + 1}, {label}, {column}: {move.explanation} ({move.grade}); better: {better_column}"


def _accuracy(game: JudgedGame, player: int, label: str) -> str:
    grades = game.grades(player)
    if grades.accuracy is None:
        return f"{label}: no move"
    return f"{label}: accuracy {grades.accuracy:g} ({', '.join(grade.counted(grades.count(grade)) for grade in Grade)})"
