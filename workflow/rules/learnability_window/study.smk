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
include: "../reproduce.smk"


FINAL = [
    *files_of(lambda artefact, is_figure: not artefact["is_variant"]),
    *SCORECARDS,
    *(*rules.make_pages.output, *rules.make_index.output),
]


include: "../manifest.smk"
include: "../verify.smk"
