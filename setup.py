"""Compiles the solver's kernel where there is a C compiler; elsewhere it is interpreted."""

import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNEL = ("shisanzhi.engine.solver.expected_units", "shisanzhi.engine.solver.search")
# Fused multiply-add rounds once where Python rounds twice: answers would differ between machines.
SAME_ON_EVERY_MACHINE = [] if sys.platform == "win32" else ["-ffp-contract=off"]

kernel = cythonize(
    [
        Extension(
            module,
            [f"service/{module.replace('.', '/')}.py"],
            extra_compile_args=SAME_ON_EVERY_MACHINE,
        )
        for module in KERNEL
    ],
    include_path=["service"],
    build_dir="build",
    compiler_directives={
        "language_level": 3,
        "annotation_typing": False,
        "boundscheck": False,
        "wraparound": False,
        "initializedcheck": False,
    },
)
for extension in kernel:
    extension.optional = True  # cythonize drops it

setup(ext_modules=kernel)
