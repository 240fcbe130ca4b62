"""connect4-agent new: a folder with a small agent to start from, its tests and a README."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from string import Template
from typing import NamedTuple

from connect4_agent.commands.shared.options import EXIT_USAGE, new_parser
from connect4_agent.commands.shared.output import reader_may_leave

STARTERS = Path(__file__).parent / "starters"
"""A folder of files for each language, and one of templates for all of them."""

DESCRIPTION = """\
Write a small agent to start from into FOLDER, with its tests, a README and the description of a tournament. It
keeps the protocol, wins if it can, blocks if it must, and needs nothing but its language. With --lang llm it asks a
language model at an endpoint with the chat-completions interface.
"""

EXAMPLES = """\
examples:
  connect4-agent new my-agent
  connect4-agent new my-agent --lang racket
  connect4-agent new my-model --lang llm
"""


class Language(NamedTuple):
    """The values of a language in the templates."""

    language: str
    agent: str
    strategy: str
    tests: str
    command: str
    test: str
    build: str = ""
    match: str = ""
    """The options of a match, beside the number of games."""
    ask: str = (
        """echo '{"grid": [[0,0,0], [0,0,0], [0,0,0], [0,0,0]], "height": 3, "player": 1, "width": 4}' | $command"""
    )
    gets: str = "A manager sends one line for each move."
    answer: str = '{"move": 1}'


LANGUAGES = {
    "python": Language(
        "Python", "agent.py", "agent.py", "test_agent.py", "agent.py", "python3 -m unittest",
        ask='python3 -c "from agent import choose; print(choose([[0] * 3] * 4, 1))"',
        gets="The function gets the grid and the number of its player.", answer="1",
    ),
    "javascript": Language("JavaScript", "agent.js", "strategy.js", "strategy.test.js", "node agent.js", "node --test"),
    "racket": Language(
        "Racket", "agent.rkt", "strategy.rkt", "strategy-test.rkt", "racket agent.rkt", "raco test strategy-test.rkt"
    ),
    "c": Language("C", "agent.c", "strategy.c", "test_strategy.c", "./agent", "make test", build="make"),
    "cpp": Language("C++", "agent.cpp", "strategy.cpp", "test_strategy.cpp", "./agent", "make test", build="make"),
    "java": Language(
        "Java", "Agent.java", "Strategy.java", "StrategyTest.java", "java Agent", "java StrategyTest",
        build="javac *.java",
    ),
    "llm": Language(
        "Python for a language model", "agent.py", "agent.py", "", "python3 agent.py --model MODEL", "",
        match=" --time-limit 60 --pass-env OPENAI_BASE_URL --pass-env OPENAI_API_KEY",
    ),
}  # fmt: skip


def run(words: list[str]) -> int:
    """Write the files; the exit status."""
    parser = new_parser("connect4-agent new", DESCRIPTION, EXAMPLES)
    option = parser.group()
    option("FOLDER", "a new or empty folder", Path)
    option("--lang", "default: python", choices=LANGUAGES, default="python")
    options = parser.parse_args(words)
    folder, language = options.folder, LANGUAGES[options.lang]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            parser.error(f"{folder} is not empty; give a new or empty folder")
        for name, text in make_files(options.lang).items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        sys.stderr.write(f"{parser.prog}: error: cannot write {error.filename or folder}: {error.strerror}\n")
        return EXIT_USAGE
    check = f'connect4-agent check "{language.command}"' if language.tests else ""  # hundreds of moves, for a model
    match = f'connect4-agent match "{language.command}" level:1 --games 10{language.match}'
    with reader_may_leave():
        sys.stdout.write(f"An agent in {language.language} is in {folder}; its README.md says what to do with it:\n\n")
        steps = (f"cd {shlex.quote(str(folder))}", language.build, check, match)
        sys.stdout.write("".join(f"    {step}\n" for step in steps if step))
    return 0


def make_files(lang: str) -> dict[str, str]:
    """Return the text of every file of a language, by its name."""
    language = LANGUAGES[lang]
    said = language._asdict()
    said["ask"] = Template(said["ask"]).substitute(said)
    talks = f"| `{language.agent}` | talks to the tournament manager |\n"
    said["talks"] = talks if language.agent != language.strategy else ""
    if said["build"]:
        said["build"] = f"\n## Build it\n\n```sh\n{said['build']}\n```\n"
    files = {}
    for path in (*(STARTERS / "shared").iterdir(), *(STARTERS / lang).iterdir()):  # its own files replace shared ones
        if path.is_file():  # no bytecode
            text = path.read_text(encoding="utf-8")
            files[path.name] = Template(text).substitute(said) if path.parent.name == "shared" else text
    return files
