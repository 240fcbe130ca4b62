"""connect4-agent completion: a script that completes commands, options and names in a shell."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from connect4_agent.commands import COMMANDS
from connect4_agent.commands.shared.options import SHOW_PARSER, ParserShown, new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.engine.kernel.evaluators import EVALUATORS
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS

DESCRIPTION = """\
Print a script with which a shell completes commands, options and names of players when you press Tab.
"""

EXAMPLES = """\
to install it for yourself, in a folder that exists (mkdir -p makes it):
  connect4-agent completion bash > ~/.local/share/bash-completion/completions/connect4-agent
  connect4-agent completion zsh > ~/.zfunc/_connect4-agent
  connect4-agent completion fish > ~/.config/fish/completions/connect4-agent.fish

For zsh, .zshrc needs this line: fpath+=~/.zfunc; autoload -U compinit; compinit
"""

PLAYERS = tuple(BUILT_IN_PLAYERS)
NAMES = {"AGENT": PLAYERS, "SPEC": PLAYERS, "PLAYER": ("person", *PLAYERS), "EVALUATOR": tuple(EVALUATORS)}
"""What the help calls by these words, by name; for other words, the shell offers files."""

BASH = """\
_connect4_agent() {{
    # Words are split here: bash takes the colon of level:3 for the end of a word.
    local line=${{COMP_LINE:0:COMP_POINT}} found= words
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local index=$((${{#words[@]}} - 1))
    local current=${{words[index]}} previous=${{words[index - 1]}} command=${{words[1]}}
{cases}
    COMPREPLY=($(compgen -W "$found" -- "$current"))
    local before_colon=${{current%"${{current##*:}}"}}
    COMPREPLY=("${{COMPREPLY[@]#"$before_colon"}}")
}}
complete -o default -F _connect4_agent connect4-agent
"""

ZSH = """\
#compdef connect4-agent
_connect4_agent() {{
    local current=$words[CURRENT] previous=$words[CURRENT-1] command=$words[2] found=
    local index=$((CURRENT - 1))
{cases}
    compadd -- ${{=found}} || _files
}}
_connect4_agent
"""

CASES = """\
    case $command in
    {commands}) ;;
    *) command=serve ;;
    esac
    case "$index $command $previous" in
    "1 "*) found="{all_commands} {server_options}" ;;
{values}
    *)
        case "$command $current" in
{options}
{positionals}
        esac
        ;;
    esac"""


def run(words: list[str]) -> int:
    """Print the script; the exit status."""
    parser = new_parser("connect4-agent completion", DESCRIPTION, EXAMPLES)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    shell = parser.parse_args(words).shell
    parsers = {name: parser_of(name) for name in COMMANDS}
    with reader_may_leave():
        if shell == "fish":
            sys.stdout.writelines(f"{line}\n" for line in _fish(parsers))
        else:
            sys.stdout.write((BASH if shell == "bash" else ZSH).format(cases=_cases(parsers)))
    return 0


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser that a command makes for its words."""
    try:
        import_module(f"connect4_agent.commands.{command}").run([SHOW_PARSER])
    except ParserShown as shown:
        return shown.parser
    raise AssertionError(f"{command} parses nothing")


def _names_of(action: argparse.Action) -> str:
    """What may follow an option, or stand for an argument; empty if it is not known."""
    names: Iterable[Any] = action.choices or NAMES.get(str(action.metavar), ())
    return " ".join(map(str, names))


def _cases(parsers: dict[str, argparse.ArgumentParser]) -> str:
    """The part of the script that is the same in bash and zsh: it sets `found` to what fits."""
    values, options, positionals = [], [], []
    for name, parser in parsers.items():
        for action in parser._actions:
            flags = " | ".join(f'*" {name} {flag}"' for flag in action.option_strings)
            if flags and action.nargs != 0:
                values.append(f'    {flags}) found="{_names_of(action)}" ;;')
            elif not flags and _names_of(action):
                positionals.append(f'        "{name} "*) found="{_names_of(action)}" ;;')
        options.append(f'        "{name} -"*) found="{_flags_of(parser)}" ;;')
    return CASES.format(
        commands=" | ".join(parsers),
        all_commands=" ".join(parsers),
        server_options=_flags_of(parsers["serve"]),
        values="\n".join(values),
        options="\n".join(options),
        positionals="\n".join(positionals),
    )


def _flags_of(parser: argparse.ArgumentParser) -> str:
    return " ".join(flag for action in parser._actions for flag in action.option_strings)


def _fish(parsers: dict[str, argparse.ArgumentParser]) -> Iterator[str]:
    for name, duty in COMMANDS.items():
        yield f"complete -c connect4-agent -n __fish_use_subcommand -f -a {name} -d {_quoted(duty)}"
    others = " ".join(name for name in parsers if name != "serve")
    for name, parser in parsers.items():
        seen = f"not __fish_seen_subcommand_from {others}" if name == "serve" else f"__fish_seen_subcommand_from {name}"
        for action in parser._actions:
            words = [f"complete -c connect4-agent -n {_quoted(seen)}"]
            words += [f"-{'l' if flag.startswith('--') else 's'} {flag.lstrip('-')}" for flag in action.option_strings]
            if _names_of(action):
                words.append(f"-a {_quoted(_names_of(action))}")
            elif not action.option_strings:
                continue
            if action.option_strings and action.nargs != 0:
                words.append("-x" if _names_of(action) else "-r")
            words.append(f"-d {_quoted((action.help or '') % {**vars(action), 'prog': parser.prog})}")
            yield " ".join(words)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
