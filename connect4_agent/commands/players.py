"""connect4-agent players: the players, levels and evaluators, a line each, with those of other packages."""

from __future__ import annotations

import sys

from connect4_agent import errors
from connect4_agent.commands.shared.options import new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.players import plugins
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS
from connect4_agent.text import escaped

DESCRIPTION = """\
List what --agent, --level and --evaluator take. A player's settings follow its name, in any order:
negamax:depth=6,evaluator=potential or monte-carlo:time-limit=0.1

Other installed packages can add players and evaluators, by entry points in the groups connect4_agent.players and
connect4_agent.evaluators. They are listed with their package.
"""


def run(words: list[str]) -> int:
    """Print the list; the exit status."""
    new_parser("connect4-agent players", DESCRIPTION, None).parse_args(words)
    with reader_may_leave():
        sys.stdout.write(_listing())
    return 0


def _listing() -> str:
    sections: dict[str, dict[str, str]] = {
        "levels (--level NAME, --agent NAME; level:3 is --level 3)": {},
        "other players (--agent NAME:SETTING=VALUE,...)": {},
        "evaluators (--evaluator NAME)": {},
    }
    levels, others, evaluators = sections.values()
    for name, player in BUILT_IN_PLAYERS.items():
        settings = f"; settings: {', '.join(player.settings)}" if player.settings else ""
        (levels if player.is_level else others)[name] = player.summary + settings
    for name, evaluator in EVALUATORS.items():
        default = " (the default)" if name == DEFAULT_EVALUATOR else ""
        evaluators[name] = str(evaluator.__doc__).partition("\n")[0] + default
    _add_plugins(plugins.PLAYERS, others, (*levels, *others))
    _add_plugins(plugins.EVALUATORS, evaluators, tuple(evaluators))
    blocks = []
    for title, lines in sections.items():
        blocks.append("\n".join([f"{title}:", *(f"  {name:<14} {text}" for name, text in lines.items())]))
    return "\n\n".join(blocks) + "\n"


def _add_plugins(group: str, lines: dict[str, str], built_in: tuple[str, ...]) -> None:
    """Add the plugins of a group; a warning says which cannot be used, and why."""
    for name, plugin in plugins.plugins(group).items():
        try:
            if name in built_in:
                raise errors.PluginError(f"{name!r} of {plugin.package} is not used: the name is built in")
            summary = plugin.summary()
        except errors.PluginError as error:
            sys.stderr.write(f"connect4-agent players: warning: {escaped(str(error))}\n")
            continue
        lines[escaped(name)] = escaped(f"{summary} ({plugin.package})" if summary else f"({plugin.package})")
