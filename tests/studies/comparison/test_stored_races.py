"""Stored races, of which tables and answers are made again."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learnability.core.store import as_read, read_table
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import as_records
from learnability.report.typeset import in_markdown_by_id
from learnability.tasks import build_task
from studies.comparison.answers import INTRODUCTION, answer
from studies.comparison.learned.numbers import LINEAR_COUNT, LINEAR_FORECAST
from studies.comparison.section import sizes_of, sums_of
from studies.comparison.tables import tabulate
from studies.comparison.tuning.numbers import DROPS, LOSSES

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "results" / "reference" / "comparison"
PAGES_ARE_OF = ("performance", "overall", "longer")
KINDS = ("tried", "scores", "states", "gradients", "sizes", "samples")
CONFIG, STUDY = (load_yaml((ROOT / "config" / f"{name}.yaml").read_text()) for name in ("config", "comparison"))
COMPARISON = STUDY["comparison"]
FAMILIES = {name: family for family, members in COMPARISON["families"].items() for name in members}


@pytest.fixture(scope="module")
def races():
    return {kind: read_table(REFERENCE / f"{kind}.csv.gz") for kind in KINDS}


def test_every_cell_was_raced_at_every_task_and_size_as_the_configuration_says(races):
    race = COMPARISON["race"]
    limits = dict.fromkeys([*COMPARISON["contests"], *sums_of(COMPARISON).values()], race["parameters"])
    limits |= {contest: size for sizes in sizes_of(COMPARISON).values() for size, contest in sizes.items()}
    pairs = {(contest, cell) for contest in limits for cell in FAMILIES}
    assert set(races["sizes"][["contest", "architecture"]].itertuples(index=False, name=None)) == pairs
    largest = races["sizes"].groupby("contest")["parameters"].max()
    assert all(0.98 * limit < largest[contest] <= limit for contest, limit in limits.items())
    assert sorted(races["tried"]["rate"].unique()) == race["rates"]
    last = races["scores"][races["scores"]["updates"] == race["updates"]]
    assert (last.groupby(["contest", "architecture"])["seed"].nunique() == race["seeds"]).all()
    assert set(last["seed"]).isdisjoint(races["tried"]["seed"])


def test_every_cell_was_trained_on_fewer_sequences_as_the_configuration_says(races):
    """Alone it can catch stored trainings at another rate, number of sequences or seed than they are said to be."""
    settings, samples = COMPARISON["sample_sizes"], races["samples"]
    sizes, updates = settings["sequences"], COMPARISON["race"]["updates"]
    of_race = races["scores"][races["scores"]["contest"] == settings["task"]].groupby("architecture")
    assert set(samples["architecture"]) == set(FAMILIES)
    for name, rows in samples.groupby("architecture"):
        is_longer = name in settings["longer"]
        most = COMPARISON["tasks"][settings["task"]]["training_sequences"]
        assert sorted(rows["sequences"].unique()) == [*sizes, *([most] if is_longer else [])]
        assert sorted(rows["updates"].unique()) == [updates // 2, updates, *([2 * updates] if is_longer else [])]
        race = of_race.get_group(name)
        assert rows["rate"].unique().tolist() == race["rate"].unique().tolist()
        assert set(rows["seed"]) == set(race["seed"].unique()[: settings["seeds"]])


def test_pages_say_of_the_comparison_what_its_tables_say(races):
    """Alone it can catch advice, or a limit, that a stored table contradicts."""
    pages = {name: " ".join((ROOT / "docs" / f"{name}.md").read_text().split()) for name in ("practice", "limits")}
    performance, overall, longer = (read_table(REFERENCE / f"tables/{name}.csv") for name in PAGES_ARE_OF)
    edges = performance.groupby("contest")["edge"].sum()
    sizes = performance[performance["architecture"] == "goru"]["parameters"]
    for text in (
        f"{len(FAMILIES)} cells of at most {COMPARISON['race']['parameters']:,} parameters",
        f"{COMPARISON['race']['updates']} updates, six rates and six small tasks",
        f"{edges.sum()} of its {len(performance)} chosen rates are the smallest or the largest tried",
        f"at associative recall {edges['recall']} of {len(FAMILIES)}",
        f"GORU has {sizes.min():,} to {sizes.max():,} parameters",
    ):
        assert text in pages["limits"]
    assert (len(COMPARISON["race"]["rates"]), len(COMPARISON["contests"])) == (6, 6)

    def best(contest, count):
        return set(performance[performance["contest"] == contest].nsmallest(count, "rank")["architecture"])

    means, loss = overall.set_index("architecture")["score"], longer.groupby("architecture")[["longer", "lost"]].mean()
    heart = performance[performance["contest"] == "heart"].set_index("architecture")
    selective, counting = (
        performance[performance["contest"] == contest].set_index("architecture")["score"]
        for contest in ("selective", "count")
    )
    orthogonal, close = {"orth_rnn", "exp_rnn"}, {"lmu", "rnn"}
    ungated = ["lru", "s4d", "lmu", "rnn", "exp_rnn", "const_gate"]
    for advice, is_so in {
        "the LSTM has the highest mean score over six tasks, 0.79, if its gates start at 0.05": means.idxmax()
        == "lstm_slow"
        and f"{means.max():.2f}" == "0.79",
        f"the GRU's mean from {means['gru']:.2f} to {means['gru_slow']:.2f}": means["gru_slow"] < means["gru"],
        "orthogonal RNNs (orth-RNN, expRNN); LMU and the plain RNN close behind, at images S4D as well": best("sum", 4)
        == orthogonal | close
        and best("sum", 2) == best("digits", 2) == orthogonal
        and best("digits", 5) == orthogonal | close | {"s4d"},
        "GRU, sLSTM, slow LSTM; cells without a gate that depends on the input mostly fail: LRU, S4D, LMU, "
        "the plain RNN, expRNN, ConstGate": best("count", 3) == {"gru", "slstm", "lstm_slow"}
        and (counting[ungated] < 0.4).all(),
        "orth-RNN, and 13 others that are too near to tell": best("heart", 1) == {"orth_rnn"}
        and (heart["score_high"] >= heart["score_low"][heart["score"].idxmax()]).sum() == 14,
        "slow GRU, GORU; DiagGate, slow LSTM and GRU score less, but differ between seeds; the LSTM, SharedGate "
        "and CfC fail": best("selective", 2) == {"gru_slow", "goru"}
        and best("selective", 5) == {"gru_slow", "goru", "diag_gate", "lstm_slow", "gru"}
        and (selective[["lstm", "shared_gate", "cfc"]] < 0.15).all(),
        "slow LSTM, mLSTM, chrono LSTM, Mamba": best("recall", 4) == {"lstm_slow", "mlstm", "chrono_lstm", "mamba"},
        "GRU, slow LSTM and GORU score highest; the LSTM loses least": set(loss["longer"].nlargest(3).index)
        == {"gru", "lstm_slow", "goru"}
        and loss["lost"].idxmin() == "lstm",
    }.items():
        assert advice in pages["practice"]
        assert is_so, advice


def test_stored_tables_and_answers_are_made_of_the_stored_races(races):
    """Alone it can catch a table, or a sentence on the page, that is not what the stored races say.

    Sums of another processor differ in the last digits that are stored.
    """
    trained_on = {name: COMPARISON["tasks"][name]["training_sequences"] for name in COMPARISON["contests"]}
    tables = tabulate(races, FAMILIES, trained_on, sizes_of(COMPARISON), sums_of(COMPARISON), CONFIG["root_seed"])
    reference = {name: read_table(REFERENCE / "tables" / f"{name}.csv") for name in tables}
    for name, table in tables.items():
        pd.testing.assert_frame_equal(as_read(table), reference[name], rtol=1e-7, atol=1e-9, obj=name)
    labels = in_markdown_by_id(CONFIG["figures"]["labels"] | STUDY["figures"]["labels"])
    records = json.loads(json.dumps(as_records(INTRODUCTION, answer(reference, labels, sentences=True))))
    assert records == json.loads((REFERENCE / "findings.json").read_text(encoding="utf-8"))


def test_a_linear_regression_forecasts_the_heartbeat_as_the_page_says() -> None:
    """Alone it can catch a reference that is of another horizon, or of other sequences, than networks are."""
    settings = COMPARISON["tasks"]["heart"]
    task = build_task(settings, CONFIG["root_seed"], 0)
    parts = []
    for split, number in (("training", "training_sequences"), ("diagnostic", "test_sequences")):
        inputs, targets, *_ = task.generate(split, settings[number])
        past = np.pad(inputs[..., 0].astype(float), ((0, 0), (task.duration - 1, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(past, task.duration, axis=1).reshape(-1, task.duration)
        parts.append((np.pad(windows, ((0, 0), (0, 1)), constant_values=1), targets.astype(float).ravel()))
    (x, y), (test_x, test_y) = parts
    errors = test_x @ np.linalg.lstsq(x, y)[0] - test_y
    assert round(1 - np.square(errors).mean() / np.square(test_y).mean(), 2) == LINEAR_FORECAST


def test_a_linear_regression_counts_as_the_page_says() -> None:
    """Alone it can catch a reference that is not of the sequences of the races."""
    settings = COMPARISON["tasks"]["count"]
    task = build_task(settings, CONFIG["root_seed"], 0)
    (x, y), (test_x, test_y) = (
        (np.pad(inputs.reshape(number, -1), ((0, 0), (0, 1)), constant_values=1), targets[:, -1])
        for number in (settings["training_sequences"], settings["test_sequences"])
        for inputs, targets, *_ in [task.generate("training" if number == 2000 else "diagnostic", number)]
    )
    answers = np.rint(test_x @ np.linalg.lstsq(x, y)[0]).clip(0, task.most)
    guess = 1 / (task.most + 1)
    assert round(((answers == test_y).mean() - guess) / (1 - guess), 2) == LINEAR_COUNT


def test_losses_that_another_seed_judges_are_as_the_page_says(races) -> None:
    """Alone it can catch a seed that is scored where it chose, or a rate that is the best of both."""
    labels = CONFIG["figures"]["labels"] | STUDY["figures"]["labels"]
    last = races["tried"][races["tried"]["updates"] == COMPARISON["race"]["updates"]]
    last = last[last["contest"].isin(COMPARISON["contests"])]
    race = ["contest", "architecture"]
    scores = last.assign(score=last["score"].fillna(0).clip(lower=0)).pivot(index=[*race, "rate"], columns="seed")
    scores = scores["score"]
    judged = [
        (scores.loc[scores[chooser].groupby(race).idxmax(), judge].groupby(race).mean(), scores[judge])
        for chooser, judge in ((0, 1), (1, 0))
    ]
    losses = sum(best - of_rates.groupby(race).mean() for best, of_rates in judged) / 2
    by_cell = losses.groupby("architecture").mean().rename(index=labels)
    assert {name: round(by_cell[name], 2) for name in LOSSES} == LOSSES
    assert by_cell.idxmax() == "DiagGate"
    drops = scores.mean(axis=1).groupby(race).max() - sum(best for best, _ in judged) / 2
    by_task = drops.groupby("contest").mean()
    assert {task: round(by_task[task], 2) for task in DROPS} == DROPS


def test_the_introduction_has_the_scale_of_the_configuration() -> None:
    race, text = COMPARISON["race"], " ".join(INTRODUCTION.split())
    assert f"{race['parameters']:,} parameters and {race['updates']} updates of {race['batch_size']} sequences" in text
    assert (len(race["rates"]), race["tried"], race["seeds"]) == (6, 2, 5)
    assert "the best of six by two seeds, and five fresh seeds" in text
