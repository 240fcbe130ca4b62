"""Adjudication: the exact result, as soon as the end is near and never earlier."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given

from connect4_agent import errors
from connect4_agent.arena.config import make_config
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.openings import columns_to
from connect4_agent.arena.referee import adjudicated_winner, is_near_end
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.run import read_run
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.engine.analysis import analyze
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.position import Position
from tests.arena.helping import built_in, play_game, position_after, program, read_records, setup_of
from tests.effort import examples
from tests.late import late_positions, random_position

AGENTS = [{"name": "a", "player": "negamax:depth=2"}, {"name": "b", "player": "negamax:depth=3"}]


@given(late_positions([(7, 6), (5, 4), (8, 7)], most_empties=10))
@examples(60)
def test_the_winner_is_the_one_that_perfect_play_gives(position: Position) -> None:
    score = analyze(position).score
    assert score is not None
    expected = None if score == 0 else position.player if score > 0 else 3 - position.player
    assert adjudicated_winner(position) == expected


@pytest.mark.parametrize(("width", "height", "most_empty"), [(7, 6, 16), (4, 4, 8), (5, 5, 12), (8, 7, 16)])
def test_the_end_is_near_when_few_cells_and_no_more_than_half_are_empty(
    width: int, height: int, most_empty: int
) -> None:
    position = Position(width, height)
    while not position.is_full:
        position = position.drop(position.open_columns()[0])
        assert is_near_end(position) == (position.empty_count <= most_empty)


def test_a_game_ends_with_the_first_move_that_leaves_so_few_cells() -> None:
    one, two = built_in("negamax:depth=4"), built_in("negamax:depth=3")
    for first in (1, 2):
        game = play_game(setup_of(one, two, begins=first, adjudicate=True))
        whole = play_game(setup_of(one, two, begins=first))
        assert game.ending is Ending.ADJUDICATED
        assert len(game.columns) == 26 < len(whole.columns)
        assert game.columns == whole.columns[:26]
        assert len(game.times_ms) == 26
        position = position_after(game.columns)
        winner = adjudicated_winner(position)
        # position_after lets player 1 begin.
        assert game.winner == (winner if winner is None or first == 1 else 3 - winner)


def test_a_game_that_is_over_before_is_not_adjudicated() -> None:
    game = play_game(setup_of(built_in("first-open"), built_in("first-open"), adjudicate=True))
    assert game.ending is Ending.FOUR


def test_the_agents_move_at_least_once_after_a_long_opening() -> None:
    opening = columns_to(random_position(1, 7, 6, 12))
    game = play_game(setup_of(built_in("random"), built_in("random"), opening=opening, adjudicate=True))
    assert len(game.columns) == 31


def test_a_fault_still_loses() -> None:
    game = play_game(setup_of(program("says", "x"), built_in("random"), adjudicate=True))
    assert (game.ending, game.winner) == (Ending.MALFORMED_REPLY, 2)


def test_an_answer_too_many_found_after_the_end_still_loses() -> None:
    position = random_position(1, 7, 6, 17, quiet=True)
    assert position.is_open(0)
    one, two = program("doubles_last"), built_in("random")
    game = play_game(setup_of(one, two, begins=2, opening=columns_to(position), adjudicate=True))
    assert (game.ending, game.winner) == (Ending.MALFORMED_REPLY, 2)


def test_a_run_goes_on_and_adjudicated_games_are_rated(tmp_path: Path) -> None:
    config = make_config({"agents": AGENTS, "games": 6, "adjudicate": True}, "here")
    run_tournament(config, tmp_path, Progress("games", "play", StringIO()))
    journal = tmp_path / "games.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    run_tournament(config, tmp_path, Progress("games", "play", StringIO()))
    records = read_records(tmp_path)
    adjudicated = [record for record in records if record.ending is Ending.ADJUDICATED]
    assert len(records) == 6
    assert adjudicated
    report = report_on({"run": read_run(tmp_path, pytest.fail)})
    assert report.rated_games == 6
    counted = report.agents[0].endings["adjudicated"]
    assert counted.won + counted.drawn + counted.lost == len(adjudicated)


def test_boards_that_the_solver_does_not_take_are_refused() -> None:
    with pytest.raises(errors.ArenaError, match=r"^here: games on 12 columns and 10 rows cannot be adjudicated"):
        make_config({"agents": AGENTS, "adjudicate": True, "width": 12, "height": 10}, "here")
