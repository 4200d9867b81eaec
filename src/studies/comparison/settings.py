"""What all cells have in common, and what a configuration of the study must hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from learnability.core.errors import require, require_one_of
from learnability.windows.readings import whole_readings


@dataclass(frozen=True)
class Race:
    """What all cells have in common.

    Args:
        parameters: of the largest network of a cell that has no more.
        rates: learning rates that are tried, increasing.
        tried: seeds of each rate, from 0 on.
        seeds: those behind them, of the rate that is best.
        updates: of every training; scores are taken after half of them, too.
        batch_size: sequences of an update.
        gradient_clip: largest global L2 norm of the gradient.
        optimizer: its method and arguments, but for the rate.
        measured: sequences on which gradients and memory are measured.
    """

    parameters: int
    rates: Sequence[float]
    tried: int
    seeds: int
    updates: int
    batch_size: int
    gradient_clip: float
    optimizer: Mapping[str, Any]
    measured: int

    @property
    def looks(self) -> list[int]:
        """Numbers of updates after which a network is looked at."""
        return [0, self.updates // 2, self.updates]


def check_comparison(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting, beside the schema, with which cells cannot be compared."""
    asked, key = config["comparison"], "comparison"
    named = [name for members in asked["families"].values() for name in members]
    for name in named:
        require_one_of(f"{key}.families", name, config["architectures"])
        require(named.count(name) == 1, f"{key}.families", f"such that '{name}' is in one of them", named.count(name))
        for table in ("colours", "labels"):
            require(name in config["figures"][table], f"figures.{table}.{name}", "given", None)
    require(len(named) > 0, f"{key}.families", "such that one has a cell", asked["families"])
    for name in asked["contests"]:
        require_one_of(f"{key}.contests", name, asked["tasks"])
    rates = asked["race"]["rates"]
    require(rates == sorted(rates), f"{key}.race.rates", "increasing", rates)
    require_one_of(f"{key}.reading", asked["reading"], config["readings"])
    probe = whole_readings(config["readings"])[asked["reading"]]["statistic"]["probe"]
    require(probe == "own_gradient", f"{key}.reading", "one along each lag's own gradient", asked["reading"])
    device = config["training"]["device"]
    require(
        device == "cpu", "training.device", "cpu in the study comparison, whose trainings are many and short", device
    )
    for name, task in asked["tasks"].items():
        batch, held = asked["race"]["batch_size"], task["training_sequences"]
        require(batch <= held, f"{key}.race.batch_size", f"at most {held}, the training sequences of {name}", batch)
