"""Verdicts are computed: a world that agrees with the paper reproduces every claim, a contrary one none."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evidence import CLAIMS, GROUPS, LAGS, against, agreeing, contrary, world
from learnability.claims import BY_CONSTRUCTION, check_classes, judge_conditions, score, status_of_seeds, verdict
from learnability.core.errors import InputError
from learnability.core.store import read_table
from learnability.stats.fits import fit_power
from learnability.stats.stable.goodness import distance
from learnability.stats.stable.mcculloch import fit_stable
from studies.learnability_window.measures import COMPARING, FUNCTIONS, MEASURES
from verdicts import FOLDER, judge, read_config, read_stored

CLASSES: dict[str, Any] = {"tuned": {}, "after_results": [], "by_construction": []}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_agreeing_data_reproduce_a_claim(claim: dict[str, Any]) -> None:
    conditions = judge_conditions([claim], world(agreeing), GROUPS, MEASURES)
    assert set(conditions["status"]) == {"met"}, conditions.to_string()
    expected = BY_CONSTRUCTION if conditions["by_construction"].all() else "reproduced"
    assert score([claim], conditions)["verdict"].tolist() == [expected]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_contrary_data_turn_a_claim_negative(claim: dict[str, Any]) -> None:
    conditions = judge_conditions([claim], against(claim["id"], world(contrary)), GROUPS, MEASURES)
    assert set(conditions["status"]) <= {"missed", "unmeasured"}, conditions.to_string()
    assert score([claim], conditions)["verdict"].tolist() == ["not reproduced"]


def test_without_runs_a_claim_is_not_testable() -> None:
    tables = {kind: table[table["optimizer"] == "adamw"] for kind, table in world(agreeing).items()}
    scores = score(CLAIMS, judge_conditions(CLAIMS, tables, GROUPS, MEASURES))
    ids = {claim["id"] for claim in CLAIMS if claim["optimizer"] != "adamw"}
    assert set(scores.loc[scores["verdict"] == "not testable", "id"]) == ids


def test_a_group_without_runs_gives_no_row() -> None:
    groups = GROUPS | {"slow": {"const_gate": "const_gate", "shared_gate": "x", "diag_gate": "y"}}
    scores = score(CLAIMS, judge_conditions(CLAIMS, world(agreeing), groups, MEASURES))
    assert set(scores["group"]) == {"main"}
    assert len(scores) == len(CLAIMS)


@pytest.mark.parametrize("beside", [{}, {"lstm": "lstm"}])
def test_a_group_that_repeats_another_gives_no_row_of_its_own(beside: dict[str, str]) -> None:
    tables = world(agreeing)
    lstm = tables["fits"].query("architecture == 'diag_gate' and seed == 0").assign(architecture="lstm")
    tables["fits"] = pd.concat([tables["fits"], lstm])
    scores = score(CLAIMS, judge_conditions(CLAIMS, tables, GROUPS | {"again": GROUPS["main"] | beside}, MEASURES))
    assert set(scores["group"]) == {"main"}


def test_a_median_that_is_met_by_one_seed_of_three_does_not_meet_a_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "tau_env", lambda evidence: [1.0, 2.0, 9.0][evidence.seed])
    condition = {"measure": "tau_env", "of": ["diag_gate"], "met": [2, 3]}
    claim = CLAIMS[0] | CLASSES | {"conditions": [condition]}
    conditions = judge_conditions([claim], world(agreeing), GROUPS, MEASURES)
    (row,) = conditions.to_dict("records")
    assert (row["median"], row["low"], row["high"], row["seeds"], row["seeds_met"]) == (2, 1, 9, 3, 1)
    assert (row["status"], row["seeds_agreeing"]) == ("missed", 2)
    (card,) = score([claim], conditions).to_dict("records")
    assert (card["verdict"], card["agree"]) == ("not reproduced", "2 of 3")


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["met"] * 5, "met"),
        (["met"] * 4 + ["missed"], "met"),
        (["met"] * 3 + ["missed"] * 2, "split"),
        (["met"] * 3 + ["near"] * 2, "near"),
        (["met", "met", "missed"], "split"),
        (["near"] * 4 + ["missed"], "near"),
        (["met", "missed"], "missed"),
        (["met"] + ["missed"] * 4, "missed"),
        ([], "unmeasured"),
    ],
)
def test_four_fifths_of_the_seeds_decide(statuses: list[str], expected: str) -> None:
    assert status_of_seeds(statuses) == expected


@pytest.mark.parametrize(
    ("values", "median", "status"),
    [
        ((1.0, 4.0), 2.5, "missed"),
        ((2.0, 4.5), 3.25, "near"),
        ((2.0, np.inf), np.inf, "missed"),
        ((np.nan, 3.0), 3.0, "met"),
        ((np.nan, np.nan), np.nan, "unmeasured"),
    ],
)
def test_of_two_seeds_the_mean_is_the_median(
    values: tuple[float, float], median: float, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FUNCTIONS, "tau_env", lambda evidence: values[evidence.seed])
    condition = {"measure": "tau_env", "of": ["diag_gate"], "met": [2, 3], "near": [2, 5]}
    tables = {kind: table[table["seed"] < 2] for kind, table in world(agreeing).items()}
    claim = CLAIMS[0] | CLASSES | {"conditions": [condition]}
    (row,) = judge_conditions([claim], tables, GROUPS, MEASURES).to_dict("records")
    assert row["median"] == pytest.approx(median, nan_ok=True)
    assert row["status"] == status


def test_of_an_architecture_in_two_groups_a_claim_about_it_alone_is_judged_once() -> None:
    tables = world(agreeing)
    renames = {"shared_gate": "other", "diag_gate": "another"}
    for kind, table in tables.items():
        rows = table[(table["architecture"] != "const_gate") & (table["seed"] < 2)]
        tables[kind] = pd.concat([table, rows.assign(architecture=rows["architecture"].map(renames))])
    slow = GROUPS | {"slow": {"const_gate": "const_gate"} | renames}
    scores = score(CLAIMS, judge_conditions(CLAIMS, tables, slow, MEASURES))
    of_const = {claim["id"] for claim in CLAIMS if {p for c in claim["conditions"] for p in c["of"]} == {"const_gate"}}
    comparisons = {claim["id"] for claim in CLAIMS if {c["measure"] for c in claim["conditions"]} & set(COMPARING)}
    twice = set(scores.loc[scores["group"] == "slow", "id"])
    assert of_const - comparisons
    assert twice == {claim["id"] for claim in CLAIMS} - (of_const - comparisons)


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["met", "met"], "reproduced"),
        (["met", "near"], "partly"),
        (["near"], "partly"),
        (["met", "missed"], "partly"),
        (["missed", "missed"], "not reproduced"),
        (["missed", "unmeasured"], "not reproduced"),
        (["met", "unmeasured"], "partly"),
        (["unmeasured"], "not testable"),
    ],
)
def test_verdicts(statuses: list[str], expected: str) -> None:
    assert verdict(statuses) == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tuned": None}, "'x: tuned' must be a mapping of diag_gate"),
        ({"by_construction": None}, "'x: by_construction' must be a list of diag_gate"),
        ({"after_results": "tau_env"}, "'x: after_results' must be a list of tau_env"),
        ({"after_results": ["beta"]}, "'x: after_results' must be one of tau_env. Got 'beta'"),
        ({"by_construction": ["lstm"]}, "'x: by_construction' must be one of diag_gate. Got 'lstm'"),
        ({"tuned": {"lstm": "gate"}}, "'x: tuned' must be one of diag_gate. Got 'lstm'"),
        (
            {"tuned": {"diag_gate": "seed"}},
            "'x: tuned' must be one of gate, .*, start. Got 'seed'",
        ),
    ],
)
def test_a_claim_without_its_classes_is_refused(changes: dict[str, Any], message: str) -> None:
    claim = {"id": "x", "conditions": [{"measure": "tau_env", "of": ["diag_gate"], "met": [0, 1]}]} | CLASSES
    check_classes([claim])
    with pytest.raises(InputError, match=message) as error:
        check_classes([claim | changes])
    assert "\n" not in str(error.value)
    incomplete = {key: value for key, value in claim.items() if key not in changes}
    with pytest.raises(InputError, match="Got None"):
        check_classes([incomplete])


def test_what_holds_by_construction_decides_only_where_nothing_else_does() -> None:
    condition = {"measure": "tau_env", "of": ["const_gate", "diag_gate"], "met": [0.8, 0.9]}
    claim = CLAIMS[0] | CLASSES | {"conditions": [condition], "optimizer": "adamw"}

    def verdicts(**classes: Any) -> list[list[str]]:
        scores = score([claim | classes], judge_conditions([claim | classes], world(agreeing), GROUPS, MEASURES))
        return scores[["tuned", "after_results", "by_construction", "verdict"]].to_numpy().tolist()

    assert verdicts() == [["no", "no", "no", "partly"]]
    assert verdicts(by_construction=["const_gate"]) == [["no", "no", "in part", "not reproduced"]]
    assert verdicts(by_construction=["const_gate", "diag_gate"]) == [["no", "no", "yes", "true by construction"]]
    late = verdicts(tuned={"const_gate": "gate"}, after_results=["tau_env"])
    assert late == [["gate, in part", "yes", "no", "partly"]]


def test_every_measure_is_used_and_every_claim_has_an_artefact() -> None:
    names = {condition["measure"] for claim in CLAIMS for condition in claim["conditions"]}
    assert names == set(FUNCTIONS)
    assert all(claim["artefact"].startswith(("figures/", "tables/")) for claim in CLAIMS)


def test_an_unknown_measure_is_named() -> None:
    claim = CLAIMS[0] | CLASSES | {"conditions": [{"measure": "tau", "of": ["diag_gate"], "met": [0, 1]}]}
    with pytest.raises(InputError, match="'tau'"):
        judge_conditions([claim], world(agreeing), GROUPS, MEASURES)


@pytest.mark.parametrize("reading", ["paper", "published_code", "gradient_step"])
def test_stored_scorecards_have_the_words_and_verdicts_of_the_claims(reading: str) -> None:
    """Stored scorecards have the words of the claims as they are now, and count the same ones as tuned."""
    folder = Path(__file__).parents[3] / "results" / "reference" / "learnability_window" / reading
    conditions = read_table(folder / "scorecard.conditions.csv").fillna({"beside": ""})
    words = {(claim["id"], row["measure"]): row["words"] for claim in CLAIMS for row in claim["conditions"]}
    tuned = {(claim["id"], role): setting for claim in CLAIMS for role, setting in claim["tuned"].items()}
    for row in conditions.to_dict("records"):
        assert row["words"] == words[row["id"], row["measure"]]
        assert row["tuned"] == tuned.get((row["id"], row["role"]), "no")
    columns = ["id", "group", "where", "claim", "measured", "tuned", "verdict"]
    scorecard = read_table(folder / "scorecard.csv")
    pd.testing.assert_frame_equal(score(CLAIMS, conditions)[columns], scorecard[columns])


def test_stored_verdicts_are_those_of_the_stored_tables() -> None:
    """Alone it can catch a measure or an interval that is changed while verdicts stay as they were."""
    conditions = judge(CLAIMS, read_stored(), "paper", read_config()["architecture_groups"])
    stored = read_table(FOLDER / "paper" / "scorecard.conditions.csv")
    columns = ["id", "group", "measure", "role", "median", "seeds_met", "seeds_near", "status"]
    again = conditions[columns].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, stored[columns], check_dtype=False, rtol=1e-6)


def test_what_is_easy_to_meet_is_said_beside_the_claim() -> None:
    """R² of a power law through exponentials, and the distance of products of two normal numbers from a stable law."""
    texts = {claim["id"]: claim["claim"] for claim in CLAIMS}
    for scale in (0.85, 47):
        assert fit_power(LAGS, np.exp(-LAGS / scale)).r_squared == pytest.approx(0.84, abs=0.005)
    assert texts["diag_beta"].endswith("through an exact exponential: 0.84)")
    products = np.random.default_rng(0).standard_normal((2, 20, 3000)).prod(0)
    assert distance(products, fit_stable(products)).mean() == pytest.approx(0.04, abs=0.005)
    assert texts["noise_stable"].endswith("a product of two normal numbers, which is not stable, has 0.04)")
