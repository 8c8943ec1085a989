"""The driver of Coq: what it refuses, what it compiles again, and what it says of a theorem."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from glbcheck.core.errors import BadInput
from glbcheck.proofs_checks import __file__ as papers
from glbcheck.verify.coq import driver

PAPER = driver.Library("HCW", Path(papers).parent / "hcw_glb_omd" / "coq")
needs_coq = pytest.mark.skipif(driver.coqc() is None, reason="coqc is not installed (apt-get install coq)")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Lemma a : True. Proof. exact I. Qed.", []),
        ("Lemma a : False. Admitted.", ["Admitted"]),
        ("Axiom a : False. Parameter b : nat.", ["Axiom", "Parameter"]),
        ("(* no Axiom here (* nor Admitted *) still *) Check 1.", []),
        ("Unset Guard Checking.", ["Unset Guard Checking"]),
        ("Lemma admitted_fact : True.", []),
        ("(* a *) admit. (* b *)", ["admit"]),
    ],
)
def test_forbidden_words_are_found_outside_comments_only(source: str, words: list[str]) -> None:
    assert driver.forbidden_words(source) == words


@pytest.mark.parametrize("library", [driver.GENERAL, PAPER])
def test_no_source_uses_a_forbidden_word(library: driver.Library) -> None:
    sources = list(library.folder.glob("*.v"))
    assert sources
    assert {path.name: driver.forbidden_words(path.read_text()) for path in sources} == {
        path.name: [] for path in sources
    }


def test_every_required_module_of_ours_exists() -> None:
    known = driver.modules([driver.GENERAL, PAPER])
    for path in known.values():
        required = driver.REQUIRE.findall(driver.without_comments(path.read_text()))
        ours = {
            f"{library}.{name}"
            for library, names in required
            for name in names.split()
            if library in ("Glbcheck", "HCW")
        }
        assert ours <= set(known), path


def library(folder: Path, **sources: str) -> driver.Library:
    folder.mkdir(exist_ok=True)
    for name, source in sources.items():
        (folder / f"{name}.v").write_text(source)
    return driver.Library("Tiny", folder)


BASE = "Lemma half : forall n : nat, n = n. Proof. reflexivity. Qed.\n"
USER = "From Tiny Require Import Base.\nTheorem again : forall n : nat, n = n. Proof. exact half. Qed.\n"


@needs_coq
def test_a_theorem_is_reported_as_coq_prints_it(tmp_path: Path) -> None:
    tiny = library(tmp_path / "src", User=USER, Base=BASE)
    assert driver.build([tiny], tmp_path / "store") == ["Tiny.Base", "Tiny.User"]
    found = driver.check("Tiny.User.again", [tiny], tmp_path / "store")
    assert (found.statement, found.axioms) == ("forall n : nat, n = n", ())
    assert found.version == driver.version()


@needs_coq
def test_only_what_changed_and_what_rests_on_it_is_compiled_again(tmp_path: Path) -> None:
    tiny = library(tmp_path / "src", User=USER, Base=BASE, Other="Definition two := 2.\n")
    assert len(driver.build([tiny], tmp_path / "store")) == 3
    assert driver.build([tiny], tmp_path / "store") == []
    library(tmp_path / "src", Base=BASE + "Definition one := 1.\n")
    assert driver.build([tiny], tmp_path / "store") == ["Tiny.Base", "Tiny.User"]


@needs_coq
def test_a_false_theorem_stops_the_build(tmp_path: Path) -> None:
    tiny = library(tmp_path / "src", Base="Theorem wrong : 1 = 2. Proof. reflexivity. Qed.\n")
    with pytest.raises(driver.CoqError, match="Unable to unify"):
        driver.build([tiny], tmp_path / "store")


@needs_coq
@pytest.mark.parametrize(("module", "name"), [("Base", "secret"), ("Classical_Prop", "classic")])
def test_a_theorem_on_a_hidden_axiom_is_refused(tmp_path: Path, module: str, name: str) -> None:
    hidden = f"Variable {name} : 1 = 2.\nTheorem wrong : 2 = 1. Proof. symmetry. exact {name}. Qed.\n"
    tiny = library(tmp_path / "src", **{module: hidden})
    driver.build([tiny], tmp_path / "store")
    with pytest.raises(driver.CoqError, match=f"rests on {module}.{name}"):
        driver.check(f"Tiny.{module}.wrong", [tiny], tmp_path / "store")


def test_a_forbidden_word_stops_the_build_before_coq_is_asked(tmp_path: Path) -> None:
    tiny = library(tmp_path / "src", Base="Theorem wrong : 1 = 2. Admitted.\n")
    with pytest.raises(driver.CoqError, match="Admitted is not allowed"):
        driver.build([tiny], tmp_path / "store")


def test_a_theorem_is_named_with_library_and_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="theorem"):
        driver.check("again", [], tmp_path)


STATEMENTS = json.loads((PAPER.folder / "statements.json").read_text())
OPENING = "From mathcomp Require Import all_ssreflect all_algebra."


def has_libraries() -> bool:
    """Whether the Coq libraries that the theories require are installed."""
    return driver.coqc() is not None and driver.installed("mathcomp/analysis/Rstruct.vo", "Coquelicot/Coquelicot.vo")


@pytest.fixture(scope="session")
def store(request: pytest.FixtureRequest) -> Path:
    """The compiled theories; from nothing about two minutes, from the cache nothing."""
    if not has_libraries():
        pytest.skip("Coq with mathcomp-analysis and Coquelicot is not installed")
    folder = Path(str(request.config.cache.mkdir("coq")))
    driver.build([driver.GENERAL, PAPER], folder)
    return folder


@pytest.mark.parametrize("theorem", STATEMENTS)
def test_a_theorem_says_what_is_recorded_on_allowed_axioms(theorem: str, store: Path) -> None:
    assert driver.check(theorem, [driver.GENERAL, PAPER], store, OPENING).statement == STATEMENTS[theorem]
