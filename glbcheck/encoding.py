"""Text for a stream that cannot write every character: Greek letters by their names, columns kept aligned."""

from __future__ import annotations

import json
import re
import unicodedata

SIGNS = {
    "…": "...", "±": "+-", "−": "-", "·": "*", "×": "*", "≤": "<=", "≥": ">=", "≠": "!=", "⟹": "=>", "⟸": "<=",
    "→": "->", "‖": "||", "⟨": "<", "⟩": ">", "√": "sqrt", "∞": "oo", "∈": "in", "′": "'", "″": "''", "⋆": "*",
    "–": "-", "—": "-", "²": "^2", "³": "^3", "½": "1/2",
}  # fmt: skip
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (\w+)")


def encodable(text: str, encoding: str) -> str:
    """The text with each character that the encoding lacks spelled out.

    A longer spelling takes its columns from runs of spaces beside it, so that the rest of a table stays in place.
    """
    if _has(text, encoding):
        return text
    return "\n".join(_line(line, encoding) for line in text.split("\n"))


def encodable_json(text: str, encoding: str) -> str:
    """The same JSON with each character that the encoding lacks escaped; JSON has such characters in texts only."""
    if _has(text, encoding):
        return text
    return "".join(sign if _has(sign, encoding) else json.dumps(sign)[1:-1] for sign in text)


def _line(line: str, encoding: str) -> str:
    if line.endswith("…") and not _has("…", encoding):
        line = line[:-3] + "…"  # it ends a line that was cut to fit, and takes three columns now
    done, owed = "", 0  # columns that spellings took and no space has given back
    for sign in line:
        if sign == " " and owed and done.endswith(" "):
            owed -= 1
        elif _has(sign, encoding):
            done += sign
        else:
            word = _spelling(sign, encoding)
            owed += len(word) - 1
            kept = done.rstrip(" ")
            given = min(max(len(done) - len(kept) - 1, 0), owed) if kept else 0
            done, owed = done[: len(done) - given] + word, owed - given
    return done


def _spelling(sign: str, encoding: str) -> str:
    if sign in SIGNS:
        return SIGNS[sign]
    if found := _GREEK.fullmatch(unicodedata.name(sign, "")):
        return found[2].lower() if found[1] == "SMALL" else found[2].capitalize()
    plain = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    return plain if plain and _has(plain, encoding) else sign.encode("ascii", "backslashreplace").decode()


def _has(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
