"""Settings of each training, beside the settings that the paper prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from learnability.report.typeset import with_pages
from studies.attention.hyperparameters import tabulate


def make(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The table and its page."""
    return with_pages({"hyperparameters": tabulate(runs)})
