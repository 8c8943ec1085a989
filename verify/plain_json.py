"""Results as JSON that every reader accepts: infinity is a number too large for a double, not a word."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

INFINITY = "1e999"  # valid JSON; Python, JavaScript and jq all read it as infinity
_MARKS = {math.inf: "\ue000+", -math.inf: "\ue000-"}  # from the private use area: in no text of ours


def dumps(data: Any) -> str:
    """The data as indented JSON, a final newline included; not-a-number becomes null."""
    text = json.dumps(_marked(data), indent=1, ensure_ascii=False, allow_nan=False)
    for value, mark in _MARKS.items():
        text = text.replace(f'"{mark}"', INFINITY if value > 0 else f"-{INFINITY}")
    return text + "\n"


def _marked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _marked(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_marked(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return _MARKS.get(value)
    return value
