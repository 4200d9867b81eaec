"""Lemmas 7 and 8: gradients of the parameters, from dL/ds_t and dL/dh_t.

    dL/dθ = Σ_{j,t} α_{j,t} (dL/ds_t) ∂₂f h_j Σ_i (1_{i=j} - α_{i,t}) ∂e_{i,t}/∂θ          Lemma 7, θ of the alignment
    dL/d[V, U, b] = Σ_t [s_{t-1}, x_t, 1] (dL/dh_t) diag φ'(a_{t-1})                        Lemma 8

with a_t = V s_t + U x_{t+1} + b, so that h_t = φ(a_{t-1}). Both hold; Lemma 8 is printed with φ'(a_t) (Eq. 106), its
proof has φ'(a_{t-1}) (Eq. 110).
"""

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from studies.attention.theory.mem_rnn import MemRNN, Trajectory, Weights, random_weights

TIME, UNITS, INPUTS = 8, 4, 2
ALIGNMENT, RECURRENCE = ("W_a", "U_a", "v_a"), ("V", "U", "b")
"""Parameters of Lemma 7 and of Lemma 8."""


def lemma_7(net: MemRNN, at: Trajectory, by_state: list[Tensor]) -> dict[str, Tensor]:
    """dL/dθ of the alignment's parameters.

    Args:
        by_state: dL/ds_t at place t, total derivatives.
    """
    total = {name: torch.zeros_like(getattr(net.weights, name)) for name in ALIGNMENT}
    hidden, states = torch.stack(at.hidden).detach(), torch.stack(at.states).detach()
    for t in range(1, len(states)):
        h, alpha = hidden[1 : t + 1], at.attention[t].detach()
        of_c = torch.func.jacrev(net.mix, 1)(h[-1], alpha @ h)
        pull = alpha * (h @ of_c.T @ by_state[t])  # α_{j,t} (dL/ds_t) ∂₂f h_j, for each j
        for name in ALIGNMENT:
            by_theta = torch.func.jacrev(
                lambda theta, name=name, t=t, h=h: net._replace(
                    weights=net.weights._replace(**{name: theta})
                ).alignment(states[t - 1], h)
            )(getattr(net.weights, name))
            total[name] += torch.tensordot(pull - pull.sum() * alpha, by_theta, 1)
    return total


def lemma_8(net: MemRNN, inputs: Tensor, at: Trajectory, by_hidden: list[Tensor], shift: int = 0) -> dict[str, Tensor]:
    """dL/d[V, U, b].

    Args:
        by_hidden: dL/dh_t at place t, total derivatives.
        shift: φ'(a_{t-1+shift}): 0 as proved, 1 as printed, where a_T has no x_{T+1} and takes zero for it.
    """
    weights, states = net.weights, torch.stack(at.states).detach()
    driven = torch.cat([inputs, torch.zeros_like(inputs[:1])]) @ weights.U.T
    slopes = torch.func.vmap(torch.func.jacrev(net.activation))(states @ weights.V.T + driven + weights.b)
    total = {name: torch.zeros_like(getattr(weights, name)) for name in RECURRENCE}
    for t in range(1, len(states)):
        error = by_hidden[t] @ slopes[t - 1 + shift]
        total["V"] += torch.outer(error, states[t - 1])
        total["U"] += torch.outer(error, inputs[t - 1])
        total["b"] += error
    return total


def parameter_table(
    generator: np.random.Generator, time: int = TIME, units: int = UNITS, inputs: int = INPUTS
) -> pd.DataFrame:
    """Lemmas 7 and 8 on a random network, its loss a quadratic form in all s_t, against automatic differentiation.

    Returns:
        A row for each parameter: `parameter`, `lemma`, `gradient` norm, `error` of the lemma, and `error_as_printed`
        (norms, relative to `gradient`).
    """
    weights = Weights(*(tensor.requires_grad_() for tensor in random_weights(generator, units, inputs)))
    sequence = torch.from_numpy(generator.standard_normal((time, inputs)))
    target = torch.from_numpy(generator.standard_normal((time, units)))
    net = MemRNN(weights)
    at = net.run(sequence)
    loss = ((torch.stack(at.states[1:]) - target) ** 2).sum() / 2
    gradients = torch.autograd.grad(loss, [*weights, *at.hidden[1:], *at.states[1:]])
    truth = dict(zip(Weights._fields, gradients, strict=False))
    zero, rest = torch.zeros(units, dtype=torch.float64), gradients[len(weights) :]
    by_hidden, by_state = [zero, *rest[:time]], [zero, *rest[time:]]
    still = net._replace(weights=Weights(*(tensor.detach() for tensor in weights)))
    by_proof = lemma_7(still, at, by_state) | lemma_8(still, sequence, at, by_hidden)
    by_print = by_proof | lemma_8(still, sequence, at, by_hidden, shift=1)
    rows = []
    for name, gradient in truth.items():
        errors = (float((form[name] - gradient).norm() / gradient.norm()) for form in (by_proof, by_print))
        lemma = 7 if name in ALIGNMENT else 8
        row = {"parameter": name, "lemma": lemma, "gradient": float(gradient.norm())}
        rows.append(row | dict(zip(("error", "error_as_printed"), errors, strict=True)))
    return pd.DataFrame(rows)


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Table `parameters`."""
    return {"parameters": parameter_table(generator)}
