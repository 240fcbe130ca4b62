"""Compiles the kernel, if there is a C compiler; everything else about the package is in pyproject.toml.

Each module of connect4_agent/engine/kernel is compiled as connect4_agent.engine.kernel.FORM.MODULE from the same .py
file; the .pxd file beside it has the C types. The plain module keeps its own name. docs/kernel.md says more.
"""

import ast
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

KERNEL = Path("connect4_agent", "engine", "kernel")
REASON = KERNEL / "not_compiled.txt"  # why the build failed, for the line that the agent prints when it starts
MODULES: dict[str, tuple[str, ...]] = next(
    ast.literal_eval(line.value)
    for line in ast.parse((KERNEL / "forms.py").read_text("utf-8")).body
    if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "MODULES"
)

DIRECTIVES = {
    "language_level": "3",
    "annotation_typing": False,  # the annotations are for mypy; the C types are in the .pxd files alone
    "infer_types": False,  # what has no C type there is a Python object, whose arithmetic cannot overflow
    "cdivision": True,
    "auto_pickle": False,
    "binding": False,
}


# Vector code for a loop over a few moves costs more than it saves: it waits for what was just stored one by one.
FLAGS = ["-g0", "-fno-tree-vectorize"]
LEVELS = {"narrow": "-O2", "wide": "-O1"}  # -O1 compiles in two thirds of the time, and makes 128 bits 5 % faster
FASTEST = {("narrow", "solver"), ("narrow", "followup")}  # only there is -O3 worth the time that it takes: 4 %

# With the stable ABI of Python 3.11 one library serves every later Python. Free-threaded builds do not have it.
HAS_STABLE_ABI = not sysconfig.get_config_var("Py_GIL_DISABLED")


class BuildKernel(build_ext):
    """Translates to C only when it comes to building: pip runs this file several times."""

    def run(self) -> None:
        """Build what can be built, and leave the reason beside the kernel if that is not everything."""
        self.failed: dict[str, Exception] = {}
        super().run()
        reason = REASON if self.inplace else os.path.join(self.build_lib, REASON)
        _remove(reason)  # of an earlier build
        if self.failed:
            why = _reason(next(iter(self.failed.values())))
            self.warn(f"not all of the search could be compiled: {why}")
            os.makedirs(os.path.dirname(reason), exist_ok=True)
            with open(reason, "w", encoding="utf-8") as file:
                file.write(f"{why}\n")

    def build_extension(self, ext: Extension) -> None:
        """Build one module; if that fails, note why. It must not run as it was built earlier, from another source."""
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError) as error:
            self.failed[ext.name] = error
            _remove(self.get_ext_fullpath(ext.name))
            raise

    def copy_extensions_to_source(self) -> None:
        """Copy the libraries beside the sources, and remove older ones there of modules that failed."""
        for name in self.failed:
            _remove(self.get_ext_fullpath(name))
        super().copy_extensions_to_source()

    def build_extensions(self) -> None:
        """Translate and compile, as many files at a time as there are cores."""
        self.parallel = self.parallel or _cores()
        self.translate()
        super().build_extensions()

    def translate(self) -> None:
        """Translate the modules to C, below `build_temp`; tools/site compiles the same C for browsers."""
        from Cython.Build import cythonize  # noqa: PLC0415  # not needed for metadata

        # The largest first, so that no core is left with it at the end.
        self.extensions.sort(key=lambda extension: os.path.getsize(extension.sources[0]), reverse=True)
        staged = Path(self.build_temp, "staged")
        for form in MODULES:
            _stage(staged, form)
        for extension in self.extensions:
            extension.sources = [os.path.join(staged, *extension.name.split(".")) + ".py"]
        translated = cythonize(
            self.extensions,
            compiler_directives=DIRECTIVES,
            include_path=[str(staged)],
            nthreads=self.parallel or _cores(),
            force=True,  # a module depends on files that Cython does not look at
            quiet=True,
        )
        for extension, in_c in zip(self.extensions, translated, strict=True):
            extension.sources = in_c.sources


def _stage(staged: Path, form: str) -> None:
    """Lay the kernel's files out as Cython expects them: a package for the form, each .py with its .pxd beside it."""
    folder = staged / KERNEL / form
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for package in folder.relative_to(staged).parents:
        (staged / package / "__init__.py").touch()
    (folder / "__init__.py").touch()
    copied = [KERNEL / "word.pxi", *KERNEL.glob("*.pxd"), *(KERNEL / form).glob("*.pxd")]
    for path in (*copied, *(KERNEL / f"{module}.py" for module in MODULES[form])):
        shutil.copy(path, folder)
    constants: dict[str, int] = {}
    exec((KERNEL / "tuning.py").read_text("utf-8"), constants)
    lines = [f"    {name} = {value}\n" for name, value in constants.items() if name.isupper()]
    (folder / "tuning.pxd").write_text("cdef enum:\n" + "".join(lines), "ascii")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _remove(path: str | Path) -> None:
    if os.path.exists(path):
        os.remove(path)


def _reason(error: BaseException) -> str:
    """What went wrong, in one line: a compiler that failed runs once more for its first error."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, subprocess.CalledProcessError):
            again = subprocess.run(
                cause.cmd,
                env={**os.environ, "LC_ALL": "C"},
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
            said = re.search(r"error\b[^:\n]*: (.*)", again.stderr)
            return f"{cause.cmd[0]}: {said[1] if said else f'exit status {cause.returncode}'}"
        if isinstance(cause, OSError):
            return f"{cause.filename}: {cause.strerror}"
        cause = cause.__cause__ or cause.__context__
    return " ".join(str(error).split())


setup(
    cmdclass={"build_ext": BuildKernel},
    ext_modules=[
        Extension(
            ".".join((*KERNEL.parts, form, module)),
            [(KERNEL / f"{module}.py").as_posix()],
            define_macros=[("Py_LIMITED_API", "0x030b0000")] if HAS_STABLE_ABI else [],
            extra_compile_args=[*FLAGS, "-O3" if (form, module) in FASTEST else LEVELS[form]],
            py_limited_api=HAS_STABLE_ABI,
            optional=True,
        )
        for form, modules in MODULES.items()
        for module in modules
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if HAS_STABLE_ABI else {},
)
