"""Training by BPTT: engines compute gradients, the loop drives an optimiser, checkpoints make it resumable."""

from learnability.training.loop import (
    Trained,
    TrainingDiverged,
    TrainingSettings,
    log_spaced_epochs,
    train,
)

__all__ = ["Trained", "TrainingDiverged", "TrainingSettings", "log_spaced_epochs", "train"]
