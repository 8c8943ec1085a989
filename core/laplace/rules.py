"""All rules by name."""

from __future__ import annotations

from collections.abc import Mapping

from glbcheck.core.laplace.exponents import EXPONENTS
from glbcheck.core.laplace.rule import Rule
from glbcheck.core.laplace.transforms import TRANSFORMS

RULES: Mapping[str, Rule] = {**TRANSFORMS, **EXPONENTS}
