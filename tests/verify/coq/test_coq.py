"""The driver of Coq: what it refuses, what it compiles again, and what it says of a theorem."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.check import FORMAT
from glbcheck.core.theory import constants
from glbcheck.proofs_checks.hcw_glb_omd import coq_constants
from glbcheck.verify import judge, ledger, papers
from glbcheck.verify.claim import Claim, Evidence, Verdict
from glbcheck.verify.coq import driver, pins, printed
from glbcheck.verify.coq.theorem import consult, recorded
from glbcheck.verify.registry import Registry, claim
from glbcheck.verify.theorem_claims import proves

PAPER = driver.Library("HCW", coq_constants.FILE.parent)
needs_coq = pytest.mark.needs("coq")


@needs_coq
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
        ('Definition s := "(*". Axiom a : False. Definition t := "*)".', ["Axiom"]),
        ('(* "*)" Axiom *) Check 1.', []),
    ],
)
def test_forbidden_words_are_found_outside_comments_only(source: str, words: list[str]) -> None:
    assert list(driver.forbidden_words(source)) == words


@pytest.mark.parametrize("library", [driver.GENERAL, PAPER])
def test_no_source_uses_a_forbidden_word(library: driver.Library) -> None:
    sources = list(library.folder.glob("*.v"))
    assert sources
    assert {path.name: driver.forbidden_words(path.read_text()) for path in sources} == {
        path.name: () for path in sources
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
def test_of_two_who_want_the_same_module_one_compiles_it(tmp_path: Path) -> None:
    tiny, store, compiled = library(tmp_path / "src", Base=BASE), tmp_path / "store", list[str]()
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(driver.build, [tiny], store, None, compiled.append) for _ in range(2)]
    assert all(one.exception() is None for one in asked)
    assert compiled == ["Tiny.Base"]


@needs_coq
def test_a_false_theorem_stops_the_build(tmp_path: Path) -> None:
    tiny = library(tmp_path / "src", Base="Theorem wrong : 1 = 2. Proof. reflexivity. Qed.\n")
    with pytest.raises(driver.CoqError, match="Unable to unify"):
        driver.build([tiny], tmp_path / "store")


def flipped(compiled: Path) -> None:
    """One bit of the proof on disk changed."""
    data = bytearray(compiled.read_bytes())
    data[len(data) // 2] ^= 1
    compiled.write_bytes(data)


def swapped(compiled: Path) -> None:
    """The proof of another statement in its place."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder, "Base.v")
        other.write_text(BASE.replace("n = n", "0 = 0"))
        subprocess.run(["coqc", "-q", "-Q", folder, "Tiny", str(other)], check=True)
        shutil.copy(other.with_suffix(".vo"), compiled)


@needs_coq
@pytest.mark.parametrize("damage", [flipped, swapped])
def test_the_independent_checker_refuses_a_damaged_proof(damage: Callable[[Path], None], tmp_path: Path) -> None:
    tiny, store = [library(tmp_path / "tiny", Base=BASE, User=USER)], tmp_path / "store"
    driver.coqchk(tiny, store)
    (compiled,) = store.glob("*/Base.vo")
    damage(compiled)
    with pytest.raises(driver.CoqError):
        driver.coqchk(tiny, store)


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


def test_a_theorem_is_named_with_library_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked at before Coq is asked anything, so this is said where Coq is not installed too."""
    monkeypatch.setenv(driver.HIDE, "off")
    driver._surroundings.cache_clear()
    driver._contrib.cache_clear()
    driver.version.cache_clear()
    with pytest.raises(BadInput, match="theorem"):
        driver.check("again", [], tmp_path)


PINS = pins.read(PAPER.folder)


# The claims ask the same, each for its own theorem.
@pytest.mark.nightly
@needs_coq
@pytest.mark.parametrize("theorem", PINS.statements)
def test_a_theorem_says_what_is_written_down(theorem: str) -> None:
    assert consult(theorem, PAPER.folder).asked == "here"


@pytest.mark.parametrize("theorem", PINS.statements)
def test_the_recorded_check_is_one_of_the_present_sources_and_statement(theorem: str) -> None:
    answer = recorded(theorem, PAPER.folder)
    assert set(answer.axioms) <= driver.ALLOWED_AXIOMS
    assert answer.asked == "recorded"


def test_every_claim_with_a_theorem_names_one_that_is_written_down() -> None:
    formal = [claim.coq for claim in papers.find("hcw_glb_omd").claims() if claim.coq]
    named = {name for one in formal for name in (one.theorem, one.control, one.witness) if name}
    assert len(formal) >= 20
    assert named <= set(PINS.statements)


def test_the_constants_of_coq_are_those_of_the_algorithm() -> None:
    assert coq_constants.FILE.read_text(encoding="utf-8") == coq_constants.source()
    assert coq_constants.PRINTED_FILE.read_text(encoding="utf-8") == coq_constants.printed()
    assert coq_constants.LOWER_FILE.read_text(encoding="utf-8") == coq_constants.lower()


@pytest.mark.parametrize(("k", "c"), constants.MIXTURE_PAIRS.items())
def test_the_pairs_of_the_mixture_are_those_of_the_algorithm(k: Fraction, c: Fraction) -> None:
    root = Fraction(1, math.isqrt(int(k)))
    assert root**2 * k == 1
    reach = "1%R" if root == 1 else f"({root.numerator} / {root.denominator})%R"
    table = driver.squeezed(PINS.statements["Glbcheck.MixtureTable.mixture_table"])
    assert f"mixture_pair {reach} ({c.numerator} / {c.denominator})%R" in table


def changed_constants(old: str, new: str) -> str:
    """The Coq source of the constants, written from Python sources with one edit."""
    text = Path(constants.__file__).read_text(encoding="utf-8")
    assert text.count(old) == 1
    changed = ModuleType("changed_constants")
    sys.modules[changed.__name__] = changed  # dataclasses look their module up
    exec(compile(text.replace(old, new), "changed_constants", "exec"), changed.__dict__)
    return coq_constants.source(changed)


CHANGES = pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("81 * eta**2 * logdet", "60 * eta**2 * logdet", "HCW.Constants.beta_from_logdet"),
        ("largest(6 * eta", "largest(5 * eta", "HCW.Constants.regularisation"),
    ],
)


@CHANGES
def test_a_changed_constant_changes_the_coq_source(old: str, new: str, name: str) -> None:
    assert changed_constants(old, new) != coq_constants.source()


@needs_coq
@CHANGES
def test_a_changed_constant_changes_what_coq_has_to_prove(old: str, new: str, name: str, tmp_path: Path) -> None:
    copy = tmp_path / "coq"
    shutil.copytree(PAPER.folder, copy)
    (copy / "Constants.v").write_text(changed_constants(old, new), encoding="utf-8")
    libraries = [driver.GENERAL, driver.Library("HCW", copy)]
    driver.build(libraries, driver.store(), ["HCW.Constants"])
    said = printed.definitions({name: False}, libraries, driver.store())
    assert driver.squeezed(said[name].text) != driver.squeezed(PINS.definitions[name])


# --- claims that are theorems ------------------------------------------------------------------------------------

THEORY = """Definition mutant := forall n : nat, n = 0.
Definition double (n : nat) := n + n.
Theorem twice : forall n : nat, double n = 2 * n. Proof. intros n. unfold double. simpl. auto. Qed.
Theorem mutant_false : ~ mutant. Proof. intros h. discriminate (h 1). Qed.
"""


@pytest.fixture
def theory(tmp_path: Path) -> Path:
    """A folder with one Coq file, written down as it is; for tests that need Coq."""
    folder = tmp_path / "coq"
    folder.mkdir()
    (folder / "Base.v").write_text(THEORY)
    (folder / pins.STATEMENTS).write_text('{"Tiny.Base.twice": "", "Tiny.Base.mutant_false": ""}')
    assert pins.pin(folder, driver.store()) == ["Tiny.Base.twice", "Tiny.Base.mutant_false"]
    return folder


def declared(folder: Path, **changes: Any) -> Claim:
    """A claim that is the theorem `twice`, as a module beside the folder would declare it."""
    given: dict[str, Any] = {"id": "twice", "title": "n + n = 2 n", "control": ("n = 0", "Tiny.Base.mutant_false")}
    scope: dict[str, Any] = {"__file__": str(folder.parent / "module.py"), "__name__": "tiny", "proves": proves}
    scope |= {"given": {**given, **changes, "registry": Registry()}}
    exec('made = proves("Tiny.Base.twice", "lemma:x", **given)', scope)
    made: Claim = scope["made"]
    return made


@needs_coq
def test_a_claim_that_is_a_theorem_is_proved_with_its_statement_and_definitions(theory: Path) -> None:
    decision = judge.decide(declared(theory))
    row = ledger.row(decision)
    assert (row["verdict"], row["prover"], decision.problems) == ("proved", "coq", ())
    assert driver.squeezed(row["statement"]) == "forall n : nat, Base.double n = (2 * n)%coq_nat"
    assert list(row["coq"]["definitions"]) == ["Tiny.Base.double"]
    assert row["control"]["rejected"] is True
    assert "8." in row["coq"]["version"]


@needs_coq
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (pins.STATEMENTS, "2 * n", "3 * n"),
        (pins.DEFINITIONS, "n + n", "n + 0"),
        (pins.CHECKED, '"says": "', '"says": "0'),
    ],
)
def test_a_theorem_that_is_not_what_is_written_down_is_undecided(theory: Path, file: str, old: str, new: str) -> None:
    path = theory / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert judge.decide(declared(theory)).verdict == "undecided"


@needs_coq
def test_a_changed_definition_or_proof_that_coq_refuses_makes_the_claim_undecided(theory: Path) -> None:
    (theory / "Base.v").write_text(THEORY.replace("n + n.", "n * n."))
    assert judge.decide(declared(theory)).verdict == "undecided"
    (theory / "Base.v").write_text(THEORY.replace("auto. Qed", "auto. Admitted"))
    assert judge.decide(declared(theory)).verdict == "undecided"


@needs_coq
def test_a_theorem_stands_beside_one_that_coq_does_not_have(theory: Path) -> None:
    path = theory / pins.STATEMENTS
    path.write_text(json.dumps({**json.loads(path.read_text()), "Tiny.Base.nowhere": "True"}))
    assert judge.decide(declared(theory)).verdict == "proved"
    with pytest.raises(driver.CoqError, match="nowhere"):
        consult("Tiny.Base.nowhere", theory)


@needs_coq
def test_a_control_that_is_no_negation_is_refused(theory: Path) -> None:
    assert judge.decide(declared(theory, control=("itself", "Tiny.Base.twice"))).verdict == "undecided"


@needs_coq
def test_a_premise_that_the_theorem_does_not_have_is_refused(theory: Path) -> None:
    assert judge.decide(declared(theory, premises={"Tiny.Base.mutant": "markov"})).verdict == "undecided"


@needs_coq
def test_a_premise_is_shown_and_weakens_what_holds(theory: Path) -> None:
    row = ledger.row(judge.decide(declared(theory, premises={"Tiny.Base.double": "markov"})))
    (one,) = ledger.results([row])["claims"]
    assert (one["verdict"], one["holds_up_to"], one["facts"]) == ("proved", "argued", ["markov"])
    assert "assuming: P(X >= a) <= E X/a" in one["evidence"]["summary"]
    assert type(row["kernel"]["word"]) is str  # what goes to another process is plain


@pytest.mark.parametrize("made", [{}, {"coq": {}}, {"coq": {"theorem": {"theorem": "Tiny.Base.twice"}}}])
def test_evidence_that_says_coq_is_not_believed(made: dict[str, Any]) -> None:
    forged = Evidence(Verdict.PROVED, "coq", "Coq said so", "", {"format": FORMAT, **made} if made else {})

    @claim("lemma:x", control=("nothing", lambda: Evidence(Verdict.UNDECIDED, "coq", "")), registry=Registry())
    def forgery() -> Evidence:
        """1 = 2."""
        return forged

    assert judge.decide(forgery).verdict == "undecided"


@needs_coq
def test_a_forged_certificate_of_a_theorem_is_not_believed(theory: Path) -> None:
    honest = declared(theory)
    evidence = honest.check()
    said = evidence.certificate["coq"]["theorem"]
    forged = {**evidence.certificate, "coq": {"theorem": {**said, "statement": "forall n : nat, n = 0"}}}
    liar = replace(honest, check=lambda: replace(evidence, certificate=forged))
    assert judge.decide(liar).verdict == "undecided"
