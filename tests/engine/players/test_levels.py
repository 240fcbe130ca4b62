"""The ladder: what each level may and may not do, on every board and within limits."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.levels import LADDER, LevelPlayer
from connect4_agent.engine.players.player import Player
from connect4_agent.engine.players.registry import LADDER_SUMMARIES, parse_player
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples
from tests.kernel_forms import forms_for

levels = st.sampled_from(sorted(LADDER))
searching = st.sampled_from([level for level, numbers in LADDER.items() if numbers.perfect == 0])
sizes = st.sampled_from([(7, 6), (6, 7), (4, 4), (5, 1), (1, 5), (8, 7)])
small_sizes = st.sampled_from([(4, 4), (5, 4), (5, 1), (1, 5)])
usual_size = st.just((7, 6))
seeds = st.none() | st.integers(0, 99)


def test_every_level_is_described_and_sees_no_less_than_the_one_below() -> None:
    assert list(LADDER) == list(range(1, len(LADDER_SUMMARIES) + 1))
    for low, high in pairwise(LADDER[level] for level in range(1, 10)):
        assert low.miss_rate >= high.miss_rate
        assert low.plies <= high.plies
        assert low.temperature > high.temperature
        assert low.perfect <= high.perfect
    assert LADDER[10].perfect == 1  # the other numbers of the last level are never used


@given(level=levels, position=unfinished(small_sizes), seed=seeds)
@examples(60)
def test_every_level_answers_an_open_column_on_small_boards(level: int, position: Position, seed: int | None) -> None:
    assert position.is_open(LevelPlayer(level, seed).choose(position).column)


@given(level=searching, position=unfinished(sizes), seed=seeds)
@examples(60)
def test_levels_that_only_search_answer_an_open_column_on_any_board(
    level: int, position: Position, seed: int | None
) -> None:
    assert position.is_open(LevelPlayer(level, seed).choose(position).column)


@given(level=levels, position=unfinished(st.sampled_from([(7, 6), (8, 7), (9, 9), (20, 20)])))
@examples(30)
def test_every_level_answers_an_open_column_however_short_the_time(level: int, position: Position) -> None:
    choice = LevelPlayer(level).choose(position, Limits(seconds=1e-6, explain=True))
    assert position.is_open(choice.column)
    assert choice.line[0] == choice.column


@given(level=st.integers(4, 10), position=unfinished(usual_size), seed=seeds)
@examples(200)
def test_from_level_4_on_no_four_and_no_block_is_missed(level: int, position: Position, seed: int | None) -> None:
    column = LevelPlayer(level, seed).choose(position).column
    wins, blocks = position.winning_columns(), position.passed().winning_columns()
    # Perfect play may see that the opponent makes four at once whatever is blocked.
    is_in_vain = level >= 9 and (len(blocks) > 1 or any(position.play(column).winning_columns() for column in blocks))
    if wins or (blocks and not is_in_vain):
        assert column in (wins or blocks)


@pytest.mark.parametrize("level", [4, 5, 6, 7, 8, 9])
def test_not_even_without_time_is_a_four_missed(level: int) -> None:
    def run_out() -> None:
        raise errors.OutOfTimeError

    four, block = Position.from_moves("121212"), Position.from_moves("1212124")
    for seed in range(20):
        player = LevelPlayer(level, seed)
        assert player.choose(four, Limits(seconds=600, poll=run_out)).column == 0
        assert player.choose(block, Limits(seconds=600, poll=run_out)).column == 1


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_lowest_levels_overlook_fours_as_often_as_their_number_says(level: int) -> None:
    four, block = Position.from_moves("121212"), Position.from_moves("1212124")
    for position, column in ((four, 0), (block, 1)):
        missed = sum(LevelPlayer(level, seed).choose(position).column != column for seed in range(400))
        # In the first position a level that overlooks its own four may still block.
        assert abs(missed / 400 - LADDER[level].miss_rate) < 0.1


@given(level=levels, position=unfinished(usual_size), seed=st.integers(0, 9))
@examples(40)
def test_a_seed_repeats_a_level(level: int, position: Position, seed: int) -> None:
    player = LevelPlayer(level, seed)
    column = player.choose(position).column
    player.choose(Position.from_moves("44"))
    assert player.choose(position).column == LevelPlayer(level, seed).choose(position).column == column


def game_of(one: Player, two: Player, position: Position) -> Position:
    """The end of a game."""
    players = (one, two)
    while not position.is_over:
        position = position.play(players[position.player - 1].choose(position, Limits()).column)
    return position


@pytest.mark.parametrize("level", sorted(LADDER))
def test_games_differ(level: int) -> None:
    ends = {game_of(LevelPlayer(level), LevelPlayer(level), Position()) for _ in range(5)}
    assert len(ends) > 1


@pytest.mark.needs("compiled")
@given(level=searching, position=unfinished(st.sampled_from([(7, 6), (4, 4), (8, 7)])), seed=st.integers(0, 9))
@examples(30)
def test_compiled_and_interpreted_levels_play_alike(level: int, position: Position, seed: int) -> None:
    chosen = [LevelPlayer(level, seed, form).choose(position) for form in forms_for(position.width, position.height)]
    assert chosen[0] == chosen[1]


@given(position=unfinished(usual_size), seed=seeds)
@examples(30)
def test_level_10_never_gives_anything_away(position: Position, seed: int | None) -> None:
    choice = LevelPlayer(10, seed).choose(position)
    scores = engine_for(7, 6).column_scores(position)
    assert choice.exact
    assert choice.score == scores[choice.column] == max(score for score in scores if score is not None)


@given(level=levels, position=unfinished(st.sampled_from([(7, 6), (4, 4)])), seed=seeds)
@examples(150)
def test_a_score_is_called_exact_only_if_it_is(level: int, position: Position, seed: int | None) -> None:
    choice = LevelPlayer(level, seed).choose(position, Limits(explain=True))
    if choice.exact:
        scores = engine_for(position.width, position.height).column_scores(position)
        assert choice.score == scores[choice.column] == max(score for score in scores if score is not None)
    elif choice.score is not None:
        assert abs(choice.score) <= 1000  # an evaluator's opinion, not the value of a win


def test_a_time_limit_that_is_not_reached_changes_no_answer() -> None:
    for moves in ("44", "4453", "44435", "443523"):
        position = Position.from_moves(moves)
        limited, unlimited = (LevelPlayer(7, 5).choose(position, Limits(seconds=s)) for s in (600, None))
        assert (limited.column, limited.score, limited.depth) == (unlimited.column, unlimited.score, unlimited.depth)


def test_level_6_beats_level_1() -> None:
    for seed in range(10):
        strong, weak = parse_player("level:6", seed), parse_player("level:1", seed)
        assert game_of(strong, weak, Position()).winner != 2
        assert game_of(weak, strong, Position()).winner != 1
