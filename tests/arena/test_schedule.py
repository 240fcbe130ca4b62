"""The schedule: complete, fair and a pure function."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.config import Format, make_config
from connect4_agent.arena.schedule import Schedule


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    count = draw(st.integers(2, 6))
    config = {
        "agents": [{"name": f"agent {index}", "player": "random"} for index in range(count)],
        "games": 2 * draw(st.integers(1, 6)),
        "seed": draw(st.integers(-(2**63), 2**63 - 1)),
        "format": draw(st.sampled_from(Format)),
    }
    return Schedule(make_config(config, "here"), tuple((column,) for column in range(draw(st.integers(1, 7)))))


@given(schedules())
def test_every_pairing_plays_every_round_twice_with_sides_swapped(schedule: Schedule) -> None:
    games = [schedule.setup(game) for game in range(len(schedule))]
    assert [game.scheduled.game for game in games] == list(range(len(games)))
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert one.scheduled.pair == two.scheduled.pair
        assert one.scheduled.opening == two.scheduled.opening
        assert one.agents == two.agents[::-1]
        # Whoever moved first in the one game moves second in the other.
        assert one.agents[one.scheduled.first - 1] != two.agents[two.scheduled.first - 1]
    assert all(game.scheduled.agents == tuple(agent.name for agent in game.agents) for game in games)
    meetings = Counter((game.scheduled.round, frozenset(game.scheduled.agents)) for game in games)
    assert set(meetings.values()) == {2}
    count = len(schedule.agents)
    pairings = count * (count - 1) // 2 if schedule.config.format is Format.ROUND_ROBIN else count - 1
    assert len(meetings) == pairings * schedule.config.games // 2


@given(schedules())
def test_every_pairing_has_the_opening_of_the_round(schedule: Schedule) -> None:
    openings: dict[int, set[tuple[int, ...]]] = {}
    for game in range(len(schedule)):
        scheduled = schedule.setup(game).scheduled
        openings.setdefault(scheduled.round, set()).add(scheduled.opening)
    assert all(len(found) == 1 for found in openings.values())


@given(schedules())
def test_both_player_numbers_move_first(schedule: Schedule) -> None:
    firsts = {schedule.setup(game).scheduled.first for game in range(len(schedule))}
    assert firsts == ({1, 2} if schedule.config.games > 2 else {1})


@given(schedules())
def test_games_differ_in_their_seeds_and_the_same_schedule_gives_the_same_ones(schedule: Schedule) -> None:
    seeds = [schedule.setup(game).game_seed for game in range(len(schedule))]
    assert len(set(seeds)) == len(seeds)
    assert seeds == [schedule.setup(game).game_seed for game in range(len(schedule))]
    assert all(schedule.setup(game).scheduled.seed == schedule.config.seed for game in range(len(schedule)))


@given(schedules())
def test_in_a_gauntlet_the_first_agent_is_in_every_game(schedule: Schedule) -> None:
    if schedule.config.format is Format.GAUNTLET:
        assert all(schedule.agents[0] in schedule.setup(game).agents for game in range(len(schedule)))
