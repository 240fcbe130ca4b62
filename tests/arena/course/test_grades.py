"""Grades: their parts, which add up, and the words for what was earned and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.course.config import CourseConfig, Grades
from connect4_agent.arena.course.grades import Graded, grades, rows_of
from connect4_agent.arena.course.roll import Roll
from connect4_agent.arena.exclusions import Out
from connect4_agent.arena.report.tally import report_on
from tests.arena.course.courses import roll_of
from tests.sample_runs import record_of, state_of

WON = "0101010"
"""A game that the player who begins wins."""


def graded(
    config: CourseConfig, roll: Roll, results: Sequence[tuple[str, str]], out: Mapping[str, Out] | None = None
) -> dict[str, Graded]:
    """The grades after games in which the first of a pair beats the second."""
    games = [record_of(WON, game=number, agents=pair, repeat=number) for number, pair in enumerate(results, 1)]
    agents = [*config.references, *(entry.name for entry in roll.entries)]
    state = state_of(games, agents=agents, format="gauntlet", references=config.references, out=out)
    return {each.entry.name: each for each in grades(config, roll, report_on({"course": state}))}


def test_parts_say_what_was_earned_and_what_is_missing() -> None:
    config = CourseConfig(references=("random", "hard"), grades=Grades(beats={"random": 30.0, "hard": 20.0}))
    roll = roll_of({"anna": Verdict.READY, "ben": Verdict.REMARKS, "cem": Verdict.NOT_READY})
    results = [("anna", "random")] * 10 + [("anna", "hard"), ("hard", "anna")] * 5 + [("anna", "ben")] * 2
    found = graded(config, roll, results)
    anna = {part.name: (part.points, part.of, part.why) for part in found["anna"].parts}
    assert anna["ready"] == (40, 40, "it passes the check")
    assert anna["beats random"] == (30, 30, "10 : 0, proven at 95 %")
    assert anna["beats hard"] == (0, 20, "5 : 5; 9 of 10 would prove it")
    assert anna["rank"][2].startswith("rank 1")
    ben = {part.name: part.why for part in found["ben"].parts}
    assert ben["beats random"] == "not played"
    cem = {part.name: (part.points, part.why) for part in found["cem"].parts}
    assert cem["ready"] == (0, "a banner")
    assert found["cem"].grade == 0


def test_the_only_entry_that_is_ready_has_the_first_rank() -> None:
    config = CourseConfig(references=("random",), grades=Grades(beats={}))
    roll = roll_of({"anna": Verdict.READY, "ben": Verdict.NOT_READY})
    rank = graded(config, roll, [("random", "anna")])["anna"].parts[-1]
    assert (rank.points, rank.of) == (10, 10)


def test_a_paused_entry_gains_nothing_by_a_wide_range_of_ranks() -> None:
    config = CourseConfig(references=("random",), grades=Grades(beats={}))
    roll = roll_of(dict.fromkeys(("anna", "ben", "cem"), Verdict.READY))
    results = [("anna", "ben")] * 20 + [("ben", "cem")]
    out = {"cem": Out("paused", "3 faults in a row (crashed)")}
    before, after = (graded(config, roll, results, found)["cem"].parts[-1] for found in (None, out))
    assert before.points > 0
    assert "the middle of that range counts" in before.why
    assert after.points == 0
    assert after.why.endswith("to 3 of 3; the end of that range counts")


def test_no_spreadsheet_takes_a_name_or_a_reason_for_a_formula() -> None:
    config = CourseConfig(references=("random",), grades=Grades(beats={}))
    roll = roll_of({"=1+1": Verdict.NOT_READY, "anna": Verdict.NOT_READY})
    roll.entry("=1+1").versions[0].reason = '=HYPERLINK("http://x").py, line 1: invalid syntax'
    found = graded(config, roll, [])
    anna, row = sorted(rows_of(config, roll, list(found.values()), {}), key=lambda row: row["entry"] != "anna")
    assert (row["entry"], row["reason"]) == ("'=1+1", '\'=HYPERLINK("http://x").py, line 1: invalid syntax')
    assert anna["entry"] == "anna"


def test_everybody_on_the_roster_has_a_line() -> None:
    config = CourseConfig(references=("random",))
    roll = roll_of(dict.fromkeys(("anna", "ben", "cem"), Verdict.READY), config)
    roll.entry("ben").is_withdrawn = True
    found = graded(config, roll, [("anna", "random")])
    roster = {name: {"entry": name, "id": name.upper()} for name in ("zoe", "ben", "anna", "-dora")}
    rows = rows_of(config, roll, list(found.values()), roster)
    assert [(row["entry"], row["id"], row["verdict"]) for row in rows] == [
        ("anna", "ANNA", "ready"),
        ("cem", "", "ready"),
        ("zoe", "ZOE", "nothing handed in"),
        ("ben", "BEN", "withdrawn"),
        ("'-dora", "-DORA", "nothing handed in"),
    ]
    assert [(row["grade"], row["of"]) for row in rows[2:]] == [(0, rows[0]["of"])] * 3
    assert all(row.keys() <= rows[0].keys() for row in rows)


POINTS = st.floats(0, 100, allow_nan=False).map(lambda points: round(points, 2))


@given(
    worths=st.lists(POINTS, min_size=4, max_size=4),
    verdicts=st.lists(st.sampled_from(list(Verdict)), min_size=3, max_size=3),
    results=st.lists(st.permutations(["random", "hard", "anna", "ben", "cem"]).map(lambda names: (names[0], names[1]))),
)
def test_the_parts_of_every_grade_add_up_and_none_exceeds_its_worth(
    worths: list[float], verdicts: list[Verdict], results: list[tuple[str, str]]
) -> None:
    ready, random, hard, rank = worths
    worth = Grades(ready=ready, rank=rank, beats={"random": random, "hard": hard})
    config = CourseConfig(references=("random", "hard"), grades=worth)
    roll = roll_of(dict(zip(("anna", "ben", "cem"), verdicts, strict=True)))
    found = list(graded(config, roll, results).values())
    for each, row in zip(found, rows_of(config, roll, found, {}), strict=True):
        assert [part.name for part in each.parts] == ["ready", "beats random", "beats hard", "rank"]
        assert all(0 <= part.points <= part.of for part in each.parts)
        assert each.grade == round(sum(part.points for part in each.parts), 6)
        assert (row["grade"], row["of"]) == (each.grade, round(sum(worths), 6))
