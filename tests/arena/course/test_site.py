"""The site of a course: what everybody may see, as files, and nothing else."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.arena.course.roll import read_roll, write_roll
from connect4_agent.arena.course.site import INDEX, site_files, slugs_of, write_site
from connect4_agent.arena.run.description import read_description, write_description
from connect4_agent.arena.run.state import read_run
from connect4_agent.commands.course import run
from tests.sample_courses import CRASHES, NOT_READY, SECRET, write_course
from tests.sample_runs import NASTY, tournament, write_tournament

ENTRIES = ("anna", "Ben Maier", "Çağla Ö", "李雷", "a#b?c%d", "x" * 90, NASTY, CRASHES, NOT_READY)
MAX_INDEX_BYTES = 200_000


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_course(tmp_path_factory.mktemp("course") / "run", ENTRIES)


@pytest.fixture(scope="module")
def site(course: Path) -> dict[str, bytes]:
    return site_files(course)


def rows_of(page: bytes) -> list[Any]:
    found = re.search(rb'id="games-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    rows: list[Any] = json.loads(found[1])["games"]
    return rows


def page_of(site: dict[str, bytes], name: str) -> str:
    """The page of an entry, by its heading."""
    (found,) = [data.decode() for path, data in site.items() if f"<h1>{name}</h1>".encode() in data]
    return found


def test_every_link_leads_to_a_file_of_the_site(site: dict[str, bytes]) -> None:
    for path, data in site.items():
        if not path.endswith(".html"):
            continue
        links = [unescape(link) for link in re.findall(r'(?:href|src)="([^"]*)"', data.decode())]
        assert links
        for link in links:
            target = urlsplit(urljoin(f"http://here/{path}", link))
            assert link == "data:," or (target.netloc == "here" and unquote(target.path)[1:] in site), (path, link)
    assert all(re.fullmatch(r"[a-z0-9/._-]{1,110}", path) for path in site)


def test_the_index_has_the_standings_and_who_did_not_play(site: dict[str, bytes]) -> None:
    index = site[INDEX].decode()
    assert "9 entries, 8 ready, " in index
    assert re.search(r'<a href="entries/ben-maier.html">Ben Maier</a></th><td>[\d.]+/\d+</td><td>[\d.]+ %</td>', index)
    assert "not-ready</a>: did not pass the check</li>" in index
    assert index.index('id="standings"') < index.index('id="absent"') < index.index('class="matrix')
    assert set(re.findall(r'class="dot (\w+)" title="(?:\w+): [\d.]+/\d+">(.)', index)) <= {
        ("yes", "●"), ("unclear", "◐"), ("no", "○")
    }  # fmt: skip
    assert "random (reference)" in index


def test_every_game_is_on_the_pages_of_both_agents_and_its_details_in_one_script(
    course: Path, site: dict[str, bytes]
) -> None:
    records = list(read_run(course, print).records)
    pages = [rows_of(data) for path, data in site.items() if path.startswith("entries/")]
    assert sorted(row[0] for rows in pages for row in rows) == sorted(2 * [record.game for record in records])
    scripts = [data.decode() for path, data in site.items() if path.startswith("games/")]
    details = [json.loads(text.removeprefix("connect4Games(").removesuffix(");\n")) for text in scripts]
    known = {int(number): each for found in details for number, each in found.items()}
    assert sum(map(len, details)) == len(known) == len(records)
    for record in records:
        if record.judged is None:  # too short
            continue
        assert tuple(known[record.game]["scores"]) == record.judged.scores
        assert known[record.game].get("why", {}) == {str(ply): why for ply, why in record.judged.reasons.items()}


def test_nothing_private_is_on_the_site(course: Path, site: dict[str, bytes]) -> None:
    for data in site.values():
        for private in (SECRET, "/home/", "python3", str(course), "traceback"):
            assert private.encode() not in data
    faults = [row[-1]["fault"] for row in rows_of(page_of(site, CRASHES).encode()) if "fault" in row[-1]]
    assert faults
    assert all(fault.keys() == {"player"} for fault in faults)


def test_names_cannot_leave_their_places(site: dict[str, bytes]) -> None:
    for data in site.values():
        assert NASTY.encode() not in data
    assert all(data.count(b"<script") == data.count(b"</script>") for data in site.values())


def alias_course(folder: Path, entries: tuple[str, ...]) -> Path:
    return write_course(folder, entries, names="alias")


def test_with_aliases_no_name_is_on_the_site(tmp_path: Path) -> None:
    names = ("Xaver Quist", "Yvonne", CRASHES, NOT_READY, "Zbigniew")
    run = alias_course(tmp_path, names)
    roll = read_roll(run)
    roll.entry("Zbigniew").is_withdrawn = True
    write_roll(run, roll)
    site = site_files(run)
    everything = b"\n".join([*(path.encode() for path in site), *(data for data in site.values())])
    for name in (*names[:2], names[4], "xaver", "yvonne", "zbigniew", f">{NOT_READY}<", f'"{CRASHES}"'):
        assert name.encode() not in everything
    index = site[INDEX].decode()
    for entry in roll.entries:
        assert entry.alias in index
        assert entry.is_withdrawn or f"entries/{entry.alias.lower()}.html" in site


def test_with_aliases_nothing_tells_the_order_of_the_folder(tmp_path: Path) -> None:
    """The site is the same, whoever came first, if the aliases and the games are."""
    names = ("a", "b", "c", NOT_READY, "late 1", "late 2")
    run = alias_course(tmp_path, names)
    numbers = [record.game for record in read_run(run, print).records]
    roll = read_roll(run)
    for entry in roll.entries[-2:]:
        entry.is_withdrawn = True
    write_roll(run, roll)
    site = site_files(run)
    shown = {row[0] for path, data in site.items() if path.startswith("entries/") for row in rows_of(data)}
    assert len(shown) == len(numbers)
    assert shown != set(numbers)
    assert site_files(run) == site  # the numbers stay
    roll.entries.reverse()
    write_roll(run, roll)
    description = read_description(run)
    assert description is not None
    config = description.config.model_copy(update={"agents": description.config.agents[::-1]})
    write_description(run, description.model_copy(update={"config": config}))
    assert site_files(run) == site


def test_entries_that_are_equally_good_are_ordered_by_the_names_that_are_shown(tmp_path: Path) -> None:
    run = write_course(tmp_path, [f"entry {number}" for number in range(12)], names="alias", share=0)
    index = site_files(run)[INDEX].decode()
    listed = re.findall(r'<a href="entries/[a-z]+\.html">([A-Z][a-z]+)</a></th><td>0/0', index)
    assert len(listed) == 12
    assert listed == sorted(listed)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60), unique=True))
def test_files_of_any_names_are_distinct_on_any_file_system(names: list[str]) -> None:
    slugs = slugs_of(names)
    assert list(slugs) == names
    assert len(set(slugs.values())) == len(names)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,60}", slug) for slug in slugs.values())
    files = {".".join(sorted(pair)) for pair in combinations(slugs.values(), 2)}
    assert len(files) == len(names) * (len(names) - 1) // 2


def test_the_index_of_a_large_class_is_small(tmp_path: Path) -> None:
    names = [f"Maximilian Mustermann {number}" for number in range(60)]
    references = ("random", "greedy", "easy", "medium", "hard")
    run = write_course(tmp_path, names, references=references, share=0.4, is_judged=False)
    assert len(site_files(run)[INDEX]) < MAX_INDEX_BYTES


def test_a_site_is_replaced_and_leaves_nothing_behind(course: Path, site: dict[str, bytes], tmp_path: Path) -> None:
    target = tmp_path / "published"
    write_site(target, site)
    written = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if path.is_file()}
    assert written.keys() == site.keys()
    assert all(path.read_bytes() == site[name] for name, path in written.items())
    kept = written["games/anna.ben-maier.js"].stat()
    (target / "CNAME").write_text("class.example")
    smaller = {name: data for name, data in site.items() if "anna" not in name or "ben" in name}
    write_site(target, smaller | {INDEX: site[INDEX] + b" "})
    written = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if path.is_file()}
    assert written.keys() == smaller.keys() | {"CNAME"}
    assert written["games/anna.ben-maier.js"].stat() == kept
    assert written[INDEX].read_bytes().endswith(b" ")
    assert (course / INDEX).exists() is False


@pytest.mark.parametrize("name", [INDEX, "games/mine.js"])
def test_other_peoples_files_are_not_replaced(site: dict[str, bytes], tmp_path: Path, name: str) -> None:
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(errors.ArenaError, match="is not part of a course's site; choose another folder"):
        write_site(tmp_path, site)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [mine]


@pytest.mark.parametrize("words", [["status"], ["site"], ["retry", "anna"], ["accept", "anna"]])
def test_the_run_of_a_tournament_is_not_taken_for_a_course(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    folder = write_tournament(tmp_path / "run", tournament(rounds=1), rounds=1)
    files = {path.name for path in folder.iterdir()}
    assert run([words[0], str(folder), *words[1:]]) == 2
    assert capsys.readouterr().err.endswith(f"{str(folder)!r} is not the folder of a course: it has no entries\n")
    assert {path.name for path in folder.iterdir()} == files


def test_the_command_writes_the_site_where_it_is_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_course(tmp_path / "run", ("anna", "ben"), share=0.5)
    assert run(["site", str(folder)]) == 0
    assert f"open {folder / 'site' / INDEX}" in capsys.readouterr().err
    assert run(["site", str(folder), str(tmp_path / "public")]) == 0
    assert (tmp_path / "public" / INDEX).read_bytes() == (folder / "site" / INDEX).read_bytes()
    assert b"<progress" in (folder / "site" / INDEX).read_bytes()
    (tmp_path / "file").write_text("")
    assert run(["site", str(folder), str(tmp_path / "file" / "below")]) == 2
    assert "cannot write" in capsys.readouterr().err
