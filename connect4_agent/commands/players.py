"""connect4-agent players: the players, levels and evaluators, a line each."""

from __future__ import annotations

import sys

from connect4_agent.commands.shared.options import new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS

DESCRIPTION = """\
List the players, levels and evaluators. The settings of a player follow its name, in any order, such as
negamax:depth=6,evaluator=potential.
"""


def run(words: list[str]) -> int:
    """Print the list; the exit status."""
    new_parser("connect4-agent players", DESCRIPTION, None).parse_args(words)
    with reader_may_leave():
        sys.stdout.write(listing())
    return 0


def listing() -> str:
    """Return the table of players, levels and evaluators."""
    sections: dict[str, dict[str, str]] = {
        "levels (--level NAME, --agent NAME; level:3 is --level 3)": {},
        "other players (--agent NAME:SETTING=VALUE,...)": {},
        "evaluators (--evaluator NAME)": {},
    }
    levels, others, evaluators = sections.values()
    for name, player in BUILT_IN_PLAYERS.items():
        settings = ", ".join(f"{key} ({default})" if default else key for key, default in player.settings.items())
        (levels if player.is_level else others)[name] = player.summary + (settings and f"; settings: {settings}")
    for name, evaluator in EVALUATORS.items():
        default = " (the default)" if name == DEFAULT_EVALUATOR else ""
        evaluators[name] = str(evaluator.__doc__).partition("\n")[0] + default
    blocks = []
    for title, lines in sections.items():
        blocks.append("\n".join([f"{title}:", *(f"  {name:<14} {text}" for name, text in lines.items())]))
    return "\n\n".join(blocks) + "\n"
