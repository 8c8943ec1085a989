"""The scalar obligations of certificates as Coq lemmas: what each says, and the kernel's proof of it in Coq's words."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from glbcheck.core.kernel.check import at_point, truth
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.language import parse
from glbcheck.core.kernel.terms import Rejected, Term, substitute, variable
from glbcheck.verify.certificate import relations, trial_points
from glbcheck.verify.coq.derivatives import as_written, derivatives, worked_out
from glbcheck.verify.coq.formulas import Names, Untranslated, conditions, conjunction
from glbcheck.verify.coq.script import Rules, goal_text
from glbcheck.verify.coq.setting import KINDS, Setting
from glbcheck.verify.coq.signs import cleared
from glbcheck.verify.coq.writing import Script, unpacked

Relation = tuple[Term, str, Term]
OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Obligation:
    """Hypotheses and a conclusion about real numbers, and the proof or the point of refutation."""

    kinds: tuple[tuple[str, str], ...]
    functions: tuple[str, ...]
    hypotheses: tuple[Relation, ...]
    conclusion: Relation
    written: Relation  # the conclusion, with derivatives not yet worked out
    proof: Mapping[str, Any] = field(compare=False)
    origin: str = field(compare=False)
    unread: bool = False  # a derivative where it is not followed, in a hypothesis

    @property
    def rule(self) -> str:
        """The rules that the proof uses, the first one first."""
        return str(self.proof["rule"])

    @property
    def context(self) -> Context:
        facts = tuple(Fact.of(*relation) for relation in self.hypotheses)
        return Context(self.kinds, frozenset(self.functions), facts)

    @property
    def names(self) -> Names:
        every = {name: f"v_{name}" for name in (*dict(self.kinds), *self.functions)}
        return Names(every, frozenset(name for name, kind in self.kinds if kind == "integer"))


@dataclass(frozen=True)
class Lemma:
    """A Coq lemma: its name says which text it is."""

    statement: str
    script: str

    @property
    def name(self) -> str:
        return "ob_" + hashlib.sha256(f"{self.statement}\0{self.script}".encode()).hexdigest()[:16]

    @property
    def text(self) -> str:
        return "\n".join(self.sentences) + "\n"

    @property
    def sentences(self) -> list[str]:
        """The statement and the proof, one sentence a line."""
        return [f"Lemma {self.name} : {' '.join(self.statement.split())}.", "Proof.", *self.script.splitlines(), "Qed."]


def obligations(certificate: Mapping[str, Any], origin: str) -> Iterator[Obligation]:
    """Every scalar statement inside a certificate, with its proof."""
    if "all" in certificate:
        for part in certificate["all"]:
            yield from obligations(part, origin)
    elif "gap" in certificate:
        for side in ("with", "without"):
            yield from obligations(certificate["gap"][side], origin)
    elif "statement" in certificate:
        yield _read(certificate["statement"], certificate["proof"], origin)
    elif "invariant" in certificate:
        yield from _invariant(certificate, origin)


def distinct(found: Iterable[Obligation]) -> list[Obligation]:
    """Each statement once, with all the places it comes from."""
    kept: dict[tuple[Any, bool], Obligation] = {}
    for one in found:
        key = (one, one.rule == "point")
        if key not in kept:
            kept[key] = one
        elif one.origin not in kept[key].origin.split(", "):
            kept[key] = replace(kept[key], origin=f"{kept[key].origin}, {one.origin}")
    return list(kept.values())


def _read(data: Mapping[str, Any], proof: Mapping[str, Any], origin: str) -> Obligation:
    declared = data.get("variables", {})
    functions = tuple(name for name, kind in declared.items() if kind == "function")
    kinds = tuple((name, kind) for name, kind in declared.items() if kind != "function")
    *given, conclusion = relations(data)
    *before, written = as_written(data)
    unread = bool(derivatives(*(side for left, _, right in before for side in (left, right))))
    return Obligation(kinds, functions, tuple(given), conclusion, written, proof, origin, unread)


def _invariant(certificate: Mapping[str, Any], origin: str) -> Iterator[Obligation]:
    """What holds at the start, and what passes from each time to the next."""
    data = certificate["invariant"]
    later = {f"{name}_next": data["variables"][name] for name in data["state"]}
    given = {"variables": data["variables"], "conclusion": data["claim"]}
    start = {**given, "hypotheses": [*data["always"], *data["initial"]]}
    yield _read(start, certificate["base"]["proof"], origin)
    step = {
        **given,
        "variables": data["variables"] | later,
        "hypotheses": [*data["always"], data["claim"], *data["transition"]],
    }
    one = _read(step, certificate["step"]["proof"], origin)
    moved = {name: variable(f"{name}_next") for name in data["state"]}
    left, op, right = one.conclusion
    later_claim = substitute(left, moved), op, substitute(right, moved)
    yield replace(one, conclusion=later_claim, written=later_claim)


def shown(one: Obligation) -> str:
    """The statement in the language of certificates; of a refutation, that it fails."""
    given, (left, op, right) = (", ".join(f"{a} {o} {b}" for a, o, b in one.hypotheses), one.written)
    return f"{given + ' ' if given else ''}{'=/=>' if one.rule == 'point' else '==>'} {left} {op} {right}"


# --- lemmas -------------------------------------------------------------------------------------------------------


def lemma(one: Obligation) -> Lemma:
    """The lemma that confirms an obligation; `Untranslated` where none is written."""
    if one.unread or (one.rule == "point" and derivatives(one.written[0], one.written[2])):
        raise Untranslated("a derivative in a hypothesis or in what is refuted")
    try:
        return _refutation(one) if one.rule == "point" else Lemma(statement(one), _proof(one))
    except (Rejected, RecursionError) as problem:
        raise Untranslated(f"the proof cannot be followed ({problem})") from None


def statement(one: Obligation) -> str:
    """Hypotheses, each after what makes it defined, imply the conclusion and that it is defined."""
    names, parts = one.names, []
    for hypothesis in one.hypotheses:
        parts += [c.text(names) for c in conditions(hypothesis[0], hypothesis[2])] + [names.relation(*hypothesis)]
    left, op, right = one.written
    last = conjunction([*(c.text(names) for c in conditions(left, right)), names.relation(left, op, right)])
    premises = [f"smooth {names.known[f]}" for f in one.functions] + parts
    return "\n".join([*_quantified(one, "forall"), *(f"  ({part}) ->" for part in premises), f"  {last}"])


def _quantified(one: Obligation, word: str) -> list[str]:
    bound = [f"({one.names.known[n]} : {'Z' if kind == 'integer' else 'R'})" for n, kind in one.kinds]
    bound += [f"({one.names.known[f]} : nat -> R -> R)" for f in one.functions]
    return [f"{word} {' '.join(bound)},"] if bound else []


def _proof(one: Obligation) -> str:
    out, names = Script(), one.names
    at = Setting(Context(one.kinds, frozenset(one.functions)), names, ())
    introduced = [names.known[n] for n, _ in one.kinds] + [names.known[f] for f in one.functions]
    introduced += [f"smooth_{names.known[f]}" for f in one.functions]
    hypotheses = []
    for i, (left, op, right) in enumerate(one.hypotheses):
        for condition in conditions(left, right):
            name = out.fresh("D")
            introduced.append(name)
            if condition.fact is not None:
                at = at.knowing(condition.fact, name)
        introduced.append(f"H{i}")
        hypotheses.append((Fact.of(left, op, right), f"H{i}"))
    if introduced:
        out(f"intros {' '.join(introduced)}.")
    for fact, name in hypotheses:
        gap = out.fresh("F")
        out(f"assert ({gap} : {names.fact(fact)}) by (clear -{name}; lra).")
        at = at.plus(fact, gap)
    for known, name in list(at.hypotheses()):
        at = cleared(out, at, known, name)
    goal = Fact.of(*one.conclusion)
    rules, sign = Rules(out), out.fresh("F")
    with out.block(f"assert (Whole : {goal_text(at, goal)})."):
        rules.prove(at, goal, one.proof)
    parts = [out.fresh("D") for _ in conditions(goal.gap)]
    out(unpacked("Whole", [*parts, sign]))
    laws = worked_out(out, at, one.written[0], one.written[2])
    with out.block(f"assert (Last : {names.relation(*one.written)})."):
        if laws:
            out(f"rewrite {', '.join(f'?{law}' for law in laws)}.")
            out(f"apply (from_gap_{KINDS[goal.op]} {names.term(goal.gap)}); [fld|exact {sign}].")
        else:
            out(f"clear -{sign}; lra.")
    for condition in conditions(one.written[0], one.written[2]):
        if condition.fact is not None and derivatives(condition.fact.gap):
            with out.block(f"assert ({out.fresh('D')} : {names.fact(condition.fact)})."):
                out(f"rewrite {', '.join(f'?{law}' for law in laws)}; assumption.")
    out("conditions.")
    return out.text


def _refutation(one: Obligation) -> Lemma:
    """There is a point at which every hypothesis holds and the conclusion is defined and false."""
    if one.functions:
        raise Untranslated("a point with a function")
    at_point(one.context, one.proof)
    names, parts = one.names, []
    for hypothesis in one.hypotheses:
        parts += [c.text(names) for c in conditions(hypothesis[0], hypothesis[2])] + [names.relation(*hypothesis)]
    left, op, right = one.conclusion
    parts += [c.text(names) for c in conditions(left, right)]
    values = {n: parse(text, {}) for n, text in one.proof["at"].items()}
    out = Script()
    for name, kind in one.kinds:
        out(f"exists {names.integer(values[name]) if kind == 'integer' else names.term(values[name])}.")
    for _ in parts:
        out("split; [at_point|].")
    out("at_point.")
    text = conjunction([*parts, names.relation(left, OPPOSITE[op], right)])
    return Lemma("\n".join([*_quantified(one, "exists"), f"  {text}"]), out.text)


def denials(one: Obligation) -> Iterator[Lemma]:
    """Lemmas each of which, if Coq proves it, contradicts the obligation: a point where it fails."""
    if one.functions:
        return
    if one.rule == "point":
        names, values = one.names, {n: parse(text, {}) for n, text in one.proof["at"].items()}
        there = Names({n: names.term(value) for n, value in values.items()})
        *given, last = [*one.hypotheses, (one.conclusion[0], OPPOSITE[one.conclusion[1]], one.conclusion[2])]
        for left, op, right in (last, *given):
            yield Lemma(there.relation(left, OPPOSITE[op], right), "  at_point.")
        return
    context, goal = one.context, Fact.of(*one.conclusion)
    for point in itertools.islice(trial_points(context, 40), 80):
        data = {"at": {name: str(value) for name, value in point.items()}}
        try:
            at = at_point(context, data)
            if all(truth(at(fact)) for fact in context.facts) and truth(at(goal)) is False:
                yield _refutation(replace(one, proof={"rule": "point", **data}))
                return
        except (Rejected, ArithmeticError):
            continue
