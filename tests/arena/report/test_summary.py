"""The summary: counts in plain lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from connect4_agent.arena.report.summary import judged_lines, result_lines
from connect4_agent.arena.report.tally import Tally
from connect4_agent.arena.run.record import Ending, Fault, GameRecord, Overrun
from tests.sample_runs import judged_record, record_of


def game(
    agents: tuple[str, str], ending: Ending, winner: int | None, columns: tuple[int, ...] = (), **more: object
) -> GameRecord:
    values = {"columns": columns, "times_ms": (), "ending": ending, "winner": winner}
    changes: dict[str, Any] = {**values, **more}
    return record_of("", agents=agents, **changes)


def tallied(records: Iterable[GameRecord]) -> Tally:
    tally = Tally()
    for record in records:
        tally.add(record)
    return tally


def test_results_are_told_from_the_side_of_the_agent_that_is_named_first() -> None:
    records = [
        game(("b", "a"), Ending.FOUR, 1, (1,)),
        game(("a", "b"), Ending.FOUR, 1, (2,)),
        game(("a", "b"), Ending.DRAW, None, (3,)),
        game(("a", "b"), Ending.TIMED_OUT, 2, (4,), fault=Fault(player=1, detail="")),
    ]
    tally = tallied(records)
    assert list(result_lines(tally, ["a", "b"])) == [
        "a - b: 1 won, 1 drawn, 2 lost by a; 4 games, 4 distinct",
        "a: 1 fault, timed out",
    ]
    assert tally.has_faults


def test_the_same_moves_by_the_same_agents_are_one_game_whatever_their_numbers() -> None:
    same = [game(("a", "b"), Ending.DRAW, None, (1, 2)), game(("b", "a"), Ending.DRAW, None, (1, 2), begins=2)]
    assert "2 games, 1 distinct" in next(result_lines(tallied(same), ["a", "b"]))
    other = [same[0], game(("b", "a"), Ending.DRAW, None, (1, 2))]
    assert "2 games, 2 distinct" in next(result_lines(tallied(other), ["a", "b"]))


def test_judged_moves_are_told_for_every_agent() -> None:
    tally = tallied([judged_record()])
    assert sorted(judged_lines(tally, ["a", "b"])) == [
        "a: 25.00 errors per 100 moves; "
        "of 4 moves: win to draw 0, win to loss 1, draw to loss 0, slower win 0, sooner loss 1",
        "b: 66.67 errors per 100 moves; "
        "of 3 moves: win to draw 1, win to loss 0, draw to loss 1, slower win 1, sooner loss 0",
    ]
    tally = tallied([game(("a", "b"), Ending.DRAW, None)])
    assert list(judged_lines(tally, ["a", "b"])) == []


def test_overruns_are_told_though_they_are_no_faults() -> None:
    overrun = Overrun(ply=0, player=2, elapsed_ms=51, limit_ms=50)
    tally = tallied([game(("a", "b"), Ending.DRAW, None, overruns=(overrun,))])
    assert list(result_lines(tally, ["a", "b"]))[-1] == "b: 1 move over the time limit"
    assert not tally.has_faults
