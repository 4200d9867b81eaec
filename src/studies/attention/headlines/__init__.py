"""The numbers behind headlines, from settings alone: what a search over settings computes again and again.

Each module has a part of the study: statements of the appendix at other lags, orders and eigenvalues; gradients before
training; and networks that are trained within seconds, to copy, to classify, to explain a delayed sum, and by two
recipes. Then each headline has numbers, and an answer in a word or two.

Four headlines are not asked, and the page keeps the settings that were named by hand for these. Agents take hours for
each setting until they succeed. That expRNN copies over longer delays than every other network does not hold at a
small size: small networks of expRNN and orth-RNN both copy over 320 steps, after 2,400 updates. And gradients after
training are of networks that have learned to denoise, which none does within seconds.
"""

from collections.abc import Mapping
from typing import Any

from studies.attention.headlines import before_training, copying, dense, recipes, sums, theory

FACTORS = (0.5, 2.0)
"""Factors by which a search multiplies each setting."""
NOT_VARIED = ("validation_sequences",)
"""Settings that only say how finely is measured."""
PARTS = (theory, before_training, copying, dense, recipes, sums)

HEADLINES = {question: headline for part in PARTS for question, headline in part.HEADLINES.items()}
"""Headlines by the question that they answer."""


def headline_numbers(settings: Mapping[str, Any], root_seed: int, seed: int) -> dict[str, float]:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: those of all `PARTS`, see the function `numbers` of each.

    Raises:
        InputError: for settings that something refuses.
    """
    numbers: dict[str, float] = {}
    for part in PARTS:
        numbers |= part.numbers(settings, root_seed, seed)
    return numbers
