"""python -m tools.site: make the board as static files in build/site, and check them."""

from __future__ import annotations

import gzip
import json
import sys
from contextlib import chdir
from pathlib import Path

from tools.site.inside import count_nodes
from tools.site.kernel import compile_kernel
from tools.site.pack import LATE, fetch_pyodide, make_site, run_in_pyodide
from tools.site.trouble import SiteError

ROOT = Path(__file__).parent.parent.parent
WORK = ROOT / "build" / "site-work"
SITE = ROOT / "build" / "site"
NOT_FIRST = (Path(LATE).name, "icon-512.png")
"""Files that are not loaded before the first move."""

MOST_FIRST = 8_000_000
"""The most bytes, compressed, that may be loaded before the first move."""


def make() -> tuple[int, int]:
    """Make the site and check it; return its sizes. Raises SiteError."""
    WORK.mkdir(parents=True, exist_ok=True)
    with chdir(ROOT):
        pyodide = fetch_pyodide(WORK)
        make_site(ROOT, WORK, compile_kernel(ROOT, WORK), pyodide, SITE)
    natively = [list(count) for count in count_nodes()]
    there = json.loads(run_in_pyodide(pyodide, WORK / "staged", "count", "/shared/package"))
    if there != natively:
        raise SiteError(f"form, score and nodes are {there} in WebAssembly, and {natively} natively")
    whole, first = sizes()
    if first > MOST_FIRST:
        raise SiteError(f"{first} bytes are loaded before the first move; allowed are {MOST_FIRST}")
    return whole, first


def sizes() -> tuple[int, int]:
    """Return the bytes of all files as they are, and compressed of those that are loaded before the first move."""
    files = [path for path in SITE.rglob("*") if path.is_file()]
    first = [path for path in files if path.name not in NOT_FIRST]
    return sum(path.stat().st_size for path in files), sum(len(gzip.compress(path.read_bytes())) for path in first)


def main() -> int:
    """Make the site; the exit status."""
    try:
        whole, first = make()
    except SiteError as error:
        print(f"make site: {error}", file=sys.stderr)
        return 1
    print(f"build/site: {whole / 1e6:.1f} MB; {first / 1e6:.1f} MB compressed before the first move", file=sys.stderr)
    print("The nodes of three positions are the same in WebAssembly as natively.", file=sys.stderr)
    print("Try it: python3 -m http.server --directory build/site", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
