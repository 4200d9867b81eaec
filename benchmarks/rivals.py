"""Implementations by others of the same computation."""

import torch

from learnability.cells import Parameters

SATURATION = 40.0
"""σ(40) = 1 in double precision."""


def gru_of_diag_gate(parameters: Parameters) -> torch.nn.GRU:
    """torch's GRU, cuDNN's on a GPU, that computes the states of a DiagGate: r pinned at 1, z = 1 - s.

        h_t = (1 - z_t) ⊙ n_t + z_t ⊙ h_{t-1},      n_t = tanh(W_n x_t + b_n + r_t ⊙ U_n h_{t-1})

    Rows of its weights: r, z, n, with z = σ(-W_s x_t - U_s h_{t-1} - b_s) and n = g.
    """
    p, hidden, like = parameters, len(parameters["U_h"]), parameters["U_h"]
    w, u, b = (torch.cat([torch.zeros_like(p[f"{k}_h"]), -p[f"{k}_s"], p[f"{k}_h"]]) for k in "WUb")
    b[:hidden] = SATURATION
    gru = torch.nn.GRU(w.shape[1], hidden, batch_first=True, device=like.device, dtype=like.dtype)
    weights = {"weight_ih_l0": w, "weight_hh_l0": u, "bias_ih_l0": b, "bias_hh_l0": torch.zeros_like(b)}
    gru.load_state_dict(weights)
    return gru
