"""How a verdict, a reading and a severity look and read on the page: a glyph, a word and what it means."""

from __future__ import annotations

from glbcheck.verify.claim import Severity, Verdict
from glbcheck.verify.report.html.markup import Safe, el

VERDICTS = {  # sign and meaning
    Verdict.PROVED: ("✓", "exact: a certificate that the kernel, or Coq's, accepted on this machine"),
    Verdict.CERTIFIED: ("◉", "ball arithmetic covers the whole stated domain, zeros and unbounded tails included"),
    Verdict.CERTIFIED_ON_BOX: ("▣", "ball arithmetic covers a compact part of the domain, which is printed"),
    Verdict.ARGUED: ("∴", "every calculation is machine-checked; what joins them is a written argument"),
    Verdict.STRESS_TESTED: ("≈", "searched with stated effort and power, nothing found; not a proof"),
    Verdict.CITED: ("❞", "a result of another paper, not decided here"),
    Verdict.DEFINITION: ("≔", "introduces notation; nothing to decide"),
    Verdict.STRUCTURAL: ("§", "a heading or a restatement; decided elsewhere"),
    Verdict.UNDECIDED: ("?", "tried and not settled"),
    Verdict.CONTRADICTED: ("≠", "numbers in floating point or samples speak against it; no exact witness"),
    Verdict.GAP: ("△", "holds only under a hypothesis that is not stated"),
    Verdict.REFUTED: ("✗", "an exact point satisfies every hypothesis and violates the conclusion, certified"),
}
COQ_SEAL = "∀"  # beside a claim with a theorem that Coq's kernel accepted on this machine
SEVERITIES = {
    Severity.SUBSTANCE: ("Substance", "the statement cannot be kept: its content changes"),
    Severity.HYPOTHESIS: ("Hypothesis", "a hypothesis is missing or not enough"),
    Severity.CONSTANT: ("Constant", "a constant or a factor is wrong"),
    Severity.SLIP: ("Slip", "a sign, a square or an index that the paper's own use gets right"),
}


def glyph(verdict: str) -> str:
    """The sign of a verdict, for where there is no room for the word."""
    return VERDICTS[Verdict(verdict)][0]


def badge(verdict: str) -> Safe:
    """The verdict as a coloured chip with its word; its sign stands in the style sheet, unread by a screen reader."""
    return el("b", verdict, class_=f"v-{verdict}")


def badge_styles() -> str:
    """The rules that put the sign of each verdict before its word."""
    return "".join(f'b.v-{verdict}::before{{content:"{sign} "/""}}' for verdict, (sign, _) in VERDICTS.items())


def reading_badge(reading: str) -> Safe:
    """As printed, or our repair of it."""
    return el("span", reading.replace("-", " "), class_=f"reading r-{reading}")


def severity_badge(severity: str | None) -> Safe | None:
    """How much it matters, in one word."""
    return el("span", severity, class_=f"severity s-{severity}") if severity else None
