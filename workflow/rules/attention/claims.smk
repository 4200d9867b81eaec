# The scorecard: each claim of the paper beside what was measured, of the theory and of networks.

CLAIMS = of_project("config", "attention", "claims.yaml")
JUDGED_BY = "studies.attention.judged"
ROLES = [*config["architectures"], "theory"]
SCORECARD = {
    kind: f"{RESULTS}/scorecard.{ending}"
    for kind, ending in {"csv": "csv", "conditions": "conditions.csv", "md": "md", "html": "html"}.items()
}


rule score_claims:
    input:
        **THEORY,
        **MEASURED_TABLES,
        claims=CLAIMS,
    output:
        csv=SCORECARD["csv"],
        conditions=SCORECARD["conditions"],
        md=SCORECARD["md"],
        html=report(SCORECARD["html"], caption="../../report/scorecard.rst", category="Scorecard"),
    log:
        f"{LOGS}/score_claims.log",
    benchmark:
        f"{LOGS}/score_claims.benchmark.tsv"
    conda:
        "../../../envs/pages.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        judged=JUDGED_BY,
        readings=[],
        labels=config["figures"]["labels"],
        groups={"main": dict(zip(ROLES, ROLES))},
        suffixes={"main": ""},
        of_no_reading=[],
        scale=SCALE,
        library=library("score_claims.py", JUDGED_BY),
    message:
        "Scorecard"
    script:
        "../../scripts/score_claims.py"


JUDGED_READINGS = [""]
JUDGED = {
    "claims": [CLAIMS],
    "scorecards": [rules.score_claims.output.csv],
    "conditions": [rules.score_claims.output.conditions],
}


# The scorecard links to figures and tables.
TARGETS["scorecard"] = [*SCORECARD.values(), *TARGETS["figures"], *TARGETS["tables"]]
