"""Settings of the study: networks before training, networks that are trained, and games."""

from typing import Annotated, Literal

from pydantic import Field

from studies.settings.experiments import Experiment, Recipe
from studies.settings.sections import (
    INCREASING,
    NOT_GIVEN,
    Count,
    Distinct,
    Fraction,
    Name,
    NotNegative,
    OpenSection,
    Positive,
    Section,
    SomeDistinct,
)

Environment = Literal[
    "RedBlueDoors-6x6", "GoToObject-6x6-N2", "MemoryS7", "GoToDoor-5x5", "Fetch-5x5-N2", "DoorKey-5x5"
]


class Norms(Section):
    """Gradients that arrive at each step."""

    delay: Count
    """T of the task, steps."""
    sequences: Count
    """Sequences of each seed."""


class Costs(Section):
    """Costs of a gradient, by automatic differentiation."""

    delays: Annotated[Distinct[Count], INCREASING, Field(min_length=3)]
    """T of the task, steps, increasing."""
    batch_size: Count
    """Sequences of a gradient."""
    repeats: Count
    """Repeats of each gradient; the fastest counts."""


class Screening(Section):
    """Sizes of screening, ν and ρ, at which gradients are measured one after the other."""

    sizes: Annotated[Distinct[Count], Field(min_length=2)]
    """Values of the one that is varied."""
    other: Count
    """Value of the other one."""


class PPO(Section):
    """Settings of PPO; others have the defaults of `learnability.reinforcement.settings.PPOSettings`."""

    environments: Count = NOT_GIVEN
    """Environments that run side by side."""
    steps: Count = NOT_GIVEN
    """Steps of each environment in a rollout."""
    truncation: Count = NOT_GIVEN
    """Steps over which gradients go back: the length of a segment of the rollout."""
    segments: Count = NOT_GIVEN
    """Segments of the rollout in a mini-batch, drawn at random. Default 1."""
    epochs: Count = NOT_GIVEN
    """Passes over a rollout."""
    discount: Fraction = NOT_GIVEN
    """γ."""
    trace: Fraction = NOT_GIVEN
    """λ of generalised advantages."""
    clip: Positive = NOT_GIVEN
    """ε, of ratios and of changes of the value."""
    entropy: NotNegative = NOT_GIVEN
    """Weight of the entropy in the loss."""
    value: NotNegative = NOT_GIVEN
    """Weight of the error of the value in the loss."""
    gradient_clip: Positive = NOT_GIVEN
    """Largest global norm of the gradient."""
    standardize: bool = NOT_GIVEN
    """Take the advantages of a mini-batch to mean 0 and standard deviation 1."""
    decay: bool = NOT_GIVEN
    """Let the learning rate fall linearly, towards 0 behind the last rollout."""


class WholePPO(PPO):
    """Settings of PPO; others have the defaults of `learnability.reinforcement.settings.PPOSettings`."""

    environments: Count
    """Environments that run side by side."""
    steps: Count
    """Steps of each environment in a rollout."""
    truncation: Count
    """Steps over which gradients go back: the length of a segment of the rollout."""


class CartPole(Section):
    """Agents that balance a pole whose velocities they do not see, beside published learning curves; what is left out
    is taken from `games`."""

    networks: Distinct[str]
    """Architectures of `games` that balance the pole."""
    optimizer: str = NOT_GIVEN
    """Optimiser id."""
    head_units: Count = NOT_GIVEN
    """Width of hidden layers behind the cell, one that policy and value share and then one of each. Left out, both are
    linear in the hidden units of the cell."""
    frames: Count
    """Steps of all environments together during training."""
    ppo: PPO = NOT_GIVEN
    """Settings that override `games.ppo`."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds`, from the first on."""


class Agent(OpenSection):
    """Settings in place of those that an architecture has in `architectures`."""

    environments: Distinct[str] = NOT_GIVEN
    """Environments on which it is trained, if not all; an empty list leaves it out."""


class Games(Section):
    """Agents that learn on a small grid of MiniGrid by proximal policy optimisation, and play on it and on a larger
    one. And agents on a pole."""

    environments: SomeDistinct[Environment]
    """Environments on which agents are trained; Table 4 has the larger ones."""
    networks: Annotated[dict[str, Agent], Field(min_length=1)]
    """Architecture id → settings in place of those that it has in `architectures`."""
    units: Count
    """H."""
    optimizer: str
    """Optimiser id."""
    ppo: WholePPO
    """Settings of PPO; others have the defaults of `learnability.reinforcement.settings.PPOSettings`."""
    frames: Count
    """Steps of all environments together during training."""
    episodes: Count
    """Episodes that are played afterwards, on each of the two grids, or on the pole."""
    mission: bool
    """Let agents read their task."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds`, from the first on, if not all."""
    cart_pole: CartPole
    """Agents that balance a pole whose velocities they do not see, beside published learning curves; what is left out
    is taken from `games`."""


class Settings(Section):
    """The study `attention`: networks before training, on denoise (10 symbols of 8 among noise, to be named at the
    end), and those that are trained."""

    architectures: SomeDistinct[str]
    """Architectures that are measured before training."""
    norms: Norms
    """Gradients that arrive at each step."""
    costs: Costs
    """Costs of a gradient, by automatic differentiation."""
    screening: Screening
    """Sizes of screening, ν and ρ, at which gradients are measured one after the other."""
    experiments: Annotated[dict[Name, Experiment], Field(min_length=1)]
    """Experiment id → a task, and the networks that are trained on it."""
    recipes: dict[Name, dict[str, Recipe]] = NOT_GIVEN
    """Recipe id → experiment id → how networks of the experiment are trained once more, as experiments named after
    both."""
    games: Games
    """Agents that learn on a small grid of MiniGrid by proximal policy optimisation, and play on it and on a larger
    one. And agents on a pole."""
