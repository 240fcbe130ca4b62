"""Records: who moved, and which move lost."""

from __future__ import annotations

import pytest

from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from tests.sample_runs import judged_record, proven_moves, record_of


def test_players_take_turns_from_the_one_that_begins() -> None:
    assert [record_of("", begins=2).mover_of(ply) for ply in range(4)] == [2, 1, 2, 1]


@pytest.mark.parametrize("first", [1, 2])
def test_the_losing_move_is_the_losers_first_one_that_gives_the_game_away(first: int) -> None:
    record = judged_record(begins=first)
    assert record.winner == first
    # The winner lost it before, with the very first move; that is not the loser's.
    assert proven_moves(record)[0].mistake == "win to loss"
    assert record.losing_ply == 5


def test_later_losing_moves_are_not_the_first() -> None:
    # Player 1 gives a win away, is let off, and gives the draw away, too.
    record = judged_record("5561", ending=Ending.TIMED_OUT, winner=2, fault=Fault(player=1, detail=""))
    assert [move.mistake for move in proven_moves(record)[:3]] == ["win to loss", "win to draw", "draw to loss"]
    assert record.losing_ply == 0


@pytest.mark.parametrize(
    "record",
    [
        record_of("0504030"),
        judged_record("33"),
        judged_record(opening=(0, 5, 0, 4, 0, 3)),
        judged_record("33", ending=Ending.TIMED_OUT, winner=2, fault=Fault(player=1, detail="")),
    ],
    ids=["not judged", "not lost", "lost by the opening", "lost by a fault"],
)
def test_there_may_be_no_losing_move(record: GameRecord) -> None:
    assert record.losing_ply is None


def test_in_json_a_judged_record_has_scores_and_mistake_of_every_move() -> None:
    record = judged_record()
    moves = [(move.score_before, move.score, move.mistake) for move in proven_moves(record)]
    assert [tuple(move.values()) for move in record.model_dump(mode="json")["judged"]] == moves
