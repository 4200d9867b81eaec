"""Memory that jobs ask for, in MB: what their arrays take by the configuration, and what libraries take beside them.

Factors are such that no job of the runs in docs/slurm.md took more than it would be given; the largest of each rule
stands there beside what is asked for. A job that is killed for memory, and tried again, asks for as much again.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from learnability.tasks import build_task

Settings = Mapping[str, Any]
LIBRARIES = 550
"""Memory of a process that has imported torch, scipy and xarray, and compiled nothing."""
PAGES = 1000
"""Memory of a job that reads tables and draws or writes."""
ON_GPU = 16000
"""Memory of a training on a GPU, with all seeds side by side."""
SNAKEMAKE, LEAST = 300, 2000
"""Memory of the two processes of Snakemake beside a job on a cluster, and the least that a job asks for there."""
MB = 2**20
PAIR_SHARES = {"mem_rnn": 1, "mem_lstm": 1, "sab": 0.25}
"""Share of all pairs of steps that cells with attention to all past states compare."""


def on_a_cluster(amount: int) -> int:
    """Memory of a job and of Snakemake beside it; some clusters count shared pages once for each process."""
    return max(LEAST, amount + SNAKEMAKE)


def units_of(network: Settings) -> int:
    """Hidden units; of a network by its parameters, as many as none exceeds: each cell has U² at least."""
    return int(network.get("hidden_size") or math.isqrt(network["parameters"]))


def data(task: Settings, sequences: int) -> float:
    """Inputs and targets of so many sequences, float32."""
    return sequences * steps_of(task) * (inputs_of(task) + 1) * 4 / MB


def inputs_of(task: Settings) -> int:
    """D, numbers at a step; 256 where only reading would tell, more than characters have."""
    if task["name"] in ("copy", "denoise"):
        return int(task.get("alphabet", 8) + 2)
    if task["name"] == "recall":
        return int(task["keys"] + task["values"])
    return int(task.get("input_size") or {"pixels": 1, "forecast": 1, "count": 3}.get(task["name"], 256))


def steps_of(task: Settings) -> int:
    """T, steps of a sequence; of copy and denoise as their delay has it."""
    if task["name"] in ("copy", "denoise"):
        return int(task["delay"] + 2 * task.get("symbols", 10))
    if "duration" in task:
        return int(task["duration"])
    instance: Any = build_task(task, 0, 0)  # a user's task may compute its duration
    return int(instance.duration)


def states(task: Settings, network: Settings, sequences: int) -> float:
    """States of a network over so many sequences, float64."""
    return sequences * steps_of(task) * units_of(network) * 8 / MB


def past_states(run: Settings, sequences: int) -> float:
    """Comparisons of a cell that attends to all its past states, one for each pair of steps, float32."""
    steps = run["training"]["truncation"] or steps_of(run["task"])
    return (
        PAIR_SHARES.get(run["architecture_settings"]["cell"], 0)
        * sequences
        * steps**2
        * units_of(run["network"])
        * 4
        / MB
    )


def for_data(task: Settings) -> int:
    """Memory of diagnostic sequences: drawn, put together and written."""
    return round(LIBRARIES + 3 * data(task, task["diagnostic_sequences"]))


def for_training(run: Settings) -> int:
    """Memory of a training: its sequences, shuffled and as tensors, and 16 numbers of a unit at each backward step."""
    task, batch = run["task"], run["training"]["batch_size"]
    sequences = task["training_sequences"] + task["validation_sequences"]
    window = min(run["training"]["truncation"] or steps_of(task), steps_of(task)) / steps_of(task)
    activations = 16 * window * states(task, run["network"], batch) + past_states(run, batch)
    return round(LIBRARIES + 3 * data(task, sequences) + activations)


def for_network(task: Settings, network: Settings, products: int) -> int:
    """Memory of rates and responses: diagnostic sequences, and products along some of them."""
    return round(LIBRARIES + 3 * data(task, task["diagnostic_sequences"]) + 3 * states(task, network, products))


def for_windows(task: Settings, lags: int) -> int:
    """Memory of windows under all readings: transport at each sequence, step and lag, a dozen times over."""
    at_each_lag = task["diagnostic_sequences"] * steps_of(task) * lags * 4 / MB
    return round(LIBRARIES + 14 * at_each_lag)


def for_epochs(task: Settings, network: Settings, sequences: int) -> int:
    """Memory of windows at stored epochs: states of the sequences, their derivatives and gradients of the network."""
    return round(LIBRARIES + 8 * states(task, network, sequences) + 3 * data(task, sequences))


def for_resonances(task: Settings, network: Settings, sequences: int) -> int:
    """Memory of resonances: a Jacobian at each step of a few sequences, float64, thrice."""
    return round(LIBRARIES + 3 * states(task, network, sequences) * units_of(network))


def for_run(run: Settings) -> int:
    """Memory of windows at the stored epochs of a run of an experiment, by automatic differentiation.

    RelLSTM at T = 120 and 64 sequences took 90 times its states, 1030 MB in all.
    """
    task, network, sequences = run["task"], run["network"], run["windows"]["sequences"]
    pairs = past_states({**run, "training": {"truncation": 0}}, sequences)
    return round(LIBRARIES + 128 * states(task, network, sequences) + 4 * pairs)


def for_reservoir(run: Settings) -> int:
    """Memory of a reservoir's readout: states of all sequences, and as much again for their products."""
    task = run["task"]
    sequences = task["training_sequences"] + task["validation_sequences"]
    return round(LIBRARIES + 3 * data(task, sequences) + 4 * states(task, run["network"], sequences))


def for_exhibit(settings: Settings, runs: Iterable[Settings]) -> int:
    """Memory of an exhibit: its longest series of states, and of the networks that it shows those of its sequences."""
    units = max(largest(settings, "units"), largest(settings, "hidden_size"), 32)
    sections = [settings, *(section for section in settings.values() if isinstance(section, Mapping))]
    series = max(direct(section, "sequences") * direct(section, "steps") for section in sections)
    of_series, sequences = series * units * 8 / MB, largest(settings, "sequences")
    of_runs = max((states(run["task"], run["network"], max(sequences, 1)) for run in runs), default=0)
    return round(LIBRARIES + 4 * of_series + 8 * of_runs)


def direct(section: Settings, name: str) -> int:
    """The largest number of a section itself under `name`; 1 where it has none."""
    return max(1, largest({key: value for key, value in section.items() if not isinstance(value, Mapping)}, name))


def largest(settings: Any, name: str, at_name: bool = False) -> int:
    """The largest number that settings have under `name`, or a name that ends with it, in whatever section."""
    if isinstance(settings, Mapping):
        return max((largest(item, name, at_name or key.endswith(name)) for key, item in settings.items()), default=0)
    if isinstance(settings, list):
        return max((largest(item, name, at_name) for item in settings), default=0)
    return math.ceil(settings) if at_name and isinstance(settings, int | float) else 0


def for_backward(architecture: Settings, network: Settings, settings: Settings) -> int:
    """Memory of gradients before training, by automatic differentiation: 112 numbers of a unit at each step.

    A cell that attends to all its past states keeps two and a half for each pair of steps, too.
    """
    task = {"name": "denoise", "delay": max(*settings["costs"]["delays"], settings["norms"]["delay"])}
    batch = settings["costs"]["batch_size"]
    run = {"architecture_settings": architecture, "network": network, "task": task, "training": {"truncation": 0}}
    return round(LIBRARIES + 112 * states(task, network, batch) + 2.5 * past_states(run, batch))


def for_answers(run: Settings, transfer: Iterable[int], sequences: int) -> int:
    """Memory of the answers of a network at the longest delay: states of its sequences, and keys of the past."""
    task = run["task"] | ({"delay": max([run["task"]["delay"], *transfer])} if "delay" in run["task"] else {})
    at_a_step = sequences * steps_of(task) * units_of(run["network"]) * 4 / MB  # keys and states of the past
    return round(LIBRARIES + 4 * states(task, run["network"], sequences) + 4 * at_a_step + 3 * data(task, sequences))


def for_agent(settings: Settings) -> int:
    """Memory of an agent: its environments, and of a rollout for the way back 64 numbers of a unit at each frame."""
    frames = settings["ppo"]["environments"] * settings["ppo"]["steps"]
    units = settings["units"] + settings.get("head_units", 0)
    return round(2 * LIBRARIES + frames * units * 64 * 4 / MB)


def for_trials(settings: Settings, sizes: Iterable[int], batch: int) -> int:
    """Memory of trials: sequences of the largest size and those that they are judged by, and a batch as in training."""
    task, network, sequences = settings["task"], settings["size"], max(sizes) + settings["sequences"]
    activations = 16 * states(task, network, batch) + 4 * states(task, network, settings["sequences"])
    return round(LIBRARIES + 3 * data(task, sequences) + activations)


def for_candidates(settings: Settings) -> int:
    """Memory of candidates, gradients before training: windows of the sequences of one seed after the other."""
    task, sequences = settings["task"], settings["sequences"]
    return for_windows({**task, "diagnostic_sequences": sequences}, len(task["lags"])) + round(
        8 * states(task, settings["size"], sequences)
    )


def for_race(architecture: Settings, task: Settings, race: Settings) -> int:
    """Memory of a cell at a task: what the models that are tried keep of a batch for the backward pass, all at once."""
    models = max(race["tried"] * len(race["rates"]), race["seeds"])
    run = {"architecture_settings": architecture, "task": task, "network": race, "training": {"truncation": 0}}
    activations = 24 * states(task, race, race["batch_size"]) + 4 * past_states(run, race["batch_size"])
    sequences = task["training_sequences"] * (race["tried"] + race["seeds"])
    return round(LIBRARIES + 3 * data(task, sequences) + models * activations)
