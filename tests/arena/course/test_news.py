"""What the organiser is told: about late, withdrawn, copied and slow entries, and how long the games will take."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from connect4_agent.arena.agents.spec import AgentSpec, Isolation, StartForm
from connect4_agent.arena.check.result import CheckResult, Finding, Kind, Practice, Problem, Tier, Verdict
from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.course import new_workplace, run_config_of
from connect4_agent.arena.course.intake import Workplace, check_path, remarks_of
from connect4_agent.arena.course.news import MIN_ALIKE, alike_lines, paused_lines, plan_line, roll_lines, slow_lines
from connect4_agent.arena.course.roll import Roll
from connect4_agent.arena.exclusions import Out
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.run.record import Ending, Fault, Overrun
from tests.arena.course.courses import HANDED_IN, roll_of, version_of
from tests.sample_runs import describe, record_of, state_of, write_run

RUN = Path("my runs/run")
READY = Verdict.READY


def lines_of(roll: Roll) -> list[str]:
    return list(roll_lines(roll, RUN))


def test_a_late_version_is_named_with_how_late_it_is_and_the_command_that_accepts_it() -> None:
    config = CourseConfig(deadline=HANDED_IN - timedelta(hours=2, minutes=10))
    roll = roll_of({"Ben Ö": READY}, config)
    entry = roll.entry("Ben Ö")
    entry.versions[0].is_late = True
    accept = "(to let it play: connect4-agent course accept 'my runs/run' 'Ben Ö')"
    says = "Ben Ö: handed in 2 h 10 min after the deadline: "
    assert lines_of(roll) == [f"{says}nothing plays, version 1 is kept as late {accept}"]
    entry.versions = [version_of(READY), version_of(READY, 2, is_late=True)]
    assert lines_of(roll) == [f"{says}version 1 counts, version 2 is kept as late {accept}"]
    entry.versions[1].is_accepted = True
    assert lines_of(roll) == []
    entry.is_withdrawn = True
    assert lines_of(roll) == ["Ben Ö: withdrawn; its games are kept, but do not count"]


def test_equal_programs_are_pointed_out_whatever_is_beside_them() -> None:
    roll = roll_of(dict.fromkeys(("anna", "ben", "cem", "dora", "eve", "finn"), READY))
    files = [{"a.py": "1", "notes.md": "2"}, {"b.py": "1"}, {"c.py": "3"}, {"run": "4"}, {"run": "4"}, {}]
    for entry, found in zip(roll.entries, files, strict=True):
        entry.versions[0].files = found
    same = [
        "anna and ben handed in the same program (only you are told)",
        "dora and eve handed in the same program (only you are told)",
    ]
    assert lines_of(roll) == same
    roll.entry("eve").is_withdrawn = True
    assert same[1] not in lines_of(roll)


OPENINGS = [(a, b, c) for a in range(7) for b in range(7) for c in range(7) if a != b][:MIN_ALIKE]
"""After each of them, player 2 has a free choice."""


def answered(answers: dict[str, str]) -> list[str]:
    """What is told of entries that gave these answers after the openings, as player 2."""
    roll = roll_of(dict.fromkeys(answers, READY))
    games = [
        record_of(f"{a}{b}{c}{column}", agents=("random", name), opening=(a, b, c))
        for name, columns in answers.items()
        for (a, b, c), column in zip(OPENINGS, columns, strict=False)
    ]
    return list(alike_lines(games, roll))


def test_entries_that_answered_alike_in_many_positions_are_named_to_the_organiser() -> None:
    columns = "0123456" * MIN_ALIKE
    assert answered({"otter": columns, "lynx": columns, "owl": "3" * MIN_ALIKE}) == [
        f"otter and lynx answered alike in {MIN_ALIKE} of {MIN_ALIKE} positions (only you are told)"
    ]
    few = columns[: MIN_ALIKE - 1]
    assert answered({"otter": few, "lynx": columns}) == []
    assert answered({"otter": few + "0", "lynx": few + "1"}) == []


def test_only_positions_that_leave_a_choice_show_that_entries_are_alike() -> None:
    roll = roll_of(dict.fromkeys(("otter", "lynx"), READY))
    forced = [  # player 2 must block in column 0
        record_of(f"0{a}0{b}00", agents=("random", name), opening=(0, a, 0, b, 0))
        for name in ("otter", "lynx")
        for a in range(1, 7)
        for b in range(1, 7)
    ]
    assert list(alike_lines(forced, roll)) == []


def test_copies_that_are_known_by_their_files_are_not_named_again_for_their_answers() -> None:
    roll = roll_of(dict.fromkeys(("otter", "lynx"), READY))
    for entry in roll.entries:
        entry.versions[0].files = {"a.py": "1"}
    games = [
        record_of(f"{a}{b}{c}3", agents=("random", name), opening=(a, b, c))
        for name in ("otter", "lynx")
        for a, b, c in OPENINGS
    ]
    assert list(alike_lines(games, roll)) == []
    roll.entry("lynx").versions[0].files = {"a.py": "2"}
    assert len(list(alike_lines(games, roll))) == 1


def test_a_paused_entry_comes_with_the_command_that_lets_it_play_on() -> None:
    roll = roll_of({"anna": READY, "ben": Verdict.NOT_READY})
    out = {"anna": Out("paused", "3 faults in a row (crashed)"), "ben": Out("not ready", "a banner")}
    assert list(paused_lines(state_of([], agents=("anna", "ben"), out=out), roll, Path("run"))) == [
        "anna: paused after 3 faults in a row (crashed); its other games count as lost "
        "(to let it play on: connect4-agent course retry run anna)"
    ]


def test_what_a_higher_time_limit_would_cost_is_counted() -> None:
    roll = roll_of({"anna": READY, "ben": READY, "cem": Verdict.NOT_READY})
    roll.entry("cem").versions[0].problem = Kind.TOO_SLOW
    late = record_of(
        "3",
        agents=("anna", "ben"),
        times_ms=(20.0,),
        ending=Ending.TIMED_OUT,
        winner=1,
        fault=Fault(player=2, detail="no answer after 1.1 s"),
        overruns=(Overrun(ply=1, player=2, elapsed_ms=1100, limit_ms=1000),),
    )
    games = [
        late.model_copy(update={"replay": None}),
        record_of("33", game=2, agents=("anna", "ben"), repeat=1, times_ms=(20.0, 20.0)),
    ]
    out = {"ben": Out("paused", "3 faults"), "cem": Out("not ready", "slow"), "dora": Out("not ready", "a banner")}
    lost = [("anna", "ben"), ("cem", "anna"), ("cem", "ben"), ("dora", "ben"), ("anna", "dora")]
    state = state_of(games, out=out, lost=lost, limit_seconds=1.0)
    report = report_on({"course": state})
    lines = list(slow_lines(state, report, roll))
    assert lines == [
        "ben: 1 of 2 moves took longer than the limit of 1 s; 1 of its games is lost on time",
        "too slow for 1 s: ben, cem; a usual move of the class takes 0.02 s; with a higher limit_seconds in "
        "course.toml, only the games that were lost on time are played again, here 4",
    ]
    assert list(slow_lines(state_of([games[1]]), report_on({"course": state_of([games[1]])}), roll_of({}))) == []


# ---- how long it takes ----------------------------------------------------------------------------------------------


def checked(seconds: float, games: int = 10) -> CheckResult:
    practice = Practice(
        wanted=games, played=games, faults=0, opponents=(), slowest_ms=1, limit_ms=1000, elapsed_seconds=seconds * games
    )
    return CheckResult(
        agent="a", command=("x",), directory=None, start=StartForm.BARE, problems=(), findings=(), practice=practice
    )


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    config = CourseConfig(references=("random",), reference_games=4, games=2, openings="empty")
    return new_workplace(tmp_path / "run", tmp_path / "submissions", config, Isolation.NONE, print, jobs=2)


def test_the_time_is_estimated_from_practice_games(workplace: Workplace) -> None:
    roll = roll_of({"anna": READY, "ben": READY, "cem": Verdict.NOT_READY}, workplace.config)
    run_config = run_config_of(workplace, roll)
    # Two entries: 4 games each against the reference, 2 against each other. Per program of 7 x 6, 22 moves of 1.1 s.
    games, most = "2 of 3 entries are ready; 10 games to play", "at most 3 min if every program used all of its time"
    assert plan_line(workplace, roll, run_config) == f"{games}: {most}, with 2 games at a time"
    for entry, seconds in zip(roll.entries, (6.0, 20.0, 1.0), strict=True):
        path = check_path(workplace.copy_of(entry, entry.versions[0]))
        path.parent.mkdir(parents=True)
        path.write_text(checked(seconds).model_dump_json(exclude={"verdict"}))
    # anna's 4 games of 6 s, ben's of 20 s, 2 of 26 s, and a second to judge them: 157 s, two at a time.
    assert plan_line(workplace, roll, run_config) == f"{games}: about 79 s with 2 games at a time, {most}"


def test_only_games_that_are_missing_are_planned(workplace: Workplace) -> None:
    roll = roll_of({"anna": READY, "ben": READY}, workplace.config)
    run_config = run_config_of(workplace, roll)
    schedule = describe(workplace.folder, run_config)
    played = [record_of("33", key=key, game=game) for game, key in enumerate(schedule, 1) if game != 5]
    write_run(workplace.folder, played[:8])
    assert "; 2 games to play" in plan_line(workplace, roll, run_config)


# ---- the author -----------------------------------------------------------------------------------------------------


def test_who_is_started_with_flags_is_told_why() -> None:
    spec = AgentSpec(name="anna", command=("python3", "a.py"), start=StartForm.FLAGS)
    finding = Finding(name="bare", title="", tier=Tier.ROBUST, status="failed")
    problem = Problem(
        kind=Kind.CRASHED, tier=Tier.ROBUST, text="it crashed with IndexError", fix="take it from the request",
        cases=("bare",), games=0, example=finding,
    )  # fmt: skip
    result = checked(1.0).model_copy(
        update={"start": spec.start, "command": spec.command_for(1, 7, 6), "problems": (problem,)}
    )
    assert remarks_of(result) == [
        "it is started with --player 1 --width 7 --height 6, because without that it crashed with IndexError; "
        "take it from the request"
    ]
