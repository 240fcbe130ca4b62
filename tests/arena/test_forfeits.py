"""Forfeits: three faults of a kind in a row, in the order of the schedule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.forfeits import Forfeits
from connect4_agent.arena.run.record import Ending, Fault, GameRecord


def game(number: int, ending: Ending, player: int | None = None, agents: tuple[str, str] = ("A", "B")) -> GameRecord:
    return GameRecord(
        game=number, round=0, pair=0, agents=agents, first=1, width=7, height=6, opening=(), columns=(), times_ms=(),
        ending=ending, fault=None if player is None else Fault(player=player, detail=""), seed=0,
    )  # fmt: skip


def after(*games: GameRecord) -> Forfeits:
    forfeits = Forfeits()
    for record in games:
        forfeits.add(record)
    return forfeits


def test_three_of_a_kind_in_a_row_are_enough() -> None:
    crashes = [game(number, Ending.CRASHED, 1) for number in range(3)]
    assert after(*crashes[:2]).reason("A") is None
    forfeits = after(*crashes)
    assert forfeits.reason("A") == "3 games in a row were lost by a fault: crashed"
    assert forfeits.reason("B") is None


def test_another_kind_or_a_game_without_a_fault_begins_anew() -> None:
    mixed = [Ending.CRASHED, Ending.CRASHED, Ending.TIMED_OUT, Ending.CRASHED, Ending.CRASHED]
    assert after(*(game(number, ending, 1) for number, ending in enumerate(mixed))).reason("A") is None
    broken = [game(0, Ending.CRASHED, 1), game(1, Ending.CRASHED, 1), game(2, Ending.FOUR), game(3, Ending.CRASHED, 1)]
    assert after(*broken).reason("A") is None


def test_games_of_others_between_do_not_matter() -> None:
    games = [
        game(0, Ending.CRASHED, 1),
        game(1, Ending.FOUR, agents=("B", "C")),
        game(2, Ending.CRASHED, 2, ("C", "A")),
        game(3, Ending.DRAW, agents=("B", "C")),
        game(4, Ending.CRASHED, 1),
    ]
    assert after(*games).reason("A") is not None


def test_a_forfeited_game_puts_out_its_agent_and_says_nothing_about_the_other() -> None:
    games = [game(0, Ending.CRASHED, 2), game(1, Ending.CRASHED, 2), game(2, Ending.FORFEITED, 1)]
    forfeits = after(*games)
    assert forfeits.reason("A") is not None
    assert forfeits.reason("B") is None
    forfeits.add(game(3, Ending.CRASHED, 2))
    assert forfeits.reason("B") is not None


@given(
    st.lists(st.sampled_from([Ending.FOUR, Ending.CRASHED, Ending.TIMED_OUT]), max_size=12).flatmap(
        lambda endings: st.tuples(st.just(endings), st.permutations(range(len(endings))))
    )
)
def test_the_order_in_which_games_end_does_not_matter(case: tuple[list[Ending], list[int]]) -> None:
    endings, order = case
    games = [game(number, ending, 1 if ending.is_fault else None) for number, ending in enumerate(endings)]
    assert after(*games).reason("A") == after(*(games[place] for place in order)).reason("A")
