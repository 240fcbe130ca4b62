"""Exclusions: three faults of a kind in a row, in the order of the schedule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.exclusions import Exclusions
from connect4_agent.arena.run.record import Ending, Fault, GameRecord, Replay


def game(number: int, ending: Ending, player: int | None = None, agents: tuple[str, str] = ("A", "B")) -> GameRecord:
    return GameRecord(
        game=number, round=0, pair=0, agents=agents, first=1, width=7, height=6, opening=(), columns=(), times_ms=(),
        ending=ending, fault=None if player is None else Fault(player=player, detail=""), seed=0,
    )  # fmt: skip


def reason(exclusions: Exclusions, name: str) -> str | None:
    """Why an agent plays no more."""
    out = exclusions.of((name, "somebody"))
    return None if out is None else out[1][0]


def after(*games: GameRecord) -> Exclusions:
    exclusions = Exclusions()
    for record in games:
        exclusions.add(record)
    return exclusions


def test_three_of_a_kind_in_a_row_are_enough() -> None:
    crashes = [game(number, Ending.CRASHED, 1) for number in range(3)]
    assert reason(after(*crashes[:2]), "A") is None
    exclusions = after(*crashes)
    assert reason(exclusions, "A") == "3 games in a row were lost by a fault: crashed"
    assert reason(exclusions, "B") is None


def test_another_kind_or_a_game_without_a_fault_begins_anew() -> None:
    mixed = [Ending.CRASHED, Ending.CRASHED, Ending.TIMED_OUT, Ending.CRASHED, Ending.CRASHED]
    assert reason(after(*(game(number, ending, 1) for number, ending in enumerate(mixed))), "A") is None
    broken = [game(0, Ending.CRASHED, 1), game(1, Ending.CRASHED, 1), game(2, Ending.FOUR), game(3, Ending.CRASHED, 1)]
    assert reason(after(*broken), "A") is None


def test_games_of_others_between_do_not_matter() -> None:
    games = [
        game(0, Ending.CRASHED, 1),
        game(1, Ending.FOUR, agents=("B", "C")),
        game(2, Ending.CRASHED, 2, ("C", "A")),
        game(3, Ending.DRAW, agents=("B", "C")),
        game(4, Ending.CRASHED, 1),
    ]
    assert reason(after(*games), "A") is not None


def test_a_forfeited_game_puts_out_its_agent_and_says_nothing_about_the_other() -> None:
    games = [game(0, Ending.CRASHED, 2), game(1, Ending.CRASHED, 2), game(2, Ending.FORFEITED, 1)]
    exclusions = after(*games)
    assert reason(exclusions, "A") is not None
    assert reason(exclusions, "B") is None
    exclusions.add(game(3, Ending.CRASHED, 2))
    assert reason(exclusions, "B") is not None


@given(
    st.lists(st.sampled_from([Ending.FOUR, Ending.CRASHED, Ending.TIMED_OUT]), max_size=12).flatmap(
        lambda endings: st.tuples(st.just(endings), st.permutations(range(len(endings))))
    )
)
def test_the_order_in_which_games_end_does_not_matter(case: tuple[list[Ending], list[int]]) -> None:
    endings, order = case
    games = [game(number, ending, 1 if ending.is_fault else None) for number, ending in enumerate(endings)]
    assert reason(after(*games), "A") == reason(after(*(games[place] for place in order)), "A")


def test_a_game_that_is_to_be_continued_says_nothing() -> None:
    late = [game(number, Ending.TIMED_OUT, 1).model_copy(update={"replay": Replay.DUE}) for number in range(3)]
    assert reason(after(*late), "A") is None


def test_who_is_disqualified_stays_so() -> None:
    exclusions = after(game(0, Ending.DISQUALIFIED, 2).model_copy(update={"winner": 1}))
    assert exclusions.of(("A", "B")) == (Ending.DISQUALIFIED, (None, "by hand"))
    assert exclusions.of(("A", "C")) is None
