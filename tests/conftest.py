"""How hypothesis runs here: without a clock, since these tests share their machine."""

from hypothesis import settings

settings.register_profile("shared", deadline=None, print_blob=True)
settings.load_profile("shared")
