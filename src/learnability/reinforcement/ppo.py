"""Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347) with generalised advantages."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.reinforcement.agent import Agent
from learnability.reinforcement.rollouts import Rollout


@dataclass(frozen=True)
class PPOSettings:
    """Defaults are those of `torch-ac` and `rl-starter-files` (Willems, github.com/lcswillems).

    Args:
        environments: side by side.
        steps: of each environment in a rollout.
        truncation: steps over which gradients go back, those of a segment of the rollout. There it is 4, and fewer
            steps than a memory has to be learned over.
        segments: of a mini-batch, drawn from the rollout; the last mini-batch of a pass may have fewer. There sequences
            of single environments are drawn.
        epochs: passes over a rollout.
        discount: γ.
        trace: λ of the advantages.
        clip: ε of ratios, and of changes of the value.
        entropy, value: what these parts of the loss count.
        gradient_clip: largest global L2 norm of the gradient.
        standardize: whether the advantages of a mini-batch are taken to mean 0 and standard deviation 1, so that the
            size of rewards does not matter to the policy. There they are not.
        decay: whether the learning rate falls linearly over rollouts, to 0 behind the last. There it does not.
    """

    environments: int = 16
    steps: int = 128
    truncation: int = 32
    segments: int = 1
    epochs: int = 4
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    gradient_clip: float = 0.5
    standardize: bool = False
    decay: bool = False

    def __post_init__(self) -> None:
        for key in ("environments", "steps", "truncation", "segments", "epochs"):
            require(getattr(self, key) >= 1, key, "at least 1", getattr(self, key))
        for key in ("discount", "trace"):
            require(0 <= getattr(self, key) <= 1, key, "in [0, 1]", getattr(self, key))
        for key in ("clip", "gradient_clip"):
            require(getattr(self, key) > 0, key, "positive", getattr(self, key))
        for key in ("entropy", "value"):
            require(getattr(self, key) >= 0, key, "at least 0", getattr(self, key))
        count = -(-self.steps // self.truncation)
        require(self.segments <= count, "segments", f"at most those of a rollout ({count})", self.segments)
        alone = 1 in (self.segments, count % self.segments)
        single = self.environments == 1 and alone and 1 in (self.truncation, self.steps % self.truncation)
        require(
            not (self.standardize and single), "standardize", "off where a mini-batch is one step", self.standardize
        )

    @property
    def frames(self) -> int:
        """Of a rollout."""
        return self.environments * self.steps


def advantages(
    rewards: Float[Tensor, "time environment"],
    values: Float[Tensor, "time environment"],
    ended: Bool[Tensor, "time environment"],
    values_behind: Float[Tensor, "environment"],
    discount: float,
    trace: float,
) -> Float[Tensor, "time environment"]:
    """Generalised advantages (Schulman et al. 2016, arXiv 1506.02438, Eq. 16), Σ_k (γλ)^k δ_{t+k} within an episode.

        δ_t = r_t + γ V_{t+1} - V_t,   V_{t+1} = 0 where the episode ends with step t

    An end by the limit of steps is an end like another.

    Args:
        values_behind: V of what is seen after the last step.
    """
    found, later = torch.empty_like(rewards), torch.zeros_like(values_behind)
    following = values_behind
    for t in reversed(range(len(rewards))):
        goes_on = (~ended[t]).to(rewards)
        later = rewards[t] + discount * following * goes_on - values[t] + discount * trace * goes_on * later
        found[t], following = later, values[t]
    return found


def replayed(
    agent: Agent, parameters: Parameters, part: Rollout
) -> tuple[Float[Tensor, "time environment"], Float[Tensor, "time environment"], Float[Tensor, "time environment"]]:
    """Log-probabilities of the actions that were taken, entropies and values, as parameters have them now."""
    parameters, state = agent.network.cell.prepared(parameters), part.states[0]
    rows = []
    for observations, begins, actions in zip(part.observations, part.begins, part.actions, strict=True):
        step = agent.step(parameters, state, observations, begins)
        rows.append((step.log_probability(actions), step.entropy, step.value))
        state = step.state
    log_probabilities, entropies, values = map(torch.stack, zip(*rows, strict=True))
    return log_probabilities, entropies, values


def loss(
    agent: Agent,
    parameters: Parameters,
    batch: Sequence[tuple[Rollout, Float[Tensor, "_ environment"]]],
    settings: PPOSettings,
) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
    """What an update makes smaller, and the entropy of the policy; means over all steps of a mini-batch.

        L = -⟨min(q A, clip(q, 1 ± ε) A)⟩ + c_V ⟨max((V - R)², (V_old + clip(V - V_old, ±ε) - R)²)⟩ - c_S ⟨S⟩

    with q the ratio of new to old probability of the action that was taken (Eq. 7), A the advantage, R = V_old + A, and
    S the entropy; the first A alone is standardised, where `settings` ask for it.

    Args:
        batch: parts of a rollout, each with A of its steps.
    """
    parts, gains = zip(*batch, strict=True)
    log_probabilities, entropies, values = map(
        torch.cat, zip(*(replayed(agent, parameters, part) for part in parts), strict=True)
    )
    before, advantage = torch.cat([part.values for part in parts]), torch.cat(gains)
    ratio = torch.exp(log_probabilities - torch.cat([part.log_probabilities for part in parts]))
    clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    weight = (advantage - advantage.mean()) / (advantage.std() + 1e-8) if settings.standardize else advantage
    gain = torch.minimum(ratio * weight, clipped * weight).mean()
    target, change = before + advantage, (values - before).clamp(-settings.clip, settings.clip)
    error = torch.maximum((values - target).square(), (before + change - target).square()).mean()
    entropy = entropies.mean()
    return settings.value * error - gain - settings.entropy * entropy, entropy.detach()
