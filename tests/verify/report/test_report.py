"""The one-page report: a faithful view of its data, whole and self-contained."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from glbcheck.verify import papers
from glbcheck.verify.claim import Verdict
from glbcheck.verify.report import answers, verdicts
from glbcheck.verify.report.counting import tally, wrong
from glbcheck.verify.report.fixes import HARMLESS, fixes
from glbcheck.verify.report.html import Bundle, render, shelf
from glbcheck.verify.report.html.formulas import UNSET
from glbcheck.verify.report.html.index import Index

from glbcheck.cli import main
from glbcheck.reproduce import summary
from tests.helpers.report_bundle import drawing, hostile, real
from tests.helpers.report_page import Page, shown


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return real()


@pytest.fixture(scope="module")
def text(bundle: Bundle) -> str:
    return render(bundle)


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


# --- faithful ---------------------------------------------------------------------------------------------


def test_every_anchor_has_a_row_and_a_link_that_can_be_shared(bundle: Bundle, page: Page) -> None:
    rows = {attrs["id"]: inner for attrs, inner in page.of("tr") if (attrs.get("id") or "").startswith("anchor=")}
    links = set(page.values("href"))
    assert len(rows) == len(bundle.anchors) == 484
    for anchor in bundle.anchors:
        assert str(anchor["line"]) in rows[f"anchor={anchor['id']}"]
        assert f"#anchor={anchor['id']}" in links


def test_the_numbers_are_those_of_the_results(bundle: Bundle, page: Page) -> None:
    claims = bundle.results["claims"]
    expected = Counter(c["verdict"] for c in claims) + Counter(c["severity"] for c in wrong(claims))
    seen = {attrs["data-count"]: int(inner) for attrs, inner in page.of("b") if "data-count" in attrs}
    assert seen == dict(expected)
    assert any(f"{len(claims)} claims" in inner for _, inner in page.of("b"))


def test_every_claim_has_a_card_with_all_that_is_known(bundle: Bundle, page: Page) -> None:
    index = Index(bundle)
    cards = {(attrs["id"] or "").removeprefix("claim="): inner for attrs, inner in page.of("details", class_="card")}
    assert set(cards) == {c["id"] for c in bundle.results["claims"]}
    for claim in bundle.results["claims"]:
        card = cards[claim["id"]]
        module, line = claim["evidence"]["location"].removeprefix("glbcheck.").rsplit(":", 1)
        words = [claim["consequence"], claim["argument"], *claim["evidence"]["hypotheses"]]
        words += [claim["title"]] if claim["title"] != claim["statement"] else []
        words += [claim["control"]["statement"]] if claim["control"] else []
        pieces = [claim["verdict"], *claim["anchors"], *(shown(text, index) for text in words)]
        pieces += [shown(claim["evidence"]["summary"], index)[:500]]  # the end of what is very long is in the file
        pieces += [f"{module.replace('.', '/')}.py:{line}", *(name.replace("_", " ") for name in claim["uses"])]
        missing = [piece for piece in pieces if piece not in card]
        assert not missing, claim["id"]
        if claim["core"] and not claim["coq"] and not claim["statement"]:
            assert ("Steps" if claim["steps"] else "Checked by machine") in card
            relations = [text for b in (claim["steps"] or {}).get("blocks", ()) for text in b["conclusions"]]
            assert all(shown(text, index) in card for text in (relations or claim["core"]))
        assert "Argument" in card or claim["verdict"] not in ("proved", "certified", "argued")


def test_what_did_not_come_out_as_declared_is_said_first(bundle: Bundle, page: Page) -> None:
    assert page.of("div", class_="surprises") == []
    claims = json.loads(json.dumps(bundle.results["claims"]))
    odd, open_ = claims[0], next(c for c in claims if c["counterexample"])
    odd["evidence"]["problems"] = ["its control got through"]
    open_["verdict"] = "undecided"
    changed = Page(render(replace(bundle, results={**bundle.results, "claims": claims})))
    (said,) = changed.of("div", class_="surprises")
    assert "(2)" in said[1]
    assert "its control got through" in said[1]
    assert open_["id"].replace("_", " ") in said[1]
    assert {link[1:] for link in changed.values("href")} <= set(changed.values("id"))


def test_everything_false_is_shown_with_its_numbers_and_its_replay_line(bundle: Bundle, page: Page) -> None:
    index = Index(bundle)
    found = {attrs["id"]: inner for tag in ("article", "details") for attrs, inner in page.of(tag, class_="finding")}
    false = wrong(bundle.results["claims"])
    assert set(found) == {f"finding={c['id']}" for c in false}
    for claim in false:
        inner = found[f"finding={claim['id']}"]
        assert "As printed" in inner
        assert shown(claim["consequence"], index) in inner
        assert all(name.replace("_", " ") in inner for name in claim["falls_with_it"])
        if claim["counterexample"]:
            assert f"glbcheck replay results/certificates/{claim['id']}.json" in inner
            assert "fails by at least" in inner


def test_a_counterexample_says_what_its_letters_mean(bundle: Bundle, page: Page) -> None:
    index = Index(bundle)
    found = {attrs["id"]: inner for tag in ("article", "details") for attrs, inner in page.of(tag, class_="finding")}
    for claim in wrong(bundle.results["claims"]):
        if not claim["counterexample"]:
            continue
        letters = [*claim["counterexample"]["point"], *claim["counterexample"]["statement"]["definitions"]]
        for letter in letters:
            meaning = claim["letters"].get(letter) or bundle.letters.meaning(claim["id"], letter)
            assert meaning, f"{claim['id']}: nobody wrote down what {letter} means"
            assert shown(meaning, index) in found[f"finding={claim['id']}"]
    for name, meanings in bundle.letters.claims.items():
        example = index.by_id[name]["counterexample"]
        assert set(meanings) <= {*example["point"], *example["statement"]["definitions"]}, name


def test_every_textbook_fact_is_listed_with_its_reference_and_its_users(bundle: Bundle, page: Page) -> None:
    found = {attrs["id"]: inner for attrs, inner in page.of("article", class_="fact")}
    assert set(found) == {f"fact={fact['id']}" for fact in bundle.results["facts"]}
    for fact in bundle.results["facts"]:
        inner = found[f"fact={fact['id']}"]
        assert fact["reference"] in inner
        assert all(name.replace("_", " ") in inner for name in fact["used_by"])
    cards = {(attrs["id"] or "").removeprefix("claim="): inner for attrs, inner in page.of("details", class_="card")}
    for claim in bundle.results["claims"]:
        assert all(name.replace("-", " ") in cards[claim["id"]] for name in claim["all_facts"])


def test_every_formula_is_set_as_mathematics(bundle: Bundle, text: str, page: Page) -> None:
    assert not [inner for tag, _, inner in page.elements if tag == "code" and UNSET in str(inner)]
    assert f'class="{UNSET}"' not in text
    formulas = [inner for _, inner in page.of("math")]
    assert len(formulas) > 1000
    assert not [inner for inner in formulas if "\\" in inner or not inner.strip()]


class Drawing:
    """The claims and the edges of the graph."""

    def __init__(self, text: str) -> None:
        start = text.index('id="graph-theorems"')
        page = Page(text[text.index("<svg", start) : text.index("</svg>", start) + 6])
        nodes = page.of("a", class_="node")
        self.nodes = {attrs["data-id"] or "": attrs for attrs, _ in nodes}
        self.labels = {attrs["data-id"]: inner for attrs, inner in nodes}
        self.edges = {
            (attrs["data-user"], attrs["data-used"]): attrs.get("class")
            for attrs, _ in page.of("path")
            if "data-user" in attrs
        }

    def corner(self, name: str) -> tuple[float, float]:
        x, y = re.findall(r"[\d.]+", self.nodes[name]["transform"] or "")
        return float(x), float(y)


def test_the_graph_shows_the_theorems_and_what_breaks_their_proofs(bundle: Bundle, text: str) -> None:
    drawing, index = Drawing(text), Index(bundle)
    theorems = answers.theorems(index.anchors, index.claims)
    assert len(theorems) == 4
    for one in theorems:
        assert one.statement
        assert {one.statement["id"], *(c["id"] for c in one.rests_on)} <= set(drawing.nodes)
        assert index.name(one.anchor) in drawing.labels[one.statement["id"]]
        near = {used for user, used in drawing.edges if user == one.statement["id"]}
        assert near & {c["id"] for c in one.rests_on}
    assert {kind for kind in drawing.edges.values() if kind} == {"falls", "mends"}
    falls = {(name, c["id"]) for c in index.claims for name in c["carries"] if {name, c["id"]} <= set(drawing.nodes)}
    assert {ends for ends, kind in drawing.edges.items() if kind == "falls"} == falls


def test_a_claim_in_the_graph_is_a_link_that_shows_its_verdict(bundle: Bundle, text: str) -> None:
    drawing, claims = Drawing(text), Index(bundle).by_id
    for name, attrs in drawing.nodes.items():
        weaker = Verdict(claims[name]["holds_up_to"]).rank > Verdict(claims[name]["verdict"]).rank
        classes = (attrs["class"] or "").split()
        assert {f"v-{claims[name]['verdict']}", f"r-{claims[name]['reading']}"} < set(classes)
        assert ("weakened" in classes) == weaker
        assert attrs["href"] == f"#claim={name}"
        assert claims[name]["verdict"] in drawing.labels[name]


def test_the_graph_is_readable(text: str) -> None:
    """No claim covers another one, and each stands to the left of the claims that use it."""
    drawing = Drawing(text)
    columns: dict[float, list[float]] = {}
    for x, y in map(drawing.corner, drawing.nodes):
        columns.setdefault(x, []).append(y)
    assert all(after - before > 38 for ys in columns.values() for before, after in pairwise(sorted(ys)))
    assert all(drawing.corner(str(used))[0] < drawing.corner(str(user))[0] for user, used in drawing.edges)


def test_claims_that_use_each_other_are_drawn(bundle: Bundle) -> None:
    """A results file may hold a cycle, which is reported as a problem."""
    names = ("regret_theorem", "regret_theorem_repaired")
    claims = [{**claim, "carries": []} for claim in bundle.results["claims"] if claim["id"] in names]
    for claim, other in zip(claims, reversed(names), strict=True):
        claim["uses"] = [other]
    anchors = [anchor for anchor in bundle.anchors if anchor["id"] == "theorem:regret"]
    assert set(Drawing(render(Bundle({"claims": claims}, anchors))).edges) == {names, names[::-1]}


def test_audits_simulations_and_environment_are_shown(page: Page) -> None:
    sections = {attrs["id"]: inner for attrs, inner in page.of("section") if attrs.get("id")}
    assert "0.4621171573" in sections["audits"]
    assert "all hypotheses hold" in sections["audits"]
    assert "theorem:regret (repaired)" in sections["audits"]
    assert "coverage holds: miss ≤ δ" in sections["simulations"]
    assert "try a smaller S" in sections["audits"]
    assert "coverage: cells (20); the same in every row: T 1000, misses 0" in sections["simulations"]
    assert "9.5" in sections["simulations"]
    assert "radius & error" in sections["simulations"]
    assert "stages" in sections["environment"]
    assert "python" in sections["environment"]


def test_what_is_not_there_leaves_no_empty_section(bundle: Bundle) -> None:
    page = Page(render(Bundle(bundle.results, bundle.anchors)))
    ids = {attrs.get("id") for attrs, _ in page.of("section")}
    assert not {"audits", "simulations"} & ids
    assert "#audits" not in page.values("href")
    assert {"overview", "findings", "graph", "anchors", "environment", "claims"} <= ids


def test_the_same_data_give_the_same_page(bundle: Bundle, text: str) -> None:
    again = replace(bundle, results=json.loads(json.dumps(bundle.results)))
    assert render(again) == text


def test_the_page_opens_with_the_paper_and_its_theorems(bundle: Bundle, text: str, page: Page) -> None:
    paper = bundle.results["paper"]
    opening = text[: text.index("<main")]
    for piece in (paper["title"], *paper["authors"], paper["sha256"][:12], "2026-01-02", "0123456789ab", "glbcheck "):
        assert piece in opening
    first = [attrs["id"] for attrs, _ in page.of("section") if attrs.get("id")][:3]
    assert first == ["answers", "fix", "overview"]
    index = Index(bundle)
    rows = [inner for _, inner in Page(text[text.index('id="answers"') - 9 : text.index('id="fix"') - 9]).of("tr")][1:]
    theorems = answers.theorems(index.anchors, index.claims)
    assert len(rows) == len(theorems) == 4
    for row, one in zip(rows, theorems, strict=True):
        assert index.name(one.anchor) in row
        assert one.words in row
        assert all(c["id"].replace("_", " ") in row for c in (*one.repaired, *one.rests_on))


def test_a_theorem_names_what_is_wrong_along_uses_and_along_what_it_was_to_carry() -> None:
    def row(name: str, *uses: str, **more: object) -> dict[str, object]:
        plain = {"anchors": [name], "verdict": "proved", "reading": "as-printed", "severity": None}
        return {"id": name, "uses": uses, "carries": (), "falls_with_it": (), "math": "", **plain, **more}

    bad = {"verdict": "refuted", "severity": "slip"}
    claims = [
        row("theorem", "lemma"), row("lemma", "used"), row("used", **bad),
        row("cited", carries=("theorem",), **{**bad, "severity": "substance"}), row("elsewhere", **bad),
    ]  # fmt: skip
    (found,) = answers.theorems([{"id": "theorem", "kind": "theorem"}], claims)
    assert [c["id"] for c in found.rests_on] == ["cited", "used"]


def test_what_must_be_fixed_first_is_computed(bundle: Bundle, page: Page) -> None:
    (listed,) = page.of("ol", class_="fixes")
    assert listed[1].count(" points") == 10
    index = Index(bundle)
    found = fixes(index.anchors, index.claims, lambda claim: "", most=1000)
    assert [one.weight for one in found] == sorted((one.weight for one in found), reverse=True)
    harmless = {c["id"] for c in wrong(index.claims) if c["consequence"].startswith(HARMLESS)}
    assert {one.claim["id"] for one in found} == {c["id"] for c in wrong(index.claims)} - harmless
    assert harmless
    theorems = {"theorem:confidence-sequence", "theorem:regret", "thm:lower-bound", "thm:lower-bound-corruption"}
    assert {name for one in found[:10] for name in one.theorems} == theorems


def test_a_check_that_crashed_is_never_called_false(bundle: Bundle) -> None:
    name, place = "lower_bound_absolute_constants", "thm:lower-bound"
    about = [claim for claim in bundle.results["claims"] if place in claim["anchors"]]
    claims = json.loads(json.dumps(about))
    planted = next(c for c in claims if c["id"] == name)
    planted["evidence"] |= {"problems": ["its check raised ZeroDivisionError: planted"], "summary": "planted"}
    planted |= {"verdict": "undecided", "counterexample": None, "holds_up_to": "undecided"}
    anchors = [anchor for anchor in bundle.anchors if anchor["id"] == place]
    page = Page(render(Bundle({"claims": claims}, anchors)))
    assert f"finding={name}" not in page.values("id")
    assert f"#finding={name}" not in page.values("href")
    assert "planted" in page.of("div", class_="surprises")[0][1]
    assert "undecided as printed" in page.of("section", id="answers")[0][1]
    assert (tally(about).severities, tally(claims).severities) == ({"substance": 1}, {})
    for rows, listed in ((about, True), (claims, False)):
        said = verdicts.page(anchors, {"claims": rows}).partition("## What is false")[2]
        assert (name in said) == listed


def test_page_terminal_and_documents_count_alike(bundle: Bundle, page: Page) -> None:
    told = " ".join(" ".join(summary.lines(bundle.results, [], Path("out"), {}, 1.0)).split())
    for attrs, inner in page.of("b"):
        if "data-count" in attrs:
            assert re.search(rf"\b{inner} {attrs['data-count']}\b", told), attrs
    document = verdicts.page(bundle.anchors, bundle.results).partition("## What is false")[2]
    for severity, number in tally(bundle.results["claims"]).severities.items():
        assert document.count(f"\n| {severity} |") == number


# --- whole and self-contained -------------------------------------------------------------------------------


def test_ids_are_unique_and_every_link_leads_somewhere(page: Page) -> None:
    ids = page.values("id")
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert not [name for name in ids if re.search(r"\s", name)]
    assert not [link for link in page.values("href") if not link.startswith("#") or link[1:] not in ids]
    for attribute in ("aria-labelledby", "aria-controls", "for"):
        assert set(page.values(attribute)) <= set(ids)


def test_the_page_is_small_and_names_nothing_outside_it(text: str, page: Page) -> None:
    assert len(text.encode()) < 3_000_000
    assert not re.search(r"https?:|ftp:|//[a-z0-9-]+\.[a-z]", text)
    assert page.values("src")
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.values("src"))
    assert not re.search(r"@import|url\((?!#)", text)
    policy = next(a for a, _ in page.of("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert (policy["content"] or "").startswith("default-src 'none'")


def test_the_page_can_be_walked_without_seeing_it(page: Page) -> None:
    assert page.elements[0][1] == {"lang": "en"}
    for landmark in ("header", "nav", "main", "aside", "footer"):
        assert len(page.of(landmark)) == 1
    assert page.of("a", class_="skip")[0][0]["href"] == "#content"
    assert len(page.of("caption")) == len(page.of("table"))
    assert all(attrs.get("scope") for attrs, _ in page.of("th"))
    assert {a.get("aria-sort") for a, _ in page.of("th") if "aria-sort" in a} == {"ascending", "none"}
    for attrs, inner in page.of("svg"):
        assert attrs.get("aria-label"), inner[:80]
    levels = [int(tag[1]) for tag, _, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_verdict_is_never_told_by_colour_alone(page: Page) -> None:
    words = set(Verdict)
    chips = [
        (attrs["class"] or "", inner) for attrs, inner in page.of("b") if (attrs.get("class") or "").startswith("v-")
    ]
    assert len(chips) > 500
    for classes, word in chips:
        assert word in words
        assert classes == f"v-{word}"
    (style,) = page.of("style")
    assert all(f'b.v-{word}::before{{content:"' in style[1] for word in words)


def test_a_digest_is_called_one_wherever_its_paper_is_named(bundle: Bundle) -> None:
    for name in ("oful", "ucb1"):
        facts = papers.find(name).facts(None)
        assert "(digest)" in facts["title"]
        assert "not the authors' wording" in facts["digest"]
        digested = {**bundle.results, "paper": facts}
        opening = render(replace(bundle, results=digested)).partition("<main")[0]
        for made in (opening, shelf.render([(digested, "one/report.html")])):
            assert "A digest: " in re.sub("<[^>]*>", "", made)
    assert "A digest" not in render(bundle)


def test_the_shelf_shows_each_paper_with_the_same_counts_as_its_page(bundle: Bundle) -> None:
    page = Page(shelf.render([(bundle.results, "one/report.html"), (hostile().results, "two/report.html")]))
    first, second = (inner for _, inner in page.of("li"))
    paper, count = bundle.results["paper"], tally(bundle.results["claims"])
    assert page.values("href")[1:] == ["one/report.html", "two/report.html"]
    for piece in (paper["title"], *paper["authors"], f"{count.as_expected} of {count.claims}", "2026-01-02"):
        assert piece in first
    assert all(f"{one} {number}" in first for one, number in (*count.severities.items(), *count.verdicts.items()))
    assert "alert('x')" in second
    assert page.of("img") == page.of("script") == []


# --- the verb -----------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, bundle: Bundle) -> Path:
    (tmp_path / "audit").mkdir()
    (tmp_path / "simulate" / "regret").mkdir(parents=True)
    simulated = bundle.simulations["coverage"]
    (tmp_path / "results.json").write_text(json.dumps(bundle.results))
    (tmp_path / "audit" / "bernoulli.json").write_text(json.dumps(bundle.audits[0]))
    (tmp_path / "simulate" / "coverage.json").write_text(json.dumps(simulated))
    (tmp_path / "simulate" / "regret" / "cells.json").write_text(json.dumps(simulated))
    for name in ("audit/bernoulli/mean.svg", "simulate/coverage/radius.svg", "simulate/regret/radius.svg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(drawing())
    return tmp_path


def test_the_verb_writes_the_page_and_says_what_is_on_it(
    folder: Path, bundle: Bundle, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "--results", str(folder), "--json", "-"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["claims"], said["anchors"], said["audits"]) == (len(bundle.results["claims"]), len(bundle.anchors), 1)
    assert said["simulations"] == ["coverage", "regret"]
    written = (folder / "report.html").read_text()
    assert len(written.encode()) == said["bytes"]
    made = Page(written)
    captions = ["mean & slope", "radius & error", "radius & error"]
    assert [attrs["alt"] for attrs, _ in made.of("img")] == [inner for _, inner in made.of("figcaption")] == captions


def test_a_place_that_cannot_be_written_is_bad_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--results", str(folder), "--output", "/proc/none/report.html"]) == 2
    assert "--output = '/proc/none/report.html'" in capsys.readouterr().err
