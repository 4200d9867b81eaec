"""Learning rates: tables against shares that are put in, the answer either way, and the figure."""

import pandas as pd
import pytest

from learnability.report.style import Style, write_figure
from studies.attention.at_best_rates.figures import attention_rates
from studies.attention.at_best_rates.tables import tabulate

LABELS = {name: name.upper() for name in ("rnn", "exp_rnn", "rel_rnn")}
NOISE_SD, VARIANCE = 0.5, 1.25
RATES = {"sum": 0.001, "sum_rate_0.01": 0.01}


def world(shares, diverged_architectures=()):
    """Tables of curves at whose end a share is explained, 0.01 more by the second seed.

    Args:
        shares: by architecture, at each of the rates.
        diverged_architectures: architectures whose training with the second seed ends early at the larger rate.
    """
    curves, runs = [], []
    for architecture, of_rates in shares.items():
        for (experiment, rate), share in zip(RATES.items(), of_rates, strict=True):
            for seed in (0, 1):
                run = {"experiment": experiment, "architecture": architecture, "seed": seed}
                runs.append(run | {"name": "sum", "rate": rate, "noise_sd": NOISE_SD})
                last = 2 if architecture in diverged_architectures and seed and rate == max(RATES.values()) else 5
                for epoch, r_squared in ((0, -1), (last, share + 0.01 * seed)):
                    loss = VARIANCE - r_squared * (VARIANCE - NOISE_SD**2)
                    curves.append(run | {"epoch": epoch, "validation_loss": loss, "r_squared": 1 - loss / VARIANCE})
    return tabulate({"rated": pd.DataFrame(curves[::-1])}, {"rated": runs})


HELPS = {"rnn": (0.2, 0.5), "exp_rnn": (0.9, 0.1), "rel_rnn": (0.8, 0.4)}


def test_shares_are_those_of_what_can_be_explained_and_the_best_rate_has_most():
    table = world(HELPS)["attention_rates"].set_index(["architecture", "rate"])
    for architecture, shares in HELPS.items():
        for rate, share in zip(RATES.values(), shares, strict=True):
            row = table.loc[(architecture, rate)]
            assert row[["share", "low", "high"]].tolist() == pytest.approx([share + 0.005, share, share + 0.01])
            assert row["best"] == (share == max(shares)) and row["seeds"] == 2
    assert set(world(HELPS)["attention_rates"]["experiment"]) == {"sum"}


def test_networks_are_compared_each_at_its_best_rate():
    rows = world(HELPS)["attention_best_rates"].set_index(["with", "without"])
    assert list(rows["kind"]) == ["same cell", "keeps its gradient"]
    row = rows.loc[("rel_rnn", "rnn")]
    assert row[["rate", "rate_without", "seeds"]].tolist() == [0.001, 0.01, 2]
    assert row[["share", "share_low", "share_high"]].tolist() == pytest.approx([0.3] * 3)
    assert rows.loc[("rel_rnn", "exp_rnn"), "share"] == pytest.approx(-0.1)


def test_a_rate_at_which_training_diverges_is_not_the_best():
    tables = world(HELPS, diverged_architectures=["rnn"])
    table = tables["attention_rates"].set_index(["architecture", "rate"])
    assert table["diverged"].to_dict() == {row: int(row == ("rnn", 0.01)) for row in table.index}
    assert table.loc[("rnn", 0.001), "best"] and table.loc[("rnn", 0.01), "share"] == pytest.approx(0.505)
    row = tables["attention_best_rates"].set_index("without").loc["rnn"]
    assert row[["rate_without", "share"]].tolist() == pytest.approx([0.001, 0.6])


def test_the_figure_has_networks_with_attention_beside_those_without(tmp_path):
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    figure = attention_rates.draw(world(HELPS), style)
    write_figure(figure, tmp_path / "figure.png")
    panels = [[line.get_label() for line in ax.lines] for ax in figure.axes]
    panels = [[label for label in labels if label != "_"] for labels in panels]
    assert panels == [["RNN", "EXP_RNN"], ["REL_RNN"]]
    alone = attention_rates.draw(world({"rnn": (0.1, 0.2)}), style)
    assert [text.get_text() for text in alone.axes[1].texts] == ["No such network."]
