"""Windows under changed options equal those of the workflow's own path, option by option."""

import pandas as pd
import pytest
import torch

from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.transport import ENGINES
from learnability.windows.readings import Reading
from learnability.windows.sensitivity import CROSSED, CROSSED_BASE, DIRECTIONS, Sensitivity, changed, changes
from learnability.windows.statistic import matched_statistic
from learnability.windows.windowing import estimate_window, find_window, lags_of, measured_window
from paper_scale import CONFIG

WINDOW = {**CONFIG["window"], "draws": 100, "sample_sizes": [25, 400, 12_800]}
LAGS, FURTHER, ROOT_SEED, RATE = [1, 2, 4], [6, 9], 4, 0.01
READINGS = [name for name in CONFIG["readings"] if name != "published_code_later"]
"""All but one: it is `published_code` with draws of `gradient_step`, whose code is varied anyway."""


@pytest.fixture(scope="module")
def sensitivity():
    network = Network.build({"cell": "gru", "gate_init": 0.3}, 2, hidden_size=3, readout_bias=False)
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(40, 14, 2, generator=generator, dtype=torch.float64)
    y = torch.randn(40, 14, generator=generator, dtype=torch.float64) + x[..., 0]
    parameters = {name: tensor.double() for name, tensor in network.initial_parameters(ROOT_SEED, 0).items()}
    return Sensitivity(
        frozen=Frozen(network, parameters, x, y),
        lags=LAGS,
        further_lags=FURTHER,
        window=WINDOW,
        base_rate=RATE,
        root_seed=ROOT_SEED,
        seed=0,
        engine=ENGINES["torch"](),
    )


@pytest.fixture(scope="module")
def variations(sensitivity):
    """Windows under changed and crossed options, of each reading once."""
    return {name: sensitivity.vary(CONFIG["readings"][name]) for name in READINGS}


def directly(sensitivity, parts, directions=1):
    """The same by the path of the workflow."""
    reading = Reading.of(parts, WINDOW, directions=directions)
    lags = lags_of(reading.statistic, LAGS, FURTHER)
    return matched_statistic(sensitivity.frozen, lags, RATE, ROOT_SEED, reading.statistic, sensitivity.engine), reading


@pytest.mark.parametrize("name", READINGS)
def test_each_change_gives_the_window_of_a_reading_so_changed(sensitivity, variations, name):
    parts = CONFIG["readings"][name]
    table = variations[name][0].set_index(["option", "value"])
    columns = ["horizon", "horizon_low", "horizon_high"]
    for part, option, value in [("statistic", "as named", ""), *changes(parts, WINDOW)]:
        reading_parts = parts if option == "as named" else changed(parts, (part, option, value))
        by_workflow = find_window if option == "as named" else estimate_window  # the same but for checks
        window = by_workflow(*directly(sensitivity, reading_parts), ROOT_SEED, 0)["window"]
        expected = window[window["chosen"]]
        rows = table.loc[[(option, str(value))]]
        assert rows["horizon"].tolist() == expected["horizon"].tolist(), option
        if reading_parts["noise"]["estimator"] == "mcculloch":
            assert rows[columns].to_numpy().tolist() == expected[columns].to_numpy().tolist(), (option, value)
        else:
            assert rows["horizon_low"].isna().all()


def test_directions_are_those_of_a_reading_with_several(sensitivity, variations):
    parts = CONFIG["readings"]["gradient_step"]
    statistic, reading = directly(sensitivity, parts, DIRECTIONS)
    window = measured_window(statistic, reading, ROOT_SEED, 0)
    table = variations["gradient_step"][0]
    for number in range(1, DIRECTIONS):
        expected = window[window["chosen"] & (window["direction"] == number)]["horizon"].tolist()
        rows = table[(table["option"] == "direction") & (table["value"] == str(number + 1))]
        assert rows["horizon"].tolist() == expected


@pytest.mark.parametrize("name", ["paper", "gradient_step"])
def test_crossed_options_give_the_windows_of_readings_so_set(sensitivity, variations, name):
    parts = CONFIG["readings"][name]
    table = variations[name][1]
    assert len(table) == 2 ** len(CROSSED) * 3 * 3  # three closed criteria, three N
    values = {option: choices[-1] for option, choices in CROSSED.items()}
    last = changed(parts, *CROSSED_BASE, *((*option, value) for option, value in values.items()))
    window = measured_window(*directly(sensitivity, last), ROOT_SEED, 0)
    rows = table[(table[[key for _, key in values]] == list(values.values())).all(axis=1)]
    for criterion, group in rows.groupby("criterion"):
        expected = window[window["criterion"] == criterion]["horizon"].tolist()
        assert group["horizon"].tolist() == expected


def test_changes_leave_out_what_has_no_meaning():
    pairs = {(key, value) for _, key, value in changes(CONFIG["readings"]["gradient_step"], WINDOW)}
    assert ("orientation", "per_unit") not in pairs  # total noise
    assert ("tail_index", "per_lag") not in pairs
    assert ("transport", "first_order") in pairs
    assert ("noise", "total") not in {(key, value) for _, key, value in changes(CONFIG["readings"]["paper"], WINDOW)}


def crossed_windows(diag, shared_gate, const):
    """Windows at the smallest and the largest N under two criteria."""
    labels = {"reading": "paper", "transport": "exact"}
    rows = [
        {**labels, "role": role, "criterion": criterion, "sample_size": size, "horizon": horizon}
        for role, horizons in (("diag_gate", diag), ("shared_gate", shared_gate), ("const_gate", const))
        for criterion in ("fano", "snr")
        for size, horizon in zip((25, 12_800), horizons[criterion], strict=True)
    ]
    return pd.DataFrame(rows)


def test_conclusions_are_counted():
    study = pytest.importorskip("studies.learnability_window.conclusions")  # the wheel has no studies
    conclusions = study.conclusions
    long, lost_snr = {"fano": (0, 120), "snr": (0, 120)}, {"fano": (0, 120), "snr": (0, 0)}
    short, shorter = {"fano": (40, 40), "snr": (40, 40)}, {"fano": (12, 12), "snr": (12, 12)}
    assert (conclusions(crossed_windows(long, short, shorter))["holds"] == 1).all()
    table = conclusions(crossed_windows(lost_snr, short, shorter)).set_index("conclusion")
    assert (table["readings"] == 2).all()
    assert table.loc["DiagGate's window grows", ["holds", "criterion: fano", "criterion: snr"]].tolist() == [0.5, 1, 0]
    assert (conclusions(crossed_windows(shorter, lost_snr, long))["holds"] < 1).all()
    assert set(table.index) == set(study.CONCLUSIONS)
