"""Agents in MiniGrid: tables against what is put in, the paper's, figure and finding."""

import numpy as np
import pandas as pd
import pytest

from learnability.reinforcement.grids import grid_names
from learnability.reinforcement.settings import PPOSettings
from learnability.report.style import Style, write_figure
from studies.attention.games.paper import TESTED_ON, paper_returns
from studies.attention.games.played import learn_and_play
from studies.attention.larger_grids.figures import games as figure
from studies.attention.larger_grids.tables import tabulate

LABELS = {"lstm": "LSTM", "mem_lstm": "MemLSTM", "rel_lstm": "RelLSTM"}


def episodes_of(grid, architecture, seed, train, test):
    rows = [("train", total) for total in train] + [("test", total) for total in test]
    names = {"trained_on": grid, "architecture": architecture, "seed": seed}
    return pd.DataFrame(rows, columns=["on", "return"]).assign(length=5, **names)


EPISODES = pd.concat(
    [
        episodes_of("DoorKey-5x5", "rel_lstm", 0, [0.9, 0.9], [0.5, 0.0]),
        episodes_of("DoorKey-5x5", "rel_lstm", 1, [0.7, 0.9], [0.1, 0.2]),
        episodes_of("RedBlueDoors-6x6", "lstm", 0, [0.0, 0.0], [0.0, 0.4]),
    ]
)
CURVES = pd.DataFrame(
    {
        "trained_on": ["DoorKey-5x5"] * 4 + ["RedBlueDoors-6x6"] * 2,
        "architecture": ["rel_lstm"] * 4 + ["lstm"] * 2,
        "seed": [0, 0, 1, 1, 0, 0],
        "frames": [10, 20, 10, 20, 10, 20],
        "return": [0.1, 0.9, np.nan, 0.8, 0.0, np.nan],
    }
)
MEASUREMENTS = {"episodes": EPISODES, "game_curves": CURVES}


def test_a_row_has_means_over_seeds_beside_the_paper() -> None:
    table = tabulate(MEASUREMENTS, {})["games"].set_index(["trained_on", "architecture"])
    row = table.loc[("DoorKey-5x5", "rel_lstm")]
    assert row["tested_on"] == "DoorKey-16x16"
    assert row[["frames", "seeds", "train_paper", "test_paper"]].tolist() == [20, 2, 0.93, 0.44]
    means = row[["train", "train_success", "test", "test_success"]].tolist()
    assert means == pytest.approx([0.85, 1, 0.2, 0.75])
    assert table.loc[("RedBlueDoors-6x6", "lstm"), ["train_paper", "test_paper"]].isna().all()
    gap = table.loc[("DoorKey-5x5", "mem_lstm")]
    assert gap[["train", "test", "frames"]].isna().all() and gap["seeds"] == 0
    assert len(table) == 13 and list(dict.fromkeys(table.index.get_level_values(0))) == list(TESTED_ON)


def test_without_agents_the_table_is_that_of_the_paper() -> None:
    table, expected = tabulate({}, {})["games"], paper_returns()
    assert table[["train", "test", "frames"]].isna().all(axis=None)
    pairs = table.merge(expected, on=["trained_on", "tested_on", "architecture"], suffixes=("", "_expected"))
    assert len(pairs) == len(table) == 12
    assert (pairs["train_paper"] == pairs["train_paper_expected"]).all()


def test_the_grids_of_the_paper_exist() -> None:
    assert {*TESTED_ON, *TESTED_ON.values()} <= set(grid_names())


@pytest.mark.parametrize("measurements", [MEASUREMENTS, {}, {"episodes": EPISODES.iloc[:4], "game_curves": CURVES[:2]}])
def test_the_figure_is_drawn_whatever_was_played(measurements, tmp_path) -> None:
    tables = measurements | tabulate(measurements, {})
    colours = dict(zip(LABELS, ("#0173b2", "#de8f05", "#015f46"), strict=True))
    style = Style(list(LABELS), colours, LABELS, width_mm=180, font_size=8)
    write_figure(figure.draw(tables, style), tmp_path / "games.png")
    assert (tmp_path / "games.png").stat().st_size > 5000


def test_a_panel_counts_the_agents_that_have_learned_the_small_grid() -> None:
    """An agent at 90 % of the episodes has; one that was not trained is none."""
    grids, shares = ["DoorKey-5x5"] * 3 + ["RedBlueDoors-6x6"] * 3, [0.9, 0.89, 0.1, 0.2, np.nan, 0.2]
    table = pd.DataFrame({"trained_on": grids, "architecture": [*LABELS, *LABELS], "train_success": shares})
    table = table.assign(train=table["train_success"], train_paper=0.5)
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    panels = figure.draw({"games": table, "game_curves": CURVES}, style).axes
    texts = ["1 of 3 learned\n(success 10 to 90 %)", "0 of 2 learned\n(success 20 %)"]
    assert [text.get_text() for ax in panels for text in ax.texts] == texts


def test_an_agent_learns_on_one_grid_and_plays_on_two(tmp_path) -> None:
    parameters, curve, episodes = learn_and_play(
        architecture={"cell": "lstm", "gate_init": 0.5},
        environment="GoToDoor-5x5",
        units=4,
        optimizer={"method": "adam", "learning_rate": 0.001},
        ppo=PPOSettings(environments=2, steps=8, truncation=4),
        frames=40,
        episodes=3,
        mission=False,
        root_seed=1,
        seed=0,
        checkpoint=tmp_path / "run.pt",
        progress=lambda row: None,
    )
    assert curve["frames"].tolist() == [16, 32]
    assert episodes["on"].tolist() == ["train"] * 3 + ["test"] * 3
    assert parameters["W_g"].shape == (4, 980) and parameters["w"].shape == (8, 4)
