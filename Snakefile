"""Learnability windows in gated recurrent networks: from data to every figure of the paper and its scorecard."""

from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/learnability_window/declared.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/learnability_window/theory.smk"
include: "workflow/rules/learnability_window/show.smk"
include: "workflow/rules/learnability_window/claims.smk"
include: "workflow/rules/pages.smk"
include: "workflow/rules/integrity.smk"


# They look at the files of every job, or at none.
localrules:
    manifest,
    verify,


rule all:
    default_target: True
    input:
        rules.manifest.input,
        rules.manifest.output,
    message:
        "Done. Open {RESULTS}/index.html in a browser."
