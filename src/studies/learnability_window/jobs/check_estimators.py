"""Estimates of the stable law where the law is known."""

from typing import Any

from learnability.core.streams import numpy_generator
from learnability.report.typeset import with_pages
from learnability.stats.stable.recovery import ALPHAS, recovery_table, reference_table


def make(draws: int, repetitions: int, reference_draws: int, test_repetitions: int, root_seed: int) -> dict[str, Any]:
    """Tables `recovery` and `references`, and their pages."""
    generator = numpy_generator(root_seed, 0, "estimators")
    recovery = recovery_table(ALPHAS, draws, repetitions, generator)
    references = reference_table(reference_draws, generator, repetitions=test_repetitions)
    return with_pages({"recovery": recovery, "references": references})
