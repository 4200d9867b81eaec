"""Experiments: a task and the networks that are trained on it, and recipes by which they are trained once more."""

from typing import Annotated, Any

from pydantic import Field

from studies.settings.sections import NOT_GIVEN, Count, Distinct, OpenSection, Positive, Section, SomeDistinct


class Windows(Section):
    """Measurement of gradients and of what is learned at each stored epoch; left out where it is not given."""

    lags: SomeDistinct[Count]
    """ℓ, steps, increasing."""
    sequences: Annotated[int, Field(ge=20)]
    """Sequences that are measured, none of which is trained on."""
    delays: Distinct[Count] = NOT_GIVEN
    """Delays that are measured, if not all."""
    networks: Distinct[str] = NOT_GIVEN
    """Networks that are measured, if not all."""


class Further(Section):
    """Some networks of an experiment that are trained otherwise, too."""

    networks: SomeDistinct[str]
    """Some of the experiment's."""
    delays: SomeDistinct[Count]
    """Delays at which they are not yet trained in the same way."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds`, if not as many as at the other delays."""
    epochs: Count = NOT_GIVEN
    """More epochs than `training` has; tables of the study `attention` take the networks of a delay that are trained
    longest."""
    sizes: bool = NOT_GIVEN
    """Train each network at every size of `attention.screening`, in the study `attention` alone; false where it is
    not given."""


class TrainedNetwork(OpenSection):
    """Training of a network; beside that, settings in place of those that it has in `architectures`."""

    optimizer: str
    """Optimiser id."""
    delays: Distinct[Count] = NOT_GIVEN
    """Delays at which it is trained, if not all; an empty list leaves it out."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds`, if not as many as of other networks."""
    transfer: Distinct[Count] = NOT_GIVEN
    """Delays to which it is put, if not the same as for other networks."""


class ExperimentTask(OpenSection):
    """A task, with no more settings than it takes."""

    name: str
    """The same as `task.name`."""
    training_sequences: Count
    """Sequences of an epoch."""
    validation_sequences: Count
    """Sequences of the validation loss."""


class Experiment(Section):
    """A task, and the networks that are trained on it."""

    task: ExperimentTask
    """The task of the experiment, with no more settings than it takes, and with numbers of sequences."""
    network: dict[str, Any] = NOT_GIVEN
    """Settings that override `network`."""
    training: dict[str, Any]
    """Settings that override `training`."""
    delays: Distinct[Count] = NOT_GIVEN
    """`task.delay`: the experiment is one for each; an empty list leaves it out."""
    transfer: Distinct[Count] = NOT_GIVEN
    """Delays to which networks of the first delay are put without having learned them."""
    test_sequences: Count = NOT_GIVEN
    """Sequences on which networks of copy and denoise are measured after training."""
    windows: Windows = NOT_GIVEN
    """Measurement of gradients and of what is learned at each stored epoch; left out where it is not given."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds`, from the first on, if not all."""
    further: list[Further] = NOT_GIVEN
    """Some of the networks, trained at delays beside those; or once more, as experiments of their own, with other
    `epochs` or at `sizes`."""
    learning_rates: Distinct[Positive] = NOT_GIVEN
    """Learning rates at which each network is trained, too, but for the one that it has: of delayed sums in the study
    `attention`."""
    rate_seeds: Count = NOT_GIVEN
    """Number of seeds at rates that are not a network's own, if not all."""
    networks: Annotated[dict[str, TrainedNetwork], Field(min_length=1)]
    """Architecture id → how it is trained; beside that, settings in place of those that it has in `architectures`."""


class RecipeNetwork(OpenSection):
    """Training of a network by a recipe, as in the experiment."""

    optimizer: str
    """Optimiser id."""
    delays: Distinct[Count] = NOT_GIVEN
    """Delays that replace the recipe's."""
    single_seed_delays: Distinct[Count] = NOT_GIVEN
    """Further delays, at which the first of `seeds` alone is trained."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds` that replaces the recipe's."""
    task: dict[str, Any] = NOT_GIVEN
    """Settings that override the recipe's."""
    training: dict[str, Any] = NOT_GIVEN
    """Settings that override the recipe's."""


class Recipe(Section):
    """A further training of networks of an experiment."""

    task: dict[str, Any] = NOT_GIVEN
    """Settings that override the experiment's `task`."""
    training: dict[str, Any] = NOT_GIVEN
    """Settings that override the experiment's `training`."""
    delays: Distinct[Count]
    """`task.delay`."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds`, from the first on, if not all."""
    networks: Annotated[dict[str, RecipeNetwork], Field(min_length=1)]
    """Architecture id → how it is trained, as in the experiment."""
