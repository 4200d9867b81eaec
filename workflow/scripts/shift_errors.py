"""Windows that a reading finds when each sequence meets the error signal of the next one: there is nothing to find."""

from job import logged, run_names
from learnability.frozen import load_frozen
from learnability.memory import keep_freed_memory
from learnability.readings import Reading
from learnability.statistic import matched_statistic
from learnability.store import write_table
from learnability.transport import choose_engine
from learnability.windowing import measured_window

with logged(snakemake):
    keep_freed_memory()
    params, run = snakemake.params, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    engine = choose_engine(params.engine, frozen.network.cell)
    for transport, path in snakemake.output.items():
        stride = {"transport": transport, "time_stride": params.time_stride}
        reading = Reading.of(params.reading, params.window, **stride)
        few = frozen.first(params.exact_sequences if transport == "exact" else None)
        measured = (few, params.lags, params.learning_rate, params.study)
        statistic = matched_statistic(*measured, reading.statistic, engine, shift_errors=True)
        window = measured_window(statistic, reading, params.study, int(run["seed"]))
        write_table(window, path, **run, transport=transport)
