"""The same examples in every run: a property that fails here fails for everyone.

`pytest --hypothesis-profile=default` draws new ones.
"""

from hypothesis import settings

settings.register_profile("reproducible", derandomize=True)
settings.load_profile("reproducible")
