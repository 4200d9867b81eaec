# The scorecard: each claim of the paper beside what was measured.

from studies.learnability_window.groups import explain_groups

CLAIM_TABLES = [
    *("fits", "envelope", "spectrum", "conditioning", "transport", "noise", "sample_complexity", "window"),
    *OF_EPOCHS,
    "curve",
]
JUDGED_BY = "studies.learnability_window.judged"
# What is held beside the scale of the paper.
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
SCORECARD = {
    kind: f"{RESULTS}/{{reading}}/scorecard.{ending}"
    for kind, ending in {"csv": "csv", "conditions": "conditions.csv", "md": "md", "html": "html"}.items()
}
SCORECARDS = expand(list(SCORECARD.values()), reading=READINGS)


rule score_claims:
    input:
        **{kind: tables_of(kind, ALL_RUNS) for kind in CLAIM_TABLES},
        claims=CLAIMS,
    output:
        csv=SCORECARD["csv"],
        conditions=SCORECARD["conditions"],
        md=SCORECARD["md"],
        html=report(
            SCORECARD["html"],
            caption="../../report/scorecard.rst",
            category="Scorecard",
            labels={"reading": "{reading}"},
        ),
    log:
        f"{LOGS}/score_claims/{{reading}}.log",
    benchmark:
        f"{LOGS}/score_claims/{{reading}}.benchmark.tsv"
    conda:
        "../../../envs/pages.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        judged=JUDGED_BY,
        readings=of_reading,
        labels=config["figures"]["labels"],
        groups=GROUPS,
        groups_in_words=GROUPS_IN_WORDS,
        suffixes=SUFFIX,
        of_no_reading=[
            each["name"]
            for group in FIGURES
            if group not in BY_READING
            for each in [*figures_of(group), *tables_made(group)]
        ],
        scale=SCALE,
        library=library("score_claims.py", JUDGED_BY),
    message:
        "Scorecard: {wildcards.reading}"
    script:
        "../../scripts/score_claims.py"


JUDGED_READINGS = READINGS
JUDGED = {
    "claims": [CLAIMS],
    "scorecards": expand(SCORECARD["csv"], reading=READINGS),
    "conditions": expand(SCORECARD["conditions"], reading=READINGS),
}
TRAINED = [f"{MODELS}/{run}/provenance.json" for run in ALL_RUNS]


# The scorecard links to figures and tables.
TARGETS["scorecard"] = [*SCORECARDS, *TARGETS["figures"], *TARGETS["tables"]]
