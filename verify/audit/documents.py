"""The file of an answer: what the checker of core/measures needs to see for itself that a finding is so.

A finding that says yes or no comes out only if the checker accepts its file; what engines found and nobody checks again
says so in it, and is allowed for the questions that the checker names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.kernel.terms import Rejected, Term, show
from glbcheck.core.laplace.formula import end_text, exponent, exponentiated, text
from glbcheck.core.laplace.witness import in_file
from glbcheck.core.measures.cells import CURVATURE, Form, attains, bounds
from glbcheck.core.measures.check import FORMAT, OPEN_TO_COMPUTING, Accepted, check
from glbcheck.core.measures.interval import Interval
from glbcheck.core.translation import term_of
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.covers import by_kernel, finite_cover, largest, sign_cover
from glbcheck.verify.audit.laws import base_at, guesses
from glbcheck.verify.audit.mass_words import mass_words, told
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict

By = Mapping[str, Any]
WIDER = (Fraction(0), Fraction(1, 2**40), Fraction(1, 2**31))  # by which a bracket may have to be widened


def gated(subject: Subject, name: str, words: str, finding: Finding) -> Finding:
    """The finding with the word that the checker gives to its file; undecided if it does not accept it."""
    if not (finding.verdict.positive or finding.verdict is Verdict.REFUTED):
        return finding
    try:
        made = Documents(subject, name, words, finding)
        document = made.document()
        accepted = check(document)
    except (Rejected, NotEnclosed) as why:
        reason = " ".join(str(why).split())[:160]
        return Finding(Verdict.UNDECIDED, f"not shown: {finding.evidence}; the checker says: {reason}")
    shown = replace(finding, verdict=Verdict(accepted.word), certificate=made.certificate(document), document=document)
    return replace(shown, evidence=mass_words(subject, shown)) if name == "normalisation" else shown


@dataclass(frozen=True)
class Documents:
    """The file for one finding about one subject."""

    subject: Subject
    name: str
    words: str
    finding: Finding

    @property
    def m(self) -> Term:
        return term_of(self.subject.family.log_partition)

    def document(self) -> dict[str, Any]:
        """What is asked, of what, and what shows the answer."""
        no = self.finding.verdict is Verdict.REFUTED
        outward = -1 if no and self.name == "domain" else 1
        domain = self.subject.family.domain
        named = self.name if self.name in (*_BUILDERS, *OPEN_TO_COMPUTING) else "paper"
        found = {
            "format": FORMAT,
            "question": named,
            "asks": self.words,
            "answer": "no" if no else "yes",
            "family": {"m": show(self.m), "domain": [end_text(domain.inf, outward), end_text(domain.sup, -outward)]},
            "S": str(self.subject.S),
            "g": str(self.subject.g),
        }
        if self.name in (*_FROM_THE_MASS, "support"):
            found["base"] = base_at(self.subject.family, self.subject.g)
        build = _BUILDERS.get(self.name)
        return {**found, "by": build(self, found) if build else self.computation()}

    def computation(self) -> By:
        what = f"{self.finding.evidence}"
        return {"rule": "computation", "what": what, "word": str(self.finding.verdict)}

    def certificate(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the audit shows of a constant is the bracket that was checked, of the mass each dispersion."""
        by = document["by"]
        if self.name == "normalisation":
            return {**self.finding.certificate, "answers": [{"g": row["g"], **told(row)} for row in by["answers"]]}
        if "upper" not in by:
            return self.finding.certificate
        return {**self.finding.certificate, "lower": _below(by["lower"]), "upper": _above(by["upper"])}

    # --- the interval -------------------------------------------------------------------------------------

    def domain(self, found: Mapping[str, Any]) -> By:
        if found["answer"] == "yes":
            return finite_cover(self.m, self.subject.S, 1)
        if "z" in self.finding.certificate:
            return {"rule": "undefined", "z": self.finding.certificate["z"]}
        inside = Interval.of(found["family"]["domain"])
        outside = next((x for x in (self.subject.S, -self.subject.S) if inside.lacks(x)), self.subject.S)
        return {"rule": "outside", "z": str(outside)}

    def smooth(self, found: Mapping[str, Any]) -> By:
        if found["answer"] == "yes":
            return finite_cover(self.m, self.subject.S, 5)
        data = self.finding.certificate
        return {"rule": "kink" if "order" in data else "undefined", "z": data["z"], "order": data.get("order")}

    def convex(self, found: Mapping[str, Any]) -> By:
        if found["answer"] == "no":
            return {"rule": "point", "z": self.finding.certificate["z"]}
        return sign_cover(self.m, self.subject.S, Form(CURVATURE), self.finding.certificate)

    def slope(self, found: Mapping[str, Any]) -> By:
        if found["answer"] == "no":
            return {"rule": "point", "z": self.finding.certificate["z"]}
        return sign_cover(self.m, self.subject.S, Form(CURVATURE, strict=True), self.finding.certificate)

    def convexity(self, found: Mapping[str, Any]) -> By:
        if self.finding.verdict is Verdict.CERTIFIED_ON_BOX:
            return self.computation()
        if "tree" in self.finding.certificate:
            return {"tree": _tree(self.finding.certificate["tree"])}
        proof = self._everywhere(found, Form(CURVATURE), self.finding.certificate)
        return proof or self.computation()

    def _everywhere(self, found: Mapping[str, Any], form: Form, known: By | None = None) -> By | None:
        low, high = found["family"]["domain"]
        hypotheses = [f"z > {low}"] * (low != "-oo") + [f"z < {high}"] * (high != "oo")
        return by_kernel(self.m, hypotheses, Interval.of([low, high]).inside(), form, known)

    # --- constants ----------------------------------------------------------------------------------------

    def constant(self, found: Mapping[str, Any]) -> By:
        """The bracket as it was found, or one a little wider that can be seen."""
        if found["answer"] == "no":
            return self.computation()
        lower, upper = (Fraction(self.finding.certificate[end]) for end in ("lower", "upper"))
        at = largest(self.m, self.subject.S, _SIZES[self.name])
        problem = Rejected("nothing was tried")
        for wider in WIDER:
            ends = lower * (1 - wider), upper * (1 + wider)
            try:
                attains(self.m, at, self.name, ends[0])
                proofs = [sign_cover(self.m, self.subject.S, form) for form in bounds(self.name, ends[1])]
            except Rejected as why:
                problem = why
                continue
            return {"lower": str(ends[0]), "upper": str(ends[1]), "z": str(at), "bounds": proofs}
        raise problem

    def R_s_global(self, found: Mapping[str, Any]) -> By:
        if found["answer"] == "no":
            return self.computation()
        lower, upper = (Fraction(self.finding.certificate[end]) for end in ("lower", "upper"))
        proofs = [self._everywhere(found, form) for form in bounds("R_s", upper)]
        if None in proofs:
            return self.computation()
        return {"lower": str(lower), "upper": str(upper), "bounds": proofs}

    # --- measures -----------------------------------------------------------------------------------------

    def log_partition(self, found: Mapping[str, Any]) -> By:
        return self._answered(self.finding.certificate, Fraction(1))

    def dispersions(self, found: Mapping[str, Any]) -> By:
        rows = [row for row in self.finding.certificate["answers"] if row["certificate"] is not None]
        answers = [{"g": row["g"], **self._answered(row["certificate"], 1 / Fraction(row["g"]))} for row in rows]
        return {"answers": answers, "every": self.finding.certificate.get("every", False)}

    def _answered(self, data: Mapping[str, Any], power: Fraction) -> By:
        """A derivation or a witness as it stands in a file."""
        if "rule" in data:
            return {"tree": _tree(data)}
        return {"witness": in_file(data, self.subject.family.log_partition)}

    def normalisation(self, found: Mapping[str, Any]) -> By:
        """A part for each dispersion of the finding."""
        return {"answers": [self._part(found, row) for row in self.finding.certificate.get("answers", ())]}

    def _part(self, found: Mapping[str, Any], row: Mapping[str, str]) -> By:
        """An identity that the checker accepts, else what engines found."""
        g = Fraction(row["g"])
        part = {"g": row["g"], "base": base_at(self.subject.family, g)}
        exact = self._identity(g, lambda by: {**found, "g": row["g"], "by": {"answers": [{**part, **by}]}})
        return {**part, **(exact or {"rule": "computation", "what": row["what"], "word": row["word"]})}

    def follows(self, found: Mapping[str, Any]) -> By:
        """By the mass at the dispersion of the audit."""
        return self._identity(self.subject.g, lambda by: {**found, "by": by}) or self.computation()

    def _identity(self, g: Fraction, written: Callable[[By], By]) -> By | None:
        """A finite sum or a classical integral that the checker accepts in a file written with it."""
        if self.finding.verdict is Verdict.REFUTED:
            return None
        for by in ({"rule": "sum"}, *guesses(self.subject.family, g)):
            try:
                check(written(by))
            except Rejected:
                continue
            return by
        return None

    def support(self, found: Mapping[str, Any]) -> By:
        data = self.finding.certificate
        if found["answer"] == "yes":
            return self.computation()
        if "z" not in data:
            return {"rule": "period"}
        form = text(exponentiated(exponent(self.subject.family.log_partition, Fraction(1))))
        return (
            {"rule": "turn", "z": data["z"], "form": form} if "period" in data else {"rule": "moments", "z": data["z"]}
        )


_FROM_THE_MASS = ("moments", "kl", "chi2")
_SIZES: Mapping[str, Callable[[list[float]], float]] = {
    "L_mu": lambda jet: jet[2],
    "kappa": lambda jet: -jet[2],
    "R_s": lambda jet: 3 * abs(jet[3]) / jet[2] if jet[2] > 0 else 0.0,
}
_BUILDERS: Mapping[str, Callable[[Documents, Mapping[str, Any]], By]] = {
    **{name: getattr(Documents, name) for name in ("domain", "smooth", "convex", "slope", "convexity")},
    **dict.fromkeys(_SIZES, Documents.constant),
    **{name: getattr(Documents, name) for name in ("R_s_global", "log_partition", "dispersions", "support")},
    "normalisation": Documents.normalisation,
    **dict.fromkeys(_FROM_THE_MASS, Documents.follows),
}


def _tree(data: Mapping[str, Any]) -> dict[str, Any]:
    from glbcheck.core.expression import parse
    from glbcheck.core.family import z

    parameters = [text(parse(p, {"z": z})) for p in data["parameters"]]
    return {"rule": data["rule"], "parameters": parameters, "parts": [_tree(part) for part in data["parts"]]}


def _below(number: str) -> float:
    from glbcheck.core.enclosure import ball, float_below

    return float_below(ball(Fraction(number)))


def _above(number: str) -> float:
    from glbcheck.core.enclosure import ball, float_above

    return float_above(ball(Fraction(number)))


__all__ = ["Accepted", "Documents", "gated"]
