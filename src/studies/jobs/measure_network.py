"""Rates of a frozen network, exact transport beside them, and what the network has learned at each lag."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from learnability.core.store import as_files, write_dataset
from learnability.networks.frozen import load_frozen
from learnability.tasks import build_task
from learnability.transport import choose_engine, effective_learning_rates, rate_tables
from learnability.transport.exact import exact_table, exact_transport
from learnability.windows.response import measure_response
from studies.files import Files


def make(
    files: Files,
    names: Mapping[str, Any],
    architecture: Mapping[str, Any],
    network: Mapping[str, Any],
    task: Mapping[str, Any],
    lags: Sequence[int],
    engine: str,
    product_sequences: int,
    root_seed: int,
) -> dict[str, Any]:
    """Arrays `rates` and `exact` with these settings, and tables by kind."""
    settings: dict[str, Any] = {
        "architecture": architecture,
        "network": network,
        "task": task,
        "lags": lags,
        "engine": engine,
    }
    settings |= {"product_sequences": product_sequences, "root_seed": root_seed}
    run = {**names, "seed": int(names["seed"])}
    frozen = load_frozen(files["weights"], files["diagnostic"], architecture, network)
    backend = choose_engine(engine, frozen.network.cell)
    rates = effective_learning_rates(frozen.network, frozen.parameters, frozen.inputs, lags, backend)
    few = frozen.inputs[:product_sequences]
    exact = exact_transport(frozen.network, frozen.parameters, few, lags, root_seed)
    response, loss = measure_response(frozen, build_task(task, root_seed, run["seed"]), backend)
    arrays = {
        f"{kind}.nc": partial(write_dataset, array.assign_attrs(run), settings=settings)
        for kind, array in {"rates": rates, "exact": exact}.items()
    }
    tables = rate_tables(rates) | {"transport": exact_table(exact), "response": response, "loss": loss}
    return arrays | as_files(tables, **run)
