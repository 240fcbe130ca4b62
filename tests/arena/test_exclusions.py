"""Exclusions: three faults in a row, in the order of the schedule; the last line of a game counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.config import make_config
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.run import Exclusion, Ledger
from connect4_agent.arena.schedule import Schedule
from tests.sample_runs import record_of

NAMES = ("A", "B", "C")


def ledger_of(*names: str, games: int = 12, disqualified: tuple[str, ...] = ()) -> Ledger:
    agents = [{"name": name, "player": "random"} for name in names or NAMES[:2]]
    values = {"agents": agents, "games": games, "openings": "empty", "disqualified": disqualified}
    config = make_config(values, "here")
    return Ledger(Schedule(config, dict.fromkeys(names or NAMES[:2], "1"), ((),)))


def game(ledger: Ledger, index: int, ending: Ending = Ending.ADJUDICATED, loser: str = "A") -> GameRecord:
    """The game with this index, lost by an agent's fault if the ending is one."""
    key = ledger.schedule[index]
    if not ending.is_fault:
        return record_of("", game=index + 1, agents=key.agents, ending=ending, winner=None).model_copy(
            update={"key": key}
        )
    player = key.agents.index(loser) + 1
    fault = Fault(player=player, detail="")
    record = record_of("", game=index + 1, agents=key.agents, ending=ending, winner=3 - player, fault=fault)
    return record.model_copy(update={"key": key})


def test_three_in_a_row_are_enough_whatever_their_kinds() -> None:
    ledger = ledger_of()
    for index, ending in enumerate((Ending.CRASHED, Ending.TIMED_OUT, Ending.CRASHED)):
        assert ledger.exclusions == {}
        ledger.add(game(ledger, index, ending))
    assert ledger.exclusions == {"A": Exclusion("A", "paused after 3 faults in a row (crashed, timed out)", since=3)}
    assert (ledger.exclusions["A"].status, ledger.not_finished, ledger.count_open("A")) == ("paused", 0, 9)
    assert len(ledger.state().lost) == 9


def test_games_of_other_agents_between_do_not_matter_and_a_game_without_a_fault_begins_anew() -> None:
    ledger = ledger_of(*NAMES)
    own = [index for index in range(len(ledger.schedule)) if "A" in ledger.schedule.pairing(index)]
    assert own[:3] != [0, 1, 2]
    for index in own[:2]:
        ledger.add(game(ledger, index, Ending.CRASHED))
    ledger.add(game(ledger, own[2]))
    for index in own[3:5]:
        ledger.add(game(ledger, index, Ending.CRASHED))
    assert ledger.exclusions == {}
    ledger.add(game(ledger, own[5], Ending.CRASHED))
    assert set(ledger.exclusions) == {"A"}


def test_the_last_line_of_a_game_counts_and_may_lift_a_pause() -> None:
    ledger = ledger_of()
    for index in range(3):
        ledger.add(game(ledger, index, Ending.CRASHED))
    ledger.add(game(ledger, 1))
    assert (ledger.exclusions, dict(ledger.played_again), ledger.not_finished) == ({}, {"A": 1}, 9)
    assert [record.ending for record in ledger.state().records] == [
        Ending.CRASHED, Ending.ADJUDICATED, Ending.CRASHED
    ]  # fmt: skip


def test_a_disqualified_agent_is_excluded_whatever_it_plays() -> None:
    ledger = ledger_of(disqualified=("A",))
    for index in range(4):
        ledger.add(game(ledger, index, Ending.CRASHED if index == 1 else Ending.ADJUDICATED))
    assert ledger.exclusions == {"A": Exclusion("A", "disqualified by the organiser", since=None)}
    assert ledger.exclusions["A"].status == "disqualified"


@given(
    st.lists(st.sampled_from([Ending.ADJUDICATED, Ending.CRASHED, Ending.TIMED_OUT]), max_size=12).flatmap(
        lambda endings: st.tuples(st.just(endings), st.permutations(range(len(endings))))
    )
)
def test_the_order_in_which_games_end_does_not_matter(case: tuple[list[Ending], list[int]]) -> None:
    endings, order = case
    whole, mixed = ledger_of(), ledger_of()
    for index, ending in enumerate(endings):
        whole.add(game(whole, index, ending))
    for index in order:
        mixed.add(game(mixed, index, endings[index]))
    assert mixed.exclusions == whole.exclusions
    faults = "".join("x" if ending.is_fault else "." for ending in endings)
    assert ("A" in whole.exclusions) == ("xxx" in faults)
