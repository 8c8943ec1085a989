"""What `core.algorithm.confidence_set` holds, under the name that rivals and engine tests still use."""

from glbcheck.core.algorithm.confidence_set import WIDEST, ConfidenceSet, Optimum, most_uncertain

__all__ = ["WIDEST", "ConfidenceSet", "Optimum", "most_uncertain"]
