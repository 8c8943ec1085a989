"""The documentation as a site: `make docs`."""

import tomllib
from pathlib import Path

project = "glbcheck"
author = "the authors of glbcheck"
release = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
suppress_warnings = ["misc.highlighting_failure"]  # "..." in an example is not Python

html_theme = "furo"
html_title = f"glbcheck {release}"
html_copy_source = False
