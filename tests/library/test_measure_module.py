"""Modules of torch are measured as they are: their steps, found by calling them, give what the modules give."""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
import pytest
import torch
from torch import Tensor, nn

from learnability import measure_model, measure_module
from learnability.core.errors import InputError
from learnability.measurement.module import find_model
from learnability.measurement.step import OWN_GRADIENT
from learnability.windows.readings import DetectionOptions

N, T, X, H = 22, 7, 3, 4
FAST: dict[str, Any] = {"reading": replace(OWN_GRADIENT, detection=DetectionOptions(draws=100)), "lags": [1, 2]}


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


@pytest.fixture
def x() -> Tensor:
    return torch.randn(N, T, X, dtype=torch.float64)


class Both(NamedTuple):
    fast: Tensor
    slow: Tensor


class Own(nn.Module):
    """A module whose state has a form of its own, `kept`."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.kept, self.cell, self.out = form, nn.LSTMCell(X, H), nn.Linear(H, 1)
        self.drop = nn.Dropout(0.5)

    def forward(self, x: Tensor, state: Any = None) -> Any:
        if state is None:
            h, c = self.cell(x)
        else:
            h, c = self.cell(x, (state["h"], state["c"][0]) if self.kept == "dict" else tuple(state))
        h = self.drop(h)
        if self.kept == "dict":
            return self.out(h), {"h": h, "c": [c]}
        if self.kept == "named":
            return self.out(h)[:, 0], Both(h, c)
        return (h, (h, c)) if self.kept == "shown" else [h, c]


class Rotating(nn.Module):
    """A complex state."""

    def __init__(self) -> None:
        super().__init__()
        self.angle, self.into, self.out = nn.Parameter(torch.rand(H)), nn.Linear(X, H), nn.Linear(2 * H, 1)

    def forward(self, x: Tensor, state: Tensor | None) -> tuple[Tensor, Tensor]:
        before = 0 if state is None else state * torch.polar(torch.ones_like(self.angle), self.angle)
        after = before + self.into(x).to(torch.complex128)
        return self.out(torch.view_as_real(after).flatten(1)), after


def stepwise(module: nn.Module, readout: Callable[[Any], Tensor] | None, x: Tensor) -> Tensor:
    """ŷ of a module that is called once a step."""
    module, state, outputs = module.double().eval(), None, []
    for inputs in x.unbind(1):
        result = module(inputs) if state is None and isinstance(module, nn.RNNCellBase) else module(inputs, state)
        is_pair = isinstance(result, tuple) and not isinstance(module, nn.LSTMCell)
        output, state = result if is_pair else (result[0] if isinstance(result, (tuple, list)) else result, result)
        outputs.append((output if readout is None else readout(output)).reshape(len(x)))
    return torch.stack(outputs, 1)


def predictions(model: Any, x: Tensor) -> Tensor:
    state, outputs = x.new_zeros(len(x), model.state_size), []
    for inputs in x.unbind(1):
        state = model.step(model.parameters, state, inputs)
        outputs.append(model.readout(state).reshape(len(x)))
    return torch.stack(outputs, 1)


@pytest.mark.parametrize(
    ("build", "size"),
    [
        (lambda: nn.RNN(X, H, batch_first=True), H),
        (lambda: nn.GRU(X, H, num_layers=3, dropout=0.5), 3 * H),
        (lambda: nn.LSTM(X, H, num_layers=2, batch_first=True), 4 * H),
        (lambda: nn.LSTM(X, 5, proj_size=H), H + 5),
    ],
    ids=["rnn", "gru", "lstm", "projected"],
)
def test_a_module_of_whole_sequences_is_taken_step_by_step(
    build: Callable[[], nn.RNNBase], size: int, x: Tensor
) -> None:
    module, head = build(), nn.Linear(H, 1)
    model = find_model(module, x[:, 0], head, None)
    assert model.state_size == size
    reference = module.double().eval()
    outputs = reference(x)[0] if reference.batch_first else reference(x.transpose(0, 1))[0].transpose(0, 1)
    torch.testing.assert_close(predictions(model, x), head.double()(outputs)[..., 0])
    assert model.parameters.keys() == dict(module.named_parameters()).keys()


@pytest.mark.parametrize(
    ("build", "readout", "size"),
    [
        (lambda: nn.RNNCell(X, H), None, H),
        (lambda: nn.GRUCell(X, H), None, H),
        (lambda: nn.LSTMCell(X, H), None, 2 * H),
        (lambda: Own("listed"), None, 2 * H),
        (lambda: Own("shown"), None, 2 * H),
        (lambda: Own("named"), lambda module: module.out, 2 * H),
        (lambda: Own("dict"), lambda module: lambda state: module.out(state["h"]), 2 * H),
        (Rotating, lambda module: lambda state: module.out(torch.view_as_real(state).flatten(1)), 2 * H),
    ],
    ids=["rnn_cell", "gru_cell", "lstm_cell", "listed", "shown", "named", "dict", "complex"],
)
def test_a_module_of_single_steps_is_called_as_it_is(
    build: Callable[[], nn.Module], readout: Callable[[Any], Any] | None, size: int, x: Tensor
) -> None:
    """The found step predicts what the module predicts when it is called step by step."""
    module, head = build().double(), nn.Linear(H, 1).double()
    model = find_model(module, x[:, 0], head if readout is None else readout(module), None)
    assert model.state_size == size
    torch.testing.assert_close(predictions(model, x), stepwise(module, head if readout is None else None, x))


def test_weights_of_the_output_are_no_parameters_and_the_users_module_stays_as_it_is(x: Tensor) -> None:
    module = Own("dict").train()
    model = find_model(module, x[:, 0], lambda state: state["h"][:, 0], None)
    assert all(name.startswith("cell.") for name in model.parameters)
    assert module.training and {parameter.dtype for parameter in module.parameters()} == {torch.float32}


def test_a_first_state_may_be_given(x: Tensor) -> None:
    class Strict(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = nn.GRUCell(X, H)

        def forward(self, x: Tensor, state: dict[str, Tensor]) -> dict[str, Tensor]:
            return {"h": self.cell(x, state["h"])}

    strict = Strict()
    model = find_model(strict, x[:, 0], lambda state: state["h"].sum(1), {"h": torch.ones(1, H)})
    expected = find_model(strict.cell, x[:, 0], lambda h: h.sum(1), None)
    torch.testing.assert_close(predictions(model, x), predictions(expected, x))
    with pytest.raises(InputError, match="'module' must take x"):
        find_model(strict, x[:, 0], None, None)
    for state in (3, [], (1, torch.ones(1, H)), {"h": torch.ones(1, H), "c": torch.ones(2, H)}, torch.tensor(0.0)):
        with pytest.raises(InputError, match="'state' must be what is kept from step to step"):
            find_model(strict, x[:, 0], None, state)


def test_all_tables_are_those_of_the_explicit_form(x: Tensor) -> None:
    cell, head, y = nn.LSTMCell(X, H).double(), nn.Linear(H, 1).double(), x.cumsum(1).sum(2)

    def step(parameters: dict[str, Tensor], state: Tensor, inputs: Tensor) -> Tensor:
        return torch.cat(torch.func.functional_call(cell, parameters, (inputs, state.chunk(2, 1))), 1)

    measurement = measure_module(cell, x, y, readout=head)
    expected = measure_model(
        step, dict(cell.named_parameters()), lambda s: head(s[:, :H])[:, 0], x, y, state_size=2 * H, lags=[1, 2, 4]
    )
    for name, table in expected._asdict().items():
        pd.testing.assert_frame_equal(getattr(measurement, name), table)


class Stack(nn.Module):
    """Whole sequences through cells of the user: a GRU cell below an LSTM cell."""

    def __init__(self) -> None:
        super().__init__()
        self.below, self.above = nn.GRUCell(X, H), nn.LSTMCell(H, H)

    def forward(self, x: Tensor, state: Any = None) -> Any:
        h, (g, c) = (x.new_zeros(len(x), H), (x.new_zeros(len(x), H),) * 2) if state is None else state
        outputs = []
        for inputs in x.unbind(1):
            h = self.below(inputs, h)
            g, c = self.above(h, (g, c))
            outputs.append(g)
        return torch.stack(outputs, 1), (h, (g, c))


class Layer(nn.Module):
    """Whole sequences through a linear state-space layer, with outputs that are none of its states."""

    def __init__(self) -> None:
        super().__init__()
        self.decay, self.into, self.out = nn.Parameter(torch.rand(H)), nn.Linear(X, H, bias=False), nn.Linear(H, 2)

    def forward(self, x: Tensor, state: Tensor | None) -> tuple[Tensor, dict[str, Tensor]]:
        h = x.new_zeros(len(x), H) if state is None else state["kept"]
        states = []
        for inputs in x.unbind(1):
            h = self.decay * h + self.into(inputs)
            states.append(h)
        return self.out(torch.stack(states, 1)), {"kept": h}


class Wrapped(nn.Module):
    """A module of torch with something around it; `gives` says what of its outcome is returned."""

    def __init__(self, inner: nn.RNNBase, gives: str = "both") -> None:
        super().__init__()
        self.inner, self.gives = inner, gives

    def forward(self, x: Tensor, state: Any = None) -> Any:
        outputs, after = self.inner(torch.tanh(x), state)
        return outputs if self.gives == "outputs" else (outputs, after)


def measured_as_step(
    step: Callable[..., Tensor], module: nn.Module, readout: Callable[[Tensor], Tensor], x: Tensor, size: int
) -> Any:
    return measure_model(
        step, dict(module.named_parameters()), readout, x, x.cumsum(1).sum(2), state_size=size, lags=[1, 2, 4]
    )


def assert_equal_tables(result: Any, expected: Any) -> None:
    for name, table in expected._asdict().items():
        pd.testing.assert_frame_equal(getattr(result, name), table, rtol=1e-7)


def test_a_stack_of_own_cells_over_whole_sequences_is_measured_as_its_step(x: Tensor) -> None:
    """The stack's outputs are h of the upper cell, which the readout takes."""
    module, head = Stack().double(), nn.Linear(H, 1).double()

    def step(p: dict[str, Tensor], s: Tensor, inputs: Tensor) -> Tensor:
        h, g, c = s.chunk(3, 1)
        below = {name.removeprefix("below."): tensor for name, tensor in p.items() if name.startswith("below.")}
        above = {name.removeprefix("above."): tensor for name, tensor in p.items() if name.startswith("above.")}
        h = torch.func.functional_call(module.below, below, (inputs, h))
        return torch.cat([h, *torch.func.functional_call(module.above, above, (h, (g, c)))], 1)

    measurement = measure_module(module, x, x.cumsum(1).sum(2), readout=head)
    assert_equal_tables(measurement, measured_as_step(step, module, lambda s: head(s[:, H : 2 * H])[:, 0], x, 3 * H))


def test_a_layer_over_whole_sequences_is_measured_as_its_step(x: Tensor) -> None:
    module, mix = Layer().double(), torch.randn(H, dtype=torch.float64)
    weights = {name: tensor for name, tensor in module.named_parameters() if not name.startswith("out.")}

    def step(p: dict[str, Tensor], s: Tensor, inputs: Tensor) -> Tensor:
        return p["decay"] * s + inputs @ p["into.weight"].T

    measurement = measure_module(module, x, x.cumsum(1).sum(2), readout=lambda state: state["kept"] @ mix)
    expected = measure_model(step, weights, lambda s: s @ mix, x, x.cumsum(1).sum(2), state_size=H, lags=[1, 2, 4])
    assert_equal_tables(measurement, expected)
    with pytest.raises(InputError, match="'readout' must be given"):
        measure_module(module, x, x.sum(2))


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("kind", [nn.GRU, nn.LSTM])
def test_layers_first_in_a_state_are_told_from_sequences(kind: type[nn.RNNBase], layers: int, x: Tensor) -> None:
    """Three layers are as many as the sequences that a module is tried with."""
    inner, head = kind(X, H, num_layers=layers, batch_first=True), nn.Linear(H, 1).double()
    model = find_model(Wrapped(inner), x[:, 0], head, None)
    expected = find_model(inner, x[:, 0].tanh(), head, None)
    assert model.state_size == expected.state_size
    torch.testing.assert_close(predictions(model, x), predictions(expected, x.tanh()))


def test_a_wrapped_lstm_is_measured_as_the_lstm(x: Tensor) -> None:
    inner, head = nn.LSTM(X, H, batch_first=True).double(), nn.Linear(H, 1).double()
    y = x.cumsum(1).sum(2)
    measurement = measure_module(Wrapped(inner), x, y, readout=head)
    assert_equal_tables(measurement, measure_module(inner, x.tanh(), y, readout=head))


class Classifier(nn.Module):
    """Scores after the last step, as of a module that was trained."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.head = nn.LSTM(X, H, batch_first=True), nn.Linear(H, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.lstm(x)[0][:, -1])


def test_a_module_that_keeps_its_state_to_itself_is_refused_with_the_part_to_measure(x: Tensor) -> None:
    whole = Wrapped(nn.GRU(X, H, batch_first=True), "outputs")
    for module, part in ((Classifier(), "lstm"), (whole, next(name for name, _ in whole.named_children()))):
        with pytest.raises(InputError, match=rf"recurrent part, module\.{part}, and give the rest as `readout`"):
            measure_module(module, x, x.sum(2))


@pytest.mark.parametrize(
    ("empty", "message"),
    [((0, T, X), "two sequences at least.*Got 0"), ((N, 0, X), "two steps.*Got 0")],
    ids=["sequences", "steps"],
)
def test_empty_inputs_are_refused_before_the_module_sees_them(empty: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=f"'inputs' must be of {message}"):
        measure_module(Own("list"), torch.zeros(empty), torch.zeros(empty[:2]), readout=lambda state: state[0][:, 0])


def test_a_state_without_a_gradient_is_refused_with_what_cuts_it_off(x: Tensor) -> None:
    class Detached(Own):
        def forward(self, x: Tensor, state: Any = None) -> Any:
            return [part.detach() for part in super().forward(x, state)]

    with pytest.raises(InputError, match=r"its state depends on, without `detach\(\)` or `torch.no_grad\(\)`"):
        measure_module(Detached("list"), x, x.sum(2), readout=lambda state: state[0][:, 0])


def test_inputs_that_a_module_does_not_take_are_refused_without_other_ways(x: Tensor) -> None:
    with pytest.raises(InputError, match=r"Got RuntimeError: .* for x \(sequence, input\)") as refusal:
        measure_module(Wrapped(nn.GRU(X + 1, H, batch_first=True)), x, x.sum(2), readout=nn.Linear(H, 1))
    assert "recurrent part" not in str(refusal.value)


def test_a_state_of_torchs_own_modules_is_refused_since_theirs_is_0(x: Tensor) -> None:
    with pytest.raises(
        InputError, match=r"'state' must be None for GRU of torch: its first state is 0\. Got 'Tensor'\."
    ):
        measure_module(nn.GRU(X, 2, batch_first=True), x, x.sum(2), state=torch.ones(1, 1, 2), readout=nn.Linear(2, 1))


def test_a_module_that_does_not_take_none_is_refused_with_the_state_to_give(x: Tensor) -> None:
    module = Passed(lambda x, state: {"h": (x + state["h"]).tanh()})
    with pytest.raises(InputError, match=r"give one as `state`, torch\.zeros\(1, 5\), say\. Got TypeError: 'NoneType'"):
        measure_module(module, x, x.sum(2))
    for wrong in (torch.zeros(1, X + 1), torch.zeros(X)):
        given = rf"`state` is given as a .* of shape {re.escape(str(tuple(wrong.shape)))}\. Got"
        with pytest.raises(InputError, match=given) as refusal:
            measure_module(Passed(lambda x, state: (x + state).tanh() @ torch.eye(X).double()), x, x, state=wrong)
        assert "None for its first state" not in str(refusal.value)
    with pytest.raises(InputError, match=r"'readout' must take a state that is a dict of h: .* Got TypeError"):
        measure_module(module, x, x.sum(2), state={"h": torch.zeros(1, X)}, readout=nn.Linear(X, 1))


def test_a_module_that_takes_steps_and_sequences_is_called_for_a_step(x: Tensor) -> None:
    """The call is the one from before modules of whole sequences were taken."""
    shapes = []

    class Either(nn.GRUCell):
        def forward(self, x: Tensor, state: Tensor | None = None) -> Any:
            shapes.append(tuple(x.shape[1:]))
            return super().forward(x if x.ndim == 2 else x[:, 0], state)

    model = find_model(Either(X, H), x[:, 0], lambda h: h.sum(1), None)
    predictions(model, x)
    assert set(shapes) == {(X,)}


class Passed(nn.Module):
    """Gives whatever a function makes of input and state."""

    def __init__(self, function: Callable[[Tensor, Any], Any]) -> None:
        super().__init__()
        self.weight, self.function = nn.Parameter(torch.ones(1)), function

    def forward(self, x: Tensor, state: Any = None) -> Any:
        return self.function(self.weight * x, state)


@pytest.mark.parametrize(
    ("module", "readout", "message"),
    [
        (lambda: nn.LSTM(X, H, bidirectional=True), nn.Linear(2 * H, 1), "'module.bidirectional' must be False"),
        (
            lambda: nn.GRU(X + 1, H),
            nn.Linear(H, 1),
            r"'inputs' must be of shape .* for this module",
        ),
        (
            lambda: nn.GRU(X, H),
            None,
            r"'targets' must be .* for predictions of 4 numbers .* need a `readout` of one",
        ),
        (lambda: nn.GRU(X, H), nn.Linear(H, 2), r"'targets' must be .* for predictions of 2 numbers"),
        (lambda: Own("named"), None, "'readout' must be given"),
        (lambda: nn.Linear(2, H), None, "'module' must take x"),
        (lambda: Passed(lambda x, state: "no"), None, "a str of 3 sequences, which is neither"),
        (lambda: Passed(lambda x, state: (x, x)), None, "which may be a state or a pair of output and state"),
        (lambda: Passed(lambda x, state: x[None]), None, r"\(1, 3, 3\) of 3 sequences, which is neither"),
        (lambda: Passed(lambda x, state: (None, x)), None, "'readout' must be given"),
        (lambda: Passed(lambda x, state: {}), None, "a dict"),
        (lambda: Wrapped(nn.LSTM(X, H, batch_first=True), "outputs"), None, "'module' must return its next state with"),
        (lambda: Wrapped(nn.LSTM(X, H, 3, batch_first=True), "outputs"), None, "Got outputs alone, a tensor of shape"),
        (lambda: nn.Linear(X, H), None, "'module' must return its next state with"),
        (
            lambda: Passed(lambda x, state: (x, (x.tanh(), torch.ones(())))),
            None,
            r"a tuple of a tensor of shape \(3, 3\), \(a tuple of .*since a tensor of shape \(\) has no axis of 3",
        ),
        (lambda: Passed(lambda x, state: (x, (x, None))), None, r"since a NoneType has no axis of 3 .* in front"),
        (lambda: Wrapped(nn.LSTM(X, H)), None, "in which some tensor has no axis of sequences"),
        (lambda: Wrapped(nn.GRU(X, H, batch_first=True, bidirectional=True)), None, "as where a layer looks ahead"),
    ],
    ids=[
        "bidirectional",
        "other_inputs",
        "no_readout",
        "two_outputs",
        "other_output",
        "fails",
        "text",
        "both",
        "layers_first",
        "no_output",
        "empty",
        "outputs_alone",
        "outputs_of_three_layers",
        "no_recurrence",
        "counter",
        "none_inside",
        "time_first",
        "wrapped_bidirectional",
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(
    module: Callable[[], Any], readout: Any, message: str, x: Tensor
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        measure_module(module(), x, x.sum(2), readout=readout)
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("module", "message"),
    [
        (lambda: nn.GRU, r"'module' must be a module, not its class: GRU\(…\)\."),
        (lambda: nn.GRU(X, 1).forward, r"'module' must be a module, not its method .*Got the method 'forward'\."),
        (lambda: torch.compile(nn.GRU(X, 1)), r"'module' must be given before torch\.compile"),
    ],
    ids=["class", "method", "compiled"],
)
def test_what_is_no_module_itself_is_refused_with_the_way_out(
    module: Callable[[], Any], message: str, x: Tensor
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        measure_model(module(), x, x.sum(2))
    assert "\n" not in str(caught.value)


def test_a_readout_in_single_precision_is_refused_with_the_way_out(x: Tensor) -> None:
    gru, head = nn.GRU(X, H, batch_first=True), nn.Linear(H, 1)
    weights = torch.randn(H)
    for readout in (lambda h: head(h), lambda h: h @ weights):
        with pytest.raises(InputError, match=r"Give a readout with weights as a torch\.nn\.Module, .*'single'\."):
            measure_model(gru, x, x.sum(2), readout=readout, **FAST)
        assert measure_model(gru, x, x.sum(2), readout=readout, precision="single", **FAST)


class Logits(nn.Module):
    """Puts out scores of classes rather than its state."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.rnn, self.scores = nn.LSTM(X, H, layers, batch_first=True), nn.Linear(H, 3)

    def forward(self, x: Tensor, state: Any = None) -> Any:
        hidden, state = self.rnn(x, state)
        return self.scores(hidden), state


@pytest.mark.parametrize("layers", [1, 2])
def test_a_readout_that_takes_layers_on_their_own_takes_the_last_one(layers: int, x: Tensor) -> None:
    """The measurement is the torch module's, also where a readout takes the layer by hand."""
    model, classes = Logits(layers), (x.sum(2) > 0).long()
    expected = measure_model(model.rnn, x, classes, readout=model.scores, **FAST)
    assert_equal_tables(measure_model(model, x, classes, readout=model.scores, **FAST), expected)
    double = deepcopy(model.scores).double()
    assert_equal_tables(measure_model(model, x, classes, readout=lambda h: double(h[:, -1]), **FAST), expected)


def test_a_readout_that_gives_another_shape_is_told_what_it_took(x: Tensor) -> None:
    with pytest.raises(
        InputError, match=r"It took the state \(22, 2, 4\), .*take the last layer by .*Got \(22, 1, 3\)\."
    ):
        measure_model(Logits(2), x, (x.sum(2) > 0).long(), readout=lambda h: h[:, :1, :3])


class Widened(nn.Module):
    """Makes its own first state, of the default type, and has complex weights, of which one is frozen."""

    def __init__(self) -> None:
        super().__init__()
        self.turn = nn.Parameter(torch.polar(torch.full((H,), 0.9), torch.arange(H) / 3.0))
        self.into = nn.Parameter(torch.randn(X, H, dtype=torch.complex64))
        self.scale = nn.Parameter(torch.rand(H), requires_grad=False)
        self.held = {"turn": self.turn}

    def forward(self, x: Tensor, state: Tensor | None = None) -> Tensor:
        state = torch.zeros(len(x), 2 * H) if state is None else state
        rotation = torch.view_as_complex(state.view(len(x), H, 2)) * self.held["turn"]
        return torch.view_as_real(rotation + self.scale * (x.to(self.into.dtype) @ self.into)).flatten(1)


def test_types_complex_weights_frozen_weights_and_weights_in_a_dict_are_taken_as_they_are(x: Tensor) -> None:
    module, y, before = Widened(), x.cumsum(1).sum(2), torch.get_default_dtype()
    tensors = {name: tensor.detach() for name, tensor in module.named_parameters()}

    def step(p: dict[str, Tensor], s: Tensor, inputs: Tensor) -> Tensor:
        turn, into = (torch.view_as_complex(p[name]) for name in ("turn", "into"))
        rotation = torch.view_as_complex(s.view(len(s), H, 2)) * turn
        return torch.view_as_real(rotation + tensors["scale"].double() * (inputs.to(into.dtype) @ into)).flatten(1)

    weights = {name: torch.view_as_real(tensors[name].to(torch.complex128)) for name in ("turn", "into")}
    measurement = measure_module(module, x, y, readout=lambda s: s.sum(1))
    expected = measure_model(step, weights, lambda s: s.sum(1), x, y, state_size=2 * H, lags=[1, 2, 4])
    assert_equal_tables(measurement, expected)
    assert torch.get_default_dtype() == before
    assert module.held["turn"] is module.turn and module.turn.dtype == torch.complex64
    module.requires_grad_(False)
    assert {*find_model(module, x[:, 0], None, None).parameters} == {"turn", "into", "scale"}


def test_inputs_of_any_shape_are_taken_as_the_module_takes_them(x: Tensor) -> None:
    class Flattening(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = nn.GRUCell(X, H)

        def forward(self, x: Tensor, state: Tensor | None = None) -> Tensor:
            return self.cell(x.flatten(1), state)

    module, y = Flattening(), x.cumsum(1).sum(2)
    measurement = measure_module(module, x.view(N, T, 1, X), y, readout=lambda s: s.sum(1))
    assert_equal_tables(measurement, measure_module(module.cell, x, y, readout=lambda s: s.sum(1)))
    with pytest.raises(InputError, match=r"'inputs' must be of shape \(sequence, time, input\)"):
        measure_module(nn.GRU(X, H), x.view(N, T, 1, X), y)
    with pytest.raises(InputError, match=r"inputs\[\.\.\., None\] for one number at each step\. Got \(22, 7\)\."):
        measure_module(nn.GRU(1, H), x.sum(2), y)


def test_a_parametrized_module_that_was_trained_can_be_measured(x: Tensor) -> None:
    """Computed weights have a history, which copy.deepcopy refuses; a hook of the old kind stays refused."""
    gru, head = nn.GRU(X, H, batch_first=True), nn.Linear(H, 1)
    with_norm = nn.utils.parametrizations.weight_norm(gru, "weight_hh_l0")
    with_norm(x.float())[0].sum().backward()
    weights = with_norm._flat_weights
    model = find_model(with_norm, x[:, 0], head, None)
    assert with_norm._flat_weights is weights
    assert {name for name in model.parameters if "hh_l0" in name} == {
        "bias_hh_l0",
        *(f"parametrizations.weight_hh_l0.original{part}" for part in (0, 1)),
    }
    torch.testing.assert_close(predictions(model, x), head.double()(with_norm.double()(x)[0])[..., 0])
    with pytest.warns(FutureWarning, match="weight_norm"):
        old = nn.utils.weight_norm(nn.GRU(X, H), "weight_hh_l0")
    with pytest.raises(InputError, match=r"'module' must be one that copy\.deepcopy copies"):
        measure_module(old, x, x.sum(2))


def test_a_module_that_remembers_its_last_output_can_be_measured(x: Tensor) -> None:
    """A tensor with a history cannot be copied as it is."""

    class Remembering(nn.GRUCell):
        def forward(self, x: Tensor, h: Tensor | None = None) -> Tensor:
            self.last = [super().forward(x, h)]
            return self.last[0]

    torch.manual_seed(0)
    module, head = Remembering(X, H), nn.Linear(H, 1)
    before = measure_module(module, x, x.sum(2), readout=head)
    module(x[:, 0].float())
    after = measure_module(module, x, x.sum(2), readout=head)
    pd.testing.assert_frame_equal(before.noise, after.noise)


def test_a_state_that_goes_on_otherwise_from_a_state_than_from_none_is_refused(x: Tensor) -> None:
    """The scan here puts a given state in at another place than a single step does."""

    class Scanned(Layer):
        def forward(self, x: Tensor, state: Any = None) -> Any:
            if state is not None and x.shape[1] > 1:
                state = {"kept": 2 * state["kept"]}
            return super().forward(x, state)

    with pytest.raises(InputError, match="another state from two steps in one call"):
        measure_module(Scanned(), x, x.sum(2), readout=lambda state: state["kept"].sum(1))
