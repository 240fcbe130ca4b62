"""Exclusions: three faults in a row, in the order of the schedule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.exclusions import Exclusions, Out
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from tests.sample_runs import record_of


def game(number: int, ending: Ending, player: int | None = None, agents: tuple[str, str] = ("A", "B")) -> GameRecord:
    fault = None if player is None else Fault(player=player, detail="")
    return record_of("", game=number + 1, agents=agents, ending=ending, fault=fault)


def after(*games: GameRecord, disqualified: tuple[str, ...] = (), retries: dict[str, int] | None = None) -> Exclusions:
    exclusions = Exclusions(disqualified, retries or {})
    for record in games:
        exclusions.add(record.game - 1, record)
    return exclusions


def test_three_in_a_row_are_enough_whatever_their_kinds() -> None:
    faults = [game(number, ending, 1) for number, ending in enumerate([Ending.CRASHED, Ending.TIMED_OUT] * 2)]
    assert after(*faults[:2]).out == {}
    assert after(*faults[:3]).out == {"A": Out("paused", "3 faults in a row (crashed, timed out)")}
    assert after(*[game(number, Ending.CRASHED, 2) for number in range(3)]).out["B"].reason.endswith("(crashed)")


def test_a_game_without_a_fault_begins_anew() -> None:
    games = [game(0, Ending.CRASHED, 1), game(1, Ending.CRASHED, 1), game(2, Ending.FOUR), game(3, Ending.CRASHED, 1)]
    assert after(*games, game(4, Ending.CRASHED, 1)).out == {}
    assert set(after(*games, game(4, Ending.CRASHED, 1), game(5, Ending.CRASHED, 1)).out) == {"A"}


def test_games_of_others_between_do_not_matter() -> None:
    games = [
        game(0, Ending.CRASHED, 1),
        game(1, Ending.FOUR, agents=("B", "C")),
        game(2, Ending.CRASHED, 2, ("C", "A")),
        game(3, Ending.FULL, agents=("B", "C")),
        game(4, Ending.CRASHED, 1),
    ]
    assert set(after(*games).out) == {"A"}


def test_games_before_a_retry_do_not_count() -> None:
    crashes = [game(number, Ending.CRASHED, 1) for number in range(6)]
    assert after(*crashes[:5], retries={"A": 3}).out == {}
    assert set(after(*crashes, retries={"A": 3}).out) == {"A"}


def test_who_is_disqualified_is_out_whatever_it_plays() -> None:
    out = after(game(0, Ending.FOUR), game(1, Ending.CRASHED, 1), disqualified=("A",)).out
    assert out == {"A": Out("disqualified", "by hand")}


@given(
    st.lists(st.sampled_from([Ending.FOUR, Ending.CRASHED, Ending.TIMED_OUT]), max_size=12).flatmap(
        lambda endings: st.tuples(st.just(endings), st.permutations(range(len(endings))))
    )
)
def test_the_order_in_which_games_end_does_not_matter(case: tuple[list[Ending], list[int]]) -> None:
    endings, order = case
    games = [game(number, ending, 1 if ending.is_fault else None) for number, ending in enumerate(endings)]
    whole = after(*games).out
    assert after(*(games[place] for place in order)).out == whole
    faults = "".join("x" if ending.is_fault else "." for ending in endings)
    assert ("A" in whole) == ("xxx" in faults)
