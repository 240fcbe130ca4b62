"""Hints: what modelled beginners are told before their moves and after their games, if it is true, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import NamedTuple

from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.limits import NO_LIMITS
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.explain import explain_mistakes
from connect4_agent.reasons.hints import Hint, HintKind, ends_soon, find_hint, find_risks
from connect4_agent.reasons.judge import OPENING_DISCS, JudgedGame, JudgedMove, judge
from connect4_agent.rules.oversights import Oversight, oversights
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from tools.benchmarks.tables import Figures

GAMES, QUICK_GAMES = 100, 8
"""For each model and level."""

HINTED_LEVELS = (1, 2, 3, 4)
"""Whom the models play for the figures of hints and moments."""


class Model(NamedTuple):
    """A beginner: the chances to see a four of one's own and one of the other side, and whether a question helps."""

    sees_own: float
    sees_other: float
    heeds: bool = False
    """Whether another column is chosen if "Are you sure?" is asked."""

    def choose(self, position: Position, source: Random) -> int:
        """Return a column."""
        column = source.choice(position.legal_columns())
        for fours, chance in (
            (position.passed().winning_columns(), self.sees_other),
            (position.winning_columns(), self.sees_own),
        ):
            if fours and source.random() < chance:
                column = fours[0]
        asked = {each for each, risk in oversights(position).items() if risk is not Oversight.ALLOWED_DOUBLE}
        if self.heeds and column in asked:
            return source.choice([each for each in position.legal_columns() if each not in asked])
        return column


MODELS = {
    "random": Model(0, 0),
    "child": Model(0.7, 0.5),
    "careful child": Model(0.7, 0.5, heeds=True),
    "wins and blocks": Model(1, 1),
    "two plies": Model(1, 1, heeds=True),
}


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    count = QUICK_GAMES if quick else GAMES
    kinds: Counter[str] = Counter()
    false: Counter[str] = Counter()
    games = with_moments = moments = oversights_shown = 0
    longest = spent = 0.0
    for _, _, person, columns, turns in _games(HINTED_LEVELS, count):
        for position in turns:
            started = process_time()
            hint = find_hint(position)
            took = process_time() - started
            spent, longest = spent + took, max(longest, took)
            kinds[hint.kind] += 1
            false.update(false_statements(hint))
        judged = explain_mistakes(judge(Position(), columns))
        found = judged.count(person).moments
        shown = [judged.moves[ply] for ply in found]
        false.update(false_moments(judged, person))
        games, with_moments, moments = games + 1, with_moments + bool(found), moments + len(found)
        oversights_shown += sum(move.oversight is not None for move in shown)
    turns_count = kinds.total()
    return [
        {"what": kind.value, "turns": kinds[kind], "of_all_share": kinds[kind] / turns_count} for kind in HintKind
    ] + [
        {"what": "hints", "turns": turns_count, "quiet_share": kinds[HintKind.QUIET] / turns_count,
         "quiet_but_losing": false["quiet but losing"], "false_statements": false.total(),
         "mean_ms": 1000 * spent / turns_count, "longest_ms": 1000 * longest},
        {"what": "games", "count": games, "with_moments_share": with_moments / games, "moments": moments,
         "oversights_share": oversights_shown / max(1, moments)},
        *({"what": f"false: {what}", "count": count} for what, count in false.items()),
        *_wins(quick=quick),
    ]  # fmt: skip


def _games(levels: tuple[int, ...], count: int) -> Iterator[tuple[str, int, int, tuple[int, ...], list[Position]]]:
    """Yield games: the model, the level, the model's side, the columns, and the positions in which it was to move."""
    for name, model in MODELS.items():
        for level in levels:
            for number in range(count):
                person = 1 + number % 2
                source = Random(f"{name} {level} {number}")
                yield name, level, person, *_play(model, level, source, person)


def _play(model: Model, level: int, source: Random, person: int) -> tuple[tuple[int, ...], list[Position]]:
    opponent = parse_player(f"level:{level}", source.randrange(1 << 30))
    position, columns, turns = Position(), [], []
    while not position.is_over:
        if position.player == person:
            turns.append(position)
            columns.append(model.choose(position, source))
        else:
            columns.append(opponent.choose(position, NO_LIMITS).column)
        position = position.play(columns[-1])
    return tuple(columns), turns


def _wins(*, quick: bool) -> Figures:
    """Return how often each model wins and draws."""
    levels, count = ((1, 2, 3, 4), 2 * QUICK_GAMES) if quick else (tuple(range(1, 11)), 2 * GAMES)
    wins: Counter[tuple[str, int]] = Counter()
    draws: Counter[tuple[str, int]] = Counter()
    for name, level, person, columns, _ in _games(levels, count):
        winner = Position().after(columns).winner
        wins[name, level] += winner == person
        draws[name, level] += winner is None
    return [
        {"what": name, "level": level, "count": count, "wins_share": wins[name, level] / count,
         "draws_share": draws[name, level] / count}
        for name in MODELS for level in levels
    ]  # fmt: skip


def false_statements(hint: Hint) -> Iterator[str]:
    """Yield what a hint says wrongly, by the exact scores."""
    position = hint.position
    empty = position.empty_count
    scores = engine_for(position.width, position.height).column_scores(position)
    best = max(score for score in scores if score is not None)
    losing = {column for column, score in enumerate(scores) if ends_soon(score, empty, is_loss=True)}
    is_won, is_lost = best > 0, best < 0
    after = position.play(hint.column)
    if scores[hint.column] != best:
        yield "column is not best"
    if hint.kind is HintKind.QUIET and losing:
        yield "quiet but losing"
    if hint.kind not in (HintKind.BLOCK, HintKind.FOUR) and hint.is_behind != is_lost:
        yield "behind"
    if hint.moves not in (None, moves_to_end(best, empty)):
        yield "moves"
    true_if = {
        HintKind.FOUR: after.winner == position.player,
        HintKind.BLOCK: hint.is_behind == bool(not after.is_over and after.winning_columns()),
        HintKind.DOUBLE: ends_soon(best, empty),
        HintKind.STOP: set(hint.avoid) == losing and hint.column not in losing and _is_shown(hint),
        HintKind.FORCED: is_won,
        HintKind.PLAN: is_won == bool(hint.moves) and not is_lost,
        HintKind.BEHIND: is_lost,
    }
    if not true_if.get(hint.kind, True):
        yield hint.kind.value
    for risk in find_risks(position):
        if risk and risk.oversight is not Oversight.MISSED_FOUR and risk.column not in losing:
            yield "risk"


def _is_shown(hint: Hint) -> bool:
    """Check that the cells of a danger are ones in which the other side makes four."""
    if hint.risk is None:
        return True
    after = hint.position.play(hint.risk.column)
    if hint.risk.oversight is not Oversight.ALLOWED_DOUBLE:
        return bool(after.winning_columns())
    reply, end, *others = (column for column, _ in hint.cells)
    threatened = after.play(reply)
    fours = {*threatened.passed().winning_columns(), *threatened.play(end).winning_columns()}
    return not threatened.winning_columns() and {end, *others} <= fours


def false_moments(judged: JudgedGame, player: int) -> Iterator[str]:
    """Yield what is wrong with the moments of a player, by the exact scores."""
    counts = judged.count(player)
    if list(counts.moments) != sorted(counts.moments):
        yield "moments out of order"
    for ply in counts.moments:
        move: JudgedMove = judged.moves[ply]
        scores = engine_for(7, 6).column_scores(move.position)
        if move.player != player or ply < OPENING_DISCS:
            yield "moment of another"
        if move.score != scores[move.column] or not (move.oversight or move.changes_result):
            yield "moment is not a mistake"
