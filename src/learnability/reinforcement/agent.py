"""An agent: a recurrent network that reads off its hidden units how it acts, and what it expects."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from learnability.cells import Parameters
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
        """Of one action each."""
        return self.log_policy.gather(1, actions[:, None])[:, 0]

    def drawn(self, generator: torch.Generator) -> Int64[Tensor, "environment"]:
        """An action each."""
        return torch.multinomial(self.log_policy.exp(), 1, generator=generator)[:, 0]

    @property
    def entropy(self) -> Float[Tensor, "environment"]:
        """Of the policy, nats."""
        return -(self.log_policy.exp() * self.log_policy).sum(1)


@dataclass(frozen=True)
class Agent:
    """`network` has a score for each action and, last, the value as its outputs: actor and critic share the cell."""

    network: Network

    def __post_init__(self) -> None:
        given = self.network.regularization
        require(not given, "architecture of an agent", "without dropout and other regularization", given)

    @classmethod
    def build(cls, architecture: Mapping[str, Any], environment: Environment, hidden_size: int) -> "Agent":
        """The agent of an architecture's settings that can act in an environment; see `Network.build`."""
        outputs = environment.actions + 1
        return cls(
            Network.build(architecture, environment.observation_size, hidden_size, True, outputs, "cross_entropy")
        )

    @cached_property
    def cell(self) -> EpisodicCell:
        """The network's, in episodes."""
        return EpisodicCell(self.network.cell)

    def step(
        self,
        parameters: Parameters,
        state: Any,
        observations: Float[Tensor, "environment input"],
        begins: Bool[Tensor, "environment"],
    ) -> Step:
        """One step of each environment, from s_0 where its episode begins.

        Args:
            parameters: as `Cell.prepared` leaves them.
        """
        state = self.cell.step(parameters, state, observations, begins)
        outputs = self.network.read_out(parameters, self.network.cell.output(state))
        return Step(torch.log_softmax(outputs[:, :-1], 1), outputs[:, -1], state)
