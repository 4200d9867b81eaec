"""Find sample needs and the learnability window."""

from job import logged, run_names
from learnability.detection import DetectionOptions, learnability_window, sample_need
from learnability.store import read_table, write_table

with logged(snakemake):
    options = DetectionOptions(**snakemake.params.detection, **snakemake.params.window)
    run = run_names(snakemake)
    need = sample_need(read_table(snakemake.input.noise).drop(columns=list(run)), options)
    write_table(need, snakemake.output.need, **run)
    write_table(learnability_window(need, options), snakemake.output.window, **run)
