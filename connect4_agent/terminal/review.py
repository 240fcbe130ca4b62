"""Review: the course of a game as a curve of text, its mistakes in words, and how accurate both sides were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from connect4_agent import errors
from connect4_agent.engine.effort import hint_seconds
from connect4_agent.engine.exact import exact_scores
from connect4_agent.engine.judge import JudgedMove, judge_backwards
from connect4_agent.engine.limits import Limits
from connect4_agent.rules.position import MOVE_SIGNS, Position
from connect4_agent.rules.scores import Grade, GradeCounts, grade_of, moves_to_end
from connect4_agent.terminal.drawing import Line, Signs
from connect4_agent.terminal.game import Game
from connect4_agent.terminal.screen import page_lines, seat_label
from connect4_agent.terminal.seats import Seats

STEPS = ((3, 3), (8, 2))
"""How far from the middle a decided position is drawn: 3 rows with up to 3 moves to the end, 2 with up to 8, else 1."""

HIGHEST = 3
LABEL_WIDTH = 8
PROMPT_ROWS = 1

MARKS = {Grade.BEST: " ", Grade.INACCURACY: ".", Grade.MISTAKE: "?", Grade.BLUNDER: "?"}
"""Below the curve; the list says which is which."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a game, with what the solver says of it."""

    player: int
    judged: JudgedMove
    better: int | None
    """A column that would have kept the result, for a move that changed it."""
    empty_count: int
    """The empty cells before the move."""

    @property
    def grade(self) -> Grade:
        """How good it was."""
        return grade_of(self.judged.mistake)

    @property
    def height(self) -> int:
        """Where the curve is after it: above 0 player 1 wins, the further out the sooner."""
        moves = moves_to_end(self.judged.score, self.empty_count)
        if moves is None:
            return 0
        height = next((height for most, height in STEPS if moves <= most), 1)
        return height if (self.judged.score > 0) == (self.player == 1) else -height


def review_game(game: Game, poll: Callable[[], None]) -> list[ReviewedMove]:
    """The moves of the whole game; where time does not suffice for the first ones, the others. `poll` may raise."""
    seconds = hint_seconds(game.width, game.height)
    start = Position(game.width, game.height, game.first)
    poll = Limits(seconds, poll).started_poll()
    exact = exact_scores(game.width, game.height, poll)
    moves: list[ReviewedMove] = []
    try:
        for judged in judge_backwards(start, game.columns, poll=poll):
            ply = len(game.columns) - len(moves) - 1
            better = None
            if judged.mistake is not None and judged.mistake.changes_result:
                better = exact.first_best_column(start.after(game.columns[:ply]), judged.score_before)
            moves.append(ReviewedMove(game.player_at(ply), judged, better, start.empty_count - ply))
    except errors.OutOfTimeError:
        pass
    return moves[::-1]


def review_lines(
    game: Game, moves: list[ReviewedMove], seats: Seats, signs: Signs, columns: int, rows: int
) -> list[Line]:
    """The curve, the mistakes that changed the result, and the accuracy; as many mistakes as fit the window."""
    unknown = len(game.columns) - len(moves)
    lines = [*_curve(moves, signs, columns - LABEL_WIDTH)]
    accuracy = [_accuracy(moves, player, seat_label(seats, signs, player)) for player in (1, 2)]
    if unknown:
        accuracy.append(f"The first {unknown} moves take too long to judge on this board.")
    last = [part for text in accuracy for part in page_lines(text, columns)]
    mistakes = [
        page_lines(_in_words(ply, move, seat_label(seats, signs, move.player)), columns)
        for ply, move in enumerate(moves, unknown)
        if move.better is not None
    ]
    room = rows - PROMPT_ROWS - len(lines) - len(last)
    while sum(map(len, mistakes)) > max(room, 1):
        mistakes.pop(0)  # the last ones decided the game
    return [*lines, *(line for mistake in mistakes for line in mistake), *last]


def _curve(moves: list[ReviewedMove], signs: Signs, width: int) -> Iterator[Line]:
    """Seven rows and the marks below them; in a narrow window a place stands for several moves."""
    share = max(1, -(-len(moves) // max(width, 1)))
    groups = [moves[begin : begin + share] for begin in range(0, len(moves), share)]
    labels = {HIGHEST: f"{signs.discs[0]} wins", 0: "draw", -HIGHEST: f"{signs.discs[1]} wins"}
    for height in range(HIGHEST, -HIGHEST - 1, -1):
        row = "".join(signs.discs[group[-1].player - 1] if group[-1].height == height else " " for group in groups)
        yield ((f"{labels.get(height, ''):<{LABEL_WIDTH - 1}}{signs.upright}{row}".rstrip(), ""),)
    grades = list(Grade)
    worst = (max((move.grade for move in group), key=grades.index) for group in groups)
    yield ((f"{'':<{LABEL_WIDTH}}{''.join(MARKS[grade] for grade in worst)}".rstrip(), "strong"),)


def _in_words(ply: int, move: ReviewedMove, label: str) -> str:
    mistake, better = move.judged.mistake, move.better
    assert mistake is not None
    assert better is not None
    column = MOVE_SIGNS[move.judged.column]
    return f"Move {ply + 1}, {label}, {column}: {mistake.explanation} ({move.grade}); better: {MOVE_SIGNS[better]}"


def _accuracy(moves: list[ReviewedMove], player: int, label: str) -> str:
    counts = GradeCounts.of(move.judged.mistake for move in moves if move.player == player)
    if counts.accuracy is None:
        return f"{label}: no move"
    return f"{label}: accuracy {counts.accuracy:g} ({', '.join(grade.counted(counts.count(grade)) for grade in Grade)})"
