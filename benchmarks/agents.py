"""An agent learns to open a door by a key (MiniGrid-DoorKey-5x5); print its learning curve, and frames per second.

    PYTHONPATH=src python benchmarks/agents.py [--cell lstm] [--environment DoorKey-5x5] [--frames 80000] [--units 64]

`rl-starter-files` (github.com/lcswillems/rl-starter-files), whose defaults the settings are, open with an example that
trains on this environment for 80,000 frames. Seconds are those of the processor, on one thread.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from learnability.reinforcement.agent import Agent
from learnability.reinforcement.grids import Grid
from learnability.reinforcement.settings import PPOSettings
from learnability.reinforcement.training import train_agent

CELLS: dict[str, dict[str, Any]] = {
    "lstm": {"cell": "lstm", "gate_init": 0.5},
    "mem_lstm": {"cell": "mem_lstm", "gate_init": 0.5, "mix": "mean"},
    "rel_lstm": {"cell": "rel_lstm", "gate_init": 0.5, "mix": "mean", "short_term": 5, "relevant": 5},
}


def main() -> None:
    """Train, a line each rollout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cell", choices=CELLS, default="lstm")
    parser.add_argument("--environment", default="DoorKey-5x5")
    parser.add_argument("--frames", type=int, default=80_000)
    parser.add_argument("--units", type=int, default=64)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    settings = PPOSettings()
    environments = [Grid(arguments.environment) for _ in range(settings.environments)]
    agent = Agent.build(CELLS[arguments.cell], environments[0], arguments.units)
    adam = {"method": "adam", "learning_rate": 0.001}
    began = time.process_time()

    def tell(row: dict[str, float]) -> None:
        rate = row["frames"] / (time.process_time() - began)
        print(
            "{frames} frames: {episodes} episodes, return {return:.2f}, success {success:.2f}; ".format(**row)
            + f"{rate:.0f} frames per second",
            flush=True,
        )

    with TemporaryDirectory() as folder:
        train_agent(agent, environments, adam, settings, arguments.frames, 1, 0, Path(folder) / "run.pt", tell)


if __name__ == "__main__":
    main()
