"""How sure: numbers by seed are judged as the scorecard judges them, and the most sensitive settings are told."""

import pandas as pd

from learnability.core.variation import COLUMNS
from learnability.report.findings import Finding
from studies.gated.exhibit import statements
from studies.gated.judged import claims_of, how_sure, seeds_of, verdicts_of


def claim(name, *conditions):
    common = {"where": "Sec. 1", "claim": "it is", "artefact": "", "tuned": {}, "after_results": []}
    asked = [{"measure": "stated", "at": at, "of": ["notes"], "met": [1, 5]} for at in conditions]
    return common | {"id": name, "by_construction": [], "conditions": asked}


NOTES = {"claims": [claim("a", "one"), claim("b", "one", "other"), claim("c", "elsewhere")]}


def test_numbers_of_seeds_are_judged_as_by_the_scorecard():
    stated = seeds_of(statements([("one", 0, 2.0), ("one", 1, 3.0), ("other", 0, 0.0), ("other", 1, 2.0)]))
    assert stated == {"one@0": 2, "one@1": 3, "other@0": 0, "other@1": 2}
    judged = claims_of(NOTES, stated)
    assert [each["id"] for each in judged] == ["a", "b"]
    assert verdicts_of(judged, stated) == {"a": "reproduced", "b": "partly"}
    assert verdicts_of(judged, stated | {"one@1": 0.0})["a"] == "not reproduced"


def test_the_two_most_sensitive_settings_are_told():
    rows = [("x", 6, 2, 1, 0.5, "one@0", ""), ("y", 1, 3, 2, 0.25, "other@0", ""), ("z", 1, 3, None, None, None, "no")]
    finding = Finding("?", "!", "", {}, "a guess", ("", ""))
    told = how_sure(finding, pd.DataFrame(rows, columns=COLUMNS)).sensitive_to
    assert told == (
        "`y` (3 for 1 turns 2 verdicts and moves *other* by 25 %); "
        "`x` (2 for 6 turns 1 verdict and moves *one* by 50 %). Of 2 settings that were varied at the quick size."
    )
