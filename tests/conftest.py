import gc
import os
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from torch import Tensor
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from costs import Costs
from typecheck import check_types, start_test

check_types("learnability", "studies")

from learnability.cells import CELLS, GATED, Parameters
from learnability.core.compiled import FURTHER, find_compiler
from learnability.networks.network import Network
from learnability.transport import ENGINES, Engine
from networks import LAYER_NORM

torch.set_num_threads(1)

SETTINGS = {"gate_value": 0.7, "gate_init": 0.3}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--device", choices=("cpu", "cuda"), default="cpu", help="where the engines run")
    parser.addoption("--costs", type=Path, help="a table to be written: processor time of each function")
    parser.addoption(
        "--cheapest", type=float, metavar="SECONDS", help="what costs so much together, by tests/costs.csv"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--device") == "cpu":
        os.environ["TRITON_INTERPRET"] = "1"  # the cuda engine's kernels then run on the CPU
    config.pluginmanager.register(Costs(config))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Look for no garbage in modules and tests, neither while they are collected nor later: they stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


LOOK_AT_THE_FINISHED_RUN = {"test_reruns.py", "test_run.py", "test_two_tasks.py"}


class FinishedRunOnce(LoadFileScheduling):
    """Scheduler that gives each file to one worker, and files of the finished run, which takes minutes, to the same."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "finished run" if Path(file).name in LOOK_AT_THE_FINISHED_RUN else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FinishedRunOnce:
    return FinishedRunOnce(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, and count as deselected, the engines that cannot run here."""
    absent = set()
    if find_compiler() is None or config.getoption("--device") != "cpu":
        absent.add("native")
    if find_spec("triton") is None:
        absent.add("cuda")

    def needs_absent_engine(item: pytest.Item) -> bool:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        return not absent.isdisjoint({params.get("engine")})

    config.hook.pytest_deselected(items=[item for item in items if needs_absent_engine(item)])
    items[:] = [item for item in items if not needs_absent_engine(item)]


def pytest_runtest_setup() -> None:
    start_test()


@pytest.fixture(scope="module", autouse=True)
def quick_compiler(request: pytest.FixtureRequest) -> Iterator[None]:
    """Most networks of the library's tests run for less time than -O3 takes to compile them."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name == "library":
            patch.setenv(FURTHER, "-O1")
        yield


@pytest.fixture
def device(request: pytest.FixtureRequest) -> str:
    return request.config.getoption("--device")


@pytest.fixture(params=GATED)
def architecture(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def build() -> Callable[..., Network]:
    def build(architecture: str, input_size: int = 3, hidden_size: int = 5, readout_bias: bool = False) -> Network:
        name = architecture.removesuffix("_layer_norm")
        settings = {"cell": name} | {key: SETTINGS[key] for key in SETTINGS if key in CELLS[name].__dataclass_fields__}
        settings |= {"layer_norm": True} if architecture in LAYER_NORM else {}
        return Network.build(settings, input_size, hidden_size, readout_bias)

    return build


@pytest.fixture
def network(architecture: str, build: Callable[..., Network]) -> Network:
    return build(architecture)


@pytest.fixture
def normal() -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(1)
    return lambda *shape: torch.randn(shape, generator=generator, dtype=torch.float64)


@pytest.fixture
def perturbed(normal: Callable[..., Tensor]) -> Callable[[Network], Parameters]:
    # At initialisation biases and gate weights are zero, which would hide half of the formulas.
    def perturbed(network: Network) -> Parameters:
        size = 0.5 / network.cell.hidden_size**0.5
        return {name: p + size * normal(*p.shape) for name, p in network.initial_parameters(1, 0).items()}

    return perturbed


@pytest.fixture
def parameters(network: Network, perturbed: Callable[[Network], Parameters]) -> Parameters:
    return perturbed(network)


@pytest.fixture
def diagonal_network(
    build: Callable[..., Network], perturbed: Callable[[Network], Parameters]
) -> tuple[Network, Parameters]:
    """A constant gate without recurrent weights: each step multiplies by 1 - s, and first-order transport is exact."""
    network = build("const_gate")
    parameters = perturbed(network)
    return network, parameters | {"U_h": torch.zeros_like(parameters["U_h"])}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param]()


@pytest.fixture
def dense_window() -> Callable[..., tuple[Tensor, Tensor]]:
    def dense_window(network: Network, parameters: Parameters, states: Tensor, x: Tensor, t: int, lag: int):
        """γ⁰ and γ¹ at t of one sequence by Eqs. 12, 23 and 51: whole products of T with none or one R among them."""
        cell, steps = network.cell, range(t - lag + 1, t + 1)
        splits = {j: cell.linearize(parameters, states[j - 1], x[j - 1]).split() for j in steps}

        def diagonal(place: int | None) -> Tensor:
            product = torch.eye(cell.state_size, dtype=torch.float64)
            for j in steps:
                product = (splits[j].mixing if j == place else splits[j].retention) @ product
            return cell.memory(cell.output(product.T).T).diagonal()

        return diagonal(None), sum((diagonal(p) for p in steps), torch.zeros(cell.hidden_size, dtype=torch.float64))

    return dense_window


@pytest.fixture
def assert_near() -> Callable[[Iterable[Tensor], Iterable[Tensor], float], None]:
    def assert_near(values: Iterable[Tensor], expected: Iterable[Tensor], relative: float) -> None:
        for value, reference in zip(values, expected, strict=True):
            assert value.shape == reference.shape
            value, reference = value.cpu().double(), reference.cpu()
            error, size = (value - reference).norm().item(), reference.norm().item()
            assert error <= relative * size

    return assert_near
