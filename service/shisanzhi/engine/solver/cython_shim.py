"""What the solver's kernel needs of Cython, where that is not installed: names that do nothing."""

from contextlib import nullcontext
from typing import Final

compiled: Final = False
nogil: Final = nullcontext()
