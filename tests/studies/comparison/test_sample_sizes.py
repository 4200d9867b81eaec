"""N₅₀ of cells: trainings on fewer sequences, tables by hand, and their figure."""

import numpy as np
import pandas as pd
import pytest

from layout import assert_legible
from learnability.core.errors import InputError
from learnability.core.store import write_table
from learnability.report.style import Style
from studies.comparison.checks import check_sample_sizes
from studies.comparison.expectations import judge
from studies.comparison.jobs.train_on_fewer import make
from studies.comparison.races import Candidate, Runner
from studies.comparison.sample_sizes.expected import expect
from studies.comparison.sample_sizes.figure import draw
from studies.comparison.sample_sizes.measure import COLUMNS, train_on_fewer
from studies.comparison.sample_sizes.n50 import best_looks, half_learned, n50_longer, predictions
from studies.comparison.scores import score
from studies.comparison.settings import Race

TASK = {"name": "delayed_sum", "input_size": 1, "duration": 10, "lags": [2, 4], "coefficients": [0.6, 0.5]}
TASK |= {"noise_sd": 0.3, "training_sequences": 20, "validation_sequences": 12, "test_sequences": 12}
RACE = {"parameters": 60, "rates": [0.01], "tried": 1, "seeds": 3, "updates": 4, "batch_size": 4, "gradient_clip": 1.0}
RACE |= {"optimizer": {"method": "adam"}, "measured": 20}
RUNNER = Runner({"cell": "rnn"}, TASK, Race.model_validate(RACE), root_seed=1)
FAMILIES = {"fast": "gates", "slow": "gates", "never": "linear"}
TRAINED_ON = {"sum": 1000}
SECTION = {"contests": ["sum", "recall"], "tasks": {"sum": TASK, "recall": {"name": "recall"}}, "race": RACE}
SECTION |= {"families": {"gates": ["gru"]}}
SETTINGS = {"task": "sum", "sequences": [2, 8], "seeds": 2, "longer": ["gru"]}


def test_all_sequences_give_the_training_of_the_race():
    """Alone it can catch another start, order or number of updates than the race has."""
    (path,) = RUNNER.train([Candidate(0.01, 2)])
    task = RUNNER.task_of(2)
    expected = score(RUNNER.network, path[4], task, task.generate("validation", 12))
    rows = train_on_fewer(RUNNER, 0.01, [20], 2)
    at_end = rows[(rows["updates"] == 4) & (rows["seed"] == 2)]
    assert at_end["validation"].to_numpy() == pytest.approx([expected] * 2)


@pytest.mark.parametrize("size", [2, 3], ids=["divides a batch", "does not"])
def test_who_is_trained_beside_a_sample_does_not_matter(size):
    """Alone it can catch batches that are given to another sample, and losses that weigh repeated sequences."""
    together = train_on_fewer(RUNNER, 0.01, [size, 8], 2)
    alone = train_on_fewer(RUNNER, 0.01, [size], 2)
    rows = together[together["sequences"] == size]
    np.testing.assert_allclose(rows["share"], alone["share"], rtol=1e-4)


def test_a_batch_of_few_sequences_has_their_loss():
    """Alone it can catch a repetition that changes a gradient: one sequence four times is that sequence once."""
    of_four = train_on_fewer(RUNNER, 0.01, [1], 2)
    race = RUNNER.race.model_copy(update={"batch_size": 1})
    of_one = train_on_fewer(Runner(RUNNER.architecture, TASK, race, 1), 0.01, [1], 2)
    np.testing.assert_allclose(of_four["share"], of_one["share"], rtol=1e-4)


def test_the_job_takes_the_rate_of_the_race(tmp_path):
    scores = pd.DataFrame({"rate": [0.003] * 2, "seed": [1, 2]})
    write_table(scores, tmp_path / "scores.csv")
    of_run = {"architecture": {"cell": "rnn"}, "task": TASK, "race": RACE, "sequences": [1, 8], "seeds": 2}
    files = {"scores": str(tmp_path / "scores.csv")}
    tables = make({"architecture": "gru"}, files, **of_run, is_longer=True, root_seed=1, contest="sum")
    table = tables["samples.csv"]
    assert table.columns.tolist() == ["contest", "architecture", *COLUMNS]
    assert table["rate"].unique().tolist() == [0.003]
    assert table.groupby(["sequences", "seed", "updates"]).size().to_dict() == {
        (size, seed, updates): 2 for size in (1, 8, 20) for seed in (1, 2) for updates in (2, 4, 8)
    }
    assert np.isfinite(table[["share", "validation"]]).all(axis=None)


@pytest.fixture
def races():
    """Shares of three cells by N at two lags; only one goes on to twice the updates, and one training diverged."""
    shares = {  # of lag 2, at 1, 10 and 1,000 sequences; of lag 9 0.4 less
        "fast": [0.8, 0.9, 1.0],
        "slow": [0.0, 0.4, 1.0],
        "never": [0.0, 0.0, 0.1],
    }
    samples, gradients = [], []
    for cell, of_cell in shares.items():
        for lag, less in ((2, 0.0), (9, 0.4)):
            for seed in (1, 2, 3):
                names = {"contest": "sum", "architecture": cell, "seed": seed, "lag": lag}
                chance = 0.02 * (seed - 2)
                for size, share in zip((1, 10), of_cell, strict=False):
                    diverged = cell == "slow" and seed == 1 and size == 1
                    for updates in (5, 10, *([20] if cell == "slow" else [])):
                        value = np.nan if diverged else share - less + chance + 0.3 * (updates == 20)
                        samples.append({**names, "sequences": size, "updates": updates, "share": value})
                if cell == "slow":
                    samples.append({**names, "sequences": 1000, "updates": 20, "share": 1.0})
                gradients.append({**names, "end": "end", "share": of_cell[-1] - less + chance})
                gradients.append({**names, "end": "start", "share": 0.9})
    table = pd.DataFrame(samples)
    return {"samples": table.assign(validation=table["updates"] == 5), "gradients": pd.DataFrame(gradients)}


@pytest.fixture
def lags():
    cells = {"fast": 0.0, "slow": 1.0, "never": 2.0}
    rows = [("sum", cell, lag, needed + lag / 9) for cell, needed in cells.items() for lag in (2, 9)]
    return pd.DataFrame(rows, columns=["contest", "architecture", "lag", "needed_start"])


@pytest.fixture
def table(races, lags):
    return half_learned(races["samples"], races["gradients"], lags, FAMILIES, TRAINED_ON)


def test_n50_lies_where_half_is_crossed_in_log_n_and_is_censored_at_both_ends(table):
    """Alone it can catch a race that is left out, another look, or a seed beyond the N that is averaged in."""
    n50 = table.set_index(["architecture", "lag"])["n50"]
    assert n50["fast", 2] == 0
    assert n50["fast", 9] == pytest.approx(10)  # 0.4 at 1 and 0.5 at 10: no more than ½ there, in the middle seed
    assert n50["slow", 2] == pytest.approx(10 * 100 ** (0.1 / 0.6))
    assert n50["slow", 9] == pytest.approx(10 * 100 ** (0.5 / 0.6))
    assert np.isinf(n50["never"]).all()
    row = table.set_index(["architecture", "lag"]).loc[("slow", 2)]
    assert row["n50_low"] == pytest.approx(10 * 100 ** (0.08 / 0.6))
    assert row["n50_high"] == pytest.approx(10 * 100 ** (0.12 / 0.6))
    assert row[["smallest", "trained_on", "seeds"]].tolist() == [1, 1000, 3]
    assert table["architecture"].unique().tolist() == list(FAMILIES)


def test_cells_that_go_on_are_compared_with_themselves(races, table):
    longer = n50_longer(races["samples"], table).set_index(["architecture", "lag"])
    assert longer.index.tolist() == [("slow", 2), ("slow", 9)]
    assert longer.loc[("slow", 2), "n50_twice"] == pytest.approx(10 ** (0.2 / 0.4))  # 0.3 at 1 and 0.7 at 10
    assert longer["n50"].tolist() == table.set_index("architecture").loc["slow", "n50"].tolist()


def test_the_better_look_by_validation_takes_the_place_of_the_last(races):
    best = best_looks(races["samples"])
    assert sorted(best["updates"].unique()) == [5, 10, 20]
    at_race = best[best["updates"] == 10]
    assert len(at_race) == 3 * 2 * 3 * 2 and at_race["validation"].all()  # cells, lags, seeds and N


@pytest.fixture
def memory():
    return pd.DataFrame({"architecture": ["fast", "slow", "never"], "capacity_start": [1.0, 5.0, 9.0]})


def test_numbers_before_training_are_held_to_what_they_promise(table, memory):
    """Alone it can catch a sign, or a correlation of pairs that mixes cells up."""
    results = predictions(table, memory, np.random.default_rng(1)).set_index(["number", "of"])
    assert results.loc[("needed", "one lag"), "correlation"].tolist() == pytest.approx([1, 1])
    assert results.loc[("capacity", "one lag"), "correlation"].tolist() == pytest.approx([-1, -1])
    assert results.loc[("needed", "mean of lags"), "correlation"].item() == pytest.approx(1)
    pooled = results["correlation"].xs("all lags", level="of")
    assert pooled["needed less lag"] == pytest.approx(pooled["needed"] - pooled["lag"])
    assert (results["correlation_low"] <= results["correlation"] + 1e-12).all()


def test_expectations_are_judged_by_the_tables(table, memory):
    tables = {"half_learned": table, "n50_predictions": predictions(table, memory, None)}
    verdicts = judge(tables, expect())
    assert verdicts["measured"].iloc[[0, 1, 3, 4]].tolist() == pytest.approx([1, -1, 2 / 3, 3 / 4])
    assert verdicts["verdict"].tolist() == ["yes", "no", "yes", "no", "no"]


def test_the_figure_draws_what_is_beyond_the_n_as_such(table, memory, tmp_path):
    labels = {cell: cell for cell in FAMILIES}
    style = Style(list(FAMILIES), dict.fromkeys(FAMILIES, "#0173b2"), labels, 175, 7)
    rhos = predictions(table, memory, None)
    rhos["correlation"] = np.linspace(-0.9, 0.9, len(rhos))
    figure = draw({"half_learned": table, "n50_predictions": rhos}, style)
    assert_legible(figure, tmp_path)
    assert len(figure.axes) <= 6
    *panels, heat = figure.axes
    n50 = table["n50"]
    written = [text.get_text() for text in heat.texts]
    assert written.count("∞") == np.isinf(n50).sum() > 0 and written.count("≤1") == (n50 == 0).sum() > 0
    assert all(ax.get_yticklabels()[-1].get_text() == "∞" for ax in panels)
    of_needed = rhos[rhos["number"] == "needed"].set_index("of")["correlation"]
    for ax, rho in zip(panels, of_needed["one lag"], strict=True):
        assert f"ρ = {rho:.2f}" in ax.get_title(loc="left")
    assert f"(mean {of_needed['mean of lags'].item():.2f})" in panels[-1].get_title(loc="left").replace("\n", " ")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task": "recall"}, r"'comparison.sample_sizes.task' must be a contest at a delayed_sum. Got 'recall'"),
        ({"sequences": [2, 20]}, r"'comparison.sample_sizes.sequences' must be fewer than 20, the training sequences"),
        ({"seeds": 4}, r"'comparison.sample_sizes.seeds' must be at most 3, the seeds of a race. Got 4"),
        ({"longer": ["lstm"]}, r"'comparison.sample_sizes.longer' must be one of gru"),
    ],
    ids=["task", "sequences", "seeds", "longer"],
)
def test_settings_that_ask_for_no_such_training_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        check_sample_sizes({**SECTION, "sample_sizes": {**SETTINGS, **changes}})
