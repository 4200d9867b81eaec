"""The scorecard of attention: claims that say where they are from, and verdicts that follow from tables."""

import re

import numpy as np
import pandas as pd
import pytest

from attention_evidence import CLAIMS, PAPER, ROOT, Tables, spread, verdicts, world
from learnability.claims import BY_CONSTRUCTION, check_classes, judge_conditions
from learnability.core.errors import InputError
from learnability.core.store import read_table
from learnability.report.scorecard import ALL_COUNTED, TWICE, count_claims, count_table
from studies.attention.games.paper import FRAMES
from studies.attention.judged import MEASURES, all_counted
from studies.attention.measures import ROLES, of_range, tuned_for
from studies.attention.paper import OF_DELAYS
from studies.questions import find_questions

SOURCE = r"(Abstract|Sec\.|App\.|Fig|Figs\.|Tables?|Lemmas?|Prop\.|Theorem|Remark|Eqs?\.|Ours)"
BY_ID = {claim["id"]: claim for claim in CLAIMS}
STORED = ROOT / "results" / "reference" / "attention"
AGAINST_ITSELF = {
    "overflow_as_told": "not reproduced",
    "overflow_in_text_and_tables": "not reproduced",
}
"""Claims of the paper's text that its own tables contradict."""


def conditions_of(tables: Tables, *names: str) -> pd.DataFrame:
    return judge_conditions([BY_ID[name] for name in names], tables, {"main": {role: role for role in ROLES}}, MEASURES)


@pytest.fixture(scope="module")
def favourable_scores() -> pd.DataFrame:
    return verdicts(world(True)).set_index("id")


@pytest.fixture(scope="module")
def contrary_scores() -> pd.DataFrame:
    return verdicts(world(False)).set_index("id")


def test_each_claim_has_a_source_a_name_and_its_classes() -> None:
    check_classes(CLAIMS)
    assert len(BY_ID) == len(CLAIMS)
    for claim in CLAIMS:
        assert re.match(SOURCE, claim["where"]), claim["id"]
        assert claim["claim"] and claim["conditions"]
        assert claim.keys() - {"paper", "same_as"} == BY_ID["theorem_1"].keys() - {"paper"}


def test_intervals_hold_each_other_and_measures_and_roles_are_known() -> None:
    for claim in CLAIMS:
        for condition in claim["conditions"]:
            (low, high), (least, most) = condition["met"], condition.get("near", condition["met"])
            assert least <= low <= high <= most, claim["id"]
            assert set(condition["of"]) <= set(ROLES)
    assert {condition["measure"] for claim in CLAIMS for condition in claim["conditions"]} == set(MEASURES.functions)


def test_what_shows_a_claim_is_of_a_question() -> None:
    artefacts = {
        f"{kind}/{name}"
        for question in find_questions("attention").values()
        for kind in ("figures", "tables")
        for name in getattr(question, kind)
    }
    assert {claim["artefact"] for claim in CLAIMS} - {""} <= artefacts


def test_each_printed_share_is_a_claim_with_a_tolerance_on_both_sides() -> None:
    met, near = PAPER["cells"]["met"], PAPER["cells"]["near"]
    for kind, (delays, shares) in OF_DELAYS.items():
        for name, percents in shares.items():
            for delay, percent in zip(delays, percents, strict=True):
                claim = BY_ID.get(f"{kind}_{name}_{delay}")
                assert (claim is None) == (percent is None)
                if claim:
                    assert claim["paper"] == f"{percent} %"
                    by_both = (kind, name) == ("copy_transfer", "exp_rnn")
                    measures = [kind, f"{kind}_at_all_steps"] if by_both else [kind]
                    assert [condition["measure"] for condition in claim["conditions"]] == measures
                    for condition in claim["conditions"]:
                        for tolerance, ends in ((met, condition["met"]), (near, condition["near"])):
                            bounds = [max(0, percent / 100 - tolerance), min(1, percent / 100 + tolerance)]
                            assert ends == pytest.approx(bounds)


def test_a_world_that_agrees_reproduces_every_claim_that_the_paper_does_not_contradict(favourable_scores) -> None:
    verdict = favourable_scores["verdict"]
    tautologies = dict.fromkeys(["sparsity_coefficient", "discrepancy_grows_as_printed"], BY_CONSTRUCTION)
    assert verdict[verdict != "reproduced"].to_dict() == AGAINST_ITSELF | tautologies
    assert favourable_scores.loc[list(tautologies), "by_construction"].eq("yes").all()


def test_a_contrary_world_turns_every_claim_negative(contrary_scores) -> None:
    verdict = contrary_scores["verdict"]
    # the first is of the paper's own table; that memory suffices at T = 1000 holds wherever it does beyond T = 100
    of_the_paper = {"discrepancy_grows_as_printed", "overflow_as_printed"}
    positive = verdict[verdict.isin(["reproduced", "partly", BY_CONSTRUCTION])]
    assert set(positive.index) <= of_the_paper, contrary_scores.loc[positive.index, "measured"].to_string()


OUTCOME = {"all_updates": 4000.0, "accuracy": 0.5, "late_gain": 0.04, "diverged": 0, "seeds": 3}


def copied(share: float, seeds: int = 1) -> pd.DataFrame:
    rows = pd.DataFrame({"architecture": "lstm", "delay": [100, 200], "measured": [share, np.nan]})
    rows["experiment"] = ["copy_100", None]
    return spread(rows, seeds).assign(conclusive=True, finite=1.0)


@pytest.mark.parametrize(
    ("share", "status", "verdict"),
    [(0.97, "met", "reproduced"), (0.86, "near", "partly"), (0.3, "missed", "not reproduced")],
)
def test_a_cell_is_judged_by_its_distance_and_says_the_updates(share: float, status: str, verdict: str) -> None:
    speed = pd.DataFrame({"experiment": ["copy_100"], "architecture": "lstm", **OUTCOME})
    (row,) = verdicts({"copied": copied(share), "learning_speed": speed}, [BY_ID["copied_lstm_100"]]).to_dict("records")
    assert row["verdict"] == verdict
    assert row["measured"] == f"lstm {100 * share:.3g} % (after 4,000 updates), {status}"


def test_a_cell_says_the_updates_of_the_network_that_it_is_of() -> None:
    speed = pd.DataFrame({"experiment": ["copy_100", "copy_100_epochs_9"], "architecture": "lstm", **OUTCOME})
    speed.loc[1, "all_updates"] = 9000
    longer = copied(0.97).replace({"experiment": {"copy_100": "copy_100_epochs_9"}})
    (row,) = verdicts({"copied": longer, "learning_speed": speed}, [BY_ID["copied_lstm_100"]]).to_dict("records")
    assert "(after 9,000 updates)" in row["measured"]


def test_a_cell_says_who_diverged_and_who_still_learns() -> None:
    outcome = OUTCOME | {"diverged": 1, "late_gain": 0.05}
    speed = pd.DataFrame({"experiment": ["copy_100"], "architecture": "lstm", **outcome})
    (row,) = verdicts({"copied": copied(0.3), "learning_speed": speed}, [BY_ID["copied_lstm_100"]]).to_dict("records")
    assert "(after 4,000 updates, 1 of 3 seeds diverged, still rising)" in row["measured"]


def test_what_was_not_trained_is_not_testable_and_says_what_it_costs() -> None:
    (row,) = verdicts({"copied": copied(1.0)}, [BY_ID["copied_lstm_200"]]).to_dict("records")
    assert row["verdict"] == "not testable"
    note = "no trained network, about 0.5 core hours"
    assert row["measured"] == f"lstm not measured ({note})"


def test_a_table_that_is_not_made_leaves_its_claims_untested() -> None:
    tables = {name: table for name, table in world(True).items() if name != "attended"}
    scores = verdicts(tables).set_index("id")
    of_it = [
        claim["id"]
        for claim in CLAIMS
        if all(condition["measure"] == "attended_states" for condition in claim["conditions"])
    ]
    assert set(scores.index[scores["verdict"] == "not testable"]) == set(of_it)
    assert all("(no table attended)" in scores.loc[name, "measured"] for name in of_it)


@pytest.mark.parametrize("agrees", [True, False])
def test_answers_and_attention_on_other_data_than_the_papers_are_not_held_against_it(agrees: bool) -> None:
    tables = world(agrees)
    tables["pixels"] = tables["pixels"].assign(data="digits")
    tables["characters"] = tables["characters"].assign(data="topics")
    ids = ["pixels", "characters", "bits", "dense_attention"]
    scores = verdicts(tables, [BY_ID[name] for name in ids]).set_index("id")
    for name in ids:
        assert scores.loc[name, "verdict"] == "not testable", name
    for name in ("pixels", "dense_attention"):
        assert "trained on 'digits', not on the paper's data" in scores.loc[name, "measured"]


@pytest.mark.parametrize("agrees", [True, False])
def test_fewer_frames_than_the_paper_prints_are_not_held_against_it(agrees: bool) -> None:
    tables = world(agrees)
    ids = ["minigrid", "minigrid_full_attention", "minigrid_trained", "minigrid_sparse_ahead"]
    claims = [BY_ID[name] for name in ids]
    expected = "reproduced" if agrees else "not reproduced"
    assert verdicts(tables, claims)["verdict"].eq(expected).all()
    tables["games"] = tables["games"].assign(frames=FRAMES - 1)
    scores = verdicts(tables, claims)
    assert scores["verdict"].eq("not testable").all()
    assert scores["measured"].str.contains("after 4,999,999 of the paper's 5,000,000 frames").all()


@pytest.mark.parametrize(
    ("last", "everywhere", "statuses", "verdict"),
    [
        (0.86, 0.86, ["met", "met"], "reproduced"),
        (0.08, 0.86, ["missed", "met"], "partly"),
        (0.86, 0.40, ["met", "missed"], "partly"),
        (0.08, 0.40, ["missed", "missed"], "not reproduced"),
    ],
)
def test_exp_rnn_is_judged_by_both_counts_of_right_answers(
    last: float, everywhere: float, statuses: list[str], verdict: str
) -> None:
    table = pd.DataFrame({"architecture": ["exp_rnn"], "delay": 200, "measured": last, "experiment": "copy_100"})
    everywhere_too = dict.fromkeys(("all_steps", "all_low", "all_high"), everywhere)
    table = spread(table, 3).assign(**everywhere_too, conclusive=True)
    tables = {"copy_transfer": table, "learning_speed": world(True)["learning_speed"]}
    claim = BY_ID["copy_transfer_exp_rnn_200"]
    assert "at all steps as in expRNN's code" in claim["claim"]
    conditions = conditions_of(tables, claim["id"])
    assert conditions["status"].tolist() == statuses
    assert conditions["median"].tolist() == [last, everywhere]
    assert conditions["after_results"].tolist() == [True, True]
    assert verdicts(tables, [claim])["verdict"].tolist() == [verdict]


def test_the_trend_of_a_transfer_is_of_the_count_that_is_asked_for() -> None:
    table = pd.DataFrame({"architecture": "exp_rnn", "delay": [100, 200, 400, 2000], "measured": [1.0, 0.1, 0.2, 0.3]})
    table = spread(table).assign(all_steps=[1.0, 0.8, 0.6, 0.4], conclusive=True, experiment="copy_100")
    conditions = conditions_of({"copy_transfer": table}, "discrepancy_grows", "recurrent_do_not_transfer")
    median = conditions[conditions["architecture"] == "exp_rnn"].set_index("measure")["median"]
    assert median["transfer_trend"] == pytest.approx(-0.2)
    assert median["transfer_trend at all_steps"] == pytest.approx(-1)
    assert median["transfer_loss"] == pytest.approx(0.7) and median["transfer_loss at all_steps"] == pytest.approx(0.6)


def test_gradients_are_judged_at_the_delay_nearest_to_the_papers() -> None:
    """Hardly any gradient vanishes at T = 100; the paper's is 1000."""
    quarters = [f"quarter_{place}" for place in (1, 2, 3, 4)]
    rows = {("lstm", 100): 0.0, ("lstm", 500): -2.0, ("rel_rnn", 100): 5.0, ("rel_rnn", 300): -0.1}
    rows |= {("mem_rnn", 100): 0.0, ("mem_rnn", 300): 0.1}
    table = pd.DataFrame(
        {"architecture": name, "delay": delay, "steps": delay + 20, **{q: by * k for k, q in enumerate(quarters, 1)}}
        for (name, delay), by in rows.items()
    ).assign(recipe="printed")
    tables = world(True) | {"trained_gradients": table.sample(frac=1, random_state=0)}
    conditions = conditions_of(tables, "lstm_vanishes", "exponentially", "trade_off")
    conditions = conditions.set_index(["measure", "architecture"])
    assert conditions.loc[("arriving_trained", "lstm"), "median"] == pytest.approx(-8)
    assert "of 520 steps" in conditions.loc[("arriving_trained", "lstm"), "note"]
    assert conditions.loc[("exponential_in_time", "lstm"), "median"] == pytest.approx(1)
    assert conditions.loc[("arriving_beside at mem_rnn", "rel_rnn"), "median"] == pytest.approx(-0.8)
    tables["trained_gradients"] = table[~((table["architecture"] == "mem_rnn") & (table["delay"] == 300))]
    beside = conditions_of(tables, "trade_off")
    assert beside["median"].iloc[0] == pytest.approx(20)  # both were trained at T = 100 alone


@pytest.mark.parametrize("name", ["theorem_2_any_sign", "alignment_function"])
def test_what_the_paper_does_not_state_is_no_claim(name: str) -> None:
    """Theorem 2 requires a positive eigenvalue (A.4), and Remark 8 takes attention as uniform."""
    assert name not in BY_ID


def test_claims_say_what_they_read_into_a_theorem() -> None:
    law = BY_ID["theorem_2_law"]["claim"]
    assert "constant of 1" in law and "Remark 21" in law
    assert "every loss" in BY_ID["theorem_1_of_a_loss"]["claim"]
    assert "T^-1.5" in BY_ID["theorem_1"]["claim"] and BY_ID["theorem_1_weaker"]["where"] == "Ours"


def test_errors_are_relative_to_the_gradient_and_eigenvalues_count_once() -> None:
    tables = world(True)
    tables["paths"] = pd.DataFrame({"total": [0.5, 4.0], "by_paths": [1.0e-16, 2.0e-16]})
    again = tables["exponents"].assign(real=lambda rows: rows["real"] + 1e-12)
    tables["exponents"] = pd.concat([tables["exponents"], again])
    scores = verdicts(tables, [BY_ID["sum_over_paths"], BY_ID["theorem_1"]]).set_index("id")["measured"]
    assert "2.0 · 10⁻¹⁶" in scores["sum_over_paths"]
    assert "of 3 eigenvalues" in scores["theorem_1"]


@pytest.mark.parametrize(("power", "status"), [(3.0, "met"), (0.0, "missed")])
def test_sparsity_counts_as_a_power(power: float, status: str) -> None:
    """Whichever power it is: Section 3.3 names none."""
    chains = world(True)["chains"]
    sizes = chains["sparsity"] ** -power if power else np.where(chains["sparsity"] == 2, 9.0, 1.0)
    tables = {"chains": chains.assign(size=sizes * np.exp(-chains["depth"]))}
    conditions = conditions_of(tables, "theorem_2_depth")
    assert conditions.set_index("measure").loc["power_in_sparsity", "status"] == status


@pytest.mark.parametrize(
    ("seeds", "values"),
    [(0, []), (1, [0.4]), (2, [0.1, 0.7]), (3, [0.1, 0.4, 0.7]), (5, [0.1, 0.4, 0.4, 0.4, 0.7])],
)
def test_a_range_over_seeds_has_their_number_its_ends_and_its_median(seeds: int, values: list[float]) -> None:
    assert of_range(0.4, 0.1, 0.7, seeds) == values
    if seeds:
        assert np.median(values) == pytest.approx(0.4)


def test_a_cell_that_one_seed_of_three_misses_is_split() -> None:
    table = copied(0.97, seeds=3).assign(low=0.2, high=1.0)
    tables = {"copied": table, "learning_speed": world(True)["learning_speed"]}
    (row,) = conditions_of(tables, "copied_lstm_100").to_dict("records")
    assert (row["low"], row["median"], row["high"], row["seeds"], row["seeds_met"]) == (0.2, 0.97, 1.0, 3, 2)
    assert row["status"] == "split"


def updates(experiment: str = "copy_100", **of: float) -> pd.DataFrame:
    return pd.DataFrame({"experiment": experiment, "architecture": list(of), "updates": list(of.values()), **OUTCOME})


def by_code(**of: float) -> pd.DataFrame:
    return updates("copy_100_by_authors_code", **of)


@pytest.mark.parametrize(
    ("table", "value"),
    [
        (updates(rel_rnn=100, lstm=200, orth_rnn=400), 0.5),
        (updates(rel_rnn=300, lstm=200), 1.5),
        (updates(rel_rnn=np.nan, lstm=200), np.nan),  # as printed, which is no evidence
        (pd.concat([updates(rel_rnn=100, lstm=200), by_code(rel_rnn=np.nan)]), 0.5),
        (pd.concat([updates(rel_rnn=np.nan, lstm=200), by_code(rel_rnn=50)]), 0.25),
        (pd.concat([updates(rel_rnn=300), by_code(rel_rnn=50, lstm=40)]), 1.25),
        (pd.concat([updates(rel_rnn=30, lstm=np.nan), by_code(lstm=40)]), 0.75),
        (updates(rel_rnn=100, lstm=np.nan), np.nan),  # nor is a rival that may have been trained too briefly
        (by_code(rel_rnn=100, lstm=np.nan), np.nan),
        (by_code(rel_rnn=np.nan, lstm=100), np.nan),
        (updates(rel_rnn=np.nan, lstm=np.nan), np.nan),
        (updates(lstm=200), np.nan),
    ],
)
def test_updates_are_held_against_the_fewest_of_others(table: pd.DataFrame, value: float) -> None:
    (row, _) = conditions_of({"learning_speed": table}, "fewest_updates").to_dict("records")
    assert row["median"] == pytest.approx(value, nan_ok=True)
    assert row["status"] == ("unmeasured" if np.isnan(value) else "met" if value < 0.9 else "missed")


def test_an_unknown_measure_is_named() -> None:
    claim = BY_ID["theorem_1"] | {
        "after_results": [],
        "conditions": [{"measure": "x", "of": ["theory"], "met": [0, 1]}],
    }
    with pytest.raises(InputError, match="'x'"):
        verdicts({}, [claim])


def test_who_has_not_learned_is_held_neither_for_the_paper_nor_against_it() -> None:
    """The first of these claims would be missed by that network, the second would be met."""
    table = pd.concat([copied(0.3)[:1], copied(0.12)[:1].assign(delay=500, experiment="copy_500")])
    tables = {"copied": table, "learning_speed": world(True)["learning_speed"]}
    claims = [BY_ID["copied_lstm_100"], BY_ID["copy_fails_lstm"]]
    outcomes = verdicts(tables, claims)["verdict"].tolist()
    assert outcomes == ["not reproduced", "partly"]  # other delays were not trained
    scores = verdicts(tables | {"copied": table.assign(conclusive=False)}, claims)
    assert scores["verdict"].tolist() == ["not testable"] * 2
    assert "30 % after 4,000 updates, not learned" in scores["measured"].iloc[0]
    assert (
        verdicts(all_counted(tables | {"copied": table.assign(conclusive=False)}), claims)["verdict"].tolist()
        == outcomes
    )


@pytest.mark.parametrize(("open_delays", "verdict"), [([], "reproduced"), ([200], "partly")])
def test_a_claim_over_all_delays_of_which_some_are_open_is_partly_reproduced(
    open_delays: list[int], verdict: str
) -> None:
    """Alone it can catch a claim on every delay that counts as reproduced where few were learned."""
    names = ["rel_rnn", "rel_lstm", "sab", "exp_rnn"]
    rows = pd.DataFrame({"architecture": names * 2, "delay": [100] * 4 + [200] * 4, "measured": 1.0})
    table = spread(rows.assign(experiment="copy_100")).assign(finite=1.0)
    table["conclusive"] = ~table["delay"].isin(open_delays)
    tables = {"copied": table, "learning_speed": world(True)["learning_speed"]}
    (row,) = verdicts(tables, [BY_ID["copy_perfect"]]).to_dict("records")
    assert row["verdict"] == verdict and ("open at T = 200), near" in row["measured"]) == bool(open_delays)


@pytest.mark.parametrize("share", [0.0, 0.12])
def test_a_state_that_overflows_is_no_answer_even_where_the_paper_has_the_same(share: float) -> None:
    paper = OF_DELAYS["copy_transfer"][1]["orth_rnn"][-1]
    row = {"architecture": "orth_rnn", "delay": 5000, "measured": share, "experiment": "copy_100", "paper": paper}
    table = spread(pd.DataFrame([row])).assign(conclusive=False, finite=0.4)
    tables = {"copy_transfer": table, "learning_speed": world(True)["learning_speed"]}
    (score_row,) = verdicts(tables, [BY_ID["copy_transfer_orth_rnn_5000"]]).to_dict("records")
    assert score_row["verdict"] == "not testable" and "state overflows" in score_row["measured"]


@pytest.mark.parametrize("agrees", [True, False])
def test_gradients_and_attention_of_who_has_not_learned_say_nothing_either_way(agrees: bool) -> None:
    tables = world(agrees)
    ids = [
        "lstm_vanishes",
        "exponentially",
        "attention_stable",
        "sparse_attention",
        "relevant_set",
        "short_term_buffer",
    ]
    claims = [BY_ID[name] for name in ids]
    expected = "reproduced" if agrees else "not reproduced"
    assert verdicts(tables, claims)["verdict"].eq(expected).all()
    for name in ("learning_speed", "screening"):
        tables[name] = tables[name].assign(accuracy=0.89)
    scores = verdicts(tables, claims)
    assert scores["verdict"].eq("not testable").all()
    assert scores["measured"].str.contains("not learned").all()
    assert verdicts(all_counted(tables), claims)["verdict"].eq(expected).all()


@pytest.mark.parametrize(
    ("architecture", "experiment", "tuned"),
    [
        ("rel_rnn", "copy_100", ""),
        ("rel_rnn", "copy_100_by_authors_code", "recipe"),
        ("sab", "denoise_100_by_authors_code", "start"),
        ("mem_rnn", "copy_100_epochs_1000", "updates"),
    ],
)
def test_what_took_the_place_of_an_earlier_training_is_tuned(architecture: str, experiment: str, tuned: str) -> None:
    assert tuned_for([{"architecture": architecture, "experiment": experiment}]) == tuned
    table = pd.DataFrame({"architecture": [architecture], "delay": 100, "measured": 1.0, "experiment": experiment})
    speed = world(True)["learning_speed"]
    tables = {"copied": spread(table).assign(conclusive=True, finite=1.0), "learning_speed": speed}
    (row,) = verdicts(tables, [BY_ID[f"copied_{architecture}_100"]]).to_dict("records")
    assert (row["verdict"], row["tuned"]) == ("reproduced", tuned or "no")


def stored_scores() -> pd.DataFrame:
    return read_table(STORED / "scorecard.csv").fillna("").set_index("id")


def stored_tables() -> Tables:
    return {path.stem.removeprefix("theory_"): read_table(path) for path in (STORED / "tables").glob("*.csv")}


def test_no_stored_network_by_public_code_or_of_a_longer_training_counts_as_judged_in_advance() -> None:
    scores = stored_scores()
    later = scores["measured"].str.contains("by the authors' code") & (scores["verdict"] == "reproduced")
    assert later.any() and (scores.loc[later, "tuned"] != "no").all()
    of_sab = scores.index.str.contains("_sab_") & (scores["verdict"] == "reproduced")
    assert of_sab.any() and scores.loc[of_sab, "tuned"].eq("start").all()
    assert {"no", "recipe", "start", "updates"} <= set(scores["tuned"])


def test_a_number_that_stands_in_two_tables_is_one_and_says_so() -> None:
    scores = stored_scores()
    twins = scores.loc[scores["same_as"] != "", "same_as"]
    assert len(twins) == 7 and set(twins) <= set(scores.index)
    for name, other in twins.items():
        value, other_value = (re.search(r"[\d.]+ %", scores.loc[entry, "measured"]) for entry in (name, other))
        assert value and other_value and value[0] == other_value[0], name
    twice = (scores.loc[twins.index, "verdict"] == "reproduced") & (scores.loc[twins, "verdict"] == "reproduced").array
    assert count_claims(scores.reset_index()).loc[TWICE, "claims"] == twice.sum() > 0


def test_the_scorecard_says_what_the_rule_changes() -> None:
    scores = stored_scores()
    pd.testing.assert_series_equal(
        scores[ALL_COUNTED],
        verdicts(all_counted(stored_tables())).set_index("id")["verdict"],
        check_names=False,
        check_dtype=False,
    )
    papers = scores[scores["where"] != "Ours"]
    reproduced = (papers[ALL_COUNTED] == "reproduced").sum()
    testable = (papers[ALL_COUNTED] != "not testable").sum()
    rule = ((papers["verdict"] == "not testable") & (papers[ALL_COUNTED] != "not testable")).sum()
    words = count_table(scores.reset_index())
    assert f"Of those not testable {rule} are left out by a rule that was set when results had been seen" in words
    assert f"Were all to count, {reproduced} of {testable} would be reproduced" in words
    counts = (papers["verdict"] == "reproduced").sum(), (papers["verdict"] != "not testable").sum()
    for page in ("README.md", "docs/science.md", "docs/limits.md"):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        now = "| {1} | {0} |" if page == "README.md" else "{} of {}"
        assert now.format(*counts) in text and f"{reproduced} of {testable}" in text, page


def test_the_stored_scorecard_is_what_the_stored_tables_say() -> None:
    scores = verdicts(stored_tables())
    reference = read_table(STORED / "scorecard.csv").fillna("")
    pd.testing.assert_frame_equal(reference[scores.columns], scores, check_dtype=False)
