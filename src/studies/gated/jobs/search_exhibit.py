"""Search for the settings of an exhibit, or of its networks, that turn most verdicts and move statements furthest."""

from collections.abc import Mapping, Sequence
from typing import Any

from learnability.claims import read_claims
from learnability.core.variation import FACTORS, other_seeds, vary_settings
from learnability.report.typeset import with_pages
from learnability.windows.readings import Reading
from studies.files import Files
from studies.gated import search
from studies.gated.judged import claims_of, verdicts_of


def make(
    files: Files,
    exhibit: str,
    settings: Mapping[str, Any],
    runs: Sequence[Mapping[str, Any]],
    reading: Mapping[str, Any],
    window: Mapping[str, Any],
    seeds: Sequence[int],
    root_seed: int,
) -> dict[str, Any]:
    """The table of all variations and its page."""
    notes = read_claims(files["claims"])
    exhibit_search = search.Search(exhibit, runs, seeds, Reading.of(reading, window))
    table = vary_settings(
        search.settings_of(settings, runs, root_seed),
        exhibit_search.statements,
        lambda values: verdicts_of(claims_of(notes, values), values),
        search.FACTORS if runs else FACTORS,
        search.not_varied(runs) if runs else (),
        others=other_seeds(root_seed),
    )
    return with_pages({f"sensitivity_{exhibit}": table})
