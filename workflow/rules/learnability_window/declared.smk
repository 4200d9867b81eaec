# Artefacts of the study: figures of its questions, each a folder that is found, and tables that questions share.
#
# A figure is drawn by the module of its name in the folder of its question, a table made by the function that
# studies.learnability_window.tables has under its name; captions are in `captions/` of either. What is made of the same
# measurements is made by one job, see show.smk.

from typing import get_args

from studies.learnability_window.appendices.question import APPENDICES
from studies.learnability_window.common_divisor.question import OF_TWO_TASKS
from studies.learnability_window.questions import Group
from studies.learnability_window.views import stored_kinds
from studies.questions import find_questions

QUESTIONS = find_questions("learnability_window")
TITLE = "Learnability windows in gated recurrent networks"
ABOUT = (
    "Over how many steps can a gated recurrent network learn from N sequences? L. Livi’s paper, reproduced and tested"
)
ROLES = {GROUPS["main"][role]: role for role in ("const_gate", "shared_gate", "diag_gate")}
# The role that an architecture takes, in whichever group.
ROLE_OF = {architecture: role for group in GROUPS.values() for role, architecture in group.items()}
THEORY = f"{RESULTS}/theory"
CLAIMS = [of_project("config", "paper_claims.yaml")]
# Architectures of which windows are measured with each option of a reading changed, in the networks of the first seed.
VARIED_MEMBERS = [
    architecture
    for architecture in config["runs"].get("adamw", [])
    if any(architecture in GROUPS[name].values() for name in config["sensitivity"])
]
VARIED = [run for run in runs_of("adamw", VARIED_MEMBERS) if Path(run).name == f"seed{config['seeds'][0]}"]
# The paper concludes from all three roles together, each taken by another architecture.
COMPARABLE = len(ROLES) == 3 and has_runs("adamw", ROLES)
# Tables that are of no single network.
OF_LAWS = {
    **{kind: f"{THEORY}/{kind}.csv" for kind in ("recovery", "references", "coverage", "examples", "monotonicity")},
    **{
        f"appendix_{letter}_{name}": f"{THEORY}/appendix_{letter}.{name}.csv"
        for letter, (_, tables) in APPENDICES.items()
        for name in tables
    },
}


def made_of(views, optimizer="", **options):
    """Entry of a table: its views, on the runs of an optimizer, or on all.

    Options may be `members`, the architectures of a table, and `settings`, what its function takes beside; `when`, whether
    there is anything to make.
    """
    unless_chosen = {"members": None, "settings": {}, "when": True}
    return {"of": {view: view for view in views}, "optimizer": optimizer, **unless_chosen, **options}


NONE, NO_GROUPS = {"": []}, {}
# True if gates that start slow are trained beside others.
STARTS = GROUPS.get("slow", GROUPS["main"]) != GROUPS["main"] and all(
    has_runs("adamw", GROUPS[name].values()) for name in ("main", "slow")
)
ADAMW = {"": config["runs"].get("adamw", [])}
DIAG_GATE = [GROUPS["main"]["diag_gate"]]
# Architectures by suffix, by what a figure shows, in place of those of `architecture_groups` that have runs.
SHOWS = {
    "groups": None,
    "trained": {"": list(dict.fromkeys(name for members in config["runs"].values() for name in members))},
    "by_adamw": ADAMW,
    "each_by_adamw": {f"_{architecture}": [architecture] for architecture in ADAMW[""]},
    "two_tasks": ADAMW if OTHER else NO_GROUPS,
    "starts": {"": [*GROUPS["main"].values(), *GROUPS["slow"].values()]} if STARTS else NO_GROUPS,
    "diag_gate": {"": DIAG_GATE},
    "none": NONE,
}


def drawn_from(question, figure):
    """Entry of a figure of a question."""
    options = {"like": figure.like, "groups": SHOWS[figure.shows], "members": None, "question": question}
    return {"of": figure.views(), "optimizer": figure.optimizer, **options}


def place_of(name):
    """Figures of the paper come first, by their number; others as questions have them."""
    return name if name.startswith("figure_") else "others"


# Figures and tables by group: what they are made of, and so what a job that makes them waits for.
FIGURES = {group: {} for group in get_args(Group)}
for key, question in QUESTIONS.items():
    for name, figure in question.figures.items():
        FIGURES[figure.group][name] = drawn_from(key, figure)
FIGURES = {group: {name: figures[name] for name in sorted(figures, key=place_of)} for group, figures in FIGURES.items()}
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
        "window_order": made_of(
            ["windows", "permuted"],
            "adamw",
            members=list(ROLES),
            settings={"order": list(ROLES)},
            when=COMPARABLE,
        ),
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
    "tasks": {"common_divisor": made_of(OF_TWO_TASKS, "adamw", when=OTHER is not None)},
}
