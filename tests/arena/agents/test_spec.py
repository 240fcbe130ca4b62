"""Agents: what an AGENT on a command line names."""

from __future__ import annotations

from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.arena.command_line import command_words, split_name
from connect4_agent.arena.spec import (
    MAX_NAME,
    AgentSpec,
    agent_name,
    new_spec,
    parse_agent,
    parse_size,
)


def test_an_agent_is_a_built_in_player_or_a_command_line() -> None:
    assert command_words("negamax:depth=2") is None
    assert command_words("sh -c 'exec cat'") == ("sh", "-c", "exec cat")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hrad", "neither a command that can be found nor a built-in player: there is no built-in player 'hrad'"),
        ("negamax:depth=0", "depth is '0'"),
        ("", "it is empty"),
        ("python3", 'python3 needs a program, and both need quotes around them, such as "python3 agent.py"'),
        ("python3.12", "needs a program"),
        ("pyhton3 agent.py", r"there is no program pyhton3 on the PATH \(did you mean python3\?\)"),
        ("./no-such --fast", r"there is no program ./no-such$"),
        ("node no-such.js --fast", "there is no file no-such.js$"),
        ("java -jar no-such.jar", "there is no file"),
        ("cd bots && ./agent", "no shell reads it, so 'cd' means nothing; start one with bash -c 'cd bots && ./agent'"),
        ("echo hello; cat", "no shell reads it, so 'hello;' means nothing"),
        ("~/bots/agent", f"~ stays as it is; write {Path.home()}/bots/agent"),
        (str(Path(__file__).parent), "is a folder; name the program in it"),
        ("sh 'unclosed", "is not a command line: No closing quotation"),
    ],
)
def test_an_agent_that_is_neither_is_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(errors.AgentError, match=complaint):
        command_words(text)


def test_a_file_that_cannot_be_started_is_refused_with_the_reason(tmp_path: Path) -> None:
    program = tmp_path / "with space"
    program.write_text("print(1)\n")
    with pytest.raises(errors.AgentError, match=rf"quote a path that has a blank.*: '{program}'"):
        command_words(str(program))
    with pytest.raises(errors.AgentError, match="may not be executed: chmod"):
        command_words(f"'{program}'")
    program.chmod(0o755)
    with pytest.raises(errors.AgentError, match="a text without a first line that names its interpreter"):
        command_words(f"'{program}'")
    program.write_text("#!/usr/bin/env python3\nprint(1)\n")
    assert command_words(f"'{program}'") == (str(program),)


@pytest.mark.parametrize("length", range(MAX_NAME - 20, MAX_NAME + 20))
def test_a_name_made_of_a_command_line_is_valid_where_it_is_read_again(length: int) -> None:
    spec = parse_agent(f"cat '{'x' * length}\x1b[2J'")
    assert len(spec.name) == min(len(f"cat '{'x' * length}\\x1b[2J'"), MAX_NAME)
    assert spec.name.isprintable()
    assert AgentSpec.model_validate_json(spec.model_dump_json()) == spec


def test_names_of_one_text_stay_short_and_distinct() -> None:
    first = agent_name("\x1b" * MAX_NAME)
    second = agent_name("\x1b" * MAX_NAME, (first,))
    assert len(first) == len(second) == MAX_NAME
    assert second.endswith(" #2")


@pytest.mark.parametrize("key", ["name", "version"])
def test_the_length_of_a_text_counts_as_it_is_shown(key: str) -> None:
    with pytest.raises(errors.AgentError, match=key):
        new_spec({"name": "cat", "command": "cat", key: "x" * (MAX_NAME - 1) + "\x1b"})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("mine=python3 bot.py --depth=4", ("mine", "python3 bot.py --depth=4")),
        ("mine=negamax:depth=4", ("mine", "negamax:depth=4")),
        ("negamax:depth=4", (None, "negamax:depth=4")),
        ("python3 bot.py --depth=4", (None, "python3 bot.py --depth=4")),
        ("./bot=4", (None, "./bot=4")),
        ("=cat", (None, "=cat")),
        ("hard", (None, "hard")),
    ],
)
def test_a_name_goes_before_an_agent(text: str, parts: tuple[str | None, str]) -> None:
    assert split_name(text) == parts


def test_a_named_agent_has_its_name() -> None:
    assert (parse_agent("mine=cat -u").name, parse_agent("mine=cat -u").command) == ("mine", ("cat", "-u"))
    assert (parse_agent("mine=hard").name, parse_agent("mine=hard").player) == ("mine", "hard")


def test_sizes_have_a_unit() -> None:
    sizes = {"1M": 1_000_000, "500M": 500_000_000, "1.5g": 1_500_000_000, "2000k": 2_000_000}
    assert {text: parse_size(text) for text in sizes} == sizes
    for text in ("500", "0M", "999K", "-1G", "1e3M", "1MB", "M", "", "9" * 400 + "G"):
        with pytest.raises(ValueError, match="allowed are sizes such as 500M or 2G, from 1M on"):
            parse_size(text)
    with pytest.raises(errors.AgentError, match="memory is 500; allowed: a text"):
        new_spec({"name": "cat", "command": "cat", "memory": 500})
    with pytest.raises(errors.AgentError, match="memory: '500' is not a size"):
        new_spec({"name": "cat", "command": "cat", "memory": "500"})
