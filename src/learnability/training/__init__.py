"""Training by BPTT: engines compute gradients, the loop drives an optimiser, checkpoints make it resumable."""

from learnability.training.loop import (
    Trained,
    TrainingDiverged,
    TrainingSettings,
    log_spaced_epochs,
    train,
)
from learnability.training.progress import Progress

__all__ = ["Progress", "Trained", "TrainingDiverged", "TrainingSettings", "log_spaced_epochs", "train"]
