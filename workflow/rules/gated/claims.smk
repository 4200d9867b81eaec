# The scorecard: each statement of the notes that can be false beside the number by which it is judged.

JUDGED_BY = "studies.gated.judged"
SCORECARD = {
    kind: f"{RESULTS}/scorecard.{ending}"
    for kind, ending in {"csv": "csv", "conditions": "conditions.csv", "md": "md", "html": "html"}.items()
}


rule score_claims:
    input:
        statements=list(STATEMENTS.values()),
        claims=list(CLAIMS.values()),
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
        groups={"main": {"notes": "notes"}},
        suffixes={"main": ""},
        of_no_reading=[],
        scale=SCALE,
        library=library("score_claims.py", "studies.gated", JUDGED_BY),
    message:
        "Scorecard"
    script:
        "../../scripts/score_claims.py"


JUDGED_READINGS = [""]
JUDGED = {
    "claims": [],  # the notes have no scale
    "scorecards": [rules.score_claims.output.csv],
    "conditions": [rules.score_claims.output.conditions],
}


# The scorecard links to figures and tables.
TARGETS["scorecard"] = [*SCORECARD.values(), *TARGETS["figures"], *TARGETS["tables"]]
