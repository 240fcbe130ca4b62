"""Command lines that name agents: split into words, with what is wrong with those that cannot be started."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from typing import Any

from connect4_agent import errors
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.text import did_you_mean

PYTHON_FILE = re.compile(r"(.+\.py)(?::[^\W\d]\w*)?", re.DOTALL)
"""A Python file, and perhaps a name in it: bot.py or bot.py:choose."""

NAMED = re.compile(r"([^\s=:/]+)=(.+)", re.DOTALL)
"""NAME=COMMAND on the command line. Neither negamax:depth=4 nor the command "bot.py --depth=4" has a name."""

INTERPRETERS = ("python3", "python", "node", "java", "racket", "ruby", "perl", "lua", "bash", "sh")
SOURCES = (".py", ".js", ".mjs", ".cjs", ".jar", ".java", ".rkt", ".rb", ".pl", ".lua", ".sh")
INLINE = ("-c", "-e", "-m", "--eval")
"""Options of interpreters after which a word is not a file."""

SHELL_WORDS = ("cd", "&&", "||", ";", "|", ">", "<", "2>")


def is_interpreter(word: str) -> bool:
    """Check whether a word is a usual interpreter, such as python3.12 or /usr/bin/node."""
    return os.path.basename(word).rstrip("0123456789.") in {name.rstrip("3") for name in INTERPRETERS}


def without_name(word: str) -> str:
    """Return the file of a Python file and a name in it, such as bot.py:choose; any other word as it is."""
    match = PYTHON_FILE.fullmatch(word)
    return word if match is None else match[1]


def split_command(command: Any) -> Any:
    """Return the words of a command, a text as one would type it or a list of words already. Raises ValueError."""
    words = shlex.split(command) if isinstance(command, str) else command
    if words is not None and not words:
        raise ValueError("the command is empty")
    return words


def split_name(agent: str) -> tuple[str | None, str]:
    """Split an AGENT of the command line, such as hard or mine=python3 bot.py, into its name, if any, and the rest."""
    match = NAMED.fullmatch(agent)
    return (match[1], match[2]) if match is not None else (None, agent)


def command_words(agent: str, directory: str | None = None) -> tuple[str, ...] | None:
    """Return the words of a command line; None for a built-in player. Raises AgentError for anything else."""
    try:
        parse_player(agent)
    except errors.PlayerSpecError as error:
        reason = str(error)
    else:
        return None
    try:
        words = tuple(shlex.split(agent))
    except ValueError as error:
        raise errors.AgentError(f"agent {agent!r} is not a command line: {error}") from None
    if wrong := next(_find_faults(agent, words, directory or ""), ""):
        raise errors.AgentError(f"agent {agent!r}: {wrong}")
    if PYTHON_FILE.fullmatch(words[0]) is None and shutil.which(words[0]) is None:
        if len(words) > 1 or os.sep in words[0]:
            place = "" if os.sep in words[0] else " on the PATH" + did_you_mean(words[0], INTERPRETERS)
            raise errors.AgentError(f"agent {agent!r}: there is no program {words[0]}{place}")
        raise errors.AgentError(
            f"agent {agent!r} is neither a command that can be found nor a built-in player: {reason}"
        )
    return words


def _find_faults(agent: str, words: Sequence[str], directory: str) -> Iterator[str]:
    """Yield what is wrong with a command line, the cause before what follows from it."""
    if not words:
        yield "it is empty; allowed are a built-in player, a Python file, or a command"
    shell = [word for word in words if word in SHELL_WORDS or word.endswith(";")]
    if shell and not (is_interpreter(words[0]) and "-c" in words):
        yield f"no shell reads it, so {shell[0]!r} means nothing; start one with bash -c {shlex.quote(agent)}"
    for word in words:
        if word.startswith("~"):
            yield f"no shell reads it, so ~ stays as it is; write {os.path.expanduser(word)}"
    if len(words) > 1 and os.path.isfile(os.path.join(directory, agent)):
        yield f"quote a path that has a blank, within the command, too: {shlex.quote(agent)}"
    if is_interpreter(words[0]):
        if len(words) == 1:
            yield f'{agent} needs a program, and both need quotes around them, such as "python3 agent.py"'
        script = next((word for word in words[1:] if not word.startswith("-")), "")
        is_missing = script.endswith(SOURCES) and not os.path.isfile(os.path.join(directory, script))
        if is_missing and not set(INLINE).intersection(words):
            yield f"there is no file {script}" + (f" in {directory}" if directory else "")
    yield from _find_file_faults(words[0], directory)


def _find_file_faults(program: str, directory: str) -> Iterator[str]:
    """Yield what is wrong with the file that is to be started, if it is one."""
    if (match := PYTHON_FILE.fullmatch(program)) is not None:
        if not os.path.isfile(os.path.join(directory, match[1])):
            yield f"there is no file {match[1]}"
    elif os.path.isdir(program):
        yield f"{program} is a folder; name the program in it"
    elif os.path.isfile(program):
        if not os.access(program, os.X_OK):
            yield f"{program} may not be executed: chmod +x it, or name its interpreter before it"
        with open(program, "rb") as file:
            start = file.read(256)
        if start.isascii() and b"\0" not in start and not start.startswith(b"#!"):
            yield (
                f"{program} is a text without a first line that names its interpreter, such as #!/usr/bin/env python3; "
                "add it, or name the interpreter before the file"
            )
