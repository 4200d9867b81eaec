"""Networks for tests of exhibits: trained for a few epochs on a few short sequences, or not at all."""

from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import choose_engine, extras
from studies.gated.exhibit import Trained

SUM = {"name": "delayed_sum", "input_size": 2, "duration": 16, "lags": [2, 5], "coefficients": [0.6, 0.5]}
TASK = SUM | {"noise_sd": 0.1, "training_sequences": 12, "validation_sequences": 6}
DENOISE = {
    "name": "denoise",
    "delay": 6,
    "symbols": 2,
    "alphabet": 2,
    "training_sequences": 12,
    "validation_sequences": 6,
}
TRAINING = {"epochs": 2, "batch_size": 6, "gradient_clip": 1.0, "loss_reduction": "mean", "truncation": 0}
ADAM = {"method": "adam", "learning_rate": 0.01}
ROOT_SEED = 3


def learner(folder, experiment, architecture, settings, seed=0, task=TASK, units=4, **training):
    """A `Trained`, as the workflow would give it."""
    options_of_training = TRAINING | training
    source = build_task(task, ROOT_SEED, seed)
    network = Network.for_task(settings, source, units, readout_bias=False)
    data = (source.generate(split, task[f"{split}_sequences"]) for split in ("training", "validation"))
    needs = extras(network, options_of_training["truncation"], False)
    options = TrainingSettings(choose_engine("auto", "cpu", network, needs)[0], **options_of_training)
    run = Run(architecture, ADAM, ROOT_SEED, seed, *data)
    (result,) = train(network, options, [run], folder / f"{experiment}_{architecture}_{seed}.pt")
    record = {"architecture_settings": settings, "task": task, "network": {}, "training": options_of_training}
    record["optimizer_settings"] = ADAM
    parameters = {name: value.double() for name, value in result.parameters.items()}
    return Trained(experiment, architecture, seed, network, parameters, source, result.curve, record)
