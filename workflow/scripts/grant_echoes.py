"""Windows that a reading finds when the targets hold what predictions echo, by the transport of the reading."""

from job import logged, run_names
from learnability.echoes import grant_echoes
from learnability.frozen import load_frozen
from learnability.memory import keep_freed_memory
from learnability.readings import Reading
from learnability.statistic import matched_statistic
from learnability.store import write_table
from learnability.tasks import DelayedSum
from learnability.transport import choose_engine
from learnability.windowing import measured_window

with logged(snakemake):
    keep_freed_memory()
    params, run = snakemake.params, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    engine = choose_engine(params.engine, frozen.network.cell)
    reading = Reading.of(params.reading, params.window, time_stride=params.time_stride)
    transport = reading.statistic.transport
    few = frozen.first(params.exact_sequences if transport == "exact" else None)
    granted = grant_echoes(few, DelayedSum(**params.task, study=params.study, seed=int(run["seed"])), engine)
    measured = (granted, params.lags, params.learning_rate, params.study)
    window = measured_window(
        matched_statistic(*measured, reading.statistic, engine), reading, params.study, int(run["seed"])
    )
    write_table(window, snakemake.output.windows, **run, transport=transport)
