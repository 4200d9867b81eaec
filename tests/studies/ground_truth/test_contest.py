"""N₅₀ and the contest, on trials whose law is known."""

import numpy as np
import pandas as pd
import pytest

from learnability.core.errors import InputError
from studies.ground_truth import contest as of_contest
from studies.ground_truth.contest import by_moment, contest, half_learned, judged, random_halves, thresholds, winner

SIZES = [2.0, 8.0, 32.0, 128.0]
GRID = [("dense", name, lag) for name in ("a", "b", "c", "d") for lag in (4, 8, 16)]


def generator():
    return np.random.default_rng(0)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(of_contest, "DRAWS", 200)


def trials_of(log_threshold, seeds=5, at_infinity=1.0):
    """r/c passes ½ at a threshold of each setting and seed, linearly in log N."""
    rows = []
    for place, names in enumerate(GRID):
        for seed in range(seeds):
            for size in [*SIZES, np.inf]:
                inside = 0.5 + 0.2 * (np.log(size) - log_threshold[place, seed]) if np.isfinite(size) else at_infinity
                rows.append([*names, seed, size, inside])
    table = pd.DataFrame(rows, columns=["grid", "architecture", "lag", "seed", "sample_size", "share"])
    return table.assign(updates=10, gap=1 - table["share"])


def true_n50(seeds=5, spread=0.1):
    centres = np.random.default_rng(1).uniform(np.log(4), np.log(64), len(GRID))
    return centres[:, None] + spread * np.random.default_rng(2).standard_normal((len(GRID), seeds))


def test_thresholds_are_where_the_share_passes_one_half():
    truth = true_n50()
    rows = thresholds(trials_of(truth))
    np.testing.assert_allclose(rows["log_threshold"].to_numpy().reshape(truth.shape), truth)
    assert rows["reachable"].all()


def test_what_is_never_or_always_learned_has_infinite_thresholds():
    truth = np.full((len(GRID), 2), 50.0)
    truth[0], truth[1, 0] = -50, np.log(8)
    rows = half_learned(trials_of(truth, 2, at_infinity=0.2), generator())
    assert rows["n50"].tolist()[:3] == [0, pytest.approx(8), np.inf]  # one of two seeds is half of them
    assert not rows["reachable"].any()


def test_a_share_that_falls_with_n_is_made_to_rise():
    table = trials_of(np.full((len(GRID), 1), np.log(16)), 1).iloc[:5].copy()
    table["share"] = [0.1, 0.6, 0.3, 0.9, 1.0]
    (row,) = thresholds(table).to_dict("records")
    middle = 0.45  # of 0.6 and 0.3
    expected = np.log(32) + np.log(4) * (0.5 - middle) / (0.9 - middle)
    assert row["log_threshold"] == pytest.approx(expected)


def test_n50_is_the_median_of_seeds_and_its_interval_covers_it():
    truth = true_n50(seeds=5, spread=0.4)
    rows = half_learned(trials_of(truth, 5), generator())
    np.testing.assert_allclose(np.log(rows["n50"]), np.median(truth, 1))
    assert (rows["n50_low"] <= rows["n50"]).all() and (rows["n50"] <= rows["n50_high"]).all()


def test_neighbouring_settings_are_of_different_halves():
    half = half_learned(trials_of(true_n50()), generator()).set_index(["architecture", "lag"])["half"].unstack()
    assert (half.iloc[0] != half.iloc[1]).all() and (half[4] != half[8]).all()
    assert half.stack().value_counts().tolist() == [6, 6]


def candidates_of(**values):
    """Candidates on paths of three points: the value itself at the start, then more."""
    rows = [
        [*names, seed, updates, name, value[place, seed] + updates, 100.0]
        for name, value in values.items()
        for place, names in enumerate(GRID)
        for seed in range(value.shape[1])
        for updates in (0, 1, 5)
    ]
    return pd.DataFrame(
        rows, columns=["grid", "architecture", "lag", "seed", "updates", "candidate", "value", "parameters"]
    )


def test_candidates_are_taken_at_three_moments():
    values = by_moment(candidates_of(right=true_n50())).set_index(["candidate", "architecture", "lag", "seed"])["value"]
    start = values["right, start", "a", 4, 0]
    assert values["right, least", "a", 4, 0] == start
    assert values["right, mean", "a", 4, 0] == pytest.approx(start + 2)
    assert values["lag", "a", 4, 0] == pytest.approx(np.log(4))


def test_a_candidate_that_knows_wins_and_one_that_does_not_does_not():
    truth = true_n50()
    noise = np.random.default_rng(5).standard_normal(truth.shape)
    table = contest(trials_of(truth), candidates_of(right=2 * truth + 1, wrong=noise), generator())
    assert winner(table).startswith("right")
    right, wrong = (
        table.set_index(["candidate", "half"]).loc[(f"{name}, start", "held_out")] for name in ("right", "wrong")
    )
    assert right["error"] == pytest.approx(0, abs=1e-9)
    assert right[["correlation", "share_right", "slope"]].tolist() == pytest.approx([1, 1, 0.5])
    assert wrong["error"] > 0.1 and wrong["correlation_low"] < 0


def test_the_gap_is_held_against_n50_but_not_judged():
    truth = true_n50()
    table = contest(trials_of(truth), candidates_of(wrong=-truth), generator())
    gap = table.set_index(["candidate", "half"]).loc[("generalisation_gap", "all")]
    assert gap["correlation"] == pytest.approx(1) and gap["error"] == pytest.approx(0, abs=1e-9)
    assert judged(table).startswith("wrong")


def test_an_infinite_candidate_counts_as_a_decade_beyond_the_others():
    truth = true_n50()
    right = truth.copy()
    right[0] = np.inf
    table = contest(trials_of(truth), candidates_of(right=right), generator())
    assert table.set_index(["candidate", "half"]).loc[("right, start", "all"), "error"] < 0.5


def test_without_a_candidate_that_knows_there_is_no_winner():
    noise = np.random.default_rng(6).standard_normal((len(GRID), 5))
    table = contest(trials_of(true_n50()), candidates_of(wrong=noise), generator())
    assert winner(table) == ""


def test_what_is_not_learned_from_fresh_sequences_is_left_out():
    truth = true_n50()
    trials = trials_of(truth)
    rows = trials["architecture"].eq("a") & np.isinf(trials["sample_size"])
    trials.loc[rows, "share"] = 0.1
    wrong = truth.copy()
    wrong[:3] = -20.0
    table = contest(trials, candidates_of(right=wrong), generator())
    assert table.set_index(["candidate", "half"]).loc[("right, start", "all"), "error"] == pytest.approx(0, abs=1e-9)


def test_where_nothing_is_learned_there_is_no_contest():
    noise = np.random.default_rng(6).standard_normal((len(GRID), 5))
    with pytest.raises(InputError, match=r"'ground_truth.updates' must be enough .* Got 10"):
        contest(trials_of(true_n50(), at_infinity=0.1), candidates_of(wrong=noise), generator())


def test_a_candidate_that_knows_does_best_however_settings_are_dealt():
    truth = true_n50()
    noise = np.random.default_rng(5).standard_normal(truth.shape)
    deals = random_halves(trials_of(truth), candidates_of(right=2 * truth + 1, wrong=noise), generator())
    assert len(deals) == of_contest.DEALS and deals["judged"].str.startswith("right").all()
    np.testing.assert_allclose(deals["error"], 0, atol=1e-9)
    assert (deals["error_of_lag"] > 0.1).all()


def test_a_deal_in_turn_has_the_errors_of_the_contest(monkeypatch):
    truth = true_n50()
    noise = np.random.default_rng(5).standard_normal(truth.shape)
    trials, candidates = trials_of(truth), candidates_of(near=truth + noise)
    in_turn = half_learned(trials, generator())["half"].eq("held_out").to_numpy()
    monkeypatch.setattr(of_contest, "DEALS", 1)

    class Dealer(np.random.Generator):
        def permutation(self, count):
            return in_turn.astype(int)

    (deal,) = random_halves(trials, candidates, Dealer(np.random.PCG64())).to_dict("records")
    table = contest(trials, candidates, generator()).set_index(["candidate", "half"])["error"]
    assert deal["error"] == pytest.approx(table[deal["judged"], "held_out"])
    assert deal["error_of_lag"] == pytest.approx(table["lag", "held_out"])
