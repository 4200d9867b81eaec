"""Settings of Sec. 8.1."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from learnability.tasks import build_task
from studies.gated.checks import Values
from studies.settings.refusals import within
from studies.settings.sections import INCREASING, Count, Distinct, Filled, NotNegative, Positive, Section, SomeDistinct


class Task(Section):
    """A delayed sum, that a GRU predicts."""

    input_size: Count
    """D, numbers in an input."""
    duration: Annotated[int, Field(ge=2)]
    """T, steps in a sequence."""
    lags: SomeDistinct[Count]
    """ℓ, steps, below the duration."""
    coefficients: Filled[float]
    """A coefficient for each lag."""
    noise_sd: NotNegative
    """Standard deviation of the noise of targets."""


class Settings(Section):
    """Sec. 8.1: noise of the gradients of mini-batches, and the losses that training reaches, over the batch size."""

    task: Task
    """A delayed sum, that a GRU predicts."""
    hidden_size: Count
    """H of the GRU."""
    sequences: Annotated[int, Field(ge=2)]
    """Sequences for training, and as many for validation."""
    batch_sizes: Annotated[Distinct[Count], INCREASING, Field(min_length=3)]
    """B, increasing, divisors of the sequences, the last all of them."""
    draws: Annotated[int, Field(ge=10)]
    """Batches of each size by which the variance is measured."""
    learning_rates: Annotated[Distinct[Positive], Field(min_length=3)]
    """Learning rates of Adam, of which the one with the lowest validation loss counts, for each batch size."""
    epochs: Count
    """Passes over the sequences, after which losses are compared."""
    updates: Count
    """Updates after which losses are compared, a whole number of epochs of each batch size."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    sizes, count, updates = settings["batch_sizes"], settings["sequences"], settings["updates"]
    fits = all(count % size == 0 for size in sizes) and sizes[-1] == count
    require(fits, f"{key}.batch_sizes", f"divisors of the {count} sequences, all of them last", sizes)
    fits = all(updates * size % count == 0 for size in sizes)
    require(fits, f"{key}.updates", f"a multiple of {count // min(sizes)}, those of an epoch at most", updates)
    with within(key):
        build_task({"name": "delayed_sum", **settings["task"]}, config["root_seed"], 0)
