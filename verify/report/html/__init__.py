"""The one-page report: a view of `results.json`, the audits and the simulations; it computes no verdict."""

from glbcheck.verify.report.html.bundle import Bundle
from glbcheck.verify.report.html.page import render

__all__ = ["Bundle", "render"]
