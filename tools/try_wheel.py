"""Tries a wheel where nothing can be compiled: python tools/try_wheel.py FOLDER.

The wheel of the folder that fits this Python is installed into an empty environment, from wheels alone, and answers its
first request. The PATH has nothing but that environment, so no compiler. Needs the standard library only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

EMPTY_BOARD = json.dumps({"grid": [[0] * 6] * 7, "height": 6, "player": 1, "width": 7})


def main(folder: Path) -> None:
    """Install the wheel and ask it; the first failure ends the program."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        venv.create(empty, with_pip=True)
        programs = Path(empty, "Scripts" if os.name == "nt" else "bin")
        environment = {**os.environ, "PATH": str(programs), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        environment.pop("PYTHONPATH", None)

        def run(program: str, *words: str, text: str = "") -> str:
            return subprocess.run(
                [str(programs / program), *words],
                cwd=empty,
                env=environment,
                input=text,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                check=True,
            ).stdout.strip()

        pip = ("-m", "pip", "install", "--quiet", "--only-binary", ":all:")
        run("python", *pip, "--no-index", "--no-deps", "--find-links", str(folder.resolve()), "connect4-agent")
        run("python", *pip, "connect4-agent")  # what it depends on
        version = run("connect4-agent", "--version")
        answer = run("connect4-agent", "--level", "perfect", text=EMPTY_BOARD)
    print(f"{version}: {answer}")
    if "(compiled," not in version or answer != '{"move":3}':
        sys.exit('it should be compiled, and answer {"move":3}')


if __name__ == "__main__":
    main(Path(sys.argv[1]))
