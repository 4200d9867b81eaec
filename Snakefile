"""The workflow of workflow/Snakefile, where the catalog of workflows and modules of others look for it."""


include: "workflow/Snakefile"


# What an included file says of its default target does not count here.
rule everything:
    default_target: True
    input:
        rules.all.input,
    message:
        f"Done: {placed(RESULTS)}."
