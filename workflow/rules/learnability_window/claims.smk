# The scorecard: each claim of the paper beside what was measured.

from studies.learnability_window.groups import explain_groups

CLAIM_TABLES = [
    *("fits", "envelope", "spectrum", "conditioning", "transport", "noise", "sample_complexity", "window"),
    *OF_EPOCHS,
    "curve",
]
JUDGED_BY = "studies.learnability_window.judged"
# Numbers beside the scale of the paper.
SCALE = {
    "inputs": config["task"]["input_size"],
    "units": config["network"]["hidden_size"],
    "steps of a sequence": config["task"]["duration"],
    "lags of the task": config["task"]["lags"],
    "measured lags": config["measurement"]["lags"],
    "training sequences": config["task"]["training_sequences"],
    "measured sequences": config["task"]["diagnostic_sequences"],
    "epochs": config["training"]["epochs"],
    "sequences in a batch": config["training"]["batch_size"],
}
GROUPS_IN_WORDS = explain_groups(
    GROUPS, config["architectures"], config["figures"]["labels"], {run["architecture"] for run in NETWORKS}
)
JUDGED_FROM = {kind: tables_of(kind, ALL_RUNS) for kind in CLAIM_TABLES}
JUDGED_READINGS = READINGS
SCORED = {
    "groups": GROUPS,
    "readings": of_reading,
    "suffixes": SUFFIX,
    "of_no_reading": [
        artefact["name"]
        for group in FIGURES
        if group not in BY_READING
        for artefact in [*figures_of(group), *tables_made(group)]
    ],
}
TRAINED = [f"{MODELS}/{run}/provenance.json" for run in ALL_RUNS]


include: "../claims.smk"
