"""Training."""

from typing import Literal

from studies.settings.sections import NOT_GIVEN, Count, Positive, Section, Whole


class Training(Section):
    """Training of networks (Sec. 6.1)."""

    engine: Literal["auto", "native", "cuda", "torch", "autograd"]
    """Engine of the gradient: `native`, BPTT in C++, compiled at first use; `cuda`, fused kernels, for device
    `cuda`; `torch`, BPTT without a compiler; `autograd`, the slow oracle; `auto`, the fastest that can run, recorded in
    the run's provenance."""
    device: Literal["cpu", "cuda", "auto"]
    """Device of training: `cpu`, a job for each run; `cuda`, on a GPU, a job for all runs of an architecture, trained
    side by side; `auto`, such jobs on a GPU or, where none is visible, on the CPU, recorded in the run's provenance."""
    epochs: Count
    """Passes over the training sequences (Sec. 6.1: 500)."""
    batch_size: Count
    """Sequences in a mini-batch (Sec. 6.1: 64)."""
    gradient_clip: Positive
    """Largest global L2 norm of the gradient (Sec. 6.1: 1)."""
    truncation: Whole
    """Steps over which a gradient goes back, each such segment of a batch an update of its own; 0: the whole sequence,
    one update a batch, as in the paper."""
    fresh: bool = NOT_GIVEN
    """No sequence is shown twice: each epoch has `task.training_sequences` of its own; for tasks that are drawn, and
    false where it is not given."""
    keep_diverged: bool = NOT_GIVEN
    """A run that diverges ends with its last good epoch, and its provenance says so; where it is not given or false,
    training fails."""
    perfect_validations: Whole = NOT_GIVEN
    """Validations in a row without an error after which a run on a task of classes ends, and its provenance says
    after how many updates it was at 90 % and at 99 %; 0, or not given: after all epochs."""
    loss_reduction: Literal["mean", "sum"]
    """`mean` over t, or `sum` as in Eq. 1; it decides what clipping does."""
