"""The task."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import (
    NOT_GIVEN,
    Count,
    Filled,
    NameOrClass,
    NotNegative,
    OpenSection,
    Positive,
    Share,
    SomeDistinct,
    Whole,
)


class Task(OpenSection):
    """The task (Eq. 44, Sec. 6.1). Another task takes its own fields; settings of `delayed_sum` may stay."""

    name: NameOrClass
    """`delayed_sum`, `copy`, `denoise`, `recall`, `count`, `pixels`, `characters`, `forecast`, or a class of your own
    as `package.module:Name`."""
    input_size: Count
    """D, inputs at each step (Sec. 6.1: 16)."""
    duration: Annotated[int, Field(ge=2)]
    """T, steps in a sequence (Sec. 6.1: 1024); of `pixels`, steps of an image; of `copy` and `denoise` it follows from
    `delay`."""
    lags: SomeDistinct[Count]
    """ℓ_k, steps, each below `duration` (Sec. 6.1: 32 … 512)."""
    coefficients: Filled[float]
    """c_k, one for each lag (Sec. 6.1: 0.6 … 0.2)."""
    noise_sd: NotNegative
    """Standard deviation of ε_t (Sec. 6.1: 0.3)."""
    input_density: Share = NOT_GIVEN
    """Share of t with an input, larger where it is small so that the variance stays 1; not in the paper, and 1 where it
    is not given."""
    step: Positive = NOT_GIVEN
    """`lorenz`: of time between two values, 0.02 where it is not given."""
    delay: Count = NOT_GIVEN
    """`copy` and `denoise`: T, steps from the first symbol to its repetition, less `symbols`. `mackey_glass`: its τ, 17
    where it is not given."""
    symbols: Count = NOT_GIVEN
    """`copy` and `denoise`: how many are to be named again; 10 where it is not given."""
    alphabet: Annotated[int, Field(ge=2)] = NOT_GIVEN
    """`copy` and `denoise`: how many symbols there are to choose from; 8 where it is not given."""
    unused: Whole = NOT_GIVEN
    """`copy` and `denoise`: further inputs and classes that never occur, as one of each in the authors' code of
    `denoise`; 0 where it is not given."""
    pairs: Count = NOT_GIVEN
    """`recall`: how many pairs of a key and a value are shown."""
    keys: Count = NOT_GIVEN
    """`recall`: how many keys there are to choose from, at least `pairs`."""
    values: Annotated[int, Field(ge=2)] = NOT_GIVEN
    """`recall`: how many values."""
    most: Count = NOT_GIVEN
    """`count`: how many marks there are at most behind the reset, and before it."""
    is_reset: bool = NOT_GIVEN
    """`count`: whether there is a reset; true where it is not given."""
    horizon: Count = NOT_GIVEN
    """`forecast`: steps from an input to the value that it is to predict; 1 where it is not given."""
    source: str = NOT_GIVEN
    """`pixels`: `digits` (8×8, the default), or the path or URL of an .npz file as of MNIST; `characters`: `topics`
    (help texts of Python, the default), or the path or URL of a text; `forecast`: `heart` (an electrocardiogram at 60
    Hz, the default), or the path or URL of an .npz file of `training`, `validation` and `diagnostic` segments."""
    sha256: str = NOT_GIVEN
    """SHA-256 of that file; what a URL gives is kept in `~/.cache/learnability`."""
    shares: Annotated[list[float], Field(min_length=3)] = NOT_GIVEN
    """`pixels` and `characters`: of what is read, in order, for training, validation and diagnostic sequences; 5/7,
    1/7, 1/7 and 0.9, 0.05, 0.05 where it is not given."""
    spaced: bool = NOT_GIVEN
    """`characters`: whether blanks stand between characters and mean nothing, as in the Penn Treebank by character;
    false where it is not given."""
    training_sequences: Count
    """Sequences of an epoch (Sec. 6.1: 6000)."""
    validation_sequences: Count
    """Sequences of the validation loss; not in the paper."""
    diagnostic_sequences: Annotated[int, Field(ge=20)]
    """Fresh sequences behind every measurement (Sec. 6.1: 3000)."""
