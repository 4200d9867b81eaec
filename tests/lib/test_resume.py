"""A training killed at any moment goes on from its checkpoint and ends bit-identical to an undisturbed one."""

import random
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
RUN = """
import sys
from pathlib import Path
from learnability.network import Network
from learnability.tasks import DelayedSum
from learnability.training import TrainingSettings, loop, train
from learnability.weights import write_snapshots, write_weights

folder = Path(sys.argv[1])
loop.CHECKPOINT_SECONDS = -1
task = DelayedSum(3, 60, [4, 8], [0.8, 0.5], 0.3, study=1, seed=0)
network = Network.build({"cell": "diag_gate", "gate_init": 0.5}, 3, 16, readout_bias=False)
adamw = {"method": "adamw", "learning_rate": 0.001, "weight_decay": 0.0001}
settings = TrainingSettings("torch", 60, 8, 1.0, "mean", adamw, study=1, seed=0)
data = task.generate("training", 40), task.generate("validation", 10)
trained = train(network, settings, *data, folder / "run.pt")
write_weights(trained.parameters, folder / "weights.safetensors", {})
write_snapshots(trained.snapshots, folder / "snapshots.safetensors", {})
trained.curve.to_csv(folder / "curve.csv")
"""
ARTEFACTS = ("weights.safetensors", "snapshots.safetensors", "curve.csv")


def start(folder: Path) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    return subprocess.Popen([sys.executable, "-c", RUN, str(folder)], env={"PYTHONPATH": str(SOURCE)})


def test_killed_runs_end_bit_identical(tmp_path: Path) -> None:
    undisturbed = start(tmp_path / "undisturbed")
    moment, killed = random.Random(0), 0
    checkpoint = tmp_path / "disturbed" / "run.pt"
    while killed < 3:
        process = start(checkpoint.parent)
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        while process.poll() is None and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before):
            time.sleep(0.002)
        time.sleep(moment.uniform(0, 0.1))
        process.kill()
        assert process.wait() == -9, "ended before it was killed: make the run longer"
        killed += 1
    assert start(checkpoint.parent).wait() == 0
    assert undisturbed.wait() == 0
    for name in ARTEFACTS:
        assert (tmp_path / "disturbed" / name).read_bytes() == (tmp_path / "undisturbed" / name).read_bytes(), name
