"""The chart of `docs`, drawn from what `make bench JSON=docs/bench.json` has written: `python -m benchmarks.chart`."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl

DOCS = Path(__file__).resolve().parent.parent / "docs"


def main() -> None:
    mpl.use("svg")
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["svg.hashsalt"] = "glbcheck"  # the same drawing from the same numbers
    from matplotlib import pyplot as plt

    rows = json.loads((DOCS / "bench.json").read_text())["ratios"][::-1]
    figure, axes = plt.subplots(figsize=(9, 0.34 * len(rows) + 1), layout="constrained")
    axes.barh(range(len(rows)), [row["factor"] for row in rows], color="#4878a8")
    axes.set_yticks(range(len(rows)), [f"{row['what']} / {row['against']}" for row in rows], fontsize=8)
    axes.set_xscale("log")
    axes.set_xlabel("ratio of times, measured in one run")
    for place, row in enumerate(rows):
        axes.text(row["factor"], place, f" {row['factor']:.3g}x", va="center", fontsize=8)
    axes.margins(x=0.15)
    figure.savefig(DOCS / "bench.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
