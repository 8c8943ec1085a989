"""Derivatives in statements: what `diff(u, x)` says in Coq, and why it is what the kernel makes of it.

The kernel works `diff` out when it reads a formula.  Coq is asked about the derivative itself, `Derive (fun x => u) x`,
and shows that it exists and what it is; the rest of a proof is about the kernel's formula.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glbcheck.core.kernel.language import Reader, derivative
from glbcheck.core.kernel.terms import Term, subterms, term, variable
from glbcheck.verify.coq.formulas import RELATIONS, Untranslated, conditions
from glbcheck.verify.coq.ladders import derived
from glbcheck.verify.coq.setting import Setting
from glbcheck.verify.coq.signs import defined
from glbcheck.verify.coq.slopes import continuity_proof
from glbcheck.verify.coq.writing import Script

Relation = tuple[Term, str, Term]


class _Keeping(Reader):
    """Reads `diff(u, x)` as an operation of its own; the kernel has refused by now what it does not take."""

    def call(self, at: int, word: str) -> Term:
        if word != "diff":
            return super().call(at, word)
        body, _, x, _ = self.sum(), self.expect(","), self.sum(), self.expect(")")
        return term("diff", body, x)


def as_written(data: Mapping[str, Any]) -> list[Relation]:
    """The hypotheses of a statement and last its conclusion, derivatives not yet worked out."""
    declared = data.get("variables", {})
    functions = frozenset(name for name, kind in declared.items() if kind == "function")
    names = {name: variable(name) for name in declared if name not in functions}
    for name, text in data.get("definitions", {}).items():
        names[name] = _Keeping(text, names, functions).sum()
    readers = [_Keeping(text, names, functions) for text in (*data.get("hypotheses", []), data["conclusion"])]
    return [(one.sum(), one.expect(*RELATIONS), one.sum()) for one in readers]


def expanded(t: Term) -> Term:
    """The kernel's formula for one with derivatives in it."""
    if t.op != "diff":
        return t.rebuilt(expanded) if t.parts else t
    body = expanded(t.args[0])
    return derivative(body, t.args[1].args[0]) + body * 0


def derivatives(*formulas: Term) -> list[Term]:
    """Every derivative in these, the largest first."""
    found = {t for f in formulas for t in subterms(f) if t.op == "diff"}
    return sorted(found, key=lambda t: -t.size)


def worked_out(out: Script, at: Setting, *formulas: Term) -> list[str]:
    """For each derivative that it exists, and the hypothesis that it is the kernel's formula, the largest first."""
    laws = []
    for t in derivatives(*formulas):
        at = defined(out, at, expanded(t.args[0]))
        laws.append(_law(out, at, t))
    return laws


def _law(out: Script, at: Setting, t: Term) -> str:
    body, x, function = t.args[0], t.args[1].args[0], at.names.function(t)
    slope, exists, law = (out.fresh(stem) for stem in "LXU")
    point, formula = at.names.known[x], at.names.term(derivative(expanded(body), x))
    with out.block(f"assert ({slope} : is_derive {function} {point} {formula})."):
        _slope(out, at, body, (x, f"d{point}_{out.fresh('')}"))
    out(f"assert ({exists} : ex_derive {function} {point}) by (eexists; exact {slope}).")
    with out.block(f"assert ({law} : {at.names.term(t)} = {at.names.term(expanded(t))})."):
        with out.block(f"transitivity {formula}."):
            out(f"apply is_derive_unique; exact {slope}.")
        out("fld.")
    return law


def _slope(out: Script, at: Setting, body: Term, moving: tuple[str, str]) -> None:
    """The goal `is_derive body x slope`, for the slope that the kernel finds."""
    x, inner = moving
    plain = expanded(body)
    if derivatives(body):  # near the point its own derivatives are the kernel's formulas
        texts = (at.names.bound(x, inner).term(f) for f in (plain, body))
        out("apply (is_derive_ext_loc {}).".format(" ".join(f"(fun {inner} : R => {text})" for text in texts)))
        with out.block():
            _nearby(out, at, body, moving)
    derived(out, at, plain, x, derivative(plain, x))


def _nearby(out: Script, at: Setting, body: Term, moving: tuple[str, str]) -> None:
    """The goal `locally x (fun t => plain t = body t)`: what makes the parts smooth at x holds near it."""
    x, inner = moving
    names, point = at.names.bound(x, inner), at.names.known[x]
    near, facts = list[str](), []
    for condition in conditions(*(expanded(t.args[0]) for t in derivatives(body)), smooth=True):
        if condition.fact is None:
            raise Untranslated("a derivative of a sum or an integral")
        at = defined(out, at, condition.fact.gap)
        if x not in condition.fact.gap.free:
            continue
        near.append(out.fresh("Y"))
        facts.append(condition.fact)
        with out.block(f"assert ({near[-1]} : locally {point} (fun {inner} => {names.fact(condition.fact)}))."):
            out(f"apply near_{'ne' if condition.fact.op == '!=' else 'gt'}.")
            with out.block():
                out(f"exact {continuity_proof(at, condition.fact.gap, x)}.")
            out("nz." if condition.fact.op == "!=" else "sgn.")
    hypotheses = [out.fresh("D") for _ in near]
    together = f"filter_forall (F := locally {point}) (fun _ => True) (fun _ => I)"
    for name in reversed(near):
        together = f"filter_and _ _ {name} ({together})"
    pattern = "?"
    for name in reversed(hypotheses):
        pattern = f"[{name} {pattern}]"
    out(f"generalize ({together}); apply filter_imp; intros {inner} {pattern}.")
    context = at.context.without(x).with_variable(x, "real")
    kept = dict(zip(at.context.facts, at.facts, strict=True))
    known = tuple((fact, name) for fact, name in at.known if x not in fact.gap.free)
    there = Setting(context, names, tuple(kept[fact] for fact in context.facts), known)
    for fact, name in zip(facts, hypotheses, strict=True):
        there = there.knowing(fact, name)
    laws = worked_out(out, there, body)
    out(f"symmetry; rewrite {', '.join(f'?{law}' for law in laws)}; fld.")
