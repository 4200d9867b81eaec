"""Learnability windows in gated recurrent networks: from data to every figure of the paper and its scorecard."""

from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/rates.smk"
include: "workflow/rules/windows.smk"
include: "workflow/rules/sensitivity.smk"
include: "workflow/rules/estimators.smk"
include: "workflow/rules/planted.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/appendices.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/pages.smk"
include: "workflow/rules/integrity.smk"


# Snakemake's limit of 100 jobs a second never binds here, but it looks at all ready jobs anew each second, once more for each
# job that has run: in a run of hundreds of jobs that came to half a core.
onstart:
    workflow.scheduler.job_rate_limiter = None


# They look at the whole DAG and at files of every job, which a job elsewhere would not see.
localrules:
    manifest,
    verify,


rule all:
    default_target: True
    input:
        rules.scorecard.input,
        rules.appendices.input,
        rules.index.input,
        rules.manifest.output,
    message:
        "Done. Open results/{config[preset]}/index.html in a browser."
