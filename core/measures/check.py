"""From the file of an answer to a word: what docs/certificates.md says each question asks, and what answers it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..kernel import check as kernel
from ..kernel.terms import Rejected, budget, require
from .cells import CURVATURE, Form, at_point, attains, bounds, covered, on_interval, shown
from .interval import Interval, Malformed, number_of, read
from .laws import adds_up, integrates
from .places import kink, undefined, vanishes
from .rules import has_values, infinitely_divisible, transform
from .support import fits
from .witness import refutes

FORMAT, EARLIER, MAX_STEPS = "glbcheck-answer/2", "glbcheck-answer/1", 10_000_000
WORDS = ("proved", "certified", "certified-on-box", "stress-tested", "refuted")
CHECKED = ("domain", "smooth", "convex", "slope", "L_mu", "kappa", "R_s", "log_partition", "dispersions")
OPEN_TO_COMPUTING = (
    "R_s_global", "convexity", "normalisation", "moments", "kl", "chi2", "support", "oracle", "sampler", "paper",
)  # fmt: skip
Data = Mapping[str, Any]


@dataclass(frozen=True)
class Accepted(kernel.Accepted):
    """The word an answer has earned, what it rests on besides this checker, and the sentence that was checked."""

    says: str = ""

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.says}"


def check(document: Any) -> Accepted:
    """The word of this answer, or `Rejected`; `Malformed` if the file is no answer, or asks for too much work."""
    try:
        with budget(MAX_STEPS):
            return _read(document).accepted()
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError) as error:
        broken = Malformed(f"not an answer ({type(error).__name__}: {error})")
        raise error if isinstance(error, Rejected) else broken from None


def _read(document: Any) -> "_Answer":
    """What is claimed, of which family."""
    try:
        require(document["format"] in (FORMAT, EARLIER), f"the format is not {FORMAT}")
        return _Answer(document)
    except Rejected as why:
        raise Malformed(f"not an answer ({why})") from None


@dataclass
class _Answer:
    """One method for each question; it takes what stands under `by` and returns the word and the sentence."""

    document: Data
    rests_on: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        d = self.document
        self.question, self.yes, self.by = d["question"], {"yes": True, "no": False}[d["answer"]], d["by"]
        self.m, self.where = read(d["family"]["m"]), Interval.of(d["family"]["domain"])
        self.S, self.g = number_of(d["S"]), number_of(d["g"])
        require(self.S > 0 and self.g > 0, "S and g are positive")
        require(self.question in {*CHECKED, *OPEN_TO_COMPUTING}, f"{str(self.question)[:40]!r} is no question")
        self.about = f"m(z) = {d['family']['m']} on ({', '.join(d['family']['domain'])})"

    def accepted(self) -> Accepted:
        if self.by.get("rule") == "computation" and self.question != "normalisation":
            word, says = self.computed(self.by)
        elif self.question in ("moments", "kl", "chi2"):
            word, says = self.follows()
        else:
            word, says = getattr(self, self.question)()
        require(word in WORDS and (word == "refuted") != self.yes, "the answer is another one")
        return Accepted(word, tuple(sorted(self.rests_on)), f"{self.about}: {says}")

    def computed(self, by: Data) -> tuple[str, str]:
        """What engines found and nobody checks again: said so, and for some questions only."""
        require(self.question in OPEN_TO_COMPUTING, f"{self.question} is answered by what can be checked")
        word = by["word"]
        require(word in WORDS and word != "proved", f"{str(word)[:40]!r} is no word for a computation")
        self.rests_on.add(f"computation: {str(by['what'])[:200]}")
        return word, str(by["what"])[:2000]

    # --- the interval -------------------------------------------------------------------------------------

    def domain(self) -> tuple[str, str]:
        if not self.yes:
            at = number_of(self.by["z"])
            require(abs(at) <= self.S, "the point lies outside [-S, S]")
            if self.by["rule"] == "outside":
                require(self.where.lacks(at), f"{at} is not seen to lie outside the domain")
                return "refuted", f"{at} is not inside the domain"
            undefined(self.m, at)
            return "refuted", f"m has no real value at z = {at}"
        require(self.where.holds(-self.S, self.S), "[-S, S] is not seen to lie inside the domain")
        covered(self.m, -self.S, self.S, 1, self.by)
        return "certified", f"[-{self.S}, {self.S}] lies inside, and m has a finite value there"

    def smooth(self) -> tuple[str, str]:
        if self.yes:
            covered(self.m, -self.S, self.S, 5, self.by)
            return "certified", f"analytic on [-{self.S}, {self.S}]"
        at = number_of(self.by["z"])
        require(abs(at) <= self.S, "the point lies outside [-S, S]")
        if self.by["rule"] == "kink":
            kink(self.m, at, self.by["order"])
            return "refuted", f"derivative number {self.by['order']} jumps at z = {at}"
        undefined(self.m, at)
        return "refuted", f"m has no real value at z = {at}"

    def convex(self) -> tuple[str, str]:
        if self.yes:
            word = on_interval(self.m, self.S, Form(CURVATURE), self.by)
            return word, f"m'' >= 0 on [-{self.S}, {self.S}]"
        at = number_of(self.by["z"])
        require(self.where.holds(at), f"{at} is not inside the domain")
        at_point(self.m, at, Form(((2, Fraction(-1)),), strict=True))
        return "refuted", f"m''({at}) < 0"

    def slope(self) -> tuple[str, str]:
        if self.yes:
            word = on_interval(self.m, self.S, Form(CURVATURE, strict=True), self.by)
            return word, f"m'' > 0 on [-{self.S}, {self.S}]"
        at = number_of(self.by["z"])
        require(abs(at) <= self.S, "the point lies outside [-S, S]")
        vanishes(self.m, at)
        return "refuted", f"m''({at}) = 0"

    def convexity(self) -> tuple[str, str]:
        if "tree" in self.by:  # the logarithm of a Laplace transform is convex, by Hoelder
            transform(self.m, self.where, Fraction(1), self.by["tree"])
            return "proved", "m'' >= 0 on the whole domain, for exp(m) is the Laplace transform of a positive measure"
        return shown(self.m, self.inside(), Form(CURVATURE), self.by), "m'' >= 0 on the whole domain"

    def inside(self) -> list[str]:
        low, high = self.document["family"]["domain"]
        return [f"z > {low}"] * (low != "-oo") + [f"z < {high}"] * (high != "oo")

    # --- constants ----------------------------------------------------------------------------------------

    def bracket(self) -> tuple[Fraction, Fraction]:
        lower, upper = number_of(self.by["lower"]), number_of(self.by["upper"])
        require(self.yes and 0 <= lower <= upper, "a constant lies between two numbers")
        return lower, upper

    def attained(self, lower: Fraction) -> Fraction:
        """The constant is at least so large at the point of [-S, S] that the file names."""
        at = number_of(self.by["z"])
        require(abs(at) <= self.S, "the point lies outside [-S, S]")
        attains(self.m, at, self.question, lower)
        return at

    def L_mu(self) -> tuple[str, str]:
        lower, upper = self.bracket()
        word = self.bounded(upper)
        at = self.attained(lower)
        return word, f"m'' <= {upper} on [-{self.S}, {self.S}], and m''({at}) >= {lower}"

    def kappa(self) -> tuple[str, str]:
        lower, upper = self.bracket()
        require(lower > 0, "1/inf m'' is positive")
        word = self.bounded(upper)
        at = self.attained(lower)
        return word, f"1/m'' <= {upper} on [-{self.S}, {self.S}], and 1/m''({at}) >= {lower}"

    def bounded(self, upper: Fraction) -> str:
        """The constant is at most so large: each of these forms is >= 0 on [-S, S]."""
        pairs = zip(bounds(self.question, upper), self.by["bounds"], strict=True)
        return max((on_interval(self.m, self.S, form, data) for form, data in pairs), key=WORDS.index)

    def R_s(self) -> tuple[str, str]:
        lower, upper = self.bracket()
        word = self.bounded(upper)
        at = self.attained(lower)
        says = f"|m'''| <= {upper} m'' on [-{self.S}, {self.S}], and |m'''| >= {lower} m'' at z = {at}"
        return word, says

    def R_s_global(self) -> tuple[str, str]:
        """The upper bound is what theorems use; that it is the least one rests on the search."""
        _, upper = self.bracket()
        words = [
            shown(self.m, self.inside(), form, data)
            for form, data in zip(bounds("R_s", upper), self.by["bounds"], strict=True)
        ]
        self.rests_on.add("computation: that no smaller bound holds")
        return max(words, key=WORDS.index), f"|m'''| <= {upper} m'' on the whole domain"

    # --- measures -----------------------------------------------------------------------------------------

    def log_partition(self) -> tuple[str, str]:
        if self.yes:
            transform(self.m, self.where, Fraction(1), self.by["tree"])
            return "proved", "exp(m) is the Laplace transform of a positive measure"
        require(number_of(self.by["witness"]["power"]) == 1, "the witness is about another power")
        refutes(self.m, self.where, self.by["witness"])
        return "refuted", "exp(m) is the Laplace transform of no positive measure"

    def dispersions(self) -> tuple[str, str]:
        possible, impossible = [], []
        for row in self.by["answers"]:
            g = number_of(row["g"])
            require(g > 0, "a dispersion is positive")
            if "tree" in row:
                transform(self.m, self.where, 1 / g, row["tree"])
                possible.append(str(g))
            else:
                require(number_of(row["witness"]["power"]) == 1 / g, "the witness is about another power")
                refutes(self.m, self.where, row["witness"])
                impossible.append(str(g))
        require(possible if self.yes else impossible, "nothing is shown")
        shown = f"g = {', '.join(possible)}, and these over 2, 3, ..." if possible else "none of the g asked"
        if self.by.get("every"):
            trees = [row["tree"] for row in self.by["answers"] if "tree" in row]
            require(any(map(infinitely_divisible, trees)), "no tree gives every positive power")
            shown = "every g > 0"
        says = f"m/g is a log-partition function for {shown}"
        says += f", and not for g = {', '.join(impossible)}" if impossible else ""
        return ("proved" if self.yes else "refuted"), says

    def normalisation(self) -> tuple[str, str]:
        """One part for each dispersion that the answer names; as weak as the weakest of them."""
        rows = self.by["answers"]
        places = [number_of(row["g"]) for row in rows]
        require(self.g in places if self.yes else bool(rows), "nothing is shown about the dispersion of the audit")
        found = [self.mass(g, row["base"], row) for g, row in zip(places, rows, strict=True)]
        return max((word for word, _ in found), key=WORDS.index), "; ".join(says for _, says in found)

    def mass(self, g: Fraction, base: Data, by: Data) -> tuple[str, str]:
        if by["rule"] == "computation":
            word, says = self.computed(by)
            return word, f"at g = {g}: {says}"
        require(g > 0 and by["rule"] in ("sum", "law"), "a finite sum, or a classical integral")
        has_values(self.m, self.where)
        if by["rule"] == "sum":
            adds_up(self.m, g, base)
        else:
            integrates(self.m, self.where, g, base, by)
        low, high, step = base["support"]
        where = f"({low}, {high})" if step is None else f"{low}, {low} + {step}, ..., {high}"
        return (
            "proved",
            f"exp(m/g), g = {g}, is the integral of exp(r z/g + {base['log_density']}) over {where} for every z",
        )

    def follows(self) -> tuple[str, str]:
        """Mean, variance, KL and chi^2 follow from the mass by differentiation and change of measure."""
        require(self.yes, "an identity is shown by the mass, and not refuted by it")
        word, says = self.mass(self.g, self.document["base"], self.by)
        return word, f"{self.question} follows, for {says}"

    def support(self) -> tuple[str, str]:
        require(not self.yes, "a support can be refuted, not shown")
        return "refuted", fits(self.m, self.where, self.g, self.document["base"]["support"], self.by)
