"""The picture of the front page from its stored tables."""

from functools import partial
from typing import Any

from learnability.core.store import read_table
from learnability.report.style import write_figure
from studies.files import Files
from studies.front_page.picture import draw


def make(files: Files) -> dict[str, Any]:
    """The picture."""
    return {"front_page.png": partial(write_figure, draw(**{name: read_table(path) for name, path in files.items()}))}
