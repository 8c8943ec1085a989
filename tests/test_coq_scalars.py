"""Coq's second opinion on scalar statements: what a lemma says, what Coq confirms, and what it must not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core.kernel.check import FORMAT, check
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.coq import confirm, driver
from glbcheck.verify.coq.formulas import Untranslated
from glbcheck.verify.coq.obligations import Obligation, distinct, lemma, obligations, statement

from glbcheck.cli import main

EVIDENT = {"rule": "evident"}
needs_coq = pytest.mark.skipif(
    driver.coqc() is None or not confirm.available(), reason="Coq with Coquelicot and interval is not installed"
)


def made(
    conclusion: str, proof: Mapping[str, Any], *hypotheses: str, functions: tuple[str, ...] = (), names: str = "x y"
) -> dict[str, Any]:
    """A certificate about real x and y; n is a whole number."""
    kinds = {name: "integer" if name == "n" else "real" for name in names.split()}
    variables = {**kinds, **dict.fromkeys(functions, "function")}
    data = {"variables": variables, "hypotheses": list(hypotheses), "conclusion": conclusion}
    example = {
        "at": {name: "1" if kind == "integer" else "1/2" for name, kind in kinds.items()},
        "functions": dict.fromkeys(functions, "t**2/2"),
    }
    return {"format": FORMAT, "statement": data, "proof": proof, "example": example}


def the(certificate: Mapping[str, Any]) -> Obligation:
    (one,) = obligations(certificate, "test")
    return one


def ladder(then: str) -> dict[str, Any]:
    up = {"rule": "monotone", "variable": "x", "from": "low", "start": "zero", "at": EVIDENT, "then": then}
    return {
        "rule": "cases",
        "at": "x",
        "below": {"rule": "pinned", "proof": EVIDENT},
        "above": {**up, "proof": EVIDENT},
    }


def products(*terms: tuple[str, list[int]], square: str = "") -> dict[str, Any]:
    entries: list[dict[str, Any]] = [{"coefficient": c, "facts": facts} for c, facts in terms]
    if square:
        entries.append({"coefficient": "1", "facts": [], "square": square})
    return {"rule": "algebra", "atoms": [], "tree": {"terms": entries, "multiples": []}}


def integral(value: str) -> dict[str, Any]:
    primitive = {"rule": "primitive", "of": [["integral(exp(x*t), t, 0, 1)", "exp(x*t)/x"]], "proof": EVIDENT}
    return made(f"integral(exp(x*t), t, 0, 1) == {value}", primitive, "x > 0")


def telescoping(value: str) -> dict[str, Any]:
    whole = "sum(x/(k*(k + 1)), k, 1, n)"
    proof = {"rule": "primitive", "of": [[whole, "-x/k"]], "proof": EVIDENT}
    return made(f"{whole} == {value}", proof, "n >= 1", names="x n")


TRUE = {
    "derivative": made("diff(x*log(x), x) == 1 + log(x)", EVIDENT, "x > 0"),
    "derivative of a derivative": made("diff(diff(x - log(1 + x*y), x), x) == y**2/(1 + x*y)**2", EVIDENT, "x*y > 0"),
    "derivative of a function": made(
        "diff(exp(f(x)/y), x) == f_1(x)*exp(f(x)/y)/y", EVIDENT, "y > 0", functions=("f",)
    ),
    "ratio of derivatives": made("diff(diff(-sqrt(x), x), x)/diff(sqrt(x), x) == 1/(2*x)", EVIDENT, "x > 0"),
    "telescoping": telescoping("x - x/(n + 1)"),
    "identity of exponentials": made("exp(2*x) - 1 == (exp(x) - 1)*(exp(x) + 1)", EVIDENT),
    "identity of roots": made("(sqrt(x) - y)*(sqrt(x) + y) == x - y**2", EVIDENT, "x >= 0"),
    "identity of a function": made("(f_1(x) - y)**2 == f_1(x)**2 - 2*y*f_1(x) + y**2", EVIDENT, functions=("f",)),
    "multipliers": made("x*y <= (x**2 + y**2)/2", products(("2", [0]), square="x - y")),
    "ladder": made("log(1 + x) <= x", ladder("1 - 1/(1 + x)"), "x >= 0"),
    "integral": integral("(exp(x) - 1)/x"),
    "evident": made("log(2)*sqrt(x + 1) + 1/x > 0", EVIDENT, "x > 0"),
    "numbers": made("(235/192)**(1/10)*(2/5) + (245/288)**(1/10)*(3/5) <= 1", EVIDENT),
    "refutation": made("exp(x) <= max(x, y)", {"rule": "point", "at": {"x": "1", "y": "2"}}, "x > 0"),
    "cover": made(
        "exp(x) <= 3", {"rule": "cells", "variables": ["x"], "bits": 64, "leaves": [[[[0, 0]], "natural"]]},
        "x >= 0", "x <= 1",
    ),
}  # fmt: skip
FALSE = {
    "a derivative where there is no logarithm": made("diff(log(x), x) == 1/x", EVIDENT, "x != 0"),
    "another derivative": made("diff(x**2, x) == 3*x", EVIDENT, "x > 0"),
    "another sum": telescoping("x - x/(n + 2)"),
    "undefined where the divisor is 0": made("x/x == 1", EVIDENT),
    "undefined for negative x": made("sqrt(x)**2 == x", EVIDENT),
    "undefined at 0": made("log(x) - log(x) == 0", EVIDENT, "x >= 0"),
    "a ladder that falls": made("log(1 + x) <= x - x**2", ladder("1 - 1/(1 + x)"), "x >= 0"),
    "a product too many": made("x*y <= (x**2 + y**2)/3", products(("2", [0]), square="x - y")),
    "another integral": integral("(exp(x) + 1)/x"),
    "a closed number": made("exp(1) <= 27/10", EVIDENT),
    "a point where it holds": made("exp(x) >= max(x, y)", {"rule": "point", "at": {"x": "1", "y": "2"}}, "x > 0"),
    "a cover of too much": made(
        "exp(x) <= 27/10", {"rule": "cells", "variables": ["x"], "bits": 64, "leaves": [[[[0, 0]], "natural"]]},
        "x >= 0", "x <= 1",
    ),
}  # fmt: skip
CONTRADICTED = {"another derivative", "a ladder that falls", "a product too many", "a closed number",
                "a point where it holds", "a cover of too much"}  # fmt: skip


@pytest.mark.parametrize(
    ("certificate", "says"),
    [
        (made("x/y <= 1", EVIDENT, "y > 0", "sqrt(x) <= y"),
         "forall (v_x : R) (v_y : R), (0 < v_y) -> (0 <= v_x) -> ((sqrt v_x) <= v_y) -> "
         "(v_y <> 0) /\\ ((v_x * (/ v_y)) <= 1)"),
        (made("log(x) > -1/2*y**2", EVIDENT),
         "forall (v_x : R) (v_y : R), (0 < v_x) /\\ (((-1 / 2) * (v_y ^ 2)) < (ln v_x))"),
        (made("f_2(x) == x**(-3/2)", EVIDENT, functions=("f",), names="x"),
         "forall (v_x : R) (v_f : nat -> R -> R), (smooth v_f) -> "
         "(0 < v_x) /\\ ((v_f 2%nat v_x) = (/ ((sqrt v_x) ^ 3)))"),
        (made("x**y == max(x, 1, y)", EVIDENT),
         "forall (v_x : R) (v_y : R), (0 < v_x) /\\ ((Rpower v_x v_y) = (Rmax (Rmax v_x 1) v_y))"),
        (made("integral(1/t, t, 1, x) == 0", EVIDENT, names="x"),
         "forall (v_x : R), ((ex_RInt (fun v_t => (/ v_t)) 1 v_x) /\\ ((forall v_t : R, "
         "Rmin 1 v_x <= v_t <= Rmax 1 v_x -> v_t <> 0))) /\\ ((RInt (fun v_t => (/ v_t)) 1 v_x) = 0)"),
        (made("diff(log(x), x) == 1/x", EVIDENT, names="x"),
         "forall (v_x : R), (0 < v_x) /\\ (ex_derive (fun v_x : R => (ln v_x)) v_x) /\\ (v_x <> 0) /\\ "
         "((Derive (fun v_x : R => (ln v_x)) v_x) = (/ v_x))"),
        (made("x/0 == 0", EVIDENT, names="x"), "forall (v_x : R), (0 <> 0) /\\ ((v_x * (/ 0)) = 0)"),
    ],
)  # fmt: skip
def test_a_lemma_asks_for_what_makes_a_formula_defined(certificate: dict[str, Any], says: str) -> None:
    assert " ".join(statement(the(certificate)).split()) == says


def test_a_refutation_is_a_point_at_which_the_hypotheses_hold_and_the_conclusion_fails() -> None:
    says = "exists (v_x : R) (v_y : R), (0 < v_x) /\\ ((Rmax v_x v_y) < (exp v_x))"
    assert " ".join(lemma(the(TRUE["refutation"])).statement.split()) == says


def test_what_has_no_coq_text_is_refused() -> None:
    with pytest.raises(Untranslated, match="gamma"):
        lemma(the(made("gamma(x) > 0", EVIDENT, "x > 0")))


def test_an_invariant_is_two_obligations_and_a_statement_is_asked_once() -> None:
    data = {"variables": {"x": "real"}, "state": ["x"], "parameters": [], "always": [], "initial": ["x == 0"],
            "transition": ["x_next == x + 1"], "claim": "x >= 0"}  # fmt: skip
    parts = {"proof": EVIDENT}
    found = list(obligations({"invariant": data, "base": parts, "step": parts}, "first"))
    assert [" ".join(statement(one).split())[-13:] for one in found] == [") -> 0 <= v_x", "0 <= v_x_next"]
    assert [one.origin for one in distinct([*found, *(found[:1])])] == ["first", "first"]


@pytest.mark.parametrize("name", TRUE)
def test_the_kernel_accepts_the_true_sample(name: str) -> None:
    assert check(TRUE[name]).word in ("proved", "certified", "refuted")


@pytest.mark.parametrize("name", FALSE)
def test_the_kernel_refuses_the_planted_ones(name: str) -> None:
    with pytest.raises(Rejected):
        check(FALSE[name])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with our theories in it, and nothing that was ever confirmed."""
    folder = tmp_path_factory.mktemp("coq")
    driver.build([confirm.SCALARS], driver.store())
    for compiled in driver.store().glob("*/*.vo"):
        (folder / compiled.parent.name).symlink_to(compiled.parent)
    return folder


@needs_coq
def test_coq_confirms_the_true_contradicts_the_false_and_confirms_nothing_undefined(store: Path) -> None:
    said = confirm.opinions([the(one) for one in (*TRUE.values(), *FALSE.values())], store, seconds=30)
    words = dict(zip((*TRUE, *FALSE), said, strict=True))
    assert {name: words[name].reason for name in TRUE} == dict.fromkeys(TRUE, "")
    expected = {name: "contradicted" if name in CONTRADICTED else "not confirmed" for name in FALSE}
    assert {name: words[name].word for name in FALSE} == expected


@needs_coq
def test_a_tampered_certificate_of_a_true_statement_is_not_confirmed(store: Path) -> None:
    tampered = [
        made("x*y <= (x**2 + y**2)/2", products(("3", [0]), square="x - y")),
        made("log(1 + x) <= x", ladder("1 - 1/(2 + x)"), "x >= 0"),
    ]
    said = confirm.opinions([the(one) for one in tampered], store, seconds=30)
    assert [one.word for one in said] == ["not confirmed", "not confirmed"]


@needs_coq
def test_what_was_confirmed_is_not_asked_again(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    confirm.opinions([the(TRUE["multipliers"])], store)
    monkeypatch.setattr(confirm, "Toplevel", None)
    assert confirm.opinions([the(TRUE["multipliers"])], store)[0].word == "confirmed"


@needs_coq
def test_replay_with_coq_prints_how_many_and_fails_on_a_contradiction(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(store.parent)  # a folder is given as people give it, from where they are
    files = {"good.json": TRUE["multipliers"], "bad.json": FALSE["a product too many"]}
    for name, one in files.items():
        (tmp_path / name).write_text(json.dumps(one))
    more = ["--coq", "--store", store.name]
    assert main(["replay", str(tmp_path / "good.json"), *more]) == 0
    assert "Coq confirms 1 of 1 scalar statements; none is contradicted" in capsys.readouterr().out
    assert main(["replay", *(str(tmp_path / name) for name in files), *more, "--json", "-"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["confirmed"], found["contradicted"]) == (1, 1)
