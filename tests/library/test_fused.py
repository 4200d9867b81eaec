"""The GPU engine: its kernels in Triton's interpreter, or on a GPU with `--device cuda`; cuDNN's GRU as a rival."""

import builtins
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from comparison import assert_identical
from learnability.cells import DiagGate
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.tasks import DelayedSum
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import AutogradEngine, FusedEngine
from rivals import gru_of_diag_gate

pytest.importorskip("triton")

from learnability.training.engines import fused_kernels

SOURCE = Path(__file__).parents[2] / "src"
COMPILE = """
import json, sys
from triton import compile
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from learnability.training.engines import fused_kernels

shared = {}
for name in ("forward", "backward"):
    for gates in (0, 1, 64):
        kernel, constants = getattr(fused_kernels, name), {"HIDDEN": 64, "GATES": gates, "WIDTH": 64, "ROWS": 16}
        types = {"gate_value": "fp32", "sequences": "i32", "time": "i32", **dict.fromkeys(constants, "constexpr")}
        source = ASTSource(kernel, {each: types.get(each, "*fp32") for each in kernel.arg_names}, constexprs=constants)
        shared[f"{name} {gates}"] = compile(source, GPUTarget("cuda", 90, 32), {"num_warps": 8}).metadata.shared
print(json.dumps(shared))
"""


@pytest.fixture(params=["const_gate", "shared_gate", "diag_gate"])
def architecture(request):
    return request.param


@pytest.fixture
def several(build, architecture, normal, perturbed, device):
    """A network, three of its models, and data for each."""
    network = build(architecture, hidden_size=5, readout_bias=True)
    models = [{name: p.float().to(device) for name, p in perturbed(network).items()} for _ in range(3)]
    return network, models, normal(3, 18, 6, 3).float().to(device), normal(3, 18, 6).float().to(device)


def test_models_side_by_side_agree_with_the_oracle(several, assert_near):
    network, models, x, y = several
    expected = [{name: p.double().cpu() for name, p in model.items()} for model in models]
    losses = AutogradEngine(network, expected).losses_and_gradients(x.double().cpu(), y.double().cpu())
    assert_near([FusedEngine(network, models).losses_and_gradients(x, y)], [losses], 1e-5)
    for model, oracle in zip(models, expected, strict=True):
        assert_near([p.grad for p in model.values()], [p.grad for p in oracle.values()], 1e-5)


def test_states_are_those_of_the_cell(several, assert_near):
    network, models, x, _ = several
    all_states = FusedEngine(network, models).states(x)
    for states, model, inputs in zip(all_states, models, x, strict=True):
        expected = run(network.cell, {name: p.double() for name, p in model.items()}, inputs.double())
        assert_near([states], [expected.cpu()], 1e-5)


def test_runs_side_by_side_are_bit_for_bit_the_runs_alone(build, architecture, device, tmp_path):
    network = build(architecture, input_size=5, readout_bias=True)
    settings = TrainingSettings("cuda", 1, 5, 1.0, "mean", device)
    tasks = [DelayedSum(5, 5, (1, 3), (0.8, 0.5), 0.1, root_seed=1, seed=seed) for seed in range(3)]
    sgd = {"method": "sgd", "learning_rate": 0.1}
    runs = [
        Run(f"{seed}", sgd, 1, seed, task.generate("training", 8), task.generate("validation", 3))
        for seed, task in enumerate(tasks)
    ]
    together = train(network, settings, runs, tmp_path / "none.pt")
    for member, outcome in zip(runs, together, strict=True):
        assert_identical(outcome, train(network, settings, [member], tmp_path / "none.pt")[0])


def test_other_precisions_and_places_are_refused(several, monkeypatch):
    network, models, x, y = several
    with pytest.raises(InputError, match=r"'inputs' must be float32 .*Got 'torch\.float64"):
        FusedEngine(network, models).losses_and_gradients(x.double(), y.double())
    monkeypatch.setattr(fused_kernels, "INTERPRETED", x.is_cuda)
    with pytest.raises(InputError, match=r"'inputs' must be float32 on (cuda|cpu) .*Got 'torch\.float32 on (cpu|cuda)"):
        FusedEngine(network, models).losses_and_gradients(x, y)


def test_without_triton_the_engine_says_so(several, monkeypatch):
    def refuse_triton(name, *arguments, original=builtins.__import__):
        if "triton" in name:
            raise ModuleNotFoundError("No module named 'triton'")
        return original(name, *arguments)

    network, models, _, _ = several
    monkeypatch.delitem(sys.modules, "learnability.training.engines.fused_kernels")
    monkeypatch.delattr("learnability.training.engines.fused_kernels")
    monkeypatch.setattr(builtins, "__import__", refuse_triton)
    with pytest.raises(InputError, match="engine 'cuda' needs Triton; use engine 'torch'"):
        FusedEngine(network, models)


def test_the_kernels_compile_for_a_gpu():
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    environment.pop("TRITON_INTERPRET", None)
    process = subprocess.run(
        [sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    shared_memory = json.loads(process.stdout)
    assert len(shared_memory) == 6
    assert max(shared_memory.values()) < 99 * 1024  # what every GPU of compute capability 8.0 and later has


@pytest.mark.parametrize("bias", [False, True])
def test_diag_gate_is_a_gru_whose_reset_gate_is_one(build, perturbed, normal, bias, assert_near):
    network = build("diag_gate", hidden_size=7, readout_bias=bias)
    assert isinstance(network.cell, DiagGate)
    parameters, x, y = perturbed(network), normal(1, 4, 9, 3), normal(1, 4, 9)
    gru = gru_of_diag_gate(parameters)
    predictions = network.predict(parameters, gru(x[0])[0])
    loss = (predictions - y[0]).square().mean()
    loss.backward()
    (expected,) = AutogradEngine(network, [parameters]).losses_and_gradients(x, y)
    assert loss.item() == pytest.approx(expected.item(), rel=1e-12)
    _, minus_s, h = gru.weight_hh_l0.grad.chunk(3)
    assert_near([h, -minus_s], [parameters["U_h"].grad, parameters["U_s"].grad], 1e-10)
    _, minus_s, h = gru.weight_ih_l0.grad.chunk(3)
    assert_near([h, -minus_s], [parameters["W_h"].grad, parameters["W_s"].grad], 1e-10)
    _, minus_s, h = gru.bias_ih_l0.grad.chunk(3)
    assert_near([h, -minus_s], [parameters["b_h"].grad, parameters["b_s"].grad], 1e-10)
