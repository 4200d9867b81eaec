"""Answers of networks that are trained on pixels and characters (Kerg et al. 2020, Sec. 5.2 and Table 3)."""

from collections import Counter
from pathlib import PurePath

import numpy as np
import pandas as pd
from jaxtyping import Int64

from learnability.cells import Parameters
from learnability.networks.accuracy import measure_answers
from learnability.networks.network import Network
from learnability.tasks import Characters, Pixels, Sequences


def measure_classes(
    network: Network,
    parameters: Parameters,
    task: Pixels | Characters,
    *,
    training_sequences: int,
    test_sequences: int,
    truncation: int,
) -> pd.DataFrame:
    """Answers on test sequences, beside answers without input.

    Args:
        parameters: float64; taken in float32, in which they were trained.
        training_sequences: of which the commonest class is found.
        truncation: as in training, see `learnability.networks.network.hidden_units`.

    Returns:
        One row: `bits`, the cross-entropy of an answer in bits, and `accuracy`; `baseline_bits`, of the task's
        `baseline`; `majority`, the share that the commonest class of training has, and `chance`, that of a guess;
        `data`, the task's source, a file by its name, and `steps` of a sequence.
    """
    single = {name: tensor.float() for name, tensor in parameters.items()}
    training, test = task.generate("training", training_sequences), task.generate("diagnostic", test_sequences)
    answers = measure_answers(network, single, test, truncation)
    ((commonest, _),) = Counter(_answers(training).tolist()).most_common(1)
    row = {
        "accuracy": answers.accuracy,
        "bits": answers.loss / np.log(2),
        "baseline_bits": task.baseline / np.log(2),
        "majority": (_answers(test) == commonest).mean(),
        "chance": 1 / task.outputs,
        "data": PurePath(task.source).name,
        "steps": task.duration,
    }
    return pd.DataFrame([row])


def _answers(sequences: Sequences) -> Int64[np.ndarray, "answer"]:
    """Classes of the targets that count."""
    return sequences.targets.ravel() if sequences.mask is None else sequences.targets[sequences.mask]
