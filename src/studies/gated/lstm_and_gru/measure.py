"""LSTM and GRU (Sec. 9 and 10): how a GRU keeps its state, what either costs, and which of them learns what.

They are compared at the same number of units, and trained at as equal a number of parameters as whole units allow.
"""

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch

from learnability.core.streams import numpy_generator
from learnability.networks.costs import count_work, matrix_work
from learnability.networks.network import Network
from learnability.training.engines import ENGINES, choose_engine
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import by_seed, curve_of, last_loss, shares_of
from studies.gated.lstm_and_gru.question import QUESTION

TABLES = QUESTION.tables
TASKS = ("sum", "few", "denoise")
"""A delayed sum, the same from few sequences, and denoise."""
CLOSED, OPEN = -40.0, 40.0
"""Biases at which a logistic gate is 0 or 1 up to rounding."""
BIASES = (CLOSED, *np.linspace(-6, 6, 13).tolist(), OPEN)


def make(request: ExhibitRequest) -> Exhibit:
    """The GRU's interpolation, costs, and losses and learned shares of either on each task.

    Settings: `test_sequences` on which shares are measured; `batch_size` and `rounds` of costs.
    """
    test_sequences, batch_size, rounds = (request.settings[key] for key in ("test_sequences", "batch_size", "rounds"))
    models = [(model.experiment.split("_")[1], model) for model in request.trained]
    with_reset = [model for task, model in models if task == "sum" and model.network.cell.has_reset]
    interpolation = pd.concat([interpolation_of(model, request.root_seed) for model in with_reset], ignore_index=True)
    first = {model.architecture: model for task, model in reversed(models) if task == "sum"}
    costs = costs_of(first["lstm"], first["gru"], batch_size, rounds)
    losses = pd.DataFrame([{"task": task} | _losses(model) for task, model in models])
    shares = pd.concat(
        [shares_of(model, test_sequences).assign(task=task) for task, model in models if task != "denoise"],
        ignore_index=True,
    )
    curves = pd.concat([curve_of(model, "validation").assign(task=task) for task, model in models], ignore_index=True)
    tables = dict(zip(TABLES, (interpolation, costs, losses, shares, curves), strict=True))
    values = [*_of_gates(interpolation), *_of_costs(costs, request.seeds[0]), *_of_learning(losses, curves)]
    return Exhibit(tables, statements(values))


def interpolation_of(model: Trained, root_seed: int) -> pd.DataFrame:
    """Distances that the state of a trained GRU moves in a step whose gates are set by their biases alone.

    Args:
        root_seed: names the stream of states and inputs.

    Returns:
        A row for each `bias` b_z of the update gate, whose weights are 0: the `gate` z; `from_state` ‖h_t - h_{t-1}‖
        and `from_candidate` ‖h_t - h̃_t‖ over ‖h_{t-1} - h̃_t‖; and `through_reset`, by how much h̃_t moves with h_{t-1}
        where the reset gate is closed, over the size of h̃_t.
    """
    cell, parameters = model.network.cell, model.parameters
    draw = numpy_generator(root_seed, model.seed, "interpolation")
    states, other_states = (torch.from_numpy(draw.uniform(-1, 1, (100, cell.hidden_size))) for _ in range(2))
    inputs = torch.from_numpy(draw.standard_normal((100, cell.input_size)))

    def stepped(before: torch.Tensor, z: float, **fixed: float) -> torch.Tensor:
        weights = dict(parameters)
        for gate, bias in {"z": z, **fixed}.items():
            weights |= {f"{kind}_{gate}": torch.zeros_like(parameters[f"{kind}_{gate}"]) for kind in "WU"}
            weights[f"b_{gate}"] = torch.full_like(parameters[f"b_{gate}"], bias)
        return cell.step(weights, before, inputs)

    candidate = stepped(states, OPEN)
    blind = [stepped(before, OPEN, r=CLOSED) for before in (states, other_states)]
    through = float((blind[0] - blind[1]).norm() / blind[0].norm())
    rows = []
    for bias in BIASES:
        after, whole = stepped(states, bias), (states - candidate).norm()
        distances = {
            "from_state": (after - states).norm() / whole,
            "from_candidate": (after - candidate).norm() / whole,
        }
        of_bias = {"bias": bias, "gate": 1 / (1 + np.exp(-bias)), "through_reset": through}
        rows.append(model.names | of_bias | {name: float(distance) for name, distance in distances.items()})
    return pd.DataFrame(rows)


def costs_of(lstm: Trained, gru: Trained, batch_size: int, rounds: int) -> pd.DataFrame:
    """Costs of a gradient of the LSTM, of a GRU of as many units, and of the GRU of as many parameters.

    Args:
        batch_size: sequences of the gradient.
        rounds: in each of which every network has its turn.

    Returns:
        A row for each network: `units`, `parameters`, `state` (numbers carried from step to step); by formula the
        multiply-adds of a step of a sequence `forward` and `backward`, and the bytes that it keeps for the backward
        pass, `kept_bytes`; and `time`, processor time of a gradient by the `engine` that trains it, over the LSTM's,
        the median of ratios within rounds. Only the time is of one engine and one machine.
    """
    as_many = Network.for_task(
        gru.settings["architecture_settings"], lstm.task, lstm.network.cell.hidden_size, lstm.network.readout_bias
    )
    networks = {"lstm": lstm.network, "gru, same units": as_many, "gru, same parameters": gru.network}
    sequences = lstm.task.generate("costs", batch_size)
    inputs, targets = torch.from_numpy(sequences.inputs), torch.from_numpy(sequences.targets)
    engines, rows = [], []
    for name, network in networks.items():
        parameters = {key: tensor.float() for key, tensor in network.initial_parameters(0, 0).items()}
        forward, backward = matrix_work(network)
        kept_bytes = count_work(network, parameters, inputs, targets).kept
        engine = choose_engine("auto", "cpu", network)[0]
        rows.append(
            {
                "network": name,
                "units": network.cell.hidden_size,
                "parameters": network.count_parameters(),
                "state": network.cell.state_size,
                "forward": forward,
                "backward": backward,
                "kept_bytes": kept_bytes,
                "engine": engine,
            }
        )
        engines.append(ENGINES[engine](network, [parameters]))
    seconds = np.empty((rounds, len(engines)))
    for turn in np.ndindex(*seconds.shape):
        began = time.process_time()
        engines[turn[1]].losses_and_gradients(inputs[None], targets[None])
        seconds[turn] = time.process_time() - began
    return pd.DataFrame(rows).assign(time=np.median(seconds / seconds[:, :1], 0))


def _losses(model: Trained) -> dict[str, object]:
    curve = model.curve
    accuracy = float(curve["validation_accuracy"].iloc[-1]) if "validation_accuracy" in curve else np.nan
    sizes = {"units": model.network.cell.hidden_size, "parameters": model.network.count_parameters()}
    at_the_end = {"training_loss": last_loss(model, "training"), "validation_loss": last_loss(model)}
    return model.names | sizes | at_the_end | {"accuracy": accuracy}


def _of_gates(interpolation: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    for seed, rows in by_seed(interpolation):
        by_bias = rows.set_index("bias")
        yield "closed_update_keeps", seed, by_bias["from_state"][CLOSED]
        yield "open_update_replaces", seed, by_bias["from_candidate"][OPEN]
        yield "closed_reset_forgets", seed, by_bias["through_reset"][CLOSED]


def _of_costs(costs: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    lstm, same_units, same_parameters = costs.to_dict("records")
    yield "parameters_at_same_units", seed, lstm["parameters"] / same_units["parameters"]
    for name, gru in (("units", same_units), ("parameters", same_parameters)):
        work, less = (row["forward"] + row["backward"] for row in (lstm, gru))
        yield f"multiply_adds_at_same_{name}", seed, work / less
        yield f"kept_at_same_{name}", seed, lstm["kept_bytes"] / gru["kept_bytes"]
    yield "time_at_same_units", seed, lstm["time"] / same_units["time"]
    yield "time_at_same_parameters", seed, lstm["time"] / same_parameters["time"]


def _of_learning(losses: pd.DataFrame, curves: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """Loss of the GRU over the LSTM's, of classes accuracy; who wins; and who is sooner halfway."""
    for seed, rows in by_seed(losses):
        by_task = rows.pivot(index="task", columns="architecture", values=["validation_loss", "accuracy"])
        loss, accuracy = by_task["validation_loss"], by_task["accuracy"]
        ratio = (loss["gru"] / loss["lstm"]).where(accuracy["gru"].isna(), accuracy["gru"] / accuracy["lstm"])
        yield from ((f"gru_over_lstm_{task}", seed, ratio[task]) for task in TASKS)
        wins = int((loss["gru"] < loss["lstm"]).sum())
        yield "wins_of_the_lesser", seed, min(wins, len(loss) - wins)
        seed_curves = curves[curves["seed"] == seed]
        yield from (
            (f"lstm_over_gru_epochs_{task}", seed, _halfway(seed_curves[seed_curves["task"] == task])) for task in TASKS
        )


def _halfway(curves: pd.DataFrame) -> float:
    """Epochs of the LSTM over those of the GRU until half of what both gain is gained."""
    loss = curves.pivot(index="epoch", columns="architecture", values="validation_loss")
    level = (loss.iloc[0].min() + loss.min().max()) / 2
    first = (loss.iloc[1:] <= level).idxmax()
    return float(first["lstm"] / first["gru"])
