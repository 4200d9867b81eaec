"""Find N₅₀ of all settings, hold the contest, and draw both."""

import numpy as np
import pandas as pd

from job import logged
from learnability.core.store import read_tables, write_table, write_text
from learnability.core.streams import numpy_generator
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_markdown
from studies.ground_truth.contest import contest, half_learned, in_words
from studies.ground_truth.figures.contest import draw as draw_contest
from studies.ground_truth.figures.phases import draw as draw_phases

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    trials, candidates = read_tables(snakemake.input.trials), read_tables(snakemake.input.candidates)
    last = trials[trials["updates"] == trials["updates"].max()]
    looks = {updates: rows for updates, rows in trials.groupby("updates")}
    found = [half_learned(rows, numpy_generator(params.root_seed, 0, "seeds")) for rows in looks.values()]
    at_looks = pd.concat([table.assign(updates=updates) for updates, table in zip(looks, found, strict=True)])
    n50, sizes = found[-1], last.loc[last["grid"].isin(params.contest), "sample_size"].unique()
    held = [table[table["grid"].isin(params.contest)] for table in (last, candidates, n50)]
    scores = contest(held[0], held[1], numpy_generator(params.root_seed, 0, "contest"))
    said = {"half_learned": (at_looks, []), "contest": (scores, in_words(scores))}
    for (name, (table, words)), page in zip(said.items(), output.pages, strict=True):
        write_table(table, output[name])
        write_text(as_markdown(table, words), page)
    everyone = Style(**params.style, architectures=list(held[0]["architecture"].unique()))
    write_figure(draw_contest(scores, held[2], held[1], sizes[np.isfinite(sizes)], everyone), output.figure)
    for (grid, architectures), file in zip(params.grids.items(), output.phases, strict=True):
        tried, found = (table[table["grid"] == grid] for table in (last, n50))
        write_figure(draw_phases(tried, found, Style(**params.style, architectures=architectures)), file)
