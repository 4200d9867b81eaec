# What the study shows: each figure and table, what it is made of, and of which networks.
#
# A figure is drawn by the module of its name in studies.learnability_window.figures, a table made by the function that
# studies.learnability_window.tables has under its name, and both are told in workflow/report/; a variant has the name of
# another. What is made of the same measurements is made by one job, see show.smk.

from studies.learnability_window.views import stored_kinds

TITLE = "Learnability windows in gated recurrent networks"
ABOUT = "What L. Livi’s paper claims and what was measured"
ROLES = {GROUPS["main"][role]: role for role in ("const_gate", "shared_gate", "diag_gate")}
# The role that an architecture takes, in whichever group.
ROLE_OF = {architecture: role for group in GROUPS.values() for role, architecture in group.items()}
THEORY = f"{RESULTS}/theory"
CLAIMS = of_project("config", "paper_claims.yaml")
# Architectures of which windows are measured with each option of a reading changed, in the networks of the first seed.
VARIED_MEMBERS = [
    architecture
    for architecture in config["runs"].get("adamw", [])
    if any(architecture in GROUPS[name].values() for name in config["sensitivity"])
]
VARIED = [run for run in runs_of("adamw", VARIED_MEMBERS) if Path(run).name == f"seed{config['seeds'][0]}"]
# What the paper concludes is of all three roles together, each taken by another architecture.
COMPARABLE = len(ROLES) == 3 and has_runs("adamw", ROLES)
APPENDICES = {  # module of studies.learnability_window.theory that computes it, and its tables
    "a": ("expansion", ["orders", "lags"]),
    "b": ("jacobians", ["jacobians"]),
    "c": ("concentration", ["widths"]),
    "d": ("divergence", ["divergence", "information"]),
    "e": ("information", ["information", "by_error", "by_signal"]),
    "f": ("lemmas", ["random"]),
    "g": ("inversion", ["windows"]),
}
# Tables that are of no single network.
OF_LAWS = {
    **{kind: f"{THEORY}/{kind}.csv" for kind in ("recovery", "references", "coverage", "examples", "monotonicity")},
    **{
        f"appendix_{letter}_{name}": f"{THEORY}/appendix_{letter}.{name}.csv"
        for letter, (_, tables) in APPENDICES.items()
        for name in tables
    },
}


def made_of(views, optimizer="", **chosen):
    """Of views by their name in the figure or table, on the runs of an optimizer, or on all.

    Chosen may be `like`, the figure that it is a variant of; `groups`, architectures by suffix, in place of those of
    `architecture_groups` that have runs; `members`, the architectures of a table, and `settings`, what its function takes
    beside; `when`, whether there is anything to make.
    """
    named = views if isinstance(views, dict) else dict(zip(views, views))
    unless_chosen = {"like": None, "groups": None, "members": None, "settings": {}, "when": True}
    return {"of": named, "optimizer": optimizer, **unless_chosen, **chosen}


def appendix(letter):
    """Tables of an appendix, whose files are named after it."""
    return {name: f"appendix_{letter}_{name}" for name in APPENDICES[letter][1]}


NONE, NO_GROUPS = {"": []}, {}
# Whether gates that start slow are trained beside others.
STARTS = GROUPS.get("slow", GROUPS["main"]) != GROUPS["main"] and all(
    has_runs("adamw", GROUPS[name].values()) for name in ("main", "slow")
)
ADAMW = {"": config["runs"].get("adamw", [])}
# Tables of this task's networks, and those of the run that they are compared with.
TWO_TASKS = [
    f"{of}{kind}" for kind in ("curve", "training_windows", "training_responses", "resonances") for of in ("", "other_")
]
DIAG_GATE = [GROUPS["main"]["diag_gate"]]
# By group: what its figures and tables are made of, and so what a job that makes them waits for.
FIGURES = {
    "rates": {
        "figure_01": made_of(["envelope", "fits"], "adamw"),
        "time_constants": made_of(["fits"], groups=ADAMW),
        "figure_04": made_of(["spectrum"], "adamw"),
        "figure_08": made_of(["envelope", "fits"], "sgd"),
        "figure_09": made_of(["spectrum"], "sgd"),
        "figure_10": made_of(["envelope", "fits"], "sgd_momentum"),
        "figure_11": made_of(["spectrum"], "sgd_momentum"),
        "appendix_i": made_of(["envelope", "spectrum"], groups={"": DIAG_GATE}),
    },
    "windows": {
        "figure_02": made_of(["window"], "adamw"),
        "figure_03": made_of(["sample_complexity"], "adamw"),
        "figure_05": made_of(["noise", "references"], "adamw"),
        "figure_06": made_of(["noise"], "adamw"),
        "figure_07": made_of(["sample_complexity"], "adamw"),
        "transport": made_of(["transport", "windows"], "adamw"),
        "sample_complexity_factors": made_of(["sample_complexity"], "adamw"),
        "threshold": made_of(["sample_complexity"], "adamw"),
        "off_task": made_of(["sample_complexities"], "adamw"),
        "null_control": made_of(["sign_flips", "permuted"], "adamw"),
        "echo_control": made_of(["window", "granted", "response"], "adamw"),
        "appendix_f": made_of(
            {"sample_complexity": "sample_complexity", "monotonicity": "monotonicity", **appendix("f")}, "adamw"
        ),
        "appendix_h": made_of(["sample_complexity"], "adamw"),
    },
    "sensitivity": {"sensitivity": made_of(["changes"], "adamw")},
    "networks": {
        f"{name}{'' if optimizer == 'adamw' else f'_{optimizer}'}": made_of(of, optimizer, like=name)
        for name, of in {
            "learning_curves": ["curve"],
            "gate_statistics": ["gates"],
            "responses": ["response", "loss"],
        }.items()
        for optimizer in ("adamw", "sgd", "sgd_momentum")
    }
    | {
        "resonances": made_of(["resonances", "harmonics", "curve"], "adamw"),
        "detection_order": made_of(["training_windows", "training_responses"], "adamw"),
        "detected_before_learned": made_of(
            ["training_windows", "training_responses"],
            groups={"": list(dict.fromkeys(name for members in config["runs"].values() for name in members))},
        ),
        "starts": made_of(
            ["curve"],
            "adamw",
            groups={"": [*GROUPS["main"].values(), *GROUPS["slow"].values()]} if STARTS else NO_GROUPS,
        ),
        "through_training": made_of(
            ["training_windows", "training_responses", "curve"],
            "adamw",
            groups={f"_{architecture}": [architecture] for architecture in config["runs"].get("adamw", [])},
        ),
    },
    "tasks": {"common_divisor": made_of(TWO_TASKS, "adamw", groups=ADAMW if OTHER else NO_GROUPS)},
    "theory": {
        **{f"appendix_{letter}": made_of(appendix(letter), groups=NONE) for letter in "acdeg"},
        "simulation": made_of(["examples", "coverage"], groups=NONE),
    },
    "overview": {"overview": made_of(["window"], "adamw", groups=ADAMW)},
}
TABLES = {
    "rates": {
        "table_1": made_of(["fits"], "sgd", members=list(ROLES), when=has_runs("sgd", ROLES)),
        "learning_rates": made_of(["fits", "curve", "gates"]),
        "appendix_i": made_of(
            ["envelope", "spectrum"], when=any(DIAG_GATE[0] in members for members in config["runs"].values())
        ),
    },
    "windows": {
        "windows": made_of(["windows"]),
        "windows_by_direction": made_of(["windows"]),
        "echoes": made_of(["window", "granted", "response"], "adamw"),
        "task_lags": made_of(["sample_complexities"]),
        "spread": made_of(["sample_complexities"]),
        "null_control": made_of(["sign_flips", "permuted"]),
        "complexity_and_share": made_of(["sample_complexity", "response"]),
        "floor": made_of(["noise"]),
        "scaling": made_of(["sample_complexity", "window", "noise"]),
        "appendix_f": made_of(["sample_complexity"], "adamw"),
        "appendix_h": made_of(["sample_complexity"], "adamw"),
    },
    "sensitivity": {
        "windows_by_option": made_of(["changes"]),
        "conclusions": made_of(["crossed"], when="main" in config["sensitivity"] and COMPARABLE),
    },
    "networks": {
        "learned": made_of(["response", "loss"]),
        "conditioning": made_of(["conditioning"]),
        "transport_by_lag": made_of(["transport"]),
        "transport_check": made_of(["transport"]),
        "through_training": made_of(["training_windows", "training_responses"]),
        "detection_order": made_of(
            ["training_windows", "training_responses"],
            "adamw",
            members=list(ROLES),
            settings={"order": list(ROLES)},
            when=COMPARABLE,
        ),
        "resonances": made_of(["harmonics", "wrong_periods", "curve"]),
        "harmonics_and_loss": made_of(
            ["harmonics", "wrong_periods", "curve"], settings={"root_seed": config["root_seed"]}
        ),
        "distance_from_comb": made_of(["harmonics", "curve"]),
        "detected_before_learned": made_of(
            ["training_windows", "training_responses"], settings={"root_seed": config["root_seed"]}
        ),
    },
    "tasks": {"common_divisor": made_of(TWO_TASKS, "adamw", when=OTHER is not None)},
}
