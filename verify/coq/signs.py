"""Signs that the kernel calls evident, and what is defined: the same reasons, written for Coq."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.core.kernel.context import ODD, Fact
from glbcheck.core.kernel.evaluate import closed_sign
from glbcheck.core.kernel.ring import normal_form, same
from glbcheck.core.kernel.terms import Term, number, subterms
from glbcheck.verify.coq.collected import collected, polynomial
from glbcheck.verify.coq.equations import equation
from glbcheck.verify.coq.formulas import Condition, Untranslated, conditions
from glbcheck.verify.coq.setting import KINDS, Setting
from glbcheck.verify.coq.writing import Script


def by_hypothesis(out: Script, at: Setting, fact: Fact) -> bool:
    """Is the fact a hypothesis, up to the way it is written?  Then write the proof."""
    weaker = {">=": (">=", ">", "=="), ">": (">",), "!=": ("!=", ">"), "==": ("==",)}[fact.op]
    for known, name in at.hypotheses():
        if known.op in weaker and known.gap.free == fact.gap.free and same(known.gap, fact.gap):
            if known.gap is not fact.gap:
                texts = at.names.term(known.gap), at.names.term(fact.gap)
                out(f"apply (by_same_{KINDS[fact.op]} {texts[1]} {texts[0]}).")
                with out.block():
                    equation(out, at.names, known.gap, fact.gap)
            step = {(">=", ">"): "apply weaken; ", (">=", "=="): "apply zero_is_enough; ", ("!=", ">"): "apply gt_ne; "}
            out(f"{step.get((fact.op, known.op), '')}exact {name}.")
            return True
    return False


def positive(out: Script, at: Setting, f: Term, strict: bool) -> None:
    """Write a proof of 0 < f, or 0 <= f, by the reason for which the kernel finds it evident."""
    context, op, us = at.context, f.op, f.parts
    fact, kind = Fact(f, ">" if strict else ">="), "gt" if strict else "ge"
    if not f.free and not any(t.op == "function" for t in subterms(f)):
        if closed_sign(f) == 0 and not strict:
            out("apply zero_is_enough.")
            equation(out, at.names, f, number(0))
        else:
            out("closed.")
        return
    if by_hypothesis(out, at, fact):
        return
    e = us[1].value if op == "**" else None
    if op in ("exp", "cosh"):
        out("sgn.")
    elif op == "abs":
        out("apply abs_gt." if strict else "apply Rabs_pos.")
        if strict:
            nonzero(out, at, us[0])
    elif op == "log" and context.evident(us[0] - 1, strict):
        instead = at.names.term(us[0] - 1)
        out(f"apply ln_{kind}; apply (by_same_{KINDS[fact.op]} _ {instead}); [fld|].")
        positive(out, at, us[0] - 1, strict)
    elif op == "max" and len(us) == 2 and any(context.evident(a, strict) for a in us):
        first = context.evident(us[0], strict)
        out(f"apply max_{kind}_{'l' if first else 'r'}.")
        positive(out, at, us[not first], strict)
    elif op in ("min", *ODD) and len(us) <= 2 and all(context.evident(a, strict) for a in us):
        out(f"apply {op}_{kind}.")
        for a in us:
            with out.block():
                positive(out, at, a, strict)
    elif op == "*" and all(context.evident(a, strict) for a in us):
        _each(out, at, list(us), "Rmult_lt_0_compat" if strict else "Rmult_le_pos", [strict] * len(us))
    elif op == "+" and all(context.evident(a, False) for a in us) and any(context.evident(a, strict) for a in us):
        _sum(out, at, list(us), strict)
    elif op == "**" and _power(out, at, us[0], e, strict):
        pass
    elif context._collected(f, strict):
        collected(out, at, f, strict, positive)
    else:
        out("sgn.")


def _each(out: Script, at: Setting, parts: list[Term], lemma: str, strict: list[bool]) -> None:
    """A product from the left: all but the last, and the last."""
    if len(parts) > 1:
        out(f"apply {lemma}.")
        with out.block():
            _each(out, at, parts[:-1], lemma, strict[:-1])
        with out.block():
            positive(out, at, parts[-1], strict[-1])
    else:
        positive(out, at, parts[0], strict[0])


def _sum(out: Script, at: Setting, parts: list[Term], strict: bool) -> None:
    if len(parts) == 1:
        positive(out, at, parts[0], strict)
        return
    last = strict and at.context.evident(parts[-1], True)
    out(f"apply plus_{'ge' if not strict else 'gt_r' if last else 'gt_l'}.")
    with out.block():
        _sum(out, at, parts[:-1], strict and not last)
    with out.block():
        positive(out, at, parts[-1], last)


def _power(out: Script, at: Setting, base: Term, e: Fraction | None, strict: bool) -> bool:
    if e is None:
        out("apply exp_pos." if strict else "apply exp_ge.")
        return True
    if at.context.evident(base, strict or e <= 0):
        if e < 0:
            out("apply Rinv_0_lt_compat." if strict else "left; apply Rinv_0_lt_compat.")
        strict = strict or e < 0
        if abs(e.numerator) != 1:
            out("apply pow_lt." if strict else "apply pow_le.")
        if e.denominator > 1:
            if not strict:
                out("sgn.")
                return True
            out("apply sqrt_lt_R0." if e.denominator == 2 else "apply root_gt.")
        positive(out, at, base, strict or e <= 0)
        return True
    if not strict and e > 0 and (e.denominator > 1 or e % 2 == 0):
        out(f"apply (even_pow_ge _ {e.numerator // 2})." if e.denominator == 1 else "sgn.")
        return True
    if e.denominator == 1 and e % 2 == 0 and at.context.nonzero(base):
        out("left." if not strict else "idtac.")
        if e < 0:
            out("apply Rinv_0_lt_compat.")
        out(f"apply (even_pow_gt _ {abs(e.numerator) // 2}).")
        nonzero(out, at, base)
        return True
    return False


def nonzero(out: Script, at: Setting, f: Term) -> None:
    """Write a proof of f <> 0."""
    if not f.free and not any(t.op == "function" for t in subterms(f)):
        sign = closed_sign(f)
        out("apply gt_ne; closed." if sign == 1 else "apply Rlt_not_eq; closed.")
    elif by_hypothesis(out, at, Fact(f, "!=")):
        pass
    elif any(k.op == "!=" and same(-f, k.gap) for k, _ in at.hypotheses()):
        out("nz.")
    elif f.op == "*" and all(at.context.nonzero(a) for a in f.args):
        for a in reversed(f.args[1:]):
            out("apply times_ne; cycle 1.")
            with out.block():
                nonzero(out, at, a)
        nonzero(out, at, f.args[0])
    elif f.op == "**" and f.args[1].value is not None and at.context.nonzero(f.args[0]):
        out("nz." if f.args[1].value.denominator > 1 else "apply inv_ne." if f.args[1].value < 0 else "idtac.")
        if f.args[1].value.denominator == 1:
            if abs(f.args[1].value) != 1:
                out("apply pow_nonzero.")
            nonzero(out, at, f.args[0])
    elif at.context.evident(f, True):
        out("apply gt_ne.")
        positive(out, at, f, True)
    elif at.context.evident(-f, True):
        out(f"apply (opp_ne _ {at.names.term(-f)}); [fld|].")
        positive(out, at, -f, True)
    else:
        out("nz.")


def defined(out: Script, at: Setting, *formulas: Term, smooth: bool = False) -> Setting:
    """Write why these are defined, one hypothesis for each condition; the setting that knows them."""
    for condition in conditions(*formulas, smooth=smooth):
        if condition.binder not in at.binders:
            at = shown(out, at, condition)
    return at


def shown(out: Script, at: Setting, condition: Condition) -> Setting:
    """The setting in which a condition is a hypothesis."""
    fact = condition.fact
    if fact is None:
        raise Untranslated("a sum or an integral that must be seen to be defined")
    for known, _ in at.hypotheses():
        if known == fact:
            return at
    name = out.fresh("D")
    with out.block(f"assert ({name} : {at.names.fact(fact)})."):
        if fact.op == "!=":
            nonzero(out, at, fact.gap)
        else:
            positive(out, at, fact.gap, fact.op == ">")
    return at.knowing(fact, name)


def cleared(out: Script, at: Setting, fact: Fact, name: str) -> Setting:
    """Of a ratio that is not 0 the numerator is not; `field` asks for that."""
    inverted = any(t.op == "**" and t.args[1].value is not None and t.args[1].value < 0 for t in subterms(fact.gap))
    if fact.op != "!=" or not inverted:
        return at
    ring, (num, den), _ = normal_form(fact.gap)
    above, below = (polynomial(p, [kernel for _, _, kernel in ring.generators]) for p in (num, den))
    new = out.fresh("D")
    with out.block(f"assert ({new} : {at.names.fact(Fact(above, '!='))})."):
        out(f"apply (cleared_ne {' '.join(map(at.names.term, (fact.gap, above, below)))}); [|exact {name}].")
        equation(out, at.names, fact.gap, above * below**-1)
    return at.knowing(Fact(above, "!="), new)
