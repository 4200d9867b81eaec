"""Appendix B: one-step Jacobians of the three diagonally gated cells (Eqs. 53, 55, 57) beside autograd's."""

from typing import Any

import numpy as np
import pandas as pd
import torch

from learnability.cells import GATED
from learnability.core.errors import lookup
from studies.learnability_window.theory.random_networks import normal, random_cell

POINTS = 256
EQUATIONS = {"diag_gate": 53, "shared_gate": 55, "const_gate": 57}


def jacobian_table(name: str, points: int, generator: np.random.Generator) -> dict[str, object]:
    """Closed form and autograd at random weights, states and inputs; and what the closed form is made of.

    Returns:
        `cell`, `equation`, `points`, `units`; `largest_error`, largest |difference| over all entries, beside
        `largest_entry`; shares of the Frobenius norm, means over points: `leak`, `candidate_path`, `gate_sensitivity`;
        `gate_rank`, rank of the last.

    Raises:
        InputError: for a cell that is none of Appendix B.
    """
    equation = lookup(EQUATIONS, "name", name)
    cell, parameters = random_cell(name, generator)
    states, inputs = normal(generator, points, cell.state_size), normal(generator, points, cell.input_size)

    def step(state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return cell.step(parameters, state, x)

    expected = torch.func.vmap(torch.func.jacrev(step))(states, inputs)
    linear: Any = cell.linearize(parameters, states, inputs)
    retention, mixing = linear.split()
    whole = retention + mixing
    paths = {path.name: path.matrix() for path in linear.paths}
    gate = paths.get("s", torch.zeros_like(whole))

    def share(part: torch.Tensor) -> float:
        return float((torch.linalg.matrix_norm(part) / torch.linalg.matrix_norm(whole)).mean())

    return {
        "cell": type(cell).__name__,
        "equation": equation,
        "points": points,
        "units": cell.hidden_size,
        "largest_error": float((whole - expected).abs().max()),
        "largest_entry": float(expected.abs().max()),
        "leak": share(retention),
        "candidate_path": share(paths["h"]),
        "gate_sensitivity": share(gate),
        "gate_rank": int(torch.linalg.matrix_rank(gate).max()),
    }


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Table `jacobians`, a row for each cell."""
    names = [name for name in GATED if name in EQUATIONS]
    return {"jacobians": pd.DataFrame([jacobian_table(name, POINTS, generator) for name in names])}
