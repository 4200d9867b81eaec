"""Agents on a pole: published curves, how ours are averaged, table, figure and finding."""

import numpy as np
import pandas as pd
import pytest

from learnability.reinforcement.settings import PPOSettings
from learnability.report.style import Style, write_figure
from studies.attention.balancing.figures import cart_pole as figure
from studies.attention.games.cart_pole import CART_POLE, join_curves, of_last_episodes, read_published, tabulate
from studies.attention.games.played import learn_and_play
from studies.settings import runs

LABELS = {"lstm": "LSTM"}


def test_the_pole_has_one_name() -> None:
    assert CART_POLE == runs.CART_POLE


def curves_of(*lengths):
    """Agents with rollouts of 50 episodes of these mean lengths, one list an agent."""
    parts = [
        pd.DataFrame({"frames": np.arange(1, len(means) + 1) * 4096, "episodes": 50, "length": means, "seed": seed})
        for seed, means in enumerate(lengths)
    ]
    return pd.concat(parts, ignore_index=True).assign(trained_on=CART_POLE, architecture="lstm")


AGENTS = curves_of([20.0, 120.0, 160.0, 180.0], [20.0, 40.0, 60.0, 80.0])


def test_published_curves_are_those_of_ten_runs() -> None:
    curves = read_published()
    assert curves.groupby("run").size().tolist() == [100] * 10
    ends = curves[curves["frames"].isin([4096, 409_600])].groupby("run")["length"].agg(list)
    assert ends[[0, 4, 9]].tolist() == [[21.13, 187.32], [22.37, 193.8], [21.79, 194.92]]
    (row,) = tabulate(None).to_dict("records")
    assert (row["architecture"], row["runs"], row["frames"]) == ("published", 10, 409_600)
    assert [row[f"length{end}"] for end in ("", "_low", "_high")] == pytest.approx([193.71, 187.32, 196.57])
    rollouts = [row[f"frames_to_100{end}"] / 4096 for end in ("", "_low", "_high")]
    assert rollouts == [24, 21, 26]


def test_a_mean_is_of_the_last_hundred_episodes() -> None:
    generator = np.random.default_rng(0)
    rollouts = [generator.integers(1, 200, size).tolist() for size in (0, 60, 30, 20, 130, 0, 5)]
    means_of_rollouts = [np.mean(lengths or np.nan) for lengths in rollouts]
    rows = pd.DataFrame({"episodes": [len(lengths) for lengths in rollouts], "length": means_of_rollouts})
    means = of_last_episodes(rows)
    for last in range(len(rollouts)):
        parts, first = [], last
        while first >= 0 and len(parts) < 100:
            parts, first = rollouts[first] + parts, first - 1
        assert means[last] == pytest.approx(np.mean(parts) if parts else np.nan, nan_ok=True)


def test_the_table_says_when_a_pole_is_balanced_for_so_long() -> None:
    row = tabulate(AGENTS).set_index("architecture").loc["lstm"]
    assert row[["runs", "frames", "length", "length_low", "length_high"]].tolist() == [2, 16384, 120, 70, 170]
    assert row[["frames_to_100_low", "frames_to_150_low"]].tolist() == [3 * 4096, 4 * 4096]
    assert row[["frames_to_100", "frames_to_100_high", "frames_to_150_high"]].isna().all()


def test_agents_of_grids_are_left_out() -> None:
    grids = AGENTS.assign(trained_on="DoorKey-5x5")
    assert join_curves(pd.concat([AGENTS, grids])).equals(join_curves(AGENTS))
    assert tabulate(grids).equals(tabulate(None))


@pytest.mark.parametrize(
    ("curves", "has_curve"),
    [
        (AGENTS, True),
        (AGENTS[AGENTS["seed"] == 0], True),
        (AGENTS[AGENTS["seed"] == 1], True),
        (AGENTS.assign(episodes=0, length=np.nan), False),
        (None, False),
    ],
)
def test_the_figure_is_drawn_whatever_was_learned(curves, has_curve, tmp_path) -> None:
    tables = {"cart_pole": tabulate(curves)} | ({} if curves is None else {"game_curves": curves})
    style = Style(["lstm"], {"lstm": "#0173b2"}, LABELS, width_mm=180, font_size=8)
    picture = figure.draw(tables, style)
    labels = [str(line.get_label()) for line in picture.axes[0].lines]
    assert labels == ["published, an LSTM"] + ["LSTM"] * has_curve
    assert "nan" not in "".join(text.get_text() for text in picture.texts)
    write_figure(picture, tmp_path / "cart_pole.png")


def test_an_agent_of_the_pole_plays_there_alone(tmp_path) -> None:
    parameters, curve, episodes = learn_and_play(
        architecture={"cell": "lstm", "gate_init": 0.5},
        environment=CART_POLE,
        units=4,
        optimizer={"method": "adam", "learning_rate": 0.001},
        ppo=PPOSettings(environments=2, steps=64, truncation=32, standardize=True),
        frames=256,
        episodes=3,
        mission=True,
        root_seed=1,
        seed=0,
        checkpoint=tmp_path / "run.pt",
        progress=lambda row: None,
        head_units=5,
    )
    assert sorted(name for name in parameters if name.startswith("critic")) == [
        f"critic.{layer}.{kind}" for layer in ("hidden", "output") for kind in ("bias", "weight")
    ]
    assert curve["frames"].tolist() == [128, 256]
    assert episodes["on"].tolist() == ["train"] * 3
    assert episodes["return"].tolist() == pytest.approx((episodes["length"] / 100).tolist())
