"""The two cells of xLSTM (Beck et al. 2024, "xLSTM: Extended Long Short-Term Memory", arXiv 2405.04517), with one head.

sLSTM, with the state s_t = [h_t; c_t; n_t; m_t]:

    z_t = tanh(ẑ_t),   o_t = σ(ô_t),      each ˆ its own W x_t + U h_{t-1} + b            Eqs. 11, 14
    m_t = max(log σ(f̂_t) + m_{t-1}, î_t)                                                 Eq. 15
    i'_t = exp(î_t - m_t),   f'_t = exp(log σ(f̂_t) + m_{t-1} - m_t)                      Eqs. 16, 17
    c_t = f'_t ⊙ c_{t-1} + i'_t ⊙ z_t,   n_t = f'_t ⊙ n_{t-1} + i'_t                     Eqs. 8, 9
    h_t = o_t ⊙ c_t / n_t                                                                Eq. 10

mLSTM, with a matrix C_t for c_t and one gate i and f for all units; s_t = [h_t; C_t row by row; n_t; m_t]:

    q_t = W_q x_t + b_q,   k_t = (W_k x_t)/√H + b_k,   v_t = W_v x_t + b_v               Eqs. 22-24
    C_t = f'_t C_{t-1} + i'_t v_t k_tᵀ,   n_t = f'_t n_{t-1} + i'_t k_t                  Eqs. 19, 20
    h_t = o_t ⊙ C_t q_t / max(|n_tᵀ q_t|, exp(-m_t))                                     Eq. 21
    o_t = σ(W_o x_t + b_o),   î_t = w_i · x_t + b_i,   f̂_t = w_f · x_t + b_f              Eqs. 25-27

With an `embedding` u_t = W_e x_t of H numbers stands for x_t, and SiLU(u_t) for it in q and k, as in the paper's block
(Fig. 11), but for its convolution: keys of a scalar input would otherwise all lie on a line.

The input gate is exponential. The paper leaves the forget gate to be σ or exp; σ is that of the public code. The
stabiliser m_t scales c_t and n_t alike, so h_t does not depend on it, nor on m_0 = 0: it keeps exponentials in range.
The public code of sLSTM starts with m_1 = î_1, which has the same h_t; here î_1 below -100 in single precision is 0/0.
What is around these cells in an xLSTM block (convolution, normalisation, projections, skip connections) is not here.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid, silu

from learnability.cells.cell import Cell
from learnability.cells.irnn import normal
from learnability.cells.linearization import Parameters, affine, affine_in_inputs

LARGEST_FORGET, FORGET_RANGE, FORGET_POWER = 5.0, 12.0, 0.3
"""sLSTM: biases of forget gates start at 5 - 12 (j/(H - 1))^0.3, j from 0 to H - 1 (public code, a single block)."""
MATRIX_FORGET, INPUT_DEVIATION = 3.0, 0.1
"""mLSTM: what b_f starts at, and the standard deviation of b_i (public code)."""


@dataclass(frozen=True)
class SLSTM(Cell):
    """A scalar LSTM with an exponential input gate and a normaliser.

    Example:
        >>> SLSTM(2, 3).state_size
        12
    """

    @property
    def state_size(self) -> int:
        """4H: h_t, c_t, n_t, m_t."""
        return 4 * self.hidden_size

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return tuple(f"U_{path}" for path in "ifzo")

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The public code's start: small normal W, zero U, biases of forget gates from 5 to -7, other biases zero."""
        units, zero = self.hidden_size, torch.zeros(self.hidden_size, dtype=torch.float64)
        places = torch.arange(units, dtype=torch.float64) / max(1, units - 1)
        biases = {"f": LARGEST_FORGET - FORGET_RANGE * places**FORGET_POWER}
        return {
            name: parameter
            for path in "ifzo"
            for name, parameter in {
                f"W_{path}": small_weights((root_seed, seed), f"W_{path}", units, self.input_size),
                f"U_{path}": torch.zeros(units, units, dtype=torch.float64),
                f"b_{path}": biases.get(path, zero.clone()),
            }.items()
        }

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        h, c, n, m = state.chunk(4, -1)
        i, f, z, o = (affine(parameters, path, h, inputs) for path in "ifzo")
        m, write, keep = stabilised(i, f, m)
        c, n = keep * c + write * torch.tanh(z), keep * n + write
        return torch.cat([torch.sigmoid(o) * c / n, c, n, m], -1)


@dataclass(frozen=True)
class MLSTM(Cell):
    """An LSTM whose memory is a matrix, written by keys and read by queries.

    Args:
        embedding: whether inputs are projected to H numbers before.

    Example:
        >>> MLSTM(2, 3).state_size
        16
    """

    embedding: bool = False

    @property
    def state_size(self) -> int:
        """H + H² + H + 1: h_t, C_t, n_t, m_t."""
        return self.hidden_size * (self.hidden_size + 2) + 1

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The public code's start: small normal W, zero w_i and w_f, b_i normal, b_f = 3, other biases zero."""
        seeds, units = (root_seed, seed), self.hidden_size
        inputs = units if self.embedding else self.input_size
        weights = {f"W_{path}": small_weights(seeds, f"W_{path}", units, inputs) for path in "qkvo"}
        if self.embedding:
            weights["W_e"] = small_weights(seeds, "W_e", units, self.input_size)
        biases = {f"b_{path}": torch.zeros(units, dtype=torch.float64) for path in "qkvo"}
        gates = {f"W_{path}": torch.zeros(1, inputs, dtype=torch.float64) for path in "if"}
        b_i = normal(seeds, "b_i", (1,), INPUT_DEVIATION)
        return weights | biases | gates | {"b_i": b_i, "b_f": torch.full_like(b_i, MATRIX_FORGET)}

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        units = self.hidden_size
        _, C, n, m = state.split([units, units**2, units, 1], -1)
        q, k, v, o, i, f = self._paths(parameters, inputs)
        m, write, keep = stabilised(i, f, m)
        C = keep[..., None] * C.unflatten(-1, (units, units)) + (write * v)[..., None] * k[..., None, :]
        n = keep * n + write * k
        scale = torch.maximum((n * q).sum(-1, keepdim=True).abs(), torch.exp(-m))
        h = torch.sigmoid(o) * (C * q[..., None, :]).sum(-1) / scale
        return torch.cat([h, C.flatten(-2), n, m], -1)

    def outputs(self, parameters: Parameters, inputs: Tensor) -> Tensor:
        """h_1, …, h_T by all pairs of steps: C_t q_t = Σ_s exp(î_s + Σ_{s<r≤t} log f_r) (k_s · q_t) v_s.

        A stabiliser of another size than in the steps changes no h_t.
        """
        q, k, v, o, i, f = self._paths(parameters, inputs)
        log_forget = logsigmoid(f[..., 0]).cumsum(-1)
        logs = log_forget[..., :, None] - log_forget[..., None, :] + i[..., 0][..., None, :]
        past = torch.ones(logs.shape[-2:], dtype=torch.bool, device=logs.device).tril()
        logs = logs.masked_fill(~past, -torch.inf)
        m = logs.amax(-1, keepdim=True)
        scores = (q @ k.mT) * torch.exp(logs - m)
        scale = torch.maximum(scores.sum(-1, keepdim=True).abs(), torch.exp(-m))
        return torch.sigmoid(o) * (scores @ v) / scale

    def _paths(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, ...]:
        """q, k, v and the pre-activations of the gates o, i and f."""
        u = inputs @ parameters["W_e"].mT if self.embedding else inputs
        activation = silu(u) if self.embedding else inputs
        v, o, i, f = (affine_in_inputs(parameters, path, u) for path in "voif")
        k = activation @ parameters["W_k"].mT / math.sqrt(self.hidden_size) + parameters["b_k"]
        return affine_in_inputs(parameters, "q", activation), k, v, o, i, f


def stabilised(i: Tensor, f: Tensor, m: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """m_t, i'_t and f'_t from the pre-activations of both gates and m_{t-1}."""
    log_forget = logsigmoid(f) + m
    largest = torch.maximum(log_forget, i)
    return largest, torch.exp(i - largest), torch.exp(log_forget - largest)


def small_weights(seeds: tuple[int, int], name: str, rows: int, columns: int) -> Tensor:
    """N(0, 2/(5 · columns)), the start of the public code's linear layers (Nguyen and Salazar 2019)."""
    return normal(seeds, name, (rows, columns), math.sqrt(2 / (5 * columns)))
