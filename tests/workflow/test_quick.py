"""Presets for a quick look are small: a setting that a study gains at its own scale must be made smaller there, too."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from learnability.tasks import build_task
from presets import files_below, shipped_presets
from studies.settings.refusals import leaves
from studies.settings.runs import all_agents, all_runs

from .conftest import ROOT, merged

QUICK = {of: path for of, path in shipped_presets(ROOT).items() if "quick" in of[1]}
DRAWS, FRAMES, LONGEST_DELAY = 200, 2048, 40


class Limits(NamedTuple):
    """Most steps through which updates go back, of one network and of all."""

    of_one: int
    of_all: int


LIMITS = {
    "attention": Limits(2_500, 90_000),
    "comparison": Limits(8_000, 250_000),
    "gated": Limits(16_000, 200_000),
    "learnability_window": Limits(160_000, 3_000_000),
}


def configured(path: Path) -> dict[str, Any]:
    """The settings of a preset, with those that it leaves as they are."""
    preset = yaml.safe_load(path.read_text())
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    for file in files_below(ROOT, preset, []):
        config = merged(config, yaml.safe_load(Path(file).read_text()))
    return config


def steps_of_trainings(config: dict[str, Any]) -> dict[str, int]:
    """Updates times steps of a sequence, of each network."""

    def duration(task: dict[str, Any]) -> int:
        return build_task(task, config["root_seed"], 0).duration

    if config["study"] == "comparison":
        study = config["comparison"]
        cells = [cell for family in study["families"].values() for cell in family]
        return {
            f"{task}/{cell}": study["race"]["updates"] * duration(study["tasks"][task])
            for task in study["contests"]
            for cell in cells
        }
    steps = {}
    for run in all_runs(config):
        training = config["training"] | run["training"]
        updates = training["epochs"] * -(-run["task"]["training_sequences"] // training["batch_size"])
        name = "/".join(str(run[part]) for part in ("experiment", "architecture", "optimizer", "seed") if part in run)
        steps[name] = updates * duration(run["task"])
    return steps


@pytest.mark.parametrize("preset", QUICK, ids="/".join)
def test_networks_are_trained_for_few_steps(preset: tuple[str, str]) -> None:
    steps, limits = steps_of_trainings(configured(QUICK[preset])), LIMITS[preset[0]]
    assert steps and {name: count for name, count in steps.items() if count > limits.of_one} == {}
    assert sum(steps.values()) <= limits.of_all


@pytest.mark.parametrize("preset", QUICK, ids="/".join)
def test_draws_and_frames_of_agents_are_few(preset: tuple[str, str]) -> None:
    config = configured(QUICK[preset])
    assert config["window"]["draws"] <= DRAWS
    assert [agent["game"] for agent in all_agents(config) if agent["settings"]["frames"] > FRAMES] == []


def test_attention_is_measured_at_short_delays() -> None:
    settings = dict(leaves(configured(QUICK["attention", "quick"])["attention"]))
    delays = {key: value for key, value in settings.items() if key.endswith(("transfer", ".delay", ".delays"))}
    longest = {key: max(value, default=0) if isinstance(value, list) else value for key, value in delays.items()}
    assert longest and {key: delay for key, delay in longest.items() if delay > LONGEST_DELAY} == {}
