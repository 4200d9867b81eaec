"""The number behind each headline, from settings alone: what a search over settings computes again and again.

Networks of the paper's three roles, and one whose gates start slow, are trained by AdamW and measured as the workflow
does it, at a size that is given; then each headline has numbers, and an answer in a word or two.

One headline is not asked. `common_divisor` does not hold at the quick size: after 30 epochs the loss on lags without a
divisor is 0.96 times that on lags with one, for there is no comb yet. What turns another answer says nothing of it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.core.variation import Headline
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.tasks import Task, build_task
from learnability.training import Trained, train_run
from learnability.transport import choose_engine, effective_learning_rates, rate_tables
from learnability.transport.exact import exact_table, exact_transport
from learnability.windows.noise import fit_noise
from learnability.windows.opening import first_epochs, in_order
from learnability.windows.readings import Reading
from learnability.windows.resonances import measure_resonances
from learnability.windows.response import learned_shares
from learnability.windows.statistic import matched_statistic
from learnability.windows.through_training import measure_training
from learnability.windows.windowing import measured_window

Numbers = dict[str, float]
Settings = Mapping[str, Any]

FAST = ("const_gate", "shared_gate", "diag_gate")
SLOW = "diag_gate_slow"
LEARNED, HALF_LEARNED = 0.1, 0.5
"""Shares of a coefficient from which a lag counts as learned, and as half learned."""
FACTORS = (0.5, 2.0)
"""Factors by which a search multiplies each setting."""
NOT_VARIED = ("readings", "draws", "sample_sizes", "validation_sequences", "lags_through_training", "product_sequences")
"""Options of readings are varied by `learnability.windows.sensitivity`; the others only say how finely is measured."""


def headline_numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """Return the numbers behind the headlines, of one seed.

    Args:
        settings: `task` with the numbers of its sequences, `network`, `architectures`, those of `FAST` and `SLOW`,
            `optimizer`, `training`, `readings`, `window`, and `measurement`: `lags` of the diagnostic grid,
            `product_sequences`, `resonance_sequences`, and `lags_through_training` and `sequences_through_training`.

    Raises:
        InputError: for settings that something refuses.
    """
    task = build_task({k: v for k, v in settings["task"].items() if not k.endswith("_sequences")}, root_seed, seed)
    networks = {
        name: _measure(settings, settings["architectures"][name], task, root_seed, seed) for name in (*FAST, SLOW)
    }
    fast = [networks[name] for name in FAST]
    over = {name: np.array([numbers[name] for numbers in fast]) for name in fast[0]}
    windows = over["window"]
    return {
        "share of the middle lag": float(over["middle_share"].mean()),
        "share of the farthest lag": float(over["farthest_share"].mean()),
        "orders by which first order is too small": float(over["orders_lost"].min()),
        "largest over smallest exact sum": float(over["exact"].max() / over["exact"].min()),
        "time constant of DiagGate, slow over ordinary start": networks[SLOW]["tau"] / networks["diag_gate"]["tau"],
        "DiagGate's window less ConstGate's, steps": float(windows[2] - windows[0]),
        "tail index of pairs": float(over["pairs"].mean()),
        "tail index of means": float(over["means"].mean()),
        "orders by which N falls in training": float(np.median(over["log_n_first"] - over["log_n_last"])),
        "orders between gates before training": float(np.ptp(over["log_n_first"])),
        "share learned that was detected before": _ratio(float(over["before"].sum()), float(over["learned"].sum())),
        "share detected that is never half learned": _ratio(
            float(over["not_learned"].sum()), float(over["detected"].sum())
        ),
        "share of harmonics carried": float(np.median(over["harmonics"])),
        "loss of a slow start over an ordinary one": networks[SLOW]["loss"] / networks["diag_gate"]["loss"],
    }


HEADLINES = {
    "what_is_learned": Headline(
        ("share of the middle lag", "share of the farthest lag"),
        lambda middle, farthest: "in part" if farthest < middle < 0.9 else "other",
    ),
    "first_order": Headline(
        ("orders by which first order is too small", "largest over smallest exact sum"),
        lambda orders, _: "no" if orders >= 1 else "yes",
    ),
    "envelopes": Headline(
        ("time constant of DiagGate, slow over ordinary start",),
        lambda ratio: "the start" if ratio >= 2 else "not the start",
    ),
    "authors_windows": Headline(
        ("DiagGate's window less ConstGate's, steps",),
        lambda steps: "in order" if steps > 0 else "not in order",
    ),
    "tails": Headline(
        ("tail index of pairs", "tail index of means"),
        lambda pairs, means: "pairs only" if pairs < 1.5 < 1.8 <= means else "other",
    ),
    "detected": Headline(
        ("orders by which N falls in training", "orders between gates before training"),
        lambda orders, _: "early in training" if orders >= 1 else "not by training",
    ),
    "learned_after": Headline(
        ("share learned that was detected before", "share detected that is never half learned"),
        lambda before, never: "needed, not enough" if before >= 0.8 and never >= 0.2 else "other",
    ),
    "resonances": Headline(("share of harmonics carried",), lambda share: "a comb" if share >= 0.5 else "no comb"),
    "starts": Headline(
        ("loss of a slow start over an ordinary one",),
        lambda ratio: "yes" if ratio >= 1.1 else "no",
    ),
}
"""Headlines by the question that they answer, a folder of the study."""


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def _measure(settings: Settings, architecture: Settings, task: Task, root_seed: int, seed: int) -> Numbers:
    """Train and measure one network."""
    options = settings["measurement"]
    network = Network.for_task(architecture, task, **settings["network"])
    run = _train(settings, architecture, root_seed, seed)
    parameters = {name: tensor.double() for name, tensor in run.parameters.items()}
    frozen = Frozen.of(network, parameters, task.generate("diagnostic", settings["task"]["diagnostic_sequences"]))
    transport = choose_engine("auto", network.cell, "single")
    exact = exact_table(
        exact_transport(network, parameters, frozen.inputs[: options["product_sequences"]], options["lags"], root_seed)
    ).iloc[-1]
    fits = rate_tables(effective_learning_rates(network, parameters, frozen.inputs, options["lags"], transport))["fits"]
    shares = learned_shares(frozen, task, transport)["share"].to_numpy()
    return {
        "middle_share": shares[(len(shares) - 1) // 2],
        "farthest_share": shares[-1],
        "orders_lost": np.log10(exact["exact"] / exact["first_order"]),
        "exact": exact["exact"],
        "tau": fits.loc[fits["model"] == "exponential", "parameter"].iloc[0],
        "loss": run.curve["validation_loss"].iloc[-1],
        **_of_readings(settings, frozen, root_seed, seed),
        **_through_training(settings, frozen, run.snapshots, task, root_seed, seed),
    }


def _train(settings: Settings, architecture: Settings, root_seed: int, seed: int) -> Trained:
    run = {name: settings[name] for name in ("task", "network", "training")}
    names = {"architecture": "search", "optimizer": "adamw", "seed": seed}
    parts = {"architecture_settings": architecture, "optimizer_settings": settings["optimizer"]}
    return train_run(run | names | parts, root_seed)[1]


def _of_readings(settings: Settings, frozen: Frozen, root_seed: int, seed: int) -> Numbers:
    """The window by the rules of the author's code at its middle N, and tail indices of pairs and of means."""
    lags, rate = settings["measurement"]["lags"], settings["optimizer"]["learning_rate"]
    engine = choose_engine("auto", frozen.network.cell, "single")
    readings = {name: Reading.of(parts, settings["window"]) for name, parts in settings["readings"].items()}
    statistics = {
        name: matched_statistic(frozen, lags, rate, root_seed, reading.statistic, engine)
        for name, reading in readings.items()
    }
    window = measured_window(statistics["published_code"], readings["published_code"], root_seed, seed)
    horizons = window[window["chosen"]].sort_values("sample_size")["horizon"].to_numpy()
    tails = {
        name: fit_noise(statistics[reading].isel(direction=0), readings[reading].noise)["alpha"].median()
        for name, reading in (("pairs", "paper"), ("means", "gradient_step"))
    }
    return {"window": float(horizons[len(horizons) // 2]), **tails}


def _through_training(
    settings: Settings, frozen: Frozen, snapshots: Mapping[int, Any], task: Task, root_seed: int, seed: int
) -> Numbers:
    """N̂ of the farthest lag before and after, what is detected before it is learned, and harmonics at the end."""
    options = settings["measurement"]
    double = {epoch: {name: tensor.double() for name, tensor in at.items()} for epoch, at in snapshots.items()}
    tables = measure_training(
        frozen=frozen.first(options["sequences_through_training"]),
        snapshots=double,
        task=task,
        reading=Reading.of(settings["readings"]["own_gradient"], settings["window"]),
        lags=options["lags_through_training"],
        root_seed=root_seed,
        seed=seed,
        engine=choose_engine("auto", frozen.network.cell, "single"),
    )
    windows, responses = tables["training_windows"], tables["training_responses"]
    total = windows.query("control == 'none' and noise == 'total'")
    farthest = total[total["lag"] == max(set(task.dependencies) & set(total["lag"]))].sort_values("epoch")
    log_n = farthest["log_sample_complexity"].clip(upper=300).to_numpy() / np.log(10)
    windows, responses = (table.assign(network="search") for table in (windows, responses))
    epochs = first_epochs(windows, responses, ["network"], (LEARNED, HALF_LEARNED)).query("noise == 'total'")
    order = {share: in_order(epochs["detected"], epochs[f"learned_{share}"]) for share in (LEARNED, HALF_LEARNED)}
    last = max(double)
    combs = measure_resonances(frozen.first(options["resonance_sequences"]), {last: double[last]}, task)["harmonics"]
    return {
        "log_n_first": log_n[0],
        "log_n_last": log_n[-1],
        "before": order[LEARNED]["detected before"] + order[LEARNED]["same"],
        "learned": order[LEARNED]["learned"],
        "detected": float(np.isfinite(epochs["detected"]).sum()),
        "not_learned": order[HALF_LEARNED]["detected, not learned"],
        "harmonics": float((combs["carried"] / combs["possible"]).iloc[0]),
    }
