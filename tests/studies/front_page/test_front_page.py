"""The picture of the front page: what its tables say, and that the stored one is what stored tables draw."""

from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

from learnability.core.store import read_json, read_table
from learnability.networks.network import Network, hidden_units
from learnability.networks.weights import read_weights
from learnability.report.style import write_figure
from learnability.tasks import build_task
from studies.front_page.picture import FEWEST, GRID, HEIGHT, IDS, RECALL_LOOKS, WIDTH, draw

REFERENCE = Path(__file__).parents[3] / "results" / "reference"
TABLES = {
    "transport": REFERENCE / "learnability_window" / "tables" / "transport_by_lag.csv",
    "half_learned": REFERENCE / "ground_truth" / "tables" / "half_learned.csv",
    "transfer": REFERENCE / "attention" / "tables" / "copy_transfer.csv",
}


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return {name: read_table(path) for name, path in TABLES.items()}


def test_the_stored_picture_is_what_the_stored_tables_draw(tables: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    with mpl.rc_context():
        mpl.rcdefaults()  # a study's figures, drawn before in this process, change settings for all
        write_figure(draw(**tables), tmp_path / "drawn.png")
    with Image.open(tmp_path / "drawn.png") as picture, Image.open(REFERENCE / "front_page.png") as reference:
        assert picture.size == reference.size == (WIDTH, HEIGHT)
        difference = np.abs(np.asarray(picture.convert("L"), int) - np.asarray(reference.convert("L"), int))
    assert (difference > 64).mean() < 0.002  # letters may be rendered a little differently


def test_panels_show_what_is_in_the_tables(tables: dict[str, pd.DataFrame]) -> None:
    transport, sequences, recall = draw(**tables).axes
    first_order = tables["transport"].query("optimizer == 'adamw' and architecture == 'ConstGate'")["first_order"]
    assert any(np.array_equal(line.get_ydata(), first_order) for line in transport.lines)
    low, high = transport.get_ylim()
    assert low < first_order.min() and high > tables["transport"]["exact"].max()
    rows = tables["half_learned"].query(f"grid == '{GRID}' and updates == 6000").set_index(["architecture", "lag"])
    curves = [line.get_ydata() for line in sequences.lines]
    for name in IDS:
        assert any(np.array_equal(values, rows.loc[name, "n50"].sort_index()) for values in curves)
    ends = np.concatenate([part.get_segments() for part in sequences.collections])[..., 1]
    least, most = (np.sort(ends[:, side]) for side in (0, 1))
    np.testing.assert_allclose(most, np.sort(rows.loc[list(IDS), "n50_high"]))
    np.testing.assert_allclose(least, np.sort(rows.loc[list(IDS), "n50_low"].clip(lower=FEWEST)))
    shares = read_table(REFERENCE / "ground_truth" / "tables" / "learned_share.csv").columns.str.removeprefix("N = ")
    assert min(int(size) for size in shares if size.isdigit()) == FEWEST
    assert sequences.get_ylim()[1] > most.max()
    curves = [line.get_ydata() for line in recall.lines]
    for name in RECALL_LOOKS:
        part = tables["transfer"].query(f"architecture == {name!r} and finite > 0").sort_values("delay")
        assert any(np.array_equal(values, part["measured"]) for values in curves)


def answers_of(architecture: str, delay: int, count: int) -> tuple[torch.Tensor, np.ndarray]:
    """Last hidden units, and answers where symbols are asked for, in the single precision of trainings."""
    run = REFERENCE / "attention" / "models" / "copy_100" / architecture / "seed0"
    provenance = read_json(run / "provenance.json")
    task = replace(build_task(provenance["task"], provenance["root_seed"], provenance["seed"]), delay=delay)
    network = Network.for_task(provenance["architecture_settings"], task, **provenance["network"])
    parameters = {name: value.float() for name, value in read_weights(run / "weights.safetensors").items()}
    sequences = task.generate("diagnostic", count)
    hidden = hidden_units(network.cell, parameters, torch.from_numpy(sequences.inputs))
    return hidden[:, -1], network.read_out(parameters, hidden).argmax(-1).numpy()[sequences.scored]


def test_recall_below_chance_level_is_of_blanks_and_of_states_that_overflow() -> None:
    """Alone it can catch a page that explains recall below chance level by what networks do not do."""
    table = read_table(TABLES["transfer"]).set_index(["architecture", "delay"])
    assert table.loc[("orth_rnn", 5000), "high"] == 0
    last, answers = answers_of("orth_rnn", 5000, 2)
    assert not torch.isfinite(last).any() and (answers == 0).all()
    assert table.loc[("exp_rnn", 400), "measured"] < table.loc[("exp_rnn", 400), "chance"]
    last, answers = answers_of("exp_rnn", 400, 10)
    assert torch.isfinite(last).all() and (answers == 0).mean() > 0.5
