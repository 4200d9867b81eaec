"""Trainings of a network from every N, and what they learned."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from learnability.core.store import as_files
from learnability.networks.weights import write_snapshots
from learnability.transport import choose_engine
from studies.ground_truth.trials import Budget, prepare_trials, try_to_learn


def make(
    names: Mapping[str, str],
    prepared: Mapping[str, Any],
    budget: Mapping[str, Any],
    sample_sizes: Sequence[int],
    engine: str,
    precision: str,
) -> dict[str, Any]:
    """Trials, and the path of N = ∞."""
    seed = int(names["seed"])
    frozen, task = prepare_trials(**prepared, seed=seed)
    cell = frozen.network.cell
    trials, path = try_to_learn(
        frozen=frozen,
        task=task,
        sample_sizes=sample_sizes,
        budget=Budget(**budget),
        root_seed=prepared["root_seed"],
        seed=seed,
        engine=choose_engine(engine, cell, precision),
    )
    sizes = {"parameters": frozen.network.count_parameters(), "hidden_size": cell.hidden_size}
    settings = {**prepared, "budget": budget, "seed": seed}
    trials = trials.assign(**sizes)
    return {
        f"seed{seed}.path.safetensors": partial(write_snapshots, path, settings=settings),
        **as_files({f"seed{seed}": trials}, grid=names["grid"], architecture=names["architecture"], seed=seed),
    }
