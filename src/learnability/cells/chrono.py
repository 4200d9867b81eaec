"""The LSTM with chrono initialisation (Tallec and Ollivier 2018, "Can recurrent neural networks warp time?", arXiv
1804.11188).

    b_f = log u,  u ~ U(1, T_max - 1) for each unit,      b_i = -b_f          (Eq. 16)

so that units forget over times of up to T_max steps, the longest dependency of the task. Its step is the LSTM's.
"""

from dataclasses import dataclass, field

import torch

from learnability.cells.irnn import uniform
from learnability.cells.linearization import Parameters
from learnability.cells.lstm import LSTM
from learnability.core.errors import require


@dataclass(frozen=True)
class ChronoLSTM(LSTM):
    """An LSTM whose forget gates start at u/(1 + u), u uniform in (1, T_max - 1), and whose i starts at 1 - f.

    Args:
        gate_init: what the output gate starts at, which the paper leaves at 1/2.
        longest: T_max in steps.

    Example:
        >>> parameters = ChronoLSTM(2, 3, longest=50).initial_parameters(1, 0)
        >>> bool((parameters["b_f"] == -parameters["b_i"]).all())
        True
    """

    gate_init: float = 0.5
    longest: int = field(default=100, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.longest > 2, "longest", "above 2 steps", self.longest)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The parent's parameters, but for b_i, b_f and b_o."""
        b_f = uniform((root_seed, seed), "b_f", (self.hidden_size,), 1, self.longest - 1).log()
        b_o = torch.full_like(b_f, self.gate_init).logit()
        parameters = super().initial_parameters(root_seed, seed)
        return parameters | {f"b_{gate}": {"i": -b_f, "f": b_f, "o": b_o}[gate] for gate in self.gates}
