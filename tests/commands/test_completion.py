"""connect4-agent completion: the scripts, made from the parsers of all commands."""

from __future__ import annotations

import subprocess

import pytest

from connect4_agent.commands import COMMANDS
from connect4_agent.commands.completion import parser_of
from tests.processes import PATIENCE_SECONDS, run_agent

PROBE = """
source /dev/stdin
COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
_connect4_agent
echo "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["ma"], "match"),
        (["--lev"], "--level"),
        (["--level", ""], "easy medium hard perfect 1 2 3 4 5 6 7 8 9 10"),
        (["match", "--open"], "--openings"),
        (["match", "hard", "gr"], "greedy"),
        (["match", "--isolation", "p"], "processes"),
        (["match", "--out", ""], ""),
        (["move", "--evaluator", "w"], "windows"),
        (["new", "mine", "--lang", ""], "python javascript racket c"),
        (["play", "pe"], "person perfect"),
        (["help", "tou"], "tournament"),
        (["play", "level:1"], "1 10"),
        (["match", "level:3", "le"], " ".join(f"level:{number}" for number in range(1, 11))),
        (["report", "ru"], ""),
    ],
)
@pytest.mark.needs("bash")
def test_bash_offers_what_fits_there(typed: list[str], offered: str) -> None:
    script = run_agent("completion", "bash").stdout
    words = ["bash", "-c", PROBE, "bash", "connect4-agent", *typed]
    done = subprocess.run(words, input=script, capture_output=True, timeout=PATIENCE_SECONDS, check=True)
    assert (sorted(done.stdout.decode().split()), done.stderr) == (sorted(offered.split()), b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_has_every_option_of_every_command(shell: str) -> None:
    lines = run_agent("completion", shell).stdout.decode().splitlines()
    for command in COMMANDS:
        (*options,) = (flag for action in parser_of(command)._actions for flag in action.option_strings)
        assert "--help" in options
        for option in options:
            fish = f" -l {option[2:]} " if option.startswith("--") else f" -s {option[1:]} "
            found = fish if shell == "fish" else option
            place = "not __fish_seen" if shell == "fish" and command == "serve" else command
            assert any(place in line and found in line for line in lines), (command, option)
