"""Hints: how often modelled beginners get one that says something, and how often "nothing urgent" is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from time import process_time

from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.limits import NO_LIMITS
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.explain import explain_mistakes
from connect4_agent.reasons.hints import SHORT_MOVES, HintKind, find_hint
from connect4_agent.reasons.judge import judge
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from tools.benchmarks.tables import Figures

GAMES = 100
QUICK_GAMES = 12
"""For each model and level."""

MODELS = {"random": (0.0, 0.0), "child": (0.7, 0.5), "careful": (1.0, 1.0)}
"""The chances to see one's own four, and one of the other side."""

LEVELS = (1, 2, 3, 4)


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    kinds: Counter[str] = Counter()
    wrong = games = with_moments = moments = 0
    longest = spent = 0.0
    for model, sees in MODELS.items():
        for level in LEVELS:
            for number in range(QUICK_GAMES if quick else GAMES):
                random = Random(f"{model} {level} {number}")
                columns, turns = play_game(sees, level, random, person=1 + number % 2)
                for position in turns:
                    started = process_time()
                    hint = find_hint(position)
                    took = process_time() - started
                    spent, longest = spent + took, max(longest, took)
                    kinds[hint.kind] += 1
                    wrong += hint.kind is HintKind.QUIET and loses_soon(position)
                judged = explain_mistakes(judge(Position(), columns))
                found = judged.count(1 + number % 2).moments
                games, with_moments, moments = games + 1, with_moments + bool(found), moments + len(found)
    turns_count = kinds.total()
    return [
        {"what": kind.value, "turns": kinds[kind], "of_all_share": kinds[kind] / turns_count} for kind in HintKind
    ] + [
        {"what": "hints", "turns": turns_count, "quiet_share": kinds[HintKind.QUIET] / turns_count,
         "quiet_but_losing": wrong, "mean_ms": 1000 * spent / turns_count, "longest_ms": 1000 * longest},
        {"what": "games", "count": games, "with_moments_share": with_moments / games, "moments": moments},
    ]  # fmt: skip


def play_game(
    sees: tuple[float, float], level: int, random: Random, person: int
) -> tuple[tuple[int, ...], list[Position]]:
    """Play a game of a model against a level; return the columns, and the positions in which the person was to move."""
    opponent = parse_player(f"level:{level}", random.randrange(1 << 30))
    position, columns, turns = Position(), [], []
    while not position.is_over:
        if position.player == person:
            turns.append(position)
            column = random.choice(list(_seen(position, sees, random)) or position.legal_columns())
        else:
            column = opponent.choose(position, NO_LIMITS).column
        columns.append(column)
        position = position.play(column)
    return tuple(columns), turns


def _seen(position: Position, sees: tuple[float, float], random: Random) -> Iterator[int]:
    for fours, chance in zip((position.winning_columns(), position.passed().winning_columns()), sees, strict=True):
        if fours and random.random() < chance:
            yield fours[0]
            return


def loses_soon(position: Position) -> bool:
    """Check whether a column loses within two moves of one's own."""
    scores = engine_for(position.width, position.height).column_scores(position)
    return any(
        score is not None and score < 0 and (moves_to_end(score, position.empty_count) or 0) <= SHORT_MOVES
        for score in scores
    )
