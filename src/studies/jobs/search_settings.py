"""Settings that change headlines of a study most: every one is halved and doubled, trained and measured again."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from learnability.core.variation import ROOT_SEED, other_seeds, vary_headlines
from learnability.report.typeset import with_pages


def make(study: str, settings: Mapping[str, Any], root_seed: int, seed: int) -> dict[str, Any]:
    """The table and its page."""
    headlines = import_module(f"studies.{study}.headlines")
    table = vary_headlines(
        {**settings, ROOT_SEED: root_seed},
        lambda settings: headlines.headline_numbers(settings, settings[ROOT_SEED], seed),
        headlines.HEADLINES,
        headlines.FACTORS,
        headlines.NOT_VARIED,
        others=other_seeds(root_seed),
    )
    return with_pages({"headline_sensitivity": table})
