"""python -m tools.benchmarks [PART ...] [--full] [--json FILE]: run the parts, print their tables and JSON."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

import orjson

from tools.benchmarks.tables import as_tables

PARTS = (
    "arena",
    "install",
    "server",
    "engine",
    "classics",
    "time_limit",
    "boards",
    "strength",
    "openings",
    "solver",
    "oracle",
    "perfect",
    "proof",
    "reasons",
    "hints",
    "web",
)
"""The modules of this package that have a `run(*, quick: bool = True) -> Figures`.

The arena comes first: it measures this process's peak memory, which the others would raise.
"""


def main() -> None:
    """Run the chosen parts."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument(
        "--full", action="store_true", help="as many games and positions as in the docs: an hour, not minutes"
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE; default: after the tables")
    parser.add_argument(
        "--sets",
        metavar="FOLDER",
        type=Path,
        help="with the part solver alone: solve the positions in the files of FOLDER, lines of the form MOVES SCORE",
    )
    options = parser.parse_args()
    if unknown := sorted(set(options.parts) - set(PARTS)):
        parser.error(f"{unknown[0]!r} is not a part; the parts are {', '.join(PARTS)}")
    if options.sets and options.parts != ["solver"]:
        parser.error("--sets goes with the part solver alone: python -m tools.benchmarks solver --sets FOLDER")
    results = {}
    for part in options.parts or PARTS:
        module = importlib.import_module(f"tools.benchmarks.{part}")
        results[part] = module.run_sets(options.sets) if options.sets else module.run(quick=not options.full)
        print(as_tables(part, results[part]), flush=True)
    document = orjson.dumps(results, option=orjson.OPT_INDENT_2).decode()
    if options.json:
        Path(options.json).write_text(document + "\n")
    else:
        print(document)


if __name__ == "__main__":
    main()
