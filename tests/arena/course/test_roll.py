"""The roll of a course: entries keep their names and aliases, whatever comes and goes beside them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.grades import grades, rows_of
from connect4_agent.arena.course.roll import ANIMALS, Entry, EntryVersion, Roll, new_alias, read_roll, write_roll
from connect4_agent.arena.entries.unpacking import Origin
from connect4_agent.arena.report.tally import report_on
from tests.effort import examples
from tests.sample_runs import state_of

STUDENTS = [Origin(name=name, student=number) for name in ("anna", "ben") for number in ("1", "2", "3")]
FILES = [Origin(name=name, file=f"{name}{ending}") for name in ("anna", "ben") for ending in ("", ".py", ".zip")]
REFERENCES = ("easy", "ben")


def entries_after(states: list[list[Origin]]) -> list[dict[Origin, Entry]]:
    """The entries of every state of the folder of submissions, each seen by a roll that was kept in between."""
    roll = Roll()
    seen = []
    for origins in states:
        found = roll.entries_of(origins, REFERENCES)
        seen.append({origin: entry.model_copy() for origin, entry in zip(origins, found, strict=True)})
        roll = Roll.model_validate_json(roll.model_dump_json())
    return seen


@examples(200)
@given(st.lists(st.lists(st.sampled_from(STUDENTS + FILES), unique=True), max_size=6))
def test_names_stay_with_their_entries_and_are_never_shared(states: list[list[Origin]]) -> None:
    names: dict[Origin, str] = {}
    before: dict[Origin, Entry] = {}
    for found in entries_after(states):
        shown = [entry.name for entry in found.values()]
        assert len(set(shown)) == len(shown)
        assert not set(shown) & set(REFERENCES)
        for origin, entry in found.items():
            assert entry.origin == origin
            if origin.student:
                assert names.setdefault(origin, entry.name) == entry.name  # for ever
            elif origin in before:
                assert before[origin].name == entry.name  # as long as it is there
        before = found


@examples(50)
@given(st.permutations(STUDENTS))
def test_students_of_one_name_keep_their_numbers_in_any_order(order: list[Origin]) -> None:
    *_, last = entries_after([order[: count + 1] for count in range(len(order))])
    for name in ("anna", "ben"):
        taken = [last[origin].name for origin in order if origin.name == name]
        assert taken == [
            f"{name} #{number}" if number > 1 else name for number in range(1 + (name == "ben"), 4 + (name == "ben"))
        ]


def test_an_entry_that_is_handed_in_as_an_archive_instead_stays_the_same() -> None:
    one, other = Origin(name="anna", file="anna.py"), Origin(name="anna", file="anna.zip")
    first, gone, second = entries_after([[one], [], [other]])
    assert (first[one].name, gone, second[other].name) == ("anna", {}, "anna")
    # Beside each other they are two.
    assert [entry.name for entry in entries_after([[one], [one, other]])[1].values()] == ["anna", "anna #2"]


# ---- aliases ---------------------------------------------------------------------------------------------------------


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
