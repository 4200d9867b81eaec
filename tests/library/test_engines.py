import ctypes
import hashlib
import subprocess
from functools import partial
from itertools import product

import pytest
import torch

from learnability import transport
from learnability.cells import GATED, Cell
from learnability.cells.leaky import LeakyCell
from learnability.core.compiled import FURTHER, load, load_by_flags
from learnability.core.errors import InputError
from learnability.core.store import cache_folder
from learnability.measurement.cell import FunctionCell
from learnability.networks.network import Network, run
from learnability.training.engines import ENGINES, FASTEST_FIRST, AutogradEngine, TorchEngine, choose_engine
from networks import LAYER_NORM
from planted import give_away

TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-5}
MISSING_CELLS = {"torch": LAYER_NORM, "together": LAYER_NORM, "cuda": ["lstm", "gru", *LAYER_NORM]}


def cases(engines):
    """Cases of an engine, the precision it computes in, and a cell that it has."""
    return [
        (name, dtype, architecture)
        for name, engine in engines.items()
        for dtype in engine.dtypes
        for architecture in [*GATED, *LAYER_NORM]
        if architecture not in MISSING_CELLS.get(name, ())
    ]


CASES = cases(ENGINES)
FAST = [case for case in CASES if case[0] != "autograd"]


class Together(TorchEngine):
    """The torch engine as it is on a GPU."""

    def losses_and_gradients(self, inputs, targets):
        return self.together(self.models, inputs, targets)


SIDE_BY_SIDE = {**ENGINES, "together": Together}
SIDE_BY_SIDE_CASES = cases(SIDE_BY_SIDE)


def on(device, dtype, *tensors):
    return [tensor.to(device, dtype, copy=True) for tensor in tensors]


def flat(tensors):
    return torch.cat([tensor.flatten() for tensor in tensors])


def steps(engine, device, time):
    """Number of steps: few in Triton's interpreter, which takes milliseconds for each and has no blocks of them."""
    return min(time, 9) if (engine, device) == ("cuda", "cpu") else time


def gradient(name, network, parameters, x, y, device="cpu", dtype=torch.float64):
    """Loss and gradients of one call of a new engine."""
    weights = dict(zip(parameters, on(device, dtype, *parameters.values()), strict=True))
    (loss,) = ENGINES[name](network, [weights]).losses_and_gradients(*on(device, dtype, x[None], y[None]))
    return loss, [p.grad for p in weights.values()]


@pytest.mark.parametrize("architecture", [*GATED, *LAYER_NORM])
def test_the_oracle_gradient_predicts_the_change_of_the_loss(build, architecture, perturbed, normal):
    network = build(architecture, readout_bias=True)
    parameters, x, y = perturbed(network), normal(4, 9, 3), normal(4, 9)
    step = {name: normal(*p.shape) for name, p in parameters.items()}

    def loss(size):
        theta = {name: p + size * step[name] for name, p in parameters.items()}
        return (network.predict(theta, run(network.cell, theta, x)[:, 1:]) - y).square().mean()

    oracle_loss, gradients = gradient("autograd", network, parameters, x, y)
    slope = sum((g * step[name]).sum() for name, g in zip(parameters, gradients, strict=True))
    assert oracle_loss.item() == pytest.approx(loss(0).item(), rel=1e-13)
    assert slope.item() == pytest.approx(((loss(1e-5) - loss(-1e-5)) / 2e-5).item(), rel=1e-7)


@pytest.mark.parametrize(("engine", "dtype", "architecture"), FAST)
@pytest.mark.parametrize(
    ("hidden", "sequences", "time"),
    [*product([1, 65], [1, 7], [1, 37]), (3, 7, 16), (128, 7, 17), (3, 20, 37), (65, 20, 16)],
)
def test_every_engine_agrees_with_the_oracle(
    engine, dtype, hidden, sequences, time, build, architecture, perturbed, normal, device, assert_near
):
    network, time = build(architecture, hidden_size=hidden, readout_bias=hidden == 3), steps(engine, device, time)
    parameters, x, y = perturbed(network), normal(sequences, time, 3), normal(sequences, time)
    loss, expected = gradient("autograd", network, parameters, x, y)
    engine_loss, gradients = gradient(engine, network, parameters, x, y, device, dtype)
    assert engine_loss.item() == pytest.approx(loss.item(), rel=TOLERANCE[dtype], abs=1e-6)
    assert_near([flat(gradients)], [flat(expected)], TOLERANCE[dtype])


@pytest.mark.parametrize(("engine", "dtype", "architecture"), [case for case in FAST if case[0] == "native"])
def test_optimised_code_agrees_with_the_oracle(
    engine, dtype, build, architecture, perturbed, normal, device, assert_near, monkeypatch
):
    """Alone it can catch what the compiler makes of a formula with the flags that users have."""
    monkeypatch.delenv(FURTHER)
    network = build(architecture, hidden_size=17, readout_bias=True)
    parameters, x, y = perturbed(network), normal(71, 37, 3), normal(71, 37)
    _, expected = gradient("autograd", network, parameters, x, y)
    _, gradients = gradient(engine, network, parameters, x, y, device, dtype)
    assert_near([flat(gradients)], [flat(expected)], TOLERANCE[dtype])


@pytest.mark.parametrize(("engine", "dtype", "architecture"), FAST)
def test_a_batch_wider_than_a_tile_agrees_with_the_oracle(
    engine, dtype, build, architecture, perturbed, normal, device, assert_near
):
    network, time = build(architecture, hidden_size=65), steps(engine, device, 38)
    parameters, x, y = perturbed(network), normal(71, time, 3), normal(71, time)
    _, expected = gradient("autograd", network, parameters, x, y)
    _, gradients = gradient(engine, network, parameters, x, y, device, dtype)
    assert_near(gradients, expected, TOLERANCE[dtype])


@pytest.mark.parametrize(("engine", "dtype", "architecture"), CASES)
@pytest.mark.parametrize("sequences", [1, 7, 71])
def test_states_are_those_of_the_cell(engine, dtype, sequences, network, perturbed, normal, device, assert_near):
    models, x = [perturbed(network) for _ in range(2)], normal(2, sequences, steps(engine, device, 37), 3)
    weights = [dict(zip(p, on(device, dtype, *p.values()), strict=True)) for p in models]
    all_states = ENGINES[engine](network, weights).states(*on(device, dtype, x))
    for states, parameters, inputs in zip(all_states, models, x, strict=True):
        assert_near([states], [run(network.cell, parameters, inputs)], TOLERANCE[dtype])


def side_by_side(engine, network, models, x, y):
    """Loss of each model, its gradients as one vector, and its states."""
    copies = [{name: p.clone() for name, p in parameters.items()} for parameters in models]
    runner = SIDE_BY_SIDE[engine](network, copies)
    losses = runner.losses_and_gradients(x, y)
    return losses, [flat(p.grad for p in parameters.values()) for parameters in copies], runner.states(x)


@pytest.fixture
def three_models(build, architecture, perturbed, normal, device):
    """Makes a network, and parameters, inputs and targets of three models."""

    def three_models(dtype):
        network = build(architecture, input_size=5)  # sizes at which products here round by where an array begins
        models = [perturbed(network) for _ in range(3)]
        models = [dict(zip(p, on(device, dtype, *p.values()), strict=True)) for p in models]
        return network, models, *on(device, dtype, normal(3, 7, 9, 5), normal(3, 7, 9))

    return three_models


@pytest.mark.parametrize(("engine", "dtype", "architecture"), SIDE_BY_SIDE_CASES)
def test_models_side_by_side_are_each_what_they_are_alone(engine, dtype, three_models, device, assert_near):
    # Bit for bit, except where they share products: no library promises how a batch of another size is rounded.
    is_joint = engine == "together" or (engine == "torch" and device == "cuda")
    tolerance = TOLERANCE[dtype] if is_joint else 0
    network, models, x, y = three_models(dtype)
    losses, gradients, states = side_by_side(engine, network, models, x, y)
    assert losses.shape == (3,)
    for m in range(3):
        alone = side_by_side(engine, network, models[m : m + 1], x[m : m + 1].clone(), y[m : m + 1].clone())
        (loss,), (gradient_alone,), states_alone = alone
        assert losses[m].item() == pytest.approx(loss.item(), rel=tolerance, abs=0)
        assert_near([gradients[m]], [gradient_alone], tolerance)
        assert torch.equal(states[m], states_alone[0])


@pytest.mark.parametrize(("engine", "dtype", "architecture"), SIDE_BY_SIDE_CASES)
def test_a_model_does_not_see_its_neighbours(engine, dtype, three_models):
    network, models, x, y = three_models(dtype)
    losses, gradients, _ = side_by_side(engine, network, models, x, y)
    x[0], models[2]["w"] = torch.nan, 7 * models[2]["w"]
    new_losses, new_gradients, _ = side_by_side(engine, network, models, x, y)
    assert losses.isfinite().all()
    assert new_losses[0].isnan()
    assert torch.equal(new_losses[1], losses[1])
    assert new_losses[2] != losses[2]
    assert torch.equal(new_gradients[1], gradients[1])


@pytest.mark.parametrize("models", [1, 3])
def test_the_torch_engine_never_looks_at_a_number(network, parameters, models):
    # Tensors without values: whatever runs on them waits for no device, so that a CUDA graph can capture it.
    empty = [{name: p.to("meta") for name, p in parameters.items()} for _ in range(models)]
    x, y = torch.empty(models, 2, 3, 3, device="meta"), torch.empty(models, 2, 3, device="meta")
    losses = ENGINES["torch"](network, empty).losses_and_gradients(x.double(), y.double())
    assert losses.is_meta
    assert all(p.grad.shape == p.shape for model in empty for p in model.values())


@pytest.mark.parametrize(("engine", "dtype", "architecture"), FAST)
def test_calls_of_other_shapes_leave_no_trace(engine, dtype, network, parameters, normal, device):
    # The last batch of an epoch is smaller, and the next epoch starts with a full one.
    most = steps(engine, device, 20)
    (x, y), weights = on(device, dtype, normal(40, most, 3), normal(40, most)), dict(parameters)
    runner = ENGINES[engine](network, [dict(zip(weights, on(device, dtype, *weights.values()), strict=True))])
    for sequences, time in ((40, most), (3, most), (40, most), (7, 5), (40, 5), (7, most)):
        (loss,) = runner.losses_and_gradients(x[None, :sequences, :time], y[None, :sequences, :time])
        fresh, gradients = gradient(engine, network, weights, x[:sequences, :time], y[:sequences, :time], device, dtype)
        assert torch.equal(loss, fresh)
        assert torch.equal(flat(p.grad for p in runner.models[0].values()), flat(gradients))


@pytest.mark.parametrize(("engine", "dtype", "architecture"), CASES)
def test_parameters_are_read_afresh_at_each_call(engine, dtype, network, parameters, normal, device):
    x, y = on(device, dtype, normal(3, 8, 3), normal(3, 8))
    runner = ENGINES[engine](network, [dict(zip(parameters, on(device, dtype, *parameters.values()), strict=True))])
    runner.losses_and_gradients(x[None], y[None])
    for p in runner.models[0].values():
        p.mul_(0.9)
    (loss,) = runner.losses_and_gradients(x[None], y[None])
    fresh, gradients = gradient(engine, network, runner.models[0], x, y, device, dtype)
    assert torch.equal(loss, fresh)
    assert torch.equal(flat(p.grad for p in runner.models[0].values()), flat(gradients))


@pytest.mark.parametrize(("engine", "dtype", "architecture"), CASES)
def test_an_engine_changes_neither_data_nor_parameters(engine, dtype, network, parameters, normal, device):
    x, y = on(device, dtype, normal(3, 8, 3), normal(3, 8))
    weights = dict(zip(parameters, on(device, dtype, *parameters.values()), strict=True))
    before = [tensor.clone() for tensor in (x, y, *weights.values())]
    ENGINES[engine](network, [weights]).losses_and_gradients(x[None], y[None])
    for tensor, copy in zip((x, y, *weights.values()), before, strict=True):
        assert torch.equal(tensor, copy)


@pytest.mark.parametrize(("engine", "dtype", "architecture"), CASES)
def test_nan_is_not_hidden(engine, dtype, network, parameters, normal, device):
    x, y = on(device, dtype, normal(3, 8, 3), normal(3, 8))
    x[1, 4, 0] = torch.nan
    loss, _ = gradient(engine, network, parameters, x, y, device, dtype)
    assert torch.isnan(loss)


@pytest.mark.parametrize("engine", ["torch", "native", "cuda"])
def test_hand_written_engines_refuse_other_cells(engine):
    other_cell = type("Other", (Cell,), dict.fromkeys(Cell.__abstractmethods__))
    with pytest.raises(InputError, match=r"must be one of ConstGate, SharedGate, DiagGate.*\. Got Other"):
        ENGINES[engine](Network(other_cell(3, 5)), [{}])


@pytest.mark.parametrize("architecture", LAYER_NORM)
def test_layer_norm_is_refused_by_engines_that_lack_it(network, parameters):
    name = f"{type(network.cell).__name__} with layer norm"
    for engine in ("torch", "cuda"):
        with pytest.raises(InputError, match=rf"cell of engine '{engine}' must be one of ConstGate, .* Got {name}\."):
            ENGINES[engine](network, [parameters])
        with pytest.raises(InputError, match=rf"must be an engine that has the cell {name}\. Got '{engine}'"):
            choose_engine(engine, "cpu", network)
    assert choose_engine("auto", "cuda", network) == ("autograd", f"auto: the cuda engine lacks the cell {name}")


@pytest.mark.parametrize("engine", ["native"])
@pytest.mark.parametrize("architecture", LAYER_NORM)
def test_auto_takes_native_for_layer_norm(engine, network):
    assert choose_engine("auto", "cpu", network) == (engine, "auto: the fastest on the CPU")
    assert isinstance(transport.choose_engine("auto", network.cell), transport.NativeEngine)


@pytest.mark.parametrize("engine", ["native"])
def test_the_native_engine_refuses_other_precisions(engine, network, parameters, normal):
    with pytest.raises(InputError, match=r"float32 on the CPU. Got 'torch\.float64"):
        ENGINES[engine](network, [dict(parameters)]).losses_and_gradients(normal(1, 3, 8, 3), normal(1, 3, 8))


def test_without_a_compiler_native_says_so_and_auto_takes_torch(monkeypatch, network, parameters):
    monkeypatch.setattr("shutil.which", lambda name: None)
    load_by_flags.cache_clear()
    with pytest.raises(InputError, match=r"needs a C\+\+ compiler .* use engine 'torch'"):
        ENGINES["native"](network, [dict(parameters)])
    assert choose_engine("auto", "cpu", network) == ("torch", "auto: the native engine lacks a C++ compiler")


COMPILERS = {
    "fails": "#!/bin/sh\nexit 1\n",
    "says why": "#!/bin/sh\necho In file included from >&2; echo no.hpp: error: not found >&2; exit 1\n",
    "compiles nothing": '#!/bin/sh\ntest "$1" = --version\n',
    "is no program": "garbage",
    "makes no library": '#!/bin/sh\nfor last; do :; done; test "$1" = --version || echo garbage > "$last"\n',
}


@pytest.mark.parametrize("script", COMPILERS.values(), ids=COMPILERS)
def test_with_a_broken_compiler_native_refuses_and_auto_takes_another(script, monkeypatch, tmp_path, caplog):
    compiler = tmp_path / "g++"
    compiler.write_text(script)
    compiler.chmod(0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("shutil.which", lambda name: str(compiler))
    load_by_flags.cache_clear()
    network = Network.build({"cell": "const_gate", "gate_value": 0.5}, 2, 3, False)
    single = {name: p.float() for name, p in network.initial_parameters(1, 0).items()}
    assert choose_engine("native", "cpu", network)[0] == "native"
    choose = partial(transport.choose_engine, "native", network.cell)
    for call in (lambda: ENGINES["native"](network, [single]), choose):
        with pytest.raises(InputError, match=r"^engine 'native' (did not compile|needs|must be compiled)") as caught:
            call()
        assert "\n" not in str(caught.value)
    with caplog.at_level("INFO"):
        engine, reason = choose_engine("auto", "cpu", network)
        assert engine == "torch"
        assert reason.startswith("auto: the native engine does not run here: engine 'native' ")
        assert isinstance(transport.choose_engine("auto", network.cell), transport.TorchEngine)
    messages = [
        record.message for record in caplog.records if "(auto: the native engine does not run" in record.message
    ]
    assert len(messages) == 2
    assert "\n" not in "".join(messages)
    assert ("not found" in reason) == ("not found" in script)


@pytest.mark.parametrize("engine", ["native"])
def test_auto_takes_the_fastest_that_can_run(engine, network):
    assert choose_engine("auto", "cpu", network)[0] == engine
    assert choose_engine("autograd", "cpu", network)[0] == "autograd"
    assert isinstance(transport.choose_engine("auto", network.cell), transport.NativeEngine)


class Scaled(TorchEngine):
    """Kernels that are wrong: one gradient is 1 % too large."""

    def losses_and_gradients(self, inputs, targets):
        losses = super().losses_and_gradients(inputs, targets)
        for model in self.models:
            model["U_h"].grad *= 1.01
        return losses


class Stuck(TorchEngine):
    """Kernels whose states are not numbers."""

    def states(self, inputs):
        return super().states(inputs) * torch.nan


class Refused(TorchEngine):
    """Kernels that the driver does not take."""

    def losses_and_gradients(self, inputs, targets):
        raise RuntimeError("PTX was compiled with an unsupported toolchain\nand more")


@pytest.mark.parametrize(
    ("kernels", "choice", "reason"),
    [
        (TorchEngine, "cuda", "auto: the fastest on the CPU"),
        (AutogradEngine, "cuda", "auto: the fastest on the CPU"),
        (Scaled, "torch", "does not run here: gradients of U_h differ from engine 'torch' by 0.01 of"),
        (Stuck, "torch", "does not run here: states differ from engine 'torch' by nan"),
        (Refused, "torch", "does not run here: RuntimeError: PTX was compiled with an unsupported toolchain"),
    ],
)
def test_auto_takes_kernels_only_if_a_step_agrees(kernels, choice, reason, monkeypatch, build):
    """Injected engines stand for kernels on the CPU."""
    monkeypatch.setitem(ENGINES, "cuda", kernels)
    monkeypatch.setitem(FASTEST_FIRST, "cpu", FASTEST_FIRST["cuda"])
    torch.manual_seed(3)
    before = torch.get_rng_state()
    name, why = choose_engine("auto", "cpu", build("diag_gate", readout_bias=True))
    assert name == choice
    assert reason in why
    assert torch.equal(torch.get_rng_state(), before)
    assert choose_engine("cuda", "cpu", build("diag_gate"))[0] == "cuda"


@pytest.mark.parametrize("engine", ["cuda"])
def test_the_kernels_agree_with_torch_in_a_step(engine, monkeypatch, network, device):
    monkeypatch.setattr("learnability.training.engines.STEPS", 5)
    monkeypatch.setitem(FASTEST_FIRST, "cpu", FASTEST_FIRST["cuda"])
    on_gpu = engine if isinstance(network.cell, LeakyCell) else "torch"
    assert choose_engine("auto", device, network)[0] == on_gpu


def test_auto_takes_an_engine_that_runs_any_cell_for_a_cell_of_your_own():
    cell = FunctionCell(3, 5, torch.add, None, {})
    assert choose_engine("auto", "cpu", Network(cell)) == (
        "autograd",
        "auto: the native engine lacks the cell FunctionCell",
    )
    with pytest.raises(
        InputError, match=r"'training\.engine' must be an engine that has the cell FunctionCell\. Got 'torch'"
    ):
        choose_engine("torch", "cpu", Network(cell))
    assert isinstance(transport.choose_engine("auto", cell), transport.TorchEngine)


@pytest.fixture
def source(monkeypatch, tmp_path):
    """A source whose `answer()` is 42, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load_by_flags.cache_clear()
    path = tmp_path / "source.cpp"
    path.write_text('extern "C" int answer() { return 42; }')
    return path


def cache_files(folder):
    return sorted((folder / "learnability").iterdir())


@pytest.mark.parametrize("engine", ["native"])
@pytest.mark.parametrize("size", [0, 1000, 5000])
def test_half_a_library_in_the_cache_is_compiled_again(engine, size, source, tmp_path):
    assert load(source).answer() == 42
    (path,) = cache_files(tmp_path)
    whole = path.read_bytes()
    load_by_flags.cache_clear()
    path.unlink()  # what is loaded stays whole
    path.write_bytes(whole[:size])
    assert load(source).answer() == 42
    assert [path.read_bytes() for path in cache_files(tmp_path)] == [whole]


@pytest.mark.parametrize("engine", ["native"])
def test_code_that_another_user_put_into_the_cache_is_not_loaded(engine, source, tmp_path, monkeypatch):
    assert load(source).answer() == 42
    (path,) = cache_files(tmp_path)
    path.parent.chmod(0o777)
    name, _, _ = path.name.split(".")
    foreign = path.with_name(f"{name}.{hashlib.sha256(b'evil').hexdigest()[:24]}.so")
    foreign.write_bytes(b"evil")
    give_away(foreign, monkeypatch)
    link = path.with_name(f"{name}.0.so")
    link.symlink_to(path)
    load_by_flags.cache_clear()
    loads = []
    monkeypatch.setattr("ctypes.CDLL", lambda name, original=ctypes.CDLL: loads.append(name) or original(name))
    assert load(source).answer() == 42
    assert not {str(foreign), str(link)} & set(loads)


@pytest.mark.parametrize("engine", ["native"])
def test_where_nothing_can_be_kept_each_process_compiles_its_own(engine, source, tmp_path, caplog, monkeypatch):
    (tmp_path / "learnability").write_text("no folder")
    assert load(source).answer() == 42
    (tmp_path / "learnability").unlink()
    (tmp_path / "learnability").mkdir()
    give_away(tmp_path / "learnability", monkeypatch)
    load_by_flags.cache_clear()
    assert load(source).answer() == 42
    lines = [record.message for record in caplog.records if "not kept" in record.message]
    assert len(lines) == 2
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize("cache_home", ["", "relative/cache"])
def test_nothing_is_loaded_from_the_working_folder(cache_home, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", cache_home)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "learnability"
    monkeypatch.setenv("HOME", "here")
    with pytest.raises(InputError, match="'XDG_CACHE_HOME' must be an absolute path"):
        cache_folder()


@pytest.mark.parametrize("engine", ["native"])
def test_compiled_code_is_cached_by_its_text_and_its_headers(engine, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source, header = tmp_path / "source.cpp", tmp_path / "header.hpp"
    source.write_text('#include "header.hpp"\nextern "C" int answer() { return NUMBER + ONE; }')

    def answer(number):
        header.write_text(f"constexpr int NUMBER = {number};")
        load_by_flags.cache_clear()
        return load(source, ONE=1).answer()

    monkeypatch.delenv(FURTHER)
    assert answer(41) == 42
    assert answer(5) == 6
    files = set((tmp_path / "learnability").iterdir())
    assert len(files) == 2
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", only_version(subprocess.run))
        assert answer(41) == 42
    monkeypatch.setenv(FURTHER, "-DANSWER=7 -O1")
    assert answer(41) == 42
    assert len(set((tmp_path / "learnability").iterdir()) - files) == 1
    files = set((tmp_path / "learnability").iterdir())
    header.write_text("no C++")
    load_by_flags.cache_clear()
    with pytest.raises(InputError, match="did not compile"):
        load(source, ONE=1)
    assert set((tmp_path / "learnability").iterdir()) == files


def only_version(run_command):
    def check_command(command, **options):
        assert command[1:] == ["--version"], "compiled again"
        return run_command(command, **options)

    return check_command
