"""The kernel for browsers: the C of the usual build, compiled to side modules of Pyodide by the clang of `ziglang`."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools.site.trouble import SiteError

TARGET = ["-target", "wasm32-emscripten"]
# Vector code as natively: none for loops. node 20 cannot load additions in constant expressions.
FLAGS = ["-fPIC", "-fno-slp-vectorize", "-mno-extended-const", "-fvisibility=hidden", "-DNDEBUG", "-w"]
# clang's own names of what Emscripten would set: of libc only types and declarations are used.
LIBC = ("wasm-wasi-musl", "generic-musl")
LINK = ["--experimental-pic", "-shared", "--unresolved-symbols=import-dynamic", "--strip-all"]
FORM_FLAGS = {"narrow": ["-msimd128"], "wide": []}
"""Vectors of 128 bits make narrow up to 10 % faster, and wide 10 % slower."""

# What wasm32 is; Python's headers take it from a pyconfig.h, and the host's is for another machine.
PYCONFIG = """\
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 4
#define SIZEOF_SIZE_T 4
#define SIZEOF_WCHAR_T 4
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_OFF_T 8
#define SIZEOF_FPOS_T 16
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define ALIGNOF_LONG 4
#define ALIGNOF_SIZE_T 4
#define ALIGNOF_MAX_ALIGN_T 8
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1
#define STDC_HEADERS 1
"""


def compile_kernel(root: Path, work: Path) -> Path:
    """Return the folder with narrow/ and wide/ of the kernel, compiled unless it is there from the same sources."""
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise SiteError("there is no package ziglang; `make site` installs it, as would pip install --group browser")
    zig = Path(spec.origin).parent
    folder, stamp = work / "kernel", work / "kernel.sha256"
    made_from = _fingerprint(root)
    if stamp.exists() and stamp.read_text("ascii") == made_from:
        return folder
    stamp.unlink(missing_ok=True)
    include = work / "include"
    # Python.h looks for pyconfig.h beside itself first.
    shutil.copytree(sysconfig.get_path("include"), include, dirs_exist_ok=True)
    (include / "pyconfig.h").write_text(PYCONFIG, "ascii")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda extension: _compile(extension, zig, include, folder), _translate(root, work)))
    stamp.write_text(made_from, "ascii")
    return folder


def _fingerprint(root: Path) -> str:
    kernel = root / "connect4_agent" / "engine" / "kernel"
    sources = sorted(path for path in kernel.rglob("*.p*") if path.suffix in {".py", ".pxd", ".pxi"})
    found = hashlib.sha256(" ".join((sys.version, version("ziglang"), version("Cython"))).encode())
    for path in (Path(__file__), root / "setup.py", *sources):
        found.update(path.read_bytes())
    return found.hexdigest()


def _translate(root: Path, work: Path) -> Sequence[Any]:
    """Return the modules of the kernel as setup.py has them, translated to C."""
    import_module("setuptools")  # brings distutils, which Python has no longer
    command = (
        import_module("distutils.core")
        .run_setup(str(root / "setup.py"), stop_after="init")
        .get_command_obj("build_ext")
    )
    command.build_temp = str(work / "translated")
    command.ensure_finalized()
    command.translate()
    extensions: Sequence[Any] = command.extensions
    return extensions


def _compile(extension: Any, zig: Path, include: Path, folder: Path) -> None:
    """Compile and link one module, with the options that it has natively."""
    *_, form, name = extension.name.split(".")
    out = folder / form
    out.mkdir(parents=True, exist_ok=True)
    compiled, module = out / f"{name}.o", out / f"{name}.abi3.so"
    macros = [f"-D{key}={value}" for key, value in extension.define_macros]
    system = [word for part in LIBC for word in ("-isystem", str(zig / "lib" / "libc" / "include" / part))]
    headers = [f"-I{include}", *system, "-D__wasi__"]
    options = [*extension.extra_compile_args, *FLAGS, *FORM_FLAGS[form], *macros, *headers]
    _run(zig, "cc", *TARGET, "-c", *options, extension.sources[0], "-o", str(compiled))
    exports = [f"--export=PyInit_{name}", "--export-if-defined=__wasm_apply_data_relocs"]
    _run(zig, "wasm-ld", *LINK, *exports, str(compiled), "-o", str(module))
    compiled.unlink()


def _run(zig: Path, *words: str) -> None:
    ran = subprocess.run([zig / "zig", *words], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SiteError(f"zig {words[0]} failed for {words[-1]}:\n{ran.stderr[-2000:]}")
