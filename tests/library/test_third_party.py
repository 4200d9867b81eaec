"""Modules of other packages, measured as docs/cookbook.md shows it, against gradients by plain autograd.

These alone catch a way in which published modules keep their state, their parameters or their types that the library
takes wrongly or refuses. The oracle gives each step a copy of the module, so that a gradient with respect to the copy
is the gradient with respect to the parameters at that step. It uses no code of the library.
"""

import doctest
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_flatten, tree_unflatten

from learnability import measure_model
from learnability.core.errors import InputError
from learnability.core.streams import numpy_generator
from learnability.measurement.step import OWN_GRADIENT, measure_step
from learnability.windows.readings import DetectionOptions

PAGE = Path(__file__).parents[2] / "docs" / "cookbook.md"
Names = dict[str, Any]


def sections() -> dict[str, list[str]]:
    """The blocks below each heading of the page; those before the first heading have the name ''."""
    blocks: dict[str, list[str]] = {}
    for part in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M):
        head, *_ = part.split("\n", 1)
        blocks["" if head.startswith("#") else head] = re.findall(r"^```python\n(.*?)^```$", part, re.M | re.S)
    return blocks


def examples(title: str) -> Iterator[Names]:
    """Names after each block of a section, which runs as a doctest."""
    blocks = sections()
    names: Names = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate([*blocks[""], *blocks[title]]):
        test = doctest.DocTestParser().get_doctest(block, names, title, str(PAGE), 0)
        output: list[str] = []
        runner.run(test, out=output.append, clear_globs=False)
        assert not output, "".join(output)
        names = test.globs
        if number >= len(blocks[""]):
            yield dict(names)


def sequences(names: Names) -> tuple[Tensor, Tensor]:
    """Inputs and targets of an example: the page's, or the ones that its tokens make."""
    if "tokens" in names:
        return names["tokens"][..., None], names["tokens"].cumsum(1)
    return names["inputs"], names["targets"]


def test_no_section_changes_the_sequences_of_the_page():
    """A reader runs the page from top to bottom."""
    blocks = sections()
    first = "".join(blocks.pop(""))
    assigned = re.compile(r"^>>> .*\b(inputs|targets)\b(?=[^()]*= )", re.M)
    assert len(assigned.findall(first)) == 2
    assert [title for title, parts in blocks.items() if assigned.search("".join(parts))] == []


def one_by_one(of: Callable[[nn.Module], Callable[..., Any]], *, pair: bool = True) -> Callable[..., Any]:
    """A module's step (module, x, carry) → (what the readout takes, carry), x of one sequence."""

    def step(module: nn.Module, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
        result = of(module)(x) if carry is None else of(module)(x, carry)
        return result if pair else (result, result)

    return step


def in_time(step: Callable[..., Any]) -> Callable[..., Any]:
    """The same of a module of whole sequences."""

    def over(module: nn.Module, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
        outputs, after = step(module, x[:, None], carry)
        return outputs[:, -1], after

    return over


def state_shown(step: Callable[..., Any]) -> Callable[..., Any]:
    def show_state(module: nn.Module, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
        _, after = step(module, x, carry)
        return after, after

    return show_state


def slstm(module: Any, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
    outputs, after = module.layer.step(x[:, None], slstm_state=carry)
    return outputs[:, 0], after["slstm_state"]


def spiking_step(module: Any, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
    spikes, membrane = (torch.zeros(1, 4), torch.zeros(1, 4)) if carry is None else carry
    after = module.neuron(module.into(torch.cat([x, spikes], 1)), membrane)
    return after[0], after


def continuous(module: Any, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
    """A step of the rule of three eighths, by hand."""
    state = torch.zeros(1, 5) if carry is None else carry

    def slope(h: Tensor) -> Tensor:
        return module.flow(h).tanh()

    k1 = slope(state)  # the package's rk4 is that rule
    k2 = slope(state + k1 / 3)
    k3 = slope(state + k2 - k1 / 3)
    k4 = slope(state + k1 - k2 + k3)
    state = module.cell(x, state + (k1 + 3 * k2 + 3 * k3 + k4) / 8)
    return state, state


def mamba(module: Any, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
    return module.block.step(x, (torch.zeros(1, 4, 2), torch.zeros(1, 4, 1)) if carry is None else carry)


def s5(module: Any, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
    start = torch.zeros(module.layer.seq.Lambda.shape, dtype=torch.complex128) if carry is None else carry[0]
    output, after = module.layer.seq.forward_rnn(x[0], start)
    return output[None], (after,)


def images(module: Any, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
    zeros = torch.zeros(1, 2, 2, 2)
    after = module(x.view(1, 1, 2, 2), (zeros, zeros) if carry is None else carry)
    return after[0], after


def retention(module: Any, x: Tensor, carry: Any) -> tuple[Tensor, Any]:
    x = module.into(x)
    return module.attention.forward_recurrent(x, x, x, 0, carry)


STEPS: dict[str, list[tuple[Callable[..., Any] | None, float]]] = {
    "ncps: CfC and LTC": [
        (in_time(one_by_one(lambda module: module)), 1e-7),
        (state_shown(in_time(one_by_one(lambda module: module))), 1e-7),
    ],
    "minGRU-pytorch: minGRU": [
        (
            in_time(
                one_by_one(lambda module: lambda *given: module.layer(*given, return_next_prev_hidden=True)),
            ),
            1e-7,
        ),
        (None, 0),  # refused
    ],
    "mambapy: Mamba": [(mamba, 1e-5)],  # A in single precision
    "xlstm: sLSTM": [(slstm, 2e-3)],  # a batch of states that are all 0 takes a branch of its own
    "snntorch: a spiking neuron": [(spiking_step, 1e-7)],
    "torchdiffeq: an ODE between steps": [(continuous, 1e-7)],
    "s5-pytorch: S5": [(s5, 1e-5)],  # B in single precision
    "conv-lstm: images": [(images, 1e-7)],
    "yet-another-retnet: attention as a recurrence": [(retention, 1e-7)],
    "torch: tokens": [(one_by_one(lambda module: module, pair=False), 1e-7)],
    "torch: weight normalisation": [(in_time(one_by_one(lambda module: module)), 1e-7)],
}
"""Steps by section: the step of the module in its examples, and a relative tolerance."""
PACKAGES = {
    "ncps": "ncps.torch",
    "minGRU-pytorch": "minGRU_pytorch",
    "mambapy": "mambapy",
    "xlstm": "xlstm",
    "snntorch": "snntorch",
    "torchdiffeq": "torchdiffeq",
    "s5-pytorch": "s5",
    "LRU-pytorch": "LRU_pytorch",
    "conv-lstm": "conv_lstm",
    "yet-another-retnet": "yet_another_retnet",
    "torch": "torch",
}


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Few resamples, for no interval is looked at here; packages may leave another type behind."""
    few = replace(OWN_GRADIENT, detection=DetectionOptions(draws=100))
    with_few = partial(measure_step, reading=few)
    for name in ("model", "module"):
        monkeypatch.setattr(f"learnability.measurement.{name}.measure_step", with_few)
    yield
    torch.set_default_dtype(torch.float32)


def in_double(module: nn.Module) -> nn.Module:
    for part in module.modules():
        if isinstance(part, nn.RNNBase):
            part._flat_weights = []  # cannot be copied, and is made again by each call
    double_module = deepcopy(module).double().eval()
    for parameter in double_module.parameters():
        if parameter.is_complex():
            parameter.data = parameter.data.to(torch.complex128)
    return double_module


def without_mean(errors: Tensor) -> Tensor:
    """Errors less their mean at that t over all other sequences of their half, as the reading has it by default."""
    halves = errors.chunk(2)
    return torch.cat([(half - half.mean(0)) * len(half) / (len(half) - 1) for half in halves])


def real(tensors: list[Tensor]) -> Tensor:
    return torch.cat([(torch.view_as_real(tensor) if tensor.is_complex() else tensor).flatten() for tensor in tensors])


def forward(copies: list[nn.Module], step: Callable[..., Any], x: Tensor) -> tuple[list[Tensor], list[Any]]:
    """Inputs of the readout at each step, and the states after it, of one sequence."""
    carry, outputs, states = None, [], []
    for module, x_t in zip(copies, x, strict=True):
        output, carry = step(module, x_t[None], carry)
        outputs.append(output)
        states.append(carry)
    return outputs, states


def one_step(module: nn.Module, step: Callable[..., Any], state: Any, x: Tensor) -> Tensor:
    """∂s_t/∂s_{t-1} over all numbers of the state."""
    parts, form = tree_flatten(state)
    parts = [part.detach() for part in parts]

    def after(*numbers: Tensor) -> Tensor:
        leaves = [
            torch.view_as_complex(number) if like.is_complex() else number
            for number, like in zip(numbers, parts, strict=True)
        ]
        _, carry = step(module, x[None], tree_unflatten(leaves, form))
        return real(tree_flatten(carry)[0])

    numbers = tuple(torch.view_as_real(part) if part.is_complex() else part for part in parts)
    jacobians = torch.autograd.functional.jacobian(after, numbers)
    return torch.cat([block.reshape(len(block), -1) for block in jacobians], 1)


def transport_norms(
    module: nn.Module, step: Callable[..., Any], states: list[Any], x: Tensor, end: int, lags: list[int]
) -> list[float]:
    """Σ |diag ∂s_end/∂s_{end - lag}| at each lag, steps counted from 1."""
    jacobians = [one_step(module, step, states[t - 1], x[t]) for t in range(end - lags[-1], end)]
    return [float(reduce(torch.matmul, reversed(jacobians[-lag:])).diagonal().abs().sum()) for lag in lags]


@pytest.mark.parametrize("title", STEPS)
def test_a_module_of_another_package_is_measured_as_plain_autograd_has_it(title: str) -> None:
    pytest.importorskip(PACKAGES[title.split(":")[0]])
    for names, (step, tolerance) in zip(examples(title), STEPS[title], strict=True):
        if step is None:
            continue
        torch.set_default_dtype(torch.float64)
        module, head = in_double(names["module"]), in_double(names["head"])
        inputs, targets = (numbers.double() for numbers in sequences(names))
        count, time = targets.shape
        lags = names["measured"].exact["lag"].tolist()
        leaf_names = [name for name, parameter in module.named_parameters() if parameter.requires_grad]
        runs = []
        copies = [in_double(module) for _ in range(time)]
        leaves = [dict(copy.named_parameters())[name] for copy in copies for name in leaf_names]
        for x in inputs:
            outputs, states = forward(copies, step, x)
            runs.append((torch.stack([head(output.double()).reshape(()) for output in outputs]), states))
        errors = 2 * (torch.stack([run_outputs.detach() for run_outputs, _ in runs]) - targets)
        errors = without_mean(errors)
        by_lag, whole = [], []
        for (prediction, _), error in zip(runs, errors, strict=True):
            parts = torch.zeros(time, sum(real([leaf]).numel() for leaf in leaves[: len(leaf_names)]))
            for t in range(time):
                options: dict[str, Any] = {"allow_unused": True, "materialize_grads": True, "retain_graph": True}
                gradients = torch.autograd.grad(prediction[t] * error[t], leaves, **options)
                for lag in range(t + 1):
                    start = (t - lag) * len(leaf_names)
                    parts[lag] += real(list(gradients[start : start + len(leaf_names)]))
            by_lag.append(parts[lags] / time)
            whole.append(parts.sum(0) / time)
        pairs = torch.einsum("ilp,jlp->lij", torch.stack(by_lag), torch.stack(by_lag))
        squares = pairs.diagonal(dim1=1, dim2=2).mean(1)
        expected = (pairs.sum((1, 2)) / count - squares) / (count - 1)
        noise = names["measured"].noise
        noise = noise[(noise["transport"] == "exact") & (noise["noise"] == "total")]
        difference = np.abs(noise["gradient_square"].to_numpy() - expected.numpy()) / squares.numpy()
        assert (squares > 0).all()
        assert difference.max() < tolerance
        np.testing.assert_allclose(noise["total_variance"], float(torch.stack(whole).var(0).sum()), rtol=tolerance)
        ends = numpy_generator(0, 0, "windows").integers(lags[-1] + 1, time + 1, count)
        transports = [
            transport_norms(module, step, states, x, int(end), lags)
            for (_, states), x, end in zip(runs, inputs, ends, strict=True)
        ]
        np.testing.assert_allclose(names["measured"].exact["exact"], np.mean(transports, 0), rtol=tolerance)
        torch.set_default_dtype(torch.float32)


def test_a_linear_recurrent_unit_is_measured_as_its_gradient_over_whole_sequences_has_it() -> None:
    """The package returns no state: its own loop over whole sequences has the sum over all lags alone."""
    pytest.importorskip(PACKAGES["LRU-pytorch"])
    (names,) = examples("LRU-pytorch: a linear recurrent unit")
    module, (inputs, targets) = names["module"], sequences(names)
    predictions = module(inputs)[..., 0]  # in single precision
    errors = 2 * (predictions.detach() - targets)
    errors = without_mean(errors)
    leaves = [leaf for name, leaf in module.named_parameters() if name != "C"]
    whole = []
    for prediction, error in zip(predictions, errors, strict=True):
        gradients = torch.autograd.grad((prediction * error).mean(), leaves, retain_graph=True)
        whole.append(real(list(gradients)).double())
    noise = names["measured"].noise
    variance = noise[(noise["transport"] == "exact") & (noise["noise"] == "total")]["total_variance"]
    np.testing.assert_allclose(variance, float(torch.stack(whole).var(0).sum()), rtol=1e-4)


def test_every_section_of_the_page_is_tested() -> None:
    assert set(sections()) - {""} == {*STEPS, "LRU-pytorch: a linear recurrent unit"}
    text = (PAGE.parents[1] / "requirements-models.txt").read_text(encoding="utf-8")
    pins = {line.split("==")[0] for line in text.splitlines() if "==" in line}
    assert pins - {"einops"} == {name.lower() for name in PACKAGES} - {"torch"}


def test_what_published_modules_do_wrong_is_refused() -> None:
    """A state that is dropped at every step, as by `snntorch.SLSTM`; a hook that cannot be copied."""
    snntorch = pytest.importorskip("snntorch")

    class Dropping(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = snntorch.SLSTM(4, 5)

        def forward(self, x: Tensor, state: Any) -> Any:
            spikes, *after = self.cell(x, *state)
            return spikes, tuple(after)

    inputs, zeros = torch.randn(20, 6, 4), torch.zeros(1, 5)
    with pytest.raises(InputError, match="'step' must be differentiable in its state"):
        measure_model(Dropping(), inputs, inputs.sum(2), state=(zeros, zeros), readout=lambda s: s.sum(1))
