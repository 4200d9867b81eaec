"""Write the sequences of each split that the rule names."""

from job import logged
from learnability.tasks import DelayedSum, write_sequences

with logged(snakemake):
    params = snakemake.params
    task = DelayedSum(**params.task, study=params.study, seed=int(snakemake.wildcards.seed))
    for split, count in params.counts.items():
        write_sequences(task.generate(split, count), snakemake.output[split], params.task)
