"""The roll of a course: entries keep their names, whatever comes and goes beside them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.course.entries import Origin
from connect4_agent.arena.course.roll import Entry, Roll
from tests.effort import examples

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
