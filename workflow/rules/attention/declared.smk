# Tables in the order in which they are computed, and figures.

ATTENTION = config["attention"]

TABLES = [
    *("paths", "parameters"),
    *("exact", "gaps", "coefficients", "truncations"),
    *("exponents", "spectra", "networks", "relative"),
    *("chains", "laws", "lengths"),
]
THEORY = {name: f"{RESULTS}/tables/theory_{name}.csv" for name in TABLES}
PAGES = [f"{RESULTS}/tables/theory_{name}.md" for name in TABLES]
# Runs that name classes; and runs that are measured at their stored epochs.
ANSWERING, WINDOWED = (
    [RUN.format(**run) for run in NETWORKS if chosen(run)]
    for chosen in (lambda run: run["task"]["name"] != "delayed_sum", lambda run: run["windows"])
)
WINDOW_TABLES = {
    name: f"{RESULTS}/tables/{name}.csv"
    for name in (f"attention_{part}" for part in ("windows", "reach", "widens", "training", "order"))
    if WINDOWED
}
# Of experiments whose networks are trained at several learning rates; `name` is that without the rate.
RATED = [
    {"name": name, "noise_sd": run["task"]["noise_sd"], "rate": run["optimizer_settings"]["learning_rate"]}
    | {key: run[key] for key in ("experiment", "architecture", "seed")}
    for run in NETWORKS
    for name in [run["experiment"].partition(AT_RATE)[0]]
    if "learning_rates" in ATTENTION["experiments"].get(name, {})
]
RATE_TABLES = {name: f"{RESULTS}/tables/{name}.csv" for name in ("attention_rates", "attention_best_rates") if RATED}
TRAINED_TABLES = {
    name: f"{RESULTS}/tables/{name}.csv"
    for name in (
        *("copy_transfer", "denoised", "copied", "recipes", "learning_speed", "longer_training"),
        *("trained_gradients", "attended"),
    )
}
DENSE_TABLES = {name: f"{RESULTS}/tables/{name}.csv" for name in ("screening", "pixels", "characters")}
MEASURED_TABLES = {
    **{name: f"{RESULTS}/tables/{name}.csv" for name in ("gradient_norms", "backward_costs", "backward_growth")},
    **TRAINED_TABLES,
    **DENSE_TABLES,
    **WINDOW_TABLES,
    **RATE_TABLES,
    **{name: f"{RESULTS}/tables/{name}.csv" for name in ("games", "cart_pole")},
}
HYPERPARAMETERS = {kind: f"{RESULTS}/tables/hyperparameters.{kind}" for kind in ("csv", "md")}
MEASURED_PAGES = [str(Path(file).with_suffix(".md")) for file in MEASURED_TABLES.values()]
# Of each trained network, beside its learning curve.
OF_TRAINED = ["answers", "arriving", "attention", "screened"]
FIGURES = {
    name: f"{RESULTS}/figures/{name}.png"
    for name in (
        *("theory_paths", "theory_exponents", "theory_sums", "theory_sparse"),
        *("gradient_norms", "backward_costs"),
        *("attention_maps", "trained_gradients", "recipes", "learning_speed", "longer_training"),
        *("copied", "denoised", "copy_transfer"),
        *("screening", "pixels", "characters"),
        *(f"attention_{name}" for name in ("pixels", "characters", "short_term")),
        *(["attention_windows", "attention_training"] if WINDOWED else []),
        *(["attention_rates"] if RATED else []),
        *("games", "cart_pole"),
    )
}
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
SHOWN = [
    *(shown("Figures", name, file) for name, file in FIGURES.items()),
    *(shown("Tables", Path(page).stem, page) for page in MEASURED_PAGES),
    shown("Tables", "hyperparameters", HYPERPARAMETERS["md"]),
    *(shown("Tables", Path(page).stem, page) for page in PAGES),
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
    """What is asked of a training: epochs, updates in an epoch, and validations without an error that end it."""
    training = {"perfect_validations": 0, **config["training"], **run["training"]}
    updates = -(-run["task"]["training_sequences"] // training["batch_size"])
    return {"updates": updates, **{key: training[key] for key in ("epochs", "perfect_validations")}}


def agent_of(wildcards):
    """An agent in MiniGrid, or on a pole."""
    (agent,) = (agent for agent in AGENTS if AGENT.format(**agent) == AGENT.format(**wildcards))
    return agent


def scale_of(name):
    """What is held beside the scale of the paper: the fewest and the most updates, the longest delay of all networks."""
    runs = [run for run in NETWORKS if run["task"]["name"] == name]
    asked = [training_of(run) for run in runs]
    updates = [each["epochs"] * each["updates"] for each in asked]
    delays = sorted((run["task"]["delay"], run["architecture"]) for run in runs)
    longest = {architecture: delay for delay, architecture in delays}  # of each, for a later one replaces it
    return {
        f"updates of {name}": " to ".join(map(str, sorted({min(updates), max(updates)}))) if updates else "none",
        f"longest delay of all in {name}": min(longest.values(), default=0),
    }


SCALE = scale_of("copy") | scale_of("denoise")
