"""Try `measure_model` on generated models: good ones, awkward ones and mistakes; print how many of each end how.

    PYTHONPATH=src python benchmarks/fuzz_models.py [--cases 184] [--seed 0] [--verbose]

A case is a seed: it draws a size, a step, how its parts are wrapped and, for one in two, one mistake. What is accepted
has to equal gradients by plain `torch.autograd.grad`, sequence by sequence and t by t; what is refused has to be an
error of the library in one sentence; good and awkward models have to be accepted. Exit status 1 if any case does
otherwise.
"""

import argparse
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from traceback import format_exc
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from learnability import measure_model
from learnability.core.errors import LearnabilityError
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions

SEQUENCES, TIME, LAGS = 20, 6, [1, 3]
LONGEST = 600
"""Characters of a sentence."""
TOLERANCE = 1e-7
KEPT_ERRORS = Reading(
    StatisticOptions(probe="own_gradient", directions=1, error_mean="kept"), detection=DetectionOptions(draws=100)
)
"""A reading that leaves the mean of errors in, so that its gradients are the gradients of the loss."""
Model = dict[str, Any]


class NumpyTanh(torch.autograd.Function):
    """tanh in NumPy, forward and backward: neither torch.func nor a second derivative sees through it."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        """tanh(x)."""
        y = torch.from_numpy(np.tanh(x.detach().numpy()))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        """1 - tanh²(x)."""
        (y,) = ctx.saved_tensors
        return torch.from_numpy((1 - y.numpy() ** 2) * grad.numpy())


class HiddenTanh(torch.autograd.Function):
    """Hyperbolic tangent whose backward pass detaches its input: a second derivative would be 0 in silence."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        """tanh(x)."""
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        """1 - tanh²(x)."""
        (x,) = ctx.saved_tensors
        return grad.detach() * (1 - x.tanh() ** 2)


class Spike(torch.autograd.Function):
    """A step function with a surrogate gradient, as spiking networks have it."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        """1 where x is positive."""
        ctx.save_for_backward(x)
        return (x > 0).to(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        """1/(1 + 5 |x|)²."""
        (x,) = ctx.saved_tensors
        return grad / (1 + 5 * x.abs()) ** 2


class Adjoint(torch.autograd.Function):
    """Two Euler steps of ds/dt = tanh(W s) - s, with their adjoint by hand."""

    @staticmethod
    def forward(ctx: Any, state: Tensor, weights: Tensor) -> Tensor:
        """s at the end."""
        middle = state + 0.3 * ((state @ weights.T).tanh() - state)
        ctx.save_for_backward(state, middle, weights)
        return middle + 0.3 * ((middle @ weights.T).tanh() - middle)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, adjoint: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients by both steps, the last one first."""
        *states, weights = ctx.saved_tensors
        of_weights = torch.zeros_like(weights)
        for state in reversed(states):
            inner = 0.3 * adjoint * (1 - (state @ weights.T).tanh() ** 2)
            of_weights += inner.T @ state
            adjoint = 0.7 * adjoint + inner @ weights
        return adjoint, of_weights


def affine(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """W x + U s."""
    return x @ p["W"].T + s @ p["U"].T


def gated(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """A gate and a candidate, of the same weights."""
    a = affine(p, s, x)
    return torch.lerp(s, a.tanh(), (a.flip(1) + p["b"]).sigmoid())


def normed(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """Layer normalisation within."""
    return 0.5 * s + torch.nn.functional.layer_norm(affine(p, s, x) + p["b"], (s.shape[1],)).tanh()


def convolved(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """The state as a line of places."""
    around = torch.nn.functional.pad(s[:, None], (1, 1), mode="circular")
    return (torch.nn.functional.conv1d(around, p["U"][:1, None, :3])[:, 0] + x @ p["W"].T).tanh()


def attending(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """Attention of the input over numbers of the state."""
    weights = (affine(p, s, x)).softmax(1)
    return (0.9 * s + weights * (s @ p["U"]) + x @ p["W"].T).tanh()


def in_place(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """The state that it is given is changed."""
    s *= 0.5
    return s.add_(affine(p, s.clone(), x).tanh_())


def with_item(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """Numbers that leave torch."""
    norms = torch.stack([row * (1 + 0.1 * np.tanh(row.detach().norm().item())) for row in s])
    return affine(p, norms, x).tanh()


def branching(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """A step that treats each row by its sign."""
    return torch.stack([row.tanh() if row.sum() > 0 else 0.5 * row.sin() for row in affine(p, s, x)])


def energy(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """Down the gradient of an energy, which it takes by autograd itself."""
    with torch.enable_grad():
        s = s if s.requires_grad else s.requires_grad_()
        value = (s @ p["U"] * s).sum() / 2 + torch.cosh(affine(p, s, x)).log().sum()
        (slope,) = torch.autograd.grad(value, s, create_graph=True)
    return s - 0.2 * slope


def solved(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """A fixed point by iteration without gradients, which one step more lets through."""
    with torch.no_grad():
        z = torch.zeros_like(s)
        for _ in range(20):
            z = torch.tanh(affine(p, 0.5 * s + 0.3 * z, x))
    return torch.tanh(affine(p, 0.5 * s + 0.3 * z, x))


def normalised(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """Changes its parameters in place."""
    p["U"] /= torch.linalg.matrix_norm(p["U"], 2).clamp(min=1).detach()
    return affine(p, s, x).tanh()


def leaking(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """A leak and a temperature that are learned, without dimensions."""
    leak = p["leak"].sigmoid()
    return (1 - leak) * s + leak * (affine(p, s, x) / p["temperature"].exp()).tanh()


def strided(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """An outcome that is a view, not in order."""
    return affine(p, s, x).tanh().T.contiguous().T


def assigned(p: dict[str, Tensor], s: Tensor, x: Tensor) -> Tensor:
    """Unit by unit into an empty tensor."""
    a, outcome = affine(p, s, x), torch.empty_like(s)
    for unit in range(s.shape[1]):
        outcome[:, unit] = (a[:, unit] + 0.1 * s[:, unit - 1]).tanh()
    return outcome


GOOD: dict[str, Callable[..., Tensor]] = {
    "vanilla": lambda p, s, x: (affine(p, s, x) + p["b"]).tanh(),
    "gated": gated,
    "normed": normed,
    "convolved": convolved,
    "attending": attending,
    "linear": lambda p, s, x: s * p["b"].sigmoid() + x @ p["W"].T,
    "relu": lambda p, s, x: 0.3 * s + torch.relu(affine(p, s, x) + p["b"]),
    "leaking": leaking,
}
AWKWARD: dict[str, Callable[..., Tensor]] = {
    "custom function in NumPy": lambda p, s, x: NumpyTanh.apply(affine(p, s, x)),
    "custom function that hides": lambda p, s, x: HiddenTanh.apply(affine(p, s, x)),
    "surrogate gradient": lambda p, s, x: 0.8 * s + 0.4 * Spike.apply(affine(p, s, x)) - 0.1 * s.tanh(),
    "adjoint solver": lambda p, s, x: Adjoint.apply(s + x @ p["W"].T, p["U"]),
    "state in place": in_place,
    "numbers by item": with_item,
    "branches on data": branching,
    "gradient within": energy,
    "fixed point": solved,
    "parameters in place": normalised,
    "view": strided,
    "unit by unit": assigned,
    "row by row": lambda p, s, x: torch.cat([gated(p, a, b) for a, b in zip(s.split(1), x.split(1), strict=True)]),
    "straight through": lambda p, s, x: (a := affine(p, s, x).tanh()) + ((8 * a).round() / 8 - a).detach(),
    "hooked": lambda p, s, x: _hooked(affine(p, s, x).tanh()),
}


def _hooked(outcome: Tensor) -> Tensor:
    """Clips its gradient, row by row."""
    if outcome.requires_grad:
        outcome.register_hook(lambda grad: 0.9 * grad)
    return outcome


def draw_model(seed: int) -> tuple[str, str, Model]:
    """A model's kind (`good` or `awkward`), its name, and the arguments of `measure_model`."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    kind = "good" if seed % 3 == 0 else "awkward"
    steps = GOOD if kind == "good" else AWKWARD
    name = list(steps)[seed // 3 % len(steps)]
    size, inputs = 3 + seed % 4, 1 + seed % 3
    parameters: dict[str, Any] = {"W": 0.7 * draw(size, inputs), "U": draw(size, size) / size**0.5, "b": draw(size)}
    parameters |= {"leak": draw(), "temperature": draw()}
    mix, x = draw(size), draw(SEQUENCES, TIME, inputs)
    readouts: list[Callable[[Tensor], Tensor]] = [
        lambda s: s @ mix,
        lambda s: (s @ mix).tanh(),
        lambda s: s.square().mean(1) + s[:, 0],
        lambda s: NumpyTanh.apply(s @ mix),
    ]
    model: Model = {
        "step": steps[name],
        "parameters": parameters,
        "readout": readouts[seed % len(readouts)],
        "inputs": x,
        "targets": x.cumsum(1).sum(2) + 0.1,
        "state_size": size,
        "lags": LAGS,
    }
    return kind, name, model


class Keeper:
    """Keeps what belongs in the state."""

    def __init__(self, step: Callable[..., Tensor]) -> None:
        self.step, self.calls, self.last = step, 0, torch.zeros(())

    def count(self, p: Any, s: Tensor, x: Tensor) -> Tensor:
        """Grows with every call."""
        self.calls += 1
        return self.step(p, s, x) * (1 + self.calls)

    def keep(self, p: Any, s: Tensor, x: Tensor) -> Tensor:
        """Adds what came last."""
        outcome = self.step(p, s, x) + 0.1 * self.last
        self.last = outcome.mean()
        return outcome


def _raise(error: BaseException) -> Any:
    raise error


def _step(change: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[[Model], Model]:
    """A mistake in the step."""
    return lambda model: model | {"step": change(model["step"])}


def _on(key: str, value: Any) -> Callable[[Model], Model]:
    return lambda model: model | {key: value(model[key]) if callable(value) else value}


def _put(name: str, value: Any) -> Callable[[Model], Model]:
    """A mistake in a parameter."""
    return lambda model: model | {"parameters": model["parameters"] | {name: value}}


MISTAKES: dict[str, Callable[[Model], Model]] = {
    "inputs of two axes": _on("inputs", lambda x: x[..., 0]),
    "inputs with NaN": _on("inputs", lambda x: x * torch.nan),
    "inputs of text": _on("inputs", "text"),
    "inputs None": _on("inputs", None),
    "inputs ragged": _on("inputs", [[1.0], [1.0, 2.0]]),
    "inputs of objects": _on("inputs", lambda x: np.array([object()] * 3)),
    "inputs of dates": _on("inputs", lambda x: np.array(["2020-01-01"], "M8[D]")),
    "inputs without sequences": lambda m: m | {"inputs": m["inputs"][:0], "targets": m["targets"][:0]},
    "inputs without time": lambda m: m | {"inputs": m["inputs"][:, :0], "targets": m["targets"][:, :0]},
    "one sequence": lambda m: m | {"inputs": m["inputs"][:1], "targets": m["targets"][:1]},
    "inputs without a device": _on("inputs", lambda x: x.to("meta")),
    "targets too short": _on("targets", lambda y: y[:, 1:]),
    "targets complex": _on("targets", lambda y: y * 1j),
    "targets predicted": lambda m: m | {"targets": torch.zeros_like(m["targets"]), "readout": lambda s: (s * 0).sum(1)},
    "lags in falling order": _on("lags", [3, 1]),
    "lags beyond": _on("lags", [1, 99]),
    "lag 0": _on("lags", [0, 1]),
    "lags negative": _on("lags", [-1]),
    "lags of floats": _on("lags", [1.5]),
    "lags of text": _on("lags", "1 2"),
    "lags None": _on("lags", None),
    "lags ragged": _on("lags", [[1], [1, 2]]),
    "no lags": _on("lags", []),
    "lags of truth": _on("lags", [True]),
    "state_size 0": _on("state_size", 0),
    "state_size of text": _on("state_size", "four"),
    "state_size too large": _on("state_size", lambda n: n + 1),
    "state_size a float": _on("state_size", 3.0),
    "root_seed None": lambda m: m | {"root_seed": None},
    "root_seed -1": lambda m: m | {"root_seed": -1},
    "root_seed 1.5": lambda m: m | {"root_seed": 1.5},
    "root_seed of text": lambda m: m | {"root_seed": "one"},
    "block_bytes 0": lambda m: m | {"block_bytes": 0},
    "block_bytes of text": lambda m: m | {"block_bytes": "1 GB"},
    "progress of text": lambda m: m | {"progress": "yes"},
    "reading of text": lambda m: m | {"reading": "paper"},
    "parameters a list": _on("parameters", lambda p: list(p.values())),
    "parameters empty": _on("parameters", {}),
    "parameters None": _on("parameters", None),
    "parameter complex": _put("W", torch.ones(3, 1, dtype=torch.complex128)),
    "parameter of truth": _put("W", torch.ones(3, 1, dtype=torch.bool)),
    "parameter None": _put("W", None),
    "parameter of text": _put("W", "weights"),
    "parameter infinite": _put("U", torch.full((3, 3), torch.inf)),
    "parameter of another shape": _put("U", torch.ones(7, 2)),
    "parameter missing": _on("parameters", lambda p: {"W": p["W"]}),
    "no step": _on("step", None),
    "step a number": _on("step", 3),
    "step takes too little": _step(lambda f: lambda p, s: s),
    "step gives a pair": _step(lambda f: lambda p, s, x: (f(p, s, x), s)),
    "step gives None": _step(lambda f: lambda p, s, x: None),
    "step gives an array": _step(lambda f: lambda p, s, x: f(p, s, x).detach().numpy()),
    "step gives a number": _step(lambda f: lambda p, s, x: 1.0),
    "step gives float32": _step(lambda f: lambda p, s, x: f(p, s, x).float()),
    "step gives complex": _step(lambda f: lambda p, s, x: torch.complex(f(p, s, x), s)),
    "step gives another shape": _step(lambda f: lambda p, s, x: f(p, s, x)[:, 1:]),
    "step gives an axis more": _step(lambda f: lambda p, s, x: f(p, s, x)[..., None]),
    "step gives NaN": _step(lambda f: lambda p, s, x: f(p, s, x) * torch.nan),
    "step raises": _step(lambda f: lambda p, s, x: _raise(KeyError("no"))),
    "step raises in lines": _step(lambda f: lambda p, s, x: _raise(ValueError("one\ntwo"))),
    "step ends the process": _step(lambda f: lambda p, s, x: sys.exit(3)),
    "step recurses": _step(lambda f: lambda p, s, x: (lambda g: g(g))(lambda g: g(g))),
    "step by chance": _step(lambda f: lambda p, s, x: f(p, s, x) * (1 + torch.rand(()))),
    "step by NumPy's chance": _step(lambda f: lambda p, s, x: f(p, s, x) * (1 + np.random.rand())),
    "step with dropout": _step(lambda f: lambda p, s, x: torch.dropout(f(p, s, x) + 1, 0.5, True)),
    "step counts": _step(lambda f: Keeper(f).count),
    "step keeps": _step(lambda f: Keeper(f).keep),
    "step mixes sequences": _step(lambda f: lambda p, s, x: f(p, s, x) + x.mean()),
    "step hides the state": _step(lambda f: lambda p, s, x: f(p, s.detach(), x)),
    "step ignores the state": _step(lambda f: lambda p, s, x: f(p, torch.zeros_like(s), x)),
    "step ignores parameters": _step(lambda f: lambda p, s, x: s.tanh() + x.sum(1, keepdim=True)),
    "step leaves torch": _step(lambda f: lambda p, s, x: torch.from_numpy(f(p, s, x).numpy())),
    "step overwrites": _step(lambda f: lambda p, s, x: overwritten(f(p, s, x))),
    "step without a derivative": _step(lambda f: lambda p, s, x: f(p, s, x) + (s * (x[:, :1] > 9)).abs().sqrt()),
    "step explodes": _step(lambda f: lambda p, s, x: (f(p, s, x) + 1e250 * s).sin()),
    "step overflows": _step(lambda f: lambda p, s, x: (f(p, s, x) + 1e200 * s + 1).square()),
    "readout gives pairs": _on("readout", lambda r: lambda s: s),
    "readout gives a column": _on("readout", lambda r: lambda s: r(s)[:, None]),
    "readout detaches": _on("readout", lambda r: lambda s: r(s).detach()),
    "readout by chance": _on("readout", lambda r: lambda s: r(s) + torch.rand(len(s))),
    "readout raises": _on("readout", lambda r: lambda s: _raise(RuntimeError())),
    "readout mixes sequences": _on("readout", lambda r: lambda s: r(s) - r(s).mean()),
    "no readout": lambda m: m | {"readout": None},
    "retention of another shape": lambda m: m | {"retention": lambda p, s, x: s[:, :1]},
    "retention raises": lambda m: m | {"retention": lambda p, s, x: _raise(ZeroDivisionError("no"))},
    "retention a number": lambda m: m | {"retention": 3},
    "retention of NaN": lambda m: m | {"retention": lambda p, s, x: s * torch.nan},
}


def overwritten(outcome: Tensor) -> Tensor:
    """Changes in place what its gradient needs."""
    y = outcome.exp()
    z = y * y
    y += 1
    return (y + z).tanh()


def copies(parameters: dict[str, Tensor]) -> dict[str, Tensor]:
    """A copy that shares no tensor."""
    return {name: tensor.clone() for name, tensor in parameters.items()}


def trajectory(model: Model) -> Iterator[list[tuple[Tensor, dict[str, Tensor], Tensor]]]:
    """Yield s_{t-1} and θ as leaves, and s_t, sequence by sequence and t by t."""
    theta = {name: torch.as_tensor(tensor).detach().double() for name, tensor in model["parameters"].items()}
    for x in torch.as_tensor(model["inputs"]).double():
        state, steps = torch.zeros(1, int(model["state_size"]), dtype=torch.float64), []
        for x_t in x:
            leaf = state.detach().clone().requires_grad_()
            parameters = {name: tensor.clone().requires_grad_() for name, tensor in theta.items()}
            state = model["step"](copies(parameters), leaf.clone(), x_t[None].clone())
            steps.append((leaf, parameters, state))
        yield steps


def plain_gradients(model: Model, lags: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
    """g_{i,ℓ} and g_i of each sequence, and J_t (sequence, t), by torch.autograd.grad alone."""
    by_lag, whole, jacobians = [], [], []
    options: dict[str, Any] = {"retain_graph": True, "allow_unused": True, "materialize_grads": True}
    targets = torch.as_tensor(model["targets"]).double()
    for steps, of_sequence in zip(trajectory(model), targets, strict=True):
        of_steps = [
            torch.stack([torch.autograd.grad(unit, leaf, **options)[0][0] for unit in state[0]])
            for leaf, _, state in steps
        ]
        jacobians.append(torch.stack(of_steps))
        time = len(steps)
        numbers = sum(parameter.numel() for parameter in steps[0][1].values())
        parts = torch.zeros(time, numbers, dtype=torch.float64)
        for t, ((_, _, state), target) in enumerate(zip(steps, of_sequence, strict=True)):
            end = state.detach().requires_grad_()
            prediction = model["readout"](end.clone())
            covector = torch.autograd.grad(prediction.sum(), end)[0]
            error = 2 * (prediction.detach() - target)
            for lag in range(t + 1):
                leaf, theta, after = steps[t - lag]
                back = torch.autograd.grad(after, [leaf, *theta.values()], covector, **options)
                parts[lag] += error * torch.cat([part.flatten() for part in back[1:]])
                covector = back[0]
        by_lag.append(parts[[int(lag) for lag in lags]] / time)
        whole.append(parts.sum(0) / time)
    return torch.stack(by_lag), torch.stack(whole), torch.stack(jacobians)


def largest_difference(model: Model, measurement: Any) -> float:
    """Largest difference between a measurement and plain gradients, relative to their size."""
    by_lag, whole, jacobians = plain_gradients(model, model["lags"])
    count, time = jacobians.shape[:2]
    noise = measurement.noise[(measurement.noise["transport"] == "exact") & (measurement.noise["noise"] == "total")]
    pairs = torch.einsum("ilp,jlp->lij", by_lag, by_lag)
    squares = pairs.diagonal(dim1=1, dim2=2).mean(1)
    square = (pairs.sum((1, 2)) / count - squares) / (count - 1)
    variance = whole.var(0).sum()
    diagonals = jacobians.diagonal(dim1=-2, dim2=-1)
    first_order = [
        torch.stack([diagonals[:, t - lag + 1 : t + 1].prod(1) for t in range(lag, time)], 1).abs().mean((0, 1)).sum()
        for lag in model["lags"]
    ]
    differences = [
        np.abs(noise["gradient_square"].to_numpy() - square.numpy()) / np.maximum(squares.numpy(), 1e-300),
        np.abs(noise["total_variance"].to_numpy() / variance.item() - 1),
    ]
    if "retention" not in model:
        envelope, expected = measurement.envelope["envelope"].to_numpy(), torch.stack(first_order).numpy()
        differences.append(np.abs(envelope - expected) / np.maximum(expected, 1e-300))
    return float(max(values.max() for values in differences))


def run_case(seed: int) -> tuple[str, str, str]:
    """A model's kind, how its measurement ended (`equal`, `refused`, or what is wrong), and a remark."""
    kind, name, model = draw_model(seed // 2)
    if seed % 2:
        kind, mistake = "mistake", list(MISTAKES)[seed // 2 % len(MISTAKES)]
        name = f"{name}, {mistake}"
        model = MISTAKES[mistake](model)
    try:
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            measurement = measure_model(**({"reading": KEPT_ERRORS} | model))
    except LearnabilityError as error:
        message = str(error)
        outcome = "refused" if "\n" not in message and len(message) <= LONGEST else "refused in more than a sentence"
        return kind, "refused, and should not be" if kind != "mistake" else outcome, f"{name}: {message}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return kind, "traceback", f"{name}: {format_exc()}"
    difference = largest_difference(model, measurement)
    return kind, "equal" if difference <= TOLERANCE else "differs", f"{name}: {difference:.1e}"


def main() -> int:
    """Run the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=184, help="how many (default: 184, every mistake at least once)")
    parser.add_argument("--seed", type=int, default=0, help="of the first case")
    parser.add_argument("--every", type=int, default=1, help="take each so many-th seed")
    parser.add_argument("--verbose", action="store_true", help="say how each case ends")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    counts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for seed in range(arguments.seed, arguments.seed + arguments.cases * arguments.every, arguments.every):
        kind, outcome, remark = run_case(seed)
        counts[kind, outcome] += 1
        is_wrong = outcome not in ("equal", "refused")
        wrong += is_wrong
        if is_wrong or arguments.verbose:
            print(f"{seed} {kind} {outcome}: {remark}", flush=True)
    print("| kind | ends | cases |\n|---|---|---|")
    for (kind, outcome), count in sorted(counts.items()):
        print(f"| {kind} | {outcome} | {count} |")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
