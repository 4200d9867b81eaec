# Paths, runs and digests that the other rule files share. Configuration errors end here, in one line.

import itertools
import os
import re
from functools import cache

from configuration import check, check_results_folder, check_study, in_order_of, typed
import memory
from imports import library_digest, module_file
from learnability.core import compiled
from learnability.windows.readings import whole_readings
from studies.questions import words_of
from studies.settings.runs import (
    AGENT,
    AT_RATE,
    CART_POLE,
    NOT_OF_CELLS,
    all_agents,
    all_reservoirs,
    all_runs,
    check_reference,
    experiment_named,
    job_name,
    run_folder,
    tasks_of,
)
from learnability.core.yaml_files import load_yaml


def of_project(*parts):
    """A file of the project, from the working folder; in a module from the root, for another's prefix is not for it."""
    path = ROOT.joinpath(*parts)
    return str(path) if IS_MODULE else os.path.relpath(path)


# Snakemake puts the outer workflow's modifier in its place before it plans the jobs of a module.
MODIFIER = workflow.modifier


def placed(path):
    """Path of a file of this workflow in another one, which gives the files of its modules a prefix."""
    return str(MODIFIER.modify_path(path))


config = or_exit(typed, config)  # in a module the same object would be the outer workflow's
or_exit(check, config)
or_exit(check_study, config, WORKFLOW / "rules")
STUDY = config["study"]
REFERENCE = of_project("results", "reference", STUDY, config["variant"])
or_exit(check_reference, config, Path(REFERENCE))
# Stored tables of searches over settings.
SEARCHES = [f"{REFERENCE}/tables/{name}_sensitivity.csv" for name in ("headline", "analysis")]
STORED_SEARCH = [file for file in SEARCHES if os.path.isfile(file)]
or_exit(check_results_folder, Path(placed("results")))

config["readings"] = whole_readings(config["readings"])
config = in_order_of(load_yaml((ROOT / "config" / "config.yaml").read_text(encoding="utf-8")), config)

# Jobs, here or on a node that reads this file again, hand it to the compiler.
if config.get("compiler_optimization"):
    os.environ.setdefault(compiled.FURTHER, f"-{config['compiler_optimization']}")

PRESET = config["preset"]
RESULTS = f"results/{STUDY}/{PRESET}"
LOGS = f"logs/{STUDY}/{PRESET}"
RUN = run_folder(config)
TRAINED_IN = REFERENCE if config["weights"] == "reference" else RESULTS
MODELS = f"{TRAINED_IN}/models"
MEASURED = f"{RESULTS}/measured"
NETWORKS = all_runs(config)
RESERVOIRS = all_reservoirs(config)
ALL_RUNS = [RUN.format(**network) for network in [*NETWORKS, *RESERVOIRS]]
READINGS = config["report"]
GROUPS = config["architecture_groups"]
# The paper's own group of architectures goes without a suffix: figure_01.pdf, figure_01_slow.pdf.
SUFFIX = {name: "" if name == "main" else f"_{name}" for name in GROUPS}
DEVICE = config["training"]["device"]


wildcard_constraints:
    architecture="|".join(map(re.escape, [*config["architectures"], *(run["architecture"] for run in RESERVOIRS)])),
    optimizer="|".join(map(re.escape, config["optimizers"])),
    seed=r"\d+",
    experiment="|".join(map(re.escape, sorted({run.get("experiment", "none") for run in NETWORKS}))),
    reading="|".join(READINGS),


CELLS = {name: settings["cell"] for name, settings in config["architectures"].items()}
TASKS = {task["name"] for task in tasks_of(config)}


@cache
def library(script, *loaded, architecture=None, of_tasks=False):
    """Digest of a script and of the modules that it imports, of src/ and beside it, or loads by name.

    In a job of one architecture its own cell counts alone, and in these and jobs `of_tasks` the tasks that the
    configuration names; in others all of them.
    """
    cells = [CELLS[architecture]] if architecture in CELLS else CELLS.values()
    names = [name.partition(":")[0] for name in (*sorted(TASKS), *cells) if ":" in name]
    modules = [module for module in dict.fromkeys(names) if module_file(module).exists()]
    tasks = sorted(task for task in TASKS if ":" not in task) if architecture in CELLS or of_tasks else None
    return library_digest(WORKFLOW / "scripts" / script, *loaded, *modules, cell=CELLS.get(architecture), tasks=tasks)


def library_of(script):
    """`library` of a job whose wildcards have the architecture."""
    return lambda wildcards: library(script, architecture=wildcards.architecture)


def files_of_job(name):
    """All files that a job of JOBS makes, whether a kind has one or a list."""
    outputs = JOBS[name]["output"].values()
    return [file for files in outputs for file in ([files] if isinstance(files, str) else files)]


def library_of_job(job):
    """`library` of a job of JOBS; of one architecture where that is in its wildcards."""
    modules = [job["by"], *job.get("loaded", [])]
    if "{architecture}" in job.get("of", ""):
        return lambda wildcards: library("make.py", *modules, architecture=wildcards.architecture)
    return library("make.py", *modules, of_tasks=job.get("of_tasks", False))


def library_of_runs(runs, wildcards):
    """`library` of the training of runs of one architecture."""
    return library("train.py", architecture=trained(runs, wildcards)[0]["architecture"])


def checkpoint(job, wildcards, digest):
    """Checkpoint from which the training of a job goes on, of this code alone."""
    return placed(f"{RESULTS}/checkpoints/{job.format(**wildcards)}.{digest}.pt")


def architecture_settings(wildcards):
    return config["architectures"][wildcards.architecture]


def optimizer_settings(wildcards):
    return config["optimizers"][wildcards.optimizer]


def of_each(runs, pattern):
    """`pattern` with the names of each run in it."""
    return [pattern.format(**run) for run in runs]


def trained(runs, wildcards):
    """The runs of a job; their names are in its wildcards where it has any."""
    folders = [RUN.format(**run).format(**wildcards) for run in runs]
    return [[*NETWORKS, *RESERVOIRS][ALL_RUNS.index(folder)] for folder in folders]


def memory_of(runs):
    """MB that a job asks for that trains runs side by side."""
    return memory.for_training(runs[0]) if DEVICE == "cpu" else memory.ON_GPU


# Files by the names that they can be asked for by, see targets.smk.
TARGETS = {}
# Jobs by the name of their rule, see jobs.smk.
JOBS = {}
# Outputs that no run makes unless it is asked for them: no manifest has them, and none needs to.
OPTIONAL = []
# Outputs among these of searches over settings.
SENSITIVITIES = []


def asks(amount):
    """MB of memory that a job asks for, a number or one by its wildcards: with each attempt as much again."""

    def request(wildcards, attempt):
        megabytes = amount(wildcards) if callable(amount) else amount
        return attempt * (megabytes if workflow.local_exec else memory.on_a_cluster(megabytes))

    return request


def files_of_run(wildcards):
    """Files of a finished run: all outputs of the jobs that make MADE_FOR, of manifest.smk, and of all they need."""
    folder = placed(RESULTS)
    files, queue = set(), [placed(file) for file in MADE_FOR]
    while queue:
        file = queue.pop()
        if file in files:
            continue
        for maker in workflow.rules:
            if any(pattern.match(file) for pattern in maker.output):
                names = maker.get_wildcards(file)
                files.update(map(str, maker.expand_output(names)[0]))
                queue += map(str, maker.expand_input(names)[0])
    # without the prefix of a module, for Snakemake adds it to what an input function returns
    return sorted(RESULTS + file.removeprefix(folder) for file in files if Path(file).is_relative_to(folder))


def run_of(wildcards):
    """A run of an experiment, without what is measured at its stored epochs."""
    (run,) = trained([dict(wildcards)], wildcards)
    return {key: value for key, value in run.items() if key != "windows"}


def runs_by_job():
    """Runs that are trained together, by the name of their job; of one run each, names of wildcards."""
    if DEVICE == "cpu":
        return {RUN: [{name: f"{{{name}}}" for name in ("experiment", "architecture", "optimizer", "seed")}]}
    jobs = {}
    for network in sorted(NETWORKS, key=lambda network: network["architecture"]):
        name = job_name(network)
        jobs.setdefault(name, []).append(network)
    return jobs


def described(runs):
    """Settings in which runs of a job differ."""
    common = ("task", "network", "training", "windows")
    return [{key: value for key, value in run.items() if key not in common} for run in runs]


def trained_on(run):
    """The task of a run, without the sequences that it is not trained on."""
    return {key: value for key, value in run["task"].items() if key != "diagnostic_sequences"}


def runs_of(optimizer, members=None):
    """Run folders `architecture/optimizer/seedN` of an optimizer, for `members` or all its architectures."""
    return [
        RUN.format(**network)
        for network in NETWORKS
        if network["optimizer"] == optimizer and (members is None or network["architecture"] in members)
    ]


def has_runs(optimizer, members):
    return set(members) <= set(config["runs"].get(optimizer, []))


# Tables of networks: of every run, and of runs whose readings are varied.
OF_TRAINING = {"curve": "learning_curve.csv", "gates": "gate_statistics.csv"}
OF_NETWORK = ["envelope", "fits", "spectrum", "conditioning", "transport", "response", "loss"]
OF_WINDOWS = ["noise", "sample_complexity", "window", "sign_flips"]
OF_EPOCHS = ["training_windows", "training_responses"]
OF_RESONANCES = ["resonances", "harmonics", "wrong_periods"]
OF_READINGS = ["changes", "crossed"]


def measured(kinds, folder=f"{MEASURED}/{RUN}"):
    """Tables of one network by kind."""
    return {kind: f"{folder}/{kind}.csv" for kind in kinds}


# Measurements of the same architectures by another finished run; no rule of this run makes them.
OTHER = f"results/{config['compared_with']}" if config["compared_with"] else None
FOUND_OTHER = Path(placed(OTHER)) if OTHER else None


def tables_of_other(kind):
    """Files of one kind of table in the run that this one is compared with, stored or not."""
    table = f"measured/{kind}.csv.gz"
    if (FOUND_OTHER / table).is_file():
        return [f"{OTHER}/{table}"]
    name = f"models/*/*/*/{OF_TRAINING[kind]}" if kind in OF_TRAINING else f"measured/*/*/*/{kind}.csv"
    files = sorted(f"{OTHER}/{path.relative_to(FOUND_OTHER)}" for path in FOUND_OTHER.glob(name))
    if not files:
        sys.exit(f"Configuration: 'compared_with' must be a finished run with networks. Got '{OTHER}' without {name}.")
    return files


def tables_of(kind, runs):
    """Files of one kind of table of some networks; a kind `other_…` is of those that they are compared with."""
    if kind.startswith("other_"):
        return tables_of_other(kind.removeprefix("other_"))
    if kind in OF_TRAINING:
        return [f"{MODELS}/{run}/{OF_TRAINING[kind]}" for run in runs]
    return [f"{MEASURED}/{run}/{kind}.csv" for run in runs]


def shown(section, name, file, reading="", variant="", data=None):
    """Entry of a page: its heading, caption and file, its reading and variant, and a table's CSV."""
    beside = data or str(Path(file).with_suffix(".csv")) if file.endswith(".md") else ""
    link = {"data": os.path.relpath(beside, RESULTS)} if beside else {}
    return {"section": section, "name": name, "reading": reading, "variant": variant, "file": file, **link}


def page_of(table):
    """The page of a table in Markdown."""
    return str(Path(table).with_suffix(".html"))


# Captions of figures and tables, by name, in folders of the study's questions.
CAPTIONS = {file.stem: file for file in ROOT.glob(f"src/studies/{STUDY}/*/captions/*.rst")}


def caption_of(name):
    if name not in CAPTIONS:
        sys.exit(f"Questions: '{name}' must have a caption in the folder of its question. Got no '{name}.rst'.")
    return CAPTIONS[name]


def captions_of(entries):
    return sorted({of_project(caption_of(entry["name"])) for entry in entries})


def module_of(question, part):
    """A module of the folder of a question of the study."""
    return f"studies.{STUDY}.{question}.{part}"


def asked(question):
    """A question, for figures whose titles would tell what the stored results show; empty if pages tell it, too."""
    return "" if config["sentences"] else words_of(STUDY, question)


def is_module(name):
    return module_file(name).is_file()


def figure_files(question):
    """Files of the figure of a question; its study has them in DRAWN."""
    return [f"{RESULTS}/figures/{file}" for file in DRAWN[question]]
