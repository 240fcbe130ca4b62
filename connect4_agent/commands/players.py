"""connect4-agent players: the built-in players, levels and evaluators, a line each."""

from __future__ import annotations

import sys

from connect4_agent.commands.options import new_parser
from connect4_agent.engine.evaluate import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.players import BUILT_IN_PLAYERS

DESCRIPTION = """\
List what --agent, --level and --evaluator take. A player's settings follow its name, in any order:
negamax:depth=6,evaluator=potential or monte-carlo:time-limit=0.1
"""


def run(words: list[str]) -> int:
    """Print the list; the exit status."""
    new_parser("connect4-agent players", DESCRIPTION, None).parse_args(words)
    sys.stdout.write(listing())
    return 0


def listing() -> str:
    """The list as text."""
    sections: dict[str, dict[str, str]] = {
        "levels (--level NAME, --agent NAME)": {},
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
    blocks = []
    for title, lines in sections.items():
        blocks.append("\n".join([f"{title}:", *(f"  {name:<14} {text}" for name, text in lines.items())]))
    return "\n\n".join(blocks) + "\n"
