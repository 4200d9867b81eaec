"""Gradients before training: tables against laws that are put in, figures, and what is stored."""

import numpy as np
import pandas as pd
import pytest
import torch

from learnability.networks.network import Network, states_of
from learnability.report.style import Style, write_figure
from learnability.tasks import build_task
from studies.attention.arriving.figures import gradient_norms
from studies.attention.backward import measure_costs, measure_norms
from studies.attention.before_training import tabulate
from studies.attention.costs.figures import backward_costs

STEPS = np.array([20, 40, 80, 160])
LAWS = {"line": 3.0 * STEPS + 50, "square": 2.0 * STEPS**2, "mixed": STEPS**2 + 160.0 * STEPS}
NAMES = {name: name for name in LAWS}


@pytest.fixture
def tables() -> dict[str, pd.DataFrame]:
    costs = [
        pd.DataFrame({"steps": STEPS, "seconds": law / 1e6, "kept": law, "peak": np.append(0, law[1:])}).assign(
            architecture=name
        )
        for name, law in LAWS.items()
    ]
    back = np.arange(101)
    norms = [
        pd.DataFrame({"back": back, "log_norm": slope * back - 1, "lowest": slope * back - 2, "highest": slope * back})
        for slope in (-0.1, 0.0, 0.02)
    ]
    norms = pd.concat([rows.assign(architecture=name) for rows, name in zip(norms, LAWS, strict=True)])
    return tabulate(norms, pd.concat(costs)) | {"norms": norms}


def test_growth_is_the_law_that_is_put_in(tables):
    growth = tables["backward_growth"].set_index("architecture")
    for cost in ("kept", "seconds"):
        assert growth[f"exponent_{cost}"].to_dict() == pytest.approx(
            {"line": np.log2(530 / 290), "square": 2, "mixed": np.log2(320 / 120)}
        )
        assert growth[f"square_{cost}"].to_dict() == pytest.approx({"line": 0, "square": 1, "mixed": 0.5}, abs=1e-6)
    assert growth[["exponent_peak", "square_peak"]].isna().all(axis=None)


def test_norms_are_read_at_quarters_of_the_way_back(tables):
    rows = tables["gradient_norms"].set_index("architecture")
    quarters = ["back_1_25", "back_26_50", "back_51_75", "back_76_99"]
    assert rows.columns.tolist() == ["last_step", *quarters, "first"]
    assert rows.loc["line"].tolist() == pytest.approx([-1, -1.3, -3.8, -6.3, -8.75, -10])


def test_figures_render(tables, tmp_path):
    style = Style(list(LAWS), dict.fromkeys(LAWS, "#0173b2"), NAMES, width_mm=175, font_size=7)
    figures = gradient_norms.draw(tables, style), backward_costs.draw(tables, style)
    for figure in figures:
        write_figure(figure, tmp_path / "figure.png")
        assert figure.get_suptitle()
        assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)


def test_networks_are_measured():
    norms = measure_norms({"cell": "rel_rnn"}, units=4, delay=15, sequences=3, root_seed=1, seeds=[0, 1])
    assert norms["back"].tolist() == list(range(35)) and np.isfinite(norms.to_numpy()).all()
    assert (norms["lowest"] <= norms["log_norm"]).all() and (norms["log_norm"] <= norms["highest"]).all()
    again = measure_norms({"cell": "rel_rnn"}, units=4, delay=15, sequences=3, root_seed=1, seeds=[0, 1])
    pd.testing.assert_frame_equal(norms, again)
    costs = measure_costs({"cell": "rnn"}, units=4, delays=[15, 30], batch_size=2, repeats=1, root_seed=1)
    assert costs["steps"].tolist() == [35, 50] and (costs[["kept", "seconds", "training_seconds"]] > 0).all(axis=None)


@pytest.mark.parametrize("cell, growth", [("rel_rnn", 1e10), ("mem_rnn", 1e7)])
def test_under_modrelu_the_sum_of_state_and_context_explodes(cell: str, growth: float) -> None:
    def largest(nonlinearity: str, mix: str) -> float:
        network = Network.for_task({"cell": cell, "nonlinearity": nonlinearity, "mix": mix}, task, 128, True)
        states = states_of(network.cell, network.initial_parameters(0, 0), inputs)
        return max(float(network.cell.output(state).norm(dim=-1).max()) for state in states)

    task = build_task({"name": "denoise", "delay": 100}, 0, 0)
    inputs = torch.as_tensor(task.generate("validation", 3).inputs).double()
    assert largest("modrelu", "sum") > growth
    assert max(largest("modrelu", "mean"), largest("tanh", "sum"), largest("tanh", "mean")) < 10
