"""The description of a course: the keys of course.toml, and the roster of the class."""

from __future__ import annotations

from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.arena.course.config import CourseConfig, read_course_config, read_roster


def config_of(tmp_path: Path, text: str) -> CourseConfig:
    (tmp_path / "course.toml").write_text(text)
    return read_course_config(tmp_path / "submissions")


def test_every_key_has_a_default(tmp_path: Path) -> None:
    assert read_course_config(tmp_path / "submissions") == CourseConfig() == config_of(tmp_path, "")
    assert CourseConfig().references == ("random", "greedy", "easy", "medium", "hard")
    assert CourseConfig().grades.ready + sum(CourseConfig().worth.values()) + CourseConfig().grades.rank == 100


def test_the_file_beside_the_submissions_or_a_given_one_is_read(tmp_path: Path) -> None:
    assert config_of(tmp_path, 'title = "CSCI 4202"\n').title == "CSCI 4202"
    (tmp_path / "other.toml").write_text('title = "Other"\n')
    assert read_course_config(tmp_path / "submissions", tmp_path / "other.toml").title == "Other"
    with pytest.raises(errors.ArenaError, match="no such file"):
        read_course_config(tmp_path / "submissions", tmp_path / "nowhere.toml")


def test_a_file_among_the_submissions_is_not_overlooked(tmp_path: Path) -> None:
    (tmp_path / "submissions").mkdir()
    (tmp_path / "submissions" / "course.toml").write_text("")
    with pytest.raises(errors.ArenaError, match=r"submissions/course\.toml would be taken for an entry: move it to"):
        read_course_config(tmp_path / "submissions")


def test_a_deadline_without_a_zone_is_local(tmp_path: Path) -> None:
    deadline = config_of(tmp_path, "deadline = 2026-12-01T23:59:00\n").deadline
    assert deadline is not None
    assert deadline.tzinfo is not None
    assert f"{deadline:%Y-%m-%d %H:%M}" == "2026-12-01 23:59"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = ", "is not TOML"),
        ("game = 2", "game is not a known key"),
        ("games = 3", "games is 3"),
        ('references = ["hrad"]', "references: there is no built-in player 'hrad'"),
        ('references = ["easy", "easy"]', "references: a reference appears twice"),
        (
            'references = ["easy"]\n[grades.beats]\nhard = 5',
            "grades.beats has 'hard', which is not one of the references",
        ),
        ("[grades]\nready = -1", "grades.ready is -1"),
    ],
)
def test_a_bad_value_is_refused_with_its_key(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(errors.ArenaError, match=says) as refused:
        config_of(tmp_path, text)
    assert "course.toml" in str(refused.value)


def roster_in(folder: Path) -> dict[str, dict[str, str]]:
    return read_roster(CourseConfig(roster=str(folder / "names.csv")))


def test_a_roster_is_read_by_the_names_of_entries(tmp_path: Path) -> None:
    config = config_of(tmp_path, 'roster = "names.csv"\n')
    assert config.roster == str(tmp_path / "names.csv")
    (tmp_path / "names.csv").write_text("\ufeffentry,name,id,colour\nanna,Anna Ö,17,red\n", encoding="utf-8")
    assert roster_in(tmp_path) == {"anna": {"entry": "anna", "name": "Anna Ö", "id": "17"}}


@pytest.mark.parametrize("text", ["Entry;Name\nanna;Ö, Anna\n", 'entry,"name"\nanna,"Ö, Anna",more\n'])
def test_a_roster_may_come_from_a_spreadsheet_of_any_country(tmp_path: Path, text: str) -> None:
    (tmp_path / "names.csv").write_text(text, encoding="utf-8")
    assert roster_in(tmp_path) == {"anna": {"entry": "anna", "name": "Ö, Anna"}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name,id\nAnna,1\n", "line 2: there is no entry; the columns are entry, name, id, e-mail, group"),
        ("entry\nanna\nanna\n", "line 3: entry 'anna' appears twice"),
    ],
)
def test_a_bad_roster_is_refused_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "names.csv").write_text(text)
    with pytest.raises(errors.ArenaError, match=says):
        roster_in(tmp_path)
