"""connect4-agent verify: whether the games of a run are what its records say."""

from __future__ import annotations

import sys
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.run.journal import JOURNAL_NAME, read_config_of
from connect4_agent.arena.tournament import make_schedule
from connect4_agent.arena.verification import verify
from connect4_agent.commands.shared.options import EXIT_FAILED, EXIT_USAGE, new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.text import escaped

DESCRIPTION = """\
Replay every game of a run (RUN/games.jsonl) by the rules, and check winners, endings, times and schedule. Each
line that does not hold is named, with the first thing that is wrong with it. No agent is started; the run may
still be going on.
"""

EXIT_STATUS = """\
exit status: 0 if every line holds, 1 if one does not, 2 for a folder that is not a run. Games that have not been
played yet, and a half-written last line, are mentioned and do not count.
"""


def run(words: list[str]) -> int:
    """Verify; the exit status."""
    parser = new_parser("connect4-agent verify", DESCRIPTION, EXIT_STATUS)
    parser.add_argument("run", metavar="RUN", type=Path, help="the folder of a run")
    options = parser.parse_args(words)
    folder: Path = options.run
    try:
        found = verify(folder, make_schedule(read_config_of(folder), folder))
    except (errors.ArenaError, errors.RunFolderError) as error:
        sys.stderr.write(f"{parser.prog}: error: {error}\n")
        return EXIT_USAGE
    with reader_may_leave():
        sys.stdout.writelines(f"{escaped(problem)}\n" for problem in found.problems)
        if found.wrong > len(found.problems):
            sys.stdout.write(f"and {found.wrong - len(found.problems)} more lines\n")
        if found.half_line is not None:
            sys.stdout.write(f"line {found.half_line} is half-written; the run drops it when it is resumed\n")
        missing = found.scheduled - found.holding
        sys.stdout.write(
            f"{found.holding} of {found.scheduled} scheduled games hold in {folder / JOURNAL_NAME}; "
            f"{_count(found.wrong, 'line does', 'lines do')} not"
            + (f"; {_count(found.replayed, 'attempt was', 'attempts were')} played again" if found.replayed else "")
            + (f"; {_count(missing, 'game is', 'games are')} missing or wrong" if missing else "")
            + "\n"
        )
    return EXIT_FAILED if found.wrong else 0


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
