"""The built-in players, through the interface that all of them share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.engine import limits
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import LEVELS, NegamaxPlayer
from connect4_agent.engine.players.player import Choice, centre_shortcut, obvious_column
from connect4_agent.engine.players.position_evaluator import PositionEvaluator
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from tests.boards import Grid, naive_four, naive_play, settled_grids, unfinished
from tests.effort import examples
from tests.kernel_forms import each_form, forms_for

sizes = st.sampled_from([(7, 6), (6, 7), (4, 4), (5, 1), (8, 7)])

WORKED_EXAMPLE = Position.from_drawing(
    """
    . . X . . . .
    . . O . . . .
    . . O . . . .
    . O X . . X .
    . O O O X O X
    . O X X X O X
    """,
    player=1,
)
"""The position of the assignment; only column 1 does not lose at once."""


def naive_wins(position: Position, player: int) -> list[int]:
    """The columns in which a disc of the player makes four, cell by cell."""
    return [
        column for column in position.legal_columns() if naive_four(naive_play(position.grid(), column, player), player)
    ]


@pytest.mark.parametrize("spec", ["easy", "medium", "negamax:depth=3", "random", "first-open"])
@given(position=unfinished(sizes))
@examples(40)
def test_every_player_answers_an_open_column(spec: str, position: Position) -> None:
    assert position.is_open(parse_player(spec, seed=1).choose(position, Limits()).column)


@each_form
@pytest.mark.parametrize("depth", [2, 3, 4])
@given(position=unfinished(sizes))
@examples(60)
def test_a_win_in_one_is_never_missed_and_one_that_can_be_blocked_is_never_left(
    form: str, depth: int, position: Position
) -> None:
    column = NegamaxPlayer(depth, form=form).choose(position, Limits()).column
    wins = naive_wins(position, position.player)
    if wins:
        assert column in wins
        return
    safe = [c for c in position.legal_columns() if not naive_wins(position.play(c), 3 - position.player)]
    if safe:
        assert column in safe


@each_form
def test_the_worked_example_is_blocked_at_every_level(form: str) -> None:
    for depth in LEVELS.values():
        assert NegamaxPlayer(depth, form=form).choose(WORKED_EXAMPLE, Limits()).column == 1


@pytest.mark.needs("compiled")
@given(position=unfinished(sizes), seed=st.none() | st.integers(0, 9))
@examples(40)
def test_compiled_and_interpreted_choose_the_same_with_the_same_words(position: Position, seed: int | None) -> None:
    choices = [
        NegamaxPlayer(4, seed=seed, form=form).choose(position, Limits(explain=True))
        for form in forms_for(position.width, position.height)
    ]
    assert choices[0] == choices[1]


@given(positions=st.lists(unfinished(sizes), min_size=2, max_size=6), seed=st.none() | st.integers(0, 9))
@examples(30)
def test_an_answer_does_not_depend_on_what_was_asked_before(positions: list[Position], seed: int | None) -> None:
    for spec in ("negamax:depth=4", *(("random",) if seed is not None else ())):
        player = parse_player(spec, seed)
        together = [player.choose(position, Limits(explain=True)) for position in positions]
        alone = [parse_player(spec, seed).choose(position, Limits(explain=True)) for position in positions]
        assert together == alone


@pytest.mark.parametrize(
    ("width", "height", "column"), [(7, 6, 3), (8, 7, 4), (4, 4, 2), (1, 1, 0), (10, 10, 5), (100, 100, 50)]
)
@pytest.mark.parametrize("player", [1, 2])
def test_the_first_disc_goes_to_the_centre_without_a_search(width: int, height: int, column: int, player: int) -> None:
    choice = parse_player("hard").choose(Position(width, height, player), Limits(explain=True))
    assert choice == Choice(column, line=(column,))


def test_the_second_players_first_disc_goes_to_the_centre_too() -> None:
    assert centre_shortcut(Position.from_moves("1")) == 3
    assert centre_shortcut(Position.from_moves("4")) == 3


def test_there_is_no_shortcut_once_a_disc_of_ones_own_is_on_the_board() -> None:
    assert centre_shortcut(Position.from_moves("12")) is None


def test_there_is_no_shortcut_into_a_full_column() -> None:
    assert centre_shortcut(Position.from_grid([[0], [2], [0]], player=1)) is None


def test_there_is_no_shortcut_where_the_opponent_has_a_win_to_block() -> None:
    position = Position.from_grid([[0, 0, 2], [0, 0, 2], [0, 0, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0]], player=1)
    assert centre_shortcut(position) is None
    assert parse_player("hard").choose(position, Limits()).column == 3


@given(settled_grids())
def test_the_shortcut_leaves_the_opponent_no_win(grid: Grid) -> None:
    position = Position.from_grid([[2 if cell else 0 for cell in cells] for cells in grid], player=1)
    column = centre_shortcut(position)
    if position.is_over or column is None:
        return
    assert column == position.width // 2
    assert not naive_wins(position, 2)
    assert not naive_wins(position.play(column), 2)


def test_a_player_without_a_fixed_depth_takes_no_shortcut() -> None:
    choice = NegamaxPlayer(None).choose(Position(), Limits(seconds=0.05))
    assert choice.nodes > 0


@each_form
def test_an_explained_win_is_exact_and_its_line_leads_to_it(form: str) -> None:
    position = Position.from_moves("4455")  # an open three follows: a win with the third disc from now
    choice = NegamaxPlayer(8, form=form).choose(position, Limits(explain=True))
    assert (choice.column, choice.score, choice.exact, choice.depth) == (2, 18, True, 8)
    for column in choice.line:
        position = position.play(column)
    assert (position.winner, position.disc_count) == (1, 7)


@each_form
def test_an_opinion_is_not_called_exact(form: str) -> None:
    choice = NegamaxPlayer(4, form=form).choose(Position.from_moves("4444"), Limits(explain=True))
    assert not choice.exact
    assert len(choice.line) == 4


def test_a_game_searched_to_its_end_is_exact() -> None:
    choice = NegamaxPlayer(99).choose(Position.from_moves("12", 4, 4), Limits(explain=True))
    assert (choice.score, choice.exact, choice.depth) == (0, True, 14)


@each_form
@pytest.mark.parametrize(("width", "height"), [(8, 7), (10, 10), (100, 100), (3, 100), (100, 1)])
def test_other_boards_are_played_the_same_way(width: int, height: int, form: str) -> None:
    position = Position(width, height)
    for column in (0, 1, width - 1):
        position = position.play(column)
    player = NegamaxPlayer(3, form=form if forms.fits(form, width, height) else forms.PLAIN)
    choice = player.choose(position, Limits(seconds=0.2))
    assert position.is_open(choice.column)


@pytest.mark.slow
def test_a_board_too_large_for_compiled_code_has_a_time_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limits.OTHER_SECONDS == 2
    monkeypatch.setattr(limits, "OTHER_SECONDS", 50)
    ticks = count()
    position = Position(20, 20).play(0).play(9)
    assert 0 < NegamaxPlayer(90).choose(position, Limits(clock=lambda: float(next(ticks)))).depth < 90


@pytest.mark.parametrize("spec", ["hard", "negamax:depth=11", "perfect", "level:8", "monte-carlo"])
def test_a_player_can_be_asked_by_a_thread_while_it_thinks_for_another(spec: str) -> None:
    asked, other = Position.from_moves("1234"), Position.from_moves("333445")
    player = parse_player(spec, seed=1)
    alone = [parse_player(spec, seed=1).choose(position, Limits()) for position in (asked, other)]
    meanwhile: list[Choice] = []

    with ThreadPoolExecutor(1) as thread:

        def ask_in_thread() -> None:
            if not meanwhile:
                meanwhile.append(thread.submit(player.choose, other, Limits()).result())

        choice = player.choose(asked, Limits(poll=ask_in_thread))
    for found, expected in zip((choice, *meanwhile), alone, strict=True):
        assert (found.column, found.score, found.line) == (expected.column, expected.score, expected.line)


def test_a_function_values_the_positions_of_each_thread_that_asks() -> None:
    starts = [Position.from_moves("44445"), Position.from_moves("333336", 8, 7)]
    seen: list[Position] = []
    other: list[Choice] = []

    def evaluator(leaf: Position) -> int:
        seen.append(leaf)
        return 0

    player = NegamaxPlayer(6, PositionEvaluator(evaluator))
    with ThreadPoolExecutor(1) as thread:

        def ask_in_thread() -> None:
            if not other:
                other.append(thread.submit(player.choose, starts[1], Limits()).result())

        player.choose(starts[0], Limits(poll=ask_in_thread))
    assert other
    for start in starts:
        leaves = [leaf for leaf in seen if (leaf.width, leaf.height) == (start.width, start.height)]
        assert {leaf.player for leaf in leaves} == {start.player}


def test_a_win_on_a_large_board_is_taken_however_short_the_time() -> None:
    position = Position(60, 60)
    for column in (0, 59, 0, 59, 0, 59):
        position = position.play(column)
    assert NegamaxPlayer(8).choose(position, Limits(seconds=1e-9)).column == 0
    assert NegamaxPlayer(8).choose(position.play(30), Limits(seconds=1e-9)).column == 59


def test_time_that_runs_out_in_the_second_ply_leaves_no_win_unblocked() -> None:
    position = Position.from_moves("522443b8", 30, 12)
    assert position.passed().winning_columns() == [0]
    assert NegamaxPlayer(1, "windows").choose(position, Limits()).column != 0

    def run_out() -> None:  # first called some nodes into the second ply at the latest
        raise errors.OutOfTimeError

    assert NegamaxPlayer(8, "windows").choose(position, Limits(seconds=600, poll=run_out)).column == 0


def test_a_time_limit_that_is_not_reached_changes_no_answer() -> None:
    position = Position.from_moves("44435")
    unlimited = NegamaxPlayer(6).choose(position, Limits())
    limited = NegamaxPlayer(6).choose(position, Limits(seconds=600))
    assert (limited.column, limited.score, limited.depth) == (unlimited.column, unlimited.score, unlimited.depth)


def test_deepening_stops_once_the_result_is_proven() -> None:
    choice = NegamaxPlayer(None).choose(Position.from_moves("4455"), Limits(seconds=600))
    assert (choice.score, choice.exact) == (18, True)


def test_what_a_poll_raises_reaches_the_caller() -> None:
    class LeaveError(Exception):
        pass

    def leave() -> None:
        raise LeaveError

    with pytest.raises(LeaveError):
        NegamaxPlayer(30).choose(Position.from_moves("44"), Limits(poll=leave))


def test_a_seed_chooses_among_equal_moves_only_and_always_the_same() -> None:
    position = Position.from_moves("44", 7, 6)
    chosen = {seed: NegamaxPlayer(1, "windows", seed=seed).choose(position, Limits()) for seed in range(20)}
    assert len({choice.score for choice in chosen.values()}) == 1
    assert len({choice.column for choice in chosen.values()}) > 1
    assert all(
        NegamaxPlayer(1, "windows", seed=seed).choose(position, Limits()) == choice for seed, choice in chosen.items()
    )


def test_seeded_random_play_differs_between_seeds_and_positions() -> None:
    positions = [Position.from_moves(moves) for moves in ("", "1", "2", "3", "44", "45")]
    by_seed = {
        tuple(parse_player("random", seed).choose(position, Limits()).column for position in positions)
        for seed in range(10)
    }
    assert len(by_seed) == 10


def test_unseeded_random_play_reaches_every_open_column() -> None:
    player = parse_player("random")
    assert {player.choose(Position(3, 2), Limits()).column for _ in range(200)} == {0, 1, 2}


def test_first_open_plays_the_leftmost_open_column() -> None:
    assert parse_player("first-open").choose(Position.from_moves("111111"), Limits()).column == 1


@pytest.mark.parametrize(("moves", "column"), [("", 3), ("121212", 0), ("1212124", 1), ("444444", 2)])
def test_the_obvious_column_wins_or_blocks_or_is_central(moves: str, column: int) -> None:
    assert obvious_column(Position.from_moves(moves)) == column


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("grandmaster", "there is no built-in player 'grandmaster'; there are easy, medium, hard, perfect, negamax"),
        ("", "there is no built-in player ''"),
        ("negamax:depth=0", "depth is '0'; allowed is a whole number of plies, 1 or more"),
        ("negamax:depth=x", "depth is 'x'"),
        ("negamax:depth", "'depth' in player 'negamax:depth' is not of the form name=value"),
        ("negamax:plies=3", "player 'negamax:plies=3' has no setting 'plies'; allowed: depth, evaluator"),
        ("negamax:evaluator=luck", "evaluator is 'luck'; there are threat-parity, windows"),
        ("random:depth=3", "player 'random:depth=3' has no setting 'depth'; allowed: none"),
    ],
)
def test_a_player_that_cannot_be_understood_is_refused_with_what_there_is(spec: str, message: str) -> None:
    with pytest.raises(errors.PlayerSpecError) as caught:
        parse_player(spec)
    assert message in str(caught.value)


def test_the_line_of_a_search_that_ran_out_of_time_begins_with_its_move() -> None:
    choice = NegamaxPlayer(None).choose(Position.from_moves("4444"), Limits(seconds=0.3, explain=True))
    assert choice.line[0] == choice.column
    assert choice.depth > 1
