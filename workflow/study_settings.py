"""What each study asks of the configuration, beside what all of them do."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from configuration import check_run, known
from learnability.core.errors import InputError, require
from learnability.reinforcement.settings import PPOSettings
from learnability.tasks import build_task
from registered import CELLS, SOURCE, cells_that_assign, references, settings_of
from runs import SIZES, Run, all_reservoirs, all_runs, check_unique, experiments_of, on_cart_pole
from studies.comparison.section import check_sizes
from studies.comparison.settings import check_comparison
from studies.gated.checks import check_exhibits


def check_study(config: Mapping[str, Any], rules: Path) -> None:
    """Raise `InputError` unless the study has rules, and what they need."""
    known("study", config["study"], sorted(path.parent.name for path in rules.glob("*/study.smk")))
    own = {
        "ground_truth": _check_ground_truth,
        "attention": _check_attention,
        "gated": _check_gated,
        "comparison": _check_comparison,
    }
    if config["study"] in own:
        require(config["study"] in config, config["study"], "given for the study of that name", None)
        own[config["study"]](config)
    for run in all_runs(config):
        _check_optimizer(run)
    check_unique(config)


def _check_optimizer(run: Mapping[str, Any]) -> None:
    """Raise `InputError` for a rate of what a cell has not."""
    cell, key = run["architecture_settings"]["cell"], f"optimizers.{run['optimizer']}.orthogonal_learning_rate"
    rate = run["optimizer_settings"].get("orthogonal_learning_rate")
    if rate is not None and ":" not in cell:
        orthogonal = cells_that_assign("ORTHOGONAL")
        with_one = f"of cells, {' and '.join(orthogonal)} keep a matrix orthogonal"
        require(cell in orthogonal, key, f"left out for {run['architecture']}: {with_one}", rate)


def _check_attention(config: Mapping[str, Any]) -> None:
    asked = config["attention"]
    for name in asked["architectures"]:
        known("attention.architectures", name, list(config["architectures"]))
    delays = asked["costs"]["delays"]
    require(delays == sorted(delays), "attention.costs.delays", "increasing", delays)
    _check_experiments(config)
    for name in ("copy", "denoise"):
        require(
            name in asked["experiments"], f"attention.experiments.{name}", "given; without delays it is left out", None
        )
    for name, experiment in asked["experiments"].items():
        answers = experiment["task"]["name"] != "delayed_sum"
        key, given = f"attention.experiments.{name}.test_sequences", experiment.get("test_sequences")
        require(given is not None or not answers, key, "given, for its networks answer after training", given)
    _check_games(config)


def _check_gated(config: Mapping[str, Any]) -> None:
    _check_experiments(config)
    asked, key = config["gated"]["reservoirs"], "gated.reservoirs"
    known(f"{key}.experiment", asked["experiment"], list(experiments_of(config)))
    own = experiments_of(config)[asked["experiment"]]
    require("delays" not in own, f"{key}.experiment", "one without delays", asked["experiment"])
    for name in asked["networks"]:
        require(name not in config["architectures"], f"{key}.networks", "other names than of architectures", name)
        for table in ("colours", "labels"):
            require(name in config["figures"][table], f"figures.{table}.{name}", "given", None)
    for run in all_reservoirs(config):
        task: Any = build_task(run["task"], config["root_seed"], run["seed"])
        duration, washout = task.duration, asked["washout"]
        require(washout < duration, f"{key}.washout", f"below the duration ({duration})", washout)
    check_exhibits(config)


def _check_experiments(config: Mapping[str, Any]) -> None:
    study = config["study"]
    for name, experiment in experiments_of(config).items():
        key = f"{study}.experiments.{name}"
        delays, windows = experiment.get("delays", []), experiment.get("windows", {})
        for architecture, network in experiment["networks"].items():
            known(f"{key}.networks", architecture, list(config["architectures"]))
            known(f"{key}.networks.{architecture}.optimizer", network["optimizer"], list(config["optimizers"]))
            given = network.get("delays", [])
            require(set(given) <= set(delays), f"{key}.networks.{architecture}.delays", f"some of {delays}", given)
        networks = list(experiment["networks"])
        for kind, some in (("networks", networks), ("delays", delays)):
            given = list(windows.get(kind, []))
            require(set(given) <= set(some), f"{key}.windows.{kind}", f"some of {some}", given)
        _check_further(config, experiment, f"{key}.further")
        _check_learning_rates(config, experiment, f"{key}.learning_rates")
    _check_recipes(config)
    checked: list[dict[str, Any]] = []
    for run in all_runs(config):
        names = ("architecture", "architecture_settings", "task", "network", "training", "windows")
        settings = {name: run[name] for name in names}
        if settings in checked:  # seeds and rates multiply runs, not what is checked
            continue
        checked.append(settings)
        own = {"architectures": {run["architecture"]: run["architecture_settings"]}}
        try:
            given = {"task": config["task"] | run["task"], **{key: run[key] for key in ("network", "training")}}
            check_run({"root_seed": config["root_seed"], **own, **given})
            _check_windows(run, build_task(run["task"], config["root_seed"], run["seed"]))
        except InputError as error:
            raise InputError(f"{study}.experiments.{run['experiment']}: {error}") from error


def _check_recipes(config: Mapping[str, Any]) -> None:
    study = config["study"]
    for recipe, parts in config[study].get("recipes", {}).items():
        for name, part in parts.items():
            key = f"{study}.recipes.{recipe}.{name}"
            known(f"{study}.recipes.{recipe}", name, list(experiments_of(config)))
            experiment = experiments_of(config)[name]
            require("delays" in experiment, f"{study}.recipes.{recipe}", "of experiments with delays", name)
            for architecture, network in part["networks"].items():
                known(f"{key}.networks", architecture, list(experiment["networks"]))
                known(f"{key}.networks.{architecture}.optimizer", network["optimizer"], list(config["optimizers"]))


def _check_further(config: Mapping[str, Any], experiment: Mapping[str, Any], key: str) -> None:
    delays, of_all = experiment.get("delays", []), {**config["training"], **experiment["training"]}["epochs"]
    trained = {(name, "", 0): set(own.get("delays", delays)) for name, own in experiment["networks"].items()}
    for place, part in enumerate(experiment.get("further", [])):
        epochs, sizes, of_part = part.get("epochs", 0), part.get("sizes", False), f"{key}.{place}"
        require(not epochs or epochs > of_all, f"{of_part}.epochs", f"more than training.epochs ({of_all})", epochs)
        require(not (epochs and sizes), of_part, "given epochs or sizes, not both", sorted(part))
        here = not sizes or config["study"] == "attention"
        require(here, f"{of_part}.sizes", "left out but in the study 'attention'", config["study"])
        for name in part["networks"]:
            known(f"{of_part}.networks", name, list(experiment["networks"]))
            if sizes:
                cells = references(SOURCE, CELLS)
                screening = [cell for cell in cells if settings_of(CELLS, cell).keys() >= set(SIZES)]
                screens = config["architectures"][name]["cell"] in screening
                require(screens, f"{of_part}.networks", f"of cells with screening, {' and '.join(screening)}", name)
            before = trained.setdefault((name, "sizes" if sizes else "", epochs), set())
            requirement = f"none at which '{name}' is trained already ({sorted(before)})"
            require(before.isdisjoint(part["delays"]), f"{of_part}.delays", requirement, part["delays"])
            before.update(part["delays"])


def _check_learning_rates(config: Mapping[str, Any], experiment: Mapping[str, Any], key: str) -> None:
    task = experiment["task"]["name"]
    if "learning_rates" in experiment:
        shown = config["study"] == "gated" or task == "delayed_sum"
        require(shown, key, "left out but for delayed sums in the study 'attention'", f"{task} in '{config['study']}'")


def _check_games(config: Mapping[str, Any]) -> None:
    games, key = config["attention"]["games"], "attention.games"
    for architecture, network in games["networks"].items():
        known(f"{key}.networks", architecture, list(config["architectures"]))
        for environment in network.get("environments", []):
            known(f"{key}.networks.{architecture}.environments", environment, games["environments"])
        own = {name: value for name, value in network.items() if name != "environments"}
        changed = {architecture: config["architectures"][architecture] | own}
        try:
            check_run({**config, "architectures": changed})
        except InputError as error:
            raise InputError(f"{key}.networks.{architecture}: {error}") from error
    for architecture in games["cart_pole"]["networks"]:
        known(f"{key}.cart_pole.networks", architecture, list(games["networks"]))
    for of_games, own in ((key, games), (f"{key}.cart_pole", on_cart_pole(games))):
        known(f"{of_games}.optimizer", own["optimizer"], list(config["optimizers"]))
        try:
            rollout = PPOSettings(**own["ppo"]).frames
        except InputError as error:
            raise InputError(f"{of_games}.ppo: {error}") from error
        requirement = f"at least those of a rollout, ppo.environments × ppo.steps ({rollout})"
        require(own["frames"] >= rollout, f"{of_games}.frames", requirement, own["frames"])


def _check_windows(run: Run, task: Any) -> None:
    if run["windows"]:
        lags = run["windows"]["lags"]
        within = lags == sorted(lags) and lags[-1] < task.duration
        require(within, "windows.lags", f"increasing and below the duration ({task.duration})", lags)
        shared = f"such that one is of the task ({list(task.dependencies)})"
        require(not set(lags).isdisjoint(task.dependencies), "windows.lags", shared, lags)


def _check_comparison(config: Mapping[str, Any]) -> None:
    for name, task in config["comparison"]["tasks"].items():
        given = {key: value for key, value in task.items() if key != "test_sequences"}
        own = {"task": {**config["task"], **given}, "training": {**config["training"], "batch_size": 1}}
        try:
            check_run({**config, **own})
        except InputError as error:
            raise InputError(f"comparison.tasks.{name}: {error}") from error
    check_comparison(config)
    check_sizes(config["comparison"])


def _check_ground_truth(config: Mapping[str, Any]) -> None:
    asked = config["ground_truth"]
    known("ground_truth.optimizer", asked["optimizer"], list(config["optimizers"]))
    for name in asked["contest"]:
        known("ground_truth.contest", name, list(asked["grids"]))
        own = asked["grids"][name].get("sample_sizes", asked["sample_sizes"])
        requirement = "those of ground_truth.sample_sizes in a grid of the contest"
        require(own == asked["sample_sizes"], f"ground_truth.grids.{name}.sample_sizes", requirement, own)
        fewer = asked["grids"][name].get("fewer_seeds")
        require(fewer is None, f"ground_truth.grids.{name}.fewer_seeds", "left out in a grid of the contest", fewer)
    device, requirement = config["training"]["device"], "cpu in the study ground_truth, whose trials are many and short"
    require(device == "cpu", "training.device", requirement, device)
    for key, given in {"": asked, **{f".grids.{name}": grid for name, grid in asked["grids"].items()}}.items():
        for architecture in given.get("architectures", []):
            known(f"ground_truth{key}.architectures", architecture, list(config["architectures"]))
        sizes = given.get("sample_sizes", [])
        require(sizes == sorted(sizes), f"ground_truth{key}.sample_sizes", "increasing", sizes)
    for name, grid in asked["grids"].items():
        lags, duration = grid["lags"], grid.get("duration", config["task"]["duration"])
        inside = lags == sorted(lags) and lags[-1] < duration
        require(inside, f"ground_truth.grids.{name}.lags", f"increasing and below the duration ({duration})", lags)
        both = {"hidden_size", "parameters"} <= set(grid)
        require(not both, f"ground_truth.grids.{name}", "given hidden_size or parameters, not both", sorted(grid))
        given = grid.get("coefficients", [asked["coefficient"]] * len(lags))
        require(0 not in given, f"ground_truth.grids.{name}.coefficients", "other than 0", given)
        require(len(given) == len(lags), f"ground_truth.grids.{name}.coefficients", f"{len(lags)} values", given)
