"""Networks of the experiment `selective`, small and as after training."""

import pandas as pd

from learnability.networks.network import Network
from learnability.report.style import Style
from learnability.tasks import Denoise
from studies.gated.exhibit import Trained

ARCHITECTURES = {
    "rnn": {"cell": "rnn"},
    "identity_rnn": {"cell": "identity_rnn"},
    "forget_rnn": {"cell": "forget_rnn", "gate_init": 0.5},
    "lstm_memory": {"cell": "lstm", "gate_init": 0.5, "gates": ""},
    "lstm_input": {"cell": "lstm", "gate_init": 0.5, "gates": "i"},
    "lstm_input_forget": {"cell": "lstm", "gate_init": 0.5, "gates": "if"},
    "lstm": {"cell": "lstm", "gate_init": 0.5},
    "gru": {"cell": "gru", "gate_init": 0.5},
}
LABELS = {name: name.replace("_", " ") for name in ARCHITECTURES}
STYLE = Style(list(ARCHITECTURES), dict.fromkeys(ARCHITECTURES, "k"), LABELS, width_mm=175, font_size=7)


def network_of(architecture, seed, normal, accuracies=(0.2, 0.5, 0.4), losses=(0.3, 0.1, 0.2), rate=0.01):
    """A network with random parameters and such a curve."""
    task = Denoise(6, 1, seed, symbols=2, alphabet=3)
    network = Network.for_task(ARCHITECTURES[architecture], task, 5, True)
    initial = network.initial_parameters(1, seed)
    parameters = {name: value + 0.5 * normal(*value.shape) for name, value in initial.items()}
    rows = {"epoch": range(len(losses)), "validation_loss": losses, "validation_accuracy": accuracies}
    settings = {"task": {"training_sequences": 25}, "training": {"batch_size": 10}}
    settings |= {"optimizer_settings": {"method": "adam", "learning_rate": rate}}
    return Trained("selective", architecture, seed, network, parameters, task, pd.DataFrame(rows), settings)
