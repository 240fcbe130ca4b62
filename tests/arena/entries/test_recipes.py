"""Recipes: how an entry is built and started, from its agent.toml or by convention."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from connect4_agent.arena.entries.recipes import Recipe, built_program, recipe_of
from connect4_agent.arena.entries.unpacking import EntryError
from connect4_agent.arena.spec import StartForm


def recipe(tmp_path: Path, **files: str) -> Recipe:
    """The recipe of an entry with these files; two underscores in a name stand for a dot."""
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_bytes(text.encode())
    return recipe_of(tmp_path)


def test_agent_toml_says_how_an_entry_is_built_and_started(tmp_path: Path) -> None:
    text = 'build = "make all"\nrun = "python3 -u bot.py"\nstart = "flags"\n'
    assert recipe(tmp_path, agent__toml=text) == Recipe(
        build="make all", run=("python3", "-u", "bot.py"), start=StartForm.FLAGS
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("run = ", "agent.toml is not TOML"),
        ('runs = "x"', "agent.toml: runs is not a known key"),
        ('start = "sideways"\nrun = "x"', "agent.toml: start"),
        ('run = ""', "agent.toml: run: the command is empty"),
        ('start = "bare"', "neither `run` nor `build`"),
    ],
)
def test_a_bad_agent_toml_is_refused_with_its_key(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(EntryError, match=says):
        recipe(tmp_path, agent__toml=text)


@pytest.mark.parametrize(
    ("name", "text", "run"),
    [
        ("bot__py", "print()\n", ("bot.py",)),
        ("bot__js", "", ("node", "bot.js")),
        ("bot__rkt", "#lang racket\n", ("racket", "bot.rkt")),
        ("run", "#!/bin/sh\n", ("./run",)),
        ("connect", "#!/bin/sh\n", ("./connect",)),
    ],
)
def test_one_program_is_started_by_convention(tmp_path: Path, name: str, text: str, run: tuple[str, ...]) -> None:
    assert recipe(tmp_path, **{name: text, "notes__txt": "x"}).run == run


def test_c_cpp_and_java_are_compiled(tmp_path: Path) -> None:
    for name in ("c", "cpp", "java"):
        (tmp_path / name).mkdir()
    found = recipe(tmp_path / "c", agent__c="", search__c="", search__h="")
    assert (found.build, found.run) == ("cc -O2 -o agent agent.c search.c -lm", ("./agent",))
    found = recipe(tmp_path / "cpp", agent__cpp="", search__cc="", search__h="")
    assert (found.build, found.run) == ("c++ -O2 -o agent agent.cpp search.cc -lm", ("./agent",))
    text = "package bots.anna;\npublic class Bot { public static void main(String[] words) {} }"
    found = recipe(tmp_path / "java", Bot__java=text, Board__java="class Board {}")
    assert (found.build, found.run) == ("javac -d . *.java", ("java", "bots.anna.Bot"))


def test_of_several_files_the_one_with_a_usual_name_or_a_main_part_is_started(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    assert recipe(tmp_path / "one", search__py="", agent__py="").run == ("agent.py",)
    (tmp_path / "two").mkdir()
    main = 'if __name__ == "__main__":\n    pass\n'
    assert recipe(tmp_path / "two", search__py="", zebra__py=main).run == ("zebra.py",)
    (tmp_path / "three").mkdir()
    with pytest.raises(EntryError, match=r"it has search.py, zebra.py; call the one to start agent.py"):
        recipe(tmp_path / "three", search__py="", zebra__py="")


def test_programs_in_two_languages_and_none_at_all_are_refused(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(EntryError, match=r"we recognise no program in notes\.txt; it needs one"):
        recipe(tmp_path / "none", notes__txt="")
    with pytest.raises(EntryError, match="programs in Python and JavaScript"):
        recipe(tmp_path, a__py="", b__js="")


def test_a_notebook_is_refused_with_how_to_export_it_unless_a_program_is_beside_it(tmp_path: Path) -> None:
    with pytest.raises(EntryError, match=r"agent\.ipynb is a notebook, .*: export it as a \.py file"):
        recipe(tmp_path, agent__ipynb="{}", notes__txt="")
    assert recipe(tmp_path, agent__py="").run == ("agent.py",)


def test_a_syntax_error_is_shown_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(EntryError, match=r"agent.py, line 2: "):
        recipe(tmp_path, agent__py="x = 1\ndef f(:\n")


def test_python_2_is_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(EntryError, match=r"line 2: print without brackets: this is Python 2, which is not installed"):
        recipe(tmp_path, agent__py="x = 1\nprint x\n")
    for status, name in ((1, "python2.7"), (0, "python2")):  # the first one only stands for a Python, as pyenv has it
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda word: str(tmp_path / word))
    assert recipe(tmp_path).run == ("python2", "agent.py")


def test_carriage_returns_after_the_first_line_are_removed_and_said(tmp_path: Path) -> None:
    found = recipe(tmp_path, run="#!/usr/bin/env python3\r\nprint()\r\n")
    assert (tmp_path / "run").read_bytes() == b"#!/usr/bin/env python3\nprint()\n"
    assert found.run == ("./run",)
    assert os.access(tmp_path / "run", os.X_OK)
    assert "CR LF" in found.remarks[0]


def test_a_makefile_builds_a_program_called_run_or_agent_or_the_only_one(tmp_path: Path) -> None:
    found = recipe(tmp_path, Makefile="all:\n")
    assert (found.build, found.run) == ("make", None)
    with pytest.raises(EntryError, match="made no program"):
        built_program(tmp_path)
    for name in ("zebra", "bot", "agent"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
        if name == "zebra":
            assert built_program(tmp_path) == ("./zebra",)
        if name == "bot":
            with pytest.raises(EntryError, match="made bot, zebra; the one to start should be called `run`"):
                built_program(tmp_path)
    assert built_program(tmp_path) == ("./agent",)
