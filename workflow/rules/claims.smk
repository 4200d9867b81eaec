# The scorecard: each claim of a study's source beside the number by which it is judged.
# The study that includes this file, behind its figures and tables, defines CLAIMS, files; JUDGED_BY, the module that judges;
# JUDGED_FROM, tables by kind; JUDGED_READINGS, each with a scorecard of its own, or a nameless one alone; SCORED, the groups of
# architectures that claims are about, and what else differs from UNSCORED; GROUPS_IN_WORDS; and the SCALE beside the paper's.

OF_READING = JUDGED_READINGS != [""]
OF_SCORECARD = Path("score_claims", "{reading}" if OF_READING else "")
SCORECARD = {
    kind: f"{RESULTS}/{'{reading}/' if OF_READING else ''}scorecard.{ending}"
    for kind, ending in {"csv": "csv", "conditions": "conditions.csv", "md": "md", "html": "html"}.items()
}
SCORECARDS = expand(list(SCORECARD.values()), reading=JUDGED_READINGS)
JUDGED = {
    "claims": CLAIMS,
    "scorecards": expand(SCORECARD["csv"], reading=JUDGED_READINGS),
    "conditions": expand(SCORECARD["conditions"], reading=JUDGED_READINGS),
}
UNSCORED = {"readings": [], "suffixes": {"main": ""}, "of_no_reading": []}
# The scorecard links to figures and tables.
TARGETS["scorecard"] = [*SCORECARDS, *TARGETS["figures"], *TARGETS["tables"]]


rule score_claims:
    input:
        **JUDGED_FROM,
        claims=CLAIMS,
    output:
        csv=SCORECARD["csv"],
        conditions=SCORECARD["conditions"],
        md=SCORECARD["md"],
        html=report(
            SCORECARD["html"],
            caption="../report/scorecard.rst",
            category="Scorecard",
            labels={"reading": "{reading}"} if OF_READING else None,
        ),
    log:
        f"{LOGS}/{OF_SCORECARD}.log",
    benchmark:
        f"{LOGS}/{OF_SCORECARD}.benchmark.tsv"
    conda:
        "../../envs/pages.yaml"
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        **UNSCORED | SCORED,
        judged=JUDGED_BY,
        labels=config["figures"]["labels"],
        groups_in_words=GROUPS_IN_WORDS,
        scale=SCALE,
        library=library("score_claims.py", JUDGED_BY),
    message:
        "Scorecard: {wildcards.reading}" if OF_READING else "Scorecard"
    script:
        "../scripts/score_claims.py"
