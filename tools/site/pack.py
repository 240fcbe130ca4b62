"""The files of the site: the page, Pyodide, the package as bytecode, and the scripts between them."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import zipfile
from modulefinder import ModuleFinder
from pathlib import Path

from connect4_agent.ui.web.browser import CALLS
from tools.site.trouble import SiteError

PYODIDE = "314.0.7"
PYODIDE_SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The version of the npm package, and the SHA-512 of its file: another version may need a kernel linked otherwise."""

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LOCK = "pyodide-lock.json"
STANDARD_LIBRARY = "python_stdlib.zip"
HERE = Path(__file__).parent
NOT_NEEDED = """\
_pydatetime _pyio _pyrepl argparse bdb cProfile configparser ctypes doctest email ftplib html http imaplib ipaddress
mailbox modulefinder multiprocessing optparse pdb pickletools plistlib poplib profile pstats pyclbr pydoc shelve smtplib
socketserver sqlite3 statistics symtable tarfile tomllib trace tracemalloc unittest urllib wave wsgiref xml xmlrpc
zipapp zoneinfo"""
"""Parts of the standard library for commands, networks and developers: half of its size."""

ENCODINGS = {"__init__", "aliases", "ascii", "cp437", "latin_1", "utf_8"}
NOT_IMPORTED = [f"connect4_agent.{name}" for name in ("api", "arena", "drawing.planes", "drawing.svg", "lab")]
"""What `import connect4_agent` names for type checkers alone."""

LATE = "connect4_agent/engine/book/7x6.layer"
"""The file that is fetched only if it is asked for."""

PAGE_FOLDERS = ("drawing/static", "ui/web/static")
# A worker has its own policy, but not in every browser: there, WebAssembly needs the page's permission.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
HEAD = f"""
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="connect4-host" content="worker">
<link rel="stylesheet" href="static/in_browser.css">"""
"""What a page has in its head beside what a server sends: the policy, and where the calls are answered."""


def fetch_pyodide(work: Path) -> Path:
    """Return the folder of Pyodide, downloaded by npm unless it is there. Raises SiteError."""
    folder = work / f"pyodide-{PYODIDE}" / "package"
    if folder.exists():
        return folder
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise SiteError("node and npm are needed, and are not installed (`make tools` installs them)")
    words = [npm, "pack", "--loglevel=error", "--pack-destination", str(work), f"pyodide@{PYODIDE}"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, cwd=work)
    if ran.returncode:
        raise SiteError(f"npm could not download pyodide {PYODIDE}:\n{ran.stderr.strip()[-2000:]}")
    packed_file = work / f"pyodide-{PYODIDE}.tgz"
    found = base64.b64encode(hashlib.sha512(packed_file.read_bytes()).digest()).decode()
    if found != PYODIDE_SHA512:
        raise SiteError(f"{packed_file} is not the expected file: its SHA-512 is {found}, not {PYODIDE_SHA512}")
    with tarfile.open(packed_file) as archive:
        archive.extractall(folder.parent, filter="data")
    return folder


def run_in_pyodide(pyodide: Path, shared: Path, *words: str) -> str:
    """Return what inside.py prints in Pyodide under node, where a folder appears as /shared. Raises SiteError."""
    command = ["node", str(HERE / "in_pyodide.mjs"), str(pyodide), str(shared), str(HERE / "inside.py"), *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SiteError(f"{' '.join(words)} failed in Pyodide:\n{ran.stdout[-1000:]}{ran.stderr[-2000:]}")
    return ran.stdout


def make_site(root: Path, work: Path, kernel: Path, pyodide: Path, site: Path) -> None:
    """Write all files of the site into an empty folder."""
    shutil.rmtree(site, ignore_errors=True)
    python, static = site / "python", site / "static"
    for folder in (python, static):
        folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(pyodide / name, python)
    lock = json.loads((pyodide / LOCK).read_text("utf-8"))
    (python / LOCK).write_text(json.dumps({**lock, "packages": {}}), "utf-8")  # none of them is here
    staged = _stage_bytecode(root, work, kernel, pyodide)
    shutil.copy(root / LATE, python)
    _pack(staged / "package", python / "package.zip")
    _pack(staged / "library", python / STANDARD_LIBRARY)
    (python / "players.json").write_text(json.dumps(CALLS.start("players", {})), "utf-8")
    for name in PAGE_FOLDERS:
        shutil.copytree(root / "connect4_agent" / name, static, dirs_exist_ok=True)
    shutil.copy(HERE / "web" / "worker.js", python)
    for name in ("in_browser.js", "in_browser.css"):
        shutil.copy(HERE / "web" / name, static)
    page = (static / "index.html").read_text("utf-8")
    (static / "index.html").unlink()
    (site / "index.html").write_text(
        page.replace('<meta charset="utf-8">', '<meta charset="utf-8">' + HEAD, 1), "utf-8"
    )
    write_service_worker(site)


def _stage_bytecode(root: Path, work: Path, kernel: Path, pyodide: Path) -> Path:
    """Return a folder with the modules that the calls import, the kernel and the books, and the standard library."""
    staged = work / "staged"
    shutil.rmtree(staged, ignore_errors=True)
    package = root / "connect4_agent"
    finder = ModuleFinder([str(root)], excludes=NOT_IMPORTED)
    finder.import_hook("connect4_agent.ui.web.browser")
    for path in sorted((package / "engine").rglob("*.py")):  # players and forms of the kernel are found by their names
        finder.import_hook(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
    if lacking := {name.partition(".")[0] for name in finder.badmodules}.intersection(NOT_NEEDED.split()):
        raise SiteError(f"the package imports what the site does not have: {', '.join(sorted(lacking))}")
    sources = [Path(file) for module in finder.modules.values() if (file := getattr(module, "__file__", None))]
    sources += package.glob("engine/book/*.book")
    for source in sources:
        target = staged / "package" / source.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    shutil.copytree(kernel, staged / "package/connect4_agent/engine/kernel", dirs_exist_ok=True)
    with zipfile.ZipFile(pyodide / STANDARD_LIBRARY) as library:
        library.extractall(staged / "library", [name for name in library.namelist() if _is_needed(name)])
    run_in_pyodide(pyodide, staged, "compile", "/shared/package")
    run_in_pyodide(pyodide, staged, "compile", "/shared/library")
    return staged


def _is_needed(name: str) -> bool:
    """Check whether a file of the standard library is for the site."""
    parts = name.removesuffix(".py").split("/")
    return parts[1] in ENCODINGS if parts[0] == "encodings" and parts[1] else parts[0] not in NOT_NEEDED.split()


def _pack(folder: Path, file: Path) -> None:
    """Write a zip file that depends on nothing but the files of a folder."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                packed.writestr(
                    zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes(), zipfile.ZIP_DEFLATED, 9
                )


def write_service_worker(site: Path) -> None:
    """Write the script that keeps the files of the site, each named with its SHA-256. Raises SiteError."""
    target = site / "service_worker.js"
    paths = sorted(path for path in site.rglob("*") if path.is_file() and path != target)
    files = {path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    listing = json.dumps(files, indent=1)
    version = hashlib.sha256(listing.encode()).hexdigest()[:16]
    script = (HERE / "web" / "service_worker.js").read_text("utf-8")
    for line, value in (("const FILES = {};", listing), ("const VERSION = '';", json.dumps(version))):
        if line not in script:
            raise SiteError(f"service_worker.js has no line {line}")
        script = script.replace(line, f"{line.partition(' = ')[0]} = {value};")
    target.write_text(script, "utf-8")
