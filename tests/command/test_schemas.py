"""What `--json` writes is what the shipped schemas say, and they know the words of the code."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from glbcheck.verify.claim import Severity, Verdict
from jsonschema import Draft202012Validator

from glbcheck.cli import main

SCHEMAS = sorted(path.name.partition(".")[0] for path in Path(str(files("glbcheck") / "schemas")).glob("*.json"))


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files("glbcheck") / "schemas" / f"{name}.schema.json").read_text())
    return found


def written(folder: Path, *words: str) -> Any:
    main([*words, "--json", str(folder / "out.json")])
    return json.loads((folder / "out.json").read_text())


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert not Draft202012Validator(schema(name)).is_valid({})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("results", ("check", "--paper", "tiny", "--jobs", "1")),
        ("results", ("show", "lemma:false", "--paper", "tiny")),
        ("decide", ("decide", "x >= 1 => x <= x**2")),
        ("decide", ("decide", "x >= 0 => x <= x**2")),
        ("decide", ("decide", "sin(x)*exp(y) <= exp(y + x**2/10**9)")),
        ("audit", ("audit", "bernoulli", "--S", "3", "--quick", "--no-cache")),
        ("audit", ("audit", "-log(-z)", "--domain", "-oo,0", "--S", "1/2", "--quick", "--no-cache")),
    ],
)
def test_what_a_verb_writes_is_as_its_schema_says(here: Path, name: str, words: tuple[str, ...]) -> None:
    found = written(here, *words)
    Draft202012Validator(schema(name)).validate(found)
    assert not Draft202012Validator(schema(name)).is_valid({**found, next(iter(schema(name)["required"])): 1})


def test_schemas_know_every_word() -> None:
    claim = schema("results")["properties"]["claims"]["items"]["properties"]
    words = {word.value for word in Verdict} - {"contradicted"}
    assert set(claim["verdict"]["enum"]) == set(schema("decide")["properties"]["verdict"]["enum"]) == words
    assert set(claim["severity"]["enum"]) == {*Severity, None}
    asked = schema("audit")["properties"]["checks"]["items"]["properties"]["verdict"]["enum"]
    assert set(asked) == {word.value for word in Verdict}
