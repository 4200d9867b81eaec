"""Requirements of exhibits on their settings beside the schema, checked before any network is trained."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from learnability.core.errors import InputError, require
from learnability.tasks import build_task
from studies.gated.declared import EXHIBITS

Settings = Mapping[str, Any]
TASKS = {
    "selective": "denoise",
    "depth": "delayed_sum",
    "dropout": "delayed_sum",
    "activity_sum": "delayed_sum",
    "activity_denoise": "denoise",
    **{f"truncation_{steps}": "delayed_sum" for steps in (0, 4, 8, 16)},
    **{f"compared_{task}_{cell}": "delayed_sum" for task in ("sum", "few") for cell in ("lstm", "gru")},
    **{f"compared_denoise_{cell}": "denoise" for cell in ("lstm", "gru")},
    "lorenz": "lorenz",
    "mackey_glass": "mackey_glass",
    "summary": "delayed_sum",
}
"""Task of each experiment whose networks an exhibit shows."""
PENALIZED = ("lstm", "lstm_activity_weak", "lstm_activity", "lstm_temporal_weak", "lstm_temporal")
NETWORKS = {
    "selective": ("rnn", "lstm"),
    "depth": ("lstm", "lstm_2_layers"),
    "dropout": ("lstm", "lstm_dropout", "lstm_variational", "lstm_drop_connect"),
    "activity_sum": PENALIZED,
    "activity_denoise": PENALIZED,
    **{name: (name.rpartition("_")[2],) for name in TASKS if name.startswith("compared_")},
}
"""Networks of an experiment that are compared with each other, and so are needed, of the same seeds."""
EXPONENTS = 300
"""Largest power of 10 of a product of Jacobians."""
SMALLEST = 1e-6
"""Factor of weights or inputs."""
MEAN_DEGREE = 2
"""Connections of a unit from which on no sparse reservoir is without a cycle, but for one in 10²⁰ or so."""
EQUAL = 0.03
"""Largest difference of the parameters of networks that count, as a share."""


def check_exhibits(config: Settings) -> None:
    """Raise `InputError` for the first setting that an exhibit cannot be made with."""
    _check_experiments(config)
    exhibits = config["gated"]["exhibits"]
    for name, check in CHECKS.items():
        check(f"gated.exhibits.{name}", exhibits[name], config)


def _check_experiments(config: Settings) -> None:
    experiments = config["gated"]["experiments"]
    for exhibit, declared in EXHIBITS.items():
        for name in declared.experiments:
            key = f"gated.experiments.{name}"
            require(name in experiments, key, f"given for the exhibit '{exhibit}'", None)
            experiment = experiments[name]
            task = experiment["task"]["name"]
            require(task == TASKS[name], f"{key}.task.name", f"'{TASKS[name]}' for the exhibit '{exhibit}'", task)
            require("delays" not in experiment, f"{key}.delays", "left out", experiment.get("delays"))
            networks = experiment["networks"]
            for network in NETWORKS.get(name, ()):
                require(network in networks, f"{key}.networks", f"given with '{network}' in it", list(networks))
                seeds = networks[network].get("fewer_seeds")
                requirement = "left out of networks that are compared with each other"
                require(seeds is None, f"{key}.networks.{network}.fewer_seeds", requirement, seeds)
            require(bool(networks), f"{key}.networks", "at least one", {})


def _scales(key: str, own: Settings, *names: str, largest: float = 100) -> None:
    """Raise `InputError` for a factor of weights or inputs at which states vanish, or are ±1 to their last digit."""
    for name in names:
        values: Any = own
        for part in name.split("."):
            values = values[part]
        for value in values if isinstance(values, list) else [values]:
            fits = SMALLEST <= value <= largest
            require(fits, f"{key}.{name}", f"from {SMALLEST:g} to {largest:g}", values)


def duration_of(config: Settings, experiment: str) -> int:
    """T of the task of an experiment."""
    task: Any = build_task(config["gated"]["experiments"][experiment]["task"], config["root_seed"], 0)
    return int(task.duration)


def _increasing(key: str, values: Sequence[float]) -> None:
    require(list(values) == sorted(set(values)), key, "increasing", list(values))


def _lags_below(key: str, lags: Sequence[int], config: Settings, *experiments: str) -> None:
    _increasing(key, lags)
    for experiment in experiments:
        duration = duration_of(config, experiment)
        require(lags[-1] < duration, key, f"below the duration of '{experiment}' ({duration})", lags[-1])


def _check_reservoir(key: str, drawn: Settings, config: Settings, units: int, *other: str) -> None:
    """Raise `InputError` for what draw_reservoir does not take, or what the exhibit gives itself."""
    for name in other:
        require(name not in drawn, f"{key}.{name}", "left out, for the exhibit gives it", drawn.get(name))
    density = drawn.get("density", 1)
    if density < 1 and density * units < MEAN_DEGREE:
        from learnability.reservoirs import draw_reservoir  # slow to import, and rarely needed

        for seed in config["seeds"]:
            try:
                draw_reservoir(units, 1, config["root_seed"], seed, density=density)
            except InputError as error:
                requirement = f"such that some units of {units} are connected in a cycle, with seed {seed}"
                raise InputError(f"'{key}.density' must be {requirement}. Got {density}.") from error


def _identity(key: str, own: Settings, config: Settings) -> None:
    for name in ("steps", "scales", "lags"):
        _increasing(f"{key}.{name}", own[name])
    require(own["steps"][-1] % 2 == 0, f"{key}.steps", "such that the last is even", own["steps"][-1])
    largest = max(own["lags"][-1] * abs(math.log10(scale)) for scale in own["scales"])
    requirement = f"such that no scale to the power of the longest lag passes 10^±{EXPONENTS}"
    require(largest < EXPONENTS, f"{key}.scales", requirement, own["scales"])


def _gates(key: str, own: Settings, config: Settings) -> None:
    _increasing(f"{key}.inputs", own["inputs"])


def _carousel(key: str, own: Settings, config: Settings) -> None:
    _increasing(f"{key}.biases", own["biases"])
    _lags_below(f"{key}.lags", own["lags"], config, "selective")


def _depth(key: str, own: Settings, config: Settings) -> None:
    _lags_below(f"{key}.lags", own["lags"], config, "depth")


def _activity(key: str, own: Settings, config: Settings) -> None:
    _lags_below(f"{key}.lags", own["lags"], config, "activity_sum", "activity_denoise")


def _mini_batches(key: str, own: Settings, config: Settings) -> None:
    sizes, count, updates = own["batch_sizes"], own["sequences"], own["updates"]
    fits = all(count % size == 0 for size in sizes) and sizes[-1] == count
    require(fits, f"{key}.batch_sizes", f"divisors of the {count} sequences, all of them last", sizes)
    fits = all(updates * size % count == 0 for size in sizes)
    require(fits, f"{key}.updates", f"a multiple of {count // min(sizes)}, those of an epoch at most", updates)
    _increasing(f"{key}.batch_sizes", sizes)
    try:
        build_task({"name": "delayed_sum", **own["task"]}, config["root_seed"], 0)
    except InputError as error:
        raise InputError(f"{key}: {error}") from error


def _truncation(key: str, own: Settings, config: Settings) -> None:
    names = EXHIBITS["truncation"].experiments
    durations = {name: duration_of(config, name) for name in names}
    requirement = "of one duration in all experiments of the exhibit 'truncation'"
    require(len(set(durations.values())) == 1, "gated.experiments", requirement, durations)
    training = {name: {**config["training"], **config["gated"]["experiments"][name]["training"]} for name in names}
    windows = {name: training[name]["truncation"] or durations[name] for name in names}
    requirement = "windows of which one is the whole sequence, and each another"
    fits = len(set(windows.values())) == len(windows) and max(windows.values()) == max(durations.values())
    require(fits, "gated.experiments: training.truncation", requirement, windows)


def _counting(key: str, own: Settings, config: Settings) -> None:
    longest, tested = own["longest_trained"], own["longest_tested"]
    require(tested >= 2 * longest, f"{key}.longest_tested", f"at least {2 * longest}", tested)
    shown = longest * own["repeats"]
    requirement = f"at most the sequences of an epoch, longest_trained × repeats ({shown})"
    require(own["batch_size"] <= shown, f"{key}.batch_size", requirement, own["batch_size"])
    # W x, U h, b of each gate; two symbols are shown, and two classes told apart
    gates, symbols, classes = {"rnn": 1, "gru": 3, "lstm": 4}, 2, 2
    sizes = {
        name: gates[name] * units * (symbols + units + 1) + classes * (units + 1)
        for name, units in own["hidden_sizes"].items()
    }
    fits = max(sizes.values()) <= (1 + EQUAL) * min(sizes.values())
    require(fits, f"{key}.hidden_sizes", f"of parameters equal within {EQUAL:.0%}", sizes)


def _echo_states(key: str, own: Settings, config: Settings) -> None:
    _check_reservoir(f"{key}.reservoir", own["reservoir"], config, own["reservoir"]["units"], "spectral_radius")
    _scales(key, own, "radii", "inputs.weak", "inputs.strong")
    radii, series = own["radii"], own["steps"]
    requirement = "at least one up to 1 and one above"
    require(min(radii) <= 1 < max(radii), f"{key}.radii", requirement, radii)
    requirement = f"with lags at most the steps of a series ({series})"
    require(own["washout"] + own["lags"] <= series, f"{key}.washout", requirement, own["washout"])
    require(own["washout"] < series, f"{key}.washout", f"below the steps of a series ({series})", own["washout"])
    weights = own["counterexamples"]["weights"]
    square = len(weights) >= 1 and all(len(row) == len(weights) for row in weights)
    require(square, f"{key}.counterexamples.weights", "a square matrix", weights)
    require(own["tolerance"] < 1, f"{key}.tolerance", "below 1", own["tolerance"])


def _richness(key: str, own: Settings, config: Settings) -> None:
    units = own["reservoir"]["units"]
    _check_reservoir(f"{key}.reservoir", own["reservoir"], config, units, "spectral_radius", "input_scale")
    _scales(key, own, "radii", "input_scales")
    requirement = "at least one below 1, where a linear filter is stable"
    require(min(own["radii"]) < 1, f"{key}.radii", requirement, own["radii"])
    _increasing(f"{key}.radii", own["radii"])
    _increasing(f"{key}.input_scales", own["input_scales"])
    steps, washout, lags = own["steps"], own["washout"], own["lags"]
    counted = steps - max(0, lags - washout)
    require(counted >= 4, f"{key}.steps", f"at least 4 more than the lags behind the washout ({lags - washout})", steps)


def _memory(key: str, own: Settings, config: Settings) -> None:
    units = own["reservoir"]["units"]
    _check_reservoir(f"{key}.reservoir", own["reservoir"], config, units, "spectral_radius", "input_scale")
    _scales(key, own, "radii", "capacity.input_scales", "narma.input_scale", "products.radius", "products.bias_scale")
    _scales(key, own, "inverted.radii", "washouts.radius", "suffixes.radii", "suffixes.input_scale")
    capacity, narma, products, suffixes = (own[name] for name in ("capacity", "narma", "products", "suffixes"))
    most = capacity["steps"] - 4
    require(capacity["lags"] <= most, f"{key}.capacity.lags", f"at most steps - 4 ({most})", capacity["lags"])
    _increasing(f"{key}.capacity.input_scales", capacity["input_scales"])
    for name, part in {"narma": narma, "products": products}.items():
        requirement = f"below the steps of a series ({part['steps']})"
        require(part["washout"] < part["steps"], f"{key}.{name}.washout", requirement, part["washout"])
    washouts = own["washouts"]["steps"]
    _increasing(f"{key}.washouts.steps", washouts)
    requirement = f"below narma.steps ({narma['steps']})"
    require(washouts[-1] < narma["steps"], f"{key}.washouts.steps", requirement, washouts)
    requirement = f"below the steps of a sequence ({suffixes['steps']})"
    require(suffixes["longest"] < suffixes["steps"], f"{key}.suffixes.longest", requirement, suffixes["longest"])
    for name, radii in {"radii": own["radii"], "suffixes.radii": suffixes["radii"]}.items():
        _increasing(f"{key}.{name}", radii)


def _training_cost(key: str, own: Settings, config: Settings) -> None:
    _increasing(f"{key}.units", own["units"])
    _check_reservoir(f"{key}.reservoir", own["reservoir"], config, own["units"][0], "units")
    requirement = f"at most the sequences ({own['sequences']})"
    require(own["batch_size"] <= own["sequences"], f"{key}.batch_size", requirement, own["batch_size"])


def _separability(key: str, own: Settings, config: Settings) -> None:
    _increasing(f"{key}.units", own["units"])
    _check_reservoir(f"{key}.reservoir", own["reservoir"], config, own["units"][0], "units", "density")
    requirement = f"above the tolerance ({own['tolerance']})"
    require(own["coarse"] > own["tolerance"], f"{key}.coarse", requirement, own["coarse"])


def _deep_reservoirs(key: str, own: Settings, config: Settings) -> None:
    coupled = [f"varied.{name}" for name in ("layer_scale", "input_scale") if name in own["varied"]]
    _scales(key, own, "layer_scale", "input_scale", *coupled, largest=10)
    reservoir, allowed = own["reservoir"], ("layer_scale", "input_scale", "units")
    _check_reservoir(f"{key}.reservoir", reservoir, config, own["units"], "units", "input_scale", "leak")
    numbers = [name for name in reservoir if isinstance(reservoir[name], int | float)]
    for name, values in own["varied"].items():
        requirement = f"one of {', '.join([*allowed, *numbers])}"
        require(name in (*allowed, *numbers), f"{key}.varied", requirement, name)
        whole = name != "units" or all(isinstance(value, int) for value in values)
        require(whole, f"{key}.varied.{name}", "whole numbers", values)
        share = name != "density" or max(values) <= 1
        require(share, f"{key}.varied.{name}", "at most 1", values)
        if name in ("units", "density"):
            for value in values:
                varied = {"units": own["units"], "density": reservoir.get("density", 1), name: value}
                _check_reservoir(f"{key}.varied", {"density": varied["density"]}, config, varied["units"])
    most = (own["steps"] - 4) // 2
    require(own["lags"] <= most, f"{key}.lags", f"at most half of steps - 4 ({most})", own["lags"])


def _generation(key: str, own: Settings, config: Settings) -> None:
    reservoir = own["reservoir"]
    _check_reservoir(f"{key}.reservoir.drawn", reservoir["drawn"], config, reservoir["drawn"]["units"])
    for experiment in EXHIBITS["generation"].experiments:
        duration = duration_of(config, experiment)
        requirement = f"below the duration of '{experiment}' ({duration})"
        require(reservoir["washout"] < duration, f"{key}.reservoir.washout", requirement, reservoir["washout"])


def _summary(key: str, own: Settings, config: Settings) -> None:
    (experiment,) = EXHIBITS["summary"].experiments
    reservoirs = config["gated"]["reservoirs"]
    fitted = list(reservoirs["networks"]) if reservoirs["experiment"] == experiment else []
    shown = [*config["gated"]["experiments"][experiment]["networks"], *fitted]
    named = [name for names in own["families"].values() for name in names]
    fits = sorted(named) == sorted(set(named)) and set(shown) <= set(named)
    requirement = f"families of which one holds each network of '{experiment}': {', '.join(shown)}"
    require(fits, f"{key}.families", requirement, named)
    unknown = [name for name in named if name not in config["figures"]["labels"]]
    require(not unknown, f"{key}.families", "of networks and reservoirs with a label", unknown)
    duration = duration_of(config, experiment)
    requirement = f"below the duration of '{experiment}' ({duration})"
    require(own["longest_lag"] < duration, f"{key}.longest_lag", requirement, own["longest_lag"])


CHECKS: Mapping[str, Callable[[str, Settings, Settings], None]] = {
    "identity": _identity,
    "gates": _gates,
    "carousel": _carousel,
    "depth": _depth,
    "activity": _activity,
    "mini_batches": _mini_batches,
    "truncation": _truncation,
    "counting": _counting,
    "echo_states": _echo_states,
    "richness": _richness,
    "memory": _memory,
    "training_cost": _training_cost,
    "separability": _separability,
    "deep_reservoirs": _deep_reservoirs,
    "generation": _generation,
    "summary": _summary,
}
"""Exhibits whose settings depend on each other, or on those of networks."""
