"""The audit of a family, the catalogue table and the reproduction, as a user meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core import catalog
from core.concordance import R_s_global
from verify.audit import audit_family, checks_for
from verify.claim import Verdict
from verify.cli import main
from verify.report import families

ROOT = Path(__file__).resolve().parent.parent


def test_a_usable_family_passes_every_check() -> None:
    verdicts = {check.name: check.verdict for check in checks_for(catalog.get("bernoulli"), 3)}
    assert verdicts.pop("domain") is Verdict.PROVED
    assert set(verdicts.values()) == {Verdict.CERTIFIED}
    assert set(verdicts) == {"kappa", "L_mu", "R_s", "R_s_global"}


def test_a_half_line_family_is_refused_before_anything_else() -> None:
    checks = list(checks_for(catalog.get("exponential"), 1))
    assert [(c.name, c.verdict) for c in checks] == [("domain", Verdict.REFUTED)]
    assert "tilted" in checks[0].evidence


def test_a_tilted_family_is_self_concordant_on_the_interval_only() -> None:
    audit = audit_family(catalog.get("exponential").tilted(2), 1)
    verdicts = {check["name"]: check["verdict"] for check in audit["checks"]}
    assert verdicts["R_s"] == "certified"
    assert verdicts["R_s_global"] == "refuted"
    assert audit["constants"]["R_s"]["exact"] == "2"
    assert audit["constants"]["R_s_global"]["upper"] == float("inf")


def test_constants_are_rounded_outward() -> None:
    for constant in audit_family(catalog.get("von_mises"), "5/2")["constants"].values():
        assert constant["lower"] <= constant["upper"]


def test_the_table_of_families_fits_eighty_columns_and_shows_every_family(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["families"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[2 : 2 + len(catalog.NAMES)]] == list(catalog.NAMES)


def test_the_table_as_data_carries_the_certified_constants(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["families", "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)["families"]
    for row in rows:
        constant = R_s_global(catalog.get(row["name"]))
        assert row["R_s_global"]["lower"] == constant.lower
        assert row["attained"] == constant.attained


def test_rows_and_table_agree() -> None:
    rows = families.rows()
    by_name = {line.split()[0]: line for line in families.table(rows)[2 : 2 + len(rows)]}
    for row in rows:
        assert row["support"] in by_name[row["name"]]
        assert row["domain"] in by_name[row["name"]]


CLAIMS = '''
from verify.claim import Evidence
from verify.provers import algebra
from verify.registry import claim

def squares(sign):
    return algebra.decide([], f"x**2 >= {sign}", ["x"])

@claim("lemma:square", expected="proved", control=("x^2 >= 1", lambda: squares(1)))
def square() -> Evidence:
    """A square is not negative."""
    return squares(0)
'''


def reproduce(folder: Path, claims: str) -> subprocess.CompletedProcess[str]:
    package = folder / "tiny_claims"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "only.py").write_text(claims)
    (folder / "pytest.ini").write_text("[pytest]\nglbcheck_packages = tiny_claims\n")
    command = [sys.executable, "-m", "verify.cli", "reproduce", "--claims", "tiny_claims", "--output", "out"]
    path = f"{ROOT}:{folder}"
    return subprocess.run(
        [*command, "--jobs", "1"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": path, "PATH": ""},
    )


def test_reproduction_leaves_results_and_audits(tmp_path: Path) -> None:
    run = reproduce(tmp_path, CLAIMS)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "claims: 1 (1 proved)" in run.stdout
    assert max(map(len, run.stdout.splitlines())) <= 80
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert [c["verdict"] for c in results["claims"]] == ["proved"]
    assert {p.stem for p in (tmp_path / "out" / "audit").iterdir()} == set(catalog.NAMES)


def test_reproduction_says_when_a_claim_is_not_as_expected(tmp_path: Path) -> None:
    run = reproduce(tmp_path, CLAIMS.replace('expected="proved"', 'expected="undecided"'))
    assert run.returncode == 1
    assert "all as expected: no" in run.stdout


def test_an_unwritable_folder_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert main(["reproduce", "--output", str(blocked / "below")]) == 2
    assert "--output" in capsys.readouterr().err
