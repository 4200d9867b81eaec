"""Search for the choices of the analysis that change each headline of the trials most."""

from collections.abc import Mapping, Sequence
from typing import Any

from learnability.core.store import read_table
from learnability.core.variation import other_seeds, vary_headlines
from learnability.report.typeset import with_pages
from studies.files import Files
from studies.ground_truth import analysed


def make(files: Files, contest: Sequence[str], durations: Mapping[str, int], root_seed: int) -> dict[str, Any]:
    """The table and its page."""
    trials, candidates = read_table(files["trials"]), read_table(files["candidates"])
    analysis = analysed.Analysis(trials, candidates, contest, durations)
    search = analysed.choices(trials, root_seed), analysis.numbers, analysed.HEADLINES
    redrawn = other_seeds(root_seed)
    table = vary_headlines(*search, analysed.FACTORS, left_out=analysed.LEFT_OUT, others=redrawn)
    return with_pages({"analysis_sensitivity": table})
