"""Compiles the kernel, if there is a C compiler; everything else about the package is in pyproject.toml.

Each module of connect4_agent/engine/kernel is compiled as connect4_agent.engine.kernel.FORM.MODULE from the
same .py file; FORM/MODULE.pxd adds the C types. The plain module keeps its own name. docs/kernel.md says more.
"""

import os

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

KERNEL = "connect4_agent/engine/kernel"
FORMS = ("narrow", "wide")
MODULES = (
    "evaluator",
    "chains",
    "parity",
    "evaluators",
    "playouts",
    "search",
    "followup",
    "solver",
    "retrieval",
    "layer",
)

DIRECTIVES = {
    "language_level": "3",
    "annotation_typing": False,  # the annotations are for mypy; the C types are in the .pxi files alone
    "infer_types": False,  # what has no C type there is a Python object, whose arithmetic cannot overflow
    "cdivision": True,
    "auto_pickle": False,
    "binding": False,
}


# Vector code for a loop over a few moves costs more than it saves: it waits for what was just stored one by one.
FLAGS = ["-O3", "-g0", "-fno-tree-vectorize"]


class BuildKernel(build_ext):
    """Translates to C only when it comes to building: pip runs this file several times."""

    def build_extensions(self) -> None:
        """Translate and compile, as many files at a time as there are cores."""
        from Cython.Build import cythonize  # noqa: PLC0415  # not needed for metadata

        self.parallel = self.parallel or _cores()
        for form in FORMS:  # each into a folder of its own: the C files of two forms have the same names
            extensions = [extension for extension in self.extensions if f".{form}." in extension.name]
            translated = cythonize(
                extensions,
                compiler_directives=DIRECTIVES,
                build_dir=os.path.join(self.build_temp, form),
                nthreads=self.parallel,
                force=True,  # Cython does not see that a module depends on its form's .pxd files
                quiet=True,
            )
            for extension, in_c in zip(extensions, translated, strict=True):
                extension.sources = in_c.sources
        super().build_extensions()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


setup(
    cmdclass={"build_ext": BuildKernel},
    ext_modules=[
        Extension(
            f"{KERNEL.replace('/', '.')}.{form}.{name}",
            [f"{KERNEL}/{name}.py"],
            define_macros=[("Py_LIMITED_API", "0x030b0000")],
            extra_compile_args=FLAGS,
            py_limited_api=True,
            optional=True,
        )
        for form in FORMS
        for name in MODULES
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
