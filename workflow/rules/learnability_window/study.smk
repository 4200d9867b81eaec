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


VERIFIED = [placed(RESULTS), REFERENCE]


include: "../verify.smk"


# It looks at the files of every job.
localrules:
    manifest,


FINAL = [*EVERYTHING, *MANIFEST.values()]
