"""Checks the wheel and the sdist that `make wheel` has built: python -m tests.wheel FOLDER.

The wheel must hold every module, compiled and as source. It is checked by the usual tools and installed into an empty
environment of every Python that this machine has, where each command runs away from the source. The sdist must hold
every file of the repository.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from pathlib import Path

from connect4_agent.commands import COMMANDS
from connect4_agent.engine.kernel import forms

OLDEST = (3, 11)
NEWEST_MINOR = 30
BIN = Path(sys.executable).parent
PACKAGE = Path("connect4_agent")
STARTERS = PACKAGE / "commands" / "starters"
PATIENCE_SECONDS = 120
REQUEST = json.dumps({"grid": [[0] * 6] * 7, "height": 6, "player": 1, "width": 7})
EXAMPLE = Path("examples", "python_api.py").absolute()
EVALUATION_SET = "import connect4_agent as c4; print(c4.evaluation_set())"
TOURNAMENT = """\
[[agents]]
name = "a"
player = "random"

[[agents]]
name = "b"
player = "first-open"
"""


def main(folder: Path) -> None:
    """Check everything; the first thing that is wrong ends the program."""
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    say(f"{wheel.name}: {wheel.stat().st_size:,} bytes")
    if "-cp311-abi3-" not in wheel.name:
        sys.exit(f"{wheel.name} is not a wheel of the stable ABI of Python 3.11")
    check_contents(wheel)
    run(BIN / "twine", "check", "--strict", wheel, sdist)
    run(BIN / "check-wheel-contents", wheel)
    run(BIN / "abi3audit", "--strict", wheel)
    if sys.platform.startswith("linux"):
        shown = run(BIN / "auditwheel", "show", wheel)
        tag = re.search(r"manylinux_(\d+)_(\d+)", shown)
        if tag is None or (int(tag[1]), int(tag[2])) > (2, 17):
            sys.exit(f"the wheel does not run on every Linux of the last ten years:\n{shown}")
        say(f"auditwheel: {tag[0]}")
    check_sdist(sdist)
    for number, python in enumerate(pythons()):
        say(run(python, "tools/try_wheel.py", folder).strip())
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
            try_wheel(python, wheel.resolve(), Path(empty))
            if number == 0:
                check_types(Path(empty))


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def run(*command: object, folder: Path | None = None, text: str = "", status: int = 0) -> str:
    """What a command prints; another exit status than the expected one ends the program."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        env=environment,
        check=False,
    )
    if done.returncode != status:
        sys.exit(f"{' '.join(words)}\nended with {done.returncode}, not {status}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def check_contents(wheel: Path) -> None:
    """Whether the wheel holds every module, compiled ones also as sources, and nothing else."""
    names = set(zipfile.ZipFile(wheel).namelist())
    needed = {path.as_posix() for path in PACKAGE.rglob("*.py")} | {f"{PACKAGE}/py.typed"}
    starters = {path.as_posix() for path in STARTERS.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    kernel = f"{PACKAGE}/engine/kernel"
    libraries = {f"{kernel}/{form}/{module}." for form, modules in forms.MODULES.items() for module in modules}
    missing = sorted((needed | starters) - names)
    missing += [f"{start}*" for start in sorted(libraries) if not has_library(names, start)]
    if not any(name.endswith("/LICENSE") for name in names):
        missing.append("LICENSE")
    if missing:
        sys.exit(f"{wheel.name} lacks {', '.join(missing)}")
    own = (f"{PACKAGE}/", f"{PACKAGE}-")
    strays = sorted(
        name for name in names - starters if not name.startswith(own) or name.endswith(".c") or f"{STARTERS}/" in name
    )
    if strays:
        sys.exit(f"{wheel.name} holds {', '.join(strays)}")
    say(f"{wheel.name}: all {len(needed)} sources, {len(libraries)} libraries")


def has_library(names: set[str], start: str) -> bool:
    """Whether there is a compiled library whose path starts like this."""
    return any(name.startswith(start) and name.endswith((".so", ".pyd")) for name in names)


def check_sdist(sdist: Path) -> None:
    """Whether the sdist holds every file of the repository."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = run("git", "ls-files").splitlines()
    missing = sorted(name for name in tracked if name not in names and Path(name).exists())
    if missing:
        sys.exit(f"{sdist.name} lacks {', '.join(missing)}")
    say(f"{sdist.name}: all {len(tracked)} files of the repository")


def pythons() -> list[Path]:
    """Every Python of this machine that the package supports, the first of each version."""
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("3.*/bin"))
    found: dict[str, Path] = {}
    for folder in folders:
        for minor in range(OLDEST[1], NEWEST_MINOR):
            path = folder / f"python3.{minor}"
            if path.exists() and f"3.{minor}" not in found and can_use_the_wheel(path):
                found[f"3.{minor}"] = path
    return [path for _, path in sorted(found.items(), key=lambda item: int(item[0][2:]))]


def can_use_the_wheel(python: Path) -> bool:
    """Whether this is a whole Python: not a placeholder, not without venv as Debian's may be, and not free-threaded."""
    program = "import ensurepip, sys, sysconfig, venv; sys.exit(bool(sysconfig.get_config_var('Py_GIL_DISABLED')))"
    return subprocess.run([python, "-c", program], capture_output=True, check=False).returncode == 0


def try_wheel(python: Path, wheel: Path, empty: Path) -> None:
    """Install the wheel into an empty environment and run every command there."""
    run(python, "-m", "venv", empty / "venv")
    here = empty / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(here / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[arena,data,web]")
    agent = here / "connect4-agent"
    folder = empty / "work"
    folder.mkdir()
    version = run(agent, "--version", folder=folder)
    if "(compiled," not in version:
        sys.exit(f"{python}: the wheel runs without its compiled code: {version}")
    (folder / "t.toml").write_text(TOURNAMENT)
    tried = {"serve": expect('{"move":3}', run(agent, folder=folder, text=REQUEST))}

    def attempt(command: str, *words: str, shows: str = "", status: int = 0) -> None:
        tried[command] = expect(shows, run(agent, command, *words, folder=folder, status=status))

    attempt("move", "--moves", "4453", "--level", "perfect", shows='{"move":')
    attempt("analyze", "--moves", "4453", shows="best play")
    (folder / "games.txt").write_text("4455667\n", encoding="utf-8")
    attempt("judge", "games.txt", shows="first player")
    attempt("label", "--generate", "20", "--discs", "30-34", "--out", "labels.npz", shows="labels.npz: 20 positions")
    expect("6999 positions", run(here / "python", "-c", EVALUATION_SET, folder=folder))
    attempt("players", shows="threat-parity")
    attempt("match", "random", "first-open", "--games", "4", "--out", "m", shows="4 of 4 games")
    attempt("tournament", "t.toml", "--out", "r")
    attempt("report", "r", "--html", "r.html")
    expect("<html", (folder / "r.html").read_text(encoding="utf-8"))
    attempt("new", "mine", shows="README.md")
    attempt("check", "mine/agent.py")
    attempt("puzzle", "--seed", "1", "--json", shows='"answer"')
    attempt("play", shows="terminal", status=2)  # it needs one
    attempt("export", "kaggle", "submission.py")
    attempt("help", "match", shows="usage: connect4-agent match")
    shutil.copy(EXAMPLE, folder)
    expect("winner: hard", run(here / "python", EXAMPLE.name, f"{agent} --level easy", folder=folder))
    tried["web"] = try_web(agent, folder)
    if untried := sorted(COMMANDS.keys() - tried.keys()):
        sys.exit(f"nothing here tries {', '.join(untried)}")
    say(f"{version.strip()}: every command runs")


def check_types(empty: Path) -> None:
    """Whether a type checker, as strict as it can be, understands a program that uses the installed package."""
    python = empty / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "mypy")
    run(python, "-m", "mypy", "--strict", EXAMPLE.name, folder=empty / "work")
    say(f"mypy --strict {EXAMPLE.name}: no errors")


def try_web(agent: Path, folder: Path) -> str:
    """Open the page."""
    with subprocess.Popen(
        [agent, "web", "--port", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # its workers may still be starting when it is ended
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().split()[-1]
            with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS) as answer:
                return expect("<html", answer.read().decode())
        finally:
            process.terminate()


def expect(wanted: str, text: str) -> str:
    """The text; the program ends if it does not hold what is wanted."""
    if wanted not in text:
        sys.exit(f"{wanted!r} is not in:\n{text}")
    return text


if __name__ == "__main__":
    if shutil.which("git") is None:
        sys.exit("make wheel needs git, to compare the sdist with the repository")
    main(Path(sys.argv[1]))
