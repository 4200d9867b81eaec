"""A simulation from a known truth, and whether the pipeline's intervals cover it."""

from collections.abc import Sequence
from typing import Any

from learnability.core.store import as_files
from learnability.core.streams import numpy_generator
from learnability.report.typeset import as_markdown
from studies.learnability_window.simulation import ALPHAS, coverage_in_words, coverage_page, coverage_tables


def make(replicates: int, sequences: Sequence[int], draws: int, root_seed: int) -> dict[str, Any]:
    """Tables `coverage` and `examples`, and a page of the first."""
    generator = numpy_generator(root_seed, 0, "planted")
    coverage, examples = coverage_tables(ALPHAS, sequences, replicates, draws, generator)
    page = as_markdown(coverage_page(coverage), coverage_in_words(coverage))
    return as_files({"coverage": coverage, "examples": examples}) | {"simulation_coverage.md": page}
