"""Mutants of fits, rivals and tables that survive, and why that is no loss.

By file within `core`; an entry is otherwise one of `tests.core_harmless`, which takes these over.
"""

from __future__ import annotations

HARMLESS: dict[str, dict[str, tuple[str, ...]]] = {}  # fmt: skip
