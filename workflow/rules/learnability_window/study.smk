# L. Livi, Learnability Window in Gated Recurrent Neural Networks: what is measured, shown, and held beside the paper.


include: "declared.smk"
include: "shown.smk"
include: "../measure.smk"
include: "theory.smk"
include: "show.smk"
include: "claims.smk"
include: "findings.smk"
include: "search.smk"
include: "../pages.smk"
include: "../integrity.smk"


VERIFIED = [RESULTS, REFERENCE]


include: "../verify.smk"


# It looks at the files of every job.
localrules:
    manifest,


# As text: an input that is marked for the report would be asked for wildcards that `all` has not.
FINAL = [str(file) for file in (*rules.manifest.input, *rules.manifest.output)]
