# The scorecard: each claim of the paper beside what was measured.

ALL_RUNS = [run for optimizer in config["runs"] for run in runs_of(optimizer)]
CLAIM_TABLES = [
    "fits",
    "envelope",
    "spectrum",
    "conditioning",
    "noise",
    "need",
    "window",
]


rule score_claims:
    input:
        unpack(lambda wildcards: {kind: run_tables(kind, ALL_RUNS, wildcards.reading) for kind in CLAIM_TABLES}),
        claims=WORKFLOW.parent / "config" / "paper_claims.yaml",
    output:
        csv=f"{RESULTS}/{{reading}}/scorecard.csv",
        conditions=f"{RESULTS}/{{reading}}/scorecard.conditions.csv",
        md=f"{RESULTS}/{{reading}}/scorecard.md",
        html=report(
            f"{RESULTS}/{{reading}}/scorecard.html",
            caption="../report/scorecard.rst",
            category="Scorecard",
            labels={"reading": "{reading}"},
        ),
    log:
        f"{LOGS}/score_claims/{{reading}}.log",
    benchmark:
        f"{LOGS}/score_claims/{{reading}}.benchmark.tsv"
    conda:
        "../../envs/learnability.yaml"
    threads: 1
    params:
        kinds=CLAIM_TABLES,
        sets=SETS,
        suffixes={name: suffix for suffix, members in SUFFIXES.items() for name in SETS if SETS[name] is members},
        scale={
            **{key: config["task"][key] for key in ("duration", "training_sequences", "diagnostic_sequences")},
            "hidden_size": config["network"]["hidden_size"],
            "epochs": config["training"]["epochs"],
        },
        library=library("score_claims.py"),
    message:
        "Scorecard: {wildcards.reading}"
    script:
        "../scripts/score_claims.py"


rule scorecard:
    input:
        expand(
            f"{RESULTS}/{{reading}}/scorecard.{{format}}",
            reading=READINGS,
            format=["csv", "md", "html"],
        ),
