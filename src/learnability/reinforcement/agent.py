"""An agent: a recurrent network whose hidden units give its actions and the return that it expects."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from learnability.cells import Parameters, orthogonal
from learnability.core.errors import require
from learnability.networks.network import Network
from learnability.reinforcement.environments import Environment
from learnability.reinforcement.episodes import EpisodicCell


class Step(NamedTuple):
    """Log-probabilities of the actions, the value (the return that is expected), and the state behind the step."""

    log_policy: Float[Tensor, "environment action"]
    value: Float[Tensor, "environment"]
    state: Any

    def log_probability(self, actions: Int64[Tensor, "environment"]) -> Float[Tensor, "environment"]:
        """Log-probability of an action of each environment."""
        return self.log_policy.gather(1, actions[:, None])[:, 0]

    def drawn(self, generator: torch.Generator) -> Int64[Tensor, "environment"]:
        """An action of each environment, drawn from the policy."""
        return torch.multinomial(self.log_policy.exp(), 1, generator=generator)[:, 0]

    @property
    def entropy(self) -> Float[Tensor, "environment"]:
        """Entropy of the policy, nats."""
        return -(self.log_policy.exp() * self.log_policy).sum(1)


@dataclass(frozen=True)
class Heads:
    """Actor and critic, each with a hidden layer of its own, of the features x that they share.

        scores = W_2 max(0, W_1 x + b_1) + b_2

    The value follows from x by the same formula with other weights.

    Args:
        units: numbers in x, and in each hidden layer.
        actions: of which each has a score.
    """

    units: int
    actions: int

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Orthogonal weights, of norm √2 in a hidden layer, 0.1 of scores and 1 of the value; biases 0; float64."""
        parameters = {}
        for name, outputs, gain in (("actor", self.actions, 0.1), ("critic", 1, 1.0)):
            for layer, rows, norm in (("hidden", self.units, sqrt(2)), ("output", outputs, gain)):
                key = f"{name}.{layer}"
                parameters[f"{key}.weight"] = norm * orthogonal(rows, self.units, root_seed, seed, key)
                parameters[f"{key}.bias"] = torch.zeros(rows, dtype=torch.float64)
        return parameters

    def read(
        self, parameters: Parameters, features: Float[Tensor, "environment unit"]
    ) -> tuple[Float[Tensor, "environment action"], Float[Tensor, "environment"]]:
        """Scores and the value."""

        def layer(name: str, x: Tensor) -> Tensor:
            return torch.nn.functional.linear(x, parameters[f"{name}.weight"], parameters[f"{name}.bias"])

        actor, critic = (
            layer(f"{name}.output", layer(f"{name}.hidden", features).relu()) for name in ("actor", "critic")
        )
        return actor, critic[:, 0]


@dataclass(frozen=True)
class Agent:
    """Actor and critic that share a cell.

    Args:
        network: its outputs are a score for each action and, last, the value; or, with `heads`, their features x,
            before negative ones are set to 0.
    """

    network: Network
    heads: Heads | None = None

    def __post_init__(self) -> None:
        regularization = self.network.regularization
        require(
            not regularization, "architecture of an agent", "without dropout and other regularization", regularization
        )

    @classmethod
    def build(
        cls, architecture: Mapping[str, Any], environment: Environment, hidden_size: int, head_units: int = 0
    ) -> "Agent":
        """The agent of an architecture's settings that can act in an environment; see `Network.build`.

        Args:
            head_units: of each hidden layer behind the cell, of which actor and critic share the first; 0: scores and
                value are linear in the cell's hidden units.
        """
        require(head_units >= 0, "head_units", "at least 0", head_units)
        outputs, inputs = head_units or environment.actions + 1, environment.observation_size
        network = Network.build(architecture, inputs, hidden_size, True, outputs)
        return cls(network, Heads(head_units, environment.actions) if head_units else None)

    @cached_property
    def cell(self) -> EpisodicCell:
        """The cell of the network, in episodes."""
        return EpisodicCell(self.network.cell)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Parameters of the network, and of `heads`, whose features have weights of norm √2; float64."""
        parameters = self.network.initial_parameters(root_seed, seed)
        if self.heads:
            parameters |= {"w": sqrt(2) * parameters["w"], **self.heads.initial_parameters(root_seed, seed)}
        return parameters

    def step(
        self,
        parameters: Parameters,
        state: Any,
        observations: Float[Tensor, "environment input"],
        begins: Bool[Tensor, "environment"],
    ) -> Step:
        """Take a step of each environment, from s_0 where its episode begins.

        Args:
            parameters: as `Cell.prepared` leaves them.
        """
        state = self.cell.step(parameters, state, observations, begins)
        outputs = self.network.read_out(parameters, self.network.cell.output(state))
        if self.heads:
            scores, value = self.heads.read(parameters, outputs.relu())
        else:
            scores, value = outputs[:, :-1], outputs[:, -1]
        return Step(torch.log_softmax(scores, 1), value, state)
