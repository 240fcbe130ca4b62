"""Recipes: how an entry is built and started, from its agent.toml or by what lies in its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from connect4_agent.arena.entries.recipes import Recipe, find_recipe
from connect4_agent.arena.entries.unpacking import EntryError
from connect4_agent.arena.spec import RequestForm, StartForm


def recipe(tmp_path: Path, **files: str) -> Recipe:
    """The recipe of an entry with these files; two underscores in a name stand for a dot."""
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_bytes(text.encode())
    return find_recipe(tmp_path)


def test_agent_toml_wins_and_covers_every_language(tmp_path: Path) -> None:
    text = """
        name = "Team 7"
        build = "cargo build --release"
        command = "target/release/bot --fast"
        directory = "rust"
        env = {DEPTH = "4"}
        start = "flags"
        request = "grid"
        time_limit = 2
        startup = 1.5
    """
    assert recipe(tmp_path, agent__toml=text, agent__py="") == Recipe(
        name="Team 7", build="cargo build --release", command=("target/release/bot", "--fast"), directory="rust",
        env={"DEPTH": "4"}, start=StartForm.FLAGS, request=RequestForm.GRID, time_limit=2.0, startup=1.5,
    )  # fmt: skip
    assert recipe(tmp_path, agent__toml='command = "lib/bot.py:best"\npython = "python3.12"') == Recipe(
        command=("lib/bot.py:best",), python="python3.12"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("command = ", "agent.toml is not TOML"),
        ('build = "make"', "agent.toml: command is missing"),
        ('comand = "x"', r"comand is not a known key \(did you mean command\?\)"),
        ('start = "sideways"\ncommand = "x"', "agent.toml: start"),
        ('command = ""', "agent.toml: command: the command is empty"),
        ('command = "../ben/agent.py"', r"\.\./ben/agent.py is outside of the entry's folder"),
        ('command = "agent.py"\ndirectory = "/home"', "directory: /home is outside of the entry's folder"),
        ('command = "connect4-agent --level perfect"', "connect4-agent itself cannot be handed in"),
        ('command = "x"\npass_env = ["TOKEN"]', "pass_env is not a known key"),
        ('command = "x"\nisolation = "none"', "isolation is not a known key"),
    ],
)
def test_a_bad_agent_toml_is_refused_with_its_key(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(EntryError, match=says):
        recipe(tmp_path, agent__toml=text)


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("bot__py", "print()\n", ("bot.py",)),
        ("bot__js", "", ("node", "bot.js")),
        ("bot__rkt", "#lang racket\n", ("racket", "bot.rkt")),
        ("bot__jar", "", ("java", "-jar", "bot.jar")),
        ("connect", "#!/bin/sh\n", ("./connect",)),
        ("bot__rb", "#!/usr/bin/env ruby\n", ("./bot.rb",)),
    ],
)
def test_one_program_is_started_as_its_kind_is(tmp_path: Path, name: str, text: str, command: tuple[str, ...]) -> None:
    assert recipe(tmp_path, **{name: text, "notes__txt": "x"}) == Recipe(command=command)


def test_c_cpp_and_java_are_compiled(tmp_path: Path) -> None:
    for name in ("c", "cpp", "java"):
        (tmp_path / name).mkdir()
    found = recipe(tmp_path / "c", agent__c="", search__c="", search__h="")
    assert (found.build, found.command) == ("cc -O2 -o agent agent.c search.c -lm", ("./agent",))
    found = recipe(tmp_path / "cpp", agent__cpp="", search__cc="", search__h="")
    assert (found.build, found.command) == ("c++ -O2 -o agent agent.cpp search.cc -lm", ("./agent",))
    text = "package bots.anna;\npublic class Bot { public static void main(String[] words) {} }"
    found = recipe(tmp_path / "java", Bot__java=text, Board__java="class Board {}")
    assert (found.build, found.command) == ("javac -d . *.java", ("java", "bots.anna.Bot"))
    with pytest.raises(EntryError, match=r"my bot\.c: names of files to compile may have"):
        recipe(tmp_path, **{"my bot__c": ""})


def test_of_several_files_the_one_with_a_usual_name_is_started(tmp_path: Path) -> None:
    assert recipe(tmp_path, search__py="", player__py="").command == ("player.py",)
    assert recipe(tmp_path, main__py="").command == ("main.py",)
    assert recipe(tmp_path, agent__py="").command == ("agent.py",)
    assert recipe(tmp_path, helper__js="").command == ("agent.py",)
    (tmp_path / "other").mkdir()
    with pytest.raises(EntryError, match=r"it has search.py, zebra.py; call the one to start agent.py, or add agent.t"):
        recipe(tmp_path / "other", search__py="", zebra__py="")


@pytest.mark.parametrize("target", ["agent: agent.c", "all agent:", "agent test :: x.o"])
def test_a_makefile_that_makes_agent_comes_before_sources(tmp_path: Path, target: str) -> None:
    found = recipe(tmp_path, Makefile=f"CC = cc\n{target}\n\tcc -o agent\n", agent__c="", test__py="")
    assert found == Recipe(build="make agent", command=("./agent",))


@pytest.mark.parametrize("target", ["test: agent", "agent.o: agent.c", "agent := x", "agents:"])
def test_a_makefile_for_something_else_is_passed_over(tmp_path: Path, target: str) -> None:
    assert recipe(tmp_path, Makefile=f"{target}\n\ttrue\n", bot__py="").command == ("bot.py",)


def test_what_cannot_be_understood_says_what_was_found_and_what_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(
        EntryError, match=r"found: notes\.txt; accepted: a Python file \(agent\.py, .* or an agent\.toml"
    ):
        recipe(tmp_path / "none", notes__txt="")
    with pytest.raises(EntryError, match=r"programs in JavaScript and Python; say in agent\.toml which one to start"):
        recipe(tmp_path, a__py="", b__js="")


def test_a_notebook_is_refused_with_how_to_export_it_unless_a_program_is_beside_it(tmp_path: Path) -> None:
    with pytest.raises(EntryError, match=r"agent\.ipynb is a notebook; export it as a \.py file"):
        recipe(tmp_path, agent__ipynb="{}", notes__txt="")
    assert recipe(tmp_path, agent__py="").command == ("agent.py",)
