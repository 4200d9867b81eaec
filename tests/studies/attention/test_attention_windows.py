"""Windows with attention and without: tables against what is put in, the answer either way, and the figure."""

import numpy as np
import pandas as pd
import pytest

from learnability.report.style import Style, write_figure
from studies.attention.detected_first.figures import attention_detected, attention_training
from studies.attention.widening.figures import attention_windows
from studies.attention.window_tables import tabulate

TASK, LAGS = {4: 0.4, 16: 0.4}, [4, 8, 16]
WITHOUT, WITH = ["rnn", "exp_rnn"], ["mem_rnn", "rel_rnn"]
LABELS = {name: name.upper() for name in [*WITHOUT, *WITH]}
TRAINED_ON = 100


def world(shares, exponents, alpha=1.6, permuted_exponent=np.inf, seeds=(0, 1)):
    """Tables of measurements in which every network learns a share of each lag, and needs 10^`exponents` sequences.

    Args:
        shares, exponents: by architecture; of the shares those at the two lags of the task, at the end.
    """
    windows, responses = [], []
    for name, of_lags in shares.items():
        for seed in seeds:
            run = {"experiment": "dense", "architecture": name, "seed": seed, "units": 8, "parameters": 99}
            run["trained_on"] = TRAINED_ON
            for epoch in (0, 1, 5):
                run["epoch"] = epoch
                for control, exponent in (("none", exponents[name]), ("permuted_errors", permuted_exponent)):
                    size = {f"log_sample_complexity{end}": np.log(10) * exponent for end in ("", "_low", "_high")}
                    scale = {f"noise_scale{end}": 10.0**exponent for end in ("", "_low", "_high")}
                    common = {"control": control, "noise": "total", "alpha": alpha, "sequences": 32}
                    windows += [run | common | size | scale | {"lag": lag} for lag in LAGS]
                for lag, share in zip(TASK, of_lags, strict=True):
                    r = TASK[lag] * share * (epoch == 5)
                    ends = {"response": r, "response_low": r - 0.02, "response_high": r + 0.02}
                    responses.append(run | ends | {"lag": lag, "coefficient": TASK[lag]})
                responses.append(run | {"lag": 8, "coefficient": 0.0, "response": 0.3})
    return tabulate(pd.DataFrame(windows), pd.DataFrame(responses))


EXPONENTS = {"rnn": 5.0, "exp_rnn": 1.0, "mem_rnn": 3.0, "rel_rnn": 1.5}
WIDER = {"rnn": (0.9, 0.0), "exp_rnn": (0.2, 0.0), "mem_rnn": (0.9, 0.8), "rel_rnn": (0.9, 0.6)}


@pytest.fixture
def tables():
    return world(WIDER, EXPONENTS)


def test_reach_is_the_longest_lag_of_the_task(tables):
    reach = tables["attention_reach"].set_index("architecture")
    assert reach["start"].to_dict() == {"rnn": 0, "exp_rnn": 16, "mem_rnn": 0, "rel_rnn": 16}
    assert reach["learned"].to_dict() == {"rnn": 4, "exp_rnn": 0, "mem_rnn": 16, "rel_rnn": 16}
    assert reach["share"].to_dict() == pytest.approx({name: np.mean(of_lags) for name, of_lags in WIDER.items()})
    assert (reach["seeds"] == 2).all() and (reach["trained_on"] == TRAINED_ON).all() and (reach["false"] == 0).all()


def test_lags_have_their_shares_at_the_end_and_those_off_the_task_have_none(tables):
    rows = tables["attention_windows"]
    start, end = (rows[(rows["architecture"] == "mem_rnn") & (rows["epoch"] == epoch)] for epoch in (0, 5))
    assert end["lag"].tolist() == LAGS and end["share"].tolist() == pytest.approx([0.9, np.nan, 0.8], nan_ok=True)
    assert start["needed"].tolist() == pytest.approx([3, 3, 3])
    assert np.isinf(rows["permuted"]).all() and set(rows["epoch"]) == {0, 5}


def test_contrasts_have_the_errors_of_both(tables):
    rows = tables["attention_widens"].set_index(["with", "without"])
    assert list(rows["kind"]) == ["same cell"] * 2 + ["keeps its gradient"] * 2
    row = rows.loc[("mem_rnn", "rnn")]
    half = np.hypot(*[0.05 / np.sqrt(2)] * 2)  # 0.02 / 0.4, of the mean of two lags, of two networks
    assert row[["share", "share_low", "share_high"]].tolist() == pytest.approx([0.4, 0.4 - half, 0.4 + half])
    assert row[["noise", "noise_low", "noise_high"]].tolist() == pytest.approx([-2] * 3)


def test_where_tails_are_too_heavy_no_size_is_told():
    tables = world(WIDER, EXPONENTS, alpha=1.1)
    assert tables["attention_windows"]["needed"].isna().all() and (tables["attention_windows"]["heavy"] == 2).all()
    assert tables["attention_reach"][["start", "end", "ever"]].isna().all(axis=None)
    assert tables["attention_windows"]["noise_scale"].notna().all()


def test_false_windows_are_counted():
    assert (world(WIDER, EXPONENTS, permuted_exponent=1.0)["attention_reach"]["false"] == 1).all()


def test_the_figure_has_networks_with_and_without_attention(tables, tmp_path):
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    figure = attention_windows.draw(tables, style)
    write_figure(figure, tmp_path / "figure.png")
    panels = [[line.get_label() for line in ax.lines if not line.get_label().startswith("_")] for ax in figure.axes]
    assert [set(labels) for labels in panels] == [{"RNN", "EXP_RNN", "MEM_RNN", "REL_RNN"}] * 2


def test_a_lag_beyond_the_edge_is_a_hollow_mark_there(tmp_path):
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    panel, _ = attention_windows.draw(world(WIDER, EXPONENTS | {"rnn": np.inf}), style).axes
    hollow = [line for line in panel.lines if line.get_marker() == ">" and len(line.get_xdata())]
    assert [line.get_xdata().tolist() for line in hollow] == [[10.0 ** attention_windows.EDGES[1]] * len(TASK)]


def test_what_is_detected_and_learned_is_told_epoch_by_epoch_and_in_order():
    """Two seeds: N̂ = 10^1.8 from the start on, more than the 32 that are measured, or 10^9; r/c at the end."""
    tables = world({"rnn": (0.9, 0.0), "rel_rnn": (0.6, 0.2)}, {"rnn": 1.8, "rel_rnn": 9.0}, permuted_exponent=1.0)
    by_epoch = tables["attention_training"].set_index(["architecture", "epoch"])
    assert by_epoch.loc["rnn", "detected"].tolist() == [1, 1, 1]
    assert by_epoch.loc["rel_rnn", "detected"].tolist() == [0, 0, 0]
    assert by_epoch.loc["rel_rnn", "share"].tolist() == pytest.approx([0, 0, 0.4])
    order = tables["attention_order"].set_index(["architecture", "N", "share"])
    counts = ["lags", "learned", "detected before", "same", "after", "detected, not learned", "detected by chance"]
    assert order.loc[("rnn", TRAINED_ON, 0.1), counts].tolist() == [4, 2, 2, 0, 0, 2, 4]
    assert order.loc[("rnn", 32, 0.1), counts].tolist() == [4, 2, 0, 0, 2, 0, 4]
    assert order.loc[("rel_rnn", TRAINED_ON, 0.1), counts].tolist() == [4, 4, 0, 0, 4, 0, 4]
    assert order.loc[("rel_rnn", TRAINED_ON, 0.5), counts].tolist() == [4, 2, 0, 0, 2, 0, 4]
    assert (order["learned at the start"] == 0).all()


@pytest.mark.parametrize("module", [attention_training, attention_detected])
def test_figures_of_windows_through_training_render(module, tables, tmp_path):
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    figure = module.draw(tables, style)
    write_figure(figure, tmp_path / "figure.png")
    assert len(figure.axes) == 2
