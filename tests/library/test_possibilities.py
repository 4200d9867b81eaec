"""A possibility is shown by one network in which it occurs; any other claim needs most of them."""

import pandas as pd
import pytest

from learnability.claims import Evidence, Found, Measures, best_status, judge_conditions, score, verdict
from learnability.core.errors import InputError

VALUES = {"one of three": [0.0, 0.0, 2.0], "near once": [0.0, 0.9, 0.0], "never": [0.0, 0.0, 0.0], "nothing": []}


def state_value(evidence: Evidence, at: str) -> Found:
    return Found(VALUES[at])


MEASURES = Measures({"stated": state_value}, ["notes"], [])


def judge_claim(*names: str, **keys: object) -> dict[str, object]:
    conditions = [{"measure": "stated", "at": name, "of": ["notes"], "met": [1, 5], "near": [0.5, 5]} for name in names]
    claim = {"id": "a", "where": "Sec. 1", "claim": "it can be", "artefact": "", "tuned": {}, "after_results": []}
    claim |= {"by_construction": [], "conditions": conditions, **keys}
    tables = {"statements": pd.DataFrame()}
    (row,) = score([claim], judge_conditions([claim], tables, {"main": {"notes": "notes"}}, MEASURES)).to_dict(
        "records"
    )
    return row


@pytest.mark.parametrize(
    ("names", "possible", "agree", "otherwise"),
    [
        (["one of three"], "reproduced", "possible: 1 of 3", "not reproduced"),
        (["near once"], "partly", "possible: 1 of 3", "not reproduced"),
        (["never"], "not reproduced", "possible: 0 of 3", "not reproduced"),
        (["never", "one of three"], "reproduced", "possible: 1 of 3", "not reproduced"),
        (["near once", "never"], "partly", "possible: 1 of 3", "not reproduced"),
        (["nothing"], "not testable", "", "not testable"),
        (["nothing", "one of three"], "reproduced", "possible: 1 of 3", "not reproduced"),
    ],
)
def test_one_network_shows_a_possibility_and_no_other_claim(names, possible, agree, otherwise):
    row = judge_claim(*names, possibility=True)
    assert (row["verdict"], row["agree"]) == (possible, agree)
    assert judge_claim(*names)["verdict"] == otherwise == judge_claim(*names, possibility=False)["verdict"]


def test_the_best_status_is_the_first_there_is():
    assert best_status(["missed", "near", "met"]) == "met" and best_status(["unmeasured", "missed"]) == "missed"
    assert best_status([]) == "unmeasured"
    assert verdict(["missed", "met"]) == "partly" and verdict(["missed", "met"], possibility=True) == "reproduced"


def test_a_possibility_is_true_or_left_out():
    with pytest.raises(InputError, match=r"'a: possibility' must be true, or left out\. Got 'maybe'"):
        judge_claim("never", possibility="maybe")
