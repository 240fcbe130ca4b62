"""Games add up to the right figures, from the right side; points are counted over all games, ratings from play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.report.model import AgentReport, MistakeCount, Report
from connect4_agent.arena.report.tally import number_games, report_on
from connect4_agent.arena.run import Entry, Exclusion
from connect4_agent.arena.spec import TimeLimits
from connect4_agent.arena.statistics import ratings
from connect4_agent.arena.statistics.ratings import UNKNOWN
from connect4_agent.arena.statistics.sprt import SprtBounds, sprt
from tests.sample_runs import judged_record, record_of, state_of, tournament

FIRST_WINS = "0101010"
SECOND_WINS = "01012161"
DRAW = "146660203633536103043506522512202545444111"

PAUSED = [Exclusion("b", "paused after 3 faults in a row (crashed)", since=7)]


def report_of(records: Iterable[GameRecord], bounds: SprtBounds | None = None, **changes: Any) -> Report:
    return report_on({"run": state_of(records, **changes)}, sprt_bounds=bounds)


def named(report: Report, name: str) -> AgentReport:
    return next(agent for agent in report.agents if agent.name == name)


def paired(*outcomes: str, agents: tuple[str, str] = ("a", "b")) -> list[GameRecord]:
    """Games 1, 2, 3, ... of two agents, two for each pair with seats swapped; an outcome is w, d or l for the first."""
    moves = {("w", 1): FIRST_WINS, ("l", 1): SECOND_WINS, ("w", 2): SECOND_WINS, ("l", 2): FIRST_WINS}
    return [
        record_of(
            moves.get((outcome, 1 + game % 2), DRAW),
            game=game + 1,
            repeat=game // 2,
            agents=agents if game % 2 == 0 else agents[::-1],
        )
        for game, outcome in enumerate(outcomes)
    ]


def failed(name: str, other: str, game: int, columns: str = "", **changes: Any) -> GameRecord:
    """A game that an agent loses by a fault as player 1, its first move if there are no columns."""
    stderr = changes.pop("stderr", "")
    fault = Fault(player=1, detail="it ended with exit status 1", stderr_tail=stderr, exit_status=1)
    values: dict[str, Any] = {"ending": Ending.CRASHED, "winner": 2, "fault": fault, "repeat": game}
    return record_of(columns, game=game, agents=(name, other), **(values | changes))


def test_the_sample_games_are_what_they_are_taken_for() -> None:
    assert record_of(FIRST_WINS).winner == 1
    assert record_of(SECOND_WINS).winner == 2
    assert record_of(DRAW).ending is Ending.FULL


def test_results_and_pairs_are_counted_from_the_first_agents_side() -> None:
    report = report_of(paired("w", "w", "w", "d", "w", "l", "d", "l", "l", "l", "w"))
    (pairing,) = report.pairings
    assert (pairing.a, pairing.b) == ("a", "b")
    assert (pairing.wins, pairing.draws, pairing.losses, pairing.points, pairing.points_b) == (5, 2, 4, 6.0, 5.0)
    assert pairing.pairs == (1, 1, 1, 1, 1)
    assert pairing.unpaired_games == 1
    assert any(note.startswith("1 game without a partner") for note in report.notes)


def test_the_side_is_that_of_the_agent_that_the_run_names_first() -> None:
    (pairing,) = report_of(paired("w", "d"), agents=("b", "a")).pairings
    assert (pairing.a, pairing.b, pairing.wins, pairing.draws, pairing.losses) == ("b", "a", 0, 1, 1)
    assert pairing.pairs == (0, 1, 0, 0, 0)


def test_the_order_of_the_games_does_not_matter() -> None:
    records = list(tournament(rounds=3))
    shuffled = list(records)
    Random(5).shuffle(shuffled)
    names = list(dict.fromkeys(name for record in records for name in record.agents))
    straight, mixed = report_of(records, agents=names), report_of(shuffled, agents=names)
    assert (straight.pairings, straight.faults) == (mixed.pairings, mixed.faults)
    assert [agent.to_dict() for agent in straight.agents] == [
        agent.to_dict() | {"mean_ms": pytest.approx(agent.mean_ms)} for agent in mixed.agents
    ]


def test_every_agents_results_agree_with_its_pairings() -> None:
    report = report_of(tournament(rounds=3))
    assert sum(agent.games for agent in report.agents) == 2 * report.played_games
    assert sum(agent.points for agent in report.agents) == report.played_games == report.rated_games
    assert sum(pairing.games for pairing in report.pairings) == report.rated_games
    assert all(2 * sum(p.pairs) + p.unpaired_games == p.games for p in report.pairings)


def test_identical_games_are_counted_once_among_the_distinct_ones() -> None:
    report = report_of(
        [
            record_of(FIRST_WINS, game=1),
            record_of(FIRST_WINS, game=2, repeat=1),
            record_of(FIRST_WINS, game=3, repeat=2, agents=("b", "a")),
            record_of(FIRST_WINS, game=4, repeat=3, begins=2),
        ]
    )
    assert (report.played_games, report.distinct_games) == (4, 3)
    assert report.pairings[0].distinct_games == 3
    assert any("1 rated games repeat an earlier one" in warning for warning in report.warnings)


def test_games_on_a_machine_with_more_to_do_than_cores_are_counted() -> None:
    loads = [None, 1.0, 1.5, 9.0]
    report = report_of(record_of(FIRST_WINS, game=game, repeat=game, load=load) for game, load in enumerate(loads, 1))
    told = "the load of the machine was above its cores in 2 games: programs may have lost on time"
    assert told in report.warnings


def test_games_that_are_not_played_are_lost_by_the_excluded_agent_and_rate_nobody() -> None:
    played = paired("w", "l")
    report = report_of(played, excluded=PAUSED, lost=[("a", "b"), ("c", "b"), ("a", "c")][:2])
    a, b, c = (named(report, name) for name in "abc")
    assert [(each.points, each.games, each.not_played) for each in (a, b, c)] == [(2, 3, 1), (1, 4, 2), (1, 1, 1)]
    assert (b.status, b.status_reason) == ("paused", "paused after 3 faults in a row (crashed)")
    assert (report.not_played, report.rated_games) == (2, 2)
    assert a.rating.value == pytest.approx(b.rating.value)  # one each
    assert c.rating == UNKNOWN
    told = "b is paused after 3 faults in a row (crashed), since game 7: 2 games lost without being played"
    assert told in report.warnings


def test_a_game_between_two_excluded_agents_gives_nobody_a_point() -> None:
    out = [Exclusion(name) for name in "bc"]
    report = report_of(paired("w", "l"), excluded=out, lost=[("b", "c")])
    (pairing,) = (each for each in report.pairings if {each.a, each.b} == {"b", "c"})
    assert (pairing.points, pairing.points_b, pairing.games) == (0, 0, 1)
    assert (named(report, "b").points, named(report, "b").games) == (1, 3)


def test_points_do_not_depend_on_when_an_agent_broke_down() -> None:
    """One met it while it played, the other would have met it later."""
    records = [failed("broken", "early", game, "33") for game in (1, 2)]
    out = [Exclusion("broken", "paused", since=1)]
    report = report_of(records, excluded=out, lost=[("late", "broken"), ("broken", "late")])
    assert named(report, "early").points == named(report, "late").points == 2


def test_an_agent_that_never_answered_did_not_play_and_rates_nobody() -> None:
    """Even if it won a game, because its opponent failed first."""
    records = [
        *paired("w", "l"),
        failed("typo", "a", 3, stderr="sh: 1: pyhton3: not found\n"),
        failed("chatty", "typo", 4),
        failed("chatty", "a", 5),
    ]
    report = report_of(records)
    assert [agent.name for agent in report.agents if not agent.did_play] == ["typo", "chatty"]
    typo = named(report, "typo")
    assert typo.status_reason == "crashed: it ended with exit status 1: sh: 1: pyhton3: not found"
    assert (typo.points, typo.games, typo.rating, typo.ranks) == (1, 2, UNKNOWN, None)
    assert (named(report, "a").points, named(report, "a").games) == (3, 4)
    assert (report.rated_games, report.played_games) == (2, 5)
    assert named(report, "a").rating.value == pytest.approx(0)
    assert all(each.elo == UNKNOWN for each in report.pairings if "typo" in (each.a, each.b))


def test_an_agent_that_waits_for_its_first_game_is_not_said_not_to_play() -> None:
    report = report_of(paired("w", "l"), agents=("a", "b", "late"), to_play=4)
    assert (named(report, "late").did_play, named(report, "late").rating) == (True, UNKNOWN)


def test_a_fault_is_a_rated_loss_and_its_first_game_is_named_with_the_last_error_line() -> None:
    faulty = [failed("a", "b", game, "33", stderr="Traceback\n  line 3\nValueError: no\n\n") for game in (5, 3)]
    report = report_of(faulty)
    assert report.rated_games == 2
    (fault,) = report.faults
    assert (fault.agent, fault.ending, fault.game, fault.count) == ("a", "crashed", 3, 2)
    assert fault.detail == "it ended with exit status 1: ValueError: no"
    assert [(agent.name, agent.faults, agent.losses) for agent in report.agents] == [("b", 0, 0), ("a", 2, 2)]


def test_a_time_out_without_any_answer_asks_whether_output_is_flushed() -> None:
    late: dict[str, Any] = {"ending": Ending.TIMED_OUT, "fault": Fault(player=1, detail="no answer within 1 s")}
    specs = {"mute": {"player": None, "command": ["python3", "my bot.py"]}}
    (fault,) = report_of([failed("mute", "b", 1, **late)], specs=specs).faults
    assert fault.detail == (
        "no answer within 1 s; is its output flushed? connect4-agent check 'python3 '\"'\"'my bot.py'\"'\"''"
    )
    (fault,) = report_of([failed("mute", "b", 1, "33", **late)], specs=specs).faults
    assert fault.detail == "no answer within 1 s"


def test_adjudicated_games_are_rated_and_may_be_drawn() -> None:
    report = report_of([record_of("33", ending=Ending.ADJUDICATED, winner=None)])
    assert report.rated_games == 1
    assert report.agents[0].endings["adjudicated"].drawn == 1


def test_mistakes_are_counted_for_who_made_them_and_openings_for_nobody() -> None:
    whole, opened = judged_record(game=1), judged_record(game=2, opening=(0, 5, 0), agents=("b", "a"))
    report = report_of([whole, opened, record_of("33", game=3, repeat=1)])
    a, b = (named(report, name) for name in "ab")
    assert report.judged_games == 2
    assert a.judged is not None
    assert b.judged is not None
    assert (a.judged.moves, b.judged.moves) == (4 + 2, 3 + 2)
    assert {name: each.count for name, each in a.judged.mistakes.items()} == {
        "win to draw": 1, "win to loss": 1, "draw to loss": 1, "slower win": 0, "sooner loss": 1,
    }  # fmt: skip
    assert a.judged.errors == MistakeCount(3, 50.0)
    assert b.judged.errors == MistakeCount(2, 40.0)
    assert b.judged.mistakes["slower win"] == MistakeCount(1, 20.0)
    assert "1 game not judged yet; use --judge" in report.notes


def test_without_judged_games_nothing_is_said_of_them() -> None:
    report = report_of([record_of(FIRST_WINS)])
    assert (report.judged_games, [agent.judged for agent in report.agents]) == (0, [None, None])
    assert not any("judged" in note for note in report.notes)


def test_the_slowest_move_may_be_one_that_never_came() -> None:
    record = record_of(
        "3344",
        begins=2,
        opening=(3, 3),
        times_ms=(5.0, 7.0),
        ending=Ending.TIMED_OUT,
        winner=1,
        fault=Fault(player=2, detail="late", elapsed_ms=1001.0),
        limits=(TimeLimits(), TimeLimits(time_limit=1.0)),
    )
    report = report_of([record])
    assert named(report, "a").slowest_ms == 7.0
    late = named(report, "b")
    assert (late.overruns, late.moves, late.mean_ms, late.slowest_ms) == (0, 1, 5.0, 1001.0)


def test_agents_stand_from_the_strongest_to_the_weakest_and_all_have_a_rating() -> None:
    games = [("a", "b"), ("a", "b"), ("b", "a"), ("top", "a"), ("b", "low"), ("top", "low")]
    records = [record_of(FIRST_WINS, game=n, repeat=n, agents=pair) for n, pair in enumerate(games, 1)]
    report = report_of(records)
    assert [agent.name for agent in report.agents] == ["top", "a", "b", "low"]
    assert all(agent.rating.value is not None and agent.ranks is not None for agent in report.agents)


def test_figures_are_from_pairs_of_games() -> None:
    bounds = SprtBounds(0, 50)
    (pairing,) = report_of(paired(*"wwwlwdwwww" * 2), bounds=bounds).pairings
    assert pairing.pairs == (0, 0, 2, 2, 6)
    assert pairing.elo == ratings.elo_difference(pairing.pairs) != UNKNOWN
    assert pairing.superiority == ratings.likelihood_of_superiority(pairing.pairs) is not None
    assert pairing.sprt == sprt(pairing.pairs, bounds)
    assert pairing.note == ""


def test_below_ten_pairs_there_is_only_the_result_and_the_reason() -> None:
    report = report_of(paired(*"w" * 19), format="gauntlet", references=["b"])
    (pairing,) = report.pairings
    assert (pairing.wins, pairing.elo, pairing.superiority, pairing.note) == (19, UNKNOWN, None, ratings.TOO_FEW)
    assert named(report, "a").references["b"].beats == "unclear"


def test_a_run_that_its_sequential_test_has_stopped_has_no_more_games() -> None:
    state = sprt((0, 0, 0, 0, 20), SprtBounds(0, 100))
    report = report_of(paired("w", "w"), games=40, sprt=(0, 100), state_sprt=state)
    assert (report.wanted_games, report.to_play) == (2, 0)
    assert "sequential test of +0 against +100 Elo: a is stronger" in report.notes


def test_what_was_played_again_and_what_is_not_counted_is_said() -> None:
    report = report_of(paired("w", "l"), played_again={"a": 2}, other_games=44)
    assert (report.played_again, report.other_games) == ({"a": 2}, 44)
    assert "2 games played again after a had lost them by faults" in report.notes
    assert "44 games of earlier versions, other agents or other openings are kept and not counted" in report.notes


def test_answers_within_the_grace_are_counted_and_said_and_time_outs_are_not_among_them() -> None:
    fault = Fault(player=1, detail="no answer", elapsed_ms=1600.0)
    limits, times_ms = (TimeLimits(time_limit=1.0),) * 2, (1200.0, 1000.0)
    record = record_of("33", ending=Ending.TIMED_OUT, winner=2, fault=fault, limits=limits, times_ms=times_ms)
    assert [overrun.ply for overrun in record.overruns] == [0, 2]
    report = report_of([record])
    assert (named(report, "a").overruns, named(report, "b").overruns) == (1, 0)
    assert "answers after the time limit but within the grace, which count: a 1" in report.notes


def test_different_time_limits_of_an_agent_are_said() -> None:
    short, long = TimeLimits(time_limit=1), TimeLimits(time_limit=2.5)
    records = [
        record_of(FIRST_WINS, game=1, limits=(short, long)),
        record_of(FIRST_WINS, game=2, repeat=1, limits=(long, long)),
    ]
    (warning,) = (each for each in report_of(records).warnings if "limits" in each)
    assert warning == "a played games under different time limits: 1 with 1 s, 1 with 2.5 s"


def test_agents_are_compared_with_every_reference_that_they_met() -> None:
    games = [
        *paired(*"w" * 20, agents=("a", "easy")),
        *paired(*"w" * 20, agents=("hard", "a")),
        *paired(*"wdld" * 5, agents=("b", "easy")),
    ]
    records = [game.model_copy(update={"game": number}) for number, game in enumerate(games, 1)]
    report = report_of(records, format="gauntlet", references=["easy", "hard"], agents=("a", "easy", "hard", "b"))
    assert report.references == ["easy", "hard"]
    verdicts = {name: {key: each.beats for key, each in named(report, name).references.items()} for name in "ab"}
    assert verdicts == {"a": {"easy": "yes", "hard": "no"}, "b": {"easy": "unclear"}}
    assert named(report, "a").references["hard"].points == 0


def test_runs_of_one_board_are_joined() -> None:
    one = state_of(paired("w", "w"))
    two = state_of(paired("l", "l", "l"), agents=("b", "a"), versions={"a": "2", "b": "1"})
    report = report_on({"one": one, "two": two})
    (pairing,) = report.pairings
    assert (report.run, pairing.wins, pairing.losses, pairing.pairs) == ("one + two", 2, 3, (1, 0, 0, 0, 1))
    assert [record.game for _, record in number_games({"one": one, "two": two})] == [1, 2, 1001, 1002, 1003]
    assert "the games of two have the numbers from 1001 on" in report.notes
    assert "a is not the same version in all runs: its figures mix them" in report.warnings


def test_runs_of_different_boards_are_not_joined() -> None:
    with pytest.raises(errors.BadValueError, match="7x6 and 8x6; only runs of one board can be joined"):
        report_on({"one": state_of(paired("w")), "two": state_of([record_of(FIRST_WINS, width=8)])})


def test_a_row_is_flat_and_has_every_agents_figures() -> None:
    report = report_of([judged_record(), *paired("w")], format="gauntlet", references=["b"])
    rows = [agent.to_dict() for agent in report.agents]
    assert all(value is None or isinstance(value, str | int | float) for row in rows for value in row.values())
    first = next(row for row in rows if row["name"] == "a")
    assert (first["points"], first["games"], first["errors_per_100_moves"]) == (2, 2, 25)
    assert (first["strongest_level_beaten"], first["unclear_level"], first["games_to_decide"]) == ("unclear", "b", None)


def test_games_that_were_not_played_count_in_a_row_as_they_do_in_the_points() -> None:
    state = state_of(
        paired("w", "l", "d"),
        agents=("a", "b", "c"),
        excluded=[Exclusion("c", "paused", since=2)],
        lost=[("a", "c")] * 4,
    )
    row = named(report_on({"run": state}), "a").to_dict()
    assert {key: row[key] for key in ("games", "won", "drawn", "lost", "points", "share", "not_played")} == {
        "games": 7, "won": 5, "drawn": 1, "lost": 1, "points": 5.5, "share": 5.5 / 7, "not_played": 4
    }  # fmt: skip
    assert named(report_on({"run": state}), "c").to_dict()["lost"] == 4


def test_faults_are_counted_by_kind_for_the_agent_that_made_them() -> None:
    fault = Fault(player=2, detail="gone")
    records = [record_of("3", game=n, repeat=n, ending=Ending.CRASHED, winner=1, fault=fault) for n in (1, 2)]
    report = report_of(records)
    assert (named(report, "b").to_dict()["crashed"], named(report, "b").to_dict()["timed_out"]) == (2, 0)
    assert named(report, "a").to_dict()["crashed"] == 0


def test_entries_of_a_folder_are_ready_or_listed_last_with_their_problem() -> None:
    entries = [
        Entry("b", "1", "", problem="a remark", is_ready=True, check=["b: ready"]),
        Entry("z", "9", "", problem="no"),
    ]
    report = report_on({"run": replace(state_of(paired("w")), entries=entries)})
    assert [agent.name for agent in report.agents] == ["a", "b", "z"]
    rows = [{key: agent.to_dict()[key] for key in ("ready", "problem", "status")} for agent in report.agents]
    assert rows == [
        {"ready": "", "problem": "", "status": ""},
        {"ready": "yes", "problem": "a remark", "status": ""},
        {"ready": "no", "problem": "no", "status": "not ready"},
    ]
    assert report.agents[1].check == ["b: ready"]
