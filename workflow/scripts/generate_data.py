"""Write the sequences on which frozen networks of a seed are measured."""

from job import logged

from learnability.tasks import build_task, write_sequences

with logged(snakemake):
    params = snakemake.params
    task = build_task(params.task, params.root_seed, int(snakemake.wildcards.seed))
    write_sequences(task.generate("diagnostic", params.sequences), snakemake.output.diagnostic, params.task)
