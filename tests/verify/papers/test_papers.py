"""A paper is a folder: found by name or path, imported once under one name, the home of all it states."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from glbcheck.verify import papers

import glbcheck
from tests.helpers import small_paper

PAPER = papers.find("hcw_glb_omd")


def test_an_installed_paper_keeps_its_import_name_however_it_is_named() -> None:
    for given in (PAPER.folder, f"{PAPER.folder.parent}/../proofs_checks/hcw_glb_omd"):
        assert papers.find(given) == PAPER
    assert PAPER.package == "glbcheck.proofs_checks.hcw_glb_omd"
    assert all(claim.location.startswith(f"{PAPER.package}.") for claim in PAPER.claims())


def test_no_module_of_a_paper_is_imported_under_two_names(tmp_path: Path) -> None:
    folder = small_paper.make(tmp_path / "once", __init__="from . import first")
    claims = papers.find(folder).claims()
    assert papers.find(f"{folder}/../once").claims() == claims
    for home in (folder, PAPER.folder):
        files = [str(getattr(module, "__file__", "")) for module in list(sys.modules.values())]
        ours = [file for file in files if file.startswith(f"{home}/")]
        assert len(ours) == len(set(ours)) > 1


def test_folders_of_one_name_are_two_papers_with_claims_of_their_own(tmp_path: Path) -> None:
    places = ("a/same", "b/same", "c/hcw_glb_omd")
    found = [papers.find(small_paper.make(tmp_path / place)) for place in places]
    assert len({paper.name for paper in (*found, PAPER)}) == 4
    for paper in found:
        assert {claim.id for claim in paper.claims()} == small_paper.CLAIMS
        assert all(claim.location.startswith(f"{paper.package}.") for claim in paper.claims())


def test_a_paper_inside_a_paper_is_another_one(tmp_path: Path) -> None:
    outer = small_paper.make(tmp_path / "outer")
    inner = small_paper.make(outer / "inner")
    assert len(papers.find(outer).claims()) == len(papers.find(inner).claims()) == 5


def test_python_callers_check_a_paper_and_audit_a_family_in_one_line(tmp_path: Path) -> None:
    small_paper.make(tmp_path / "tiny", requirements=REQUIREMENTS)
    results = glbcheck.check(tmp_path / "tiny", anchors=["lemma:false"])
    assert {c["id"] for c in results["claims"]} == small_paper.CLAIMS - {"definition:sec:notation"}
    gaussian = glbcheck.catalog.get("gaussian")
    audit = glbcheck.audit_family(gaussian, 1, paper=tmp_path / "tiny", only=("domain",))
    assert audit["theorems"]["theorem:mine"]["applies"] is True
    learner = glbcheck.HCWGLBOMD(gaussian, d=2, S=1.0, delta=0.1, C=1.0)
    assert learner.select([[1.0, 0.0], [0.0, 1.0]]) in (0, 1)


REQUIREMENTS = """
from glbcheck.verify.audit.theorems import Requirement

REQUIREMENTS = (Requirement("theorem:mine", ("domain",)),)
"""


def test_the_public_names_are_loaded_when_asked_for() -> None:
    code = (
        "import sys, glbcheck; assert not [m for m in sys.modules if m.startswith('glbcheck.')];"
        "assert set(glbcheck.__all__) <= set(dir(glbcheck)); [getattr(glbcheck, n) for n in glbcheck.__all__]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(glbcheck, "nonsense")  # noqa: B009


def test_the_architecture_page_lists_the_sections_of_the_paper_and_these_every_module_with_claims() -> None:
    page = (small_paper.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \| (`.+\.py`) \|$", page, re.MULTILINE)
    files = {s.title: [f"`{name.replace('.', '/')}.py`" for name in s.modules] for s in PAPER.sections}
    assert rows == [(title, ", ".join(names)) for title, names in files.items()]
    named = {f"{PAPER.package}.{name}" for section in PAPER.sections for name in section.modules}
    assert {claim.location.rpartition(":")[0] for claim in PAPER.claims()} <= named <= {*PAPER.modules.values()}
