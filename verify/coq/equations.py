"""Equations in Coq: both sides as ratios of polynomials in the kernel's generators, and then `field`.

The kernel calls two terms the same if they have one normal form.  Here each part that is no polynomial (an exponential,
a root, a logarithm, ...) is shown equal to its normal form first, by the law that the kernel used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from glbcheck.core.kernel.ring import Polynomial, Ratio, Ring
from glbcheck.core.kernel.terms import ONE, Rejected, Term, joined, number, term
from glbcheck.verify.coq.formulas import Names, Untranslated
from glbcheck.verify.coq.writing import Script

RING = ("number", "variable", "+", "*")


def equation(out: Script, names: Names, left: Term, right: Term) -> None:
    """Write tactics for the goal left = right, of two terms with one normal form."""
    if left is right:
        out("reflexivity.")
        return
    ring = Ring()
    try:
        ratios = {h: ring.read(h) for side in (left, right) if ring.read(side) for h in heads(side)}
    except Rejected:
        out("fld.")
        return
    solver = _Normal(out, names, ring, _scales(ratios.values()))
    for head, ratio in sorted(ratios.items(), key=lambda item: -item[0].size):  # the larger before its own parts
        if (instead := solver.formula(ratio)) is not head:
            found = out.fresh("E")
            with out.block(f"assert ({found} : {names.term(head)} = {names.term(instead)})."):
                solver.rewritten(head, instead)
            out(f"try rewrite {found}.")
    solver.close(ratios.values())


def heads(t: Term) -> Iterator[Term]:
    """The largest parts that are not built by ring operations and division."""
    whole = t.op == "**" and t.args[1].value is not None and t.args[1].value.denominator == 1
    if t.op in RING or whole:
        for part in t.args[:1] if whole else t.parts:
            yield from heads(part)
    else:
        yield t


def _scales(ratios: Iterable[Ratio]) -> dict[int, int]:
    """For each exponential, the common denominator of its exponents."""
    found: dict[int, int] = {}
    for ratio in ratios:
        for polynomial in ratio:
            for monomial in polynomial:
                for g, k in monomial:
                    found[g] = lcm(found.get(g, 1), Fraction(k).denominator)
    return found


@dataclass
class _Normal:
    """Normal forms of one ring as formulas again, and why each part equals its own."""

    out: Script
    names: Names
    ring: Ring
    scales: dict[int, int]

    def formula(self, ratio: Ratio) -> Term:
        above = self.polynomial(ratio.num)
        return above if ratio.den == {(): Fraction(1)} else above * self.polynomial(ratio.den) ** -1

    def polynomial(self, p: Polynomial) -> Term:
        terms = [joined("*", [number(c), *(self.generator(g, k) for g, k in m)]) for m, c in p.items()]
        return joined("+", [number(0), *terms])

    def generator(self, g: int, k: Fraction | int) -> Term:
        stands_for, scale = self.ring.generators[g][2], self.scales.get(g, 1)
        if scale > 1:
            stands_for = term("exp", stands_for.args[0] * Fraction(1, scale))
        return stands_for ** Fraction(k * scale)

    def close(self, ratios: Iterable[Ratio]) -> None:
        """The equation left over, of ratios in generators; a root to its power is what it is a root of."""
        used = {g for ratio in ratios for p in ratio for m in p for g, _ in m}
        laws = []
        for g in sorted(used):
            (kind, *order), _, stands_for = self.ring.generators[g]
            if kind == "root":
                q, base, law = order[0], stands_for.args[0], self.out.fresh("Q")
                how = f"sqrt_square {self.names.term(base)}" if q == 2 else f"root_pow {q} {self.names.term(base)}"
                self.out(f"assert ({law} := {how}).")
                self.out(f"assert ({law}' := {law} {'ltac:(auto with arith) ' if q > 2 else ''}ltac:(sgn)).")
                laws.append(f"{law}'")
        if laws:
            self.out(
                f"first [fld | field_simplify_eq; [ring [{' '.join(laws)}] | nzs] | field [{' '.join(laws)}]; nzs]."
            )
        else:
            self.out("fld.")

    def rewritten(self, head: Term, instead: Term) -> None:
        """Why a part equals its normal form."""
        maker = {"exp": self.exponential, "log": self.logarithm, "**": self.power}.get(head.op)
        if maker is not None:
            maker(head, instead)
        elif head.op in ("sinh", "cosh", "tanh"):
            up, down = term("exp", head.args[0]), term("exp", head.args[0]) ** -1
            odd, even = (up - down) * Fraction(1, 2), (up + down) * Fraction(1, 2)
            middle = {"sinh": odd, "cosh": even, "tanh": (up - down) * (up + down) ** -1}[head.op]
            with self.out.block(f"transitivity {self.names.term(middle)}."):
                self.out(f"rewrite {head.op}_exp; fld.")
            equation(self.out, self.names, middle, instead)
        elif instead.value is not None and head.op in ("abs", "min", "max"):
            self.out("unfold Rabs, Rmin, Rmax; repeat destruct Rcase_abs; repeat destruct Rle_dec; lra.")
        elif head.op == instead.op and head.op not in ("sum", "integral"):
            self.arguments(head, instead)
        else:
            raise Untranslated(f"{head} = {instead} has no Coq proof")

    def arguments(self, head: Term, instead: Term) -> None:
        """Equal functions of equal arguments."""
        word = {"log": "ln", "abs": "Rabs", "min": "Rmin", "max": "Rmax", "asinh": "arcsinh", "**": "sqrt"}.get(
            head.op, head.op
        )
        if head.op == "function":
            word = f"({self.names.known[head.args[0]]} {head.args[1]}%nat)"
        pairs = list(zip(head.parts, instead.parts, strict=True))
        if head.op == "**":
            q = head.args[1].args[0].denominator
            word, pairs = word if q == 2 else f"(root {q})", pairs[:1]
        self.congruent(word, pairs)

    def congruent(self, word: str, pairs: list[tuple[Term, Term]]) -> None:
        """A function of one argument, or one of two that takes a list from the left."""
        if len(pairs) > 1:
            self.out(f"apply (f_equal2 {word}).")
            with self.out.block():
                self.congruent(word, pairs[:-1]) if len(pairs) > 2 else equation(self.out, self.names, *pairs[0])
            with self.out.block():
                equation(self.out, self.names, *pairs[-1])
        else:
            self.out(f"apply (f_equal {word}).")
            equation(self.out, self.names, *pairs[0])

    def exponential(self, head: Term, instead: Term) -> None:
        """exp(sum) is the product of the exponentials."""
        exponents, plain = [], True
        for part in instead.args if instead.op == "*" else (instead,):
            base, k = part, Fraction(1)
            while base.op == "**" and base.args[1].value is not None:
                base, k = base.args[0], k * base.args[1].value
            plain &= base.op == "exp"
            if base is not ONE:
                exponents.append((base.args[0] if base.op == "exp" else term("log", base)) * k)
        total = joined("+", [number(0), *exponents])
        if plain:
            self.out("rewrite ?exp_INR, <- ?exp_Ropp, <- ?exp_plus; apply (f_equal exp).")
        else:
            self.out("apply exp_by_ln; [sgn|].")
        with self.out.block(f"transitivity {self.names.term(total)}."):
            equation(self.out, self.names, head.args[0], total)
        self.out("cbn [INR]; fld." if plain else "ln_factors.")

    def logarithm(self, head: Term, instead: Term) -> None:
        value = self.ring.read(head.args[0]).rational
        if value is None or value <= 0:
            self.arguments(head, instead)
            return
        text = self.names.term(number(value))
        powers = [(self.ring.generators[m[0][0]][2].args[0].value, int(c)) for m, c in self.ring.read(head).num.items()]
        powers.sort(key=lambda power: power[1] < 0)  # primes above, then those below
        factors = " * ".join(f"{'/ ' if k < 0 else ''}{p} ^ {abs(k)}" for p, k in powers) or "1"
        with self.out.block(f"assert (T : {self.names.term(head.args[0])} = {factors})."):
            with self.out.block(f"transitivity {text}."):
                equation(self.out, self.names, head.args[0], number(value))
            self.out("simpl; field.")
        self.out("rewrite T; clear T.")
        self.out("ln_factors.")

    def power(self, head: Term, instead: Term) -> None:
        base, e = head.args[0], head.args[1].value
        if e is None:
            exponential = term("exp", head.args[1] * term("log", base))
            self.out(f"change {self.names.term(head)} with {self.names.term(exponential)}.")
            equation(self.out, self.names, exponential, instead)
            return
        root = base ** Fraction(1, e.denominator)
        plain = self.formula(self.ring.read(root))
        if plain is root:
            self.out("fld.")
            return
        with self.out.block(f"assert (T : {self.names.term(root)} = {self.names.term(plain)})."):
            if plain.value is not None:
                exact = f"assert (V : {self.names.term(base)} = {self.names.term(plain**e.denominator)})."
                with self.out.block(exact):
                    equation(self.out, self.names, base, plain**e.denominator)
                law = "sqrt_pow2" if e.denominator == 2 else "root_of_pow; [auto with arith|]"
                self.out(f"rewrite V; apply {law}; lra.")
            else:
                self.arguments(root, plain)
        self.out("rewrite ?T; fld.")
