"""Agents: what an AGENT on a command line names."""

from __future__ import annotations

import pytest

from connect4_agent import errors
from connect4_agent.arena.spec import MAX_NAME, AgentSpec, agent_name, command_words, new_spec, spec_of


def test_an_agent_is_a_built_in_player_or_a_command_line() -> None:
    assert command_words("negamax:depth=2") is None
    assert command_words("sh -c 'exec cat'") == ("sh", "-c", "exec cat")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hrad", "neither a command that can be found nor a built-in player: there is no built-in player 'hrad'"),
        ("negamax:depth=0", "depth is '0'"),
        ("", "nor a built-in player"),
        ("sh 'unclosed", "is not a command line: No closing quotation"),
    ],
)
def test_an_agent_that_is_neither_is_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(errors.AgentError, match=complaint):
        command_words(text)


@pytest.mark.parametrize("length", range(MAX_NAME - 20, MAX_NAME + 20))
def test_a_name_made_of_a_command_line_is_valid_where_it_is_read_again(length: int) -> None:
    spec = spec_of(f"cat '{'x' * length}\x1b[2J'")
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
