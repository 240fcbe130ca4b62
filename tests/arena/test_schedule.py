"""The schedule: complete, fair, and no game depends on who else takes part or on how many are wanted."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.config import First, Format, make_config
from connect4_agent.arena.record import GameKey
from connect4_agent.arena.schedule import GameSetup, Schedule, circle_rounds
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.jobs.progress import Progress
from tests.arena.helping import command_of
from tests.effort import examples

NAMES = [f"agent {index}" for index in range(10)]


def schedule_of(names: Sequence[str], openings: int = 5, **values: Any) -> Schedule:
    agents = [{"name": name, "player": "random"} for name in names]
    config = make_config({"agents": agents, **values}, "here")
    return Schedule(config, dict.fromkeys(names, "1"), tuple((column,) for column in range(openings)))


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    values: dict[str, Any] = {
        "games": 2 * draw(st.integers(1, 6)),
        "seed": draw(st.integers(-(2**63), 2**63 - 1)),
        "format": draw(st.sampled_from(Format)),
        "first": draw(st.sampled_from(First)),
    }
    names = NAMES[: draw(st.integers(2, 7))]
    if values["format"] is Format.GAUNTLET:
        values["references"] = draw(st.lists(st.sampled_from(names), max_size=len(names) - 1, unique=True))
        values["among_themselves"] = draw(st.sampled_from([None, True, False]))
    return schedule_of(names, draw(st.integers(1, 7)), **values)


@given(schedules())
def test_every_pairing_plays_every_opening_twice_with_sides_swapped(schedule: Schedule) -> None:
    games = list(schedule)
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert (one.opening, one.begins, one.repeat) == (two.opening, two.begins, two.repeat)
        assert one.agents == two.agents[::-1]
        # Who moved first in the one game moves second in the other.
        assert one.agents[one.begins - 1] != two.agents[two.begins - 1]
    meetings = Counter(frozenset(game.agents) for game in games)
    assert meetings == {frozenset(pair): schedule.config.games for pair in schedule.pairings}
    assert len(games) == schedule.config.game_count


@given(schedules())
def test_every_game_is_found_by_its_key_and_there_are_no_two_with_the_same(schedule: Schedule) -> None:
    for place, key in enumerate(schedule):
        assert schedule.find_index(key) == place
        assert set(schedule.pairing(place)) == set(key.agents)
        assert schedule.find_index(key.model_copy(update={"versions": ("1", "2")})) is None
        assert schedule.find_index(key.model_copy(update={"repeat": key.repeat + 99})) is None
        assert schedule.find_index(key.model_copy(update={"agents": ("agent 0", "nobody")})) is None


@given(schedules())
def test_no_opening_repeats_for_a_pair_before_all_were_used(schedule: Schedule) -> None:
    used: dict[frozenset[str], list[tuple[int, ...]]] = {}
    for key in list(schedule)[::2]:
        used.setdefault(frozenset(key.agents), []).append(key.opening)
    count = len(schedule.openings)
    for openings in used.values():
        for first in range(0, len(openings), count):
            block = openings[first : first + count]
            assert len(set(block)) == len(block)


@given(schedules(), st.integers(1, 3), st.integers(0, 4))
def test_more_games_and_more_agents_change_no_game(schedule: Schedule, more_agents: int, more_games: int) -> None:
    before = schedule.config
    names = [agent.name for agent in before.agents]
    values: dict[str, Any] = {"games": before.games + 2 * more_games, "seed": before.seed, "format": before.format}
    if before.format is Format.GAUNTLET:
        values |= {"references": before.reference_names, "among_themselves": before.others_meet}
    wider = schedule_of([*names, *NAMES[-more_agents:]], len(schedule.openings), **values)
    keys = {key.model_dump_json() for key in wider}
    assert {key.model_dump_json() for key in schedule} <= keys


@given(st.integers(1, 20))
@examples(20)
def test_after_some_rounds_of_the_circle_everybody_has_met_as_many_others_or_one_less(count: int) -> None:
    names = [str(number) for number in range(count)]
    met: list[tuple[str, str]] = []
    for number, pairs in enumerate(circle_rounds(names), 1):
        assert len({name for pair in pairs for name in pair}) == 2 * len(pairs)
        met += pairs
        assert {Counter(name for pair in met for name in pair)[name] for name in names} <= {number, number - 1}
    assert Counter(map(frozenset, met)) == Counter(map(frozenset, combinations(names, 2)))


def test_who_begins_the_first_of_two_games_alternates_or_is_drawn() -> None:
    def beginners(**values: Any) -> str:
        games = list(schedule_of(["a", "b"], games=200, **values))[::2]
        return "".join(game.agents[game.begins - 1] for game in games)

    assert beginners() == "ab" * 50
    drawn = beginners(first="random")
    assert 30 < drawn.count("a") < 70
    assert 30 < sum(one == two for one, two in pairwise(drawn)) < 70
    assert drawn == beginners(first="random") != beginners(first="random", seed=1)


@given(schedules())
def test_both_player_numbers_move_first(schedule: Schedule) -> None:
    assert {key.begins for key in schedule} == ({1, 2} if len(schedule) > 2 * len(schedule.pairings) else {1})


def test_pairings_of_a_cycle_begin_with_different_openings() -> None:
    assert len({key.opening for key in schedule_of(NAMES, 500, games=2)}) > 20


@given(schedules())
def test_in_a_gauntlet_references_meet_all_others_and_not_each_other(schedule: Schedule) -> None:
    config = schedule.config
    if config.format is not Format.GAUNTLET:
        return
    references, met = set(config.reference_names), {frozenset(pair) for pair in schedule.pairings}
    for one, two in combinations([agent.name for agent in config.agents], 2):
        count = len(references & {one, two})
        assert (frozenset((one, two)) in met) == (count == 1 or (count == 0 and config.others_meet))


@pytest.mark.parametrize("references", [[], NAMES[1:3]])
def test_all_opponents_of_a_reference_meet_the_same_openings(references: list[str]) -> None:
    schedule = schedule_of(NAMES[:6], format="gauntlet", references=references, games=6)
    for reference in schedule.config.reference_names:
        met: dict[str, set[tuple[object, ...]]] = {}
        for key in schedule:
            if reference in key.agents:
                side = key.agents.index(reference)
                met.setdefault(key.agents[1 - side], set()).add((side, key.opening, key.begins, key.repeat))
        first, *others = met.values()
        assert len(others) == 4 - len(references[1:])
        assert others == [first] * len(others)


def test_the_same_program_plays_the_same_games_whatever_its_name_and_version(tmp_path: Path) -> None:
    references = [{"name": name, "player": name} for name in ("random", "level:3")]
    programs = [
        {"name": name, "command": command_of("good"), "version": name} for name in ("anna", "ben, with comment")
    ]
    config = make_config(
        {"agents": references + programs, "format": "gauntlet", "references": ["random", "level:3"], "games": 6}, "here"
    )
    state = run_tournament(config, tmp_path, Progress("games", "play", io.StringIO()), jobs=2).state
    for reference in config.references:
        anna, ben = (
            sorted(
                (record.agents.index(name), record.columns, record.winner)
                for record in state.records
                if set(record.agents) == {name, reference}
            )
            for name in ("anna", "ben, with comment")
        )
        assert anna == ben
        assert len(anna) == 6


def test_random_moves_depend_on_the_players_own_name_and_the_game() -> None:
    def seeds(names: Sequence[str], version: str = "1", seed: int = 3) -> list[int]:
        agents = AgentSpec(name=names[0], player="random"), AgentSpec(name=names[1], player="random")
        keys = [
            GameKey(agents=ordered, versions=("1", version), opening=opening, begins=begins, repeat=repeat)
            for ordered in ((names[0], names[1]), (names[1], names[0]))
            for opening in ((), (3,))
            for begins in (1, 2)
            for repeat in (0, 1)
        ]
        return [
            GameSetup(game=1, key=key, width=7, height=6, seed=seed, agents=agents).seed_for(
                1 + key.agents.index(names[0])
            )
            for key in keys
        ]

    found = seeds(["random", "anna"])
    assert len(set(found)) == len(found)
    assert found == seeds(["random", "ben"], version="2")
    assert set(found).isdisjoint(seeds(["random #2", "anna"]))
    assert set(found).isdisjoint(seeds(["random", "anna"], seed=4))
