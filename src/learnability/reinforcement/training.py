"""Agents that learn: rollouts, updates, checkpoints."""

import copy
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd
import torch

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.core.progress import Spacing
from learnability.core.streams import numpy_generator
from learnability.reinforcement.agent import Agent
from learnability.reinforcement.environments import Begun, Ended, Environment, Environments
from learnability.reinforcement.episodes import STATES
from learnability.reinforcement.ppo import advantages, loss
from learnability.reinforcement.rollouts import Next, Rollout, action_generator, collect
from learnability.reinforcement.settings import PPOSettings
from learnability.training.checkpoint import Checkpoint
from learnability.training.clipping import clip_gradient
from learnability.training.loop import CHECKPOINT_SECONDS, TrainingDiverged
from learnability.training.optimizers import build_optimizer
from learnability.training.termination import Terminated, Termination

log = logging.getLogger(__name__)

LINE_SECONDS = 30


@dataclass(frozen=True)
class AgentState:
    """The full state that a run after `update` depends on.

    Args:
        update: last finished one.
        parameters, optimizer: their states, exact.
        state, begins: where the last rollout ended.
        begun: episodes that are not over, by environment.
        curve: rows of the learning curve so far.
    """

    update: int = 0
    parameters: Parameters = field(default_factory=dict)
    optimizer: dict[str, Any] = field(default_factory=dict)
    state: Any = None
    begins: Any = None
    begun: list[Begun] = field(default_factory=list)
    curve: list[dict[str, float]] = field(default_factory=list)


def train_agent(
    agent: Agent,
    environments: Sequence[Environment],
    optimizer: Mapping[str, Any],
    settings: PPOSettings,
    frames: int,
    root_seed: int,
    seed: int,
    checkpoint: Path,
    progress: Callable[[dict[str, float]], None] = lambda row: None,
) -> tuple[Parameters, pd.DataFrame]:
    """Parameters after the last rollout that `frames` have room for, and the learning curve, a row each rollout.

    A row has its number, `epoch`, and `frames` so far; `episodes` that ended in the rollout, the means of their
    `return` and `length`, and their share of `success`, a return above 0 (NaN of none); `loss`, `entropy` and
    `gradient_norm`, means over updates.

    Args:
        optimizer: see `build_optimizer`.
        checkpoint: from which to go on, if it holds an earlier part of this run.
        progress: called with each row.

    Raises:
        InputError: for fewer frames than a rollout has, or a checkpoint that cannot be read.
        TrainingDiverged: when the loss or its gradient is not finite.
        Terminated: after SIGTERM; the checkpoint then holds the last finished rollout.
    """
    require(frames >= settings.frames, "frames", f"at least the frames of a rollout ({settings.frames})", frames)
    require(len(environments) == settings.environments, "environments", f"{settings.environments}", len(environments))
    rollouts = frames // settings.frames
    learner = _Learner(agent, environments, optimizer, settings, rollouts, root_seed, seed)
    store = Checkpoint(checkpoint, AgentState, [*STATES, Begun])
    identity = [repr(agent), *map(repr, environments), dict(optimizer), asdict(settings), root_seed, seed]
    identity += [rollouts] if settings.decay else []  # without it a longer run begins as a shorter one does
    fingerprint = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    if state := store.load().get(fingerprint):
        learner.resume(state)
        log.info("Going on after %d rollouts from %s.", state.update, checkpoint)
    spacing = Spacing(CHECKPOINT_SECONDS)
    spacing.due()
    with Termination() as termination:
        while learner.last.update < rollouts:
            try:
                progress(learner.update(termination.check))
            except Terminated:
                store.save({fingerprint: learner.last})
                raise Terminated(f"Terminated by SIGTERM; {checkpoint} is kept and the same call goes on.") from None
            if spacing.due():
                store.save({fingerprint: learner.last})
    return learner.last.parameters, pd.DataFrame(learner.last.curve)


class Progress:
    """Called with each row of a learning curve; logs the first, the last, and one in 30 s or 5 % between.

    Args:
        rollouts: of the whole run.
    """

    def __init__(self, rollouts: int) -> None:
        self.rollouts, self._done, self._spacing = rollouts, 0, Spacing(LINE_SECONDS)

    def __call__(self, row: dict[str, float]) -> None:
        """Report one rollout, an epoch to whoever reads the log."""
        if row["epoch"] == self.rollouts or self._spacing.due():
            log.info(
                "epoch %d of %d · loss %.4f · return %.3f · entropy %.3f",
                *(row["epoch"], self.rollouts, row["loss"], row["return"], row["entropy"]),
            )


class _Learner:
    """The moving parts of a run."""

    def __init__(
        self,
        agent: Agent,
        environments: Sequence[Environment],
        optimizer: Mapping[str, Any],
        settings: PPOSettings,
        rollouts: int,
        root_seed: int,
        seed: int,
    ) -> None:
        self.agent, self.settings, self.rollouts, self.seeds = agent, settings, rollouts, (root_seed, seed)
        initial = agent.initial_parameters(root_seed, seed)
        self.parameters = {name: tensor.float().requires_grad_() for name, tensor in initial.items()}
        self.optimizer = build_optimizer(optimizer, self.parameters, agent.network.cell.ORTHOGONAL)
        self.rates = [group["lr"] for group in self.optimizer.param_groups]
        self.environments = Environments(environments, root_seed, seed, "training")
        state = agent.cell.initial_state(self.environments.observations)
        self.last = AgentState(state=state, begins=torch.ones(len(environments), dtype=torch.bool))

    def resume(self, state: AgentState) -> None:
        self.last = state
        for name, parameter in self.parameters.items():
            parameter.data.copy_(state.parameters[name])
        self.optimizer.load_state_dict(copy.deepcopy(state.optimizer))  # the optimiser works in place
        self.environments.resume(state.begun)

    def update(self, check: Callable[[], None]) -> dict[str, float]:
        """Collect a rollout and learn from it; return the row of the learning curve."""
        update, settings, last = self.last.update + 1, self.settings, self.last
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = rate * (1 - (update - 1) / self.rollouts) if settings.decay else rate
        generator = action_generator(*self.seeds, update)
        rollout, behind = collect(
            self.agent, self.parameters, self.environments, last.state, last.begins, settings.steps, generator
        )
        losses = self._learn(rollout, behind, update, check)
        progress: dict[str, float] = {"epoch": update, "frames": update * settings.frames}
        row = progress | summary(self.environments.take_ended()) | losses
        self.last = AgentState(
            update,
            {name: tensor.detach().clone() for name, tensor in self.parameters.items()},
            copy.deepcopy(self.optimizer.state_dict()),
            behind.state,
            behind.begins,
            [Begun(episode.episode, list(episode.actions)) for episode in self.environments.begun],
            [*last.curve, row],
        )
        return row

    def _learn(self, rollout: Rollout, behind: Next, update: int, check: Callable[[], None]) -> dict[str, float]:
        settings, weights = self.settings, list(self.parameters.values())
        advantage = advantages(
            rollout.rewards, rollout.values, rollout.ended, behind.values, settings.discount, settings.trace
        )
        parts = list(zip(rollout.segments(settings.truncation), advantage.split(settings.truncation), strict=True))
        rows = []
        for epoch in range(settings.epochs):
            order = numpy_generator(*self.seeds, "order", update, epoch).permutation(len(parts))
            for places in torch.from_numpy(order).split(settings.segments):
                check()
                batch = [parts[place] for place in places]
                cost, entropy = loss(self.agent, self.parameters, batch, settings)
                self.optimizer.zero_grad()
                cost.backward()
                norm = clip_gradient(weights, settings.gradient_clip)
                if not bool(torch.isfinite(norm)):
                    raise TrainingDiverged(
                        f"The gradient was not finite in rollout {update}. A smaller learning rate may help."
                    )
                self.optimizer.step()
                rows.append((cost.item(), entropy.item(), norm.item()))
        return dict(zip(("loss", "entropy", "gradient_norm"), map(fmean, zip(*rows, strict=True)), strict=True))


def summary(ended: Sequence[Ended]) -> dict[str, float]:
    """Number of episodes; means of their return, length and success, a return above 0; NaN of none."""
    table = pd.DataFrame(ended, columns=["return", "length"], dtype=float)
    means = {"return": table["return"].mean(), "length": table["length"].mean()}
    success = (table["return"] > 0).mean() if len(table) else float("nan")
    return {"episodes": len(table), **means, "success": float(success)}
