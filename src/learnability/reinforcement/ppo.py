"""Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347) with generalised advantages."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.reinforcement.agent import Agent
from learnability.reinforcement.rollouts import Rollout
from learnability.reinforcement.settings import PPOSettings


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
    result, later = torch.empty_like(rewards), torch.zeros_like(values_behind)
    next_values = values_behind
    for t in reversed(range(len(rewards))):
        goes_on = (~ended[t]).to(rewards)
        later = rewards[t] + discount * next_values * goes_on - values[t] + discount * trace * goes_on * later
        result[t], next_values = later, values[t]
    return result


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
    """The loss L, and the entropy of the policy; means over all steps of a mini-batch.

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
    clipped_ratio = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    weight = (advantage - advantage.mean()) / (advantage.std() + 1e-8) if settings.standardize else advantage
    gain = torch.minimum(ratio * weight, clipped_ratio * weight).mean()
    target, change = before + advantage, (values - before).clamp(-settings.clip, settings.clip)
    error = torch.maximum((values - target).square(), (before + change - target).square()).mean()
    entropy = entropies.mean()
    return settings.value * error - gain - settings.entropy * entropy, entropy.detach()
