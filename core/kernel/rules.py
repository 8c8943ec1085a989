"""The rules of proof, of docs/certificates.md: each reduces a goal to simpler ones, down to signs that are evident."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .context import Context, Fact
from .evaluate import HIGH, LOW, Cover, precision, tiles
from .language import derivative, fraction
from .ring import is_zero, same
from .terms import BINDERS, ONE, Rejected, Term, joined, number, require, substitute, subterms, term, variable

Proof = Mapping[str, Any]
MAX_BITS, MAX_CELLS = 4096, 200_000


@dataclass
class Rules:
    """The rules, `by_` and their names, and what the proofs that they accept rest on besides exact arithmetic."""

    oracle: Callable[[Context, Fact], str] | None = None  # decides what the kernel cannot, and says who did
    rests_on: set[str] = field(default_factory=set)

    def prove(self, context: Context, goal: Fact, proof: Proof) -> None:
        """Passes in silence, and then the gap is defined and the fact true at every point; or raises `Rejected`."""
        getattr(self, f"by_{proof['rule']}")(context, goal, proof)

    def by_evident(self, context: Context, goal: Fact, proof: Proof) -> None:
        """The sign is evident from the form of the gap, or the normal form of the gap is 0."""
        context.require_defined(goal.gap)
        zero = goal.op in ("==", ">=") and is_zero(goal.gap)
        nonzero = goal.op == "!=" and context.nonzero(goal.gap)
        require(zero or nonzero or context.evident(goal.gap, goal.strict), f"{goal.gap} {goal.op} 0 is not evident")

    def by_algebra(self, context: Context, goal: Fact, proof: Proof) -> None:
        """The facts and the denied goal contradict each other."""
        context.require_defined(goal.gap)
        algebra = Algebra(context)
        there = {t for fact in (*context.facts, goal) for t in subterms(fact.gap, outer=True)}
        for name, text in proof.get("atoms", []):
            require(name not in (*context.names, *algebra.atoms), f"the atom {name!r} has the name of something else")
            atom = algebra.atoms[name] = context.read(text, **algebra.atoms)
            require(atom in there or context.defined(atom), f"{atom} is not seen to be defined here")
        known = [fact for name in algebra.atoms for fact in algebra.about(name)]
        algebra.refute([*context.facts, *known, goal.denied], proof["tree"])

    def by_cells(self, context: Context, goal: Fact, proof: Proof) -> None:
        """The cells tile the box that the ranges of the variables make, and each rule holds on its cell."""
        names, box, excluded = tuple(proof["variables"]), list[tuple[Fraction, Fraction]](), set[tuple[int, int]]()
        require(len(set(names)) == len(names) and goal.gap.free <= set(names), "which variables make the box?")
        for i, name in enumerate(names):
            low, low_open, high, high_open = context.ranges[name]
            if low is None or high is None:
                raise Rejected(f"{name} has no bounded range")
            box.append((low, high))
            excluded |= {(i, side) for side, left_out in ((LOW, low_open), (HIGH, high_open)) if left_out}
        bits, leaves = proof["bits"], [(tuple((k, d) for k, d in cell), why) for cell, why in proof["leaves"]]
        require(2 <= bits <= MAX_BITS and len(leaves) <= MAX_CELLS, "not a certificate (too much work)")
        require(all(type(n) is int for cell, _ in leaves for at in cell for n in at), "a cell is whole numbers")
        require(tiles(((0, 0),) * len(names), [cell for cell, _ in leaves]), "the cells do not tile the box")
        whole = Cover(names, tuple(box), frozenset(excluded))
        with precision(bits):
            for cell, why in leaves:
                region = whole.region(cell)
                outside = isinstance(why, list) and why[0] == "outside"
                fails = outside and whole.fails(*context.facts[int(why[1])], region)
                require(fails or whole.shown(why, goal.gap, region, goal.strict), f"{why} does not hold on {region}")
        self.rests_on.add("balls")

    def by_engines(self, context: Context, goal: Fact, proof: Proof) -> None:
        """Others decide; who they are is recorded, and the kernel vouches for nothing."""
        if self.oracle is None:
            raise Rejected("this rests on engines that the kernel does not contain")
        self.rests_on.add(self.oracle(context, goal))

    def by_both(self, context: Context, goal: Fact, proof: Proof) -> None:
        """gap == 0 from gap >= 0 and -gap >= 0."""
        require(goal.op == "==", "both sides are for an equation")
        self.prove(context, Fact(goal.gap, ">="), proof["above"])
        self.prove(context, Fact(-goal.gap, ">="), proof["below"])

    def by_lemma(self, context: Context, goal: Fact, proof: Proof) -> None:
        """A relation is proved first and then known."""
        first = context.read_fact(proof["relation"])
        self.prove(context, first, proof["by"])
        self.prove(context.plus(first), goal, proof["proof"])

    def by_cases(self, context: Context, goal: Fact, proof: Proof) -> None:
        """Once where a term is <= 0 and once where it is > 0."""
        split = context.read(proof["at"])
        context.require_defined(split)
        self.prove(context.plus(Fact(-split, ">=")), goal, proof["below"])
        self.prove(context.plus(Fact(split, ">")), goal, proof["above"])

    def by_pinned(self, context: Context, goal: Fact, proof: Proof) -> None:
        """A variable whose range is one point is replaced by it."""
        fixed = {n: number(r.low) for n, r in context.ranges.items() if r.low is not None and r.low == r.high}
        self.prove(context.without(*fixed), Fact(substitute(goal.gap, fixed), goal.op), proof["proof"])

    def go_on(self, context: Context, wanted: Term, op: str, proof: Proof) -> None:
        """`then` is another way to write what is wanted, and has the sign."""
        then = context.read(proof["then"])
        context.require_defined(then)
        require(same(wanted, then), f"{then} is not {wanted}")
        self.prove(context, Fact(then, op), proof["proof"])

    def by_times(self, context: Context, goal: Fact, proof: Proof) -> None:
        """then = factor * gap for an evidently positive factor, and then has the sign."""
        factor = context.read(proof.get("factor", "1"))
        context.require_defined(goal.gap)
        self.by_evident(context, Fact(factor, ">"), {})
        self.go_on(context, factor * goal.gap, goal.op, proof)

    def by_substitution(self, context: Context, goal: Fact, proof: Proof) -> None:
        """x = value(t) with t = inverse(x), of which the listed facts evidently hold."""
        old, new = proof["variable"], proof["new"]
        value, inverse = context.read(proof["value"], **{new: variable(new)}), context.read(proof["inverse"])
        require(new not in context.names and old in context.names and old not in value.free, f"{old} = {value}?")
        context.require_defined(inverse)
        require(same(substitute(value, {new: inverse}), variable(old)), f"{inverse} does not undo {value}")
        inside = context.without(old).with_variable(new, "real")
        for known in map(inside.read_fact, proof["facts"]):
            self.by_evident(context, Fact(substitute(known.gap, {new: inverse}), known.op), {})
            inside = inside.plus(known)
        inside.require_defined(value)
        moved = [Fact(substitute(f.gap, {old: value}), f.op) for f in context.facts if old in f.gap.free]
        self.prove(inside.plus(*moved), Fact(substitute(goal.gap, {old: value}), goal.op), proof["proof"])

    def by_monotone(self, context: Context, goal: Fact, proof: Proof) -> None:
        """The sign holds at one end of the range of a variable, and the gap does not fall on the way from there."""
        x, low_side = proof["variable"], {"low": True, "high": False}[proof["from"]]
        r = context.ranges[x]
        start, left_out = (r.low, r.low_open) if low_side else (r.high, r.high_open)
        if start is None:
            raise Rejected(f"{x} has no end on the {proof['from']} side")
        positive_start = goal.strict and proof.get("start") == "positive"
        require(not goal.strict or positive_start or left_out, f"{x} = {start} belongs to the range of a strict goal")
        context.interval(x).require_defined(goal.gap)
        inside = context.interval(x, inside=True)
        inside.require_defined(goal.gap, smooth=True)
        at_start = Fact(substitute(goal.gap, {x: number(start)}), ">" if positive_start else ">=")
        self.prove(context.without(x), at_start, proof["at"])
        slope = derivative(goal.gap, x)
        self.go_on(inside, slope if low_side else -slope, ">" if goal.strict and not positive_start else ">=", proof)

    def by_exponentiate(self, context: Context, goal: Fact, proof: Proof) -> None:
        """gap = sum of c log(u) with whole c has the sign of prod_(c > 0) u**c - prod_(c < 0) u**-c."""
        terms = [(int(c), context.read(u)) for c, u in proof["terms"]]
        for _, u in terms:
            self.by_evident(context, Fact(u, ">"), {})
        context.require_defined(goal.gap)
        require(same(joined("+", [term("log", u) * c for c, u in terms]), goal.gap), f"{goal.gap} is another sum")
        above, below = (joined("*", [ONE, *(u ** (s * c) for c, u in terms if s * c > 0)]) for s in (1, -1))
        self.go_on(context, above - below, ">" if goal.strict else ">=", proof)

    def by_primitive(self, context: Context, goal: Fact, proof: Proof) -> None:
        """Sums become F(high + 1) - F(low) if F(k + 1) - F(k) is the body; integrals F(high) - F(low) if F' is it."""
        values = {}
        for text, primitive in proof["of"]:
            whole = context.read(text)
            (body, name, low, high), summed = whole.args, whole.op == "sum"
            forwards = summed or context.evident(high - low, False)
            way = context.within(whole) if forwards else context.with_variable(name, "real")
            F = way.read(primitive)
            after = substitute(F, {name: variable(name) + 1}) if summed else F
            for f, where in ((body, way), (after, way), (whole if summed else high - low, context)):
                where.require_defined(f)
            way.require_defined(F, smooth=not summed)
            slope = after - F if summed else derivative(F, name)
            require(whole.op in BINDERS and same(slope, body), f"{F} does not have the slope {body}")
            values[whole] = substitute(F, {name: high + int(summed)}) - substitute(F, {name: low})
        self.prove(context, Fact(replaced(goal.gap, values), goal.op), proof["proof"])

    def by_induction(self, context: Context, goal: Fact, proof: Proof) -> None:
        """A goal for every whole n >= start, whatever else is known of n: at start, and at n + 1 if at n."""
        n = proof["variable"]
        start = context.ranges[n].low
        if start is None or (n, "integer") not in context.kinds:
            raise Rejected(f"{n} is not a whole number with a smallest value")
        others = context.without(n)
        self.prove(others, Fact(substitute(goal.gap, {n: number(start)}), goal.op), proof["base"])
        assumed = others.with_variable(n, "integer", Fact(variable(n) - start, ">="), goal)
        step, peeled = {n: variable(n) + 1}, dict[Term, Term]()  # sums at n + 1, the last term by itself
        for t in subterms(goal.gap):
            if t.op == "sum" and n in t.free:
                body, name, low, high = t.args
                later = substitute(high, step)
                grows = n not in body.free | low.free and same(later - high, ONE)
                require(grows and assumed.defined(t), f"{t} does not grow by its last term")
                peeled[substitute(t, step)] = t + substitute(body, {name: later})
        self.prove(assumed, Fact(replaced(substitute(goal.gap, step), peeled), goal.op), proof["step"])


def replaced(t: Term, known: dict[Term, Term]) -> Term:
    """The term with these subterms replaced, but not inside the body of a sum or an integral."""
    if t not in known:
        known[t] = t.rebuilt(lambda part: replaced(part, known), kept=int(t.op in BINDERS))
    return known[t]


@dataclass(frozen=True)
class Algebra:
    """Facts as polynomials in variables and atoms, names for what is not polynomial, that contradict each other."""

    context: Context
    atoms: dict[str, Term] = field(default_factory=dict)

    def read(self, text: Any) -> Term:
        return self.polynomial(self.context.read(text, **{name: variable(name) for name in self.atoms}))

    def polynomial(self, t: Term) -> Term:
        """The term with atoms for what is not polynomial."""
        e = t.args[1].value if t.op == "**" else None
        if t.op in ("number", "variable", "+", "*") or (e is not None and e.denominator == 1 and e >= 0):
            return t.rebuilt(self.polynomial)
        if e is not None and e.denominator > 1 and e.numerator != 1:  # b**(p/q) is a power of the root b**(1/q)
            return self.polynomial((t.args[0] ** Fraction(1, e.denominator)) ** e.numerator)
        if e is not None and e.denominator == 1 and e < -1:
            return self.polynomial(t.args[0] ** -1) ** int(-e)
        found = [name for name, a in self.atoms.items() if a is t]
        found += [name for name, a in self.atoms.items() if a.op == t.op and same(a, t)]
        require(found, f"{t} is no polynomial, and no atom stands for it")
        return variable(found[0])

    def about(self, name: str) -> list[Fact]:
        """What is known of an atom wherever what it stands for has a value."""
        atom, t = variable(name), self.atoms[name]
        e = t.args[1].value if t.op == "**" else None
        if e == -1:
            return [Fact(atom * self.polynomial(t.args[0]) - 1, "==")]
        if e is not None and e.numerator == 1 and e < 1:
            return [Fact(atom, ">="), Fact(atom**e.denominator - self.polynomial(t.args[0]), "==")]
        if t.op in ("max", "min", "abs"):
            inside = [self.polynomial(a) for a in (*t.args, *([-t.args[0]] if t.op == "abs" else []))]
            gaps = [a - atom if t.op == "min" else atom - a for a in inside]
            return [*(Fact(gap, ">=") for gap in gaps), Fact(joined("*", gaps), "==")]
        return [Fact(atom, ">")] if t.op == "exp" else []

    def refute(self, facts: list[Fact], tree: Any) -> None:
        """No point satisfies all these facts."""
        if "split" not in tree:
            return self.close(facts, tree)
        p = self.read(tree["split"])
        new = {"<": (-p, ">"), "<=": (-p, ">="), "=": (p, "=="), "!=": (p, "!="), ">": (p, ">"), ">=": (p, ">=")}
        complete = [{"<", "=", ">"}, {"<=", ">"}, {"<", ">="}, {"<=", ">="}, {"=", "!="}]
        require(set(tree["cases"]) in complete, "the cases leave something out")
        for case, inner in tree["cases"].items():
            self.refute([*facts, Fact(*new[case])], inner)

    def close(self, facts: list[Fact], tree: Any) -> None:
        """The terms are not negative, one is positive, and with multiples of what is 0 they add up to 0."""
        terms, positive = list[Term](), False
        for entry in tree["terms"]:
            coefficient, chosen = fraction(entry["coefficient"]), [facts[i] for i in entry["facts"]]
            require(coefficient > 0 and all(op != "==" for _, op in chosen), "a term that may be negative")
            square = [self.read(entry["square"]) ** 2] if "square" in entry else []
            factors = (self.polynomial(p) ** (2 if op == "!=" else 1) for p, op in chosen)
            terms.append(joined("*", [number(coefficient), *square, *factors]))
            positive |= not square and all(op != ">=" for _, op in chosen)
        for entry in tree.get("multiples", []):
            p, op = facts[entry["fact"]]
            require(op == "==", "a multiple of something that need not be 0")
            terms.append(self.polynomial(p) * self.read(entry["times"]))
        require(positive, "no term is positive")
        require(is_zero(joined("+", terms)), "the terms do not add up to 0")
