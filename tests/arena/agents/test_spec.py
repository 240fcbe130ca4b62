"""Agents: what an AGENT on a command line names."""

from __future__ import annotations

import pytest

from connect4_agent import errors
from connect4_agent.arena.agents.spec import command_words


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
