"""The documentation as a site: `make docs`."""

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import reference

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


def setup(app):
    """Write the reference pages before Sphinx looks for its sources."""
    app.connect("builder-inited", lambda app: reference.write(Path(app.srcdir) / "reference"))
