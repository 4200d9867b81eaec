"""Propositions 1 and 2, Lemmas 1 to 6, Corollary 1: ds_{t+k}/dh_t as a sum over paths.

    C_{k+1} = E_{k+1} + Σ_{j≤k} F_{k+1,j} C_j,    C_k = ds_{t+k}/dh_t                              Lemma 2
    E_k = ∂s_{t+k}/∂h_t,    F_{k+1,j} = ∂s_{t+k+1}/∂h_{t+j+1} J_{t+j} + 1_{j=k} ∂s_{t+k+1}/∂s_{t+k}     Eq. 18
    C_k = Σ_s ξ̄(s),    ξ̄(0) = E_k,    ξ̄(s) = Σ_{0≤i_1<…<i_s<k} F_{k,i_s} F_{i_s,i_{s-1}} … F_{i_2,i_1} E_{i_1}   Prop. 1

with J_k = ∂h_{k+1}/∂s_k, as in Proposition 1; Lemma 2 prints ∂s_{k+1}/∂h_k. All of it holds. What does not is that ξ̄(s)
has exactly s factors J (Sec. 3.1): the part ∂s_{t+k+1}/∂s_{t+k} of F, attention that depends on s, has none.
"""

from collections.abc import Mapping
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64
from torch import Tensor

from studies.attention.theory.mem_rnn import MIXES, Function, MemRNN, Trajectory, derivative, linear, random_weights

FIRST, LAGS, UNITS, INPUTS = 3, 8, 3, 2
"""t, largest k, n and m of the tables."""
NETWORKS: Mapping[str, tuple[Function, str, float]] = {
    "tanh, sum": (torch.tanh, "sum", 1.0),
    "tanh, mean": (torch.tanh, "mean", 1.0),
    "linear, sum": (linear, "sum", 0.5),
}
"""φ, f and the gain of the weights."""


class Factors(NamedTuple):
    """E_k at place k = 0, …, K, and F_{k,j} at place (k, j), zero where j ≥ k."""

    E: Float64[Tensor, "lag n n"]
    F: Float64[Tensor, "lag lag n n"]


def _blank(size: int, lags: int) -> Factors:
    zeros = torch.zeros(lags + 1, lags + 1, size, size, dtype=torch.float64)
    return Factors(zeros[0].clone(), zeros)


def differentiate(net: MemRNN, inputs: Float64[Tensor, "time m"], at: Trajectory, t: int, lags: int) -> Factors:
    """E and F by their definitions, every partial derivative by automatic differentiation of Eqs. 1 and 9."""
    hidden, states = torch.stack(at.hidden).detach(), torch.stack(at.states).detach()
    factors = _blank(hidden.shape[1], lags)
    for k in range(lags + 1):
        now = t + k
        by_hidden, by_state = torch.func.jacrev(net.state, (0, 1))(hidden[1 : now + 1], states[now - 1])
        factors.E[k] = by_hidden[:, t - 1]
        for j in range(k):
            jacobian = torch.func.jacrev(net.hidden)(states[t + j], inputs[t + j])
            factors.F[k, j] = by_hidden[:, t + j] @ jacobian + (by_state if j == k - 1 else 0)
    return factors


def closed_form(net: MemRNN, inputs: Float64[Tensor, "time m"], at: Trajectory, t: int, lags: int) -> Factors:
    """E and F of Corollary 1, with X and Y of Lemmas 6 and 5 and the derivatives of e of Remark 5.

    E_k = 1_{k=0} ∂₁f + α_{t,t+k} ∂₂f (I + X_{t,t+k})
    F_{k+1,j} = α_{t+j+1,t+k+1} ∂₂f (I + X_{t+j+1,t+k+1}) J_{t+j}
                + 1_{k=j} (∂₁f J_{t+k} + ∂₂f Σ_i α_{i,t+k+1} Y_{i,t+k+1})
    X_{j,k} = (h_j - c_k) ∂e_{j,k}/∂h_j,    Y_{i,k} = h_i (∂e_{i,k}/∂s_{k-1} - Σ_j α_{j,k} ∂e_{j,k}/∂s_{k-1})
    """
    hidden, states = torch.stack(at.hidden).detach(), torch.stack(at.states).detach()
    jacobians = torch.func.vmap(torch.func.jacrev(net.hidden))(states[:-1], inputs)  # J_0, …, J_{T-1}
    factors, identity = _blank(hidden.shape[1], lags), torch.eye(hidden.shape[1], dtype=torch.float64)
    _, _, _, W_a, U_a, v_a = net.weights
    alphas = [alpha.detach() for alpha in at.attention[t : t + lags + 1]]
    contexts = torch.stack([alpha @ hidden[1 : len(alpha) + 1] for alpha in alphas])
    by_both = torch.func.vmap(torch.func.jacrev(net.mix, (0, 1)))(hidden[t : t + lags + 1], contexts)
    for k, (alpha, c, of_h, of_c) in enumerate(zip(alphas, contexts, *by_both, strict=True)):
        now = t + k
        h = hidden[1 : now + 1]
        slope = v_a * (1 - torch.tanh(states[now - 1] @ W_a.T + h @ U_a.T) ** 2)
        by_hidden, by_state = slope @ U_a, slope @ W_a  # ∂e_{i,t+k}/∂h_i and ∂e_{i,t+k}/∂s_{t+k-1}, a row for each i
        X = (h - c)[:, :, None] * by_hidden[:, None, :]
        links = alpha[:, None, None] * (of_c @ (identity + X))
        factors.E[k] = links[t - 1] + (of_h if k == 0 else 0)
        if k:
            factors.F[k, :k] = links[t:] @ jacobians[t:now]
            through_state = of_c @ (alpha[:, None] * h).T @ (by_state - alpha @ by_state)
            factors.F[k, k - 1] += of_h @ jacobians[now - 1] + through_state
    return factors


def recursion(factors: Factors) -> Float64[Tensor, "lag n n"]:
    """C_0, …, C_K of Lemma 2 (Eq. 19)."""
    C = factors.E.clone()
    for k in range(1, len(C)):
        C[k] += (factors.F[k, :k] @ C[:k]).sum(0)
    return C


def path_sum(factors: Factors, k: int, s: int) -> Float64[Tensor, "n n"]:
    """ξ̄(s) of Proposition 1, path by path (Eq. 42)."""
    if s == 0:
        return factors.E[k]
    total = torch.zeros_like(factors.E[0])
    for places in combinations(range(k), s):
        product = factors.E[places[0]]
        for before, after in zip(places, (*places[1:], k), strict=True):
            product = factors.F[after, before] @ product
        total += product
    return total


def solution(factors: Factors, start: Float64[Tensor, "n n"], k: int) -> Float64[Tensor, "n n"]:
    """C_k = ξ_{0:k} C_0 + Σ_{r=1}^k ξ_{r:k} E_r of Lemma 3, from any C_0 = `start`.

    ξ_{r:k} is the sum over r = i_1 < … < i_{s+1} = k of F_{i_{s+1},i_s} F_{i_s,i_{s-1}} … F_{i_2,i_1}; Eq. 23 prints
    F_{i_{s-1},i_{s-2}} as the second factor.
    """
    identity = torch.eye(len(start), dtype=start.dtype)

    def between(r: int) -> Tensor:
        if r == k:
            return identity
        total = torch.zeros_like(identity)
        for s in range(k - r):
            for inner in combinations(range(r + 1, k), s):
                product = identity
                for before, after in zip((r, *inner), (*inner, k), strict=True):
                    product = factors.F[after, before] @ product
                total += product
        return total

    return between(0) @ start + sum((between(r) @ factors.E[r] for r in range(1, k + 1)), torch.zeros_like(identity))


def path_table(
    name: str,
    generator: np.random.Generator,
    first: int = FIRST,
    lags: int = LAGS,
    units: int = UNITS,
    inputs: int = INPUTS,
) -> pd.DataFrame:
    """A random network of `NETWORKS`: each ξ̄(s), and the statements' errors against automatic differentiation.

    Args:
        first, lags, units, inputs: t, largest k, n and m.

    Returns:
        A row for each k and s: `network`, `lag` k, `depth` s, `paths` in number, `norm` of ξ̄(s), `total` ‖C_k‖
        (Frobenius); largest absolute errors of C_k `by_paths` (Prop. 1) and `by_recursion` (Lemma 2), and of E and F
        `by_closed_form` (Corollary 1).
    """
    activation, mix, gain = NETWORKS[name]
    weights = random_weights(generator, units, inputs, gain)
    net = MemRNN(weights._replace(V=weights.V.requires_grad_()), MIXES[mix], activation)
    sequence = torch.from_numpy(generator.standard_normal((first + lags, inputs)))
    at = net.run(sequence)
    still = net._replace(weights=weights._replace(V=weights.V.detach()))
    factors, closed_factors = (make(still, sequence, at, first, lags) for make in (differentiate, closed_form))
    closed_error = max(float((ours - theirs).abs().max()) for ours, theirs in zip(factors, closed_factors, strict=True))
    recursive = recursion(factors)
    rows = []
    for k in range(lags + 1):
        truth = derivative(at.states[first + k], at.hidden[first])
        parts = [path_sum(factors, k, s) for s in range(k + 1)]
        whole = {
            "total": float(truth.norm()),
            "by_paths": float((sum(parts) - truth).abs().max()),
            "by_recursion": float((recursive[k] - truth).abs().max()),
            "by_closed_form": closed_error,
        }
        rows += [
            {"network": name, "lag": k, "depth": s, "paths": comb(k, s), "norm": float(part.norm()), **whole}
            for s, part in enumerate(parts)
        ]
    return pd.DataFrame(rows)


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Table `paths`."""
    return {"paths": pd.concat([path_table(name, generator) for name in NETWORKS], ignore_index=True)}
