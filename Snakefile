"""Studies of what recurrent networks can learn: from data to every figure of a paper and its scorecard."""

from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/train.smk"
include: f"workflow/rules/{STUDY}/study.smk"


from progress import RunProgress

PROGRESS = RunProgress(Path(LOGS))


onstart:
    PROGRESS.start([rule.name for rule in workflow.rules if rule.norun])


# `FINAL` is what a study makes; only here can a rule be the default target.
rule all:
    default_target: True
    input:
        FINAL,
    message:
        "Done: {RESULTS}."
