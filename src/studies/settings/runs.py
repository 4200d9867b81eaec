"""Networks that a configuration names, and a check that stored ones were trained with its settings."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from learnability.core.errors import InputError, in_one_line, require
from learnability.core.store import read_json
from studies.settings.refusals import leaves

Run = dict[str, Any]
"""`architecture`, `optimizer` and `seed`, in an experiment `experiment`; `architecture_settings` and
`optimizer_settings`; `task`, `network` and `training`; in an
experiment also `windows`, what is measured at its stored epochs, if anything is."""
AT_RATE, AT_EPOCHS, BY_RECIPE = "_rate_", "_epochs_", "_by_"
"""Words between the name of an experiment and a further learning rate of its networks, the epochs of a longer training,
or the recipe by which they are trained, if it is not that of the experiment."""
SIZES = ("relevant", "short_term")
"""ρ and ν, settings of cells with screening."""
NOT_OF_CELLS = ("optimizer", "delays", "single_seed_delays", "fewer_seeds", "transfer", "task", "training")
"""Settings of a network in an experiment that are not its cell's."""
AGENT = "games/{game}/{architecture}/seed{seed}"
"""Folder of an agent, as a pattern of its names."""
CART_POLE = "CartPole"
"""The game of `attention.games.cart_pole`, beside those of MiniGrid."""


def has_experiments(config: Mapping[str, Any]) -> bool:
    """True if the study's networks are named by its experiments, False if by `runs`."""
    return "experiments" in config.get(config["study"], {})


def experiments_of(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Experiments of a study that has them."""
    experiments: Mapping[str, Any] = config[config["study"]]["experiments"]
    return experiments


def run_folder(config: Mapping[str, Any]) -> str:
    """Folder of a run among models and measurements, as a pattern of its names."""
    of_experiment, of_optimizer = "{experiment}/{architecture}/seed{seed}", "{architecture}/{optimizer}/seed{seed}"
    return of_experiment if has_experiments(config) else of_optimizer


def all_runs(config: Mapping[str, Any]) -> list[Run]:
    """Trained networks in the order of the configuration."""
    if has_experiments(config):
        return [*_experiment_runs(config), *_recipe_runs(config)]
    return list(_optimizer_runs(config))


def tasks_of(config: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Settings of all tasks that networks of the study are trained on or measured at."""
    of_study = config.get(config["study"], {}).get("tasks", {})
    return [config["task"], *of_study.values(), *(run["task"] for run in [*all_runs(config), *all_reservoirs(config)])]


def all_reservoirs(config: Mapping[str, Any]) -> list[Run]:
    """Reservoirs whose readout is fitted, as runs of their experiment; `reservoir` has the settings of their draw."""
    reservoirs = config.get(config["study"], {}).get("reservoirs", {"networks": {}})
    runs = []
    for name, settings in reservoirs["networks"].items():
        experiment = experiments_of(config)[reservoirs["experiment"]]
        common = {
            "architecture_settings": {"cell": "const_gate", "gate_value": settings["leak"]},
            "network": {"hidden_size": settings["units"], "readout_bias": True},
            "training": _experiment_settings(config, experiment, "training"),
            "task": experiment["task"],
            "windows": _windows(experiment, name, None),
            "reservoir": settings | {key: reservoirs[key] for key in ("washout", "penalties")},
        }
        for seed in config["seeds"][: experiment.get("fewer_seeds")]:
            runs.append({"experiment": reservoirs["experiment"], "architecture": name, "seed": seed, **common})
    return runs


def all_agents(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Trained agents of `attention.games`: `game`, `architecture`, `seed` and `settings`."""
    if config["study"] != "attention":
        return []
    games = config["attention"]["games"]
    return [*_agents(config, games), *_agents(config, on_cart_pole(games))]


def on_cart_pole(games: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of `attention.games.cart_pole`, with those of `games` where it has none."""
    cart_pole = games["cart_pole"]
    networks = {name: games["networks"][name] | {"environments": [CART_POLE]} for name in cart_pole["networks"]}
    return {**games, **cart_pole, "networks": networks, "ppo": games["ppo"] | cart_pole.get("ppo", {})}


def _agents(config: Mapping[str, Any], games: Mapping[str, Any]) -> list[dict[str, Any]]:
    common = {
        key: games[key] for key in ("units", "head_units", "ppo", "frames", "episodes", "mission") if key in games
    }
    common |= {"optimizer": config["optimizers"][games["optimizer"]], "root_seed": config["root_seed"]}
    agents = []
    for architecture, network in games["networks"].items():
        cell_settings = {key: value for key, value in network.items() if key != "environments"}
        settings = common | {"architecture": config["architectures"][architecture] | cell_settings}
        for game in network.get("environments", games["environments"]):
            for seed in config["seeds"][: games.get("fewer_seeds")]:
                agents.append({"game": game, "architecture": architecture, "seed": seed, "settings": settings})
    return agents


def job_name(run: Mapping[str, Any]) -> str:
    """The name of the job that trains all runs of an architecture, in an experiment, on a GPU."""
    return "_".join(run[part] for part in ("experiment", "architecture") if part in run)


def check_unique(config: Mapping[str, Any]) -> None:
    """Raise `InputError` if two runs, reservoirs or agents would share a folder, or an experiment's runs a name.

    The second of two such runs would silently not be trained. Learning rates are told apart by their first six digits,
    as in names of folders.
    """
    runs = [*all_runs(config), *all_reservoirs(config)]
    key, names = "runs", [name for members in config["runs"].values() for name in members]
    if has_experiments(config):
        key, names = f"{config['study']}.experiments", sorted(experiments_of(config))
    folders = [run_folder(config).format(**run) for run in runs]
    folders += [AGENT.format(**agent) for agent in all_agents(config)]
    for folder, count in Counter(folders).items():
        requirement = f"such that each run has a folder of its own: '{folder}' is that of {count}"
        require(count == 1, key, requirement, names)
    if has_experiments(config):
        _check_names_of_experiments(config)
    if config["training"]["device"] != "cpu":
        parts = {tuple(run.get(part) for part in ("experiment", "architecture")): job_name(run) for run in runs}
        for name, count in Counter(parts.values()).items():
            requirement = f"named such that no two are '{name}' where they are joined, as on a GPU"
            require(count == 1, key, requirement, names)


def _check_names_of_experiments(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for an experiment whose runs, by their names, could be those of another."""
    study, experiments = config["study"], experiments_of(config)
    for name, experiment in experiments.items():
        key = f"{study}.experiments.{name}"
        require(AT_RATE not in name, key, f"named without '{AT_RATE}', which stands before a learning rate", name)
        alone = {**config, study: {**config[study], "experiments": {name: experiment}}}
        for run in _experiment_runs(alone):
            owner = experiment_named(run["experiment"], experiments)
            requirement = f"named such that its run '{run['experiment']}' is not taken for one of '{owner}'"
            require(owner == name, key, requirement, name)


def experiment_named(run: str, experiments: Iterable[str]) -> str:
    """The experiment of a run's name, behind which a delay, a rate, epochs or a size may stand."""
    return max((name for name in experiments if f"{run}_".startswith(f"{name}_")), key=len)


def check_reference(config: Mapping[str, Any], folder: Path) -> None:
    """Raise `InputError` if the workflow would start from the reference `folder`, and finds other networks there."""
    if config["weights"] != "reference":
        return
    runs = {run_folder(config).format(**run): run for run in [*all_runs(config), *all_reservoirs(config)]}
    absent_runs = [run for run in runs if not (folder / "models" / run / "weights.safetensors").is_file()]
    requirement = (
        f"'trained' while '{folder}/models' lacks {len(absent_runs)} of {len(runs)} networks: {absent_runs[:3]}"
    )
    if len(absent_runs) == len(runs):
        requirement += "; a clone without stored networks gets them by `git sparse-checkout disable`"
    require(not absent_runs, "weights", requirement, "reference")
    for name, run in runs.items():
        by_key = _by_key_of_reservoir if "reservoir" in run else _by_key
        _check_trained({"root_seed": config["root_seed"]} | run, folder / "models" / name, by_key)
    for agent in all_agents(config):
        _check_trained(agent, folder / AGENT.format(**agent), _by_key_of_agent)


def _optimizer_runs(config: Mapping[str, Any]) -> Iterator[Run]:
    """Yield the networks that `runs` names; `fewer_seeds` takes the first few seeds."""
    for optimizer, members in config["runs"].items():
        for architecture in members:
            fewer = [config["fewer_seeds"][name] for name in (optimizer, architecture) if name in config["fewer_seeds"]]
            for seed in config["seeds"][: min(fewer, default=None)]:
                common = {key: config[key] for key in ("task", "network", "training")}
                yield _run_of(config, architecture, optimizer, seed) | common


def _experiment_runs(config: Mapping[str, Any]) -> Iterator[Run]:
    """Yield networks of the study's experiments; each delay makes an experiment of its own, named after the delay.

    A network says its optimiser, at which of the delays it is trained if not at all, of how many seeds if not of as
    many as others, to which delays it is put if not to those of others, and settings in place of those that its
    architecture has elsewhere. Networks of `further` are trained at further delays; or, with `epochs` or with `sizes`
    of what screening keeps, once more at the same ones, as experiments named after these. At each of the experiment's
    learning rates that is not a network's own, it is trained once more, of the first `rate_seeds`, as an experiment
    named after it, of which windows are not measured, and whose runs are kept where they diverge: that a rate is too
    large is an answer.
    """
    for name, experiment in experiments_of(config).items():
        common = {key: _experiment_settings(config, experiment, key) for key in ("network", "training")}
        for architecture, network in experiment["networks"].items():
            cell_settings = {key: value for key, value in network.items() if key not in NOT_OF_CELLS}
            for delay, seeds, variant in _trainings(config, experiment, architecture):
                of_delay = {
                    "experiment": (name if delay is None else f"{name}_{delay}") + variant["suffix"],
                    "task": experiment["task"] | ({} if delay is None else {"delay": delay}),
                    "network": common["network"],
                    "training": common["training"] | variant["training"],
                    "windows": None if variant["suffix"] else _windows(experiment, architecture, delay),
                }
                for seed in seeds:
                    run = _run_of(config, architecture, network["optimizer"], seed) | of_delay
                    run["architecture_settings"] = (
                        run["architecture_settings"] | cell_settings | variant["architecture"]
                    )
                    yield run
                    has_rates = seed in seeds[: experiment.get("rate_seeds")]
                    own_rate = run["optimizer_settings"]["learning_rate"]
                    for rate in experiment.get("learning_rates", []):
                        if has_rates and rate != own_rate:
                            yield run | {
                                "experiment": f"{name}{AT_RATE}{rate:g}",
                                "optimizer_settings": run["optimizer_settings"] | {"learning_rate": rate},
                                "training": run["training"] | {"keep_diverged": True},
                                "windows": None,
                            }


def _recipe_runs(config: Mapping[str, Any]) -> Iterator[Run]:
    """Networks of experiments that are trained once more by another recipe, as experiments named after it.

    A recipe says of an experiment, and of each network, the settings in place of those that the experiment, and the
    architecture elsewhere, have.
    """
    for recipe, parts in config[config["study"]].get("recipes", {}).items():
        for name, part in parts.items():
            experiment = experiments_of(config)[name]
            common = {key: _experiment_settings(config, experiment, key) for key in ("network", "training")}
            for architecture, network in part["networks"].items():
                cell_settings = {key: value for key, value in network.items() if key not in NOT_OF_CELLS}
                single = network.get("single_seed_delays", [])
                for delay in [*network.get("delays", part["delays"]), *single]:
                    fewer = 1 if delay in single else network.get("fewer_seeds", part.get("fewer_seeds"))
                    for seed in config["seeds"][:fewer]:
                        run = _run_of(config, architecture, network["optimizer"], seed)
                        yield run | {
                            "experiment": f"{name}_{delay}{BY_RECIPE}{recipe}",
                            "architecture_settings": run["architecture_settings"] | cell_settings,
                            "task": experiment["task"]
                            | part.get("task", {})
                            | network.get("task", {})
                            | {"delay": delay},
                            "network": common["network"],
                            "training": common["training"] | part.get("training", {}) | network.get("training", {}),
                            "windows": None,
                        }


def _trainings(
    config: Mapping[str, Any], experiment: Mapping[str, Any], architecture: str
) -> Iterator[tuple[int | None, Sequence[int], dict[str, Any]]]:
    """Delays at which a network is trained, those of `further` last; seeds; and what differs, with its `suffix`.

    A task without a delay has none.
    """
    network = experiment["networks"][architecture]
    main_part = {"networks": [architecture], "delays": network.get("delays", experiment.get("delays", [None]))}
    fewer = network.get("fewer_seeds", experiment.get("fewer_seeds"))
    for part in [main_part, *experiment.get("further", [])]:
        if architecture in part["networks"]:
            for delay in part["delays"]:
                for variant in _variants(part, config):
                    yield delay, config["seeds"][: part.get("fewer_seeds", fewer)], variant


def _variants(part: Mapping[str, Any], config: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the differences of a part's networks: none, epochs, or one of the two sizes that screening keeps."""
    base: dict[str, Any] = {"suffix": "", "training": {}, "architecture": {}}
    if part.get("sizes"):
        for setting, size, sizes in screening_sizes(config):
            yield base | {"suffix": f"_{setting}_{size}", "architecture": sizes}
    elif "epochs" in part:
        yield base | {"suffix": f"{AT_EPOCHS}{part['epochs']}", "training": {"epochs": part["epochs"]}}
    else:
        yield base


def screening_sizes(config: Mapping[str, Any]) -> Iterator[tuple[str, int, dict[str, int]]]:
    """Yield the varied setting, ρ or ν, its size, and both sizes, from `attention.screening`."""
    screening = config["attention"]["screening"]
    for setting in SIZES:
        for size in screening["sizes"]:
            yield setting, size, {name: size if name == setting else screening["other"] for name in SIZES}


def _experiment_settings(config: Mapping[str, Any], experiment: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Settings of `key` with those of the experiment in their place; a size is one in units or one in parameters."""
    changes = experiment.get(key, {})
    left_out = {"hidden_size"} if "parameters" in changes else set()
    return {name: value for name, value in config[key].items() if name not in left_out} | changes


def _windows(experiment: Mapping[str, Any], architecture: str, delay: int | None) -> dict[str, Any] | None:
    """`lags` and `sequences` of windows through training, unless this network is not measured."""
    windows = experiment.get("windows")
    if (
        windows is None
        or architecture not in windows.get("networks", [architecture])
        or delay not in windows.get("delays", [delay])
    ):
        return None
    return {key: windows[key] for key in ("lags", "sequences")}


def _run_of(config: Mapping[str, Any], architecture: str, optimizer: str, seed: int) -> Run:
    return {
        "architecture": architecture,
        "optimizer": optimizer,
        "seed": seed,
        "architecture_settings": config["architectures"][architecture],
        "optimizer_settings": config["optimizers"][optimizer],
    }


def _check_trained(run: Mapping[str, Any], folder: Path, by_key: Callable[[Any], dict[str, Any]]) -> None:
    """Raise `InputError` where settings are not those with which the network or agent in `folder` was trained."""
    try:
        trained_settings = by_key(read_json(folder / "provenance.json"))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        requirement = f"with '{folder}/provenance.json' as training writes it"
        raise InputError(f"'weights' must be {requirement}. Got {in_one_line(error)}") from error
    settings = by_key(run)
    for key, value in trained_settings.items():
        if key not in ("training.engine", "training.device"):  # say where, not what
            require(settings.get(key) == value, key, f"{value}, as when '{folder}' was trained", settings.get(key))


def _by_key(run: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a run by the keys that they have in the configuration."""
    common = leaves({name: run[name] for name in ("root_seed", "task", "network", "training")})
    by_name = {f"{kind}s.{run[kind]}": run[f"{kind}_settings"] for kind in ("architecture", "optimizer")}
    return dict(common) | by_name


def _by_key_of_reservoir(run: Mapping[str, Any]) -> dict[str, Any]:
    return dict(leaves({name: run[name] for name in ("root_seed", "task", "network", "reservoir")}))


def _by_key_of_agent(agent: Mapping[str, Any]) -> dict[str, Any]:
    key, settings = "attention.games", {"head_units": 0, **agent["settings"]}
    by_key = {"root_seed": settings.pop("root_seed")}
    by_key[f"{key}.networks.{agent['architecture']}"] = settings.pop("architecture")
    cart_pole_keys = ("optimizer", "head_units", "frames", "ppo") if agent["game"] == CART_POLE else ()
    return by_key | {
        f"{key}.cart_pole.{name}" if name in cart_pole_keys else f"{key}.{name}": settings[name] for name in settings
    }
