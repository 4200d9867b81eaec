"""Training by BPTT: engines compute gradients, the loop drives optimisers, checkpoints make it resumable."""

from learnability.training.checkpoint import Checkpoint
from learnability.training.loop import TrainingDiverged, train
from learnability.training.member import Trained, log_spaced_epochs
from learnability.training.milestones import updates_until
from learnability.training.one import train_run
from learnability.training.progress import Progress
from learnability.training.settings import Run, TrainingSettings
from learnability.training.termination import Terminated

__all__ = [
    "Checkpoint",
    "Progress",
    "Run",
    "Terminated",
    "Trained",
    "TrainingDiverged",
    "TrainingSettings",
    "log_spaced_epochs",
    "train",
    "train_run",
    "updates_until",
]
