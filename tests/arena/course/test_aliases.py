"""Aliases of entries: distinct, and the same for ever."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.entries import Origin
from connect4_agent.arena.course.grades import grades, rows_of
from connect4_agent.arena.course.roll import ANIMALS, EntryVersion, Roll, new_alias, read_roll, write_roll
from connect4_agent.arena.report.tally import report_on
from tests.effort import examples
from tests.sample_runs import state_of

NAMES = st.lists(st.text(min_size=1, max_size=3), max_size=8, unique=True)


@examples(100)
@given(st.lists(NAMES, max_size=4))
def test_aliases_are_distinct_and_stay_when_entries_come_and_go(intakes: list[list[str]]) -> None:
    roll = Roll()
    known: dict[str, str] = {}
    for names in intakes:
        roll.entries_of([Origin(name=name) for name in names])
        for entry in roll.entries:
            entry.is_withdrawn = entry.name not in names
        aliases = {entry.name: entry.alias for entry in roll.entries}
        assert len(set(aliases.values())) == len(aliases)
        assert aliases.items() >= known.items()
        known = aliases
        roll = Roll.model_validate_json(roll.model_dump_json())


def test_there_is_an_alias_for_everybody_in_a_class_of_any_size() -> None:
    taken: set[str] = set()
    for _ in range(2 * len(ANIMALS) + 1):
        taken.add(new_alias(taken))
    assert len(taken) == 2 * len(ANIMALS) + 1
    assert set(ANIMALS) <= taken
    assert all(animal.isalpha() for animal in ANIMALS)


def test_the_roll_keeps_aliases_and_grades_name_them_if_they_are_used(tmp_path: Path) -> None:
    roll = Roll()
    (entry,) = roll.entries_of([Origin(name="anna")])
    entry.versions = [EntryVersion.model_validate({"number": 1, "files": {}, "handed_in": "2026-11-18T08:00:00Z"})]
    write_roll(tmp_path, roll)
    assert read_roll(tmp_path).entry("anna").alias == entry.alias
    report = report_on({"course": state_of([], agents=("random", "anna"))})
    graded = grades(CourseConfig(), roll, report)
    (row,) = rows_of(CourseConfig(names="alias"), roll, graded, {})
    assert (row["entry"], row["alias"]) == ("anna", entry.alias)
    (row,) = rows_of(CourseConfig(), roll, graded, {})
    assert "alias" not in row


def test_the_openings_come_from_a_secret_that_the_course_keeps(tmp_path: Path) -> None:
    aliases = CourseConfig(names="alias")
    one, other = Roll(config=aliases), Roll(config=aliases)
    assert one.seed != other.seed
    write_roll(tmp_path, one)
    assert read_roll(tmp_path).seed == one.seed
    assert one.model_copy(update={"config": CourseConfig()}).seed == one.seed
    assert Roll(config=CourseConfig(names="alias", seed=5)).seed == 5
