# Questions in the order of the page, each a folder that is found; files of their tables and figures, and runs behind these.

from studies.questions import find_questions

ATTENTION = config["attention"]
# Runs that name classes; and runs that are measured at their stored epochs.
ANSWERING, WINDOWED = (
    [RUN.format(**run) for run in NETWORKS if condition(run)]
    for condition in (lambda run: run["task"]["name"] != "delayed_sum", lambda run: run["windows"])
)
# Runs of experiments whose networks are trained at several learning rates; `name` is that without the rate.
RATED = [
    {"name": name, "noise_sd": run["task"]["noise_sd"], "rate": run["optimizer_settings"]["learning_rate"]}
    | {key: run[key] for key in ("experiment", "architecture", "seed")}
    for run in NETWORKS
    for name in [run["experiment"].partition(AT_RATE)[0]]
    if "learning_rates" in ATTENTION["experiments"].get(name, {})
]
# Runs that a question may need, and no configuration has to measure.
MEASURED_AT_ALL = {"training_windows": WINDOWED, "rated": RATED}
QUESTIONS = {
    name: question
    for name, question in find_questions("attention").items()
    if MEASURED_AT_ALL.get(question.needs, True)
}
TABLES = {name: f"{RESULTS}/tables/{name}.csv" for question in QUESTIONS.values() for name in question.tables}
PAGES = {name: str(Path(file).with_suffix(".md")) for name, file in TABLES.items()}
# Tables of the appendix, by the names that claims have for them; lists of settings; and tables of measurements.
OF_THEORY = [name for name in TABLES if name.startswith("theory_")]
THEORY = {name.removeprefix("theory_"): TABLES[name] for name in OF_THEORY}
HYPERPARAMETERS = {"csv": TABLES["hyperparameters"], "md": PAGES["hyperparameters"]}
MEASURED_TABLES = {name: file for name, file in TABLES.items() if name not in [*OF_THEORY, "hyperparameters"]}
FIGURES = {name: f"{RESULTS}/figures/{name}.png" for question in QUESTIONS.values() for name in question.figures}
DRAWN = {
    name: {
        f"{figure}.png": {
            **{"module": module_of(name, f"figures.{figure}"), "of": list(tables)},
            **{"architectures": list(config["architectures"]), "rows": {}},
        }
        for figure, tables in question.figures.items()
    }
    for name, question in QUESTIONS.items()
    if question.figures
}
# Modules that make tables: shared by questions, and of questions with their own.
TABULATED_BY = [
    "studies.attention.measured_tables",
    *filter(is_module, (module_of(question, "tables") for question in QUESTIONS)),
]
# Tables of each trained network, beside its learning curve.
OF_TRAINED = ["answers", "arriving", "attention", "screened"]
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
ANSWERS = "studies.attention.answers"
ANSWERED_WITH = {}
ANSWERED_FROM = list(TABLES.values())
# Charts to play with have measurements of networks that copy and denoise, too.
COPYING = [RUN.format(**run) for run in NETWORKS if "delay" in run["task"]]
PLAYED_FROM = {
    name: [*ANSWERED_FROM, *(file for kind in question.played for file in tables_of(kind, COPYING))]
    for name, question in QUESTIONS.items()
    if question.played
}
SHOWN = [
    *(shown("Figures", name, file) for name, file in FIGURES.items()),
    *(shown("Tables", name, page) for name, page in PAGES.items()),
]
TRAINED = [f"{MODELS}/{run}/provenance.json" for run in ALL_RUNS]

AGENTS = all_agents(config)


def experiment_of(name):
    """Settings of an experiment by its name, behind which a delay, a rate, epochs or a size may stand."""
    return ATTENTION["experiments"][experiment_named(name, ATTENTION["experiments"])]


def transfer_of(run):
    """Delays to which a network is put without having learned them: of those that are trained at the first delay."""
    experiment = experiment_of(run["experiment"])
    if run["task"].get("delay") != experiment.get("delays", [None])[0]:
        return []
    network = experiment["networks"][run["architecture"]]
    return network.get("transfer", experiment.get("transfer", []))


def training_of(run):
    """Settings of a training: epochs, updates in an epoch, and validations without an error that end it."""
    training = {"perfect_validations": 0, **config["training"], **run["training"]}
    updates = -(-run["task"]["training_sequences"] // training["batch_size"])
    return {"updates": updates, **{key: training[key] for key in ("epochs", "perfect_validations")}}


def agent_of(wildcards):
    """An agent in MiniGrid, or on a pole."""
    (agent,) = (agent for agent in AGENTS if AGENT.format(**agent) == AGENT.format(**wildcards))
    return agent


def scale_of(name):
    """Numbers beside the scale of the paper: the fewest and the most updates, the longest delay of all networks."""
    runs = [run for run in NETWORKS if run["task"]["name"] == name]
    trainings = [training_of(run) for run in runs]
    updates = [training["epochs"] * training["updates"] for training in trainings]
    delays = sorted((run["task"]["delay"], run["architecture"]) for run in runs)
    longest = {architecture: delay for delay, architecture in delays}  # of each, for a later one replaces it
    return {
        f"updates of {name}": " to ".join(map(str, sorted({min(updates), max(updates)}))) if updates else "none",
        f"longest delay of all in {name}": min(longest.values(), default=0),
    }


SCALE = scale_of("copy") | scale_of("denoise")
GROUPS_IN_WORDS = ""


def drawn_from(question):
    """Names of the tables and the measurements behind the figures of a question."""
    return list(dict.fromkeys(itertools.chain(*QUESTIONS[question].figures.values())))
